"""The entry for macros: a payload in, a JSON-ready object out, and never an exception."""

import asyncio
import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from narrator import vtt
from narrator.api import registry
from narrator.errors import ERROR_CODES
from narrator.rules.json_text import Json
from tests.asking import CYNERE, GUARD
from tests.interfaces.running import payload_of

EXAMPLES = Path(__file__).parents[2] / "examples"
REFUSED = json.loads((EXAMPLES / "refused.json").read_text("utf-8")) | {"request": CYNERE}
ACTION = CYNERE["action"]

pytestmark = pytest.mark.usefixtures("small")

RESOLUTION = json.loads("""{
  "ruleset": "small", "source": {"document": "Small", "section": "Overcome"},
  "action": {"type": "overcome", "actor": "Cynere", "skill": "Resources"}, "seed": 7,
  "roll": {"dice": [1, 0, 0, 0], "rolled": [1, 0, 0, 0], "skill": 1, "bonus": 0, "invoked": 0, "total": 2,
           "ladder": "Fair"},
  "opposition": {"kind": "active", "by": "Gate Guards", "dice": [1, 1, 1, 0], "rolled": [1, 1, 1, 0], "skill": 0,
                 "bonus": 0, "invoked": 0, "total": 3, "ladder": "Good"},
  "shifts": -1,
  "outcome": "fail",
  "branches": [
    {"id": "fail", "label": "Fail", "goal": "not_attained", "grants": [], "slots": []},
    {"id": "serious_cost", "label": "Succeed at a serious cost", "goal": "attained", "grants": [],
     "slots": [{"id": "serious_cost", "kind": "serious_cost", "forms": [
       {"form": "new_opposition", "label": "Somebody new"},
       {"form": "consequence", "label": "On Cynere", "to": ["Cynere"], "severity": "mild", "free_invocations": 0},
       {"form": "opposition_advantage", "label": "Their edge", "to": ["Gate Guards"], "free_invocations": 1}]}]}
  ],
  "notices": []
}""")
"""The resolution as the contract shows it, with the labels of this ruleset."""


@pytest.mark.parametrize("seed", [0, 10**9 + 1, 2**53 - 1, -1, 1 - 2**53])
def test_the_numbers_of_an_answer_may_be_sent_back(seed: int) -> None:
    """Also by JavaScript, whose whole numbers are exact up to 2**53: seed and deal lead to the same again."""
    asked = {"action": {**CYNERE["action"], "roll": None}, "seed": seed}
    first = vtt.run({"call": "suggest", "request": asked})
    told = {"seed": float(first["resolution"]["seed"]), "deal": float(first["deal"])}

    again = vtt.run(json.dumps({"call": "suggest", "request": {**asked, **told}}))

    assert again == first


@pytest.mark.parametrize("field", ["seed", "deal"])
@pytest.mark.parametrize("number", [2**53, -(2**53), 2**63, 2**64, 10**400, 7.5, True, "7"], ids=lambda n: str(n)[:20])
def test_a_number_that_could_not_come_back_is_refused_at_once(field: str, number: Any) -> None:
    """With what is allowed, before anything is made of it."""
    error = vtt.run({"call": "suggest", "request": {**CYNERE, field: number}})["error"]

    assert (error["code"], error["field"]) == ("bad_request", f"request.{field}")
    assert re.search(r"9007199254740991 or|0 or more|whole number", error["message"])


def call(name: str, **parts: Any) -> Json:
    """What the call of this name gives, of which JSON can be made and read again."""
    result = vtt.run({"call": name, **parts})
    assert result == json.loads(json.dumps(result, allow_nan=False))
    return result


def test_resolve_gives_the_contracts_resolution() -> None:
    """Every field of the contract's example, and no other."""
    assert call("resolve", request=CYNERE) == RESOLUTION


def test_check_refuses_with_the_contracts_rejection() -> None:
    """A refused one comes back as it was, with code, field and message."""
    message = (
        "A failure on overcome allows new_opposition, consequence, opposition_advantage; "
        "an opposition boost is a minor cost."
    )
    told = {"candidate": REFUSED["candidate"], "code": "form_not_allowed", "field": "form", "message": message}
    assert {"rejected": told} == vtt.run(REFUSED)


def test_suggest_gives_the_contracts_answer() -> None:
    """Version, resolution, suggestions, what was rejected, usage, notices; from the deck, where no model is named."""
    answer = call("suggest", request=CYNERE)
    suggestions = answer.pop("suggestions")
    assert {each["card"] for each in suggestions} == set(answer.pop("dealt"))
    assert answer.pop("deal") == CYNERE["seed"]
    usage = {"calls": 0, "input_tokens": 0, "cached_tokens": 0, "output_tokens": 0, "seconds": 0.0, "prompts": []}
    expected = {"version": "narrator/v1", "resolution": RESOLUTION, "rejected": [], "usage": usage, "notices": []}
    assert expected == answer
    assert {"new_opposition", "consequence", "opposition_advantage"} == {each["form"] for each in suggestions}
    for each in suggestions:
        del each["card"]
        assert {"accepted": each | {"source": "given"}} == call("check", request=CYNERE, candidate=each)
        assert each["source"] == "deck"
        assert {"slot", "kind", "form", "name", "detail", "source"} <= each.keys()
        assert None not in each.values()


def test_little_is_enough() -> None:
    """Of a request only the action's type, its actor and an opposition are required."""
    little = {"type": "overcome", "actor": "Cynere", "opposition": {"kind": "passive", "rating": 2}}
    resolution = call("resolve", request={"action": little})
    assert isinstance(resolution["seed"], int)
    assert resolution == call("resolve", request={"action": little, "seed": resolution["seed"]})
    assert "suggestions" in call("suggest", request={"action": little})


@pytest.mark.parametrize("kind", [str, bytes, dict])
def test_takes_text_bytes_and_mappings(kind: type) -> None:
    """The same payload gives the same, however it comes."""
    payload = {"call": "resolve", "request": CYNERE}
    given = payload if kind is dict else json.dumps(payload) if kind is str else json.dumps(payload).encode()
    assert vtt.run(given) == RESOLUTION


def changed(path: str, value: Any) -> Json:
    """The example with another value at a dotted path."""
    request: Json = json.loads(json.dumps(CYNERE))
    place: Any = request
    *above, last = (int(step) if step.isdigit() else step for step in path.split("."))
    for step in above:
        place = place[step] if isinstance(step, int) else place.setdefault(step, {})
    place[last] = value
    return request


def test_errors_list_what_is_allowed() -> None:
    """Where there is a list of what would have been accepted, it is given: of a call's name, too."""
    result = call("resolve", request=changed("action.actor", "Landon"))
    message = "the scene lists nobody called 'Landon'"
    told = {"code": "unknown_character", "field": "request.action.actor", "message": message}
    assert {"error": told | {"allowed": ["Cynere", "Gate Guards", "GM"]}} == result
    assert call("sing", request=CYNERE)["error"]["allowed"] == sorted(registry.CALLS)


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
JSON = st.recursive(
    LEAVES | st.sampled_from(["Cynere", "overcome", "five-actions", "passive", "GM", "*"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*ACTION, *CYNERE, "kind", "rating", "x"]), inner, max_size=5)
    ),
    max_leaves=15,
)
NAMES = st.sampled_from([*registry.CALLS, "sing", ""])


def assert_answers(payload: Any) -> None:
    """The answer is an object for JSON: a result, or an error that is not narrator's own."""
    result = vtt.run(payload)
    json.dumps(result, allow_nan=False)
    if "error" in result:
        assert result["error"]["code"] in ERROR_CODES
        assert result["error"]["code"] != "internal_error"


@given(st.one_of(st.text(), st.binary(), JSON, JSON.map(json.dumps)))
@settings(max_examples=100, deadline=None)
def test_any_payload_gets_an_answer(payload: Any) -> None:
    """Never an exception."""
    assert_answers(payload)


@given(NAMES, JSON, JSON, JSON)
@settings(max_examples=100, deadline=None)
def test_any_parts_get_an_answer(name: str, request: Any, candidate: Any, choice: Any) -> None:
    """Any value as the request, the candidate or the choice of any call."""
    assert_answers(payload_of(name, request=request, candidate=candidate, choice=choice))


PLACES = st.sampled_from(
    [
        *("ruleset", "branch", "per_slot", "seed", "scene", "action", "scene.frame", "scene.facts", "scene.recent"),
        *("scene.aspects", "scene.characters", "scene.zones", "scene.lines", "scene.language", "scene.tone"),
        *("scene.aspects.0", "scene.characters.0", "scene.characters.1", "scene.characters.0.skills"),
        *("scene.characters.0.stress", "scene.characters.0.consequences", "scene.characters.0.fate_points"),
        *(f"action.{field}" for field in (*ACTION, "target", "aspect", "bonus", "helpers", "invocations", "attack")),
        *("action.roll.dice", "action.roll.total", "action.opposition.kind", "action.opposition.roll", "action.path"),
    ]
)


@given(NAMES, PLACES, JSON)
@settings(max_examples=150, deadline=None)
def test_any_value_in_a_request_gets_an_answer(name: str, place: str, value: Any) -> None:
    """Any value in the place of any field of a request that is right otherwise."""
    assert_answers(payload_of(name, request=changed(place, value), candidate=GUARD, choice={"branch": "fail"}))


@pytest.mark.parametrize("fault", [RuntimeError, ValueError, KeyError, AssertionError, RecursionError])
@pytest.mark.parametrize("place", ["rolls.resolve", "words.suggest", "judgement.check"])
def test_a_fault_of_ours_is_told_as_such(
    place: str, fault: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What breaks inside, on a loop or not, is no mistake of the user's; the log has it, the macro gets no innards."""

    def broken(*_: Any, **__: Any) -> Any:
        raise fault("the innards")

    module, _, name = place.partition(".")
    for each in (name, f"a{name}"):
        monkeypatch.setattr(f"narrator.api.{module}.{each}", broken, raising=False)
    payload = payload_of(name, request=CYNERE, candidate=GUARD)
    with caplog.at_level(logging.ERROR):
        result = vtt.run(payload)
        assert asyncio.run(vtt.arun(payload)) == result
    assert (result["error"]["code"], result["error"]["field"]) == ("internal_error", "")
    assert "the innards" not in json.dumps(result)
    assert "the innards" in caplog.text
