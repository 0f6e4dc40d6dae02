"""Moves that end a scene, a session or a scenario, and begin the next scene."""

from typing import Annotated, Literal

from narrator.rules.model import LIST, Prose
from narrator.rules.moves.move import Book, Move, Names, refuse
from narrator.rules.request.scene import ANYONE, GM, Ended, Frame, SceneAspect, StressTrack, Zone
from narrator.rules.settle.changes import MARKS
from narrator.rules.settle.recovery import after_end, runs


class EndSceneMove(Move):
    """A scene ends (Fate Core SRD, "Situation Aspects", "Recovering from a Consequence")."""

    type: Literal["end_scene"]
    keep: Names = ()
    """The names of aspects that stay in play. A boost stays only if the ruleset allows it."""
    rest: bool = True
    """Whether there is time to rest afterwards."""

    def make(self, book: Book) -> None:
        if book.old.ended is not None:
            refuse("type", f"the {book.old.ended} is already over", ["scene"])
        keeps_boosts = book.ruleset.scenes.keeps_boosts
        names = [each.name for each in book.aspects if keeps_boosts or not each.boost]
        for place, name in enumerate(self.keep):
            if name not in names:
                is_there = name in [each.name for each in book.aspects]
                hint = "a boost ends with the scene" if is_there else "the scene lists no such aspect"
                refuse(f"keep.{place}", hint, names, code="bad_request" if is_there else "unknown_aspect")
        end_scene(book, self.keep, rest=self.rest)


class SceneMove(Move):
    """A new scene begins (Fate Core SRD, "The GM and Fate Points"; War of Ashes SRD, "Zone Aspects")."""

    type: Literal["scene"]
    summary: Prose = ""
    """Where we are and what is going on."""
    tone: Prose | None = None
    """How it should sound. If omitted, as before."""
    aspects: Annotated[tuple[SceneAspect, ...], LIST] = ()
    """Its aspects, added to those that stay."""
    zones: Annotated[tuple[Zone, ...], LIST] = ()
    """Its zones."""
    frame: Frame | None = None
    """What kind of scene it is."""
    people: Names | None = None
    """Who is there: names of people present or away. If omitted, everybody who is present now."""

    def make(self, book: Book) -> None:
        if book.old.ended is None:
            end_scene(book, (), rest=True)
        for place, name in enumerate(self.people or ()):
            book.person(name, f"people.{place}", away=True)
        book.fields |= {"ended": None, "summary": self.summary, "frame": self.frame}
        book.fields |= {} if self.tone is None else {"tone": self.tone}
        book.zones = list(self.zones)
        self._gather(book)
        self._set_up(book)
        if book.now("gm_fate_points") is not None:
            players = sum(each.importance == "pc" for each in book.characters.values())
            book.fields |= {"gm_fate_points": players + (book.now("gm_carried") or 0), "gm_carried": 0}

    def _gather(self, book: Book) -> None:
        there = tuple(book.characters) if self.people is None else self.people
        for name in [name for name in book.characters if name not in there]:
            book.leave(name)
        for name in [name for name in there if name in book.away]:
            book.come(name)
        book.people(there, "people")  # refuses minor characters who were out: they left with the last scene
        zones = [zone.name for zone in self.zones]
        for each in [each for each in book.characters.values() if each.zone not in zones]:
            book.change(each.name, zone=None)

    def _set_up(self, book: Book) -> None:
        bearers = {None, GM, *book.characters, *(zone.name for zone in self.zones)}
        book.drop_aspects(lambda each: each.on not in bearers)
        free = book.ruleset.scenes.zone_aspects
        of_zones = [(name, zone.name) for zone in self.zones for name in zone.aspects if free]
        book.drop_aspects(lambda each: (each.name, each.on) in of_zones)
        for place, aspect in enumerate(self.aspects):
            book.add_aspect(aspect, f"aspects.{place}.")
        told = {(each.name, each.on) for each in self.aspects}
        new = dict.fromkeys(key for key in of_zones if key not in told)
        book.aspects += (SceneAspect(name=name, on=zone, free_invocations={ANYONE: free}) for name, zone in new)


class EndSessionMove(Move):
    """A session ends, and fate points rise to the refresh (Fate Core SRD, "Refresh")."""

    type: Literal["end_session"]
    scene: bool = True
    """Whether the scene ends as well. If false, it continues in the next session."""

    def make(self, book: Book) -> None:
        if not runs("session", book.old.ended):
            refuse("type", f"the {book.old.ended} is already over", ["scene"])
        if self.scene and book.old.ended is None:
            end_scene(book, (), rest=True)
        _end_session(book)
        if self.scene or book.old.ended is not None:
            book.fields["ended"] = "session"


class EndScenarioMove(Move):
    """A scenario ends, and the session with it (Fate Core SRD, "Refresh", "Recovering from a Consequence")."""

    type: Literal["end_scenario"]

    def make(self, book: Book) -> None:
        if not runs("scenario", book.old.ended):
            refuse("type", "the scenario is already over", ["scene"])
        if book.old.ended is None:
            end_scene(book, (), rest=True)
        if runs("session", book.old.ended):
            _end_session(book)
        _recover(book, "scenario")
        for each in book.everybody if book.ruleset.fate_points.scenario == "set" else ():
            if each.fate_points is not None and each.refresh is not None:
                book.change(each.name, fate_points=each.refresh)
        book.fields["ended"] = "scenario"


def end_conflict(book: Book, *, rest: bool) -> None:
    """Pay owed fate points, and clear stress if the ruleset does so after a conflict ("Ending a Conflict"). Those who
    conceded were only out of the conflict: they are back ("Conceding the Conflict").
    """
    for each in book.everybody:
        book.change(each.name, conceded=False)
        if each.fate_points is not None:
            points = each.fate_points + each.fate_points_owed
            book.change(each.name, fate_points=points, fate_points_owed=0)
        levels = (level.model_copy(update={"taken_here": False}) for level in each.consequences or ())
        book.change(each.name, consequences=each.consequences and tuple(levels))
    if rest and book.ruleset.recovery.stress == "conflict":
        _clear_stress(book)


def end_scene(book: Book, keep: tuple[str, ...], *, rest: bool) -> None:
    """Apply everything that ends with a scene."""
    out = [each.name for each in book.characters.values() if each.is_out and each.importance != "pc"]
    end_conflict(book, rest=rest)
    if book.ruleset.recovery.stress == "scene":
        _clear_stress(book)
    listed = book.listed()

    def goes(aspect: SceneAspect) -> bool:
        is_its_own = not aspect.lasting and (aspect.name, aspect.on) not in listed
        return aspect.roar or aspect.each_attack or (aspect.name not in keep and (aspect.boost or is_its_own))

    book.drop_aspects(goes)
    for each in book.everybody:
        book.change(each.name, roar=None, **dict.fromkeys(MARKS, False))
    book.close_frame()
    _recover(book, "scene", rest=rest)
    for each in book.everybody:
        book.change(each.name, taken_out=False)
    for name in out:
        book.leave(name)
    book.fields["ended"] = "scene"


def _end_session(book: Book) -> None:
    """Count the session, and raise everybody's fate points to their refresh ("Refresh")."""
    _recover(book, "session")
    for each in book.everybody:
        if each.fate_points is not None and each.refresh is not None:
            book.change(each.name, fate_points=max(each.fate_points, each.refresh))


def _clear_stress(book: Book) -> None:
    for each in book.everybody:
        stress = {track: StressTrack(boxes=told.boxes) for track, told in (each.stress or {}).items()}
        book.change(each.name, stress=None if each.stress is None else stress)


def _recover(book: Book, ended: Ended, *, rest: bool = True) -> None:
    """Count this end for every consequence that recovers by this period."""
    for each in book.everybody:
        for place, level in enumerate(each.consequences or ()):
            now = after_end(level, ended, book.now("ended"), book.ruleset.recovery, rest=rest)
            if now != level:
                book.write_consequence(each.name, place, now)
