"""Fills what is still wanted from the deck, card by card, each judged as a model's words are."""

from collections.abc import Iterator
from itertools import islice

from narrator.deck.dealing import Deck, Match
from narrator.rules.choice import Suggestion
from narrator.rules.language_tag import primary
from narrator.suggestions.rows import Rows
from narrator.suggestions.source import DECK
from narrator.suggestions.tally import Tally
from narrator.validation.checking import check

MOST_CARDS = 150
"""Cards tried for one slot: where so many may not be said, no other may either."""


class Filling:
    """The deck's part of one answer."""

    def __init__(self, rows: Rows, tally: Tally, deck: Deck) -> None:
        self._rows = rows
        self._tally = tally
        self._deck = deck
        self.drawn: list[Suggestion] = []
        self.is_foreign = False
        """Whether a card is in another language than the scene's."""

    def deal(self) -> Iterator[None]:
        """Fill what is open: each form once before any comes twice, as far as there are cards for it that were not
        dealt before. There is a pause after each card. No clock ends it, since the table has nothing else to read: what
        bounds it is `MOST_CARDS`.
        """
        tally, request = self._tally, self._rows.first.request
        dealt = frozenset(request.scene.dealt)
        for slot in [slot for slot in tally.slots if tally.missing(slot)]:
            passed_over: list[Match] = []
            cards = list(islice(self._deck.deal(slot, self._rows.of(slot).ruling, request.deal or 0), MOST_CARDS))
            new = [match for match in cards if match.id not in dealt]
            for match in new:
                if not tally.missing(slot):
                    break
                if not tally.has_room(slot.id, match.opening.offer.form, match.opening.severity):
                    passed_over.append(match)
                    continue
                self._accept(match)
                yield
            for match in (*passed_over, *cards[len(new) :]):
                if tally.missing(slot):
                    self._accept(match)
                    yield

    def _accept(self, match: Match) -> None:
        taken, name = self._tally.taken, match.candidate["name"]
        if any(each.card == match.id or (name is not None and each.name == name) for each in taken):
            return
        judge = self._rows.meant(match.candidate)
        accepted = check(match.candidate, judge, accepted=taken, source=DECK).accepted
        if accepted is None:
            return
        accepted = accepted.model_copy(update={"card": match.id})
        self._tally.take(accepted)
        self.drawn.append(accepted)
        self.is_foreign |= primary(self._rows.first.request.scene.language) != match.language
