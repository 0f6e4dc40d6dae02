"""What is wanted for each slot, what has been taken for it, and what a source is asked for next."""

from collections import Counter
from collections.abc import Iterator, Set

from narrator.rules.action import Request
from narrator.rules.choice import Suggestion
from narrator.rules.opposition import recipient
from narrator.rules.resolution import FormOffer, Slot
from narrator.suggestions.commission import Manner, Wanted


class Tally:
    """The slots of a request, and the suggestions taken for them, in the order in which they came."""

    def __init__(self, slots: tuple[Slot, ...], per_slot: int, taken: tuple[Suggestion, ...] = ()) -> None:
        self.slots = slots
        self.per_slot = per_slot
        self.taken = [*taken]

    @property
    def is_full(self) -> bool:
        """Whether nothing is wanted any more."""
        return next(self.open(), None) is None

    @property
    def in_order(self) -> tuple[Suggestion, ...]:
        """What was taken, in the order of the slots, and of levels the mildest first."""
        order = {slot.id: (place, slot) for place, slot in enumerate(self.slots)}

        def place(taken: Suggestion) -> tuple[int, int]:
            at, slot = order[taken.slot]
            offer = slot.offer(taken.form)
            return at, offer.levels.index(taken.severity) if offer is not None else 0

        return tuple(sorted(self.taken, key=place))

    def open(self) -> Iterator[tuple[Slot, int]]:
        """Give each slot that wants something, with the forms that may still come, and how many are wanted."""
        for slot in self.slots:
            if missing := self.missing(slot):
                yield self._still_open(slot), missing

    def missing(self, slot: Slot) -> int:
        """Count what is wanted for a slot."""
        return self.per_slot - sum(each.slot == slot.id for each in self.taken) if slot.forms else 0

    def has_room(self, slot_id: str, form: str, severity: str | None) -> bool:
        """Whether a suggestion of this form and level may be taken: its slot is not full, and it keeps no other form,
        and no other level that the form may be of, from its turn.
        """
        slot = next(slot for slot in self.slots if slot.id == slot_id)
        offer = self._still_open(slot).offer(form)
        return self.missing(slot) > 0 and offer is not None and severity in offer.levels

    def take(self, suggestion: Suggestion) -> None:
        """Keep a suggestion."""
        self.taken.append(suggestion)

    def copy(self) -> "Tally":
        """Return one that goes its own way from here."""
        return Tally(self.slots, self.per_slot, tuple(self.taken))

    def _still_open(self, slot: Slot) -> Slot:
        """The slot with the forms that may still come: each once before any comes twice, and so each level of one."""
        taken = {(each.form, each.severity) for each in self.taken if each.slot == slot.id}
        fresh = tuple(left for offer in slot.forms if (left := _fresh(offer, taken)) is not None)
        number = sum(len(offer.levels) for offer in fresh)
        return slot.model_copy(update={"forms": fresh if self.missing(slot) <= number else slot.forms})


class Turns:
    """The calls that may still be made of a source, in its manner.

    Together there are so many calls for all that is wanted; one by one there are so many for each suggestion, and what
    one of them did not need another of its slot may have.
    """

    def __init__(self, request: Request, tally: Tally, manner: Manner, calls: int) -> None:
        self._request = request
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
        offer = slot.forms[((self._request.deal or 0) + made) % len(slot.forms)]
        chosen: dict[str, tuple[str | None, ...]] = {}
        if offer.to:
            chosen["to"] = (recipient(self._request, [name for name in offer.to if name is not None]),)
        if offer.severities:
            chosen["severities"] = (offer.severities[made % len(offer.severities)],)
        return Wanted(slot.model_copy(update={"forms": (offer.model_copy(update=chosen),)}), 1)


def _fresh(offer: FormOffer, taken: Set[tuple[str, str | None]]) -> FormOffer | None:
    """A form with the levels of which there is nothing yet; None where there is something of all."""
    left = tuple(level for level in offer.levels if (offer.form, level) not in taken)
    if len(left) == len(offer.levels):
        return offer
    return offer.model_copy(update={"severities": left}) if left else None
