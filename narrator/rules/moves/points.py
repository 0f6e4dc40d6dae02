"""Moves of fate points: compels, and whatever else pays or earns one."""

from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from narrator.rules.model import LIST, Name, Prose, Whole
from narrator.rules.moves.move import Book, Move, refuse
from narrator.rules.request.scene import GM
from narrator.rules.resolve.invocations import AspectKey, aspects_in_play
from narrator.rules.typo import meant


def _as_several(told: Any) -> Any:
    return (told,) if isinstance(told, str) else told


_Listed = BeforeValidator(_as_several, json_schema_input_type=tuple[Name, ...] | Name)
Several = Annotated[tuple[Name, ...], LIST, Field(min_length=1), _Listed]
"""One name, or several."""


class CompelMove(Move):
    """An aspect is compelled, which is accepted or refused (Fate Core SRD, "Compelling Aspects", "The GM and Fate
    Points"). A compel that is taken back is no move.
    """

    type: Literal["compel"]
    who: Several
    """Who is compelled, one or several."""
    aspect: Name
    """The aspect: any one in play but a boost."""
    on: Name | None = None
    """Its bearer, where two bear the same name."""
    by: Name | None = None
    """Who compels; left out: the GM. A player's character pays a fate point for each other one."""
    accepted: bool
    """True: each gets a fate point; false: each pays one."""

    def make(self, book: Book) -> None:
        book.people(self.who, "who")
        key = self._aspect(book)
        if self.by in self.who and not self.accepted:
            refuse("accepted", f"{self.by} compels {self.by}: that is not refused, it is only taken back")
        costs, gains = Counter[str](), Counter[str]()
        for name in self.who:
            (gains if self.accepted else costs)[book.purse(name)] += 1
        if self.by not in (None, GM) and book.person(self.by or "", "by").importance == "pc":
            # "Compels and Multiple Targets": one fate point compels one individual.
            offered = Counter({self.by or "": len({*self.who} - {self.by})})
            is_paid = self.accepted or book.ruleset.fate_points.compel == "paid"
            book.pay(offered, Counter() if is_paid else offered, "by")
        book.pay(costs, gains)
        book.why = f" ({self.aspect}, compelled by {self.by or GM}: {'accepted' if self.accepted else 'refused'})"
        if not self.accepted:
            # "Compelling a Roar Aspect" (War of Ashes SRD): refused, the roar is over.
            for each in [each for each in book.aspects if each.roar and (each.name, each.on) == key]:
                book.put(each, None)

    def _aspect(self, book: Book) -> AspectKey:
        lasting = book.listed() | {(each.name, each.on) for each in book.aspects if not each.boost}
        same = [key for key in aspects_in_play(book.old) if key[0] == self.aspect]
        keys = [key for key in same if self.on in (None, key[1])]
        if not same:
            known = list(dict.fromkeys(name for name, _ in aspects_in_play(book.old) if name in dict(lasting)))
            refuse("aspect", f"this is not in play{meant(self.aspect, known)}", known, code="unknown_aspect")
        if not keys:
            refuse("on", "it is on somebody else", [on for _, on in same if on], code="unknown_aspect")
        if lasting.isdisjoint(keys):
            refuse("aspect", "this is a boost: it is invoked, never compelled")
        return keys[0]


class PayMove(Move):
    """A fate point is earned or paid in any other way (Fate Core SRD, "The Fate Point Economy")."""

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
        purse, book.why = book.purse(self.who), self.why and f" ({self.why})"
        book.pay(Counter({purse: max(0, -self.points)}), Counter({purse: max(0, self.points)}))
