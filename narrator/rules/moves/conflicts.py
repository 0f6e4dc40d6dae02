"""Moves of a conflict: its beginning, its turns, a concession, its end."""

from typing import Literal

from narrator.rules.model import Name
from narrator.rules.moves.ends import end_conflict
from narrator.rules.moves.move import Book, Move, Names, refuse
from narrator.rules.request.scene import GM
from narrator.rules.request.trackers import Conflict
from narrator.rules.resolve.cast import rating


class ConflictMove(Move):
    """A conflict begins (Fate Core SRD, "Turn Order"; Fate Condensed, "Turn Order")."""

    type: Literal["conflict"]
    kind: Literal["physical", "mental"] | None = None
    """Which skills decide the order of turns. If you omit both this and `order`: `physical`."""
    order: Names | None = None
    """Everybody in the order of their turns, if the table decides it."""

    def make(self, book: Book) -> None:
        if self.kind is not None and self.order is not None:
            refuse("order", "give `kind` or `order`, not both")
        book.open_frame("conflict")
        order = self._order(book)
        book.fields["conflict"] = Conflict(order=order, turn=order[0] if order else None)

    def _order(self, book: Book) -> tuple[str, ...] | None:
        present = {each.name: each for each in book.characters.values() if not each.is_out}
        if self.order is not None:
            for place, name in enumerate(book.people(self.order, "order")):
                if name not in present:
                    refuse(f"order.{place}", f"{name} is out", present)
            if missing := [name for name in present if name not in self.order]:
                refuse("order", f"everybody present needs a turn; missing: {', '.join(missing)}")
            return self.order
        skills = book.ruleset.conflicts.order.get(self.kind or "physical")
        if skills is None:
            return None
        return tuple(sorted(present, key=lambda name: [-rating(present[name], skill) for skill in skills]))


class TurnMove(Move):
    """A turn ends and the next begins (Fate Core SRD, "Turn Order"; Fate Condensed, "Turn Order")."""

    type: Literal["turn"]
    who: Name | None = None
    """Whose turn begins. If omitted, the next in the order. Required if the conflict has no order."""

    def make(self, book: Book) -> None:
        conflict: Conflict = book.tracker("conflict")
        present = [each.name for each in book.characters.values() if not each.is_out]
        acted = (*conflict.acted, *([conflict.turn] if conflict.turn else []))
        if conflict.order is None:
            is_over = bool(acted) and set(present) <= set(acted)
            left = [name for name in present if is_over or name not in acted]
        else:
            place = conflict.order.index(conflict.turn) if conflict.turn in conflict.order else -1
            coming = [name for name in conflict.order[place + 1 :] if name in present]
            is_over = not coming
            left = (coming or [name for name in conflict.order if name in present])[:1]
        who = self.who if self.who is not None or conflict.order is None else next(iter(left), None)
        if who not in left:
            hint = f"it is not the turn of {book.person(who, among=left).name}" if who else "say whose turn it is"
            refuse("who", hint if left else "nobody is left who can have a turn", left)
        update = {"turn": who, "acted": () if is_over else acted, "exchange": conflict.exchange + is_over}
        book.fields["conflict"] = conflict.model_copy(update=update)


class ConcedeMove(Move):
    """Somebody concedes before the dice fall, and says how they leave (Fate Core SRD, "Conceding the Conflict")."""

    type: Literal["concede"]
    who: Name
    """Who concedes. They are out. They are owed a fate point, and another for each consequence from this conflict."""

    def make(self, book: Book) -> None:
        character = book.person(self.who, among=[each.name for each in book.characters.values() if not each.is_out])
        if book.old.frame != "conflict":
            book.tracker("conflict")
        if character.is_out:
            refuse("who", f"{self.who} is already out")
        book.change(self.who, conceded=True)
        points = 1 + sum(each.taken_here for each in character.consequences or ())
        book.owe(self.who if character.importance == "pc" else GM, points)


class EndConflictMove(Move):
    """The conflict ends (Fate Core SRD, "Ending a Conflict", "Transitioning to a Contest or Challenge")."""

    type: Literal["end_conflict"]
    then: Literal["contest", "challenge"] | None = None
    """What it turns into. Owed fate points and stress then wait until that ends."""

    def make(self, book: Book) -> None:
        # This also pays what waited for a contest or a challenge to end.
        levels = (level for each in book.everybody for level in each.consequences or ())
        is_waiting = any(each.fate_points_owed for each in book.everybody) or any(each.taken_here for each in levels)
        if book.old.frame is None or (book.old.frame != "conflict" and not is_waiting):
            book.tracker("conflict")
        book.close_frame()
        if self.then is None:
            end_conflict(book, rest=True)
        else:
            book.fields["frame"] = self.then
