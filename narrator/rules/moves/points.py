"""Moves of fate points: compels, and any other way to earn or pay them."""

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
    """An aspect is compelled, and the compel is accepted or refused (Fate Core SRD, "Compelling Aspects", "The GM
    and Fate Points"). If the compel is withdrawn, make no move.
    """

    type: Literal["compel"]
    who: Several
    """Who is compelled: one or several."""
    aspect: Name
    """The aspect: any in play except a boost."""
    on: Name | None = None
    """Its bearer, if several aspects have this name."""
    by: Name | None = None
    """Who compels. If omitted, the GM. A player character pays a fate point for each other character compelled."""
    accepted: bool
    """If true, each gets a fate point. If false, each pays one."""

    def make(self, book: Book) -> None:
        book.people(self.who, "who")
        key = self._aspect(book)
        if self.by in self.who and not self.accepted:
            refuse("accepted", f"{self.by} cannot refuse their own compel; to withdraw it, make no move")
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
            refuse("on", "this aspect has another bearer", [on for _, on in same if on], code="unknown_aspect")
        if lasting.isdisjoint(keys):
            refuse("aspect", "a boost can be invoked, but not compelled")
        return keys[0]


class PayMove(Move):
    """Somebody earns or pays fate points in another way (Fate Core SRD, "The Fate Point Economy")."""

    type: Literal["pay"]
    who: Name
    """Who earns or pays, present or away. All but player characters use the GM's points."""
    points: Whole
    """How many they earn. Below 0, how many they pay."""
    why: Prose = ""
    """The reason, in plain words."""

    def make(self, book: Book) -> None:
        if self.points == 0:
            refuse("points", "this must not be 0: above 0 is earned, below 0 is paid")
        purse, book.why = book.purse(self.who), self.why and f" ({self.why})"
        book.pay(Counter({purse: max(0, -self.points)}), Counter({purse: max(0, self.points)}))
