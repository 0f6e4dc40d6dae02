"""The calls that find words before a roll, or without one. Their clock, too, begins before anything is imported."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from narrator.api.suggesting import REPAIRS, TIMEOUT, clock_of
from narrator.errors import quoted

if TYPE_CHECKING:
    from narrator.api.material import Material, SceneLike
    from narrator.api.reading import RequestLike
    from narrator.api.suggesting import Chosen
    from narrator.deck.cards import DeckFile
    from narrator.rules.ruleset import Ruleset
    from narrator.rules.without_roll import WordKind
    from narrator.suggestions.answer import Answer, Prepared, Words

THRESHOLD = 0.1
"""The least chance of a row that words are found for beforehand."""

PER_SLOT = 3

USUAL_RULESET = "five-actions"
"""Said here so that the clock begins before the rules are imported."""


def prepare(
    request: RequestLike,
    threshold: float = THRESHOLD,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    strict: bool = False,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> Prepared:
    """Find words before the dice have fallen, for every row that is likely enough. Hand what it gives to `suggest` as
    `prepared`, with the same request and its dice. A source is asked once for all of them, or one by one.

    Args:
        request: The action before its roll. Dice that the actor has do not count; a total that is told does.
        threshold: The least chance of a row, from 0 to 1, by exact odds.
        source: As for `suggest`, and so are `repairs`, `timeout`, `strict`, `rulesets` and `decks`.

    Raises:
        NarratorError: As `odds` and `suggest`; `bad_request` where no row is so likely.
    """
    clock = clock_of(timeout)
    from narrator.api import asking
    from narrator.api.material import before_roll
    from narrator.rules.preparing import own_slot
    from narrator.suggestions.answer import Prepared, PreparedRow

    given = asking.rulesets_of(rulesets)
    material, rows = before_roll(request, threshold, given)
    answer = asking.answered(asking.Asking(lambda _: material, source, repairs, strict, given, decks), clock)
    by_outcome = {ruling.resolution.outcome: (chance, {slot.id for slot in ruling.slots}) for ruling, chance in rows}
    return Prepared(
        rows={
            outcome: PreparedRow(
                chance=chance,
                suggestions=tuple(
                    each.model_copy(update={"slot": own_slot(outcome, each.slot)})
                    for each in answer.suggestions
                    if each.slot in slots
                ),
            )
            for outcome, (chance, slots) in by_outcome.items()
        },
        rejected=answer.rejected,
        deal=answer.deal,
        usage=answer.usage,
        notices=answer.notices,
    )


def word(
    scene: SceneLike,
    kind: WordKind,
    about: str | None = None,
    *,
    per_slot: int = PER_SLOT,
    deal: int | None = None,
    ruleset: str = USUAL_RULESET,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    strict: bool = False,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> Words:
    """Find words that no roll has led to.

    Args:
        kind: `situation_aspect`, `zone_aspect`, `compel`, `consequence`, `high_concept` or `trouble` of somebody who is
            not a player's, `opening` of a scene, or `twist`, where a contest ties.
        about: Whom or what: a character of the scene, an aspect in play, or anything in a few words. A consequence
            wants a character.
        per_slot: How many, from 1 to 10.
        deal: Which deal of the deck's cards, a whole number from 0; left out: one is drawn, and named in the answer.
        ruleset: Whose levels of consequences, and whose own cards.
        source: As for `suggest`, and so are `repairs`, `timeout`, `strict`, `rulesets` and `decks`.

    Raises:
        NarratorError: For a scene, a kind or a name that is none, and as `suggest`.
    """
    clock = clock_of(timeout)
    from narrator.api import asking
    from narrator.api.material import without_roll
    from narrator.suggestions.answer import Word, Words

    def material(known: tuple[Ruleset, ...]) -> Material:
        return without_roll(scene, kind, about, per_slot=per_slot, deal=deal, ruleset=ruleset, rulesets=known)

    answer = asking.answered(asking.Asking(material, source, repairs, strict, rulesets, decks), clock)
    return Words(
        suggestions=tuple(
            Word(
                kind=kind,
                name=each.name,
                detail=each.detail,
                severity=each.severity,
                card=each.card,
                source=each.source,
            )
            for each in answer.suggestions
        ),
        rejected=answer.rejected,
        deal=answer.deal,
        dealt=answer.dealt,
        usage=answer.usage,
        notices=(*answer.notices, *_unheard(answer, about)),
    )


def _unheard(answer: Answer, about: str | None) -> tuple[str, ...]:
    """Say so where the deck was asked for what it cannot know."""
    from narrator.rules.scene import GM

    action = answer.resolution.action
    is_known = about is None or action.aspect is not None or action.actor != GM
    if is_known or not any(each.card for each in answer.suggestions):
        return ()
    return (f"The deck's cards go by the scene, not by {quoted(about or '')}: a model would be told.",)
