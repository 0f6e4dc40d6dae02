"""Moves that bring people in, take them out, or change a field by hand."""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from narrator.rules.json_text import Json
from narrator.rules.model import TABLE, Name, refusal
from narrator.rules.moves.move import Book, Move, Names, one_of, refuse
from narrator.rules.request.scene import ANYONE, GM, Character, Scene, StressTrack, Zone
from narrator.rules.settle.changes import TRACKERS, Difference
from narrator.rules.settle.suggestion import Suggestion

Quality = Literal["average", "fair", "good"]
_NAMELESS: dict[Quality, tuple[int, int]] = {"average": (1, 0), "fair": (2, 1), "good": (3, 2)}
"""The rating of a nameless character, and how many boxes each track has."""

_OF_OTHER_MOVES = frozenset(("characters", "zones", "away", "revision", "dealt", "struck", *TRACKERS))
"""The fields of a scene that `change` does not write."""

_MENTIONS = {
    Character: frozenset(("on", "free_invocations", "sides", "order", "turn", "acted")),
    Zone: frozenset(("on", "zone", "adjacent")),
}
"""The fields that refer to a character or zone by name."""


class EnterMove(Move):
    """Somebody enters the scene (Fate Core SRD, "Nameless NPCs")."""

    type: Literal["enter"]
    character: Character | None = None
    """A new character, as in a scene."""
    who: Name | None = None
    """Somebody away who comes back."""
    suggestion: Suggestion | None = None
    """An accepted suggestion of new opposition, unchanged. They are nameless and on the opposition's side."""
    name: Name | None = None
    """Their name. If omitted, the one in `character` or `suggestion`. A name alone adds somebody nameless on the
    opposition's side.
    """
    nameless: Quality | None = None
    """How good a nameless character is: skills at 1, 2 or 3, and no, one or two boxes on each track."""
    skills: Names | None = None
    """The skills they have at that rating. If omitted, all that the ruleset lists."""

    def make(self, book: Book) -> None:
        told = {"character": self.character, "who": self.who, "suggestion": self.suggestion}
        if self.name is None or any(told.values()):
            one_of(told, "who comes in (a name alone is enough)")
        if self.who is not None and (self.name or self.nameless or self.skills):
            refuse("who", "somebody who comes back already has a name and a sheet; give only `who`")
        if self.who is None:
            name = self._add(book)
        elif self.who in book.away:
            name = self.who
            book.come(name)
        else:
            refuse("who", f"{self.who} is not away", book.away, code="unknown_character")
        conflict = book.now("conflict")
        if conflict is not None and conflict.order is not None and name not in conflict.order:
            book.fields["conflict"] = conflict.model_copy(update={"order": (*conflict.order, name)})

    def _add(self, book: Book) -> str:
        new, part = self.character, "character"
        if new is None:
            players = {each.side for each in book.everybody if each.importance == "pc"}
            sides = (each.side for each in book.everybody if each.side not in players)
            name = self.name if self.suggestion is None else _turned_up(self.suggestion, book)
            new, part = Character(name=name or "", side=next(sides, "opposition")), "suggestion"
        if self.name is not None:
            new, part = new.model_copy(update={"name": self.name}), ""
        if new.name in (GM, ANYONE, *(each.name for each in book.everybody)):
            hint = "; to bring them back, give `who`" if new.name in book.away else ""
            refuse(f"{part}.name".lstrip("."), f"somebody already has this name{hint}")
        book.in_zone(new.zone, "character.zone")
        if self.nameless is not None:
            rating, boxes = _NAMELESS[self.nameless]
            tracks = {track: told[:boxes] for track, told in book.ruleset.sheet.stress.items()}
            stress = {track: StressTrack(boxes=told) for track, told in tracks.items() if told}
            skills = dict.fromkeys(self.skills or book.ruleset.skills, rating)
            new = new.model_copy(update={"skills": {**skills, **new.skills}, "stress": stress or None})
        book.characters[new.name] = new
        return new.name


def _turned_up(told: Suggestion, book: Book) -> str:
    """Return the name in a suggestion of new opposition, and add its detail to the facts."""
    form = book.ruleset.forms.get(told.form)
    if form is None or form.becomes != "fact":
        refuse("suggestion.form", "this is not new opposition", ["new_opposition"])
    if told.name is None:
        refuse("suggestion.name", "this is required: the name of who comes in")
    if (fact := f"{told.name}: {told.detail}") not in book.facts:
        book.facts.append(fact)
    return told.name


class LeaveMove(Move):
    """Somebody leaves, with aspects on them and free invocations they hold (Fate Core SRD, "Situation Aspects")."""

    type: Literal["leave"]
    who: Name
    """Who leaves. `pc` and `named` keep their sheets, in `away`; all others are forgotten."""

    def make(self, book: Book) -> None:
        book.leave(book.person(self.who).name)


class ChangeMove(Move):
    """The table changes a field by hand (Fate Core SRD, "Milestones")."""

    type: Literal["change"]
    who: Name | None = None
    """The character to change, present or away."""
    zone: Name | None = None
    """The zone to change. If you omit both `who` and `zone`, the scene changes."""
    set: Annotated[dict[str, Any], TABLE, Field(min_length=1)]
    """The new value of each field, which replaces the old one completely. Null is the field's default."""

    def make(self, book: Book) -> None:
        old = self._old(book)
        fields = [name for name in type(old).model_fields if not isinstance(old, Scene) or name not in _OF_OTHER_MOVES]
        for name in self.set:
            if name not in fields:
                refuse(f"set.{name}", "no such field, or one that only other moves change", fields)
        try:
            new = type(old).model_validate({**old.as_json(), **self.set})
        except ValidationError as error:
            raise refusal(error, type(old), "set") from None
        was, now, scene = old.as_json(), new.as_json(), book.old.as_json()
        if isinstance(new, Scene):
            scene = now
        else:
            self._check(new, book)
            for part in ("zones",) if isinstance(new, Zone) else ("characters", "away"):
                scene[part] = [now if each["name"] == was["name"] else each for each in scene[part]]
            if new.name != was["name"]:
                scene = _renamed(scene, was["name"], new.name, _MENTIONS[type(new)])
        book.fields |= {name: value for name, value in Scene.model_validate(scene) if name not in ("revision", "dealt")}
        book.is_told = True
        for name in self.set:
            if was.get(name) != now.get(name):
                told = {"before": was.get(name), "after": now.get(name)}
                if name == "name":
                    book.more.append(Difference(type="renamed", who=now["name"], **told))
                else:
                    book.more.append(Difference(type="field", who=self.who or self.zone, on=name, **told))

    def _old(self, book: Book) -> Character | Zone | Scene:
        if self.who is not None and self.zone is not None:
            refuse("zone", "give `who` or `zone`, not both")
        if self.who is not None:
            book.person(self.who, away=True)
            return next(each for each in (*book.old.characters, *book.old.away) if each.name == self.who)
        book.in_zone(self.zone, "zone", is_there=True)
        return next((zone for zone in book.zones if zone.name == self.zone), book.old)

    def _check(self, new: Character | Zone, book: Book) -> None:
        others: tuple[Character | Zone, ...] = tuple(book.zones) if isinstance(new, Zone) else book.everybody
        names = {each.name for each in others} - {self.who, self.zone}
        if new.name in {GM, ANYONE, *names}:
            refuse("set.name", "another already has this name")
        if isinstance(new, Character) and "zone" in self.set and self.who in book.characters:
            book.in_zone(new.zone, "set.zone")


def _renamed(told: Any, old: str, new: str, mentions: frozenset[str], field: str = "") -> Any:
    """The same JSON, with the name changed in every field that refers to it, but not in prose."""
    if isinstance(told, list):
        return [_renamed(each, old, new, mentions, field) for each in told]
    if isinstance(told, dict):
        keys: Json = {key: new if key == old and field in mentions - {"sides"} else key for key in told}
        below = {key: field if field == "sides" else key for key in told}
        return {keys[key]: _renamed(each, old, new, mentions, below[key]) for key, each in told.items()}
    return new if told == old and field in mentions else told
