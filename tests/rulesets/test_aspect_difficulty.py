"""What document 002 and the spec say, as `aspect-difficulty` has it; typed here, not read."""

from typing import Any

import pytest

from narrator.rules.json_text import Json
from tests.deeds import Deed
from tests.rules.build import ACTIVE, FAIL, STYLE, SUCCEED, TIE, Landing, ask, refused, resolved, shown
from tests.rulesets.cells import Rows, cells

DOCUMENT = "Actions, with difficulty from aspects"

SECTIONS = {"overcome": "The Outcomes"}

SKILLS = "Agility Insight"

DEEDS = (Deed("overcome", (None,), ("aspects", "active")),)

OVERCOME: Rows = {
    FAIL: ["[fail] ✗ → *serious_cost: complication, loss, new_opposition"],
    TIE: ["[at_cost] ✓ → *minor_cost: loss, lesser_version(◐)"],
    SUCCEED: ["[succeed] ✓"],
    STYLE: ["[aspect] ✓ → *aspect: situation_aspect(nobody 0 free)"],
}

TABLE = cells(OVERCOME, [ACTIVE], type="overcome")

ASPECTS = ["Driving Rain", "Watchful Crowd", "Slick Cobbles"]

SCENE: Json = {
    "aspects": [{"name": name} for name in ASPECTS],
    "characters": [{"name": "Ann", "side": "pc", "importance": "pc", "aspects": ["Dead on Her Feet"]}],
}


def asked(*hindering: str, total: int = 1, **action: Any) -> Json:
    """A roll of Ann's that these aspects hinder."""
    against = {"kind": "aspects", "hindering": [*hindering]}
    return ask(SCENE, request={"ruleset": "aspect-difficulty"}, roll={"total": total}, opposition=against, **action)


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("reach", OVERCOME, ids=lambda reach: reach.outcome)
def test_every_aspect_that_hinders_adds_two(number: int, reach: Landing) -> None:
    """The target number is twice the number of aspects, and the outcome is that of the difference."""
    for shifts in reach.shifts:
        answer = resolved(asked(*ASPECTS[:number], total=2 * number + shifts))

        assert (2 * number, reach.outcome) == (answer["opposition"]["total"], answer["outcome"])


@pytest.mark.parametrize(("hindering", "notices"), [([], 1), (ASPECTS[:1], 0)], ids=["none", "one"])
def test_where_nothing_hinders_the_roll_is_called_in_question(hindering: list[str], notices: int) -> None:
    """With no aspect against it, a notice says that it may not be worth a roll; otherwise there is none."""
    found = resolved(asked(*hindering))["notices"]

    assert (notices, notices) == (len(found), sum("worth" in notice for notice in found))


def test_the_favourable_aspect_may_be_drafted_by_the_player() -> None:
    """What the player calls it is the draft of the slot, and it still comes without a free invocation."""
    answer = resolved(asked(total=3, aspect="A Way Through the Cellars"))

    assert shown(answer) == ['[aspect] ✓ → *aspect "A Way Through the Cellars": situation_aspect(nobody 0 free)']


def test_what_hinders_is_in_play() -> None:
    """An aspect that nobody wrote down hinders nothing, and the message lists those there are."""
    code, field, allowed = refused(asked(ASPECTS[0], "Fog"))

    assert (code, field) == ("unknown_aspect", "action.opposition.hindering.1")
    assert set(ASPECTS) <= set(allowed or ())
