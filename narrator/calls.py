"""Every call by its name: what it takes, what it gives, and who makes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from narrator.api import judging, reading, ruling, suggesting, wording
from narrator.api.suggesting import Chosen
from narrator.deck.cards import DeckFile
from narrator.errors import NarratorError
from narrator.rules.action import USUAL_RULESET, Deal, Request
from narrator.rules.chances import Odds, Reaches
from narrator.rules.changes import Settled
from narrator.rules.choice import Choice
from narrator.rules.json_text import parsed
from narrator.rules.model import LIST, MOST_BYTES, Count, Given, Model, Name, data_of
from narrator.rules.resolution import Resolution
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Scene
from narrator.rules.table import Table
from narrator.rules.without_roll import WordKind
from narrator.suggestions.answer import Answer, Prepared, Words
from narrator.validation.barring import BarredLines
from narrator.validation.verdict import Candidate, Verdict, Violations

Payload = str | bytes | Mapping[str, Any]
"""JSON text, or what it says."""

Object = Annotated[dict[str, Any], Field(strict=False), BeforeValidator(data_of)]
"""Part of a payload that whoever makes the call reads."""


class Call(Given):
    """A call: its name, and what it is about, as far as that was told."""

    call: str
    """Its name, as in Python."""
    request: Object = {}
    """What it is about; `rulesets` wants none."""
    candidate: Any = None
    """For `check` and `violations`: the suggestion to judge, whatever it is."""
    choice: Object = {}
    """For `settle` and `apply`: what was chosen."""
    expect_revision: Any = None
    """For `settle`: the revision that the scene has to be of; left out: any."""
    prepared: Any = None
    """For `suggest`: what `prepare` gave for this roll."""
    threshold: Any = None
    """For `prepare`: the least chance of a row; left out: 0.1."""
    by: Any = None
    """For `reach`: whose invocations alone; left out: everybody's."""
    limit: Any = None
    """For `reach`: how many at the most; left out: all."""


@dataclass(frozen=True)
class AtHand:
    """What a caller has beside the payload: who writes, and house rulesets and decks that it loaded."""

    source: Chosen = None
    rulesets: tuple[Ruleset, ...] = ()
    decks: tuple[DeckFile, ...] = ()


NOTHING = AtHand()


class TurnOrderRequest(Given):
    """A scene, and how its people are put in order."""

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


class LinesRequest(Given):
    """A scene, of which the lines and veils are looked at."""

    scene: Scene
    """The scene; its language says how they are read."""


class TableRequest(Given):
    """Which table is to be shown; without a variant, those of all."""

    ruleset: Name = USUAL_RULESET
    """The ruleset's name."""
    action: Name
    """The action, as in `action.type`."""
    variant: Name | None = None
    """The variant; left out: the tables of all."""


class WordRequest(Given):
    """A scene, and what words are wanted of it without a roll."""

    scene: Scene
    """Who and what is there."""
    kind: WordKind
    """What the words are: `opening` is that of a scene, `twist` what a contest's tie brings, `high_concept` and
    `trouble` are for somebody who is not a player's."""
    about: Name | None = None
    """Whom or what they are about: a character of the scene, an aspect in play, or anything in a few words. A
    consequence wants a character."""
    per_slot: Annotated[int, Field(ge=1, le=10)] = wording.PER_SLOT
    """How many suggestions are wanted, 1 to 10."""
    deal: Deal | None = None
    """Which deal of the deck's cards is wanted, a whole number from 0. Left out: drawn, and named in the answer."""
    ruleset: Name = USUAL_RULESET
    """Whose levels of consequences there are, and whose own cards."""


class RequestCall(Given):
    """A call that is about a request alone."""

    call: Literal["odds", "resolve"]
    """What is asked of narrator."""
    request: Request
    """The action, what opposes it, and who is there."""


class ReachCall(Given):
    """A call that wants to know what invocations would make of a roll."""

    call: Literal["reach"]
    """What is asked of narrator."""
    request: Request
    """The action, what opposes it, and who is there, with its dice or its seed."""
    by: Name | None = None
    """Whose invocations alone: what they could use, be passed, or pass on; left out: everybody's."""
    limit: Annotated[int, Field(ge=0)] | None = None
    """How many entries at the most, the first; left out: all."""


class SuggestCall(Given):
    """A call that wants words for a roll."""

    call: Literal["suggest"]
    """What is asked of narrator."""
    request: Request
    """The action, what opposes it, and who is there."""
    prepared: Object | None = None
    """What `prepare` gave for this roll: its words are judged again, and only what is missing is asked for."""


class PrepareCall(Given):
    """A call that wants words before the dice have fallen."""

    call: Literal["prepare"]
    """What is asked of narrator."""
    request: Request
    """The action, what opposes it, and who is there; dice that it has do not count."""
    threshold: Annotated[float, Field(ge=0, le=1)] = wording.THRESHOLD
    """The least chance of a row, from 0 to 1, that words are found for."""


class WordCall(Given):
    """A call that wants words without a roll."""

    call: Literal["word"]
    """What is asked of narrator."""
    request: WordRequest
    """Which words, of which scene."""


class CheckCall(Given):
    """A call that judges a suggestion."""

    call: Literal["check", "violations"]
    """`check` gives the first thing that is wrong, `violations` all of them."""
    request: Request
    """What the suggestion is for, with its dice or its seed: they decide the row."""
    candidate: Candidate
    """The suggestion to judge."""


class ChoiceCall(Given):
    """A call that enters a choice."""

    call: str
    """What is asked of narrator."""
    request: Request
    """What was resolved, with its dice or its seed."""
    choice: Choice
    """What was chosen of it."""


class ApplyCall(ChoiceCall):
    """A call that enters a choice and gives the next scene."""

    call: Literal["apply"]


class SettleCall(ChoiceCall):
    """A call that enters a choice, gives the next scene and says what changed."""

    call: Literal["settle"]
    expect_revision: Count | None = None
    """The revision that the scene has to be of, for tables where more than one settles; left out: any."""


class TurnOrderCall(Given):
    """A call that orders everyone for an exchange."""

    call: Literal["turn_order"]
    """What is asked of narrator."""
    request: TurnOrderRequest
    """Who is there, and what decides."""


class LinesCall(Given):
    """A call that says what each line and veil of a scene will catch."""

    call: Literal["lines"]
    """What is asked of narrator."""
    request: LinesRequest
    """Which scene."""


class TableCall(Given):
    """A call that shows the table of an action."""

    call: Literal["table"]
    """What is asked of narrator."""
    request: TableRequest
    """Which table."""


class RulesetsCall(Given):
    """A call that names the rulesets there are."""

    call: Literal["rulesets"]
    """What is asked of narrator."""


class TurnOrder(Model):
    """What the call `turn_order` gives."""

    turn_order: tuple[str, ...]
    """The names of everyone who is not taken out, in the order of their turns."""


class Rulesets(Model):
    """What the call `rulesets` gives."""

    rulesets: tuple[str, ...]
    """The names, sorted: those that come with narrator, and the user's own."""


def read(payload: Payload, *, call: str | None = None) -> Call:
    """Read a payload; where the call is known already, a bare request is one too.

    Raises:
        NarratorError: `bad_request`, also for a part that the call does not take.
    """
    if isinstance(payload, str | bytes):
        if len(payload) > MOST_BYTES:
            raise NarratorError("bad_request", "", f"this is larger than {MOST_BYTES} characters")
        payload = parsed(payload)
    if not isinstance(payload, Mapping):
        raise NarratorError("bad_request", "", "this must be an object")
    payload = {part: value for part, value in payload.items() if part != "call" or value is not None}
    if call is not None and "request" not in payload:
        payload = {"request": payload}
    name = payload.get("call", call)
    name = name.replace("-", "_") if isinstance(name, str) else name
    if call is not None and name != call:
        raise NarratorError("bad_request", "call", f"this is a payload for another call than {call}", [call])
    parts = CALLS[name].takes.model_fields if isinstance(name, str) and name in CALLS else Call.model_fields
    for part in Call.model_fields:
        if part not in parts and payload.get(part) is not None:
            raise NarratorError("bad_request", part, f"{name} takes no such part", parts)
    return Call.read({**payload, "call": name})


def dispatch(call: Call, at_hand: AtHand = NOTHING) -> Model:
    """Make a call by its name.

    Raises:
        NarratorError: `bad_request` for a name or a part that is missing, and what the call raises.
    """
    entry = CALLS.get(call.call)
    if entry is None:
        raise NarratorError("bad_request", "call", "there is no such call", sorted(CALLS))
    for part, field in entry.takes.model_fields.items():
        if field.is_required() and part not in call.model_fields_set:
            raise NarratorError("bad_request", part, "this is required")
    return entry.make(call, at_hand)


def _reach(call: Call, have: AtHand) -> Reaches:
    return Reaches(reach=ruling.reach(call.request, call.by, call.limit, rulesets=have.rulesets))


def _suggest(call: Call, have: AtHand) -> Answer:
    return suggesting.suggest(
        call.request, source=have.source, prepared=call.prepared, rulesets=have.rulesets, decks=have.decks
    )


def _prepare(call: Call, have: AtHand) -> Prepared:
    threshold = wording.THRESHOLD if call.threshold is None else call.threshold
    return wording.prepare(call.request, threshold, source=have.source, rulesets=have.rulesets, decks=have.decks)


def _word(call: Call, have: AtHand) -> Words:
    asked = WordRequest.read(call.request, "request")
    return wording.word(**dict(asked), source=have.source, rulesets=have.rulesets, decks=have.decks)


def _settle(call: Call, have: AtHand) -> Settled:
    return judging.settle(call.request, call.choice, call.expect_revision, rulesets=have.rulesets)


def _violations(call: Call, have: AtHand) -> Violations:
    return Violations(violations=judging.violations(call.request, call.candidate, rulesets=have.rulesets))


def _turn_order(call: Call, _: AtHand) -> TurnOrder:
    return TurnOrder(turn_order=ruling.turn_order(**dict(TurnOrderRequest.read(call.request))))


def _lines(call: Call, _: AtHand) -> BarredLines:
    return judging.lines(LinesRequest.read(call.request).scene)


def _table(call: Call, have: AtHand) -> Table:
    return ruling.table(**dict(TableRequest.read(call.request)), rulesets=have.rulesets)


def _rulesets(_: Call, have: AtHand) -> Rulesets:
    return Rulesets(rulesets=tuple(sorted({*reading.rulesets(), *(each.name for each in have.rulesets)})))


@dataclass(frozen=True)
class Entry:
    """A call: the model of its payload, how it is made, and the model of what it gives."""

    takes: type[Given]
    make: Callable[[Call, AtHand], Model]
    gives: type[Model]
    called: str | None = None
    """What one asks a schema of it by, where that is not the call's name."""


CALLS: dict[str, Entry] = {
    "resolve": Entry(
        RequestCall, lambda call, have: ruling.resolve(call.request, rulesets=have.rulesets), Resolution, "resolution"
    ),
    "suggest": Entry(SuggestCall, _suggest, Answer, "answer"),
    "prepare": Entry(PrepareCall, _prepare, Prepared, "prepared"),
    "word": Entry(WordCall, _word, Words, "words"),
    "odds": Entry(RequestCall, lambda call, have: ruling.odds(call.request, rulesets=have.rulesets), Odds),
    "reach": Entry(ReachCall, _reach, Reaches),
    "check": Entry(
        CheckCall,
        lambda call, have: judging.check(call.request, call.candidate, rulesets=have.rulesets),
        Verdict,
        "verdict",
    ),
    "violations": Entry(CheckCall, _violations, Violations),
    "settle": Entry(SettleCall, _settle, Settled),
    "apply": Entry(ApplyCall, lambda call, have: _settle(call, have).scene, Scene),
    "turn_order": Entry(TurnOrderCall, _turn_order, TurnOrder),
    "lines": Entry(LinesCall, _lines, BarredLines),
    "table": Entry(TableCall, _table, Table),
    "rulesets": Entry(RulesetsCall, _rulesets, Rulesets),
}
"""Every call, in the order of the reference."""
