"""Moves of aspects: they come into play and go, and their free invocations are passed on."""

from typing import Annotated, Literal

from pydantic import Field

from narrator.rules.model import Name
from narrator.rules.moves.move import Book, Move, refuse
from narrator.rules.request.scene import SceneAspect
from narrator.rules.request.trackers import AtLeastOne


class AspectMove(SceneAspect, Move):
    """An aspect is put in play, without a roll (Fate Core SRD, "Situation Aspects", "Boosts")."""

    type: Literal["aspect"]

    def make(self, book: Book) -> None:
        book.add_aspect(SceneAspect(**{name: getattr(self, name) for name in SceneAspect.model_fields}), "")


class DropMove(Move):
    """An aspect of the scene's own list goes (Fate Core SRD, "Situation Aspects")."""

    type: Literal["drop"]
    name: Name
    """The aspect that goes."""
    on: Name | None = None
    """Its bearer, where two bear the same name."""

    def make(self, book: Book) -> None:
        book.put(book.entries(self.name, self.on, "name")[0], None)


class PassMove(Move):
    """Free invocations, or a boost, become another's (Fate Core SRD, "Create an Advantage", "Boosts")."""

    type: Literal["pass"]
    aspect: Name
    """The aspect that they are of."""
    on: Name | None = None
    """Its bearer, where two bear the same name."""
    giver: Annotated[Name, Field(alias="from")]
    """Who has them: a character, `GM`, or `*` for what is anyone's."""
    to: Name
    """Who gets them."""
    number: AtLeastOne | None = None
    """How many; left out: one, and of a boost all."""

    def make(self, book: Book) -> None:
        book.holder(self.giver, "from")
        book.holder(self.to, "to", [name for name in book.characters if name != self.giver])
        if self.giver == self.to:
            refuse("to", "they have them already")
        entry = max(book.entries(self.aspect, self.on, "aspect"), key=lambda each: each.held[self.giver])
        held = entry.held
        number = self.number or (held[self.giver] if entry.boost else 1) or 1
        if held[self.giver] < number or entry.each_attack:
            message = f"{self.giver} holds {held[self.giver]} free invocations of this to pass on, not {number}"
            if self.number is not None:
                refuse("number", message, code="no_free_invocation")
            others = [name for name in +held if name != self.to and not entry.each_attack]
            refuse("from", message, others, code="no_free_invocation")
        held[self.giver] -= number
        held[self.to] += number
        book.put(entry, entry.model_copy(update={"free_invocations": dict(+held)}))
