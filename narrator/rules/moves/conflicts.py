"""Moves of conflicts: whose turn it is, who concedes, and how one ends."""

from typing import ClassVar, Literal

from narrator.rules.model import Name
from narrator.rules.moves.ends import end_conflict
from narrator.rules.moves.move import Book, Move, Names, refuse
from narrator.rules.request.scene import GM
from narrator.rules.request.trackers import Conflict as ConflictTracker
from narrator.rules.resolve.cast import rating


class BeginConflict(Move):
    """A conflict begins: whoever is there may harm the others."""

    source: ClassVar = "Fate Core SRD, Turn Order; Fate Condensed, Turn Order"

    type: Literal["conflict"]
    kind: Literal["physical", "mental"] | None = None
    """Which skills order the turns; left out, and no order told: physical."""
    order: Names | None = None
    """Everybody in the order of their turns, where the table says it."""

    def make(self, book: Book) -> None:
        if self.kind is not None and self.order is not None:
            refuse("order", "say kind or order, not both")
        order = self._order(book)
        book.open_frame("conflict", ConflictTracker(order=order, turn=order[0] if order else None))

    def _order(self, book: Book) -> tuple[str, ...] | None:
        present = [each for each in book.characters.values() if not each.is_out]
        if self.order is not None:
            order, names = book.people(self.order, "order"), [each.name for each in present]
            for place, name in enumerate(order):
                if name not in names:
                    refuse(f"order.{place}", f"{name} is out", names)
            if missing := [name for name in names if name not in order]:
                refuse("order", f"everybody who is there has a turn: {', '.join(missing)} is missing")
            return order
        skills = book.ruleset.conflicts.order.get(self.kind or "physical")
        if skills is None:
            return None
        ranked = sorted(present, key=lambda each: [-rating(each, skill) for skill in skills])
        return tuple(each.name for each in ranked)


class Turn(Move):
    """Somebody's turn is over, and another's begins."""

    source: ClassVar = "Fate Core SRD, Turn Order; Fate Condensed, Turn Order"

    type: Literal["turn"]
    who: Name | None = None
    """Whose turn it is now; left out: the next one's in the order. Wanted where there is no order."""

    def make(self, book: Book) -> None:
        conflict: ConflictTracker | None = book.now("conflict")
        if conflict is None:
            refuse("type", "there is no conflict: begin one first", ["conflict"], code="not_in_frame")
        present = [each.name for each in book.characters.values() if not each.is_out]
        acted = (*conflict.acted, *([conflict.turn] if conflict.turn else []))
        if conflict.order is None:
            is_over = bool(acted) and set(present) <= set(acted)
            left = [name for name in present if is_over or name not in acted]
            if self.who is None:
                refuse("who", "say whose turn it is: whoever had the last one chooses", left)
            who = self.who
        else:
            place = conflict.order.index(conflict.turn) if conflict.turn in conflict.order else -1
            coming = [name for name in conflict.order[place + 1 :] if name in present]
            is_over = not coming
            left = (coming or [name for name in conflict.order if name in present])[:1]
            if not left:
                refuse("type", "nobody of the order is left to have a turn")
            who = self.who or left[0]
        if who not in left:
            book.person(who)
            refuse("who", f"it is not the turn of {who}", left)
        update = {"turn": who, "acted": () if is_over else acted, "exchange": conflict.exchange + is_over}
        book.fields["conflict"] = conflict.model_copy(update=update)


class Concede(Move):
    """Somebody gives in before the dice are thrown, and says how they go."""

    source: ClassVar = "Fate Core SRD, Conceding the Conflict; Fate Condensed, Conceding; Fate Accelerated, Giving In"

    type: Literal["concede"]
    who: Name
    """Who concedes: they are out, and owed a fate point, and one for each consequence of this conflict."""

    def make(self, book: Book) -> None:
        book.needs_frame("conflict")
        character = book.person(self.who)
        if character.is_out:
            refuse("who", f"{self.who} is out already")
        book.change(self.who, conceded=True)
        points = 1 + sum(each.taken_here for each in character.consequences or ())
        book.owe(self.who if character.importance == "pc" else GM, points)


class EndConflict(Move):
    """The conflict is over."""

    source: ClassVar = "Fate Core SRD, Ending a Conflict, Transitioning to a Contest or Challenge"

    type: Literal["end_conflict"]
    then: Literal["contest", "challenge"] | None = None
    """What it passes into: points and stress then wait for the end of that."""

    def make(self, book: Book) -> None:
        is_waiting = any(
            each.fate_points_owed or any(level.taken_here for level in each.consequences or ())
            for each in book.everybody
        )
        # What waited for a contest or a challenge may be paid as soon as that is done.
        if book.now("frame") in (None, "conflict") or not is_waiting:
            book.needs_frame("conflict")
        book.close_frame()
        if self.then is None:
            end_conflict(book, rest=True)
        else:
            book.fields["frame"] = self.then
