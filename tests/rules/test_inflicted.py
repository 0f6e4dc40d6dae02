"""Consequences that a hit inflicts: worded, written down, and a free invocation for whoever struck."""

from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.rules.build import ask, loaded, resolved
from tests.rules.test_loading import HEAD


def strike(hit: int, ruleset: str = "five-actions", **action: Any) -> Json:
    """Ann, with her ally Bea there, hits Xan by so many shifts."""
    people = [
        {"name": "Ann", "side": "pc", "importance": "pc"},
        {"name": "Bea", "side": "pc", "importance": "pc"},
        {"name": "Xan", "side": "foes", "importance": "named"},
        {"name": "Yve", "side": "foes", "importance": "named"},
    ]
    against = {"kind": "defend", "roll": {"total": 0}}
    plain = {"type": "attack", "target": "Xan", "roll": {"total": hit}, "opposition": against}
    return ask({"characters": people}, request={"ruleset": ruleset}, **(plain | action))


def choice(*consequences: Any, **more: Any) -> Json:
    """A hit that is absorbed by these."""
    return {"branch": "hit", "absorb": {"consequences": list(consequences)}, **more}


CUT: Json = {"severity": "mild", "name": "Cut Lip"}
ARM: Json = {"severity": "moderate", "name": "Broken Arm"}


def held(scene: narrator.Scene) -> list[tuple[str, str | None, dict[str, int]]]:
    """The scene's aspects: name, bearer and who holds how many free invocations."""
    return [(each.name, each.on, dict(each.free_invocations)) for each in scene.aspects]


def test_a_consequence_gives_the_attacker_a_free_invocation() -> None:
    """Of each that is taken, in the scene under its name, on who was hit; nobody else gets one."""
    assert held(narrator.apply(strike(6), choice(CUT, ARM))) == [
        ("Cut Lip", "Xan", {"Ann": 1}),
        ("Broken Arm", "Xan", {"Ann": 1}),
    ]


@pytest.mark.parametrize("number", [2, 0])
def test_the_number_is_the_rulesets(tmp_path: Path, number: int) -> None:
    """A house may give more of them, or none: then there is nothing to write down."""
    ours = loaded(tmp_path, f"{HEAD}inflicted_consequence_invocations = {number}\n")
    scene = narrator.apply(strike(2, "house"), choice(CUT), rulesets=[ours])

    assert held(scene) == ([("Cut Lip", "Xan", {"Ann": number})] if number else [])


def test_the_free_invocation_can_be_used() -> None:
    """By the attacker on the next roll, and by nobody else."""
    after = narrator.apply(strike(2), choice(CUT)).as_json()
    invocation = {"aspect": "Cut Lip"}

    assert resolved(strike(2, invocations=[invocation]) | {"scene": after})["shifts"] == 4
    for by in ("Bea", "Xan"):
        with pytest.raises(NarratorError) as caught:
            narrator.resolve(strike(2, invocations=[invocation | {"by": by}]) | {"scene": after})
        assert caught.value.code == "no_free_invocation"


@pytest.mark.parametrize(
    ("hit", "chosen"),
    [(1, {"branch": "hit", "absorb": {"stress": 1}}), (2, {"branch": "hit", "taken_out": True})],
    ids=["stress", "taken out"],
)
def test_without_a_consequence_there_is_nothing_to_invoke(hit: int, chosen: Json) -> None:
    """Stress is no aspect, and who is taken out has taken none."""
    assert held(narrator.apply(strike(hit), chosen)) == []


def test_who_stands_in_bears_it() -> None:
    """On whoever was hit, not on the target."""
    against = {"kind": "defend", "by": "Yve", "roll": {"total": 0}}

    assert held(narrator.apply(strike(2, opposition=against), choice(CUT))) == [("Cut Lip", "Yve", {"Ann": 1})]


def test_a_consequence_as_a_cost_is_not_inflicted() -> None:
    """What the actor takes to succeed at a serious cost gives nobody a free invocation."""
    words = {"slot": "serious_cost", "form": "consequence", "name": "Twisted Ankle", "detail": "The wall was high."}
    request = strike(0, type="overcome", target=None, opposition={"kind": "passive", "rating": 1})

    assert held(narrator.apply(request, {"branch": "serious_cost", "suggestions": [words]})) == []


@pytest.mark.parametrize("bare", ["mild", {"severity": "mild"}], ids=["a bare level", "a level without a name"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_consequence_without_its_name_is_refused_by_its_field(bare: Any, place: int) -> None:
    """A bare level is read as one that has yet to be named, and an aspect must have a name."""
    named = [ARM] if place else []
    with pytest.raises(NarratorError) as caught:
        narrator.apply(strike(6), choice(*named, bare, *([] if place else [ARM])))

    assert (caught.value.code, caught.value.field) == ("bad_choice", f"choice.absorb.consequences.{place}.name")


@pytest.mark.parametrize("given", [1, None, [], {"severity": 1}, {"name": "Cut Lip"}])
def test_what_is_no_consequence_is_no_choice(given: Any) -> None:
    """Its shape is refused by the field."""
    with pytest.raises(NarratorError) as caught:
        narrator.apply(strike(2), choice(given))

    assert caught.value.code == "bad_request"
    assert caught.value.field.startswith("choice.absorb.consequences.0")


@pytest.mark.parametrize(
    "name",
    [" ", "x" * 61, "**@everyone**", "[[1d6]]", "<b>Hurt</b>", "Cut\nLip", "The Children Scream"],
    ids=["blank", "too long", "a mention", "a command", "markup", "two lines", "a line of the table's"],
)
def test_what_somebody_calls_their_consequence_is_safe_too(name: str) -> None:
    """It goes into the scene and into chats as any suggestion does; how it is put is theirs."""
    request = strike(2)
    request["scene"]["lines"] = ["children"]
    with pytest.raises(NarratorError) as caught:
        narrator.settle(request, choice({"severity": "mild", "name": name}))

    assert (caught.value.code, caught.value.field) == ("bad_choice", "choice.absorb.consequences.0.name")
    assert narrator.settle(request, choice({"severity": "mild", "name": "Limping a Bit, Sorry"})).changes


def test_what_is_secret_was_not_said() -> None:
    """Words for the GM alone do not stand among those that were said lately."""
    request = ask(type="discover", roll={"total": 0})
    words = {"slot": "minor_cost", "form": "tipped_off", "detail": "A clerk writes it all down."}
    scene = narrator.apply(request, {"branch": "minor_cost", "suggestions": [words]})

    assert (scene.recent, scene.revision) == ((), 1)
