"""How the package hangs together: which way imports run, what is pure, what is loaded when, what is public."""

import ast
import re
import sys
import threading
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from inspect import isfunction
from itertools import chain
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Literal, get_args, get_type_hints

import pytest
from langchain_core.runnables import Runnable

import narrator
from narrator.api.occasion import PreparedLike, SceneLike
from narrator.api.options import SourceLike
from narrator.api.registry import CALLS, model_of
from narrator.api.requests import RequestLike
from narrator.cli.commands import app
from narrator.rules.model import Model
from narrator.rules.resolve.without_roll import WordKind
from narrator.rules.ruleset.row import Citation
from narrator.suggestions.time import portal
from tests.asking import CLERK
from tests.interfaces.running import CYNERE
from tests.scripted_server import Reply, ScriptedServer, suggestions

PACKAGE = Path(narrator.__file__).parent
FILES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}

GUIDE = (PACKAGE.parent / "CONTRIBUTING.md").read_text("utf-8")
ROOMS = {
    room: (said, frozenset(knows.split()))
    for room, said, knows in re.findall(r"^\| `(\w+)(?:/|\.py)` \| (.+?) \| ([\w ]*?) ?\|$", GUIDE, re.MULTILINE)
}
"""The rooms as the drawing in CONTRIBUTING has them, from the top of the house down: what each is for and knows."""

FRONT = frozenset({"__init__", "__main__"})
"""What stands before the house: its public names, and `python -m`."""


@cache
def tree(file: str) -> ast.Module:
    """The syntax tree of a file of the package."""
    return ast.parse(FILES[file].read_text("utf-8"), file)


def part(file: str) -> str:
    """The room of the package in which a file is: a folder, or a module of its own."""
    return file.split("/")[0].removesuffix(".py")


def imported(file: str) -> Iterator[tuple[int, str]]:
    """Every module (or name in one) that a file imports, wherever in it, with the line."""
    package = ["narrator", *file.split("/")[:-1]]
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{module}.{alias.name}") for alias in node.names)


def known(room: str) -> dict[str, str]:
    """The rooms that the files of a room import from, each with a place where; the package itself is none."""
    rooms = {part(file) for file in FILES} - {room, *FRONT}
    found: dict[str, str] = {}
    for file in FILES:
        for line, name in imported(file) if part(file) == room else ():
            package, top, *_ = *name.split("."), ""
            if package == "narrator" and top in rooms:
                found.setdefault(top, f"{file}:{line}")
    return found


def test_the_drawing_has_every_room_and_no_other() -> None:
    """Whoever looks for something finds its room in CONTRIBUTING."""
    rooms = {part(file) for file in FILES} - FRONT

    assert not rooms - ROOMS.keys(), f"CONTRIBUTING.md's table has no row for {rooms - ROOMS.keys()}: write one"
    assert not ROOMS.keys() - rooms, f"CONTRIBUTING.md's table has {ROOMS.keys() - rooms}, which narrator/ has not"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_those_that_the_drawing_says_and_they_stand_below_it(room: str) -> None:
    """Imports run one way, and the drawing is neither a wish nor a memory."""
    told, found = ROOMS[room][1], known(room)
    row = f"CONTRIBUTING.md's table says that {room} knows {', '.join(sorted(told)) or 'none'}"
    more = [f"{each} in {place}" for each, place in found.items() if each not in told]
    above = told & {*[*ROOMS][: [*ROOMS].index(room)]}

    assert not more, f"{row}; it imports {', '.join(more)}: mend the row or the import"
    assert not told - found.keys(), f"{row}; no file of it imports {told - found.keys()}: mend the row"
    assert not above, f"{row}; {above} stand above it: whoever is known stands below, so move what is needed of them"


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_of_itself_what_the_drawing_says(room: str) -> None:
    """One sentence for each, in both places."""
    file = f"{room}.py" if f"{room}.py" in FILES else f"{room}/__init__.py"
    said = ast.get_docstring(tree(file)) or ""

    assert said.startswith(ROOMS[room][0]), f"{file} and its row in CONTRIBUTING.md's table have to say the same"


def test_only_the_command_line_imports_the_package_itself() -> None:
    """Its public names lead up to `api`: below that they would be a ring."""
    wrong = [
        f"{file}:{line} imports {name}"
        for file in FILES
        for line, name in imported(file)
        if part(file) not in {*FRONT, "cli"} and (name == "narrator" or name.startswith("narrator.__"))
    ]

    assert not wrong, f"take it from the room that has it, not from the package: {wrong}"


DRAWN = GUIDE.partition("## Adding a ruleset")[0]
WAY = re.findall(r"^    ([a-z_.]+(?:\.[A-Z]\w+)?\.\w+) {2,}\S", GUIDE, re.MULTILINE)

FLOORS = {
    room: [floor.split(", ") for floor in floors.split(" / ")]
    for room, floors in re.findall(r"^    (\w+) {2,}(.+ / .+)$", GUIDE, re.MULTILINE)
}
"""The rooms within a room as the drawing has them, from the top floor down."""


@pytest.mark.parametrize("room", FLOORS)
def test_rooms_within_a_room_stand_on_one_another(room: str) -> None:
    """A ruleset knows no roll, and a request knows no ruleset: imports run down from floor to floor."""
    below = {
        here: [*chain.from_iterable(FLOORS[room][floor + 1 :])]
        for floor, those in enumerate(FLOORS[room])
        for here in those
    }
    wrong = []
    for file in (file for file in FILES if part(file) == room and file != f"{room}/__init__.py"):
        here = file.split("/")[1].removesuffix(".py")
        for line, name in imported(file):
            there = name.split(".")[2] if name.startswith(f"narrator.{room}.") else here
            if there not in (here, *below[here]):
                wrong.append(f"{file}:{line} imports {there}: by CONTRIBUTING.md {here} knows {below[here]} alone")

    assert wrong == []


def test_few_modules_have_a_single_reader() -> None:
    """A module that one other alone imports may be a part of that: there are fewer than one in seven."""
    modules = {"narrator." + file.removesuffix(".py").replace("/", "."): file for file in FILES}
    readers: dict[str, set[str]] = {}
    for file in FILES:
        for _, name in imported(file):
            found = next((modules[each] for each in (name, name.rpartition(".")[0]) if each in modules), file)
            readers.setdefault(found, set()).add(file)
    single = [f"{file} <- {min(those - {file})}" for file, those in readers.items() if len(those - {file}) == 1]
    print("modules with a single reader:", *single, sep="\n")

    assert len(single) < len(FILES) / 7, "merge some of these with their readers"


def test_a_request_goes_the_way_that_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """One suggestion accepted, the rest dealt: each station of the drawing is passed, in its order."""
    stations: dict[CodeType, str] = {}
    for name in WAY:
        module, _, function = name.rpartition(".")
        module, _, owner = module.rpartition(".") if module.split(".")[-1][0].isupper() else (module, "", "")
        found: Any = import_module(f"narrator.{module}")
        found = getattr(found, owner, None) if owner else found
        assert hasattr(found, function), f"CONTRIBUTING.md draws {name} on the way of a request, which is not there"
        stations[getattr(found, function).__code__] = name
    passed: dict[str, None] = {}
    narrator.warm()  # the deck is dealt from beforehand where it never was in this process
    # Only a thread that begins now is looked at.
    monkeypatch.setattr(portal, "_portal", portal._Portal())

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in stations:
            passed.setdefault(stations[frame.f_code])

    with ScriptedServer(Reply(suggestions(CLERK))) as server:
        threading.setprofile(look)
        sys.setprofile(look)
        try:
            app(["suggest", str(CYNERE), "--model", "tiny", "--base-url", server.base_url], standalone_mode=False)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    assert len(WAY) > 9, "CONTRIBUTING.md draws no way of a request, or this test no longer finds it there"
    assert [*passed] == WAY, "CONTRIBUTING.md draws another way: put the stations into the order on the left"


@pytest.mark.parametrize("file", [file for file in FILES if part(file) == "sources"])
def test_sources_know_the_seam_alone(file: str) -> None:
    """Sources know one small protocol, the brief and how to block aside, and neither check nor rules' tables."""
    names = {name for _, name in imported(file) if name.startswith(("narrator.suggestions", "narrator.validation"))}
    seam = tuple(f"narrator.suggestions.{each}" for each in ("source.", "prompt.brief.", "time.threads."))
    wrong = [name for name in names if not name.startswith(seam)]

    assert not wrong, f"{file} imports {wrong}; a source may know {', '.join(seam)} alone: let the brief tell it"


IMPURE = {
    *("asyncio", "datetime", "getpass", "glob", "http", "io", "locale", "logging", "os", "pathlib", "platform"),
    *("random", "secrets", "shutil", "signal", "socket", "ssl", "subprocess", "tempfile", "time", "urllib.request"),
    *("uuid", "httpx2", "langchain_core", "openai", "platformdirs", "rich", "typer"),
}
"""Clock, environment, files, network, chance, screen."""

PURE = frozenset({"random.Random"})
"""A generator is passed in, or made of a seed."""


@pytest.mark.parametrize("file", [file for file in FILES if part(file) in ("rules", "validation", "deck", "errors")])
def test_rules_and_check_are_pure(file: str) -> None:
    """No clock, no environment, no file but their own packaged data, no network, no chance but what a seed gives."""
    doing = {"open", "input", "print", "eval", "exec", "__import__", "breakpoint"}
    impure = [
        f"{file}:{line} imports {name}"
        for line, name in imported(file)
        if name not in PURE and any(f"{name}.".startswith(f"{each}.") for each in IMPURE)
    ]
    impure += [
        f"{file}:{node.lineno} calls {node.func.id}"
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in doing
    ]

    assert not impure, f"rules and check are pure; hand in what they need, from api/ or cli/: {impure}"


@pytest.mark.parametrize("file", FILES)
def test_every_module_opens_with_a_docstring(file: str) -> None:
    """Whoever opens a file reads first what it is for."""
    assert ast.get_docstring(tree(file)), f"{file} wants a docstring that says what it is for"


@pytest.mark.parametrize("file", FILES)
def test_no_file_is_too_long(file: str) -> None:
    """A file that grows past 320 lines is asking to be two."""
    lines = FILES[file].read_text("utf-8").count("\n")

    assert lines <= 320, f"{file} has {lines} lines: make two of it"


PUBLIC: list[str] = vars(narrator)["__all__"]


def test_public_names_resolve() -> None:
    """Every name in `__all__` is there, once, in order, and is what `dir` tells; another is an AttributeError."""
    assert sorted(set(PUBLIC)) == PUBLIC
    missing = [name for name in PUBLIC if getattr(narrator, name, None) is None]
    assert not missing, f"narrator/__init__.pyi names {missing}, which nothing is called there"
    assert set(PUBLIC) <= set(dir(narrator))
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_the_kind'"):
        _ = narrator.nothing_of_the_kind  # type: ignore[attr-defined]


def test_type_checkers_are_told_the_public_names() -> None:
    """The file for them has each public name, and no other."""
    told = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8"))
    imports = [node for node in told.body if isinstance(node, ast.ImportFrom) and node.module != "typing"]
    assert sorted(alias.asname or "" for node in imports for alias in node.names) == PUBLIC


PARTS_OF_A_RULESET = (
    "narrator.rules.ruleset.declarations",
    "narrator.rules.ruleset.row",
    "narrator.rules.ruleset.ruleset_file",
)


def models(annotation: Any) -> Iterator[type[Model]]:
    """Every model in an annotation, and in the fields of those.

    But for what nobody makes: the parts of a ruleset that a table shows, and where a rule stands.
    """
    if isinstance(annotation, type) and issubclass(annotation, Model):
        if annotation is Citation or annotation.__module__ in PARTS_OF_A_RULESET:
            return
        yield annotation
        for field in annotation.model_fields.values():
            yield from models(field.annotation)
    for inner in get_args(annotation):
        yield from models(inner)


def test_what_the_calls_take_and_give_is_public() -> None:
    """Whoever calls can name the model of whatever they hand over or get."""
    calls = [call for name in PUBLIC if isfunction(call := getattr(narrator, name))]
    # Some calls name what they import only when they are made.
    names = {name: getattr(narrator, name) for name in PUBLIC}
    names |= {"Any": Any, "Literal": Literal, "Chosen": SourceLike, "Runnable": Runnable, "WordKind": WordKind}
    names |= {"PreparedLike": PreparedLike, "RequestLike": RequestLike, "SceneLike": SceneLike}
    hints = [get_type_hints(call, localns=names) for call in calls]
    found = {model for each in hints for hint in each.values() for model in models(hint)}
    assert {narrator.Scene, narrator.Passive, narrator.AcceptedEvent} <= found
    for model in map(model_of, CALLS):
        found |= {part for field in model.model_fields.values() for part in models(field.annotation)}
        found |= {*models(model.gives)}
    hidden = [f"{each.__module__}.{each.__name__}" for each in found if each.__name__ not in PUBLIC]
    assert hidden == [], f"narrator/__init__.pyi wants a name for each of these: {', '.join(hidden)}"


def test_the_calls_of_the_contract_are_public() -> None:
    """Every call that the contract lists can be made as `narrator.NAME`."""
    beside = {"stream", "asuggest", "astream", "aprepare", "aword", "load_ruleset", "load_deck", "vtt"}
    assert ({*CALLS} | beside) - {*PUBLIC} == set(), "narrator/__init__.pyi wants a name for each of these"


def test_no_module_hides_a_public_function() -> None:
    """A module with the name of a public function would take its place as soon as somebody imports it."""
    functions = {name for name in PUBLIC if isfunction(getattr(narrator, name))}
    hidden = functions & {part(file) for file in FILES}

    assert functions
    assert not hidden, f"a module of narrator/ has the name of a public function; call it otherwise: {hidden}"
