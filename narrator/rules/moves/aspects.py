"""Moves of aspects: they come into play and go, and their free invocations are passed on."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from narrator.rules.model import TABLE, Count, Name
from narrator.rules.moves.move import Book, Move, refuse
from narrator.rules.request.scene import SceneAspect
from narrator.rules.request.trackers import AtLeastOne


class PutAspect(Move):
    """An aspect is put in play, without a roll."""

    source: ClassVar = "Fate Core SRD, Situation Aspects, Boosts"

    type: Literal["aspect"]
    name: Name
    """Its wording."""
    on: Name | None = None
    """Its bearer, a character or a zone; left out: it is the scene's own."""
    free_invocations: Annotated[dict[Name, Count], TABLE] = {}
    """How many free invocations each holder has of it, by name; `*` is whoever takes it first."""
    boost: bool = False
    """Whether it is a boost; one that names no holder is for whoever takes it first."""
    lasting: bool = False
    """Whether it outlives the scene."""

    def make(self, book: Book) -> None:
        if (self.name, self.on) in [(each.name, each.on) for each in book.aspects]:
            refuse("name", "this aspect is in play already")
        if self.boost and self.lasting:
            refuse("lasting", "a boost never outlives the scene")
        book.bearer(self.on)
        for name in self.free_invocations:
            book.holder(name, f"free_invocations.{name}")
        told = {name: getattr(self, name) for name in ("name", "on", "free_invocations", "boost", "lasting")}
        book.aspects.append(SceneAspect(**told))


class Drop(Move):
    """An aspect of the scene's own list goes."""

    source: ClassVar = "Fate Core SRD, Situation Aspects"

    type: Literal["drop"]
    name: Name
    """The aspect that goes."""
    on: Name | None = None
    """Its bearer, where two bear the same name."""

    def make(self, book: Book) -> None:
        book.bearer(self.on)
        book.put(book.entries(self.name, self.on, "name")[0], None)


class Pass(Move):
    """Free invocations, or a boost, become another's."""

    source: ClassVar = "Fate Core SRD, Free Invocations; Fate Accelerated, Boosts"

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
        book.bearer(self.on)
        book.holder(self.giver, "from")
        book.holder(self.to, "to")
        if self.giver == self.to:
            refuse("to", "they have them already")
        found = [each for each in book.entries(self.aspect, self.on, "aspect") if not each.each_attack]
        entry = max(found, key=lambda each: each.held[self.giver], default=None)
        held = entry.held if entry else {}
        number = self.number or (max(1, held[self.giver]) if entry and entry.boost else 1)
        if entry is None or held[self.giver] < number:
            holders = [name for each in found for name in +each.held]
            message = f"{self.giver} holds {held[self.giver] if entry else 0} free invocations of this, not {number}"
            refuse("number" if self.number else "from", message, holders, code="no_free_invocation")
        given = dict(entry.held)
        given[self.giver] -= number
        given[self.to] = given.get(self.to, 0) + number
        left = {name: each for name, each in given.items() if each}
        book.put(entry, entry.model_copy(update={"free_invocations": left}))
