"""The check: a suggestion from anywhere, judged against the row that the request resolves to."""

import json
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, strategies as st

import narrator
from narrator.rules.json_text import Json
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.rules.ruleset.loader import packaged_ruleset
from tests.fake_sources import Scripted
from tests.rows import COMPANIES, ROWS, Asking
from tests.scripted_server import suggestions

CYNERE = json.loads((Path(__file__).parents[2] / "examples" / "cynere.json").read_text("utf-8"))

DETAIL = "The older guard holds the torch a moment too long."


def request(total: int, scene: Json | None = None, **action: Any) -> Json:
    """An action of Cynere's against a difficulty of 2."""
    told = {"type": "overcome", "actor": "Cynere", "opposition": {"kind": "passive", "rating": 2}}
    return {"scene": CYNERE["scene"] | (scene or {}), "action": {**told, "roll": {"total": total}, **action}}


STOPPED = "The bells have stopped, and nobody says why"
WOLF = {"name": "A Wolf", "side": "beasts"}
HURT: Json = {"name": "Cynere", "side": "pc", "importance": "pc", "aspects": ["Infamous Girl with Sword"]}
HURT |= {"consequences": [{"severity": "mild", "name": "Split Lip"}, {"severity": "moderate"}]}
MANY = request(1, {"characters": [*CYNERE["scene"]["characters"], WOLF]})
TIE = request(2)
STYLE = request(5)
REVEALED = request(1, type="discover", variant="aspect")
MADE_UP = request(5, type="discover", variant="new_information")
IN_PLAY = request(
    1,
    {
        "aspects": [{"name": "Torchlit Gate"}, {"name": "The Café's Back-Door"}],
        "zones": [{"name": "Gatehouse", "aspects": ["Narrow Arch"]}],
        "characters": [HURT, {"name": "Gate Guards", "side": "opposition"}],
        "recent": ["Rain Since Noon", f"{STOPPED}."],
    },
)

ADVANTAGE = {"slot": "serious_cost", "form": "opposition_advantage", "to": "Gate Guards"}
ADVANTAGE |= {"name": "Seen Her Face", "detail": DETAIL}
CONSEQUENCE = {"slot": "serious_cost", "form": "consequence", "name": "Ink on Both Hands", "detail": DETAIL}
COMPLICATION = {"slot": "minor_cost", "form": "story_detail", "detail": DETAIL}
STRESS = {"slot": "minor_cost", "form": "stress", "detail": DETAIL}
LESSER = {"slot": "minor_cost", "form": "lesser_version", "detail": DETAIL}
BOOST = {"slot": "boost", "form": "boost", "name": "Looking the Other Way", "detail": DETAIL}
ASPECT = {"slot": "aspect", "form": "situation_aspect", "name": "A Loose Flagstone", "detail": DETAIL}


def without(candidate: Json, *fields: str) -> Json:
    """The candidate with these fields left out."""
    return {name: value for name, value in candidate.items() if name not in fields}


MISSHAPEN: dict[str, tuple[Any, ...]] = {
    "slot": (None, "", 3),
    "form": ("",),
    "to": ("", ["Gate Guards"]),
    "name": (None, "", " \u2003", ["Seen Her Face"]),
    "detail": (None, "", "12, 45", {"text": DETAIL}),
    "kind": (1,),
    "severity": ("",),
    "free_invocations": ("1", 1.0, True),
    "mood": ("grim", None),
}
"""By field: what can stand there in no suggestion; a mood has none."""

REFUSED: dict[str, tuple[Json, Any, str, str]] = {
    **{f"{value!r} for all": (CYNERE, value, "malformed", "") for value in (None, "Seen Her Face", 7, [ADVANTAGE])},
    "an empty object": (CYNERE, {}, "malformed", "slot"),
    **{
        f"no {field}": (CYNERE, without(ADVANTAGE, field), "malformed", field)
        for field in ("slot", "form", "detail", "name")
    },
    **{
        f"{field} {value!r}": (CYNERE, ADVANTAGE | {field: value}, "malformed", field)
        for field, values in MISSHAPEN.items()
        for value in values
    },
    "severity empty where there is one": (CYNERE, CONSEQUENCE | {"severity": ""}, "malformed", "severity"),
    "a name where the form has none": (TIE, COMPLICATION | {"name": "A Smudge"}, "malformed", "name"),
    "a slot that is not there": (CYNERE, ADVANTAGE | {"slot": "boost"}, "unknown_slot", "slot"),
    "a slot with a long name": (CYNERE, ADVANTAGE | {"slot": "x" * 500}, "unknown_slot", "slot"),
    "a slot of another branch": (CYNERE | {"branch": "fail"}, ADVANTAGE, "unknown_slot", "slot"),
    "a boost where the aspect is asked for": (MADE_UP | {"branch": "aspect"}, BOOST, "unknown_slot", "slot"),
    "a slot where there is none": (request(3), BOOST, "unknown_slot", "slot"),
    "another kind": (CYNERE, ADVANTAGE | {"kind": "boost"}, "wrong_kind", "kind"),
    "a kind that is none": (CYNERE, ADVANTAGE | {"kind": "nuisance"}, "wrong_kind", "kind"),
    "a form of another kind": (CYNERE, {**ADVANTAGE, "form": "opposition_boost"}, "form_not_allowed", "form"),
    "a form not of the row": (CYNERE, {**ADVANTAGE, "form": "troubling_aspect"}, "form_not_allowed", "form"),
    "a form that is none": (CYNERE, ADVANTAGE | {"form": "curse"}, "form_not_allowed", "form"),
    "a form with a long name": (CYNERE, ADVANTAGE | {"form": "x" * 500}, "form_not_allowed", "form"),
    "to somebody who may not have it": (CYNERE, ADVANTAGE | {"to": "Cynere"}, "not_eligible", "to"),
    "to somebody unknown": (CYNERE, ADVANTAGE | {"to": "gate guards"}, "not_eligible", "to"),
    "to nobody, of two": (MANY, without(ADVANTAGE, "to"), "not_eligible", "to"),
    "to null, of two": (MANY, ADVANTAGE | {"to": None}, "not_eligible", "to"),
    "to somebody where it goes to nobody": (TIE, COMPLICATION | {"to": "Cynere"}, "not_eligible", "to"),
    "another severity": (CYNERE, CONSEQUENCE | {"severity": "severe"}, "wrong_mechanics", "severity"),
    "a severity where there is none": (CYNERE, ADVANTAGE | {"severity": "mild"}, "wrong_mechanics", "severity"),
    "more invocations": (CYNERE, ADVANTAGE | {"free_invocations": 2}, "wrong_mechanics", "free_invocations"),
    "fewer invocations": (CYNERE, ADVANTAGE | {"free_invocations": 0}, "wrong_mechanics", "free_invocations"),
    "an invocation of none": (TIE, COMPLICATION | {"free_invocations": 1}, "wrong_mechanics", "free_invocations"),
    "less than no invocation": (CYNERE, CONSEQUENCE | {"free_invocations": -1}, "wrong_mechanics", "free_invocations"),
    "more stress": (TIE, STRESS | {"amount": 2}, "wrong_mechanics", "amount"),
    "an amount where there is none": (CYNERE, ADVANTAGE | {"amount": 1}, "wrong_mechanics", "amount"),
    "another track": (TIE, STRESS | {"tracks": ["wealth"]}, "wrong_mechanics", "tracks"),
    "another goal": (TIE, LESSER | {"goal": "attained"}, "wrong_mechanics", "goal"),
    "on an aspect where it is on none": (CYNERE, ADVANTAGE | {"on": "Torchlit Gate"}, "wrong_mechanics", "on"),
    "a secret that is none": (CYNERE, ADVANTAGE | {"secret": True}, "wrong_mechanics", "secret"),
    "a command": (CYNERE, ADVANTAGE | {"detail": "Roll [[2d6]] now."}, "unsafe_text", "detail"),
    "a line break": (CYNERE, ADVANTAGE | {"detail": "It rains.\nStill."}, "unsafe_text", "detail"),
    "a long name": (CYNERE, ADVANTAGE | {"name": "Abc " * 15 + "d"}, "too_long", "name"),
    "a long detail": (CYNERE, ADVANTAGE | {"detail": "a" * 281}, "too_long", "detail"),
    "a long letter": (CYNERE, ADVANTAGE | {"detail": "\U00020000" * 281}, "too_long", "detail"),
    "a sentence": (CYNERE, ADVANTAGE | {"name": "He writes her name in his notebook"}, "not_an_aspect", "name"),
    "a character's name": (CYNERE, ADVANTAGE | {"name": "the gate guards!"}, "not_an_aspect", "name"),
    "the scene's aspect": (IN_PLAY, ADVANTAGE | {"name": "Torchlit Gate"}, "duplicate", "name"),
    "a zone's aspect": (IN_PLAY, ADVANTAGE | {"name": "Narrow Arch"}, "duplicate", "name"),
    "a character's aspect": (IN_PLAY, ADVANTAGE | {"name": "Infamous Girl with Sword"}, "duplicate", "name"),
    "a consequence": (IN_PLAY, ADVANTAGE | {"name": "Split Lip"}, "duplicate", "name"),
    "no accents, blanks for hyphens": (IN_PLAY, ADVANTAGE | {"name": "A cafes back door"}, "duplicate", "name"),
    "said lately": (IN_PLAY, ADVANTAGE | {"name": "Rain Since Noon"}, "duplicate", "name"),
    "a detail said lately": (IN_PLAY, ADVANTAGE | {"detail": f"{STOPPED.replace(',', '')}!"}, "duplicate", "detail"),
}


@pytest.mark.parametrize(("told", "candidate", "code", "field"), REFUSED.values(), ids=REFUSED)
def test_refuses(told: Json, candidate: Any, code: str, field: str) -> None:
    """A candidate with one thing wrong is refused by the code and the field of that thing, and shown as it was."""
    verdict = narrator.check(told, candidate)
    assert verdict.accepted is None
    assert verdict.rejected is not None
    assert (code, field) == (verdict.rejected.code, verdict.rejected.field)
    assert candidate == verdict.rejected.candidate
    assert verdict.rejected.message.endswith(".")
    assert "\n" not in verdict.rejected.message


MILD = {"to": "Cynere", "severity": "mild", "free_invocations": 0}
MAY_LACK = ("to", "name", "kind", "severity", "free_invocations", "amount", "on", "source")
TAKEN: dict[str, tuple[Json, Any, Json]] = {
    "with its recipient": (CYNERE, ADVANTAGE, {"kind": "serious_cost", "free_invocations": 1}),
    "the only recipient left out": (CYNERE, without(ADVANTAGE, "to"), {"to": "Gate Guards"}),
    "the only recipient null": (CYNERE, ADVANTAGE | {"to": None}, {"to": "Gate Guards"}),
    "one of two": (MANY, ADVANTAGE | {"to": "A Wolf"}, {"to": "A Wolf"}),
    "the actor left out": (CYNERE, CONSEQUENCE, MILD),
    "nobody": (TIE, COMPLICATION, {"kind": "minor_cost"}),
    "null for all that may be left out": (TIE, COMPLICATION | dict.fromkeys(MAY_LACK), {"kind": "minor_cost"}),
    "stress": (TIE, STRESS, {"to": "Cynere", "amount": 1, "tracks": ["mental", "physical"]}),
    "a lesser version": (TIE, LESSER, {"goal": "lesser"}),
    "a boost": (STYLE, BOOST, {"to": "Cynere", "free_invocations": 1}),
    "an aspect without invocations": (REVEALED, ASPECT, {"free_invocations": 0}),
    "of the branch asked for": (MADE_UP | {"branch": "aspect"}, ASPECT, {"to": "Cynere", "free_invocations": 1}),
    "of any branch": (MADE_UP, BOOST, {"to": "Cynere", "free_invocations": 1}),
    "every claim right": (CYNERE, CONSEQUENCE | {"kind": "serious_cost"} | MILD, {"severity": "mild"}),
    "a claimed amount": (TIE, STRESS | {"amount": 1, "tracks": ["mental", "physical"]}, {"amount": 1}),
    "another source": (CYNERE, ADVANTAGE | {"source": "openai:gpt"}, {}),
    "as long as can be": (CYNERE, ADVANTAGE | {"name": "Abc " * 9 + "d" * 24, "detail": "é" * 280}, {}),
    "ten words": (CYNERE, ADVANTAGE | {"name": "A B C D E F G H I J"}, {}),
    "a title that is a sentence": (CYNERE, ADVANTAGE | {"name": "The Authorities Are After You"}, {}),
    "a name within a name": (CYNERE, ADVANTAGE | {"name": "Gate Guards on Edge"}, {}),
}


@pytest.mark.parametrize(("told", "candidate", "filled_in"), TAKEN.values(), ids=TAKEN)
def test_accepts(told: Json, candidate: Json, filled_in: Json) -> None:
    """Words that the row allows are accepted, and the row's mechanics are filled in."""
    verdict = narrator.check(told, candidate)
    assert verdict.rejected is None
    assert verdict.accepted is not None
    whole = verdict.accepted.as_json()
    expected = {name: candidate[name] for name in ("slot", "form", "name", "detail") if candidate.get(name)}
    assert expected | filled_in == {name: whole.get(name) for name in expected | filled_in}


def test_accepted_comes_back_whole() -> None:
    """What was accepted bears its kind, the mechanics of its form and its source, and no field that does not apply."""
    expected = ADVANTAGE | {"kind": "serious_cost", "free_invocations": 1, "source": "given"}
    assert {"accepted": expected} == narrator.check(CYNERE, without(ADVANTAGE, "to")).as_json()


def _worded(field: str, before: str = "", behind: str = "") -> Callable[[Json], Json]:
    return lambda candidate: candidate | {field: before + candidate[field] + behind}


SPOILT: dict[str, Callable[[Json], Json]] = {
    "malformed": lambda candidate: candidate | {"mood": "grim"},
    "unknown_slot": lambda candidate: candidate | {"slot": "boost"},
    "wrong_kind": lambda candidate: candidate | {"kind": "aspect"},
    "form_not_allowed": lambda candidate: candidate | {"form": "boost"},
    "not_eligible": lambda candidate: candidate | {"to": "Landon"},
    "wrong_mechanics": lambda candidate: candidate | {"free_invocations": 5},
    "unsafe_text": _worded("detail", before="<b>"),
    "too_long": _worded("detail", behind=" and so on" * 30),
    "not_an_aspect": _worded("name", behind="."),
    "mechanics_in_text": _worded("detail", behind=" She takes 2 stress."),
    "contradicts_outcome": _worded("detail", behind=" The guards turn Cynere away."),
    "over_the_line": _worded("detail", behind=" Somebody screams under torture."),
    "duplicate": lambda candidate: candidate | {"name": candidate["name"].replace("Seen Her Face", "Torchlit Gate")},
}


def test_all_wrong_is_told_one_by_one() -> None:
    """A candidate with everything wrong is refused by each code in the contract's order as it is mended."""
    told = []
    for mended in range(len(SPOILT) + 1):
        candidate = ADVANTAGE
        for spoil in list(SPOILT.values())[mended:][::-1]:
            candidate = spoil(candidate)
        verdict = narrator.check(CYNERE, candidate)
        told.append(verdict.rejected.code if verdict.rejected else "accepted")
    assert [*SPOILT, "accepted"] == told, f"{[*SPOILT, 'accepted']} is the contract's order; told are {told}"


@pytest.mark.parametrize(("field", "again"), [("name", "seen her face!"), ("detail", DETAIL.upper())])
def test_not_twice_in_one_answer(field: str, again: str) -> None:
    """What was already accepted in this answer is a duplicate, name and detail alike."""
    first = ADVANTAGE | {"detail": "A torch is held too long." if field == "name" else DETAIL}
    answer = narrator.suggest(CYNERE, source=Scripted([suggestions(first, CONSEQUENCE | {field: again})]), repairs=0)
    assert [("duplicate", field)] == [(each.code, each.field) for each in answer.rejected]


def _allowed(row: Asking, slot: Slot, offer: FormOffer, number: int) -> Json:
    named = packaged_ruleset(row.ruleset).forms[offer.form].name is not None
    words = {"name": f"Lamp {'I' * number} Gone Out"} if named else {}
    return {"slot": slot.id, "form": offer.form, "to": offer.to[-1] if offer.to else None, "detail": DETAIL, **words}


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_accepts_every_form_of_every_row_and_again(row: Asking) -> None:
    """A wording for any form that a row offers is accepted, and the whole suggestion again, as JSON and as it is."""
    seen = set()
    for told in row.requests(COMPANIES["many on both sides"], seed=1):
        for slot in narrator.resolve(told).slots():
            for number, offer in enumerate(slot.forms):
                if (slot.id, offer) not in seen:
                    seen.add((slot.id, offer))
                    once = narrator.check(told, _allowed(row, slot, offer, number))
                    assert once.accepted is not None, once.rejected
                    assert once == narrator.check(told, once.accepted.as_json())
                    assert once == narrator.check(told, once.accepted)


def _cyclic(kind: type[list[Any]] | type[Json]) -> Any:
    value: Any = kind()
    if isinstance(value, list):
        value.append(value)
    else:
        value["slot"] = value
    return value


def _deep(depth: int, kind: str) -> Any:
    value: Any = DETAIL
    for _ in range(depth):
        value = [value] if kind == "list" else {"detail": value}
    return value


ODD: dict[str, Any] = {
    "a list in itself": _cyclic(list),
    "an object in itself": _cyclic(dict),
    "lists, deep": _deep(100_000, "list"),
    "objects, deep": _deep(100_000, "object"),
    "no number": float("nan"),
    "without end": float("-inf"),
    "a huge number": 10**5_000,
    "a huge number below zero": -(10**5_000),
    "a huge text": "x" * 5_000_000,
    "a huge list": [DETAIL] * 500_000,
    "a huge object": {f"field {number}": number for number in range(100_000)},
    "half a character": "\ud83d",
    "half a character as a field": {"\ud83d": 1},
    "a number as a field": {1: 2},
    "a huge number as a field": {10**5_000: 1},
    "nothing as a field": {None: 1},
    "fields alike as text": {1: "a", "1": "b"},
    "bytes": b"\xff",
    "a set": {1, 2},
    "an object of Python": object(),
    "a class": dict,
    "a function": len,
    "an ordered object": OrderedDict(ADVANTAGE),
    "an object that cannot be changed": MappingProxyType(ADVANTAGE),
}


def assert_gives_a_verdict(candidate: Any) -> None:
    """The check gives a verdict, of which strict JSON can be made."""
    verdict = narrator.check(CYNERE, candidate)
    assert (verdict.accepted is None) != (verdict.rejected is None)
    text = json.dumps(verdict.as_json(), allow_nan=False)
    assert verdict.as_json() == json.loads(text)
    assert len(text) < 100_000


@pytest.mark.parametrize("value", ODD.values(), ids=ODD)
@pytest.mark.parametrize("place", ["", "slot", "form", "to", "name", "detail", "free_invocations", "tracks", "mood"])
def test_odd_values_get_a_verdict(value: Any, place: str) -> None:
    """Anything at all, as the candidate or in any of its fields, gets a verdict and raises nothing."""
    assert_gives_a_verdict(ADVANTAGE | {place: value} if place else value)


WORDS = st.sampled_from(
    ["serious_cost", "consequence", "opposition_advantage", "Gate Guards", "Cynere", "mild", DETAIL]
)
NUMBERS = st.integers() | st.floats() | st.complex_numbers()
TEXTS = WORDS | st.text(st.characters(codec=None, categories=None), max_size=40) | st.binary(max_size=8)
LEAVES = st.none() | st.booleans() | NUMBERS | TEXTS | st.dates()
FIELDS = st.sampled_from(
    [*ADVANTAGE, "kind", "severity", "free_invocations", "amount", "tracks", "on", "goal", "source"]
)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(FIELDS, st.text(max_size=9), st.integers(), st.none()), inner, max_size=6),
    ),
    max_leaves=20,
)


@given(ANYTHING | st.dictionaries(FIELDS, ANYTHING, max_size=3).map(lambda fields: ADVANTAGE | fields))
def test_anything_gets_a_verdict(candidate: Any) -> None:
    """Whatever value a program hands over, or has in some fields, there is a verdict, and no exception."""
    assert_gives_a_verdict(candidate)


@pytest.mark.parametrize("candidate", [ADVANTAGE, without(ADVANTAGE, "detail")], ids=["good", "bad"])
def test_a_request_without_dice_is_refused(candidate: Json) -> None:
    """The dice decide the row, so that a check without them is the request's error, not the candidate's."""
    told = request(1)
    del told["action"]["roll"]
    with pytest.raises(narrator.NarratorError, match="bad_dice") as refused:
        narrator.check(told, candidate)
    assert (refused.value.code, refused.value.field) == ("bad_dice", "request.action.roll")
    assert narrator.check(told | {"seed": 7}, candidate)
