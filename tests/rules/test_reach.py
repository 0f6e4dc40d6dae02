"""Reach: what is on offer to either side after the roll, each to be handed in as it is."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import event, given, strategies as st

import narrator
from narrator.rules.json_text import Json
from tests.rules.build import ask, resolved
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


# By hand.

SCENE: Json = {
    "characters": [
        {"name": "Ann", "side": "pc", "importance": "pc", "fate_points": 0},
        {"name": "Xan", "side": "foes", "importance": "named", "fate_points": 1},
        {"name": "Yve", "side": "foes", "fate_points": 0},
    ],
    "aspects": [
        {"name": "Fog", "free_invocations": {"Ann": 1, "Xan": 1}},
        {"name": "Mud", "free_invocations": {"GM": 1}},
    ],
}
TOTAL: Json = {"roll": {"total": 0}}
DICE: Json = {"roll": {"dice": [0, 0, 0, 0]}}
SUM: Json = {"roll": {"sum": 0}}

XANS = [("Xan", "Fog", "fate_point"), ("Xan", "Fog", "free"), ("Xan", "Mud", "fate_point"), ("Xan", "Mud", "free")]
YVES = [("Yve", "Mud", "free")]
STRIKE: Json = {"type": "attack", "target": "Xan"}


@pytest.mark.parametrize(
    ("action", "against", "expected"),
    [
        pytest.param({}, {"kind": "active", "by": "Xan", **TOTAL}, XANS, id="who is in the way"),
        pytest.param({}, {"kind": "active", "by": "Yve", **TOTAL}, YVES, id="the GM's, by one of the GM's"),
        pytest.param(STRIKE, {"kind": "defend", **TOTAL}, XANS, id="the target"),
        pytest.param(STRIKE, {"kind": "passive", "rating": 0}, XANS, id="the target that rolls nothing"),
        pytest.param(STRIKE, {"kind": "defend", "by": "Yve", **TOTAL}, YVES, id="who stands in"),
    ],
)
def test_who_rolls_or_defends_has_offers_too(action: Json, against: Json, expected: list[tuple[str, ...]]) -> None:
    """Each with who it is; what they can pay for, and no more."""
    request = ask(SCENE, **action, opposition=against)
    found = [each for each in offers(request) if each["side"] == "opposition" and "held_by" not in each]

    assert sorted((each["by"], each["aspect"], each["invocation"]["pay"]) for each in found) == expected


@pytest.mark.parametrize(
    ("ours", "theirs", "rerolls"),
    [
        (DICE, DICE, {"actor", "opposition"}),
        (DICE, TOTAL, {"actor"}),
        (TOTAL, DICE, {"opposition"}),
        (SUM, TOTAL, {"actor"}),
        (TOTAL, SUM, {"opposition"}),
        (TOTAL, TOTAL, set()),
    ],
)
def test_only_dice_that_lie_can_be_rolled_again(ours: Json, theirs: Json, rerolls: set[str]) -> None:
    """On either side."""
    found = offers(ask(SCENE, **ours, opposition={"kind": "active", "by": "Xan", **theirs}))

    assert {each["side"] for each in found if "outcomes" in each} == rerolls


UNSEEN: Json = {"type": "create_advantage", "variant": "unseen_zone"}


@pytest.mark.parametrize(
    ("ruleset", "kind", "action"),
    [
        ("aspect-difficulty", "aspects", {}),
        ("war-of-ashes", "unseen_zone", UNSEEN),
        ("war-of-ashes", "movement", {"variant": "movement", "path": ["A", "B"]}),
    ],
)
@pytest.mark.parametrize("hindering", [["Fog"], []], ids=["hinders", "is no hindrance"])
def test_what_hinders_is_no_help(ruleset: str, kind: str, action: Json, hindering: list[str]) -> None:
    """Whatever the kind: Ann may use the fog where it does not stand in her way."""
    request = ask(SCENE, request={"ruleset": ruleset}, **action, opposition={"kind": kind, "hindering": hindering})

    assert [each["aspect"] for each in offers(request) if each["side"] == "actor"] == ([] if hindering else ["Fog"])


# What allies could pass on, whose it is, and how many there are.

CUT = {"severity": "mild", "name": "Cut"}
FRIENDS: Json = {
    "characters": [
        {"name": "Ann", "side": "pc", "importance": "pc", "aspects": ["Old Soldier"]},
        {"name": "Bea", "side": "pc", "importance": "pc", "aspects": ["Quick Tongue"]},
        {"name": "Cid", "side": "pc", "importance": "pc", "taken_out": True},
        {"name": "Xan", "side": "foes", "aspects": ["By the Book"], "consequences": [CUT]},
        {"name": "Yve", "side": "foes"},
    ],
    "zones": [{"name": "Yard", "aspects": ["Mud"]}],
    "aspects": [
        {"name": "Fog", "free_invocations": {"Ann": 1, "Bea": 1}},
        {"name": "Gap", "boost": True, "free_invocations": {"Bea": 1}},
        {"name": "Rope", "boost": True, "free_invocations": {"Cid": 1}},
        {"name": "Bell", "boost": True, "free_invocations": {"Yve": 1}},
        {"name": "Cut", "on": "Xan", "free_invocations": {"Ann": 1}},
        {"name": "Off Guard", "on": "Xan"},
    ],
}
AGAINST_XAN: Json = {"opposition": {"kind": "active", "by": "Xan", **DICE}, **DICE}


def passed_on(request: Json) -> set[tuple[str, str, str]]:
    """Whose roll it would be for, who holds it, and of what."""
    return {(each["by"], each["held_by"], each["aspect"]) for each in offers(request) if "held_by" in each}


def test_what_an_ally_holds_could_be_passed_on() -> None:
    """On either side, boosts too; not by whoever is taken out, and never by a foe."""
    request = ask(FRIENDS, **AGAINST_XAN)

    assert passed_on(request) == {("Ann", "Bea", "Fog"), ("Ann", "Bea", "Gap"), ("Xan", "Yve", "Bell")}


def test_a_friend_who_opposes_passes_nothing_on() -> None:
    """Neither to the actor nor the other way about."""
    request = ask(FRIENDS, **(AGAINST_XAN | {"opposition": {"kind": "active", "by": "Bea", **DICE}}))

    assert passed_on(request) == set()


def test_what_is_passed_on_is_free_and_taken_from_who_held_it() -> None:
    """Handed in as it is, the ally's boost is gone, and nothing of the actor's."""
    request = ask(FRIENDS, roll={"total": 0}, opposition={"kind": "active", "by": "Xan", **TOTAL})
    offer = next(each for each in offers(request) if each.get("held_by") == "Bea" and each["aspect"] == "Gap")
    settled = narrator.settle(with_invocation(request, offer), {"branch": "succeed"})

    assert (offer["by"], offer["pay"]) == ("Ann", "free")
    assert [(each.type, each.on) for each in settled.changes] == [("boost", "Gap")]


def test_odds_tell_of_ones_own_alone() -> None:
    """What somebody would have to ask for is not theirs yet."""
    found = narrator.odds(ask(FRIENDS, roll=None)).invocations

    assert {each.aspect for each in found if each.pay == "free"} == {"Fog", "Cut"}


def test_by_leaves_those_of_one() -> None:
    """What they could use, be passed or pass on; of nobody else, and of whoever has none nothing."""
    request = ask(FRIENDS, **AGAINST_XAN)
    found = {by: [each.as_json() for each in narrator.reach(request, by)] for by in ("Ann", "Bea", "Xan", "Cid", "GM")}

    assert found["Ann"] + found["Xan"] == offers(request)
    assert {each["by"] for each in found["Ann"]} == {"Ann"}
    assert found["Bea"] == [each for each in offers(request) if each.get("held_by") == "Bea"]
    assert found["Cid"] == found["GM"] == []


@pytest.mark.parametrize("limit", [0, 1, 5, 1000, None])
def test_limit_leaves_the_first(limit: int | None) -> None:
    """As many as there are at the most."""
    request = ask(FRIENDS, **AGAINST_XAN)
    told: Any = narrator.vtt.run({"call": "reach", "request": request, "by": "Ann", "limit": limit})["reach"]

    assert told == [each for each in offers(request) if each["by"] == "Ann"][:limit]


def test_what_others_bear_comes_last() -> None:
    """Of either side: what is free, the scene's, a zone's or one's own comes before it; each with its bearer."""
    request = ask(FRIENDS, **AGAINST_XAN)
    for by, own in (("Ann", {"Old Soldier"}), ("Xan", {"By the Book", "Cut", "Off Guard"})):
        found = narrator.reach(request, by)
        bearers = {"Old Soldier": "Ann", "Quick Tongue": "Bea", "By the Book": "Xan", "Cut": "Xan", "Off Guard": "Xan"}
        assert [each.bearer for each in found] == [bearers.get(each.aspect) for each in found]
        at_hand = [each.pay == "free" or each.aspect in {"Fog", "Mud", *own} for each in found]
        assert at_hand == sorted(at_hand, reverse=True) == [each.is_near for each in found]
        assert not all(at_hand)


@pytest.mark.parametrize(
    ("beside", "code", "field"),
    [
        ({"by": "Zed"}, "unknown_character", "by"),
        ({"by": 1}, "bad_request", "by"),
        ({"limit": -1}, "bad_request", "limit"),
        ({"limit": "1"}, "bad_request", "limit"),
        ({"limit": True}, "bad_request", "limit"),
    ],
    ids=str,
)
@pytest.mark.parametrize("door", ["Python", "macro"])
def test_who_is_nobody_and_what_is_no_number_is_refused(beside: Json, code: str, field: str, door: str) -> None:
    """By its field, and with who is there."""
    request = ask(FRIENDS, **AGAINST_XAN)
    if door == "macro":
        error = narrator.vtt.run({"call": "reach", "request": request, **beside})["error"]
    else:
        with pytest.raises(narrator.NarratorError) as caught:
            narrator.reach(request, **beside)
        error = caught.value.as_json()["error"]

    assert (error["code"], error["field"].removeprefix("request.")) == (code, field)
    assert code != "unknown_character" or error["allowed"] == ["Ann", "Bea", "Cid", "Xan", "Yve", "GM"]
