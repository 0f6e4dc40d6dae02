"""The deck: which cards an answer may use, how well each fits, and the order of the deal."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from narrator.deck.context import Context, pick_one
from narrator.deck.deck_file import LANGUAGE, DeckFile, packaged_cards
from narrator.deck.grammar import fill_card
from narrator.errors import quoted
from narrator.rules.request.language_tag import primary
from narrator.rules.request.scene import GM
from narrator.rules.resolve.opposition import recipient
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.card import THINGS, Card
from narrator.rules.ruleset.declarations import RollSide
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.validation.safety import sayable

ROUND, HAND = 42, 14
"""How many cards a slot uses before it repeats (fourteen times three), and how many of these are of one form."""

FOR_THE_OPPOSITION = {"boost": "opposition_boost", "situation_aspect": "opposition_advantage"}
"""If the form goes to the opposition, the cards of this other form serve as well."""

FOR_DEED, FOR_FAMILY, OWN, NAMED, TAKEN_UP, MEANT = 4.0, 2.0, 2.0, 0.5, 2.0, 10.0
"""How much these add to a card's fit: made for the deed; made for its family; the table's or the ruleset's own; each of
up to two names or words of this scene; the player's object of the deed; the player's name for the aspect."""

OWN_CARD = "o-"
"""The prefix of the id of a card that is the table's or the ruleset's own."""


@dataclass(frozen=True)
class Opening:
    """A place for a card: a form of a slot, its level if it is a consequence, and its recipient. `attained` is None if
    branches differ. `people` and `words` fill placeholders.
    """

    reading: Context
    slot: Slot
    offer: FormOffer
    severity: str | None
    attained: bool | None
    to: str | None
    side: RollSide
    people: Mapping[str, str]
    words: Mapping[str, str]

    @property
    def is_worded(self) -> bool:
        """Whether it is the player's own aspect, in the player's wording."""
        return self.slot.kind == "aspect" and self.slot.draft is not None and self.side == "actor"

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms whose cards fit here."""
        other = FOR_THE_OPPOSITION.get(self.offer.form) if self.side == "opposition" else None
        return (self.offer.form, other) if other else (self.offer.form,)

    def match(self, card: Card, language: str, prefix: str = "") -> "Match | None":
        """Say how well a card fits. None if it doesn't. A prefix to its id marks the table's or a scene's own cards."""
        reading, wants = self.reading, card.wants
        is_level = not card.severities or self.severity in card.severities
        is_track = not card.tracks or self.slot.kind != "consequence" or reading.track in card.tracks
        if not (is_level and is_track and self.may_have(card) and _suits(card, reading)):
            return None
        for_deed = FOR_DEED if reading.deed.activity in card.activities else FOR_FAMILY if card.activities else 0.0
        spoken_of = wants & self.people.keys()
        # Actors are not their own foes. But a wound depends on the one who has it.
        spared = () if self.offer.levels != (None,) else (reading.request.action.actor,)
        others = {self.people[each] for each in spoken_of - {"object"}}.difference(spared)
        if not all(reading.may_be(each, card.foes) for each in others):
            return None
        named = len(others) + len(wants & {"aspect", *THINGS})
        fit = for_deed + NAMED * min(named, 2) + OWN * bool(prefix)
        fit += TAKEN_UP * bool(wants & {"object", "sought"}) + MEANT * ("draft" in wants)
        return Match(card, self, language, prefix, fit)

    def may_have(self, card: Card) -> bool:
        """Whether a card fits this place, apart from the deed, and all its placeholders can be filled."""
        says = {"attained": True, "not_attained": False, None: self.attained}[card.goal]
        is_meant = card.kind in (None, self.slot.kind) and card.side in (None, self.side) and says is self.attained
        return is_meant and card.wants <= {*self.people, *self.words, *self.reading.said.things}


@dataclass(frozen=True)
class Match:
    """A card for an opening, with its language, the prefix of its id, and how well it fits."""

    card: Card
    opening: Opening
    language: str
    prefix: str
    fit: float

    @property
    def id(self) -> str:
        """The id of the card in suggestions and scenes."""
        return f"{self.prefix}{self.card.id}"

    def as_written(self, text: str) -> str:
        """Put the card's placeholders back into a text about it."""
        filling = {**self.opening.words, **self.opening.people}
        for placeholder in sorted(filling.keys() & self.card.wants, key=lambda each: -len(filling[each])):
            text = text.replace(filling[placeholder], f"{{{placeholder}}}")
        return text

    @cached_property
    def candidate(self) -> dict[str, Any]:
        """The card with filled placeholders, as a candidate for the check."""
        card, opening, reading = self.card, self.opening, self.opening.reading
        chance, is_english = reading.chance(f"{card.form}-{card.id}"), self.language == LANGUAGE
        named = {word: name for word, name in opening.people.items() if word in card.wants}
        people = {word: reading.person(name, is_english=is_english) for word, name in named.items()}
        words = dict(opening.words)
        words |= {thing: pick_one(those, chance) for thing, those in reading.said.things.items() if thing in card.wants}
        return {
            "slot": opening.slot.id,
            "form": opening.offer.form,
            "to": opening.to,
            "severity": opening.severity,
            "name": card.name and fill_card(card.name, people, words, is_name=True),
            "detail": fill_card(card.detail, people, words),
        }


def opening(reading: Context, slot: Slot, offer: FormOffer, severity: str | None, attained: bool | None) -> Opening:
    """Make the opening of a form, at this level if it is a consequence."""
    actor, chance = reading.request.action.actor, reading.chance(f"{slot.id} {offer.form}")
    to = recipient(reading.request, offer.to or ())
    side: RollSide = "opposition" if to in (GM, *reading.opposition) else "actor"
    struck = offer.holders[0] if slot.kind == "consequence" and offer.holders else None
    foe = struck or (actor if side == "opposition" else reading.opponent)
    people = {"actor": actor, "to": to, "opponent": reading.opponent, "foe": foe, "object": reading.object}
    named = {word: name for word, name in people.items() if name not in (None, GM)}
    words = {"aspect": offer.on or reading.aspect(chance), "draft": slot.draft, "sought": reading.deed.sought}
    said = {word: text for word, each in words.items() if each is not None and (text := sayable(each))}
    return Opening(reading, slot, offer, severity, attained, to, side, named, said)


def _suits(card: Card, reading: Context) -> bool:
    """Whether a card suits the deed and the scene: its conditions are met, and no theme of it is barred."""
    said, deed = reading.said, reading.deed
    if card.activities and deed.activity not in card.activities and deed.family not in card.activities:
        return False
    is_here = not card.where or any(map(said.is_at, card.where))
    is_here = is_here and (not card.about or any(map(said.speaks_of, card.about)))
    is_told = not card.stories or any(map(said.is_told, card.stories))
    return is_here and is_told and said.conditions.issuperset(card.needs) and reading.barred.isdisjoint(card.themes)


class Deck:
    """narrator's own cards, and more."""

    def __init__(self, more: Iterable[DeckFile] = ()) -> None:
        self._more = tuple(more)
        self._last: Context | None = None

    def deal(self, slot: Slot, ruling: Ruling, number: int) -> Iterator[Match]:
        """Deal cards for a slot, in the order to offer them: as many as are wanted, then replacements. A deal starts
        where the one before it ended. The request decides the order.
        """
        wanted, reading = ruling.request.per_slot, self._last
        if reading is None or reading.ruling is not ruling:
            # Made once for all slots, since a large scene is slow.
            self._last = reading = Context(ruling)
        order, reserve = self._order(slot, reading, ruling.attained(slot))
        bound = [match for match in (*order, *reserve) if match.card.about or match.card.where]
        # No such card replaces the player's own wording of an aspect.
        bound = _from([match for match in bound if not match.opening.is_worded], number * wanted)
        order = _from(order, number * wanted)
        dealt = {card: place for place, card in enumerate(ruling.request.scene.dealt)}
        found = dict[str, Match]()
        struck = frozenset(ruling.request.scene.struck)
        for match in (*bound, *order[:wanted], *reversed(order[wanted:]), *reserve):
            if match.id not in struck:
                found.setdefault(match.id, match)
        yield from (match for match in found.values() if match.id not in dealt)
        # Then cards dealt before, the oldest first.
        yield from sorted((each for each in found.values() if each.id in dealt), key=lambda each: dealt[each.id])

    def notices(self, ruleset: Ruleset) -> Iterator[str]:
        """Report a table's own cards that are never dealt, since they don't suit their form."""
        found: dict[str, list[Card]] = {}
        for card in (card for file in self._more for card in file.cards if card.form in ruleset.forms):
            if misfit := card.misfit(ruleset.forms[card.form]):
                found.setdefault(misfit, []).append(card)
        for misfit, cards in found.items():
            words, others = quoted(cards[0].name or cards[0].detail), len(cards) - 1
            yield f"Your own card {words}{f' and {others} more are' if others else ' is'} never dealt: {misfit}."

    def _order(self, slot: Slot, reading: Context, attained: bool | None) -> tuple[list[Match], list[Match]]:
        """Return the cyclic order of the cards for a slot, and the reserve, best first. In the order, forms and levels
        take turns, the mildest first. Cards for the deed or its family come before cards for anything.
        """
        chance = reading.chance(slot.id)
        offers = sorted(slot.forms, key=lambda _: chance.random())
        here = [opening(reading, slot, offer, level, attained) for offer in offers for level in offer.levels]
        first, then, reserve = list[list[Match]](), list[list[Match]](), list[Match]()
        each_has = min(HAND, -(-ROUND // max(1, len(here))))
        for each in here:
            matches = sorted(self._matches(each), key=lambda match: (match.card.rare, -match.fit, chance.random()))
            common = [match for match in matches if not match.card.rare]
            # Cards with the player's own wording take turns with other names.
            first.append(_spread([match for match in common if match.fit >= MEANT], chance))
            fitting = common[len(first[-1]) :]
            made = sum(match.fit >= FOR_FAMILY for match in fitting[:each_has])
            has = made if made > 1 and reading.deed.family else each_has
            first.append(_spread(fitting[:has], chance))
            # With enough cards for the deed, those for anything go to the reserve.
            is_enough = len(here) == 1 and has > reading.request.per_slot
            then.append([] if is_enough else _spread(fitting[has:each_has], chance))
            reserve += fitting[has + len(then[-1]) :] + matches[len(common) :]
        return [*_in_turn(first), *_in_turn(then)], sorted(reserve, key=lambda match: (match.card.rare, -match.fit))

    def _matches(self, here: Opening) -> list[Match]:
        """Every card that fits here, in the scene's language. If there is none, in English."""
        forms, families = here.forms, (here.reading.deed.family,) if here.reading.deed.family else ()
        for language in dict.fromkeys((here.reading.language, LANGUAGE)):
            files = (file for file in self._more if primary(file.language) == language)
            own = (card for file in files for card in file.cards if card.form in forms)
            ours = (card for each in forms for card in packaged_cards(each, families) if language == LANGUAGE)
            matches = [here.match(card, language, OWN_CARD) for card in own]
            matches += [here.match(card, language) for card in ours]
            if found := [match for match in matches if match is not None]:
                return found
        return []


def _in_turn(hands: list[list[Match]]) -> list[Match]:
    """Take a card from each hand in turn. Shorter hands repeat until the longest is through."""
    longest = max(map(len, hands), default=0)
    return [hand[place % len(hand)] for place in range(longest) for hand in hands if hand]


def _from(order: list[Match], start: int) -> list[Match]:
    """Rotate a cyclic order to begin at an index, which may be beyond its end."""
    start %= max(1, len(order))
    return [*order[start:], *order[:start]]


def _spread(matches: list[Match], chance: Random) -> list[Match]:
    """Shuffle cards, but spread those of equal fit evenly, so that every deal has some of the best."""
    placed = list[tuple[float, Match]]()
    for level in sorted({match.fit // 2 for match in matches}):
        some = sorted((match for match in matches if match.fit // 2 == level), key=lambda _: chance.random())
        placed += [((place + chance.random()) / len(some), match) for place, match in enumerate(some)]
    return [match for _, match in sorted(placed, key=lambda each: each[0])]
