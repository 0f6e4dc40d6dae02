"""Finds the folders that are shipped with the package but stand beside it in the source tree."""

import re
from collections.abc import Container, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, NamedTuple

_HEAD: Final = re.compile(r"id: (\w+), version: (\d+)\n+")


class Page(NamedTuple):
    """A page of a prompt: plain text, in which nothing is filled in."""

    id: str
    version: int
    text: str

    @property
    def named(self) -> str:
        """Its id and version, such as `boost/2`."""
        return f"{self.id}/{self.version}"


class Notes(NamedTuple):
    """Lines for special cases, by their keys."""

    id: str
    version: int
    lines: Mapping[str, str]

    def page(self, keys: Container[str]) -> Page:
        """Make a page of some of the lines, in the order of the file."""
        return Page(self.id, self.version, "\n".join(f"- {line}" for key, line in self.lines.items() if key in keys))


def shipped(folder: str, name: str) -> Traversable:
    """Find a file of `prompts` or `examples`: in the source tree where this is one, else in the wheel.

    An editable install leaves a stale copy beside the installed packages, so the source tree goes first.
    """
    package = files("narrator")
    source_tree = Path(str(package)).parent
    is_source_tree = (source_tree / "pyproject.toml").is_file() and (source_tree / folder).is_dir()
    return (source_tree if is_source_tree else package) / folder / name


@cache
def page(name: str) -> Page:
    """Read the prompt page of this name, such as "boost". Its first line, with id and version, is not of its text."""
    written = shipped("prompts", f"{name}.md").read_text("utf-8")
    head = _HEAD.match(written)
    assert head is not None, "a page begins with its id and version"
    return Page(head[1], int(head[2]), written[head.end() :].strip())


@cache
def notes() -> Notes:
    """Read what a prompt says of special cases."""
    import tomllib  # for who has a prompt alone

    return Notes(**tomllib.loads(shipped("prompts", "notes.toml").read_text("utf-8")))
