"""How the package hangs together: which way imports run, what is pure, what is loaded when, what is public."""

import ast
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Literal, get_args, get_type_hints

import pytest
from langchain_core.runnables import Runnable

import narrator
from narrator.api.material import PreparedLike, SceneLike
from narrator.api.options import Chosen
from narrator.api.reading import RequestLike
from narrator.calls import CALLS
from narrator.interfaces.commands import app
from narrator.rules.model import Model
from narrator.rules.row import Citation
from narrator.rules.without_roll import WordKind
from narrator.suggestions import portal
from tests.leaping import DEADLINE
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


def known(room: str) -> set[str]:
    """The rooms that the files of a room import from; the package itself is none."""
    names = (name.split(".") for file in FILES if part(file) == room for _, name in imported(file))
    tops = {name[1] for name in names if name[0] == "narrator" and len(name) > 1}
    return (tops & {part(file) for file in FILES}) - {room, *FRONT}


def test_the_drawing_has_every_room_and_no_other() -> None:
    """Whoever looks for something finds its room in CONTRIBUTING."""
    assert ROOMS.keys() == {part(file) for file in FILES} - FRONT


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_those_that_the_drawing_says_and_they_stand_below_it(room: str) -> None:
    """Imports run one way, and the drawing is neither a wish nor a memory."""
    below = [*ROOMS][[*ROOMS].index(room) + 1 :]

    assert known(room) == ROOMS[room][1]
    assert ROOMS[room][1] <= {*below}


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_of_itself_what_the_drawing_says(room: str) -> None:
    """One sentence for each, in both places."""
    file = f"{room}.py" if f"{room}.py" in FILES else f"{room}/__init__.py"

    assert (ast.get_docstring(tree(file)) or "").startswith(ROOMS[room][0])


def test_only_the_command_line_imports_the_package_itself() -> None:
    """Its public names lead up to `api`: below that they would be a ring."""
    names = {(part(file), name) for file in FILES for _, name in imported(file)}
    rooms = {room for room, name in names if name == "narrator" or name.startswith("narrator.__")}

    assert rooms - FRONT <= {"interfaces"}


SPOKEN = {
    "slot": "serious_cost",
    "form": "new_opposition",
    "to": None,
    "name": "Captain of the Watch",
    "detail": "He has heard it all.",
}

WAY = re.findall(
    r"^    ([a-z_.]+(?:\.[A-Z]\w+)?\.\w+) {2,}\S", GUIDE[: GUIDE.index("## Adding a ruleset")], re.MULTILINE
)


def test_a_request_goes_the_way_that_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """One suggestion accepted, the rest dealt: each station of the drawing is passed, in its order."""
    stations: dict[CodeType, str] = {}
    for name in WAY:
        module, _, function = name.rpartition(".")
        module, _, owner = module.rpartition(".") if module.split(".")[-1][0].isupper() else (module, "", "")
        found = import_module(f"narrator.{module}")
        stations[getattr(getattr(found, owner) if owner else found, function).__code__] = name
    passed: dict[str, None] = {}
    narrator.warm()  # the deck is dealt from beforehand where it never was in this process
    # Only a thread that begins now is looked at.
    monkeypatch.setattr(portal, "_portal", portal._Portal())

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code in stations:
            passed.setdefault(stations[frame.f_code])

    with ScriptedServer(Reply(suggestions(SPOKEN))) as server:
        threading.setprofile(look)
        sys.setprofile(look)
        try:
            app(
                [
                    "suggest",
                    str(PACKAGE.parent / "examples" / "cynere.json"),
                    "--model",
                    "tiny",
                    "--base-url",
                    server.base_url,
                ],
                standalone_mode=False,
            )
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    assert len(WAY) > 9
    assert [*passed] == WAY


@pytest.mark.parametrize("file", [file for file in FILES if part(file) == "sources"])
def test_sources_know_the_seam_alone(file: str) -> None:
    """Sources know one small protocol, the brief and how to block aside, and neither check nor rules' tables."""
    names = {name for _, name in imported(file) if name.startswith(("narrator.suggestions", "narrator.validation"))}
    seam = tuple(f"narrator.suggestions.{each}" for each in ("source.", "brief.", "aside.", "pieces."))
    assert [name for name in names if not name.startswith(seam)] == []


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
    assert [
        (f"{file}:{line}", name)
        for line, name in imported(file)
        if name not in PURE and any(f"{name}.".startswith(f"{impure}.") for impure in IMPURE)
    ] == []
    calls = (node.func for node in ast.walk(tree(file)) if isinstance(node, ast.Call))
    doing = {"open", "input", "print", "eval", "exec", "__import__", "breakpoint"}
    assert [call.id for call in calls if isinstance(call, ast.Name) and call.id in doing] == []


@pytest.mark.parametrize("file", FILES)
def test_every_module_opens_with_a_docstring(file: str) -> None:
    """Whoever opens a file reads first what it is for."""
    assert ast.get_docstring(tree(file))


@pytest.mark.parametrize("file", FILES)
def test_no_file_is_too_long(file: str) -> None:
    """A file that grows past 320 lines is asking to be two."""
    assert FILES[file].read_text("utf-8").count("\n") <= 320


HEAVY = {
    *("openai", "httpx2", "langchain_core", "langsmith", "requests", "typer", "rich", "sqlalchemy", "fastapi"),
    *("uvicorn", "starlette", "vcr", "yaml"),
}
REQUEST = {"action": {"type": "overcome", "actor": "Cynere", "opposition": {"kind": "passive", "rating": 2}}, "seed": 3}
PROGRAMS = {
    "import narrator": ("import narrator", set()),
    "dir": ("import narrator; dir(narrator); narrator.__version__", set()),
    "resolve": (f"import narrator; narrator.resolve({REQUEST!r})", set()),
    "check": (f"import narrator; narrator.check({REQUEST!r}, {{}})", set()),
    "suggest from the deck": (f"import narrator; narrator.suggest({REQUEST!r})", set()),
    "a macro": (f"from narrator import vtt; vtt.run({{'call': 'suggest', 'request': {REQUEST!r}}})", set()),
    "the command line": ("import narrator.interfaces.commands", {"rich", "typer"}),
}


@pytest.mark.parametrize(("program", "needed"), PROGRAMS.values(), ids=PROGRAMS)
def test_nothing_heavy_is_loaded_before_it_is_needed(program: str, needed: set[str]) -> None:
    """In a fresh process what needs no model, server or terminal loads no library for one."""
    told = f"{program}\nimport sys; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, timeout=DEADLINE, check=True)
    assert set() == HEAVY & set(ran.stdout.split()) - needed


PUBLIC: list[str] = vars(narrator)["__all__"]


def test_public_names_resolve() -> None:
    """Every name in `__all__` is there, once, in order, and is what `dir` tells; another is an AttributeError."""
    assert sorted(set(PUBLIC)) == PUBLIC
    assert [name for name in PUBLIC if getattr(narrator, name, None) is None] == []
    assert set(PUBLIC) <= set(dir(narrator))
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_the_kind'"):
        _ = narrator.nothing_of_the_kind  # type: ignore[attr-defined]


def test_type_checkers_are_told_the_public_names() -> None:
    """The file for them has each public name, and no other."""
    told = ast.parse((PACKAGE / "__init__.pyi").read_text("utf-8"))
    imports = [node for node in told.body if isinstance(node, ast.ImportFrom) and node.module != "typing"]
    assert sorted(alias.asname or "" for node in imports for alias in node.names) == PUBLIC


PARTS_OF_A_RULESET = ("narrator.rules.declared", "narrator.rules.row", "narrator.rules.ruleset_file")


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
    names = {name: getattr(narrator, name) for name in PUBLIC} | {
        "Any": Any,
        "Literal": Literal,
        "Chosen": Chosen,
        "PreparedLike": PreparedLike,
        "RequestLike": RequestLike,
        "Runnable": Runnable,
        "SceneLike": SceneLike,
        "WordKind": WordKind,
    }
    hints = [get_type_hints(call, localns=names) for call in calls]
    found = {model for each in hints for hint in each.values() for model in models(hint)}
    assert {narrator.Scene, narrator.Passive, narrator.AcceptedEvent} <= found
    assert [model for model in found if getattr(narrator, model.__name__, None) is not model] == []


def test_the_calls_of_the_contract_are_public() -> None:
    """Every call that the contract lists can be made as `narrator.NAME`."""
    beside = {"stream", "asuggest", "astream", "aprepare", "aword", "load_ruleset", "load_deck", "vtt"}
    assert {*CALLS} | beside <= set(PUBLIC)


def test_no_module_hides_a_public_function() -> None:
    """A module with the name of a public function would take its place as soon as somebody imports it."""
    functions = {name for name in PUBLIC if isfunction(getattr(narrator, name))}
    assert functions
    assert set() == functions & {part(file) for file in FILES}
