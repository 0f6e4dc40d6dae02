"""Taken out: who is does nothing more and is attacked no more, and it is said, never slipped into."""

from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.rules.build import ask, refused, resolved

SHEET: Json = {"stress": {"physical": {"boxes": [1, 2]}}, "consequences": [{"severity": "mild"}]}


def people(*out: str, **xan: Any) -> Json:
    """Ann and Bea against Xan and Yve, some of them taken out."""
    sides = {"Ann": "pc", "Bea": "pc", "Xan": "foes", "Yve": "foes"}
    sheets = {"Ann": {"importance": "pc"}, "Xan": xan}
    return {
        "characters": [
            {"name": name, "side": side, "taken_out": name in out, **sheets.get(name, {})}
            for name, side in sides.items()
        ]
    }


ACTIVE: Json = {"kind": "active", "by": "Xan", "roll": {"total": 0}}
DEFEND: Json = {"kind": "defend", "roll": {"total": 0}}
PASSIVE: Json = {"kind": "passive", "rating": 0}

STRIKE: Json = {"target": "Xan", "type": "attack", "opposition": DEFEND}
BESIDE: Json = {"kind": "active", "roll": {"total": 0}}

WHO = {
    # who is taken out, what is done, and the field that is refused
    "acting": ("Ann", {}, "action.actor"),
    "defending": ("Ann", {"type": "defend", "opposition": ACTIVE}, "action.actor"),
    "helping": ("Bea", {"helpers": ["Yve", "Bea"]}, "action.helpers.1"),
    "opposing": ("Xan", {"opposition": ACTIVE}, "action.opposition.by"),
    "standing in": ("Xan", STRIKE | {"target": "Yve", "opposition": DEFEND | {"by": "Xan"}}, "action.opposition.by"),
    "defending as the target": ("Xan", STRIKE, "action.target"),
    "opposing as the target": ("Xan", {"target": "Xan", "opposition": BESIDE}, "action.target"),
    "attacked": ("Xan", STRIKE | {"opposition": PASSIVE}, "action.target"),
    "helping the opposition": ("Yve", {"opposition": ACTIVE | {"helpers": ["Yve"]}}, "action.opposition.helpers.0"),
}


@pytest.mark.parametrize(("name", "action", "field"), WHO.values(), ids=WHO)
def test_who_is_taken_out_takes_no_part(name: str, action: Json, field: str) -> None:
    """Neither acts, rolls, helps nor is attacked, by a roll or a told outcome; without it the same is taken."""
    assert resolved(ask(people(), **action))["outcome"]
    for told in (action, {**action, "roll": None, "outcome": "tie"}):
        assert refused(ask(people(name), **told))[:2] == ("bad_request", field)


@pytest.mark.parametrize(
    "action",
    [
        pytest.param({"target": "Xan", "opposition": PASSIVE}, id="dealt with"),
        pytest.param({"type": "create_advantage", "target": "Xan", "opposition": PASSIVE}, id="bound"),
        pytest.param({"target": "Xan", "opposition": ACTIVE | {"by": "Yve"}}, id="fought over"),
    ],
)
def test_something_may_still_be_done_about_who_is_taken_out(action: Json) -> None:
    """Carrying them off is no attack."""
    assert resolved(ask(people("Xan"), **action))["outcome"] == "succeed"


# Being taken out.


def hit(amount: int, choice: Json) -> Json:
    """Ann hits Xan by so much; what Xan then is like."""
    action: Json = {"type": "attack", "target": "Xan", "roll": {"total": amount}, "opposition": DEFEND}
    request = ask(people(**SHEET), **action)
    scene = narrator.apply(request, {"branch": "hit", **choice}).as_json()
    return next(each for each in scene["characters"] if each["name"] == "Xan")


def refusal(amount: int, choice: Json) -> NarratorError:
    """What such a choice is refused with."""
    with pytest.raises(NarratorError) as caught:
        hit(amount, choice)
    return caught.value


@pytest.mark.parametrize("choice", [{}, {"taken_out": False}])
def test_a_hit_that_can_be_absorbed_wants_a_word(choice: Json) -> None:
    """It is refused with each way there is: nobody is taken out for want of a field."""
    error = refusal(2, choice)

    assert (error.code, error.field) == ("bad_choice", "choice.absorb")
    assert "taken_out" in error.message
    assert "possible: box 2; mild" in error.message


@pytest.mark.parametrize(
    ("amount", "choice"),
    [
        pytest.param(2, {"taken_out": True}, id="it is said"),
        pytest.param(5, {"taken_out": True}, id="it is said, where there is no other way"),
        pytest.param(5, {}, id="there is no way"),
    ],
)
def test_who_is_taken_out_marks_nothing(amount: int, choice: Json) -> None:
    """They are out; boxes and levels stay free."""
    xan = hit(amount, choice)

    assert xan["taken_out"]
    assert (xan["stress"]["physical"]["marked"], "name" in xan["consequences"][0]) == ([], False)


def test_a_hit_that_is_absorbed_takes_nobody_out() -> None:
    """Also where that it does not is said."""
    xan = hit(2, {"absorb": {"stress": 2}, "taken_out": False})

    assert (xan["taken_out"], xan["stress"]["physical"]["marked"]) == (False, [2])


def test_a_hit_is_not_absorbed_and_taken_out_by_both() -> None:
    """One or the other."""
    assert refusal(2, {"absorb": {"stress": 2}, "taken_out": True}).code == "bad_choice"


def test_nobody_is_taken_out_where_nobody_is_hit() -> None:
    """The choice has no place there."""
    with pytest.raises(NarratorError) as caught:
        narrator.apply(ask(people()), {"branch": "succeed", "taken_out": True})

    assert (caught.value.code, caught.value.field) == ("bad_choice", "choice.taken_out")


# Whose sheet nobody told.


@pytest.mark.parametrize("choice", [{}, {"taken_out": False}])
def test_an_unknown_sheet_is_left_to_the_table(choice: Json) -> None:
    """A hit on somebody of importance `unknown` has no ways to absorb, and settling it leaves them as they are."""
    action: Json = {"type": "attack", "target": "Xan", "roll": {"total": 2}, "opposition": DEFEND}
    request = ask(people(importance="unknown"), **action)
    grant = resolved(request)["branches"][0]["grants"][0]
    settled = narrator.settle(request, {"branch": "hit", **choice})

    assert (grant["type"], grant["amount"], "absorb" in grant) == ("hit", 2, False)
    assert [change.type for change in settled.changes] == []


@pytest.mark.parametrize(
    ("action", "who"),
    [
        pytest.param(STRIKE, "Xan", id="the target"),
        pytest.param(STRIKE | {"opposition": PASSIVE}, "Xan", id="the target of something passive"),
        pytest.param({"type": "attack", "opposition": DEFEND | {"by": "Yve"}}, "Yve", id="who defends"),
        pytest.param(STRIKE | {"opposition": DEFEND | {"by": "Yve"}}, "Yve", id="who stands in"),
    ],
)
def test_where_nobody_is_listed_a_target_is_unknown(action: Json, who: str) -> None:
    """A macro that sends no sheets is not told that everybody drops at the first blow."""
    grant = resolved(ask({}, **action))["branches"][0]["grants"][0]

    assert (grant["type"], grant["to"], "absorb" in grant) == ("hit", [who], False)
