"""Moves that add an aspect, remove one, or pass on its free invocations."""

from typing import Annotated, Literal

from pydantic import Field

from narrator.rules.model import Name
from narrator.rules.moves.move import Book, Move, refuse
from narrator.rules.request.scene import SceneAspect
from narrator.rules.request.trackers import AtLeastOne


class AspectMove(SceneAspect, Move):
    """An aspect comes into play without a roll (Fate Core SRD, "Situation Aspects", "Boosts")."""

    type: Literal["aspect"]

    def make(self, book: Book) -> None:
        book.add_aspect(SceneAspect(**{name: getattr(self, name) for name in SceneAspect.model_fields}), "")


class DropMove(Move):
    """An aspect is removed from the scene's list (Fate Core SRD, "Situation Aspects")."""

    type: Literal["drop"]
    name: Name
    """The aspect to remove."""
    on: Name | None = None
    """Its bearer, if several aspects have this name."""

    def make(self, book: Book) -> None:
        book.put(book.entries(self.name, self.on, "name")[0], None)


class PassMove(Move):
    """Somebody passes free invocations or a boost to somebody else (Fate Core SRD, "Create an Advantage", "Boosts")."""

    type: Literal["pass"]
    aspect: Name
    """The aspect whose free invocations they are."""
    on: Name | None = None
    """Its bearer, if several aspects have this name."""
    giver: Annotated[Name, Field(alias="from")]
    """Who has them: a character, `GM`, or `*` for those that anyone may use."""
    to: Name
    """Who gets them."""
    number: AtLeastOne | None = None
    """How many. If omitted: one, or all of a boost."""

    def make(self, book: Book) -> None:
        book.holder(self.giver, "from")
        book.holder(self.to, "to", [name for name in book.characters if name != self.giver])
        if self.giver == self.to:
            refuse("to", "this is the giver; name somebody else")
        entry = max(book.entries(self.aspect, self.on, "aspect"), key=lambda each: each.held[self.giver])
        held = entry.held
        number = self.number or (held[self.giver] if entry.boost else 1) or 1
        if held[self.giver] < number or entry.each_attack:
            has = 0 if entry.each_attack else held[self.giver]
            message = f"{self.giver} can pass on {has} free invocations of this, not {number}"
            if self.number is not None:
                refuse("number", message, code="no_free_invocation")
            others = [name for name in +held if name != self.to and not entry.each_attack]
            refuse("from", message, others, code="no_free_invocation")
        held[self.giver] -= number
        held[self.to] += number
        book.put(entry, entry.model_copy(update={"free_invocations": dict(+held)}))
