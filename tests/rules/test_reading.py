"""How a request is read: what a message says of a mistake, so that it can be mended, and how JSON may write numbers."""

import json
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, strategies as st

import narrator
from narrator import NarratorError, vtt
from narrator.rules.json_text import Json, parsed
from narrator.rules.model import Given
from narrator.rules.request.action import Roar, Roll
from narrator.rules.request.scene import StressTrack
from tests.rules.build import ANN, XAN, ask


def error_of(request: Any) -> NarratorError:
    """What a request is refused with."""
    with pytest.raises(NarratorError) as caught:
        narrator.resolve(request)
    return caught.value


def of_ann(**sheet: object) -> Json:
    """A request with Ann's sheet changed."""
    return ask({"characters": [ANN | sheet, XAN]})


# Fields that are not known.

MISSPELT: dict[str, tuple[Json, str, str]] = {
    # the request, the field of it that the error names, the one that was meant
    "at the top": (ask(request={"rulest": "five-actions"}), "rulest", "ruleset"),
    "in the action": (ask(helper=["Bea"]), "action.helper", "helpers"),
    "in a list": (of_ann(fate_point=3), "scene.characters.0.fate_point", "fate_points"),
    "under a word of the user's": (
        of_ann(stress={"boxes": {"boxes": [1], "marke": []}}),
        "scene.characters.0.stress.boxes.marke",
        "marked",
    ),
    "in one of several kinds": (
        ask(opposition={"kind": "passive", "rating": 1, "ratign": 1}),
        "action.opposition.ratign",
        "rating",
    ),
    "in place of one that is wanted": (
        {"action": {"type": "overcome", "acter": "Ann", "opposition": {"kind": "passive", "rating": 1}}},
        "action.acter",
        "actor",
    ),
    "in capitals": (ask(Bonus=1), "action.Bonus", "bonus"),
    "with nothing in it": (ask(bonuss=None), "action.bonuss", "bonus"),
}


@pytest.mark.parametrize(("request_", "field", "meant"), MISSPELT.values(), ids=MISSPELT)
def test_a_misspelt_field_is_told_with_the_one_that_was_meant(request_: Json, field: str, meant: str) -> None:
    """The nearest field of the same object is named, wherever the object stands."""
    error = error_of(request_)
    assert (f"request.{field}", f"no such field; did you mean {meant}") == (error.field, error.message)
    assert meant in (error.allowed or ())


UNKNOWN: dict[str, tuple[Json, str, type[Given]]] = {
    # the request, the field of it that the error names, and what it was read as
    "a roll": (ask(roll={"total": 1, "luck": 3}), "action.roll.luck", Roll),
    "a track": (
        of_ann(stress={"physical": {"boxes": [1], "mood": 1}}),
        "scene.characters.0.stress.physical.mood",
        StressTrack,
    ),
    "a kind of opposition": (ask(opposition={"kind": "roar", "rating": 2, "mood": 1}), "action.opposition.mood", Roar),
}


@pytest.mark.parametrize(("request_", "field", "kind"), UNKNOWN.values(), ids=UNKNOWN)
def test_a_field_like_no_other_is_told_with_all_that_there_are(request_: Json, field: str, kind: type[Given]) -> None:
    """Where none is near, the fields of that object are what is allowed: of that kind, where there are several."""
    error = error_of(request_)
    assert (f"request.{field}", "no such field") == (error.field, error.message)
    assert tuple(kind.model_fields) == error.allowed


def test_what_an_unknown_field_holds_is_not_repeated() -> None:
    """It may be anything; only its name is told."""
    assert "s3cret" not in str(error_of(ask(password="s3cret", fate_point={"s3cret": "s3cret"})))


def test_a_misspelt_field_of_a_suggestion_is_told_too() -> None:
    """A suggestion is read as a request is: the field that was meant is named, where there is one."""
    request = ask(roll={"total": -1})
    found = {
        field: narrator.violations(request, {"slot": "x", "form": "y", "detail": "Z", field: "w"})
        for field in ("nam", "mood")
    }
    assert "did you mean name" in found["nam"][0].message
    assert found["mood"][0].message == "The field mood: no such field."


# Words and types.

WORDS: dict[str, tuple[Json, str]] = {
    "one that is near": (
        ask({"frame": "conflct"}),
        "'conflct' is not one of the words known here; did you mean 'conflict'",
    ),
    "in capitals": (ask({"frame": "Contest"}), "'Contest' is not one of the words known here; did you mean 'contest'"),
    "one like no other": (ask({"frame": "duel"}), "'duel' is not one of the words known here"),
    "a kind of opposition": (
        ask(opposition={"kind": "pasive", "rating": 1}),
        "'pasive' is not one of the words known here; did you mean 'passive'",
    ),
    "a kind like no other": (ask(opposition={"kind": "fate"}), "'fate' is not one of the words known here"),
    "a kind that is no text": (ask(opposition={"kind": ["passive"]}), "this is not one of the words known here"),
    "a number for a word": (ask({"frame": 3}), "the number 3 is not one of the words known here"),
    "another version": (
        ask(request={"version": "narrator/v2"}),
        "'narrator/v2' is not one of the words known here; did you mean 'narrator/v1'",
    ),
}


@pytest.mark.parametrize(("request_", "message"), WORDS.values(), ids=WORDS)
def test_a_word_that_is_not_known_is_quoted(request_: Json, message: str) -> None:
    """What was typed is said, and what was most likely meant."""
    assert message == error_of(request_).message


@pytest.mark.parametrize(
    "against", [{"rating": 2}, {"by": "Bea", "skill": "Will"}, {"kind": None, "hindering": ["Fog"]}], ids=str
)
def test_opposition_without_its_kind_is_met_with_the_kinds(against: Json) -> None:
    """What is missing is said, and not that what is there is not known."""
    error = error_of(ask(opposition=against))

    assert (error.field, error.message) == ("request.action.opposition.kind", "this is required")
    assert {"passive", "aspects", "active", "defend"} <= set(error.allowed or ())


TYPES: dict[str, tuple[Json, str]] = {
    "a number as text": (ask(bonus="3"), "this must be a whole number, not the text '3'"),
    "a fraction": (ask(bonus=2.5), "this must be a whole number, not the number 2.5"),
    "true for a number": (ask(bonus=True), "this must be a whole number, not true"),
    "no number at all": (ask(bonus=[3]), "this must be a whole number"),
    "a number for a name": (ask(actor=7), "this must be text, not the number 7"),
    "a number without end for a name": (ask(actor=10**5_000), "this must be text"),
    "nothing in a list": (ask(helpers=[None]), "this must be text, not null"),
    "a word for true": (ask(full_defense="yes"), "this must be true or false, not the text 'yes'"),
    "a word for a list": (ask(helpers="Bea"), "this must be a list, not the text 'Bea'"),
    "a word for an object": (ask(attack="sword"), "this must be an object, not the text 'sword'"),
    "a list for an object": (ask(attack=[]), "this must be an object"),
}


@pytest.mark.parametrize(("request_", "message"), TYPES.values(), ids=TYPES)
def test_a_value_of_another_type_is_told_with_what_was_typed(request_: Json, message: str) -> None:
    """A single value is repeated beside what it must be; text is told apart from a number by its quotes."""
    assert message == error_of(request_).message


@pytest.mark.parametrize("place", ["frame", "characters", "kind"])
def test_what_is_repeated_is_clipped_and_harmless(place: str) -> None:
    """Long text is cut, and nothing that steers a terminal gets through."""
    words = "\x1b[31m\u202e\n" * 100
    request = ask(opposition={"kind": words}) if place == "kind" else ask({place: words})
    message = error_of(request).message
    assert message.isprintable()
    assert len(message) < 500


# JSON text.

BROKEN: dict[str, tuple[str | bytes, str]] = {
    "no comma": ('{\n  "action": {\n    "type": "overcome"\n    "actor": "Ann"}}', "line 4, column 5: expected , or }"),
    "half an object": ('{"action": {', "line 1, column 12: it ends before it is complete"),
    "nothing": ("", "line 1, column 1: it ends before it is complete"),
    "single quotes": ("{'action': 1}", "line 1, column 2: expected the name of a field in double quotes"),
    "a comma too many": ('{"seed": 1,}', "line 1, column 12: a comma has nothing after it"),
    "Python": (
        '{"seed": True}',
        "line 1, column 10: expected a value: text in double quotes, a number, true, false or null",
    ),
    "two objects": ("{}\n{}", "line 2, column 1: there is more text after its end"),
    "letters of more than one byte": ('{"göß": 1 "b"}', "line 1, column 11: expected , or }"),
    "the same in bytes": ('{"göß": 1 "b"}'.encode(), "line 1, column 11: expected , or }"),
    "a line break in a text": (
        '{"intent": "a\nb"}',
        "line 2, column 1: quoted text must not contain a line break or another control character",
    ),
    "no end of lists": ("[" * 100_000, "line 1, column 202: it is nested too deeply"),
    "a number without end": ("1" * 5_000, "line 1, column 4302: a number has too many digits"),
    "another encoding": (b'{"a": "\xff"}', "line 1, column 8: this is not UTF-8"),
}


@pytest.mark.parametrize(("text", "told"), BROKEN.values(), ids=BROKEN)
def test_broken_json_is_told_with_its_place(text: str | bytes, told: str) -> None:
    """Line and column, counted in letters from 1, and in plain words what is wrong there."""
    assert f"this is not JSON: {told}" == error_of(text).message


@given(st.text() | st.binary() | st.text(alphabet='{}[]":,01.eE-\\u\n tn', max_size=40))
def test_any_text_is_refused_in_plain_words(text: str | bytes) -> None:
    """Whatever the text, there is one printable message for what is no call, in no words of the parser's."""
    message = vtt.run(text)["error"]["message"]
    assert message.isprintable()
    assert "EOF" not in message
    assert "`" not in message


DECIMAL = (
    '{"action": {"type": "overcome", "actor": "Ann", "roll": {"dice": [1.0, 0.0, -0.0, -1.0]}, "bonus": 1e0,'
    ' "opposition": {"kind": "passive", "rating": 2.0}}, "per_slot": 3.0}'
)
WHOLE = DECIMAL.replace("-0.0", "0").replace(".0", "").replace("1e0", "1")


@pytest.mark.parametrize("kind", [str, bytes])
def test_whole_numbers_in_json_text_may_be_decimals(kind: type) -> None:
    """Some macro languages write every number so: `2.0` in text is 2, for each call."""
    payload = f'{{"call": "resolve", "request": {DECIMAL}}}'
    texts = (DECIMAL, payload) if kind is str else (DECIMAL.encode(), payload.encode())
    assert narrator.resolve(WHOLE) == narrator.resolve(texts[0])
    assert narrator.resolve(WHOLE).as_json() == vtt.run(texts[1])


def test_whole_numbers_of_a_candidate_in_json_text_may_be_decimals() -> None:
    """What a suggestion claims of the table is a number as any other."""
    candidate: Json = {
        "slot": "serious_cost",
        "form": "consequence",
        "name": "Split Lip",
        "detail": "The branch hits back.",
    }
    candidate |= {"free_invocations": 0}
    payload = json.dumps({"call": "check", "request": ask(roll={"total": -1}), "candidate": candidate})
    assert vtt.run(payload) == vtt.run(payload.replace('"free_invocations": 0', '"free_invocations": 0.0'))
    assert "accepted" in vtt.run(payload)


@pytest.mark.parametrize("number", ["2.5", "1e-3", "1e300", "1e16", "NaN", "Infinity", "-Infinity", '"2"', "true"])
def test_no_other_number_is_bent_into_shape(number: str) -> None:
    """A fraction, a number beyond what a decimal tells exactly, text and `true` are refused in text as they were."""
    error = error_of(WHOLE.replace('"rating": 2', f'"rating": {number}'))
    assert (error.code, error.field) == ("bad_request", "request.action.opposition.rating")
    assert "this must be a whole number" in error.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False).filter(lambda x: x % 1 != 0),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_nothing_else_is_changed(value: Any) -> None:
    """All but whole decimals is parsed as it was written, at any depth and at the top."""
    assert json.dumps(value) == json.dumps(parsed(json.dumps(value)))


@pytest.mark.parametrize("depth", [0, 1, 199])
def test_a_whole_decimal_is_found_at_any_depth(depth: int) -> None:
    """By itself, or as deep as JSON is read at all."""
    assert "[" * depth + "2" + "]" * depth == json.dumps(parsed("[" * depth + "2.0" + "]" * depth))


@pytest.mark.parametrize("text", ["\ufeff{}", b"\xef\xbb\xbf{}"], ids=["text", "bytes"])
def test_a_mark_of_byte_order_is_no_part_of_the_text(text: str | bytes) -> None:
    """Some editors and shells write one before whatever they write."""
    assert parsed(text) == {}


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (ask(request={"per_slot": 11}), "10 or less"),
        (ask(request={"per_slot": 0}), "1 or more"),
        (ask(helpers=["Bea"] * 501), "at most 500"),
        (ask(actor="A" * 201), "at most 200 characters"),
    ],
    ids=["too many", "too few", "a long list", "a long name"],
)
def test_a_bound_is_told_with_its_number(request_: Json, told: str) -> None:
    """In plain words."""
    message = error_of(request_).message

    assert told in message
    assert "nput" not in message


class Unlike:
    """What cannot be compared with anything."""

    def __eq__(self, other: object) -> bool:
        raise TypeError("this is like nothing else")

    def __hash__(self) -> int:
        return 1


def test_any_mapping_is_an_object_and_what_is_none_is_no_surprise() -> None:
    """Whoever calls from Python may hand over mappings of any kind, and whatever by mistake."""
    request = ask({"characters": [MappingProxyType(ANN), XAN]})
    told = narrator.resolve(MappingProxyType({**request, "action": MappingProxyType(request["action"]), "deal": None}))

    assert told == narrator.resolve(request)
    assert error_of(request | {"scene": Unlike()}).message == "this must be an object"
    assert error_of(request | {"scene": {"tone": Unlike()}}).message == "this must be text"
