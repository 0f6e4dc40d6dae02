"""Runs the command line in this process, and says how it ended."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from typing import Any

from typer.testing import CliRunner

from narrator.api import registry
from narrator.cli.commands import COMMANDS, app, command_of
from narrator.rules.json_text import Json

ROOT = Path(__file__).parents[2]
CYNERE = ROOT / "examples" / "cynere.json"
HARBOUR = ROOT / "examples" / "harbour-nights.toml"


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code, and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The object that was printed."""
        return json.loads(self.out)


def commands() -> dict[str, Any]:
    """Every command there is, by what one types for it, those in groups too: each as the app has it."""

    def below(words: str, command: Any) -> Iterator[tuple[str, Any]]:
        for name, inner in getattr(command, "commands", {}).items():
            yield from below(f"{words} {name}", inner)
        if not hasattr(command, "commands"):
            yield words, command

    return {words: found for name in COMMANDS for words, found in below(name, command_of(name))}


def having(option: str) -> list[str]:
    """The commands that have an option."""
    return [words for words, each in commands().items() if any(option in one.opts for one in each.params)]


def payload_of(call: str, **parts: Any) -> Json:
    """A payload of a call, with those of the parts that it takes; with all of them where there is no such call."""
    takes = registry.model_of(call).model_fields if call in registry.CALLS else parts
    return {"call": call, **{name: part for name, part in parts.items() if name in takes}}


def run(*words: str, given: str | bytes = "") -> Ended:
    """Run the command line here; what is no orderly end is raised."""
    result = CliRunner().invoke(app, list(words), input=given, prog_name="narrator")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ended(result.exit_code, result.stdout_bytes.decode(), result.stderr_bytes.decode())


def page(*words: str, given: str = "") -> str:
    """The page of a command that goes well."""
    ended = run(*words, given=given)
    assert (ended.code, ended.err) == (0, ""), f"`{join(words)}` ended with {ended.code}: {ended.err}"
    return ended.out


def made(*words: str, given: str = "") -> Any:
    """The object that a command prints with `--json`."""
    return json.loads(page(*words, "--json", given=given))


def refusal(*words: str, given: str = "") -> str:
    """The one line in which a command says why it does not do what was asked."""
    ended = run(*words, given=given)
    told = f"`{join(words)}` was to be refused in a line, and ended with {ended.code}: {ended.out}{ended.err}"
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (1, "", 1), told
    return ended.err.rstrip("\n")


def usage(*words: str, given: str = "") -> str:
    """What is said of wrong usage, without its frame."""
    ended = run(*words, given=given)
    told = f"`{join(words)}` was to be wrong usage, and ended with {ended.code}: {ended.out}{ended.err}"
    assert (ended.code, ended.out) == (2, ""), told
    return " ".join(ended.err.replace("│", " ").split())


def lines(text: str) -> list[str]:
    """Its lines, without blanks around them."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def said(text: str) -> str:
    """A page in one line, so that no wrapping hides a sentence."""
    return " ".join(text.split())


def kept(folder: Path, name: str, content: Json) -> str:
    """Write an object into a file, and give its path."""
    path = folder / name
    path.write_text(json.dumps(content), "utf-8")
    return str(path)
