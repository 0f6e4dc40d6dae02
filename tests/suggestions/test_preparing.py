"""Words before the dice: for every row that is likely enough, in one call, and judged again on the row that falls."""

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, strategies as st

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.fake_sources import Scripted

FACES = list(product((-1, 0, 1), repeat=4))

PEOPLE: list[Json] = [
    {"name": "Cynere", "side": "pc", "importance": "pc", "skills": {"Resources": 1}},
    {"name": "Gate Guards", "side": "opposition"},
]
ACTION: Json = {"type": "overcome", "actor": "Cynere", "skill": "Resources", "intent": "bribe the guards"}
ACTION |= {"opposition": {"kind": "passive", "rating": 2}}
PASSIVE: Json = {"scene": {"characters": PEOPLE}, "action": ACTION, "deal": 4}


def rolled(*dice: int, request: Json = PASSIVE) -> Json:
    """The same request after the dice have come down: where none are named, it fails."""
    return {**request, "action": {**request["action"], "roll": {"dice": dice or (-1, -1, 0, 0)}}}


def handed_in(*suggestions: Any) -> narrator.Answer:
    """The answer where these were prepared for this very roll, which fails."""
    made_for = narrator.prepare(PASSIVE, source="deck").made_for
    prepared = {"for": made_for, "rows": {"fail": {"suggestions": suggestions}}}
    return narrator.suggest(rolled(), source="deck", prepared=prepared)


def outcome(total: int) -> str:
    """That of Fate Core, by the shifts."""
    return "fail" if total < 0 else "tie" if total == 0 else "succeed" if total < 3 else "succeed_with_style"


NAMES = (
    *("Seen Her Face", "Ink on Both Hands", "The Night Clerk", "Open Side Door", "Ash on the Sill", "A Loose Tile"),
    *("Mud to the Knees", "A Borrowed Cloak", "Half a Torn Letter", "Smoke From the Mill"),
)
DETAILS = (
    "A small bell rings behind the wall.",
    "The older guard lifts the torch and looks twice.",
    "Somebody has chalked a cross on the door.",
    "A dog barks in the yard and will not stop.",
    "Rain drips through the roof onto the ledger.",
    "The younger one starts to hum a marching song.",
    "A cart with a broken wheel blocks the lane.",
    "The lamp over the arch goes out.",
    "A child on the wall has seen everything.",
    "The bolt has rusted fast in its socket.",
    "Two crates have slid across the yard.",
)


def written(brief: narrator.Brief) -> str:
    """An honest answer to a brief: as much as is wanted of each slot, each of other words."""
    begun = 5 if brief.already_said else 0
    names, details, told = iter(NAMES[begun:]), iter(DETAILS[begun:]), list[Json]()
    for slot, how_many in brief.wanted:
        for offer in slot.forms[:how_many]:
            name = next(names) if brief.ruleset.forms[offer.form].name else None
            to = (offer.to or (None,))[0]
            told.append({"slot": slot.id, "form": offer.form, "to": to, "name": name, "detail": next(details)})
    return json.dumps({"suggestions": told})


class Honest(Scripted):
    """Answers every brief as it should be."""

    def _next(self, brief: narrator.Brief, seconds: float) -> list[Any]:
        self.briefs.append(brief)
        return [narrator.Tokens(input=900, output=300), written(brief)]


@pytest.mark.parametrize("rating", range(-2, 7))
@pytest.mark.parametrize("threshold", [0.0, 0.05, 0.1, 0.3, 0.6])
def test_the_rows_are_those_that_are_likely_enough(rating: int, threshold: float) -> None:
    """Counted over all 81 faces: every outcome of at least this chance, and no other."""
    action = ACTION | {"opposition": {"kind": "passive", "rating": rating}}
    found = [outcome(sum(faces) + 1 - rating) for faces in FACES]
    likely = {each: (found.count(each), 81) for each in found if Fraction(found.count(each), 81) >= threshold}
    asked = {**PASSIVE, "action": action}
    if not likely:
        with pytest.raises(NarratorError, match="threshold"):
            narrator.prepare(asked, threshold, source="deck")
        return
    rows = narrator.prepare(asked, threshold, source="deck").rows
    assert {name: row.chance for name, row in rows.items()} == likely


def test_one_call_asks_for_all_of_them() -> None:
    """Each slot by its row's outcome; and what comes back stands under its outcome, by the slot's own id."""
    source = Honest()
    prepared = narrator.prepare(PASSIVE, 0.05, source=source)
    (brief,) = source.briefs
    assert brief.purpose == "prepare"
    assert [slot.id for slot, _ in brief.wanted] == ["fail.serious_cost", "tie.minor_cost"]
    assert [row.outcome for row in brief.rows] == ["fail", "tie", "succeed"]
    assert {name: {each.slot for each in row.suggestions} for name, row in prepared.rows.items()} == {
        "fail": {"serious_cost"},
        "tie": {"minor_cost"},
        "succeed": set(),
    }
    assert {each.source for row in prepared.rows.values() for each in row.suggestions} == {source.label}
    assert (prepared.usage.calls, prepared.usage.input_tokens) == (1, 900)


@pytest.mark.parametrize("as_what", ["model", "mapping", "text"])
@pytest.mark.parametrize("faces", [(-1, -1, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0)])
def test_after_the_dice_nobody_is_asked(faces: tuple[int, ...], as_what: str) -> None:
    """Whatever falls of what was prepared: the same words, by whoever wrote them, and no call."""
    prepared = narrator.prepare(PASSIVE, 0.0, source=Honest())
    handed: Any = {"model": prepared, "mapping": prepared.as_json(), "text": json.dumps(prepared.as_json())}[as_what]
    answer = narrator.suggest(rolled(*faces), source=Scripted(), prepared=handed)
    row = prepared.rows[answer.resolution.outcome]
    assert [(each.form, each.name, each.detail) for each in answer.suggestions] == [
        (each.form, each.name, each.detail) for each in row.suggestions
    ]
    assert {each.source for each in answer.suggestions} <= {Honest.label}
    assert (answer.usage.calls, answer.rejected, answer.notices) == (0, (), ())


def test_only_what_is_missing_is_asked_for() -> None:
    """What was spoilt on the way is refused again, and asked for once more."""
    prepared = narrator.prepare(PASSIVE, source=Honest()).as_json()
    spoilt = prepared["rows"]["fail"]["suggestions"][1]
    spoilt["detail"] = "See https://example.com for two shifts."
    source = Honest()
    answer = narrator.suggest(rolled(), source=source, prepared=prepared)
    (brief,) = source.briefs
    assert [(slot.id, how_many) for slot, how_many in brief.wanted] == [("serious_cost", 1)]
    assert [each.code for each in answer.rejected] == ["unsafe_text"]
    assert len(answer.suggestions) == 3


def test_a_row_that_was_not_prepared_is_asked_for_as_ever() -> None:
    """Nothing of another row is said in it."""
    prepared = narrator.prepare(PASSIVE, 0.5, source=Honest())
    assert list(prepared.rows) == ["fail"]
    source = Honest()
    answer = narrator.suggest(rolled(0, 1, 0, 0), source=source, prepared=prepared)
    assert len(source.briefs) == 1
    assert {each.slot for each in answer.suggestions} == {"minor_cost"}


def test_cards_that_were_prepared_count_as_dealt() -> None:
    """Dealt before the roll or after it: the scene that follows does not have them again."""
    prepared = narrator.prepare(PASSIVE, source="deck")
    answer = narrator.suggest(rolled(), source="deck", prepared=prepared)
    assert answer.dealt == tuple(each.card for each in prepared.rows["fail"].suggestions)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "prepared.rows"),
        ({"rows": []}, "prepared.rows"),
        ({"rows": {"fail": {"suggestions": 3}}}, "prepared.rows.fail.suggestions"),
        ("{", "prepared"),
        ([], "prepared"),
    ],
)
def test_what_prepare_never_gave_is_refused(given: Any, field: str) -> None:
    """By the field that is wrong."""
    with pytest.raises(NarratorError) as raised:
        narrator.suggest(rolled(), source="deck", prepared=given)
    assert (raised.value.code, raised.value.field) == ("bad_request", field)


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists)
    | st.dictionaries(st.text(), st.text())
)
def test_nonsense_in_what_was_prepared_is_only_refused(nonsense: Any) -> None:
    """Each suggestion is anything at all: it is judged, and the answer is full all the same."""
    assert len(handed_in(nonsense, {"slot": "serious_cost", "form": nonsense}).suggestions) == 3


@pytest.mark.parametrize("label", ["\x1b[2J", "deck\n", "<b>", "[x](y)", "a" * 201, 7, None])
def test_who_wrote_it_is_a_plain_name_or_nobody(label: Any) -> None:
    """What a prepared suggestion says of itself is shown: only what can do no harm there is repeated."""
    prepared = narrator.prepare(PASSIVE, source="deck").as_json()
    for each in prepared["rows"]["fail"]["suggestions"]:
        each |= {"source": label, "card": label}
    answer = narrator.suggest(rolled(), source="deck", prepared=prepared)
    assert {(each.source, each.card) for each in answer.suggestions if each.source != "deck"} <= {("given", None)}


@pytest.mark.parametrize("threshold", [-0.1, 1.1, "0.1", True, float("nan")])
def test_a_threshold_is_a_chance(threshold: Any) -> None:
    """From 0 to 1."""
    with pytest.raises(NarratorError) as raised:
        narrator.prepare(PASSIVE, threshold, source="deck")
    assert raised.value.field == "threshold"


def test_what_has_come_out_needs_no_preparing() -> None:
    """An outcome that is told is nothing to wait for."""
    told = {"action": {"type": "overcome", "actor": "Cynere", "outcome": "fail"}}
    with pytest.raises(NarratorError) as raised:
        narrator.prepare(told, source="deck")
    assert raised.value.field == "request.action.outcome"


def test_no_more_is_judged_than_of_one_answer() -> None:
    """However many suggestions are handed in."""
    nonsense = [{"slot": "serious_cost", "form": f"form {number}"} for number in range(500)]
    answer = handed_in(*nonsense)
    assert (len(answer.rejected), len(answer.suggestions)) == (60, 3)


@pytest.mark.parametrize("slot", [{}, [], 3, None, True])
def test_a_slot_that_is_no_text_is_malformed(slot: Any) -> None:
    """And no fault of ours."""
    assert [each.code for each in handed_in({"slot": slot}).rejected] == ["malformed"]


OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("scene", {"summary": "Somewhere else."}),
    ("action", ACTION | {"intent": "something else"}),
    ("action", ACTION | {"opposition": {"kind": "passive", "rating": 5}}),
    ("ruleset", {}),
]


@pytest.mark.parametrize(("part", "other"), OTHERS)
def test_words_for_another_roll_are_not_used(part: str, other: Any) -> None:
    """Another scene, action, opposition or ruleset: a notice says so, and the deck deals as ever."""
    prepared = narrator.prepare(PASSIVE, source=Honest())
    asked = rolled(request={**PASSIVE, part: other or "fate-accelerated"})
    answer = narrator.suggest(asked, source="deck", prepared=prepared)
    assert "The prepared words are for another roll or scene and are not used." in answer.notices
    assert {each.source for each in answer.suggestions} <= {"deck"}


def test_what_a_roll_or_an_answer_changes_is_no_other_roll() -> None:
    """Dice, seed, deal, branch, invocations, what was said since and the scene's revision."""
    prepared = narrator.prepare(PASSIVE, source=Honest())
    scene = {**PASSIVE["scene"], "recent": ["Rain Since Noon"], "revision": 9, "dealt": ["abc"]}
    answer = narrator.suggest({**rolled(), "scene": scene, "seed": 8}, source="deck", prepared=prepared)
    assert {each.source for each in answer.suggestions} == {Honest().label}


def test_the_deal_is_that_of_what_was_prepared() -> None:
    """Drawn once: the answer names the one that its words are of."""
    request = {name: value for name, value in PASSIVE.items() if name != "deal"}
    prepared = narrator.prepare(request, source="deck")
    assert narrator.suggest(rolled(request=request), source="deck", prepared=prepared).deal == prepared.deal


def test_who_is_strict_has_no_cards() -> None:
    """Also none that were prepared."""
    prepared = narrator.prepare(PASSIVE, source="deck")
    with pytest.raises(NarratorError) as raised:
        narrator.suggest(rolled(), source=Scripted(["[]"], ["[]"]), prepared=prepared, strict=True)
    assert raised.value.code == "no_words"


def test_when_the_time_is_up_nothing_more_is_judged() -> None:
    """Whatever was prepared."""
    prepared = narrator.prepare(PASSIVE, source=Honest())
    answer = narrator.suggest(rolled(), source="deck", prepared=prepared, timeout=0)
    assert Honest.label not in {each.source for each in answer.suggestions}


def test_a_chance_as_small_as_the_threshold_is_enough() -> None:
    """One face of 81, where one of 81 is asked for."""
    assert narrator.prepare(PASSIVE, 1 / 81, source="deck").rows["succeed_with_style"].chance == (1, 81)


def test_what_a_form_gives_is_the_row_s_that_fell() -> None:
    """At other shifts it may give other than was prepared: the words stand, and what they come with is the table's."""
    prepared = narrator.prepare(PASSIVE, source="deck").as_json()
    for each in prepared["rows"]["fail"]["suggestions"]:
        each |= {"free_invocations": 9, "severity": each.get("severity")}
    answer = narrator.suggest(rolled(), source="deck", prepared=prepared)
    assert answer.rejected == ()
    assert 9 not in {each.free_invocations for each in answer.suggestions}
    details = [each["detail"] for each in prepared["rows"]["fail"]["suggestions"]]
    assert [each.detail for each in answer.suggestions] == details
