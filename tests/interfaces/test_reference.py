"""The reference: written from the models, complete, and true in what it says of limits."""

import json
import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

import narrator
from docs.glossary import ERRORS, REJECTIONS
from docs.reference import reference
from narrator import errors, vtt
from narrator.api import registry
from narrator.api.schemas import GIVES, SUBJECTS, schema
from narrator.rules.json_text import Json
from narrator.rules.moves.all_moves import MOVES
from narrator.validation import verdict
from tests.generated import up_to_date

ROOT = Path(__file__).parents[2]


@cache
def page() -> str:
    """The reference, written once for all tests, and only where one runs."""
    missing = [call for call in registry.CALLS if call not in dir(narrator)]
    assert missing == [], f"each call wants a line in narrator/__init__.pyi: {missing}"
    return reference()


def headings() -> list[str]:
    """What stands over each part of the page."""
    return [line.lstrip("#").strip() for line in page().splitlines() if line.startswith("#")]


def test_the_page_is_what_the_models_say() -> None:
    """`make pages` writes it anew; a change to a model that is not in it yet fails here."""
    up_to_date("docs/reference.md", (ROOT / "docs" / "reference.md").read_text("utf-8"), f"{page()}\n")


def test_every_call_is_told_with_what_it_takes_and_gives() -> None:
    """Those that can be made by name, each once."""
    items = (" ".join(item.split()) for item in page().split("\n- "))
    told = [re.match(r"\*\*`(\w+)`\*\*: .+\. In: .+\. Out: .+\.", item) for item in items]

    assert sorted(found[1] for found in told if found) == sorted(registry.CALLS) == sorted(GIVES)


def test_every_field_of_every_object_is_told() -> None:
    """Of all that there is a schema of, in a row of its own with what it means."""
    schemas = {subject: schema(subject) for subject in SUBJECTS}
    # Payloads, and what wraps a list, stand with the calls.
    in_passing = {
        *(part["$ref"].rsplit("/", 1)[1] for part in schemas["payload"]["oneOf"]),
        *(each["title"] for each in schemas.values() if len(each.get("properties", {})) == 1),
    }
    objects = [each for whole in schemas.values() for each in (whole, *whole.get("$defs", {}).values())]
    fields = [
        (each["title"], name, field["description"])
        for each in objects
        if each["title"] not in in_passing
        for name, field in each.get("properties", {}).items()
        if (each["title"], name) not in TOLD_APART
    ]
    rows = [line for line in page().splitlines() if line.startswith("|")]

    assert len(fields) > 200
    assert [each for each in fields if not any(f"| `{each[1]}` " in row and each[2] in row for row in rows)] == []


OPPOSITION = ("Untold", "Passive", "Aspects", "Active", "Movement", "UnseenZone", "Roar")
EVENTS = ("Resolution", "Accepted", "Rejected", "Notice", "Usage", "Done")

TOLD_APART = {
    *((model.__name__, "type") for model in MOVES.values()),
    *((name, "kind") for name in OPPOSITION),
    *((f"{name}Event", "event") for name in EVENTS),
}
"""Fields that have no row: their words stand over the rows of the others."""


def test_each_object_is_told_once() -> None:
    """No two parts have the same heading, so that each link leads to one."""
    assert len(headings()) == len(set(headings()))


def test_links_lead_to_headings() -> None:
    """Each within the page."""
    anchors = {heading.casefold().replace(" ", "-") for heading in headings()}

    assert {target for target in re.findall(r"\]\(#([^)]*)\)", page()) if target not in anchors} == set()


def test_every_code_has_its_line() -> None:
    """Those of errors and those of rejections, in their order."""
    assert list(ERRORS) == list(errors.ERROR_CODES)
    assert list(REJECTIONS) == list(get_args(verdict.RejectionCode))


def test_the_page_is_a_page() -> None:
    """Each table is as wide in every row, and prose no wider than 120 columns."""
    lines = page().splitlines()
    rows = [line for line in lines if line.startswith("|")]

    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []
    assert [line for line in lines if line != line.rstrip()] == []
    assert [row for row in rows if row.count("|") not in (3, 5, 6)] == []


def rolled(**more: object) -> Json:
    """A payload of a request that has that."""
    return {"call": "resolve", "request": {"action": {"type": "overcome", "actor": "Ann", "outcome": "fail"}, **more}}


ROOMY = json.dumps({"call": "rulesets"}).ljust(1_000_000)
LIMITS: dict[str, tuple[str | Json, str | Json]] = {
    "at most 1,000,000 characters": (ROOMY, f"{ROOMY} "),
    "a name 1 to 200": (rolled(scene={"zones": [{"name": "A" * 200}]}), rolled(scene={"zones": [{"name": "A" * 201}]})),
    "a text 4,000": (rolled(scene={"tone": "A" * 4_000}), rolled(scene={"tone": "A" * 4_001})),
    "500 entries": (rolled(scene={"lines": ["A"] * 500}), rolled(scene={"lines": ["A"] * 501})),
}


@pytest.mark.parametrize("told", LIMITS)
def test_the_limits_that_it_tells_hold(told: str) -> None:
    """As much as it says fits, and no more."""
    assert told in page()
    assert ["error" in vtt.run(payload) for payload in LIMITS[told]] == [False, True]
