"""Deals: of the cards that fit, forms in turn and by chance, and none twice while there is another."""

from collections.abc import Iterable, Iterator
from random import Random

from narrator.deck.activity import Deed
from narrator.deck.cards import LANGUAGE, DeckFile, packaged, packaged_for
from narrator.deck.fitting import Match, Opening, opening
from narrator.deck.reading import Reading
from narrator.errors import quoted
from narrator.rules.action import Request
from narrator.rules.card import STORIES, Card
from narrator.rules.language_tag import primary
from narrator.rules.resolution import Slot
from narrator.rules.ruleset import Ruleset

ROUND = 42
"""How many cards a slot deals from before it begins again: fourteen times three."""

ROUND_OF_WORDS = 21
"""The same for words without a roll, of which a table asks seldom: fewer, and more of its own kind of story."""


class Deck:
    """
    The cards that come with narrator, and more beside them.
    """

    def __init__(self, more: Iterable[DeckFile] = ()) -> None:
        self._more = tuple(more)
        self._last: tuple[Request, Ruleset, Reading] | None = None

    def deal(self, slot: Slot, request: Request, ruleset: Ruleset, number: int) -> Iterator[Match]:
        """
        Deal cards for a slot, in the order to be offered: first a hand of as many as are wanted, then what may take
        the place of each.

        Args:
            number: Which deal: each starts where the one before it ended, in an order that the request decides.
        """
        reading, seen = self._reading(request, ruleset), set[str]()
        # A card for another deed seldom makes sense: what fits comes first, even if it was dealt before.
        for is_wide in (False, True):
            for match in self._in_turn(slot, reading, number, is_wide=is_wide):
                if match.id not in seen:
                    seen.add(match.id)
                    yield match

    def notices(self, ruleset: Ruleset) -> Iterator[str]:
        """
        Tell of a table's own cards that are never dealt, since their form can have no such card.
        """
        found: dict[str, list[Card]] = {}
        for card in (card for file in self._more for card in file.cards if card.form in ruleset.forms):
            if misfit := card.misfit(ruleset.forms[card.form]):
                found.setdefault(misfit, []).append(card)
        for misfit, cards in found.items():
            words, others = quoted(cards[0].name or cards[0].detail), len(cards) - 1
            yield f"Of your own cards {words}{f' and {others} more are' if others else ' is'} never dealt: {misfit}."

    def _reading(self, request: Request, ruleset: Ruleset) -> Reading:
        """
        Read a request once for all its slots: a large scene takes long.
        """
        last = self._last
        if last is None or last[0] is not request or last[1] is not ruleset:
            self._last = last = request, ruleset, Reading(request, ruleset)
        return last[2]

    def _in_turn(self, slot: Slot, reading: Reading, number: int, *, is_wide: bool) -> Iterator[Match]:
        order, reserve = self._order(slot, reading, is_wide=is_wide)
        wanted = reading.request.per_slot
        # Another kind of story begins elsewhere, so that the same roll is told otherwise in it.
        start = (number + STORIES.index(reading.setting.story)) * wanted
        home = _from([match for match in (*order, *reserve) if match.is_at_home], start)
        order = _from(order, start)
        dealt = {card: place for place, card in enumerate(reading.request.scene.dealt)}
        found = dict[str, Match]()
        for match in (*home, *order[:wanted], *reversed(order[wanted:]), *reserve):
            found.setdefault(match.id, match)
        yield from (match for match in found.values() if match.id not in dealt)
        # Everything has been said: what was said longest ago comes first.
        yield from sorted((each for each in found.values() if each.id in dealt), key=lambda each: dealt[each.id])

    def _order(self, slot: Slot, reading: Reading, *, is_wide: bool) -> tuple[list[Match], list[Match]]:
        """
        The cyclic order of what fits a slot, forms in turn, and levels, the mildest first; and what fits less well,
        the best of it first.
        """
        chance = reading.chance(slot.id)
        offers = sorted(slot.forms, key=lambda _: chance.random())
        openings = [opening(reading, slot, offer, level) for offer in offers for level in offer.levels]
        each_has = -(-(ROUND_OF_WORDS if slot.kind == "word" else ROUND) // max(1, len(openings)))
        hands, reserve = list[list[Match]](), list[Match]()
        for here in openings:
            matches = self._matches(here, is_wide=is_wide)
            fitting = sorted(matches, key=lambda each: (-each.fit, chance.random()))
            hands.append(_spread(fitting[:each_has], chance))
            reserve += fitting[each_has:]
        longest = max((len(hand) for hand in hands), default=0)
        order = [hand[place % len(hand)] for place in range(longest) for hand in hands if hand]
        return order, sorted(reserve, key=lambda each: -each.fit)

    def _matches(self, here: Opening, *, is_wide: bool) -> list[Match]:
        """
        Every card that may be said here, in the scene's language, or where there is none in English.
        """
        form, deed = here.offer.form, here.reading.deed
        another = packaged_for(form, "").for_the_opposition if here.side == "opposition" else None
        forms = (form,) if another is None else (form, another)
        for language in dict.fromkeys((here.reading.language, LANGUAGE)):
            ours = _packaged(forms, None if is_wide else deed) if language == LANGUAGE else ()
            files = (file for file in self._more if primary(file.language) == language)
            own = (card for file in files for card in file.cards if card.form in forms)
            matches = [here.match(card, language, is_own=True, is_wide=is_wide) for card in own]
            matches += [here.match(card, language, is_wide=is_wide) for card in ours]
            if found := [match for match in matches if match is not None]:
                return found
        return []


def _from(order: list[Match], start: int) -> list[Match]:
    """
    Turn a cyclic order so that it begins at a place, which may be beyond its end.
    """
    start %= max(1, len(order))
    return [*order[start:], *order[:start]]


def _packaged(forms: tuple[str, ...], deed: Deed | None) -> Iterable[Card]:
    """
    The cards for some forms that come with narrator: those for a deed and for anything, or all there are.
    """
    if deed is None:
        return [card for form in forms for card in packaged(form).cards]
    made_for = ("", *sorted({deed.activity or "", *deed.families}))
    return {card.id: card for form in forms for each in made_for for card in packaged_for(form, each).cards}.values()


def _spread(matches: list[Match], chance: Random) -> list[Match]:
    """
    Shuffle cards so that those that fit alike well lie evenly apart, and every hand has of the best.
    """
    alike: dict[float, list[Match]] = {}
    for match in matches:
        alike.setdefault(match.fit // 2, []).append(match)
    placed = [
        ((place + chance.random()) / len(some), match)
        for some in alike.values()
        for place, match in enumerate(sorted(some, key=lambda _: chance.random()))
    ]
    return [match for _, match in sorted(placed, key=lambda each: each[0])]
