"""What holds of every request, whatever the ruleset: hypothesis looks for the one of which it does not."""

import json
from contextlib import suppress
from typing import Any

from hypothesis import event, given

import narrator
from narrator import NarratorError
from narrator.errors import ERROR_CODES
from narrator.rules.json_text import Json
from tests.documents import OUTCOMES, stress_of
from tests.rules.build import LEVELS, resolved
from tests.strategies import GM, almost_requests, any_json, at, paths, requests, spoilt_requests

# Who is who, worked out from the request alone.


def actor_of(request: Json) -> Json:
    """The actor with a whole sheet: the one told, or what the contract says of those that tell none."""
    name = request["action"]["actor"]
    listed = {each["name"]: each for each in request["scene"].get("characters", [])}
    found = listed.get(name, {"importance": "pc"}) if not listed else listed[name]
    has_one = found.get("importance", "nameless") in ("pc", "named")
    return {
        "stress": stress_of(found, request["ruleset"]),
        "consequences": found.get("consequences", [{"severity": level} for level in LEVELS] if has_one else []),
    }


def sides_of(request: Json) -> tuple[list[str], list[str]]:
    """The actor's side, and everyone on another, or the GM where that is nobody."""
    action, against = request["action"], request["action"]["opposition"]
    side = {each["name"]: each["side"] for each in request["scene"].get("characters", [])}
    if not side:
        ours = [action["actor"], *action.get("helpers", [])]
        named = [action.get("target"), against.get("by"), *against.get("helpers", [])]
        others = {name for name in named if name not in (None, GM, *ours)}
        return sorted(ours), sorted(others) or [GM]
    mine = side[action["actor"]]
    return sorted(name for name in side if side[name] == mine), sorted(n for n in side if side[n] != mine) or [GM]


def defender_of(request: Json) -> list[str]:
    """Who defends, as a list of one: by rolling, or as the target of what is defended even when passive."""
    action, against = request["action"], request["action"]["opposition"]
    if against["kind"] == "defend":
        return [against.get("by") or action["target"]]
    return [action["target"]] if action["type"] in ("attack", "create_advantage") and "target" in action else []


# Properties of what is resolved.


@given(request=requests())
def test_a_valid_request_is_resolved(request: Json) -> None:
    """It never fails, there is something to choose, every slot can be filled, and nothing is told as null."""
    answer = resolved(request)

    event(f"{answer['ruleset']} {answer['action']['type']} {answer['outcome']}")
    ids = [branch["id"] for branch in answer["branches"]]
    assert not [path for path in paths(answer) if at(answer, path) is None]
    assert ids
    assert len(ids) == len(set(ids))
    for branch in answer["branches"]:
        slots = [slot["id"] for slot in branch["slots"]]
        assert len(slots) == len(set(slots))
        assert all(slot["forms"] for slot in branch["slots"])
        for slot in branch["slots"]:
            forms = [form["form"] for form in slot["forms"]]
            assert len(forms) == len(set(forms))


@given(request=requests())
def test_resolving_is_pure(request: Json) -> None:
    """The same request gives the same bytes, as a mapping and as text, and is left as it was."""
    before = json.dumps(request)
    first = json.dumps(resolved(request))

    assert first == json.dumps(resolved(request))
    assert first == json.dumps(narrator.resolve(before).as_json())
    assert before == json.dumps(request)


@given(request=requests())
def test_numbers_agree(request: Json) -> None:
    """A total is what it is made of, shifts are their difference, and the outcome follows from the shifts."""
    answer = resolved(request)
    shifts = answer["roll"]["total"] - answer["opposition"]["total"]
    steps = {"fail": -1000, **OUTCOMES[answer["ruleset"]]}

    assert shifts == answer["shifts"]
    assert answer["outcome"] == [outcome for outcome, least in steps.items() if shifts >= least][-1]
    for side, asked in (("roll", request["action"]), ("opposition", request["action"]["opposition"])):
        told = answer[side]
        bonuses = [each for each in asked.get("invocations", []) if each["use"] == "bonus"]
        assert told["invoked"] == 2 * len(bonuses)
        if "dice" in told:
            assert told["total"] == sum(told["dice"]) + told["skill"] + told["bonus"] + told["invoked"]
        if told_faces := asked.get("roll", {}).get("dice"):
            assert told_faces == told["rolled"]
        if "total" in asked.get("roll", {}):
            assert told["total"] == asked["roll"]["total"] + told["invoked"]


AGAINST_THE_ACTOR = ("opposition_advantage", "opposition_boost", "opposition_free_invocation", "troubling_aspect")
ON_THE_ACTOR = ("consequence", "stress", "footwork")
ON_THE_DEFENDER = ("knockback", "disarm")


@given(request=requests())
def test_everyone_named_is_on_the_right_side(request: Json) -> None:
    """What serves the opposition goes to them, what costs the actor falls on the actor, and names are sorted."""
    answer = resolved(request)
    ours, theirs = sides_of(request)
    actor, defender = [request["action"]["actor"]], defender_of(request)

    for branch in answer["branches"]:
        for given_ in (*branch["grants"], *(form for slot in branch["slots"] for form in slot["forms"])):
            assert given_.get("to", []) == sorted(given_.get("to", []))
            assert set(given_.get("to", [])) <= {*ours, *theirs, *defender, GM}
        for grant in branch["grants"]:
            if grant["type"] == "hit":
                assert grant["to"] in (actor, defender)
            elif grant["type"] == "forfeit_next_contest_roll":
                assert actor == grant["to"]
            elif grant["type"] == "free_invocations":
                assert grant["to"] == theirs or set(actor) <= set(grant["to"]) <= {*ours}
        for slot in branch["slots"]:
            for form in slot["forms"]:
                if form["form"] in AGAINST_THE_ACTOR:
                    assert (theirs if form["free_invocations"] else []) == form["to"]
                elif form["form"] in ON_THE_ACTOR:
                    assert actor == form["to"]
                elif form["form"] in ON_THE_DEFENDER or slot["id"] in ("defender_boost", "charge_boost"):
                    assert defender == form["to"]


@given(request=requests())
def test_harm_takes_what_is_free(request: Json) -> None:
    """A consequence is at the lowest free level, stress on tracks with a free box; neither is offered else."""
    answer = resolved(request)
    sheet = actor_of(request)
    free = [each["severity"] for each in sheet["consequences"] if "name" not in each]
    tracks = sorted(
        name for name, track in sheet["stress"].items() if len(track["boxes"]) > len(track.get("marked", []))
    )

    for slot in (slot for branch in answer["branches"] for slot in branch["slots"]):
        for form in slot["forms"]:
            if form["form"] == "consequence":
                assert form["severity"] == min(free, key=LEVELS.__getitem__)
            elif form["form"] == "stress":
                assert (form["amount"], form["tracks"]) == (1, tracks)
                assert tracks


# Properties of what is refused.


def error_of(request: Any) -> NarratorError | None:
    """What a request is refused with, if it is; any other exception is a failure."""
    try:
        resolved(request)
    except NarratorError as error:
        return error
    return None


@given(request=spoilt_requests())
def test_a_spoilt_request_is_resolved_or_refused(request: Json) -> None:
    """Whatever is deleted, replaced or added, the answer is a resolution or an error of the contract."""
    error = error_of(request)

    event("resolved" if error is None else error.code)
    if error is not None:
        assert error.code in ERROR_CODES
        assert error.code != "internal_error"
        json.dumps(error.as_json()).encode()


@given(value=any_json() | almost_requests())
def test_any_json_is_resolved_or_refused(value: Any) -> None:
    """JSON that was never meant as a request is refused, as a value and as text."""
    error = error_of(value)
    assert error is None or error.as_json()["error"]["message"]
    with suppress(NarratorError):
        narrator.resolve(json.dumps(value))
