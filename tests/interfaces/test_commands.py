"""The commands, as the app itself has them, and how an option is declared: once."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_args, get_type_hints

import pytest

from narrator.api import registry
from narrator.api.call import RequestCall
from narrator.cli import commands as modules
from narrator.cli.commands import COMMANDS
from narrator.cli.option_groups import TypedAction, by_option, call_options
from narrator.cli.options import option
from narrator.errors import NarratorError
from narrator.rules.json_text import Json
from narrator.rules.model import Given, Model
from narrator.rules.request.action import Request
from tests.interfaces.running import CYNERE, ROOT, having, page, refusal, run, usage
from tests.leaping import DEADLINE


def loaded(*words: str) -> set[str]:
    """The modules that a process of the command line has loaded at its end."""
    program = (
        f"import sys; sys.argv = {['narrator', *words]!r}\ntry: import narrator.__main__\nexcept SystemExit: pass\n"
    )
    told = [sys.executable, "-c", f"{program}print(*sys.modules, file=sys.stderr)"]
    ran = subprocess.run(told, capture_output=True, text=True, timeout=DEADLINE, check=True)
    return {*ran.stderr.split()}


def test_the_help_imports_no_command() -> None:
    """Nor does a shell that completes their names."""
    assert [name for name in loaded("--help") if name.startswith("narrator.cli.commands.")] == []


def test_a_macro_waits_for_nothing_that_it_has_no_use_for(tmp_path: Path) -> None:
    """A process is started for each: it loads neither the library of the command line nor any of its commands."""
    file = tmp_path / "payload.json"
    file.write_text(json.dumps({"call": "rulesets"}), "utf-8")

    found = loaded("vtt", str(file))

    assert not {"typer", "rich"} & found
    assert {name for name in found if name.startswith("narrator.cli.")} == {
        f"narrator.cli.{each}" for each in ("main", "inputs", "usage")
    }


@pytest.mark.parametrize("words", [("--help",), ("one", "two"), ("--nope",)], ids=" ".join)
def test_a_macro_typed_wrongly_is_a_command_like_any_other(words: tuple[str, ...]) -> None:
    """Help and wrong usage are told as for all of them."""
    started = [sys.executable, "-m", "narrator", "vtt", *words]
    ran = subprocess.run(started, capture_output=True, text=True, timeout=DEADLINE, check=False)
    ended = run("vtt", *words)
    here, there = (" ".join(each.split()) for each in (ended.out + ended.err, ran.stdout + ran.stderr))

    assert (ran.returncode, there.replace("python -m narrator", "narrator")) == (ended.code, here)


def test_every_module_of_a_command_is_in_the_help() -> None:
    """And what is in the help is there."""
    odd = {each.name.replace("_", "-") for each in iter_modules(modules.__path__)} ^ COMMANDS.keys()

    assert odd == set(), f"each wants a module in narrator/interfaces/commands/ and a line in COMMANDS there: {odd}"


def options_of(command: str) -> Iterator[tuple[str, Any]]:
    """The options of a command that are declared in groups, each with the name of its group."""
    made = import_module(f"{modules.__name__}.{command.replace('-', '_')}").command
    functions = [each.callback for each in getattr(made, "registered_commands", ())] or [made]
    for group in (kind for function in functions for kind in get_type_hints(function).values()):
        if isinstance(group, type) and is_dataclass(group):
            yield from ((group.__name__, each) for each in fields(group))


def leads(kind: Any, path: Sequence[str]) -> bool:
    """Whether there is such a field in a model, or in one of those within a type."""
    if isinstance(kind, type) and issubclass(kind, Model) and path[0] in kind.model_fields:
        return len(path) == 1 or leads(kind.model_fields[path[0]].annotation, path[1:])
    return any(leads(inner, path) for inner in get_args(kind))


@pytest.mark.every_case
@pytest.mark.parametrize("command", COMMANDS)
def test_an_option_writes_a_field_that_there_is(command: str) -> None:
    """Of the payload, or of its request or choice: else a slip shows when it is typed."""
    named = {"say": "suggest"}.get(command, command.replace("-", "_"))
    models = [registry.model_of(call) for call in ([named] if named in registry.CALLS else registry.CALLS)]
    parts = [model.model_fields[part].annotation for model in models for part in model.model_fields.keys() & PARTS]
    for group, each in options_of(command):
        made = [place for place in each.metadata["places"] if place.startswith(("action.", "scene."))]
        for place in {*made, each.metadata["writes"] or "call"}:
            path = [part for part in place.split(".") if not part.isdigit()]
            told = f"{group}.{each.name} writes {place!r}: no field of the call, its request or its choice"
            assert any(leads(kind, path) for kind in [*models, *parts]), told


PARTS = {"request", "choice"}

SAVING = {
    "suggest": ("overcome", "--fail"),
    "settle": ("FILE", "f"),
    "move": ("FILE", "clock", "--name", "Dawn", "--boxes", "4"),
}
TABLE = str(ROOT / "examples" / "table.json")
FINDING = {"suggest": (str(CYNERE),), "word": ("compel",), "say": ("cynere stealth +0-0 vs 2", "--scene", TABLE)}
ASKING = {**FINDING, "stage": (str(CYNERE),)}
"""What is typed after the name of each command that has `--save`, and of each that has `--strict`."""


@pytest.mark.parametrize(("option", "tried"), [("--save", SAVING), ("--strict", FINDING), ("--source", ASKING)])
def test_every_command_that_has_an_option_is_tried_with_it(option: str, tried: Json) -> None:
    """By the tests below."""
    new = {*having(option)} ^ tried.keys()

    assert new == set(), f"say in SAVING or FINDING, {__file__}, what is typed with {option} after the name of {new}"


@pytest.mark.parametrize("command", SAVING)
def test_a_command_that_saves_writes_over_nothing_else(command: str, tmp_path: Path) -> None:
    """A file that is there and is none of its own stays as it was; another is written."""
    first, other, new = (str(tmp_path / name) for name in ("page.json", "notes.json", "new.json"))
    page("suggest", str(CYNERE), "--seed", "1", "--save", first)
    Path(other).write_text('{"notes": 1}', "utf-8")
    words = [first if word == "FILE" else word for word in SAVING[command]]

    assert "--save: " in refusal(command, *words, "--save", other)
    assert Path(other).read_text("utf-8") == '{"notes": 1}'
    assert run(command, *words, "--save", new).code == 0
    assert json.loads(Path(new).read_text("utf-8"))


@pytest.mark.parametrize("command", FINDING)
def test_how_words_are_found_is_said_of_every_command_that_finds_some(command: str) -> None:
    """What cannot be is refused by its option, as the call has it."""
    about = FINDING[command]

    for options in (("--timeout=-1",), ("--repairs", "11"), ("--strict", "--model", "deck")):
        name = options[0].partition("=")[0]
        assert refusal(command, *about, *options).startswith(f"narrator: bad_request: {name}: ")
    assert refusal(command, *about, "--source", "nobody").startswith("narrator: bad_request: --source: ")
    assert "--source" in usage(command, *about, "--source", "deck", "--model", "tiny")
    assert run(command, *about, "--source", "deck").code == 0


@dataclass(frozen=True)
class More(TypedAction):
    """An action of which more may be typed."""

    attribute: str | None = option(writes="action.attribute", help="A second rating.")


def test_an_option_that_writes_a_field_is_declared_and_nothing_else() -> None:
    """It is put there beside what is there, and what is wrong there is said of it."""
    typed = More(attribute="Might", track="mental")
    error = by_option(NarratorError("bad_request", "action.attribute", "no"), typed)

    assert (error.field, error.message) == ("--attribute", "no")
    assert call_options(typed, {"action": {"actor": "Ann", "attack": {"melee": False}}}) == {
        "action": {"actor": "Ann", "attribute": "Might", "attack": {"melee": False, "track": "mental"}}
    }
    assert by_option(NarratorError("bad_request", "action.attribute", "no"), TypedAction()).field == "action.attribute"


@pytest.mark.parametrize("command", ["resolve", "odds", "reach", "suggest"])
@pytest.mark.parametrize("typed", ["FILE", "FILE --against 2", "attack --actor Ann --target Xan --total 3"])
def test_a_request_is_read_once(command: str, typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of an answer is made of what the call read."""
    read: list[object] = []

    def noted(cls: type[Given], data: Json) -> Given:
        request = data if cls is Request else data["request"] if issubclass(cls, RequestCall) else None
        if request is not None and not isinstance(request, Request):
            read.append(request)
        return super(Given, cls).model_validate(data)

    monkeypatch.setattr(Given, "model_validate", classmethod(noted))
    page(command, *typed.replace("FILE", str(CYNERE)).split())
    assert len(read) == 1
