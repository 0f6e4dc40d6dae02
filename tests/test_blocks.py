"""Every block of README and docs is run, read or compared by a test; this one does so for those that no other has.

What would install something, stay, or ask a model is not run: its commands are read as the command line reads them, and
the samples of its output are held to the words that narrator prints.
"""

import ast
import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from narrator.cli.commands import command_of
from narrator.config import Config
from tests.pages import PAGES, ROOT

GUIDES = ("CONTRIBUTING.md", "SECURITY.md", *PAGES)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

LANGUAGES = {
    "console",  # run by tests/test_docs.py, and compared to the letter
    "python",  # run by tests/test_docs.py
    "http",  # asked of a server by tests/server/test_openapi.py
    "json",
    "toml",
    "sh",
    "text",  # a sample of output, or a notation that the test of its page reads
}

SAMPLES = ("docs/how-to/doctor.md", "docs/how-to/models.md", "docs/how-to/server.md", "docs/how-to/staging.md")
"""Pages whose `text` blocks are output of commands that stay or ask a model."""

DRAWINGS = {"CONTRIBUTING.md", "docs/adding/check.md", "docs/adding/rule.md", "docs/how-to/assistant-session.md"}
"""Pages that draw or quote, indented: nothing to type."""


def blocks(page: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language and text."""
    return FENCE.findall((ROOT / page).read_text("utf-8"))


def of(language: str) -> list[Any]:
    """All blocks in a language, each with its page."""
    return [
        pytest.param(page, text, id=f"{page}-{number}")
        for page in GUIDES
        for number, (spoken, text) in enumerate(blocks(page))
        if spoken == language
    ]


@pytest.mark.parametrize("page", GUIDES)
def test_every_block_says_what_it_is(page: str) -> None:
    """Nothing to type hides in a block that no test runs."""
    spoken = {language for language, _ in blocks(page)}
    rest = FENCE.sub("", (ROOT / page).read_text("utf-8"))
    indented = re.findall(r"(?:^|\n\n)( {4}[^\n]+)", rest)

    assert spoken <= LANGUAGES
    assert not indented or page in DRAWINGS, f"{page}: fence this block, and name its language: {indented[0]}"


@pytest.mark.parametrize(("page", "text"), of("json"))
def test_json_can_be_read(page: str, text: str) -> None:
    """Its content is compared by the test of its page."""
    assert json.loads(text) is not None


@pytest.mark.parametrize(("page", "text"), of("toml"))
def test_toml_is_taken(page: str, text: str) -> None:
    """Settings are such as `config.toml` may have; a row is one that a ruleset of ours has."""
    read = tomllib.loads(text)
    if "rows" in read:
        ours = [tomllib.loads(file.read_text("utf-8")) for file in (ROOT / "narrator/rules/rulesets").glob("*.toml")]
        assert all(any(row in each.get("rows", ()) for each in ours) for row in read["rows"])
    else:
        assert Config.model_validate(read)


@pytest.mark.parametrize(("page", "text"), [each for each in of("text") if each.values[0] in SAMPLES])
def test_samples_are_made_of_the_words_that_narrator_prints(page: str, text: str) -> None:
    """Numbers, paths and what a model wrote aside, most of each statement stands in the code as it is shown."""
    printed = {" ".join(each.split()) for path in (ROOT / "narrator").rglob("*.py") for each in _texts(path)}
    for told in re.split(r"\n(?=\S)", text):
        statement = " ".join(told.splitlines()[0].split())
        shown = [each for each in printed if len(each) >= LONG and each in statement]
        covered = {at for each in shown for at in range(statement.index(each), statement.index(each) + len(each))}
        assert len(covered) >= len(statement) / 3, f"{page}: narrator no longer says so: {statement}"


LONG = 6
"""Letters of a text in the code that is told from a chance."""


def _texts(path: Path) -> list[str]:
    found = ast.walk(ast.parse(path.read_text("utf-8")))
    return [each.value for each in found if isinstance(each, ast.Constant) and isinstance(each.value, str)]


@pytest.mark.parametrize(("page", "text"), of("sh"))
def test_commands_are_there_with_their_options(page: str, text: str) -> None:
    """As typed, though not run: they install, stay, or ask a model. What needs none of this is a `console` block."""
    if "curl" in text:
        assert page == "docs/tutorials/write-macros.md"  # tests/server/test_tutorial.py types these
        return
    for line in text.splitlines():
        program, *words = shlex.split(line.split(" | ")[0], comments=True)
        TYPED[program](words)


def _narrator(words: list[str]) -> None:
    name, *rest = words
    command = command_of(name, rest)
    if hasattr(command, "commands"):
        name, *rest = rest
        command = command.commands[name]
    command.make_context(name, rest)


def _make(words: list[str]) -> None:
    assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)


def _install(words: list[str]) -> None:
    (extras,) = re.findall(r"\.\[([\w,]+)\]", words[-1])
    assert set(extras.split(",")) <= PROJECT["optional-dependencies"].keys()


def _export(words: list[str]) -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "narrator").rglob("*.py"))
    for each in words:
        assert f'"{each.partition("=")[0].removeprefix("NARRATOR_")}"' in code or each.partition("=")[0] in code


def _pytest(words: list[str]) -> None:
    assert all((ROOT / word).exists() for word in words if "/" in word)


TYPED: dict[str, Callable[[list[str]], None]] = {
    "narrator": _narrator,
    ".venv/bin/narrator": _narrator,
    "make": _make,
    "pipx": _install,
    ".venv/bin/pip": _install,
    "python3": lambda words: None,
    "export": _export,
    ".venv/bin/pytest": _pytest,
}
"""How the words behind each program are judged; a page that types another program needs a line here."""
