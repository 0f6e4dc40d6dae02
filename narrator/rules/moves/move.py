"""The base of every move, and the book it writes into: finds people and aspects, and pays fate points."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, NoReturn

from narrator.errors import ErrorCode, RequestError, quoted
from narrator.rules.model import LIST, Given, Name
from narrator.rules.request.scene import ANYONE, GM, Character, Consequence, Scene, SceneAspect
from narrator.rules.resolve.cast import cast_of_scene
from narrator.rules.resolve.invocations import AspectKey
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.settle.changes import TRACKERS, Difference
from narrator.rules.settle.ledger import Ledger
from narrator.rules.typo import meant

Names = Annotated[tuple[Name, ...], LIST]


class Move(Given):
    """Something that happens between rolls."""

    type: str
    """The kind of move."""

    def make(self, book: "Book") -> None:
        """Write the move into the book. After a `NarratorError`, throw the book away."""
        raise NotImplementedError


class Book(Ledger):
    """The ledger of a scene while a move is made."""

    def __init__(self, scene: Scene, ruleset: Ruleset) -> None:
        super().__init__(scene, cast_of_scene(scene, ruleset.sheet), ruleset)
        self._own = self.listed()

    @property
    def everybody(self) -> tuple[Character, ...]:
        """Everybody, present or away."""
        return (*self.characters.values(), *self.away.values())

    def person(
        self, name: str, field: str = "who", *, away: bool = False, among: Iterable[str] | None = None
    ) -> Character:
        """Find somebody present (or `away`). Else raise `unknown_character`, which lists `among` as allowed."""
        known = {**self.characters, **(self.away if away else {})}
        if name not in known:
            hint = " is away" if name in self.away else f" is not in this scene{meant(name, known)}"
            refuse(field, f"{quoted(name)}{hint}", known if among is None else among, code="unknown_character")
        return known[name]

    def people(self, names: tuple[str, ...], field: str) -> tuple[str, ...]:
        """Check that all of these are present, each named once."""
        for place, name in enumerate(names):
            self.person(name, f"{field}.{place}")
            if name in names[:place]:
                refuse(f"{field}.{place}", f"{quoted(name)} is listed twice")
        return names

    def holder(self, name: str, field: str, among: Iterable[str] | None = None) -> None:
        """Check that somebody may hold a free invocation, or raise `unknown_character`."""
        if name not in (GM, ANYONE):
            self.person(name, field, among=among)

    def in_zone(self, name: str | None, field: str, *, is_there: bool = False) -> None:
        """Raise `unknown_zone` if the scene has no such zone. A scene without zones takes any, unless `is_there`."""
        zones = [zone.name for zone in self.zones]
        if name is not None and name not in zones and (zones or is_there):
            refuse(field, "the scene has no such zone", zones, code="unknown_zone")

    def tracker(self, frame: str) -> Any:
        """Return the scene's contest, challenge or conflict, or raise `not_in_frame` if there is none."""
        if (found := self.now(frame)) is None:
            refuse("type", f"there is no {frame}: begin one first", [frame], code="not_in_frame")
        return found

    def open_frame(self, frame: str, **tracker: Any) -> None:
        """Make the scene one of this kind instead of what it was. A conflict must be ended first."""
        if self.old.ended is not None:
            refuse("type", f"the {self.old.ended} is over: begin a new scene first", ["scene"])
        if self.old.frame == "conflict":
            refuse("type", "the conflict is still going on: end it first", ["end_conflict"])
        self.close_frame()
        self.fields |= {"frame": frame, **tracker}

    def close_frame(self) -> None:
        """End the contest, challenge or conflict, if any."""
        self.fields |= dict.fromkeys(("frame", *TRACKERS))

    def purse(self, name: str) -> str:
        """Whose fate points somebody uses: a player character's own, or the GM's for all others."""
        return name if name != GM and self.person(name, away=True).importance == "pc" else GM

    def pay(self, costs: Counter[str], gains: Counter[str], field: str = "who") -> None:
        """Take fate points from purses and add others, if they are counted. Raises `no_fate_point` if a purse has fewer
        than its total costs; gains do not count.
        """
        for name in {**costs, **gains}:
            left = self.now("gm_fate_points") if name == GM else self.person(name, away=True).fate_points
            if left is None:
                continue
            if left < costs[name]:
                has = "no fate point left" if left == 0 else f"only {left} of {costs[name]} fate points this takes"
                refuse(field, f"{name} has {has}", code="no_fate_point")
            after = left - costs[name] + gains[name]
            if name == GM:
                self.fields["gm_fate_points"] = after
            else:
                self.change(name, fate_points=after)

    def add_aspect(self, new: SceneAspect, field: str) -> None:
        """Add an aspect that is not in play yet."""
        bearers = [*self.characters, *(zone.name for zone in self.zones)]
        if new.on is not None and new.on not in (GM, *bearers):
            message = f"{quoted(new.on)} is not a character or zone here{meant(new.on, bearers)}"
            refuse(f"{field}on", message, bearers, code="unknown_character")
        for name in new.free_invocations:
            self.holder(name, f"{field}free_invocations.{name}")
        if (new.name, new.on) in [(each.name, each.on) for each in self.aspects]:
            refuse(f"{field}name", "this aspect is already in play")
        if new.boost and new.lasting:
            refuse(f"{field}lasting", "a boost cannot be lasting: it ends with the scene")
        self.aspects.append(new)

    def entries(self, name: str, on: str | None, field: str) -> list[SceneAspect]:
        """Find an aspect in the scene's list: on this bearer, else the scene's own, else the only one of this name."""
        same = [each for each in self.aspects if each.name == name]
        bearers = {each.on for each in same}
        bearer = on if on is not None or None in bearers or len(bearers) != 1 else next(iter(bearers))
        found = [each for each in same if each.on == bearer]
        if not found and same:
            refuse("on", "this aspect has another bearer", sorted(filter(None, bearers)), "unknown_aspect")
        if not found:
            known = list(dict.fromkeys(each.name for each in self.aspects))
            refuse(field, f"the scene lists no such aspect{meant(name, known)}", known, code="unknown_aspect")
        return found

    def put(self, old: SceneAspect, new: SceneAspect | None) -> None:
        """Replace an aspect in the scene's list, or remove it. A roar ends with its aspect."""
        if old.roar and new is None:
            self.change(old.on or "", roar=None)
        place = next(place for place, each in enumerate(self.aspects) if each is old)
        self.aspects[place : place + 1] = [] if new is None else [new]

    def listed(self) -> set[AspectKey]:
        """The aspects of characters and zones, and consequences, each with its bearer."""
        own = {(name, each.name) for each in self.everybody for name in each.aspects}
        own |= {(name, zone.name) for zone in self.zones for name in zone.aspects}
        levels = ((level, each.name) for each in self.everybody for level in each.consequences or ())
        return {*own, *((level.name, name) for level, name in levels if level.name is not None)}

    def changes(self) -> tuple[Difference, ...]:
        """List what changed. Of an entry for somebody's own aspect, only the free invocations count."""
        own = self._own | self.listed()
        told = super().changes()
        return tuple(each for made in told for each in (_of_own(made) if (made.on, made.who) in own else [made]))

    def check(self) -> None:
        """Refuse a scene that the next call could not read, such as one with two zones of the same name."""
        try:
            cast_of_scene(self.scene, self.ruleset.sheet)
        except RequestError as error:
            refuse(
                "", f"the next scene would be wrong at {error.field}: {error.message}", error.allowed or (), error.code
            )

    def consequence(self, who: str, told: str, *, untreated: bool = False) -> tuple[int, Consequence]:
        """Find somebody's consequence by its name, or by its level if they have only one of it. Else raise
        `unknown_aspect`, which lists their consequences, or only the `untreated`.
        """
        levels = self.person(who, away=True).consequences or ()
        taken = [(place, each) for place, each in enumerate(levels) if each.name]
        of_level = [found for found in taken if found[1].severity == told]
        named = [found for found in taken if found[1].name == told] or (of_level if len(of_level) == 1 else [])
        if not named:
            known = [each.name or "" for _, each in taken if each.recovering is None or not untreated]
            refuse("consequence", f"{who} has no such consequence{meant(told, known)}", known, code="unknown_aspect")
        return named[0]

    def write_consequence(self, who: str, place: int, new: Consequence) -> None:
        """Replace a consequence level of somebody. Its entries in the scene's list are renamed or removed with it."""
        levels = list(self.person(who, away=True).consequences or ())
        old, levels[place] = levels[place], new
        self.change(who, consequences=tuple(levels))
        if old.name is not None and old.name != new.name:
            self.reworded += [(old.name, new.name)] if new.name else []
            for entry in [each for each in self.aspects if (each.name, each.on) == (old.name, who)]:
                self.put(entry, entry.model_copy(update={"name": new.name}) if new.name else None)

    def leave(self, name: str) -> None:
        """Let somebody leave, with the aspects on them and what they hold. Only `pc` and `named` keep their sheet."""
        gone = self.characters.pop(name)
        if gone.importance in ("pc", "named"):
            self.away[name] = gone
        for each in [each for each in self.aspects if each.on == name or name in each.free_invocations]:
            held = {holder: number for holder, number in each.free_invocations.items() if holder != name}
            is_gone = each.on == name or (each.boost and not any(held.values()))
            self.put(each, None if is_gone else each.model_copy(update={"free_invocations": held}))

    def come(self, name: str) -> None:
        """Bring somebody back who was away. If their zone is gone, they have none."""
        back = self.away.pop(name)
        is_there = back.zone in [zone.name for zone in self.zones]
        self.characters[name] = back if is_there else back.model_copy(update={"zone": None})


def _of_own(made: Difference) -> Iterator[Difference]:
    if made.type != "aspect":
        yield made
        return
    was, now = ((told or {}).get("free_invocations", {}) for told in (made.before, made.after))
    for holder in {**was, **now}:
        before, after = was.get(holder, 0), now.get(holder, 0)
        if before != after:
            yield Difference(type="free_invocations", who=holder, on=made.on, before=before, after=after)


def refuse(field: str, message: str, allowed: Iterable[str] = (), code: ErrorCode = "bad_request") -> NoReturn:
    """Refuse a move that cannot be made."""
    raise RequestError(code, field, message, allowed)


def one_of(given: Mapping[str, object], which: str) -> None:
    """Refuse unless exactly one of these is given."""
    told = [name for name, value in given.items() if value is not None]
    if len(told) != 1:
        refuse(told[1] if told else next(iter(given)), f"say {which}: give exactly one of {', '.join(given)}")
