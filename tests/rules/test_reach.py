"""Reach: what is on offer to either side after the roll, each to be handed in as it is."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import event, given, strategies as st

import narrator
from tests.rules.build import Json, ask, resolved
from tests.strategies import requests

FACES = st.lists(st.integers(-1, 1), min_size=4, max_size=4)


def with_invocation(request: Json, offer: Json, dice: list[int] | None = None) -> Json:
    """The same request, with an offer taken up as it is; the faces of a reroll are the table's to tell."""
    copy = deepcopy(request)
    side = copy["action"] if offer["side"] == "actor" else copy["action"]["opposition"]
    told = {"dice": dice} if dice is not None else {}
    side["invocations"] = [*side.get("invocations", []), offer["invocation"] | told]
    return copy


def offers(request: Json) -> list[Json]:
    """What is in reach, as the JSON of the contract."""
    return [each.as_json() for each in narrator.reach(request)]


@given(request=requests(), dice=FACES)
def test_whatever_is_in_reach_can_be_handed_in_as_it_is(request: Json, dice: list[int]) -> None:
    """Resolving again with it gives the shifts and the outcome that were told; of a reroll, one of the outcomes."""
    for offer in offers(request):
        event(f"{offer['side']} {offer['invocation']['use']}")
        if offer["invocation"]["use"] == "bonus":
            again = resolved(with_invocation(request, offer))
            assert (again["outcome"], again["shifts"]) == (offer["outcome"], offer["shifts"])
        else:
            again = resolved(with_invocation(request, offer, dice))
            assert offer["outcomes"][again["outcome"]][0] > 0


@given(request=requests())
def test_no_aspect_that_hinders_is_offered_to_the_actor(request: Json) -> None:
    """Who is held up by it does not make use of it."""
    hindering = request["action"]["opposition"].get("hindering", [])

    assert not [each for each in offers(request) if each["side"] == "actor" and each["aspect"] in hindering]


# By hand.

PEOPLE: list[Json] = [
    {"name": "Ann", "side": "pc", "importance": "pc", "fate_points": 0},
    {"name": "Xan", "side": "foes", "importance": "named", "fate_points": 1},
    {"name": "Yve", "side": "foes", "fate_points": 0},
]
SCENE: Json = {
    "characters": PEOPLE,
    "aspects": [
        {"name": "Fog", "free_invocations": {"Ann": 1, "Xan": 1}},
        {"name": "Mud", "free_invocations": {"GM": 1}},
    ],
}
TOTAL: Json = {"roll": {"total": 0}}
DICE: Json = {"roll": {"dice": [0, 0, 0, 0]}}

XANS = [("Xan", "Fog", "fate_point"), ("Xan", "Fog", "free"), ("Xan", "Mud", "fate_point"), ("Xan", "Mud", "free")]
YVES = [("Yve", "Mud", "free")]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        pytest.param({"opposition": {"kind": "active", "by": "Xan", **TOTAL}}, XANS, id="who is in the way"),
        pytest.param({"opposition": {"kind": "active", "by": "Yve", **TOTAL}}, YVES, id="the GM's, by one of the GM's"),
        pytest.param(
            {"type": "attack", "target": "Xan", "opposition": {"kind": "defend", **TOTAL}}, XANS, id="the target"
        ),
        pytest.param(
            {"type": "attack", "target": "Xan", "opposition": {"kind": "passive", "rating": 0}},
            XANS,
            id="the target that rolls nothing",
        ),
        pytest.param(
            {"type": "attack", "target": "Xan", "opposition": {"kind": "defend", "by": "Yve", **TOTAL}},
            YVES,
            id="who stands in",
        ),
    ],
)
def test_who_rolls_or_defends_has_offers_too(action: Json, expected: list[tuple[str, ...]]) -> None:
    """Each with who it is; what they can pay for, and no more."""
    found = [each for each in offers(ask(SCENE, **action)) if each["side"] == "opposition"]

    assert sorted((each["by"], each["aspect"], each["invocation"]["pay"]) for each in found) == expected


def test_the_actors_come_first_and_the_opposition_takes_away() -> None:
    """Two more for the one are two less for the other."""
    request = ask(SCENE, opposition={"kind": "active", "by": "Xan", **TOTAL})
    found = offers(request)

    assert [each["side"] for each in found] == sorted(each["side"] for each in found)
    assert {(each["side"], each["shifts"]) for each in found} == {("actor", 3), ("opposition", -1)}


@pytest.mark.parametrize(
    ("ours", "theirs", "rerolls"),
    [
        (DICE, DICE, {"actor", "opposition"}),
        (DICE, TOTAL, {"actor"}),
        (TOTAL, DICE, {"opposition"}),
        (TOTAL, TOTAL, set()),
    ],
)
def test_only_dice_that_lie_can_be_rolled_again(ours: Json, theirs: Json, rerolls: set[str]) -> None:
    """On either side."""
    found = offers(ask(SCENE, **ours, opposition={"kind": "active", "by": "Xan", **theirs}))

    assert {each["side"] for each in found if "outcomes" in each} == rerolls


@pytest.mark.parametrize(
    ("ruleset", "action"),
    [
        ("aspect-difficulty", {"opposition": {"kind": "aspects", "hindering": ["Fog"]}}),
        (
            "war-of-ashes",
            {
                "type": "create_advantage",
                "variant": "unseen_zone",
                "opposition": {"kind": "unseen_zone", "hindering": ["Fog"]},
            },
        ),
        (
            "war-of-ashes",
            {"variant": "movement", "path": ["A", "B"], "opposition": {"kind": "movement", "hindering": ["Fog"]}},
        ),
    ],
    ids=["aspects", "unseen_zone", "movement"],
)
@pytest.mark.parametrize("hinders", [True, False])
def test_what_hinders_is_no_help(ruleset: str, action: Json, hinders: bool) -> None:
    """Whatever the kind: Ann may use the fog where it does not stand in her way."""
    against: Any = action["opposition"] if hinders else action["opposition"] | {"hindering": []}
    found = offers(ask(SCENE, request={"ruleset": ruleset}, **(action | {"opposition": against})))

    assert [each["aspect"] for each in found if each["side"] == "actor"] == ([] if hinders else ["Fog"])
