"""The entry for macros, and the one place that dispatches a call by its name."""

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator

from narrator import api
from narrator.api import Chosen
from narrator.errors import NarratorError
from narrator.rules.action import USUAL
from narrator.rules.json_text import parsed
from narrator.rules.model import LIST, Given, Model, Name
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Scene

LARGEST = 1_000_000
"""Bytes or characters of a payload."""

Payload = str | bytes | Mapping[str, Any]

Result = Model | dict[str, Any]
"""What a call gives: a model, or under the call's own name what is no object by itself."""


class Call(Given):
    """
    A call: its name, and what it is about.
    """

    call: Annotated[str, AfterValidator(lambda name: name.replace("-", "_"))]
    """Its name, as in Python or as on the command line."""
    request: Any = None
    """What it is about, as an object; `rulesets` wants none."""
    candidate: Any = None
    """For `check` and `violations`: the suggestion to judge."""
    choice: Any = None
    """For `settle` and `apply`: what was chosen, as an object."""
    expect_revision: Any = None
    """For `settle`: the revision that the scene has to be of; left out: any."""


class TurnsRequest(Given):
    """
    A scene, and how its people are put in order.
    """

    scene: Scene
    """Who is there; whoever is taken out has no turn."""
    approach: Name
    """The skill or approach that decides, the highest rating first."""
    ties: Annotated[tuple[Name, ...], LIST] = ()
    """Further ones that break a tie, in order; what is still tied goes as the scene lists it."""
    together: Annotated[tuple[Name, ...], LIST] = ()
    """The sides that act together, on the turn of their best; left out: everyone acts alone."""
    first: Annotated[tuple[Name, ...], LIST] = ()
    """The names that lead whatever their rating, as in an ambush, in this order."""


class TableRequest(Given):
    """
    Which table is to be shown; without a variant, those of all.
    """

    ruleset: Name = USUAL
    """The ruleset's name."""
    action: Name
    """The action, as in `action.type`."""
    variant: Name | None = None
    """The variant; left out: the tables of all."""


def run(payload: Payload) -> dict[str, Any]:
    """
    Answer a call. Never raises for what a macro sends: an error is the contract's error object.

    Args:
        payload: JSON text, or a mapping: `{"call": "suggest", "request": {...}}`.
    """
    try:
        return as_json(dispatch(read(payload)))
    except NarratorError as error:
        return error.as_json()
    except Exception as fault:
        logging.getLogger(__name__).exception("a fault of narrator's own")
        message = f"a fault of narrator's own ({type(fault).__name__}), not of the request; its log tells more"
        return NarratorError("internal_error", "", message).as_json()


def read(payload: Payload, *, call: str | None = None) -> Call:
    """
    Read a payload; where the call is known already, a bare request is one too.

    Raises:
        NarratorError: `bad_request`.
    """
    if isinstance(payload, str | bytes):
        if len(payload) > LARGEST:
            raise NarratorError("bad_request", "", f"this is larger than {LARGEST} characters")
        payload = parsed(payload)
    if not isinstance(payload, Mapping):
        raise NarratorError("bad_request", "", "this must be an object")
    if call is None:
        return Call.read(payload)
    if "request" not in payload:
        payload = {"request": payload}
    if payload.get("call", call) != call:
        raise NarratorError("bad_request", "call", f"this is a payload for another call than {call}", [call])
    return Call.read({**payload, "call": call})


def dispatch(call: Call, *, source: Chosen = None, rulesets: Iterable[Ruleset] = ()) -> Result:
    """
    Make a call by its name.

    Raises:
        NarratorError: `bad_request` for a name or a part that is missing, and what the call raises.
    """
    if call.call not in CALLS:
        raise NarratorError("bad_request", "call", "there is no such call", sorted(CALLS))
    if call.call not in WITHOUT_REQUEST and not isinstance(call.request, Mapping):
        raise NarratorError("bad_request", "request", "this must be an object")
    return CALLS[call.call](call, source, rulesets)


def as_json(result: Result) -> dict[str, Any]:
    """
    Return what a call gave, ready for JSON.
    """
    return result.as_json() if isinstance(result, Model) else result


def _apply(call: Call, _: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    return api.settle(call.request, _choice(call), call.expect_revision, rulesets=rulesets).scene


def _settle(call: Call, _: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    return api.settle(call.request, _choice(call), call.expect_revision, rulesets=rulesets)


def _choice(call: Call) -> Mapping[str, Any]:
    if call.choice is None:
        raise NarratorError("bad_request", "choice", "this is required: the branch, and what was chosen in it")
    if not isinstance(call.choice, Mapping):
        raise NarratorError("bad_request", "choice", "this must be an object")
    return call.choice


def _check(call: Call, _: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    return api.check(call.request, _candidate(call), rulesets=rulesets)


def _odds(call: Call, _: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    return api.odds(call.request, rulesets=rulesets)


def _reach(call: Call, _: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    return {"reach": [each.as_json() for each in api.reach(call.request, rulesets=rulesets)]}


def _resolve(call: Call, _: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    return api.resolve(call.request, rulesets=rulesets)


def _rulesets(_: Call, __: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    return {"rulesets": sorted({*api.rulesets(), *(ruleset.name for ruleset in rulesets)})}


def _suggest(call: Call, source: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    return api.suggest(call.request, source=source, rulesets=rulesets)


def _turn_order(call: Call, _: Chosen, __: Iterable[Ruleset]) -> Result:
    asked = TurnsRequest.read(call.request)
    order = api.turn_order(asked.scene, asked.approach, ties=asked.ties, together=asked.together, first=asked.first)
    return {"turn_order": list(order)}


def _table(call: Call, _: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    asked = TableRequest.read(call.request)
    return api.table(api.find_ruleset(asked.ruleset, rulesets), asked.action, asked.variant)


def _violations(call: Call, _: Chosen, rulesets: Iterable[Ruleset]) -> Result:
    found = api.violations(call.request, _candidate(call), rulesets=rulesets)
    return {"violations": [each.as_json() for each in found]}


def _candidate(call: Call) -> Any:
    if call.candidate is None:
        raise NarratorError("bad_request", "candidate", "this is required: the suggestion to judge")
    return call.candidate


CALLS: dict[str, Callable[[Call, Chosen, Iterable[Ruleset]], Result]] = {
    "apply": _apply,
    "check": _check,
    "odds": _odds,
    "reach": _reach,
    "resolve": _resolve,
    "rulesets": _rulesets,
    "settle": _settle,
    "suggest": _suggest,
    "table": _table,
    "turn_order": _turn_order,
    "violations": _violations,
}

WITHOUT_REQUEST = frozenset(("rulesets",))
