"""The schemas of what goes in and comes out: each says what narrator takes and gives, no more and no less."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

import narrator
from narrator import vtt
from narrator.api import registry
from narrator.api.schemas import GIVEN, GIVES, MADE, SUBJECTS, schema
from narrator.cli.options import SCHEMA_NAMES
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from tests.documents import DEEDS
from tests.interfaces.running import CYNERE as FILE, run
from tests.payloads import CANDIDATE, CHOICE, FINDING, HOW, PAYLOADS, REQUEST
from tests.strategies import almost_requests, requests, spoilt_requests

CYNERE = json.loads(FILE.read_text("utf-8"))

schema_of = cache(schema)
"""Each is written once for all tests, and none before a test asks for it."""

ANNOTATIONS = {"$schema", "$defs", "title", "description", "default"}
"""The words of the draft that tell a reader something, and judge nothing."""

ACROSS_FIELDS = ("not both", "or a total", "only a reroll has dice", "each marked box must be", "must be Unicode text")
"""What a schema cannot say, in the words of the refusal."""


@cache
def judge_of(subject: str) -> Draft202012Validator:
    """What judges values by a schema."""
    return Draft202012Validator(schema_of(subject))


def problems(value: Any, subject: str) -> list[str]:
    """What is wrong with a value by a schema."""
    return [f"{each.json_path}: {each.message}" for each in judge_of(subject).iter_errors(value)]


def parts(written: Json) -> Iterator[Json]:
    """A schema and every schema in it."""
    yield written
    for keyword, told in written.items():
        match keyword:
            case "properties" | "$defs":
                inner = list(told.values())
            case "anyOf" | "oneOf" | "allOf":
                inner = told
            case "items" | "propertyNames" | "additionalProperties" if told is not False:
                inner = [told]
            case _:
                inner = []
        for each in inner:
            yield from parts(each)


def test_the_command_line_names_every_schema() -> None:
    """Its help says what there is a schema of, in their order."""
    assert SCHEMA_NAMES == SUBJECTS


@pytest.mark.parametrize("subject", SUBJECTS)
def test_the_command_prints_a_schema_of_everything(subject: str) -> None:
    """Each is of the draft 2020-12, and of an object."""
    printed = run("schema", subject).json

    assert printed == schema_of(subject)
    assert (printed["$schema"], printed["type"]) == ("https://json-schema.org/draft/2020-12/schema", "object")


def test_the_command_prints_every_call_at_once() -> None:
    """Each with its payload, as the schema of payloads has it, and with what it gives, as that is printed alone."""
    printed, together = run("schema", "all").json, schema_of("payload")["$defs"]

    assert [*printed] == [*registry.CALLS]
    for call, each in printed.items():
        around = {key: told for key, told in each["payload"].items() if key in ("$schema", "$defs")}
        assert around.get("$defs", {}).items() <= together.items()
        assert each == {"payload": {**around, **members()[call]}, "answer": schema_of(GIVES[call])}


def test_the_schema_of_a_request_is_meant_where_none_is_named() -> None:
    """That is what a macro's author writes."""
    assert run("schema").json == schema_of("request")


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_schema_is_one(subject: str) -> None:
    """It says what it says in keywords of the draft, each of its type, and its references lead somewhere."""
    written = schema_of(subject)
    each = list(parts(written))
    references = {part["$ref"] for part in each if "$ref" in part}

    Draft202012Validator.check_schema(written)
    assert {word for part in each for word in part} - Draft202012Validator.VALIDATORS.keys() <= ANNOTATIONS
    assert references == {f"#/$defs/{name}" for name in written.get("$defs", {})}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_every_object_and_every_field_has_a_description(subject: str) -> None:
    """In a line or two, none of which ends in the middle of nowhere."""
    objects = [part for part in parts(schema_of(subject)) if "properties" in part]
    said = [(each["title"], name, field) for each in objects for name, field in each["properties"].items()]

    assert [each["title"] for each in objects if not each.get("description", "").endswith(".")] == []
    assert [(title, name) for title, name, field in said if not field.get("description", "").endswith(".")] == []
    assert [(title, name) for title, name, field in said if len(field["description"]) > 240] == []


@pytest.mark.parametrize("subject", GIVEN)
def test_what_goes_in_is_closed(subject: str) -> None:
    """A field that narrator does not know is a slip, and an editor says so."""
    objects = [part for part in parts(schema_of(subject)) if "properties" in part]

    assert [each["title"] for each in objects if each.get("additionalProperties") is not False] == []


@pytest.mark.parametrize("subject", MADE)
def test_what_comes_out_is_open_and_never_null(subject: str) -> None:
    """An answer may gain fields, and what does not apply is left out of it."""
    assert [part for part in parts(schema_of(subject)) if part.get("additionalProperties") is False] == []
    assert [part for part in parts(schema_of(subject)) if part.get("type") == "null"] == []


# What goes in.


def test_the_schema_takes_null_for_absent() -> None:
    """As the contract has it, and as `resolve` takes it: a field that does not apply may be null in a request."""
    request = CYNERE | {"ruleset": None, "seed": None, "branch": None, "per_slot": None, "version": None}
    request["action"] = CYNERE["action"] | {"variant": None, "bonus": None, "helpers": None, "attack": None}
    narrator.resolve(request)

    assert problems(request, "request") == []


LITTLE = {"type": "overcome", "actor": "Ann", "opposition": {"kind": "passive", "rating": 2}}

SLIPS: dict[str, Json] = {
    "wrong type": {"ruleset": 5},
    "unknown field": {"colour": "red"},
    "no actor": {"action": {"type": "overcome", "opposition": {"kind": "passive", "rating": 2}}},
    "a field of another opposition": {"action": LITTLE | {"opposition": {"kind": "passive", "base": 1}}},
    "a rating without its kind": {"action": LITTLE | {"opposition": {"rating": 2}}},
    "three dice": {"action": LITTLE | {"roll": {"dice": [0, 0, 0]}}},
    "dice of another game": {"action": LITTLE | {"roll": {"dice": [6, 0, 0, 0]}}},
    "truth for a number": {"action": LITTLE | {"bonus": True}},
    "thirteen boxes": {"scene": {"characters": [{"name": "A", "side": "b", "stress": {"body": {"boxes": [1] * 13}}}]}},
}


@pytest.mark.parametrize("slip", SLIPS)
def test_the_schema_of_a_request_refuses_what_narrator_refuses(slip: str) -> None:
    """A macro's author learns of a slip from the schema already."""
    broken = CYNERE | SLIPS[slip]

    assert problems(broken, "request") != []
    with pytest.raises(narrator.NarratorError):
        narrator.resolve(broken)


@pytest.mark.full
@given(requests() | spoilt_requests() | almost_requests())
def test_the_schema_of_a_request_is_what_is_read(request: Any) -> None:
    """Whatever is sent: what the schema takes is read, and what it refuses is not, but for what two fields say."""
    found = problems(request, "request")
    refused = refusal(request)

    assert refused is not None or found == []
    assert refused is None or found != [] or any(words in refused for words in ACROSS_FIELDS)


def refusal(request: Any) -> str | None:
    """Why a request is not read, or None."""
    try:
        Request.read(request)
    except narrator.NarratorError as error:
        return error.message
    return None


WAYS = ["mild", {"severity": "severe", "name": "Lost"}]
CHOICES: list[tuple[Json, bool]] = [
    ({"branch": "fail"}, True),
    ({"branch": "hit", "absorb": {"stress": 2, "consequences": WAYS}}, True),
    ({"branch": "hit", "taken_out": True, "holder": None, "grants": [{"index": 0, "to": "Ann", "on": None}]}, True),
    (CHOICE, True),
    ({"branch": "hit", "absorb": {"consequences": [2]}}, False),
    ({"branch": "hit", "grants": [{"index": -1}]}, False),
    ({"suggestions": []}, False),
    ({"branch": "hit", "absorbs": {}}, False),
]


@pytest.mark.parametrize(("choice", "is_one"), CHOICES, ids=[json.dumps(choice)[:60] for choice, _ in CHOICES])
def test_the_schema_of_a_choice_is_what_is_read(choice: Json, is_one: bool) -> None:
    """A bare level is a consequence too; what is no choice is told where in it."""
    payload = {"call": "settle", "request": CYNERE, "choice": choice}
    told = vtt.run(payload)

    assert (is_one, is_one) == (problems(choice, "choice") == [], problems(payload, "payload") == [])
    assert is_one == ("error" not in told or told["error"]["code"] == "bad_choice")


def test_the_schema_of_a_choice_knows_its_suggestions() -> None:
    """A misspelt field of one is a slip of the author's, and told as such before anything is sent."""
    choice = {"branch": "serious_cost", "suggestions": [{**CANDIDATE, "nmae": "Seen Her Face"}]}
    error = vtt.run({**PAYLOADS["settle"], "choice": choice})["error"]

    assert (error["code"], error["field"]) == ("bad_choice", "choice.suggestions.0.nmae")
    assert problems(choice, "choice") != []


# Payloads.


def members() -> dict[str, Json]:
    """The payload's schema of each call."""
    written = schema_of("payload")
    each = [written["$defs"][part["$ref"].rsplit("/", 1)[1]] for part in written["oneOf"]]
    return {member["properties"]["call"]["const"]: member for member in each}


@pytest.mark.every_case
@pytest.mark.parametrize("call", registry.CALLS)
def test_there_is_a_payload_for_each_call(call: str) -> None:
    """With every part that it takes, and no other."""
    taken = set(members()[call]["properties"]) - {"call", "id"} - (HOW if call in FINDING else set())

    assert call in PAYLOADS, f"tests/payloads.py has no payload of {call!r}: add one with its parts, {taken}"
    assert PAYLOADS[call].keys() - {"call"} == taken, f"tests/payloads.py: {call!r} takes {taken}, and has others there"


@pytest.mark.every_case
@pytest.mark.parametrize("call", PAYLOADS)
def test_a_whole_payload_is_taken_and_answered(call: str) -> None:
    """By its schema and at run time, where hyphens will do as well; the answer is as its schema has it."""
    answer = vtt.run(json.dumps(PAYLOADS[call]))

    assert problems(PAYLOADS[call], "payload") == []
    assert "error" not in answer, f"tests/payloads.py has no good payload of {call!r}: {answer['error']}"
    assert problems(answer, GIVES[call]) == []
    assert answer == vtt.run({**PAYLOADS[call], "call": call.replace("_", "-")})


@pytest.mark.parametrize("call", PAYLOADS)
def test_a_payload_without_a_part_is_refused(call: str) -> None:
    """By its schema and at run time, which names the part."""
    for part in {*members()[call]["required"]} - {"call"}:
        payload = {name: told for name, told in PAYLOADS[call].items() if name != part}
        assert problems(payload, "payload") != []
        assert vtt.run(payload)["error"]["field"] == part


EVERY_PART = dict.fromkeys(HOW, "deck") | {
    part: told for payload in PAYLOADS.values() for part, told in payload.items()
}


@pytest.mark.parametrize("call", PAYLOADS)
def test_a_payload_with_a_part_too_many_is_a_slip(call: str) -> None:
    """By its schema and at run time, which names the part, and those that the call takes; null is left out."""
    for part, told in {**EVERY_PART, "colour": "red"}.items():
        if part not in members()[call]["properties"]:
            payload = {**PAYLOADS[call], part: told}
            error = vtt.run(payload)["error"]
            assert problems(payload, "payload") != [], part
            assert (error["code"], error["field"]) == ("bad_request", part)
            assert set(error["allowed"]) == set(members()[call]["properties"])
            assert "error" not in vtt.run({**payload, part: None})


def spoilt(value: Any) -> Iterator[Any]:
    """The same with something else in one place, for each place that a text or a number has in it."""
    match value:
        case dict():
            yield from ({**value, name: other} for name, each in value.items() for other in spoilt(each))
        case list():
            for at, each in enumerate(value):
                yield from ([*value[:at], other, *value[at + 1 :]] for other in spoilt(each))
        case str() | int() | float():
            yield from (f"{value} of Nowhere", -7)


@pytest.mark.every_case
@pytest.mark.parametrize("call", PAYLOADS)
def test_an_error_says_in_which_part_of_the_payload_it_is(call: str) -> None:
    """Whatever is wrong, and whether its model finds it or the rules do."""
    for payload in spoilt(PAYLOADS[call]):
        error = vtt.run(payload).get("error", {"field": "request"})
        cure = f"where the call {call!r} hands its request on: with within(...), narrator/api/requests.py"
        assert error["field"].split(".")[0] in PAYLOADS[call], f"{error} begins with no part of the payload: {cure}"


@pytest.mark.full
@given(st.data())
def test_whatever_is_asked_comes_out_as_its_schema_has_it(data: st.DataObject) -> None:
    """Of every call and every ruleset, along a turn: the answer, or where it is refused the error."""
    request = data.draw(requests())
    for call in ("resolve", "odds", "reach"):
        answered({"call": call, "request": request})
    answer = answered({"call": "suggest", "request": request})
    resolution = answer["resolution"]
    resolved = {**request, **({"seed": resolution["seed"]} if "seed" in resolution else {})}
    for suggestion in answer["suggestions"]:
        assert problems(suggestion, "suggestion") == []
        answered({"call": "check", "request": resolved, "candidate": suggestion})
    for branch in resolution["branches"]:
        first = {each["slot"]: each for each in reversed(answer["suggestions"])}
        words = [first[slot["id"]] for slot in branch["slots"] if slot["id"] in first]
        grants = [{"index": at, "to": each["to"][0]} for at, each in enumerate(branch["grants"]) if each["to"]]
        ways = [way for grant in branch["grants"] for way in grant.get("absorb", ())]
        harm = [{"absorb": way} for way in ways] or [{"taken_out": True}, {}]
        choice = {"branch": branch["id"], "suggestions": words, "grants": grants, **data.draw(st.sampled_from(harm))}
        settled = answered({"call": "settle", "request": resolved, "choice": choice})
        if "scene" in settled:
            assert problems(settled["scene"], "scene") == []


def answered(payload: Json) -> Json:
    """What a payload gives, which is as its schema has it; so is the payload."""
    answer = vtt.run(payload)
    assert problems(payload, "payload") == []
    assert problems(answer, "error" if "error" in answer else GIVES[payload["call"]]) == []
    return answer


@pytest.mark.parametrize("ruleset", DEEDS)
def test_every_table_comes_out_as_its_schema_has_it(ruleset: str) -> None:
    """Of every action of every ruleset."""
    for action in ("overcome", "discover", "create_advantage", "attack", "defend"):
        answered({"call": "table", "request": {"ruleset": ruleset, "action": action}})


@pytest.mark.full
@given(requests())
def test_every_event_comes_out_as_its_schema_has_it(request: Json) -> None:
    """From the resolution to the whole answer."""
    for event in narrator.stream(request, source="deck"):
        assert problems(event.as_json(), "event") == []


@pytest.mark.parametrize(
    "payload", [{}, {"call": "fly"}, {"call": "odds", "request": {"ruleset": "x", "action": LITTLE}}]
)
def test_an_error_comes_out_as_its_schema_has_it(payload: Json) -> None:
    """With a list of what would have been right, or without."""
    assert problems(vtt.run(payload), "error") == []


def test_what_comes_out_may_be_sent_again() -> None:
    """A settled scene is a scene for the next request, and what is in reach an invocation, null nowhere needed."""
    offers, settled = vtt.run(PAYLOADS["reach"])["reach"], vtt.run(PAYLOADS["settle"])
    action = {**REQUEST["action"], "invocations": [offers[0]["invocation"]]}

    assert problems({**REQUEST, "scene": settled["scene"], "action": action}, "request") == []
