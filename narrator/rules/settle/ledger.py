"""The ledger: a scene while a choice or a move is written into it."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from narrator.errors import RequestError
from narrator.rules.model import Model, refusal
from narrator.rules.request.scene import GM, Consequence, Scene, SceneAspect, StressTrack
from narrator.rules.resolve.cast import Cast
from narrator.rules.resolve.invocations import Purse
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.settle.changes import Difference, differences
from narrator.rules.settle.recovery import starting

SAYINGS = 20
"""How many recent sayings a scene keeps."""

CARDS = 500
"""How many dealt cards a scene keeps."""


class Ledger:
    """A scene that is being changed. It ignores changes to people whom the scene does not list."""

    def __init__(self, scene: Scene, cast: Cast, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.old = scene
        self._sheets = tuple(cast[each.name] for each in scene.characters)
        self.characters = {each.name: each for each in self._sheets}
        self.away = {each.name: each for each in scene.away}
        self.aspects = list(scene.aspects)
        self.zones = list(scene.zones)
        self.fields: dict[str, Any] = {}
        """Other changed fields of the scene."""
        self._recent = list(scene.recent)
        self._dealt = scene.dealt
        self.facts = list(scene.facts)
        self._secrets: list[str] = []
        self.reworded: list[tuple[str, str]] = []
        self.more: list[Difference] = []
        """Changes that a comparison of the scenes does not show."""
        self.why = ""
        """Text to add to changes of fate points."""
        self.is_told = False
        """Whether `more` has all the changes."""

    @cached_property
    def scene(self) -> Scene:
        """The new scene. It is validated once all is written, and refused if it contains more than a scene may."""
        same = {id(each) for each in (*self._sheets, *self.old.away, *self.old.aspects, *self.old.zones)}

        def to_read(given: Iterable[Model]) -> list[Any]:
            # Unchanged objects are already validated.
            return [each if id(each) in same else each.model_dump() for each in given]

        scene = {
            **dict(self.old),
            "characters": to_read(self.characters.values()),
            "away": to_read(self.away.values()),
            "aspects": to_read(self.aspects),
            "zones": to_read(self.zones),
            "recent": tuple(self._recent[-SAYINGS:]),
            "dealt": self._dealt[-CARDS:],
            "facts": tuple(self.facts),
            "revision": (self.old.revision or 0) + 1,
            **self.fields,
        }
        try:
            return Scene.model_validate(scene)
        except ValidationError as error:
            full = refusal(error, Scene, "scene")
            raise RequestError("bad_choice", "", f"the scene has reached a limit: {full}") from None

    def changes(self) -> tuple[Difference, ...]:
        """List what changed."""
        if self.is_told:
            return tuple(self.more)
        before = self.old.model_copy(update={"characters": self._sheets})
        found = [*differences(before, self.scene, self.reworded), *self.more]
        secrets = [each for each in found if each.on in self._secrets or each.after in self._secrets]
        return tuple(each.model_copy(update={"secret": True}) if each in secrets else each for each in found)

    def now(self, field: str) -> Any:
        """The current value of a field of the scene."""
        return self.fields.get(field, getattr(self.old, field))

    def change(self, name: str, **update: Any) -> None:
        """Change fields of somebody, present or away."""
        people = self.away if name in self.away else self.characters
        somebody = people.get(name)
        if somebody is not None and any(getattr(somebody, field) != value for field, value in update.items()):
            people[name] = somebody.model_copy(update=update)

    def spend(self, purse: Purse) -> None:
        """Apply what invocations used up. A used boost is gone; a full defence is ready again."""
        for name, left in purse.fate_points.items():
            self.change(name, fate_points=left)
        if self.old.gm_fate_points is not None:
            self.fields["gm_fate_points"] = purse.fate_points[GM]
        for by, (name, bearer) in purse.bought:
            self._owe_for(name, bearer, by)
        kept = []
        for aspect in self.aspects:
            if aspect.each_attack and aspect.on != purse.attacked:
                kept.append(aspect)
                continue
            used = purse.spent.get((aspect.name, aspect.on), Counter())
            taken = aspect.held & used
            used.subtract(taken)
            rest = dict(aspect.held - taken)
            if aspect.each_attack or not taken:
                kept.append(aspect)
            elif rest or not aspect.boost:
                kept.append(aspect.model_copy(update={"free_invocations": rest}))
        self.aspects = kept

    def _owe_for(self, aspect: str, bearer: str | None, by: str) -> None:
        """Owe the bearer of an aspect the fate point that another side paid for it ("The Fate Point Economy")."""
        somebody, payer = self.characters.get(bearer or ""), self.characters.get(by)
        if somebody is None or by not in (GM, *self.characters) or (payer is not None and payer.side == somebody.side):
            return
        hostile, is_pc = self.ruleset.fate_points.hostile, somebody.importance == "pc"
        if hostile == "between_players":
            is_pc = is_pc and payer is not None and payer.importance == "pc" and aspect in somebody.aspects
        if is_pc:
            self.owe(somebody.name, 1)
        elif hostile == "anyone" and payer is not None and somebody.importance != "pc":
            self.owe(GM, 1)

    def owe(self, name: str, points: int) -> None:
        """Owe fate points to somebody or the GM, if they are counted."""
        somebody = self.characters.get(name)
        if name == GM and self.now("gm_fate_points") is not None:
            self.fields["gm_carried"] = (self.now("gm_carried") or 0) + points
        elif somebody is not None and somebody.fate_points is not None:
            self.change(name, fate_points_owed=somebody.fate_points_owed + points)

    def drop_aspects(self, which: Callable[[SceneAspect], bool]) -> None:
        """Remove aspects."""
        self.aspects = [aspect for aspect in self.aspects if not which(aspect)]

    def give(self, aspect: str, to: str, number: int, meant: str | None = None) -> None:
        """Give somebody free invocations of an aspect: the one on `meant`, else the scene's own, else any."""
        # A full defence returns for each attack, so its free invocations get an entry of their own.
        same = [place for place, each in enumerate(self.aspects) if each.name == aspect and not each.each_attack]
        bearers = self._bearers(aspect)
        theirs = [place for place in same if meant is not None and self.aspects[place].on == meant]
        if theirs or (same and meant not in bearers):
            place = min(theirs or same, key=lambda place: self.aspects[place].on is not None)
            held = self.aspects[place].held + Counter({to: number})
            self.aspects[place] = self.aspects[place].model_copy(update={"free_invocations": dict(held)})
            return
        bearer = meant if meant in bearers else next(iter(bearers), None)
        self.aspects.append(SceneAspect(name=aspect, on=bearer, free_invocations={to: number}))

    def reword(self, old: str, new: str) -> None:
        """Reword an aspect everywhere in the scene, or add it if it is not there."""

        def renamed(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(new if name == old else name for name in names)

        self.reworded.append((old, new))
        if all(each.name != old for each in self.aspects) and not self._bearers(old):
            self.aspects.append(SceneAspect(name=new))
        self.aspects = [each.model_copy(update={"name": new}) if each.name == old else each for each in self.aspects]
        self.zones = [zone.model_copy(update={"aspects": renamed(zone.aspects)}) for zone in self.zones]
        for name, each in self.characters.items():
            levels = tuple(
                level.model_copy(update={"name": new}) if level.name == old else level
                for level in each.consequences or ()
            )
            self.change(name, aspects=renamed(each.aspects), consequences=levels)

    def mark_stress(self, name: str, told: str | None, usual: str) -> None:
        """Mark the lowest free box of the track told, which must have one, or else of the usual or any track."""
        if name not in self.characters:
            return
        stress = self.characters[name].stress or {}
        free = [track for track in sorted(stress, key=lambda track: (track != usual, track)) if stress[track].free]
        if told is not None and told not in free:
            raise RequestError("bad_choice", "track", "no box of this track is free", free)
        if free:
            track = told or free[0]
            self.mark_boxes(name, track, stress[track].free[:1])

    def mark_boxes(self, name: str, track: str, values: tuple[int, ...]) -> None:
        """Mark boxes by their values."""
        if name not in self.characters:
            return
        stress = dict(self.characters[name].stress or {})
        stress[track] = StressTrack(boxes=stress[track].boxes, marked=(*stress[track].marked, *values))
        self.change(name, stress=stress)

    def take_consequence(self, name: str, severity: str, wording: str) -> None:
        """Add a consequence in the first free level of its severity."""
        if name not in self.characters:
            return
        levels, free = list(self.characters[name].consequences or ()), Consequence(severity=severity)
        if free in levels:
            levels[levels.index(free)] = Consequence(
                severity=severity,
                name=wording,
                recovering=starting(severity, self.old.ended, self.ruleset.recovery, when="hit"),
                taken_here=self.old.frame == "conflict",
            )
        self.change(name, consequences=tuple(levels))

    def gain_legend(self, name: str, number: int) -> None:
        """Give back spent legend points, if they are counted."""
        if name in self.characters and (counted := self.characters[name].legend_points) is not None:
            self.change(name, legend_points=counted + number)

    def follow(self, name: str, other: str | None) -> None:
        """Move somebody into the zone of another."""
        if other in self.characters and self.characters[other].zone is not None:
            self.change(name, zone=self.characters[other].zone)

    def go_to(self, name: str, told: str | None, field: str) -> str | None:
        """Move somebody to the zone told, which must exist, or else to the only adjacent zone, if any."""
        if name not in self.characters:
            return told
        known = {zone.name: zone for zone in self.zones}
        here = known.get(self.characters[name].zone or "")
        if told is not None and known and told not in known:
            raise RequestError("bad_choice", field, "the scene has no such zone", known)
        if told is None and here is not None and here.adjacent:
            if len(here.adjacent) != 1:
                near = [zone for zone in here.adjacent if zone in known]
                raise RequestError("bad_choice", field, f"say to which zone {name} goes", near)
            told = here.adjacent[0] if here.adjacent[0] in known else None
        if told is not None:
            self.change(name, zone=told)
        return told

    def said(self, *texts: str) -> None:
        """Remember what was said, so that it is not said again."""
        self._recent += texts

    def hide(self, *texts: str) -> None:
        """Remember what is for the GM alone. Changes that contain it are marked secret."""
        self._secrets += (*texts, ": ".join(texts))

    def dealt(self, cards: Collection[str]) -> None:
        """Remember which cards were dealt, the latest last."""
        self._dealt = (*(card for card in self._dealt if card not in cards), *cards)

    def _bearers(self, aspect: str) -> tuple[str, ...]:
        """Name everyone and every zone that has an aspect. Entries in the scene's list do not count."""
        zones = (zone.name for zone in self.zones if aspect in zone.aspects)
        people = (
            name
            for name, each in self.characters.items()
            if aspect in (*each.aspects, *(level.name for level in each.consequences or ()))
        )
        defending = (each.on for each in self.aspects if each.name == aspect and each.each_attack and each.on)
        return (*zones, *people, *defending)
