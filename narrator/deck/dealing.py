"""Deals: of the cards that fit, forms in turn and by chance, and none twice while there is another."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from narrator.deck.cards import LANGUAGE, DeckFile, packaged, packaged_for
from narrator.deck.fitting import Entry, Offered, Table
from narrator.rules.action import Request
from narrator.rules.card import Card
from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.ruleset import Ruleset
from narrator.validation.stemming import base_code

ROUND = 42
"""How many cards a slot deals from before it begins again: fourteen times three."""


@dataclass(frozen=True)
class Dealt:
    """
    A card on the table: its id, the candidate that it makes, and the language it is in.
    """

    card: str
    candidate: dict[str, Any]
    language: str


class Deck:
    """
    The cards that come with narrator, and more beside them.
    """

    def __init__(self, more: Iterable[DeckFile] = ()) -> None:
        self._more = tuple(more)

    def deal(self, slots: Iterable[Slot], request: Request, ruleset: Ruleset, number: int) -> Iterator[Dealt]:
        """
        Deal candidates for each slot, in the order to be offered: first a hand of as many as are wanted, then what
        may take the place of each.

        Args:
            number: Which deal: each starts where the one before it ended, in an order that the request decides.
        """
        for slot in slots:
            seen: set[str] = set()
            # Where all that fits is said or in play, a card for another deed is better than none.
            for is_wide in (False, True):
                table = Table(request, ruleset, is_wide=is_wide)
                for entry in self._in_turn(slot, table, number):
                    if entry.id not in seen:
                        seen.add(entry.id)
                        yield Dealt(entry.id, table.filled(entry), entry.language)

    def _in_turn(self, slot: Slot, table: "Table", number: int) -> Iterator["Entry"]:
        order, reserve = self._order(slot, table)
        wanted, start = table.request.per_slot, 0
        if order:
            # Another kind of story begins elsewhere, so that the same roll is told otherwise in it.
            start = (number + table.setting.number) * wanted % len(order)
        hand = [order[(start + place) % len(order)] for place in range(min(wanted, len(order)))]
        far_end = [order[(start - place) % len(order)] for place in range(1, len(order) - len(hand) + 1)]
        dealt = {card: place for place, card in enumerate(table.request.scene.dealt)}
        found = list({entry.id: entry for entry in (*hand, *far_end, *reserve)}.values())
        yield from (entry for entry in found if entry.id not in dealt)
        # Everything has been said: what was said longest ago comes first.
        yield from sorted((each for each in found if each.id in dealt), key=lambda each: dealt[each.id])

    def _order(self, slot: Slot, table: "Table") -> tuple[list["Entry"], list["Entry"]]:
        """
        The cyclic order of what fits a slot, forms in turn; and what fits less well, the best of it first.
        """
        chance = table.chance(slot.id)
        each_has = -(-ROUND // max(1, len(slot.forms)))
        hands, reserve = [], []
        for offer in sorted(slot.forms, key=lambda _: chance.random()):
            fitting = sorted(self._fitting(slot, offer, table), key=lambda each: (-each.fit, chance.random()))
            hands.append(_spread(fitting[:each_has], chance))
            reserve += fitting[each_has:]
        longest = max((len(hand) for hand in hands), default=0)
        order = [hand[place % len(hand)] for place in range(longest) for hand in hands if hand]
        return order, sorted(reserve, key=lambda each: -each.fit)

    def _fitting(self, slot: Slot, offer: FormOffer, table: "Table") -> list["Entry"]:
        """
        Every card that may be said for a form here, in the scene's language, or where there is none in English.
        """
        of_table = table.offered(slot, offer)
        for language in dict.fromkeys((table.language, LANGUAGE)):
            own = [of_table.entry(card, language, is_own=True) for card in self._own(language, offer.form)]
            ours = [of_table.entry(card, language) for card in self._packaged(of_table, language)]
            if fitting := [entry for entry in (*own, *ours) if entry is not None]:
                return fitting
        return []

    def _packaged(self, place: "Offered", language: str) -> Iterator[Card]:
        """
        The cards that come with narrator for a form and what is done.
        """
        form, deeds = place.offer.form, ("", *sorted(place.table.deeds))
        another = packaged(form).for_the_opposition if place.side == "opposition" else None
        named = (each for each in (form, another) if each is not None and language == LANGUAGE)
        found = {card.id: card for each in named for deed in deeds for card in packaged_for(each, deed)}
        return iter(found.values())

    def _own(self, language: str, form: str) -> Iterator[Card]:
        """
        The cards for a form that the table or its ruleset brings.
        """
        files = (file for file in self._more if base_code(file.language) == language)
        return (card for file in files for card in file.cards if card.form == form)


def _spread(entries: list[Entry], chance: Random) -> list[Entry]:
    """
    Shuffle cards so that those that fit alike well lie evenly apart, and every hand has of the best.
    """
    alike: dict[float, list[Entry]] = {}
    for entry in entries:
        alike.setdefault(entry.fit // 2, []).append(entry)
    placed = [
        ((place + chance.random()) / len(some), entry)
        for some in alike.values()
        for place, entry in enumerate(sorted(some, key=lambda _: chance.random()))
    ]
    return [entry for _, entry in sorted(placed, key=lambda each: each[0])]
