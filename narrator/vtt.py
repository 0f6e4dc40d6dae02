"""The entry for macros, and the one place that dispatches a call by its name."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator

from narrator import api
from narrator.api import Chosen
from narrator.deck.cards import DeckFile
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


@dataclass(frozen=True)
class AtHand:
    """
    What a caller has beside the payload: who writes, and house rulesets and decks that it loaded.
    """

    source: Chosen = None
    rulesets: tuple[Ruleset, ...] = ()
    decks: tuple[DeckFile, ...] = ()


NOTHING = AtHand()


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


def dispatch(call: Call, at_hand: AtHand = NOTHING) -> Result:
    """
    Make a call by its name.

    Raises:
        NarratorError: `bad_request` for a name or a part that is missing, and what the call raises.
    """
    if call.call not in CALLS:
        raise NarratorError("bad_request", "call", "there is no such call", sorted(CALLS))
    if call.call not in WITHOUT_REQUEST and not isinstance(call.request, Mapping):
        raise NarratorError("bad_request", "request", "this must be an object")
    return CALLS[call.call](call, at_hand)


def as_json(result: Result) -> dict[str, Any]:
    """
    Return what a call gave, ready for JSON.
    """
    return result.as_json() if isinstance(result, Model) else result


def _apply(call: Call, at_hand: AtHand) -> Result:
    return api.settle(call.request, _choice(call), call.expect_revision, rulesets=at_hand.rulesets).scene


def _settle(call: Call, at_hand: AtHand) -> Result:
    return api.settle(call.request, _choice(call), call.expect_revision, rulesets=at_hand.rulesets)


def _choice(call: Call) -> Mapping[str, Any]:
    if call.choice is None:
        raise NarratorError("bad_request", "choice", "this is required: the branch, and what was chosen in it")
    if not isinstance(call.choice, Mapping):
        raise NarratorError("bad_request", "choice", "this must be an object")
    return call.choice


def _check(call: Call, at_hand: AtHand) -> Result:
    return api.check(call.request, _candidate(call), rulesets=at_hand.rulesets)


def _odds(call: Call, at_hand: AtHand) -> Result:
    return api.odds(call.request, rulesets=at_hand.rulesets)


def _reach(call: Call, at_hand: AtHand) -> Result:
    return {"reach": [each.as_json() for each in api.reach(call.request, rulesets=at_hand.rulesets)]}


def _resolve(call: Call, at_hand: AtHand) -> Result:
    return api.resolve(call.request, rulesets=at_hand.rulesets)


def _rulesets(_: Call, at_hand: AtHand) -> Result:
    return {"rulesets": sorted({*api.rulesets(), *(ruleset.name for ruleset in at_hand.rulesets)})}


def _suggest(call: Call, at_hand: AtHand) -> Result:
    return api.suggest(call.request, source=at_hand.source, rulesets=at_hand.rulesets, decks=at_hand.decks)


def _turn_order(call: Call, _: AtHand) -> Result:
    asked = TurnsRequest.read(call.request)
    order = api.turn_order(asked.scene, asked.approach, ties=asked.ties, together=asked.together, first=asked.first)
    return {"turn_order": list(order)}


def _table(call: Call, at_hand: AtHand) -> Result:
    asked = TableRequest.read(call.request)
    return api.table(api.find_ruleset(asked.ruleset, at_hand.rulesets), asked.action, asked.variant)


def _violations(call: Call, at_hand: AtHand) -> Result:
    found = api.violations(call.request, _candidate(call), rulesets=at_hand.rulesets)
    return {"violations": [each.as_json() for each in found]}


def _candidate(call: Call) -> Any:
    if call.candidate is None:
        raise NarratorError("bad_request", "candidate", "this is required: the suggestion to judge")
    return call.candidate


CALLS: dict[str, Callable[[Call, AtHand], Result]] = {
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
