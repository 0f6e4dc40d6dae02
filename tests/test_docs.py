"""What README and docs show is what one gets: commands to the letter, programs that run, objects that come out."""

import doctest
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest

from narrator import vtt
from narrator.api import registry
from narrator.rules.json_text import Json
from tests.generated import up_to_date
from tests.pages import PAGES, ROOT, blocks, checkout, run, sessions, with_rulesets

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_shows(page: str, tmp_path: Path) -> None:
    """Typed one after another in a checkout, each command prints to the letter what stands under it."""
    folder = checkout(tmp_path)

    for shown in sessions(page):
        up_to_date(f"{page}, {shown.command}", shown.output.rstrip(), run(shown.command, folder).rstrip())


def test_the_readme_names_every_ruleset() -> None:
    """Those that come with narrator, each with its document."""
    page = (ROOT / "README.md").read_text("utf-8")

    up_to_date("README.md, Rulesets", page, with_rulesets(page))


# What LangChain says of its `as_tool`, once in a process; the page says so, too.
@pytest.mark.filterwarnings("ignore:This API is in beta")
@pytest.mark.parametrize("page", [page for page in (*PAGES, "CONTRIBUTING.md") if blocks(page, "python")])
def test_programs_run(page: str) -> None:
    """The Python of a page runs from top to bottom, and what it asserts is so."""
    names: Json = {}
    for program in blocks(page, "python"):
        exec(compile(program, f"a program of {page}", "exec"), names)

    assert "error" not in names.get("answer", {})


GUIDES = ["CONTRIBUTING.md", *(page for page in PAGES if page.startswith("docs/adding/"))]
NAMED = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:py|md|toml|txt))`")
FILES = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.*") if ".venv" not in path.parts]


@pytest.mark.parametrize("page", GUIDES)
def test_files_that_a_guide_names_are_there(page: str) -> None:
    """By their paths, or by their names in the folder that is spoken of; NAME and KIND stand for any."""
    named = NAMED.findall((ROOT / page).read_text("utf-8"))
    missing = [each for each in named if not re.search("[A-Z]{4}", each) and each != "config.toml"]
    missing = [each for each in missing if not any(f"/{file}".endswith(f"/{each}") for file in FILES)]

    assert missing == [], f"{page} names files that are not there any more: say where that stands now"


READMES = [
    path.relative_to(ROOT).as_posix() for place in ("tests", "examples") for path in (ROOT / place).rglob("*.md")
]


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", *READMES])
def test_links_lead_somewhere(page: str) -> None:
    """Every file that a page links to is there, and every heading in it."""
    missing = []
    for target, heading in LINK.findall((ROOT / page).read_text("utf-8")):
        if "://" in target:
            continue
        path = (ROOT / page).parent / target if target else ROOT / page
        if not path.exists() or (heading and heading not in set(_headings(path))):
            missing.append(f"{target}#{heading}")

    assert not missing, f"{page} links to what is not there: {', '.join(missing)}"


def test_pages_that_messages_name_are_there() -> None:
    """Messages, and comments in data, send nobody to a page or a heading that has moved."""
    named = re.compile(r"(docs/[\w/-]+\.md)(?:#([\w-]+))?")
    missing = []
    for path in (ROOT / "narrator").rglob("*.*"):
        if path.suffix in (".py", ".toml", ".md", ".html"):
            for page, heading in named.findall(path.read_text("utf-8")):
                if not (ROOT / page).exists() or (heading and heading not in set(_headings(ROOT / page))):
                    missing.append((path.name, page, heading))

    assert missing == []


def _headings(path: Path) -> Iterator[str]:
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            words = line.lstrip("#").strip().casefold()
            yield re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def test_a_turn_as_json_is_what_comes_out() -> None:
    """The objects of the turn are those that the calls take and give, one handed to the next."""
    reach, first, hit, settle, changes = (json.loads(block) for block in blocks("docs/how-to/turn.md", "json"))
    offers = vtt.run(reach)["reach"]
    request = reach["request"]
    request["action"]["invocations"] = [first["invocation"]]
    answer = vtt.run({"call": "suggest", "request": request})
    settled = vtt.run({**settle, "request": request})

    assert first == offers[0]
    assert hit == answer["resolution"]["branches"][0]["grants"][0]
    assert changes == settled["changes"]
    assert settled["scene"]["revision"] == 1


def test_the_ways_to_tell_a_roll_are_taken() -> None:
    """Each roll that the page for macros shows, and the error as it is told."""
    dice, total, told, error = (json.loads(block) for block in blocks("docs/how-to/macros.md", "json"))
    plain = {"type": "overcome", "actor": "Cynere", "opposition": {"kind": "passive", "rating": 2}}
    sheet = {"characters": [{"name": "Cynere", "side": "pc", "skills": {"Fight": 3}}]}
    mistyped = {**plain, "skill": "Figth", "roll": {"dice": [0, 0, 0, 0]}}

    for action in ({**plain, "roll": dice}, {**plain, "roll": total}, told):
        assert "error" not in vtt.run({"call": "resolve", "request": {"action": action}})
    assert error == vtt.run({"call": "resolve", "request": {"scene": sheet, "action": mistyped}})


def test_every_call_has_its_line() -> None:
    """The page for macros lists all calls."""
    page = (ROOT / "docs/how-to/macros.md").read_text("utf-8")
    listed = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`[^|]*) \|", page, re.MULTILINE))))

    assert not registry.CALLS.keys() - listed, f"docs/how-to/macros.md has no line for {registry.CALLS.keys() - listed}"
    assert not listed - registry.CALLS.keys(), (
        f"docs/how-to/macros.md lists {listed - registry.CALLS.keys()}, which is no call"
    )


EXAMPLES = [path for path in sorted((ROOT / "narrator").rglob("*.py")) if ">>>" in path.read_text("utf-8")]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
def test_examples_in_docstrings_give_what_they_show(file: Path) -> None:
    """Whoever reads the code can believe them."""
    name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
    told = StringIO()
    with redirect_stdout(told):
        failed, tried = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)

    assert tried
    assert not failed, told.getvalue()
