"""Staged cards: written for one scene, and dealt before all others in that scene."""

import re
from collections.abc import Iterable, Iterator
from typing import Annotated

from pydantic import ConfigDict, Field

from narrator.deck.context import Context, scene_words
from narrator.deck.deck import Match, Opening, opening
from narrator.deck.deck_file import OwnCard
from narrator.deck.deeds import WORD
from narrator.deck.grammar import name_words
from narrator.language.lexicon import load
from narrator.language.spelling import fold
from narrator.language.text import Text
from narrator.rules.model import Given, Name
from narrator.rules.request.language_tag import primary
from narrator.rules.request.scene import GM, Character
from narrator.rules.resolve.resolution import Slot
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.card import PLACEHOLDER, Card
from narrator.validation.repetition import roots_of

STAGED_CARD = "s-"
"""The prefix of a staged card's id."""

SHARED = 1.5
"""How much each weighty word shared with the attempt adds to a card's fit."""

LONG = 5
"""The fewest letters of a name that is found in any case. A shorter one may be an ordinary word."""

_LETTERS = re.compile(r"[^\W\d_]+")

MOST_STAGED = 200


class StagedCards(Given):
    """The result of `stage`, as passed to other calls."""

    model_config = ConfigDict(extra="ignore")

    id: Name
    """The scene's `stage`."""
    made_for: Annotated[Name | None, Field(alias="for")] = None
    """A mark of the scene's state when the cards were written."""
    cards: Annotated[tuple[OwnCard, ...], Field(strict=False, max_length=MOST_STAGED)]
    """The cards."""


class Stage:
    """Deals a scene's staged cards, each only once. Struck cards are not dealt."""

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self._cards = cards

    def deal(self, slot: Slot, ruling: Ruling, number: int) -> Iterator[Match]:
        """Deal cards for a slot. Those that share the deed or words with the attempt come first. Forms take turns, and
        the deal decides the order of equal cards.
        """
        reading, attained, language = Context(ruling), ruling.attained(slot), primary(ruling.request.scene.language)
        gone = {*ruling.request.scene.dealt, *ruling.request.scene.struck}
        chance, tried = reading.chance(f"{slot.id} {number}"), _roots(_tried(ruling), language)

        def order(match: Match) -> tuple[float, float]:
            return -match.fit - SHARED * len(tried & _roots(match.card.text, language)), chance.random()

        hands: list[list[Match]] = []
        for offer in slot.forms:
            for level in offer.levels:
                here = opening(reading, slot, offer, level, attained)
                fitting = (fit(card, here, language) for card in self._cards)
                hands.append(sorted((each for each in fitting if each is not None and each.id not in gone), key=order))
        hands.sort(key=lambda hand: order(hand[0]) if hand else (0.0, 0.0))
        yield from (hand[turn] for turn in range(max(map(len, hands), default=0)) for hand in hands if turn < len(hand))


def _tried(ruling: Ruling) -> str:
    """Return the texts that describe the attempt."""
    action, by = ruling.request.action, ruling.resolution.opposition.by
    return " ".join(filter(None, (action.intent, action.target, action.aspect, by)))


def _roots(text: str, language: str) -> frozenset[str]:
    return frozenset(roots_of(Text(PLACEHOLDER.sub(" ", text).replace("|", " "), load(language)).key, language))


def fit(card: Card, here: Opening, language: str) -> Match | None:
    """Say how well a staged card fits a place. None if it may not be dealt. No staged card is dealt for the player's
    own wording, or for an aspect that is found by a search, since the search decides what it is.
    """
    is_sought = here.slot.kind == "aspect" and here.side == "actor" and here.reading.deed.family == "wits"
    if card.form not in here.forms or here.is_worded or is_sought or not _suits_scene(card, here.reading):
        return None
    return here.match(card, language, STAGED_CARD)


def _suits_scene(card: Card, reading: Context) -> bool:
    """Whether a card may be dealt for the actor. If there are players' characters, cards are only for these and the GM.
    The people that the card names must be in the scene, and be neither players' characters nor the actor.
    """
    scene, actor = reading.request.scene, reading.request.action.actor
    there = {each.name for each in scene.characters if not each.is_out}
    players = {each.name for each in scene.characters if each.importance == "pc"}
    barred = [each for each in (*scene.characters, *scene.away) if each.name not in there - players - {actor}]
    is_for = not players or actor in {*players, GM}
    return is_for and there.issuperset(card.about) and not named_in(card, barred)


def named_in(card: Card, people: Iterable[Character]) -> tuple[str, ...]:
    """List the people that a card names. A short part of a name must match exactly, a long part in any case and without
    accents. Of nameless characters, only the last word counts.
    """
    said = PLACEHOLDER.sub(" ", card.text)
    exact, folded = frozenset(_LETTERS.findall(said)), frozenset(_LETTERS.findall(fold(said)))
    return tuple(each.name for each in people if _is_named(each, exact, folded))


def _is_named(character: Character, exact: frozenset[str], folded: frozenset[str]) -> bool:
    known = name_words()
    for name in filter(None, (character.name, character.called)):
        parts = [word for word in WORD.findall(name) if word.casefold() not in known.titles | known.words]
        if character.importance not in ("pc", "named"):
            parts = parts[-1:]
        short = {word for word in parts if word[:1].isupper() and len(word) > 2}
        long = {fold(word) for word in parts if len(word) >= LONG and word.casefold() not in scene_words().nouns}
        if short & exact or long & folded:
            return True
    return False
