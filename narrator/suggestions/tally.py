"""What is wanted for each slot, and what has been taken for it."""

from collections.abc import Iterator, Set

from narrator.rules.choice import Suggestion
from narrator.rules.resolution import FormOffer, Slot


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


def _fresh(offer: FormOffer, taken: Set[tuple[str, str | None]]) -> FormOffer | None:
    """A form with the levels of which there is nothing yet; None where there is something of all."""
    left = tuple(level for level in offer.levels if (offer.form, level) not in taken)
    if len(left) == len(offer.levels):
        return offer
    return offer.model_copy(update={"severities": left}) if left else None
