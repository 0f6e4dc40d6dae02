"""How the package hangs together: which way imports run, what is pure, what is loaded when, what is public."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from inspect import isfunction
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import narrator
from narrator.rules.model import Model
from narrator.rules.resolution import Citation

PACKAGE = Path(narrator.__file__).parent
FILES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"errors"}),
    frozenset({"rules"}),
    frozenset({"render"}),
    frozenset({"validation"}),
    frozenset({"deck"}),
    frozenset({"suggestions"}),
    frozenset({"house"}),
    frozenset({"sources"}),
    frozenset({"api", "chain", "draws"}),
    frozenset({"calls"}),
    frozenset({"vtt"}),
    frozenset({"interfaces", "__main__"}),
)
"""Each may import those before it, and its own."""

FACADE = 8
"""From here on the package itself may be imported: its public names lead up to `api`."""

LEAVES = frozenset({"shipped"})
"""What anyone may import, and that imports nobody."""


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


def ours(file: str) -> Iterator[tuple[int, str]]:
    """The rooms of the package that a file imports, with the line; "" is the package itself."""
    for line, name in imported(file):
        top, *rest = name.split(".")
        if top == "narrator":
            known = rest and (f"{rest[0]}.py" in FILES or f"{rest[0]}/__init__.py" in FILES)
            yield line, rest[0] if known else ""


def allowed(room: str) -> frozenset[str]:
    """The rooms that a room may import."""
    if room in LEAVES:
        return frozenset({"", "errors"})
    place = next(number for number, layer in enumerate(LAYERS) if room in layer)
    facade = frozenset({""}) if place >= FACADE else frozenset[str]()
    return frozenset().union(*LAYERS[: place + 1]) | LEAVES | facade


@pytest.mark.parametrize("file", [file for file in FILES if file != "__init__.py"])
def test_imports_run_one_way(file: str) -> None:
    """No file imports from a room above its own; `render` needs the rules alone, and the helpers need nobody."""
    room = part(file)
    assert [(f"{file}:{line}", name) for line, name in ours(file) if name not in allowed(room)] == []


@pytest.mark.parametrize("file", [file for file in FILES if part(file) == "sources"])
def test_sources_know_the_seam_alone(file: str) -> None:
    """Sources and suggestions meet in one small protocol, and sources need neither check nor rules' tables for it."""
    names = {name for _, name in imported(file) if name.startswith(("narrator.suggestions", "narrator.validation"))}
    assert [name for name in names if not name.startswith("narrator.suggestions.source.")] == []


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
    """A file that grows past 400 lines is asking to be two."""
    assert FILES[file].read_text("utf-8").count("\n") <= 400


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
    "the command line": ("import narrator.interfaces.cli", {"rich", "typer"}),
}


@pytest.mark.parametrize(("program", "needed"), PROGRAMS.values(), ids=PROGRAMS)
def test_nothing_heavy_is_loaded_before_it_is_needed(program: str, needed: set[str]) -> None:
    """In a fresh process what needs no model, server or terminal loads no library for one."""
    told = f"{program}\nimport sys; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    ran = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, timeout=60, check=True)
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
    """What `narrator` imports for type checkers is each public name, out of the module that Python takes it from."""
    found = {name: vars(narrator)["_LAZY"][name] for name in PUBLIC}
    places = {f"{module}.{name}" for name, module in found.items() if name != "vtt"} | {"narrator.vtt"}
    assert places == {name for _, name in imported("__init__.py") if name.startswith("narrator.")}


PARTS_OF_A_RULESET = ("narrator.rules.declared", "narrator.rules.ruleset_file")


def models(annotation: Any) -> Iterator[type[Model]]:
    """
    Every model in an annotation, and in the fields of those.

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
    found = {model for call in calls for hint in get_type_hints(call).values() for model in models(hint)}
    assert {narrator.Scene, narrator.Passive, narrator.AcceptedEvent} <= found
    assert [model for model in found if getattr(narrator, model.__name__, None) is not model] == []


def test_the_calls_of_the_contract_are_public() -> None:
    """Every call that the contract lists can be made as `narrator.NAME`."""
    calls = {"resolve", "odds", "reach", "check", "suggest", "stream", "astream", "apply", "settle", "turn_order"}
    assert calls | {"table"} | {"rulesets", "load_ruleset", "vtt"} <= set(PUBLIC)


def test_no_module_hides_a_public_function() -> None:
    """A module with the name of a public function would take its place as soon as somebody imports it."""
    functions = {name for name in PUBLIC if isfunction(getattr(narrator, name))}
    assert functions
    assert set() == functions & {part(file) for file in FILES}
