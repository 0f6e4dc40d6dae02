"""Turns: what a source is asked for in its next call, all that is missing or one suggestion."""

from collections import Counter

from narrator.rules.opposition import recipient
from narrator.rules.resolution import Slot
from narrator.suggestions.brief import Manner, Wanted
from narrator.suggestions.rows import Rows
from narrator.suggestions.tally import Tally


class Turns:
    """The calls that may still be made of a source, in its manner.

    Together there are so many calls for all that is wanted; one by one there are so many for each suggestion, and what
    one of them did not need another of its slot may have.
    """

    def __init__(self, rows: Rows, tally: Tally, manner: Manner, calls: int) -> None:
        self._rows = rows
        self._tally = tally
        self._manner = manner
        self._calls = calls
        self._made = Counter[str]()

    def next(self) -> tuple[Wanted, ...]:
        """Take the next turn, and say what is asked for in it; nothing where there is none."""
        if self._manner == "one_by_one":
            open_to_it = (
                slot for slot, _ in self._tally.open() if self._made[slot.id] < self._calls * self._tally.per_slot
            )
            return tuple(self._one(slot) for slot in list(open_to_it)[:1])
        self._calls -= 1
        return tuple(Wanted(slot, missing) for slot, missing in self._tally.open()) if self._calls >= 0 else ()

    def _one(self, slot: Slot) -> Wanted:
        """Choose form, recipient and severity: each form in its turn, another one first from deal to deal."""
        made = self._made[slot.id]
        self._made[slot.id] += 1
        request = self._rows.of(slot).ruling.request
        offer = slot.forms[((request.deal or 0) + made) % len(slot.forms)]
        chosen: dict[str, tuple[str | None, ...]] = {}
        if offer.to:
            chosen["to"] = (recipient(request, [name for name in offer.to if name is not None]),)
        if offer.severities:
            chosen["severities"] = (offer.severities[made % len(offer.severities)],)
        return Wanted(slot.model_copy(update={"forms": (offer.model_copy(update=chosen),)}), 1)
