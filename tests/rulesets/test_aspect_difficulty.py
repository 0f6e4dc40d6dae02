"""The table of `aspect-difficulty`, every cell, against what document 002 and the spec say; typed here, not read."""

import pytest

from tests.deeds import Deed
from tests.rules.build import (
    ACTIVE,
    FAIL,
    STYLE,
    SUCCEED,
    TIE,
    Cell,
    ask,
    refused,
    resolved,
    shown,
    wrong,
)

RULESET = "aspect-difficulty"

SKILLS = "Agility Insight"

DEEDS: tuple[Deed, ...] = (Deed("overcome", (None,), ("aspects", "active")),)

OVERCOME = {
    "fail": "[fail] ✗ → *serious_cost: complication, loss, new_opposition",
    "tie": "[at_cost] ✓ → *minor_cost: loss, lesser_version(◐)",
    "succeed": "[succeed] ✓",
    "succeed_with_style": "[aspect] ✓ → *aspect: situation_aspect(nobody 0 free)",
}

SCENE = {
    "aspects": [{"name": name} for name in ("Driving Rain", "Slick Cobbles", "Watchful Crowd")],
    "characters": [{"name": "Ann", "side": "pc", "importance": "pc", "aspects": ["Dead on Her Feet"]}],
}

TABLE = [
    Cell("overcome", reach, (OVERCOME[reach.outcome],), ways=(ACTIVE,), action={"type": "overcome"})
    for reach in (FAIL, TIE, SUCCEED, STYLE)
]


@pytest.mark.parametrize("cell", TABLE, ids=str)
def test_every_cell_gives_what_the_table_says(cell: Cell) -> None:
    """Against somebody who rolls, a row gives the branches, slots and forms of the document, in every frame."""
    assert wrong(RULESET, cell) == []


@pytest.mark.parametrize(
    ("hindering", "difficulty"),
    [
        ([], 0),
        (["Driving Rain"], 2),
        (["Driving Rain", "Watchful Crowd"], 4),
        (["Watchful Crowd", "Driving Rain", "Slick Cobbles"], 6),
    ],
    ids=["none", "one", "two", "three"],
)
@pytest.mark.parametrize(
    ("shifts", "outcome"),
    [
        (-4, "fail"),
        (-1, "fail"),
        (0, "tie"),
        (1, "succeed"),
        (2, "succeed"),
        (3, "succeed_with_style"),
        (8, "succeed_with_style"),
    ],
    ids=lambda each: each if isinstance(each, str) else f"{each:+d}",
)
def test_every_aspect_that_hinders_adds_two(hindering: list[str], difficulty: int, shifts: int, outcome: str) -> None:
    """The target number is twice the number of aspects, and the row is the one of the difference."""
    against = {"kind": "aspects", "hindering": hindering}

    answer = resolved(ask(SCENE, request={"ruleset": RULESET}, roll={"total": difficulty + shifts}, opposition=against))

    assert (difficulty, outcome, [OVERCOME[outcome]]) == (
        answer["opposition"]["total"],
        answer["outcome"],
        shown(answer),
    )


@pytest.mark.parametrize(("hindering", "notices"), [([], 1), (["Driving Rain"], 0)], ids=["none", "one"])
def test_where_nothing_hinders_the_roll_is_called_in_question(hindering: list[str], notices: int) -> None:
    """With no aspect against it, a notice says that it may not be worth a roll; otherwise there is none."""
    against = {"kind": "aspects", "hindering": hindering}

    found = resolved(ask(SCENE, request={"ruleset": RULESET}, opposition=against))["notices"]

    assert (notices, notices) == (len(found), sum("worth" in notice for notice in found))


def test_the_favourable_aspect_may_be_drafted_by_the_player() -> None:
    """What the player calls it is the draft of the slot, and it still comes without a free invocation."""
    against = {"kind": "aspects", "hindering": []}
    action = {"roll": {"total": 3}, "aspect": "A Way Through the Cellars", "opposition": against}

    answer = resolved(ask(SCENE, request={"ruleset": RULESET}, **action))

    assert shown(answer) == ['[aspect] ✓ → *aspect "A Way Through the Cellars": situation_aspect(nobody 0 free)']


def test_what_hinders_is_in_play() -> None:
    """An aspect that nobody wrote down hinders nothing, and the message lists those there are."""
    against = {"kind": "aspects", "hindering": ["Driving Rain", "Fog"]}

    code, field, allowed = refused(ask(SCENE, request={"ruleset": RULESET}, opposition=against))

    assert (code, field) == ("unknown_aspect", "action.opposition.hindering.1")
    assert {"Driving Rain", "Slick Cobbles", "Watchful Crowd"} <= set(allowed or ())


@pytest.mark.parametrize("shifts", [-1, 0, 1, 3], ids=lambda shifts: f"{shifts:+d}")
def test_every_row_names_the_outcomes_of_this_document(shifts: int) -> None:
    """Whoever doubts a ruling finds the page."""
    against = {"kind": "aspects", "hindering": []}

    answer = resolved(ask(SCENE, request={"ruleset": RULESET}, roll={"total": shifts}, opposition=against))

    assert answer["source"] == {
        "document": "Actions, with difficulty from aspects",
        "section": "The Outcomes",
    }
