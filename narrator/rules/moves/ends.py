"""Moves that end a scene, a session or a scenario, and begin the next scene."""

from typing import Annotated, ClassVar, Literal

from narrator.rules.model import LIST, Prose
from narrator.rules.moves.move import Book, Move, Names, refuse
from narrator.rules.request.scene import ANYONE, GM, Ended, Frame, SceneAspect, Zone
from narrator.rules.settle.changes import MARKS
from narrator.rules.settle.recovery import after_end, runs


class EndScene(Move):
    """A scene is over."""

    source: ClassVar = "Fate Core SRD, Situation Aspects, Boosts, Recovering from a Consequence"

    type: Literal["end_scene"]
    keep: Names = ()
    """The aspects that stay in play, by name; boosts never do."""
    rest: bool = True
    """Whether there is time to rest after it."""

    def make(self, book: Book) -> None:
        if book.old.ended is not None:
            refuse("type", f"the {book.old.ended} is over already", ["scene"])
        names = [each.name for each in book.aspects if not each.boost]
        for place, name in enumerate(self.keep):
            if name not in names:
                is_boost = name in [each.name for each in book.aspects]
                hint = "a boost never outlives the scene" if is_boost else "the scene lists no such aspect"
                refuse(f"keep.{place}", hint, names, code="bad_request" if is_boost else "unknown_aspect")
        end_scene(book, self.keep, rest=self.rest)


class NextScene(Move):
    """A new scene begins, at another place or another time."""

    source: ClassVar = "Fate Core SRD, Defining Scenes, The GM and Fate Points; War of Ashes SRD, Zone Aspects"

    type: Literal["scene"]
    summary: Prose = ""
    """Where we are and what is going on."""
    tone: Prose | None = None
    """How it should sound; left out: as before."""
    aspects: Annotated[tuple[SceneAspect, ...], LIST] = ()
    """Its aspects, beside those that stay."""
    zones: Annotated[tuple[Zone, ...], LIST] = ()
    """Its zones."""
    frame: Frame | None = None
    """What kind of scene it is."""
    people: Names | None = None
    """Who is there, of all who were there or away; left out: whoever is there now."""

    def make(self, book: Book) -> None:
        for place, name in enumerate(self.people or ()):
            book.person(name, f"people.{place}", away=True)
        if book.old.ended is None:
            end_scene(book, (), rest=True)
        book.fields |= {"ended": None, "summary": self.summary, "frame": self.frame}
        if self.tone is not None:
            book.fields["tone"] = self.tone
        book.zones = list(self.zones)
        self._gather(book)
        self._set_up(book)
        pool = book.now("gm_fate_points")
        if pool is not None:
            players = sum(each.importance == "pc" for each in book.characters.values())
            book.fields |= {"gm_fate_points": players + (book.now("gm_carried") or 0), "gm_carried": 0}

    def _gather(self, book: Book) -> None:
        there = [*book.characters] if self.people is None else self.people
        for name in [name for name in book.characters if name not in there]:
            book.leave(name)
        for place, name in enumerate(there):
            if name in book.away:
                book.come(name)
            elif name not in book.characters:
                refuse(f"people.{place}", f"{name} was out, and is gone with the last scene", code="unknown_character")
        zones = {zone.name for zone in self.zones}
        for each in [each for each in book.characters.values() if each.zone not in (None, *zones)]:
            book.change(each.name, zone=None)

    def _set_up(self, book: Book) -> None:
        bearers = {None, GM, *book.characters, *(zone.name for zone in self.zones)}
        book.aspects = [each for each in book.aspects if each.on in bearers]
        for place, aspect in enumerate(self.aspects):
            book.bearer(aspect.on, f"aspects.{place}.on")
            for name in aspect.free_invocations:
                book.holder(name, f"aspects.{place}.free_invocations.{name}")
            if (aspect.name, aspect.on) in [(each.name, each.on) for each in book.aspects]:
                refuse(f"aspects.{place}.name", "this aspect is in play already")
            book.aspects.append(aspect)
        spec = book.ruleset.zones
        for zone in self.zones if spec is not None else ():
            for name in zone.aspects:
                told = [each for each in self.aspects if (each.name, each.on) == (name, zone.name)]
                if spec is not None and not told:
                    book.aspects = [each for each in book.aspects if (each.name, each.on) != (name, zone.name)]
                    free = {ANYONE: spec.free_invocations}
                    book.aspects.append(SceneAspect(name=name, on=zone.name, free_invocations=free))


class EndSession(Move):
    """A session is over: fate points rise to the refresh."""

    source: ClassVar = "Fate Core SRD, Refresh; Fate Condensed, Refresh; Fate Accelerated, Stunts and Refresh"

    type: Literal["end_session"]
    scene: bool = True
    """Whether the scene is over, too; false: it goes on in the next session, and all in it."""

    def make(self, book: Book) -> None:
        if not runs("session", book.old.ended):
            refuse("type", f"the {book.old.ended} is over already", ["scene"])
        if self.scene and book.old.ended is None:
            end_scene(book, (), rest=True)
        end_session(book)
        if self.scene or book.old.ended is not None:
            book.fields["ended"] = "session"


class EndScenario(Move):
    """A scenario is over, and the session with it."""

    source: ClassVar = "Fate Core SRD, Refresh, Recovering from a Consequence"

    type: Literal["end_scenario"]

    def make(self, book: Book) -> None:
        if not runs("scenario", book.old.ended):
            refuse("type", "the scenario is over already", ["scene"])
        if book.old.ended is None:
            end_scene(book, (), rest=True)
        if runs("session", book.old.ended):
            end_session(book)
        recover(book, "scenario")
        for each in book.everybody if book.ruleset.fate_points.scenario == "set" else ():
            if each.fate_points is not None and each.refresh is not None:
                book.change(each.name, fate_points=each.refresh)
        book.fields["ended"] = "scenario"


def end_conflict(book: Book, *, rest: bool) -> None:
    """Pay what is owed, and clear stress where the ruleset does with a conflict ("Ending a Conflict")."""
    for each in book.everybody:
        if each.fate_points is not None:
            points = each.fate_points + each.fate_points_owed
            book.change(each.name, fate_points=points, fate_points_owed=0)
        levels = each.consequences and tuple(
            level.model_copy(update={"taken_here": False}) for level in each.consequences
        )
        book.change(each.name, consequences=levels)
    if rest and book.ruleset.recovery.stress == "conflict":
        clear_stress(book)


def end_scene(book: Book, keep: tuple[str, ...], *, rest: bool) -> None:
    """Write down all that goes with a scene."""
    end_conflict(book, rest=rest)
    if book.ruleset.recovery.stress == "scene":
        clear_stress(book)
    listed = book.listed()
    book.drop_aspects(
        lambda each: (
            each.boost
            or each.roar
            or each.each_attack
            or not (each.lasting or each.name in keep or (each.name, each.on) in listed)
        )
    )
    for each in book.everybody:
        book.change(each.name, roar=None, **dict.fromkeys(MARKS, False))
    book.close_frame()
    recover(book, "scene", rest=rest)
    for each in book.everybody:
        book.change(each.name, taken_out=False, conceded=False)
        if each.is_out and each.name in book.characters and each.importance != "pc":
            book.leave(each.name)
    book.fields["ended"] = "scene"


def end_session(book: Book) -> None:
    """Count the session, and raise everybody's fate points to their refresh ("Refresh")."""
    recover(book, "session")
    for each in book.everybody:
        if each.fate_points is not None and each.refresh is not None:
            book.change(each.name, fate_points=max(each.fate_points, each.refresh))


def clear_stress(book: Book) -> None:
    """Free every box of everybody's."""
    for each in book.everybody:
        book.clear_stress(each)


def recover(book: Book, ended: Ended, *, rest: bool = True) -> None:
    """Count an end for every consequence whose period it is."""
    scene = book.old.model_copy(update={"ended": book.now("ended")})
    for each in book.everybody:
        for place, level in enumerate(each.consequences or ()):
            now = after_end(level, ended, scene, book.ruleset.recovery, rest=rest)
            if now != level:
                book.write_consequence(each.name, place, now)
