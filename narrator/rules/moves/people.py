"""Moves of people: who comes, who goes, and what is changed by hand."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationError

from narrator.errors import RequestError
from narrator.rules.model import TABLE, Name, refusal
from narrator.rules.moves.move import Book, Move, Names, one_of, refuse
from narrator.rules.request.scene import ANYONE, GM, Character, Scene, SceneAspect, StressTrack, Zone
from narrator.rules.settle.changes import TRACKERS, Difference
from narrator.rules.settle.suggestion import Suggestion

Quality = Literal["average", "fair", "good"]
_NAMELESS: dict[Quality, tuple[int, int]] = {"average": (1, 0), "fair": (2, 1), "good": (3, 2)}
"""What somebody nameless is rated, and how many boxes each track has."""

_UNCHANGEABLE = frozenset(("characters", "zones", "away", "revision", "dealt", *TRACKERS, "clocks"))


class Enter(Move):
    """Somebody comes in."""

    source: ClassVar = "Fate Core SRD, Nameless NPCs (Average, Fair, Good)"

    type: Literal["enter"]
    character: Character | None = None
    """Whoever comes in, as in a scene."""
    who: Name | None = None
    """Whoever comes back, of those who are away."""
    suggestion: Suggestion | None = None
    """An accepted suggestion of a new opposition, as it is: they are nameless, and of the opposition's side."""
    nameless: Quality | None = None
    """How good somebody nameless is: rated 1, 2 or 3, with none, one or two boxes in each track."""
    skills: Names | None = None
    """What they are that good at; left out: whatever the ruleset lists."""

    def make(self, book: Book) -> None:
        one_of({"character": self.character, "who": self.who, "suggestion": self.suggestion}, "who comes in")
        if self.who is not None:
            if self.who not in book.away:
                there = "there already" if self.who in book.characters else "not away"
                refuse("who", f"{self.who} is {there}", book.away, code="unknown_character")
            book.come(self.who)
            name = self.who
        else:
            name = self._add(book)
        conflict = book.now("conflict")
        if conflict is not None and conflict.order is not None and name not in conflict.order:
            book.fields["conflict"] = conflict.model_copy(update={"order": (*conflict.order, name)})

    def _add(self, book: Book) -> str:
        new, part = self.character, "character"
        if self.suggestion is not None:
            new, part = self._of_suggestion(self.suggestion, book), "suggestion"
        assert new is not None, "one of them is told"
        known = [each.name for each in book.everybody]
        if new.name in (*known, GM, ANYONE):
            hint = ": say who, and they come back" if new.name in book.away else ""
            refuse(f"{part}.name", f"there is somebody of this name already{hint}")
        zones = [zone.name for zone in book.zones]
        if new.zone is not None and zones and new.zone not in zones:
            refuse(f"{part}.zone", "the scene has no such zone", zones, code="unknown_zone")
        if self.nameless is not None:
            rating, boxes = _NAMELESS[self.nameless]
            tracks = book.ruleset.sheet.stress.items()
            stress = {track: StressTrack(boxes=told[:boxes]) for track, told in tracks if told[:boxes]}
            skills = dict.fromkeys(self.skills or book.ruleset.skills, rating)
            new = new.model_copy(update={"skills": {**skills, **new.skills}, "stress": stress if boxes else None})
        book.characters[new.name] = new
        return new.name

    def _of_suggestion(self, told: Suggestion, book: Book) -> Character:
        form = book.ruleset.forms.get(told.form)
        if form is None or form.becomes != "fact" or told.name is None:
            refuse("suggestion.form", "this is no new opposition", ["new_opposition"])
        players = {each.side for each in book.everybody if each.importance == "pc"}
        side = next((each.side for each in book.everybody if each.side not in players), "opposition")
        if (fact := f"{told.name}: {told.detail}") not in book.facts:
            book.facts.append(fact)
        return Character(name=told.name, side=side)


class Leave(Move):
    """Somebody goes: the sheet is kept, but for those who have none of their own."""

    source: ClassVar = "Fate Core SRD, Invoking Aspects, Situation Aspects"

    type: Literal["leave"]
    who: Name
    """Whoever goes. What is on them goes with them, and the free invocations and boosts that they hold."""

    def make(self, book: Book) -> None:
        book.person(self.who)
        book.leave(self.who)


class Change(Move):
    """A field of somebody's, of a zone's or of the scene's is written anew, by the table's word."""

    source: ClassVar = "Fate Core SRD, Milestones; Fate Accelerated, Getting Better at Doing Stuff"

    type: Literal["change"]
    who: Name | None = None
    """Whose field it is, there or away."""
    zone: Name | None = None
    """Whose field it is, where it is a zone's; with neither of both it is the scene's."""
    set: Annotated[dict[str, Any], TABLE, Field(min_length=1)]
    """The fields, each replaced whole; null is what they are where they are left out."""

    def make(self, book: Book) -> None:
        if self.who is not None and self.zone is not None:
            refuse("zone", "say who or zone, not both")
        old = self._target(book)
        fields = [name for name in type(old).model_fields if not isinstance(old, Scene) or name not in _UNCHANGEABLE]
        for name in self.set:
            if name not in fields:
                refuse(f"set.{name}", "no such field, or one that other moves change", fields)
        try:
            new = type(old).model_validate({**old.as_json(), **self.set})
        except ValidationError as error:
            raise refusal(error, type(old), "set") from None
        whole = book.old.model_copy(update={"characters": tuple(book.characters.values())})
        if isinstance(new, Scene):
            whole = new.model_copy(update={"characters": whole.characters, "away": whole.away})
        else:
            whole = self._with(whole, new)
        book.fields |= {name: getattr(whole, name) for name in Scene.model_fields if name not in ("revision", "dealt")}
        book.is_told = True
        book.more += self._told(old, new)

    def _target(self, book: Book) -> Character | Zone | Scene:
        if self.zone is not None:
            zones = {zone.name: zone for zone in book.zones}
            if self.zone not in zones:
                refuse("zone", "the scene has no such zone", zones, code="unknown_zone")
            return zones[self.zone]
        if self.who is not None:
            book.person(self.who, away=True)
            return next(each for each in (*book.old.characters, *book.old.away) if each.name == self.who)
        return book.old

    def _with(self, scene: Scene, new: Character | Zone) -> Scene:
        old = self.who or self.zone or ""
        parts = ("zones",) if isinstance(new, Zone) else ("characters", "away")
        names = [each.name for part in parts for each in getattr(scene, part)]
        if new.name != old and new.name in (*names, GM, ANYONE):
            refuse("set.name", "there is one of this name already")
        if isinstance(new, Character) and new.zone and scene.zones and new.zone not in [z.name for z in scene.zones]:
            raise RequestError("unknown_zone", "set.zone", "the scene has no such zone", [z.name for z in scene.zones])
        written = {part: tuple(new if each.name == old else each for each in getattr(scene, part)) for part in parts}
        scene = scene.model_copy(update=written)
        if new.name == old:
            return scene
        return _zone_renamed(scene, old, new.name) if isinstance(new, Zone) else _person_renamed(scene, old, new.name)

    def _told(self, old: Character | Zone | Scene, new: Character | Zone | Scene) -> Iterator[Difference]:
        was, now, who = old.as_json(), new.as_json(), self.who or self.zone
        for name in self.set:
            if name == "name" and was["name"] != now["name"]:
                yield Difference(type="renamed", who=now["name"], before=was["name"], after=now["name"])
            elif was.get(name) != now.get(name):
                yield Difference(type="field", who=who, on=name, before=was.get(name), after=now.get(name))


def _zone_renamed(scene: Scene, old: str, new: str) -> Scene:
    zones = tuple(
        zone.model_copy(update={"adjacent": tuple(new if each == old else each for each in zone.adjacent)})
        for zone in scene.zones
    )
    there = tuple(each.model_copy(update={"zone": new}) if each.zone == old else each for each in scene.characters)
    return scene.model_copy(update={"zones": zones, "characters": there, "aspects": _on_renamed(scene, old, new)})


def _person_renamed(scene: Scene, old: str, new: str) -> Scene:
    """The same scene, every mention of somebody as a name changed: bearers, holders, sides, turns."""

    def names(told: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(new if each == old else each for each in told)

    aspects = tuple(
        each.model_copy(
            update={"free_invocations": {new if n == old else n: k for n, k in each.free_invocations.items()}}
        )
        for each in _on_renamed(scene, old, new)
    )
    contest, conflict = scene.contest, scene.conflict
    if contest is not None:
        contest = contest.model_copy(update={"sides": {side: names(told) for side, told in contest.sides.items()}})
    if conflict is not None:
        turn = new if conflict.turn == old else conflict.turn
        order = conflict.order and names(conflict.order)
        conflict = conflict.model_copy(update={"order": order, "turn": turn, "acted": names(conflict.acted)})
    return scene.model_copy(update={"aspects": aspects, "contest": contest, "conflict": conflict})


def _on_renamed(scene: Scene, old: str, new: str) -> tuple[SceneAspect, ...]:
    return tuple(each.model_copy(update={"on": new}) if each.on == old else each for each in scene.aspects)
