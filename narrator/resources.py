"""Files that are shipped with the code: prompts and examples, and how a prompt is split into parts."""

import re
from collections.abc import Container, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, NamedTuple

_HEAD: Final = re.compile(r"id: (\w+), version: (\d+)\n+")


class PromptPart(NamedTuple):
    """A part of a prompt: plain text without placeholders."""

    id: str
    version: int
    text: str

    @property
    def named(self) -> str:
        """Its id and version, such as `boost/2`."""
        return f"{self.id}/{self.version}"


class PromptNotes(NamedTuple):
    """Lines for special cases, by their keys."""

    id: str
    version: int
    lines: Mapping[str, str]

    def part(self, keys: Container[str]) -> PromptPart:
        """Make a part of some of the lines, in the order of the file."""
        lines = (f"- {line}" for key, line in self.lines.items() if key in keys)
        return PromptPart(self.id, self.version, "\n".join(lines))


def shipped(folder: str, name: str) -> Traversable:
    """Find a file of `prompts` or `examples`, in the source tree if there is one, else in the wheel.

    The source tree goes first, because an editable install leaves a stale copy beside the installed packages.
    """
    package = files("narrator")
    source_tree = Path(str(package)).parent
    is_source_tree = (source_tree / "pyproject.toml").is_file() and (source_tree / folder).is_dir()
    return (source_tree if is_source_tree else package) / folder / name


@cache
def prompt_part(name: str) -> PromptPart:
    """Read the part of a prompt of this name, such as "boost". Its first line is id and version, not text."""
    written = shipped("prompts", f"{name}.md").read_text("utf-8")
    head = _HEAD.match(written)
    assert head is not None, "a part begins with its id and version"
    return PromptPart(head[1], int(head[2]), written[head.end() :].strip())


@cache
def prompt_notes() -> PromptNotes:
    """Read the lines of a prompt for special cases."""
    import tomllib  # only needed here

    return PromptNotes(**tomllib.loads(shipped("prompts", "notes.toml").read_text("utf-8")))
