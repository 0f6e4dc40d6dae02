"""Whose aspect it is: where several bear one of the same name, and where a full defence bears it."""

from collections.abc import Callable
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.rules.build import ask

WALL: Json = {"name": "Shield Wall", "on": "Ann", "each_attack": True, "free_invocations": {"Ann": 1}}


def scene(*aspects: Json, **sheets: Json) -> Json:
    """Cid against Bea and Ann, with these aspects in play."""
    people = [
        {"name": "Cid", "side": "pc", "importance": "pc"},
        *({"name": name, "side": "foes", **sheets.get(name, {})} for name in ("Bea", "Ann")),
    ]
    return {"characters": people, "aspects": list(aspects)}


def told(here: Json, **action: Any) -> Json:
    """Cid does something, and its outcome is told."""
    return {"ruleset": "war-of-ashes", "scene": here, "action": {"actor": "Cid", **action}}


def used(here: Json, aspect: str, target: str | None) -> Json:
    """Cid takes advantage of an aspect that is in play."""
    action = {"type": "create_advantage", "variant": "existing_aspect", "aspect": aspect, "target": target}
    return narrator.apply(told(here, **action, outcome="succeed"), {"branch": "invocation"}).as_json()


def held(here: Json) -> list[tuple[str, str | None, dict[str, int]]]:
    """Each aspect of a scene with its bearer and who holds free invocations of it."""
    return [(each["name"], each.get("on"), each["free_invocations"]) for each in here["aspects"]]


@pytest.mark.parametrize("target", ["Bea", "Ann"])
@pytest.mark.parametrize(
    "here",
    [
        scene(Bea={"aspects": ["Old Limp"]}, Ann={"aspects": ["Old Limp"]}),
        scene({"name": "Old Limp", "on": "Bea"}, {"name": "Old Limp", "on": "Ann"}),
        scene({"name": "Old Limp", "on": "Bea"}, Ann={"aspects": ["Old Limp"]}),
    ],
    ids=["on their sheets", "in the scene", "in the scene and on a sheet"],
)
def test_a_free_invocation_is_of_the_aspect_of_whoever_is_aimed_at(target: str, here: Json) -> None:
    """Not of the first who bears one of the same name."""
    assert [("Old Limp", target, {"Cid": 1})] == [each for each in held(used(here, "Old Limp", target)) if each[2]]


def test_what_is_given_of_a_full_defence_is_used_up() -> None:
    """It stands beside the one that is there again against each attack, and is spent as any other."""
    given = used(scene(WALL), "Shield Wall", "Ann")
    attack = {"type": "attack", "target": "Ann", "outcome": "fail", "shifts": -1}
    after = narrator.apply(told(given, **attack, invocations=[{"aspect": "Shield Wall"}]), {"branch": "no_harm"})

    assert held(given) == [("Shield Wall", "Ann", {"Ann": 1}), ("Shield Wall", "Ann", {"Cid": 1})]
    assert held(after.as_json())[0] == ("Shield Wall", "Ann", {"Ann": 1})
    assert [free["Cid"] for _, _, free in held(after.as_json()) if free.get("Cid")] == []


@pytest.mark.parametrize("order", [1, -1])
def test_a_full_defence_pays_for_nothing_but_attacks(order: int) -> None:
    """A plain free invocation of the same name is spent, whichever stands first."""
    plain = {"name": "Shield Wall", "on": "Ann", "free_invocations": {"Ann": 1}}
    against = {"kind": "active", "by": "Ann", "roll": {"total": 0}, "invocations": [{"aspect": "Shield Wall"}]}
    here = scene(*[WALL, plain][::order])
    request = ask(here, request={"ruleset": "war-of-ashes"}, actor="Cid", opposition=against, roll={"total": 3})
    settled = narrator.settle(request, {"branch": "succeed"})

    assert [(each.type, each.who, each.after) for each in settled.changes] == [("free_invocations", "Ann", 0)]


NO_TEXT: list[Any] = [None, 1, True, [], {}, b"Quick"]


@pytest.mark.parametrize("wrong", NO_TEXT, ids=repr)
def test_what_is_no_name_is_refused_in_python_too(wrong: Any) -> None:
    """As it is in JSON, with the field."""
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: narrator.turn_order({"characters": []}, wrong), "approach"),
        (lambda: narrator.table("five-actions", wrong), "action"),
        (lambda: narrator.table(wrong, "attack"), "ruleset"),
    ]
    for call, field in calls:
        with pytest.raises(NarratorError) as caught:
            call()
        assert (caught.value.code, caught.value.field) == ("bad_request", f"request.{field}")
