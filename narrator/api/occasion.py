"""Occasions for words: the row of a roll, the rows that a roll may lead to, or a scene without a roll."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from pydantic import ConfigDict, Field

from narrator.api import random_draws
from narrator.api.requests import RequestLike, find_ruleset, read_request, within
from narrator.deck.deck_file import OwnCard
from narrator.deck.staged import StagedCards
from narrator.errors import RequestError, quoted
from narrator.rules.chances.chances import Chance
from narrator.rules.chances.likely_rows import likely_rows, own_slot
from narrator.rules.model import LIST, TABLE, Given, Name, data_of
from narrator.rules.request.action import USUAL_RULESET, Deal, Request
from narrator.rules.request.scene import GM, Scene
from narrator.rules.resolve.resolver import rule
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.resolve.without_roll import WordKind, is_of_words, request_for, without_roll as ruling_without_roll
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.suggestions.pipeline.answer import Answer, Prepared, PreparedRow, Staged, Word, Words
from narrator.suggestions.prompt.brief import Purpose

T = TypeVar("T")

PreparedLike: TypeAlias = Prepared | Mapping[str, Any] | str | bytes
"""The result of `prepare`, as the model, a mapping or JSON text."""

StagedLike: TypeAlias = Staged | Mapping[str, Any] | str | bytes
"""What `stage` gave, however it comes back."""

SceneLike: TypeAlias = Mapping[str, Any] | Scene | str | bytes
"""A scene as a mapping, the model or JSON text."""

_SAID = ("slot", "form", "to", "name", "detail", "severity", "source", "card")
"""The fields that count in a prepared suggestion. The mechanics come from the row that was rolled."""

_OF_THE_ROLL = frozenset(("roll", "outcome", "shifts", "invocations"))
_OF_THE_TABLE = frozenset(("recent", "dealt", "struck", "revision", "id"))
"""Fields that a roll or a further answer changes. Prepared words stay valid when they change."""


class _GivenRow(Given):
    model_config = ConfigDict(extra="ignore")

    suggestions: Annotated[tuple[Any, ...], LIST] = ()


class _GivenPrepared(Given):
    model_config = ConfigDict(extra="ignore")

    rows: Annotated[dict[Name, _GivenRow], TABLE]
    deal: Deal | None = None
    made_for: str | None = Field(default=None, alias="for")


@dataclass(frozen=True)
class Occasion(Generic[T]):
    """Rulings that need words, what the words are for, the words found so far, and how to make the call's result."""

    rulings: tuple[Ruling, ...]
    gives: Callable[[Answer], T]
    purpose: Purpose = "roll"
    given: tuple[Any, ...] = ()
    """Words that were found before. They are judged first."""
    cards: tuple[OwnCard, ...] = ()
    """Cards that were written for this scene."""
    notices: tuple[str, ...] = ()
    """Notices about them."""

    def stage(self, staged: StagedLike | None) -> "Occasion[T]":
        """Add the cards of its scene. If they belong to another scene, add a notice instead."""
        if staged is None:
            return self
        given, scene = StagedCards.read(data_of(staged), "staged"), self.rulings[0].request.scene
        if given.id != scene.stage:
            return replace(self, notices=(*self.notices, "What was staged is for another scene: it is not used."))
        return replace(self, cards=given.cards)


class WordRequest(Given):
    """A scene, and the words that you want without a roll."""

    scene: Scene
    """The scene."""
    kind: WordKind
    """The kind of words. `opening` begins a scene, `twist` is for a tie in a contest, `high_concept` and `trouble` are
    for characters of the GM."""
    about: Name | None = None
    """The topic: a character of the scene, an aspect in play, or anything in a few words. A consequence needs a
    character."""
    per_slot: Annotated[int, Field(ge=1, le=10)] = 3
    """The number of suggestions, 1 to 10."""
    deal: Deal | None = None
    """The deal of the deck's cards, a whole number from 0. If omitted, one is drawn and named in the answer."""
    ruleset: Name = USUAL_RULESET
    """The name of the ruleset whose levels of consequences and cards are used."""


def of_roll(request: RequestLike, prepared: PreparedLike | None, rulesets: Iterable[Ruleset]) -> Occasion[Answer]:
    """Resolve a request and add the words prepared for its row. `bad_request` if `prepared` is not from `prepare`."""
    asked, ruleset = read_request(request, rulesets)
    had = None if prepared is None else _GivenPrepared.read(data_of(prepared), "prepared")
    notices: tuple[str, ...] = ()
    if had is not None and had.made_for != roll_of(asked):
        had, notices = None, ("The prepared words are for another roll or scene and are not used.",)
    if had is not None and asked.deal is None:
        asked = asked.model_copy(update={"deal": had.deal})
    with within("request"):
        ruling = rule(random_draws.with_deal(random_draws.with_seed(asked)), ruleset)
    return Occasion((ruling,), lambda answer: answer, given=() if had is None else _for(ruling, had), notices=notices)


def of_any(request: Request, rulesets: Iterable[Ruleset]) -> Occasion[Answer]:
    """The same for a request that may need words without a roll, as `request_for` makes one."""
    if not is_of_words(request):
        return of_roll(request, None, rulesets)
    asked, ruleset = read_request(request, rulesets)
    return Occasion((ruling_without_roll(random_draws.with_deal(asked), ruleset),), lambda answer: answer, "word")


def before_roll(request: RequestLike, threshold: float, rulesets: Iterable[Ruleset]) -> Occasion[Prepared]:
    """Resolve each outcome that has at least this chance. `bad_request` if the threshold is not a chance."""
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        message = "this must be a number from 0 to 1, the smallest chance of a row"
        raise RequestError("bad_request", "threshold", message)
    asked, ruleset = read_request(request, rulesets)
    with within("request"):
        rows = likely_rows(random_draws.with_deal(asked), ruleset, threshold)
    if not rows:
        message = f"no outcome has a chance of {threshold:g} or more"
        raise RequestError("bad_request", "threshold", message)

    def gives(answer: Answer) -> Prepared:
        return Prepared(
            made_for=roll_of(asked),
            rows={ruling.resolution.outcome: _prepared_row(ruling, chance, answer) for ruling, chance in rows},
            rejected=answer.rejected,
            deal=answer.deal,
            usage=answer.usage,
            notices=answer.notices,
        )

    return Occasion(tuple(ruling for ruling, _ in rows), gives, "prepare")


def roll_of(request: Request) -> str:
    """Return a digest that identifies a roll before its dice. Prepared words are only for a roll with the same one."""
    told = request.as_json()
    told = {name: told[name] for name in ("ruleset", "scene", "action") if name in told}
    told["scene"] = {name: each for name, each in told.get("scene", {}).items() if name not in _OF_THE_TABLE}
    told["action"] = {name: each for name, each in told["action"].items() if name not in _OF_THE_ROLL}
    if "opposition" in told["action"]:
        against = told["action"]["opposition"].items()
        told["action"]["opposition"] = {name: each for name, each in against if name not in _OF_THE_ROLL}
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]


def without_roll(
    scene: SceneLike, kind: WordKind, about: str | None, options: Mapping[str, object], rulesets: Iterable[Ruleset]
) -> Occasion[Words]:
    """Make an occasion for words without a roll. A wrong kind, scene or name is refused with what would be right."""
    told = {name: value for name, value in options.items() if name in WordRequest.model_fields}
    whole = {"scene": Scene.read(scene, "request.scene"), "kind": kind, "about": about, **told}
    wanted = WordRequest.read(whole, "request")
    with within("request"):
        ruleset = find_ruleset(wanted.ruleset, rulesets)
        dealt = random_draws.with_deal(request_for(**{**dict(wanted), "ruleset": ruleset.name}))
        ruling = ruling_without_roll(dealt, ruleset)
    return Occasion((ruling,), lambda answer: _words_of(answer, kind, about), "word")


def _prepared_row(ruling: Ruling, chance: Chance, answer: Answer) -> PreparedRow:
    outcome, slots = ruling.resolution.outcome, {slot.id for slot in ruling.slots}
    found = (each for each in answer.suggestions if each.slot in slots)
    own = tuple(each.model_copy(update={"slot": own_slot(outcome, each.slot)}) for each in found)
    return PreparedRow(chance=chance, suggestions=own)


def _for(ruling: Ruling, prepared: _GivenPrepared) -> tuple[Any, ...]:
    """The suggestions that were prepared for a row, without those for branches that the request does not ask for."""
    found = prepared.rows.get(ruling.resolution.outcome)
    wanted = [slot.id for slot in ruling.slots]
    return tuple(
        {name: each[name] for name in _SAID if name in each} if isinstance(each, Mapping) else each
        for each in map(data_of, found.suggestions if found is not None else ())
        if not isinstance(each, Mapping) or not isinstance(each.get("slot"), str) or each["slot"] in wanted
    )


def _words_of(answer: Answer, kind: WordKind, about: str | None) -> Words:
    told = ("name", "detail", "severity", "card", "source")
    return Words(
        suggestions=tuple(
            Word(kind=kind, **{name: getattr(each, name) for name in told}) for each in answer.suggestions
        ),
        rejected=answer.rejected,
        deal=answer.deal,
        dealt=answer.dealt,
        usage=answer.usage,
        notices=(*answer.notices, *_unheard(answer, about)),
    )


def _unheard(answer: Answer, about: str | None) -> tuple[str, ...]:
    """Add a notice if the deck could not take the topic into account."""
    action = answer.resolution.action
    is_known = about is None or action.aspect is not None or action.actor != GM
    if is_known or not any(each.card for each in answer.suggestions):
        return ()
    return (f"The deck picks cards by the scene and ignores {quoted(about or '')}. Only a model can use it.",)
