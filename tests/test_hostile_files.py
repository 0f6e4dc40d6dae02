"""Files that somebody made to do harm, and paths that lead to none: an error that says which, in little memory."""

import os
import tomllib
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import narrator
from narrator import NarratorError, config
from narrator.rules.toml_file import MOST_PARTS, deep_line
from tests.interfaces.running import CYNERE, run

LITTLE = 20_000_000
"""In bytes: what the worst file of those here would take unguarded is some hundred times as much."""


def config_of(path: Path) -> object:
    """Read it as the config."""
    return config.read_config({"NARRATOR_CONFIG": str(path.parent)})


READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "ruleset": (narrator.load_ruleset, "bad_ruleset"),
    "deck": (narrator.load_deck, "bad_deck"),
    "config": (config_of, "bad_request"),
}
"""By what a file is: who reads it, and the code that it is refused with."""


def refused(reader: str, path: Path) -> NarratorError:
    """Read a file that must be refused."""
    read, code = READERS[reader]
    with pytest.raises(NarratorError) as caught:
        read(path)
    assert caught.value.code == code
    return caught.value


LONG = 60_000
DEEP = {
    "a key": "a." * (LONG // 2) + "a = 1",
    "a key in quotes": '"a" . ' * (LONG // 6) + "'a' = 1",
    "a header": "[" + "a." * (LONG // 2) + "a]",
    "a header of a list": "[[" + "a." * (LONG // 2) + "a]]",
    "a key in an inline table": "a = [{ b = { " + "c." * (LONG // 2) + "c = 1 } }]",
    "a key behind texts": 'a = """"#\\""""" # "\nb = \'\'\'\'"\'\'\'\n' + "a." * (LONG // 2) + "a = 1",
    "lists": "a = " + "[" * LONG,
    "inline tables": "a = " + "{ a = " * (LONG // 6),
    "lists and tables": "a = " + "[{ a = " * (LONG // 7),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_what_is_nested_without_end_is_refused_in_little_memory(tmp_path: Path, reader: str, text: str) -> None:
    """With the line that it stands in."""
    path = tmp_path / "config.toml"
    path.write_text(f"# ours\n{text}\n", "utf-8")

    tracemalloc.start()
    error = refused(reader, path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < LITTLE
    assert error.field.startswith(f"{path}:")
    assert error.message.startswith(
        ("a key here has more than 8 parts", "a number is too long or the nesting is too deep")
    )


def test_a_text_may_have_as_many_dots_as_it_likes(tmp_path: Path) -> None:
    """Only keys are counted: no prose, no comment, no number."""
    dots = "a.b.c.d.e.f.g.h.i.j.k. No. Yes. 1.2.3.4.5.6.7.8.9.10"
    cards = [f'detail = "{dots}"', f"detail = '{dots}'", f'detail = """{dots}"""', f"detail = '''{dots}'''"]
    deck = tmp_path / "ours.toml"
    deck.write_text(f"# {dots}\n" + "".join(f'[[cards]]\nform = "twist"\n{card}\n' for card in cards), "utf-8")

    assert [dots] * 4 == [card.detail for card in narrator.load_deck(deck).cards]


def depth(value: Any) -> int:
    """How deep tables stand in each other."""
    return 1 + max(map(depth, value.values()), default=0) if isinstance(value, dict) else 0


SNIPPETS = (
    "a", "b.c", '"d"', ".", '"', '""', '"""', '"""x""""', "'", "'''", "'''x'''", "#", "\\", " = ", "1", "\n", " ",
)  # fmt: skip
HIDDEN = "\n" + "a." * 2 * MOST_PARTS + "a = 1\n"


@given(st.lists(st.sampled_from(SNIPPETS), max_size=12), st.lists(st.sampled_from(SNIPPETS), max_size=6))
def test_a_key_is_one_where_the_parser_has_one(before: list[str], behind: list[str]) -> None:
    """Whatever stands before and behind it: a key too deep is found, and what is none of the parser's never is."""
    text = "".join([*before, HIDDEN, *behind])
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert (deep_line(text) is not None) == (depth(read) > MOST_PARTS)


PATHS: dict[str, Callable[[Path], str]] = {
    "half a path": lambda folder: f"{folder}/a\0b",
    "a path without end": lambda folder: f"{folder}/{'a/' * 50_000}a",
    "a name without end": lambda folder: f"{folder}/{'a' * 5_000}",
    "no file": lambda folder: f"{folder}/new.toml",
    "a folder": lambda folder: _made(folder / "folder", os.mkdir),
    "a pipe": lambda folder: _made(folder / "pipe", os.mkfifo),
    "a device": lambda _: "/dev/zero",
    "gigabytes": lambda folder: _made(folder / "huge", _huge),
}


def _made(path: Path, make: Callable[[Path], object]) -> str:
    make(path)
    return str(path)


def _huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 3 * 10**9)


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_ruleset_or_a_deck_is_a_file(tmp_path: Path, path: Callable[[Path], str]) -> None:
    """Anything else is refused by its path, and a path that is none is not repeated whole."""
    file = path(tmp_path)

    for reader in ("ruleset", "deck"):
        error = refused(reader, Path(file))

        assert error.field == file or (len(error.field) < 100 and error.field.startswith("'/"))


def test_a_config_folder_without_end_has_nothing_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rulesets are named as if there were none; its settings cannot be read."""
    bare = narrator.rulesets()
    monkeypatch.setenv("NARRATOR_CONFIG", "/" + "a/" * 50_000)

    assert bare == narrator.rulesets()
    assert "File name too long" in refused("config", Path(os.environ["NARRATOR_CONFIG"]) / "config.toml").message


COMMANDS = {
    "a request": ("resolve", "FILE"),
    "a page": ("settle", "FILE", "a1"),
    "a scene": ("resolve", "overcome", "--actor", "Ann", "--fail", "--scene", "FILE"),
    "a page to keep": ("suggest", str(CYNERE), "--save", "FILE"),
    "macros": ("vtt", "FILE"),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS)
def test_a_command_wants_a_file(tmp_path: Path, path: Callable[[Path], str], command: tuple[str, ...]) -> None:
    """No path makes it wait, or fail in any other way than to say what is wrong."""
    file = path(tmp_path)
    if "--save" in command and file.endswith(("zero", "huge", "new.toml")):
        return  # these can be written

    ended = run(*(file if word == "FILE" else word for word in command))

    assert ended.code in (1, 2)
    assert ended.err or '"error"' in ended.out
