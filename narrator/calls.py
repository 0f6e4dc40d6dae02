"""Every call by its name: what it takes, what it gives, and who makes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator

from narrator import api
from narrator.api import Chosen
from narrator.deck.cards import DeckFile
from narrator.errors import NarratorError
from narrator.rules.action import USUAL
from narrator.rules.chances import Odds, Reach
from narrator.rules.changes import Settled
from narrator.rules.json_text import parsed
from narrator.rules.model import LIST, Given, Model, Name
from narrator.rules.resolution import Resolution
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Scene
from narrator.rules.table import Table
from narrator.suggestions.answer import Answer
from narrator.validation.verdict import Verdict, Violation

LARGEST = 1_000_000
"""Bytes or characters of a payload."""

Payload = str | bytes | Mapping[str, Any]


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


class TurnOrderRequest(Given):
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


class Reaches(Model):
    """
    What the call `reach` gives.
    """

    reach: tuple[Reach, ...]
    """Every invocation still on offer."""


class Violations(Model):
    """
    What the call `violations` gives.
    """

    violations: tuple[Violation, ...]
    """All that is wrong, in the order of the rejection codes; empty: nothing is."""


class TurnOrder(Model):
    """
    What the call `turn_order` gives.
    """

    turn_order: tuple[str, ...]
    """The names of everyone who is not taken out, in the order of their turns."""


class Rulesets(Model):
    """
    What the call `rulesets` gives.
    """

    rulesets: tuple[str, ...]
    """The names, sorted: those that come with narrator, and the user's own."""


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


def dispatch(call: Call, at_hand: AtHand = NOTHING) -> Model:
    """
    Make a call by its name.

    Raises:
        NarratorError: `bad_request` for a name or a part that is missing, and what the call raises.
    """
    if call.call not in CALLS:
        raise NarratorError("bad_request", "call", "there is no such call", sorted(CALLS))
    if call.call not in WITHOUT_REQUEST and not isinstance(call.request, Mapping):
        raise NarratorError("bad_request", "request", "this must be an object")
    return CALLS[call.call].make(call, at_hand)


def _resolve(call: Call, at_hand: AtHand) -> Model:
    return api.resolve(call.request, rulesets=at_hand.rulesets)


def _suggest(call: Call, at_hand: AtHand) -> Model:
    return api.suggest(call.request, source=at_hand.source, rulesets=at_hand.rulesets, decks=at_hand.decks)


def _odds(call: Call, at_hand: AtHand) -> Model:
    return api.odds(call.request, rulesets=at_hand.rulesets)


def _reach(call: Call, at_hand: AtHand) -> Model:
    return Reaches(reach=api.reach(call.request, rulesets=at_hand.rulesets))


def _check(call: Call, at_hand: AtHand) -> Model:
    return api.check(call.request, _candidate(call), rulesets=at_hand.rulesets)


def _violations(call: Call, at_hand: AtHand) -> Model:
    return Violations(violations=api.violations(call.request, _candidate(call), rulesets=at_hand.rulesets))


def _settle(call: Call, at_hand: AtHand) -> Settled:
    return api.settle(call.request, _choice(call), call.expect_revision, rulesets=at_hand.rulesets)


def _apply(call: Call, at_hand: AtHand) -> Model:
    return _settle(call, at_hand).scene


def _turn_order(call: Call, _: AtHand) -> Model:
    asked = TurnOrderRequest.read(call.request)
    order = api.turn_order(asked.scene, asked.approach, ties=asked.ties, together=asked.together, first=asked.first)
    return TurnOrder(turn_order=order)


def _table(call: Call, at_hand: AtHand) -> Model:
    asked = TableRequest.read(call.request)
    return api.table(api.find_ruleset(asked.ruleset, at_hand.rulesets), asked.action, asked.variant)


def _rulesets(_: Call, at_hand: AtHand) -> Model:
    return Rulesets(rulesets=tuple(sorted({*api.rulesets(), *(ruleset.name for ruleset in at_hand.rulesets)})))


def _candidate(call: Call) -> Any:
    if call.candidate is None:
        raise NarratorError("bad_request", "candidate", "this is required: the suggestion to judge")
    return call.candidate


def _choice(call: Call) -> Mapping[str, Any]:
    if call.choice is None:
        raise NarratorError("bad_request", "choice", "this is required: the branch, and what was chosen in it")
    if not isinstance(call.choice, Mapping):
        raise NarratorError("bad_request", "choice", "this must be an object")
    return call.choice


@dataclass(frozen=True)
class Entry:
    """
    How a call is made, and the model of what it gives.
    """

    make: Callable[[Call, AtHand], Model]
    gives: type[Model]


CALLS: dict[str, Entry] = {
    "resolve": Entry(_resolve, Resolution),
    "suggest": Entry(_suggest, Answer),
    "odds": Entry(_odds, Odds),
    "reach": Entry(_reach, Reaches),
    "check": Entry(_check, Verdict),
    "violations": Entry(_violations, Violations),
    "settle": Entry(_settle, Settled),
    "apply": Entry(_apply, Scene),
    "turn_order": Entry(_turn_order, TurnOrder),
    "table": Entry(_table, Table),
    "rulesets": Entry(_rulesets, Rulesets),
}
"""Every call, in the order in which a turn makes them."""

WITHOUT_REQUEST = frozenset(("rulesets",))
