"""The rows that words are wanted for: the one that a roll has led to, or each that it may lead to."""

from collections.abc import Mapping, Sequence

from narrator.rules.action import Request
from narrator.rules.resolution import Resolution, Slot
from narrator.rules.ruleset import Ruleset
from narrator.validation.standard import Standard


class Rows:
    """One row or several, of the same scene and for as many suggestions a slot. No two have a slot of the same id."""

    def __init__(self, rows: Sequence[Standard]) -> None:
        self._rows = tuple(rows)
        self._by_slot = {slot.id: row for row in self._rows for slot in row.slots}

    @property
    def request(self) -> Request:
        """That of the first row."""
        return self._rows[0].request

    @property
    def resolutions(self) -> tuple[Resolution, ...]:
        """What the rules found, row by row."""
        return tuple(row.resolution for row in self._rows)

    @property
    def ruleset(self) -> Ruleset:
        """That of them all."""
        return self._rows[0].ruleset

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Every slot, row by row."""
        return tuple(slot for row in self._rows for slot in row.slots)

    @property
    def unjudged(self) -> tuple[str, ...]:
        """Notices of what cannot be judged in the scene's language."""
        return self._rows[0].unjudged

    def of(self, slot: Slot) -> Standard:
        """Find the row that a slot is of."""
        return self._by_slot[slot.id]

    def meant(self, candidate: object) -> Standard:
        """Find the row that a candidate is for; where it names no slot of any, the first will say so."""
        slot = candidate.get("slot") if isinstance(candidate, Mapping) else None
        return self._by_slot.get(slot, self._rows[0]) if isinstance(slot, str) else self._rows[0]
