"""The deck: which cards may be said at a place in an answer, how well each fits, and in what order they are dealt."""

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
"""How many cards a slot deals from before it begins again, fourteen times three, and how many are of one form."""

FOR_THE_OPPOSITION = {"boost": "opposition_boost", "situation_aspect": "opposition_advantage"}
"""The forms whose cards serve as well for another, where that goes to the opposition."""

FOR_DEED, FOR_FAMILY, OWN, NAMED, TAKEN_UP, MEANT = 4.0, 2.0, 2.0, 0.5, 2.0, 10.0
"""How much better a card fits that is made for the deed; for its family; that is the table's own or the ruleset's; for
each of two names or words that it has from this very scene; that takes up what the player said it is done to; that
takes up what they called the aspect."""

OWN_CARD = "o-"
"""What the id of a card of the table's own begins with, or of the ruleset's."""


@dataclass(frozen=True)
class Opening:
    """A form of a slot, of a consequence at a level, and whom it goes to; whether the goal is attained wherever the
    slot is, None if that is not decided; and by placeholder the names and words that cards for it may speak of.
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
        """Whether it is an aspect that the player has worded, and gets."""
        return self.slot.kind == "aspect" and self.slot.draft is not None and self.side == "actor"

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms whose cards serve here."""
        other = FOR_THE_OPPOSITION.get(self.offer.form) if self.side == "opposition" else None
        return (self.offer.form, other) if other else (self.offer.form,)

    def match(self, card: Card, language: str, prefix: str = "") -> "Match | None":
        """Say how well a card fits; None where it may not be said. With a prefix to its id it is not one of ours."""
        reading, wants = self.reading, card.wants
        is_level = not card.severities or self.severity in card.severities
        is_track = not card.tracks or self.slot.kind != "consequence" or reading.track in card.tracks
        if not (is_level and is_track and self.may_have(card) and _suits(card, reading)):
            return None
        for_deed = FOR_DEED if reading.deed.activity in card.activities else FOR_FAMILY if card.activities else 0.0
        spoken_of = wants & self.people.keys()
        # Whoever acts is no foe to themself; what a wound is like hangs on who has it.
        spared = () if self.offer.levels != (None,) else (reading.request.action.actor,)
        others = {self.people[each] for each in spoken_of - {"object"}}.difference(spared)
        if not all(reading.may_be(each, card.foes) for each in others):
            return None
        named = len(others) + len(wants & {"aspect", *THINGS})
        fit = for_deed + NAMED * min(named, 2) + OWN * bool(prefix)
        fit += TAKEN_UP * bool(wants & {"object", "sought"}) + MEANT * ("draft" in wants)
        return Match(card, self, language, prefix, fit)

    def may_have(self, card: Card) -> bool:
        """Whether a card is for this place, whatever is done, and there is something to put in for all it wants."""
        says = {"attained": True, "not_attained": False, None: self.attained}[card.goal]
        is_meant = card.kind in (None, self.slot.kind) and card.side in (None, self.side) and says is self.attained
        return is_meant and card.wants <= {*self.people, *self.words, *self.reading.said.things}


@dataclass(frozen=True)
class Match:
    """A card for an opening: its language, whether it is the table's own or the ruleset's, and how well it fits."""

    card: Card
    opening: Opening
    language: str
    prefix: str
    fit: float

    @property
    def id(self) -> str:
        """What a suggestion and a scene call the card."""
        return f"{self.prefix}{self.card.id}"

    def as_written(self, text: str) -> str:
        """Give what is said of it in the card's own words: placeholders for the names and words that fill it."""
        filling = {**self.opening.words, **self.opening.people}
        for placeholder in sorted(filling.keys() & self.card.wants, key=lambda each: -len(filling[each])):
            text = text.replace(filling[placeholder], f"{{{placeholder}}}")
        return text

    @cached_property
    def candidate(self) -> dict[str, Any]:
        """What it says, filled in, as the check wants it."""
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
    """Gather what cards for a form may speak of; of a consequence at this level."""
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
    """Whether a card suits what is done, and where: what it needs is said, and nothing in it is barred."""
    said, deed = reading.said, reading.deed
    if card.activities and deed.activity not in card.activities and deed.family not in card.activities:
        return False
    is_here = not card.where or any(map(said.is_at, card.where))
    is_here = is_here and (not card.about or any(map(said.speaks_of, card.about)))
    is_told = not card.stories or any(map(said.is_told, card.stories))
    return is_here and is_told and said.conditions.issuperset(card.needs) and reading.barred.isdisjoint(card.themes)


class Deck:
    """The cards that come with narrator, and more beside them."""

    def __init__(self, more: Iterable[DeckFile] = ()) -> None:
        self._more = tuple(more)
        self._last: Context | None = None

    def deal(self, slot: Slot, ruling: Ruling, number: int) -> Iterator[Match]:
        """Deal cards for a slot, in the order to be offered: first a hand of as many as are wanted, then what
        may take the place of each. A deal starts where the one before it ended, in an order that the request decides.
        """
        wanted, reading = ruling.request.per_slot, self._last
        if reading is None or reading.ruling is not ruling:
            # Once for all its slots: a large scene takes long.
            self._last = reading = Context(ruling)
        order, reserve = self._order(slot, reading, ruling.attained(slot))
        bound = [match for match in (*order, *reserve) if match.card.about or match.card.where]
        # An aspect that the player has worded is theirs: no card tells it otherwise.
        bound = _from([match for match in bound if not match.opening.is_worded], number * wanted)
        order = _from(order, number * wanted)
        dealt = {card: place for place, card in enumerate(ruling.request.scene.dealt)}
        found = dict[str, Match]()
        struck = frozenset(ruling.request.scene.struck)
        for match in (*bound, *order[:wanted], *reversed(order[wanted:]), *reserve):
            if match.id not in struck:
                found.setdefault(match.id, match)
        yield from (match for match in found.values() if match.id not in dealt)
        # Everything has been said: what was said longest ago comes first.
        yield from sorted((each for each in found.values() if each.id in dealt), key=lambda each: dealt[each.id])

    def notices(self, ruleset: Ruleset) -> Iterator[str]:
        """Tell of a table's own cards that are never dealt, since their form can have no such card."""
        found: dict[str, list[Card]] = {}
        for card in (card for file in self._more for card in file.cards if card.form in ruleset.forms):
            if misfit := card.misfit(ruleset.forms[card.form]):
                found.setdefault(misfit, []).append(card)
        for misfit, cards in found.items():
            words, others = quoted(cards[0].name or cards[0].detail), len(cards) - 1
            yield f"Of your own cards {words}{f' and {others} more are' if others else ' is'} never dealt: {misfit}."

    def _order(self, slot: Slot, reading: Context, attained: bool | None) -> tuple[list[Match], list[Match]]:
        """The cyclic order of what fits a slot, forms in turn, and levels, the mildest first: to begin with what is
        made for the deed or its family, then what suits anything. And what is left, the best of it first.
        """
        chance = reading.chance(slot.id)
        offers = sorted(slot.forms, key=lambda _: chance.random())
        here = [opening(reading, slot, offer, level, attained) for offer in offers for level in offer.levels]
        first, then, reserve = list[list[Match]](), list[list[Match]](), list[Match]()
        each_has = min(HAND, -(-ROUND // max(1, len(here))))
        for each in here:
            matches = sorted(self._matches(each), key=lambda match: (match.card.rare, -match.fit, chance.random()))
            common = [match for match in matches if not match.card.rare]
            # What the player called it takes turns with other names for it.
            first.append(_spread([match for match in common if match.fit >= MEANT], chance))
            fitting = common[len(first[-1]) :]
            made = sum(match.fit >= FOR_FAMILY for match in fitting[:each_has])
            has = made if made > 1 and reading.deed.family else each_has
            first.append(_spread(fitting[:has], chance))
            # Where two hands are made for it, what suits anything is for want of better.
            is_enough = len(here) == 1 and has > reading.request.per_slot
            then.append([] if is_enough else _spread(fitting[has:each_has], chance))
            reserve += fitting[has + len(then[-1]) :] + matches[len(common) :]
        return [*_in_turn(first), *_in_turn(then)], sorted(reserve, key=lambda match: (match.card.rare, -match.fit))

    def _matches(self, here: Opening) -> list[Match]:
        """Every card that may be said here, in the scene's language, or where there is none in English."""
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
    """Take one of each hand in turn; the shorter ones begin again until the longest is through."""
    longest = max(map(len, hands), default=0)
    return [hand[place % len(hand)] for place in range(longest) for hand in hands if hand]


def _from(order: list[Match], start: int) -> list[Match]:
    """Turn a cyclic order so that it begins at a place, which may be beyond its end."""
    start %= max(1, len(order))
    return [*order[start:], *order[:start]]


def _spread(matches: list[Match], chance: Random) -> list[Match]:
    """Shuffle cards so that those that fit alike well lie evenly apart, and every hand has of the best."""
    placed = list[tuple[float, Match]]()
    for level in sorted({match.fit // 2 for match in matches}):
        some = sorted((match for match in matches if match.fit // 2 == level), key=lambda _: chance.random())
        placed += [((place + chance.random()) / len(some), match) for place, match in enumerate(some)]
    return [match for _, match in sorted(placed, key=lambda each: each[0])]
