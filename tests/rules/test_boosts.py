"""Boosts: each who holds one invokes it free, once, and it is never paid for (Fate Core SRD, "Boosts")."""

from typing import Any

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.rules.build import ANN, BEA, XAN, YVE, ask, refused, resolved


def scene(*aspects: Json, **free: int) -> Json:
    """Ann and Bea against Xan and Yve, all with fate points; a boost with these holders, or these aspects."""
    people = [each | {"fate_points": 3} for each in (ANN, BEA, XAN, YVE)]
    boost = {"name": "Off Balance", "boost": True, "free_invocations": free}
    return {"characters": people, "aspects": list(aspects) or [boost]}


def using(here: Json, *by: str, **told: Any) -> Json:
    """Ann overcomes and wins, and each of these invokes the boost: her own side for her, the others against her."""
    ours, theirs = (
        [{"aspect": "Off Balance", "by": each, **told} for each in by if (each in "AnnBea") is is_ours]
        for is_ours in (True, False)
    )
    against = {"kind": "active", "by": "Xan", "roll": {"total": 0}, "invocations": theirs}
    return ask(here, roll={"total": 1 + 2 * len(theirs) - 2 * len(ours)}, invocations=ours, opposition=against)


def left(request: Json) -> list[tuple[str, Json]]:
    """What is still in play after it, and who holds it."""
    after = narrator.apply(request, {"branch": "succeed"}).as_json()
    return [(each["name"], each["free_invocations"]) for each in after["aspects"]]


@pytest.mark.parametrize(
    ("held", "used", "rest"),
    [
        ({"Ann": 1, "Bea": 1}, ["Ann"], {"Bea": 1}),
        ({"Ann": 1, "Bea": 1}, ["Bea"], {"Ann": 1}),
        ({"Ann": 1, "Xan": 1}, ["Xan"], {"Ann": 1}),
        ({"Ann": 1, "*": 1}, ["Bea"], {"Ann": 1}),
        ({"Ann": 1, "GM": 1}, ["Yve"], {"Ann": 1}),
        ({"Ann": 2}, ["Ann"], {"Ann": 1}),
        ({"Ann": 3, "Bea": 1}, ["Ann", "Ann"], {"Ann": 1, "Bea": 1}),
        ({"Ann": 1, "Bea": 1}, [], {"Ann": 1, "Bea": 1}),
        ({"Ann": 1, "Bea": 1}, ["Ann", "Bea"], None),
        ({"Ann": 1, "Xan": 1}, ["Ann", "Xan"], None),
        ({"Ann": 2}, ["Ann", "Ann"], None),
        ({"Ann": 1}, ["Ann"], None),
        ({}, ["Xan"], None),
    ],
)
def test_whoever_uses_a_boost_alone_loses_it(held: dict[str, int], used: list[str], rest: Json | None) -> None:
    """What others hold of it stays, and what is held more than once; with the last use it is gone."""
    assert left(using(scene(**held), *used)) == ([] if rest is None else [("Off Balance", rest)])


@pytest.mark.parametrize("order", [1, -1])
def test_a_boost_that_is_anyones_stays_where_a_plain_aspect_of_its_name_is_used(order: int) -> None:
    """Ann's own free invocation is hers, whichever stands first."""
    boost: Json = {"name": "Off Balance", "boost": True}
    plain: Json = {"name": "Off Balance", "free_invocations": {"Ann": 1}}

    assert left(using(scene(*[boost, plain][::order]), "Ann")) == [("Off Balance", {}), ("Off Balance", {})]


def test_what_is_added_to_a_boost_that_is_anyones_takes_nothing_from_it() -> None:
    """It is anyone's still, and nothing but what was added is told as a change."""
    action: Json = {"type": "create_advantage", "variant": "existing_aspect", "aspect": "Off Balance"}
    settled = narrator.settle(ask(scene(), **action), {"branch": "invocation"})

    assert settled.scene.aspects[0].free_invocations == {"*": 1, "Ann": 1}
    assert [(each.type, each.who, each.before, each.after) for each in settled.changes] == [
        ("free_invocations", "Ann", 0, 1)
    ]


@pytest.mark.parametrize("ruleset", narrator.rulesets())
@pytest.mark.parametrize("by", ["Ann", "Xan"])
@pytest.mark.parametrize("held", [{"Ann": 1, "Xan": 1}, {"Bea": 1, "Yve": 1}, {}, {"Ann": 0}], ids=str)
@pytest.mark.parametrize("outcome", [None, "succeed"])
def test_a_boost_is_not_paid_for(ruleset: str, by: str, held: dict[str, int], outcome: str | None) -> None:
    """By either side, in every ruleset, whoever holds it, and where the outcome is told as well."""
    request = using(scene(**held), by, pay="fate_point") | {"ruleset": ruleset}
    if ruleset == "fate-condensed":
        # Nothing but a defence is rolled against there.
        request["action"]["opposition"]["kind"] = "defend"
    if outcome is not None:
        request["action"] |= {"roll": None, "outcome": outcome}
    place = "action" if by == "Ann" else "action.opposition"
    free = ["free"] if held in ({"Ann": 1, "Xan": 1}, {}) else None

    assert ("bad_invocation", f"{place}.invocations.0.pay", free) == refused(request)


@pytest.mark.parametrize("call", ["odds", "reach", "settle"])
def test_other_calls_refuse_it_too(call: str) -> None:
    """With what is right: that it is free, and whose it is."""
    payload = {"call": call, "request": using(scene(Bea=1), "Ann", pay="fate_point")}
    error = narrator.vtt.run(payload | ({"choice": {"branch": "succeed"}} if call == "settle" else {}))["error"]

    assert (error["code"], "free" in error["message"], "Bea" in error["message"]) == ("bad_invocation", True, True)


def test_an_aspect_that_shares_a_boosts_name_is_paid_for() -> None:
    """What is on her sheet is no boost, nor is a plain aspect of the scene."""
    boost = {"name": "Off Balance", "boost": True, "free_invocations": {"Bea": 1}}
    on_her = scene(boost | {"on": "Ann"})
    on_her["characters"][0]["aspects"] = ["Off Balance"]
    for here in (on_her, scene(boost, {"name": "Off Balance"})):
        assert resolved(using(here, "Ann", pay="fate_point"))["roll"]["invoked"] == 2


@pytest.mark.parametrize("call", [narrator.reach, narrator.odds])
def test_no_boost_is_offered_for_a_fate_point(call: Any) -> None:
    """To either side, whoever holds it; and no price but free."""
    found = call(using(scene(Ann=1, Bea=1, Xan=1, Yve=1)))
    offers = found.invocations if isinstance(found, narrator.Odds) else found

    assert {each.pay for each in offers} == {"free"}
