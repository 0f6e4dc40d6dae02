"""Two of one side against each other: what the opposition gains is for whoever opposes, and for no bystander."""

from contextlib import suppress
from typing import Any

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.rules.build import ANN, BEA, XAN, YVE, ask, resolved

SCENE: Json = {"characters": [YVE, ANN, XAN, BEA], "aspects": [{"name": "Fog"}]}
FOES = {"Xan", "Yve", "GM"}

BY_BEA: dict[str, Json] = {
    "she defends": {"target": "Bea", "opposition": {"kind": "defend", "roll": {"total": 2}}},
    "she stands in for Xan": {"target": "Xan", "opposition": {"kind": "defend", "by": "Bea", "roll": {"total": 2}}},
    "she is the target": {"target": "Bea", "opposition": {"kind": "passive", "rating": 2}},
    "she is in the way": {"opposition": {"kind": "active", "by": "Bea", "roll": {"total": 2}}},
}


def named(answer: Json) -> set[str]:
    """Everyone to whom a form or a grant of the resolution goes, or who holds something of it."""
    forms = [form for branch in answer["branches"] for slot in branch["slots"] for form in slot["forms"]]
    grants = [grant for branch in answer["branches"] for grant in branch["grants"]]
    return {name for each in (*forms, *grants) for key in ("to", "holders") for name in each.get(key) or ()}


@pytest.mark.parametrize("variant", ["new_aspect", "existing_aspect"])
@pytest.mark.parametrize(
    ("way", "there"),
    [
        *((way, [YVE, ANN, XAN, BEA]) for way in ("she defends", "she stands in for Xan", "she is the target")),
        *((way, [ANN, BEA]) for way in ("she defends", "she is the target")),
    ],
)
def test_a_failed_advantage_over_a_friend_is_hers(variant: str, way: str, there: list[Json]) -> None:
    """The free invocation goes to your opponent, whoever else is there ("someone else gets the free invoke")."""
    here = SCENE | {"characters": there}
    deed: Json = {
        "type": "create_advantage",
        "variant": variant,
        **({"aspect": "Fog"} if "existing" in variant else {}),
    }

    assert named(resolved(ask(here, **deed, **BY_BEA[way], roll={"total": 0}))) == {"Bea"}


ROWS = {
    "overcome": ["she is in the way"],
    "discover": ["she is in the way"],
    "create_advantage": ["she defends", "she stands in for Xan", "she is the target"],
    "attack": ["she defends", "she stands in for Xan", "she is the target"],
    "defend": ["she is in the way"],
}
"""How she may oppose each action."""


@pytest.mark.parametrize("ruleset", narrator.rulesets())
@pytest.mark.parametrize("total", [-2, 0, 2, 3, 5, 9])
def test_no_bystander_gains_in_any_row(ruleset: str, total: int) -> None:
    """Whatever the action, the way and the outcome: costs, boosts, aspects and free invocations."""
    tried = 0
    for action, way in ((action, way) for action, ways in ROWS.items() for way in ways):
        with suppress(narrator.NarratorError):
            request = ask(SCENE, request={"ruleset": ruleset}, type=action, **BY_BEA[way], roll={"total": total})
            found = named(resolved(request))
            tried += 1
            assert not found & FOES, (action, way)
    assert tried


@pytest.mark.parametrize(
    "action",
    [
        pytest.param({"opposition": {"kind": "passive", "rating": 2}, "target": "Bea"}, id="a friend is only helped"),
        pytest.param({"opposition": {"kind": "active", "by": "Ann", "roll": {"total": 2}}}, id="one's own worst enemy"),
        pytest.param({"opposition": {"kind": "active", "by": "Xan", "roll": {"total": 2}}}, id="a foe in the way"),
        pytest.param(
            {"opposition": {"kind": "defend", "by": "GM", "roll": {"total": 2}}, "type": "create_advantage"},
            id="the GM",
        ),
    ],
)
def test_else_it_goes_to_every_character_of_another_side(action: dict[str, Any]) -> None:
    """Where no friend opposes, nothing is different."""
    request = ask(SCENE, request={"ruleset": "base-actions"}, **({"roll": {"total": 0}} | action))

    assert {"Xan", "Yve"} <= named(resolved(request))


def test_the_deck_speaks_of_the_friend_who_opposes() -> None:
    """Its words name her as the opponent, and nobody who stands by."""
    people = [ANN, BEA, XAN | {"name": "Gate Guard"}]
    action = {"type": "create_advantage", "intent": "wrestle Bea to the ground", **BY_BEA["she defends"]}
    for deal in range(6):
        request = ask({"characters": people}, request={"deal": deal}, **action, roll={"total": 0})
        for each in narrator.suggest(request, source="deck").suggestions:
            assert each.to == "Bea"
            assert "Gate Guard" not in f"{each.name} {each.detail}"
