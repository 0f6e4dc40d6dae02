"""The rows that words are wanted for: the one that a roll has led to, or each that it may lead to."""

from collections.abc import Mapping, Sequence

from narrator.rules.resolution import Slot
from narrator.rules.ruling import Ruling
from narrator.validation.judge import Judge


class Rows:
    """One row or several, of the same scene and for as many suggestions a slot. No two have a slot of the same id."""

    def __init__(self, rulings: Sequence[Ruling]) -> None:
        self.rulings = tuple(rulings)
        self.first = self.rulings[0]
        """The first row; scene and ruleset are those of them all."""
        self._judges = tuple(map(Judge, self.rulings))
        self._by_slot = {slot.id: judge for judge in self._judges for slot in judge.ruling.slots}

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Every slot, row by row."""
        return tuple(slot for ruling in self.rulings for slot in ruling.slots)

    def of(self, slot: Slot) -> Judge:
        """Find who judges words for a slot."""
        return self._by_slot[slot.id]

    def meant(self, candidate: object) -> Judge:
        """Find who judges a candidate; where it names no slot of any, the first will say so."""
        slot = candidate.get("slot") if isinstance(candidate, Mapping) else None
        return self._by_slot.get(slot, self._judges[0]) if isinstance(slot, str) else self._judges[0]
