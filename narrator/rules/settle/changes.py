"""What changed between two scenes: what to tell the table, and what to write into somebody's sheet."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Any, Literal

from narrator.rules.model import Model
from narrator.rules.request.scene import Character, Consequence, Scene, SceneAspect, Zone

ChangeType = Literal[
    "aspect", "free_invocations", "boost", "stress", "consequence", "taken_out", "fate_points", "legend_points", "zone",
    "roar", "mark", "fact",
]  # fmt: skip

MARKS = ("lethal_next_attack", "forfeits_next_contest_roll", "disarmed")
"""What may be true of a character until something ends it."""

Key = tuple[str, str | None, bool, bool, bool]
"""What makes an aspect the same one: name, bearer and kind. A boost that is used up is none that stays."""


class Difference(Model):
    """One thing that changed."""

    type: ChangeType
    """What kind of thing changed."""
    who: str | None = None
    """Whom it concerns: the character, the bearer of an aspect, the holder of a free invocation."""
    on: str | None = None
    """What of theirs: the stress track, the consequence level, the aspect, the mark."""
    before: Any = None
    """What stood there, as the scene's JSON has it; left out where nothing did."""
    after: Any = None
    """What stands there now; left out where nothing does."""
    secret: bool | None = None
    """True where it tells words that are for the GM alone; left out: it tells none."""


class Change(Difference):
    """One thing that changed, and how to tell it."""

    text: str
    """A line of plain text, for a chat or a log. Escape it there: it holds names."""


class Settled(Model):
    """The next scene, and what is different in it."""

    scene: Scene
    """The scene as it is now: keep it, and send it with the next request."""
    changes: tuple[Change, ...]
    """What is different, in the order to tell it: what characters suffered and spent, then aspects, then facts."""


def differences(before: Scene, after: Scene) -> Iterator[Difference]:
    """Compare two scenes of the same characters: what they suffered and spent, aspects, facts; not what was said."""
    for was, now in zip(before.characters, after.characters, strict=True):
        yield from _of_character(was, now)
    for was_zone, now_zone in zip(before.zones, after.zones, strict=True):
        yield from _of_names(was_zone, now_zone)
    yield from _of_aspects(before.aspects, after.aspects)
    for fact in after.facts[len(before.facts) :]:
        yield Difference(type="fact", after=fact)


def _of_character(was: Character, now: Character) -> Iterator[Difference]:
    who = now.name
    for track, boxes in (now.stress or {}).items():
        old = (was.stress or {}).get(track)
        if old != boxes:
            yield Difference(type="stress", who=who, on=track, before=old and old.as_json(), after=boxes.as_json())
    levels: Iterable[tuple[Consequence, Consequence]] = zip(was.consequences or (), now.consequences or (), strict=True)
    for old_level, level in levels:
        if old_level != level:
            yield Difference(type="consequence", who=who, on=level.severity, before=old_level.name, after=level.name)
    yield from _of_names(was, now)
    for name in ("taken_out", "fate_points", "legend_points", "zone", "roar"):
        if getattr(was, name) != getattr(now, name):
            yield Difference(type=name, who=who, before=getattr(was, name), after=getattr(now, name))
    for mark in MARKS:
        if getattr(was, mark) != getattr(now, mark):
            yield Difference(type="mark", who=who, on=mark, before=getattr(was, mark), after=getattr(now, mark))


def _of_names(was: Character | Zone, now: Character | Zone) -> Iterator[Difference]:
    """The aspects that a character or a zone has by name alone: they may be reworded."""
    for old, new in zip(was.aspects, now.aspects, strict=True):
        if old != new:
            yield Difference(type="aspect", who=now.name, on=new, before=old, after=new)


def _of_aspects(before: tuple[SceneAspect, ...], after: tuple[SceneAspect, ...]) -> Iterator[Difference]:
    were, are = _by_key(before), _by_key(after)
    gone = [each for each in before if _key(each) not in are]
    new = [each for each in after if _key(each) not in were]
    for was in [each for each in gone if not (each.boost or each.roar or each.each_attack)]:
        # A plain aspect never leaves a scene: what stands in its place is the same one, reworded.
        now = next((each for each in new if each.model_copy(update={"name": was.name}) == was), None)
        if now is not None:
            gone.remove(was)
            new.remove(now)
            yield Difference(type="aspect", who=now.on, on=now.name, before=was.as_json(), after=now.as_json())
    pairs = [*zip_longest(gone, ()), *zip_longest((), new)]
    pairs += [pair for key in are if key in were for pair in zip_longest(were[key], are[key])]
    for pair in pairs:
        yield from _of_aspect(*pair)


def _of_aspect(was: SceneAspect | None, now: SceneAspect | None) -> Iterator[Difference]:
    """One aspect that is gone or new, or its free invocations."""
    one = now or was
    assert one is not None, "a pair has at least one of both"
    if was is None or now is None:
        kind: ChangeType = "boost" if one.boost else "aspect"
        yield Difference(type=kind, who=one.on, on=one.name, before=was and was.as_json(), after=now and now.as_json())
        return
    for holder in dict.fromkeys([*was.held, *now.held]):
        had, has = was.held[holder], now.held[holder]
        if had != has:
            yield Difference(type="free_invocations", who=holder, on=one.name, before=had, after=has)


def _by_key(aspects: tuple[SceneAspect, ...]) -> dict[Key, list[SceneAspect]]:
    found: dict[Key, list[SceneAspect]] = {}
    for each in aspects:
        found.setdefault(_key(each), []).append(each)
    return found


def _key(aspect: SceneAspect) -> Key:
    return aspect.name, aspect.on, aspect.boost, aspect.roar, aspect.each_attack
