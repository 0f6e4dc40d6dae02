"""Moves of fate points: compels, and whatever else pays or earns one."""

from collections import Counter
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from narrator.rules.model import LIST, Name, Prose, Whole
from narrator.rules.moves.move import Book, Move, refuse
from narrator.rules.request.scene import GM
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.typo import meant


def _as_several(told: Any) -> Any:
    return (told,) if isinstance(told, str) else told


Several = Annotated[
    tuple[Name, ...],
    LIST,
    Field(min_length=1),
    BeforeValidator(_as_several, json_schema_input_type=tuple[Name, ...] | Name),
]
"""One name, or several."""


class Compel(Move):
    """An aspect is compelled, and that is accepted or refused. One that is taken back is no move."""

    source: ClassVar = "Fate Core SRD, Compelling Aspects, Compels and Multiple Targets, The GM and Fate Points"

    type: Literal["compel"]
    who: Several
    """Who is compelled, one or several."""
    aspect: Name
    """The aspect: any one in play but a boost."""
    on: Name | None = None
    """Its bearer, where two bear the same name."""
    by: Name | None = None
    """Who compels; left out: the GM."""
    accepted: bool
    """True: each gets a fate point; false: each pays one."""

    def make(self, book: Book) -> None:
        book.people(self.who, "who")
        key = self._aspect(book)
        others = self._others(book)
        if self.by in self.who and not self.accepted:
            refuse("accepted", f"{self.by} compels {self.by}: that is not refused, it is only taken back")
        costs, gains = Counter[str](), Counter[str]()
        for name in self.who:
            (gains if self.accepted else costs)[book.purse(name)] += 1
        if self.by is not None and others:
            if self.accepted or book.ruleset.fate_points.compel == "paid":
                costs[self.by] += others
            elif book.person(self.by).fate_points == 0:
                refuse("by", f"{self.by} has no fate point to offer", code="no_fate_point")
        book.pay(costs, gains)
        if not self.accepted and book.ruleset.roar is not None:
            self._end_roar(book, key)

    def _others(self, book: Book) -> int:
        """How many somebody other than the GM compels beside themself: a fate point for each."""
        if self.by is None or self.by == GM or book.purse(book.person(self.by, "by").name) == GM:
            return 0
        return len([name for name in self.who if name != self.by])

    def _aspect(self, book: Book) -> tuple[str, str | None]:
        same = [key for key in aspects_in_play(book.old) if key[0] == self.aspect]
        keys = [key for key in same if self.on in (None, key[1])]
        if not keys:
            known = list(dict.fromkeys(name for name, _ in aspects_in_play(book.old)))
            message = "it is on somebody else" if same else f"this is not in play{meant(self.aspect, known)}"
            refuse("on" if same else "aspect", message, [] if same else known, code="unknown_aspect")
        entries = [each for each in book.aspects if (each.name, each.on) in keys]
        own = len(keys) > len({(each.name, each.on) for each in entries})
        if not own and entries and all(each.boost for each in entries):
            refuse("aspect", "this is a boost: it is invoked, never compelled")
        return keys[0]

    def _end_roar(self, book: Book, key: tuple[str, str | None]) -> None:
        """A refused compel of a roar ends it (War of Ashes SRD, "Compelling a Roar Aspect")."""
        roars = [each for each in book.aspects if each.roar and (each.name, each.on) == key]
        for each in roars:
            book.put(each, None)
        for name in self.who if roars else ():
            book.change(name, roar=None)


class Pay(Move):
    """A fate point is earned or paid in any other way."""

    source: ClassVar = "Fate Core SRD, The Fate Point Economy"

    type: Literal["pay"]
    who: Name
    """Whose they are, there or away; `GM`, and everybody else who is no player's character, has the GM's."""
    points: Whole
    """How many more they have then, or below 0 how many fewer."""
    why: Prose = ""
    """What for, in plain words."""

    def make(self, book: Book) -> None:
        if self.points == 0:
            refuse("points", "say how many: above 0 they are earned, below 0 they are paid")
        purse = book.purse(self.who)
        count = Counter({purse: abs(self.points)})
        book.pay(*((Counter(), count) if self.points > 0 else (count, Counter())))
