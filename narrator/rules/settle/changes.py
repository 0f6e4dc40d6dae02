"""What changed between two scenes, to tell the table and to write on character sheets."""

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Literal

from narrator.rules.model import Model
from narrator.rules.request.scene import GM, Character, Consequence, Scene, SceneAspect, Zone

ChangeType = Literal[
    "aspect", "free_invocations", "boost", "stress", "consequence", "taken_out", "fate_points", "legend_points", "zone",
    "roar", "mark", "fact", "entered", "left", "renamed", "field", "owed", "conceded", "recovering", "cleared", "clock",
    "frame", "exchange", "twist", "won", "task", "turn",
]  # fmt: skip

TRACKERS = ("contest", "challenge", "conflict")
"""The fields of a scene that track its frame and end with it."""

MARKS = ("lethal_next_attack", "forfeits_next_contest_roll", "disarmed")
"""States of a character that last until something ends them."""

Key = tuple[str, str | None, bool, bool, bool]
"""What identifies an aspect: its name, bearer and kind."""

_OF_CHARACTERS: tuple[tuple[str, ChangeType], ...] = (
    ("taken_out", "taken_out"), ("conceded", "conceded"), ("fate_points", "fate_points"), ("fate_points_owed", "owed"),
    ("legend_points", "legend_points"), ("zone", "zone"), ("roar", "roar"),
)  # fmt: skip
_OTHERS = tuple(
    sorted(Character.model_fields.keys() - {"stress", "consequences", "aspects", *dict(_OF_CHARACTERS), *MARKS})
)
_OF_THE_SCENE = ("summary", "tone", "zones")


class Difference(Model):
    """One thing that changed."""

    type: ChangeType
    """The kind of change."""
    who: str | None = None
    """Who it concerns: a character, the bearer of an aspect, or the holder of a free invocation."""
    on: str | None = None
    """What changed: the stress track, consequence level, aspect, mark or field."""
    before: Any = None
    """The old value, as in the scene's JSON. Omitted if there was none."""
    after: Any = None
    """The new value. Omitted if there is none."""
    secret: bool | None = None
    """True if it contains words for the GM alone; else omitted."""


class Change(Difference):
    """One thing that changed, and a text that says so."""

    text: str
    """A line of plain text for a chat or a log. It contains names, so escape it."""


class Settled(Model):
    """The next scene and what changed."""

    scene: Scene
    """The scene as it is now. Keep it and send it with the next request."""
    changes: tuple[Change, ...]
    """What changed, in the order to tell it: characters, aspects, facts, then contests, conflicts and clocks."""


def differences(before: Scene, after: Scene, reworded: Collection[tuple[str, str]] = ()) -> Iterator[Difference]:
    """Compare two scenes, except for `recent` and `dealt`.

    Args:
        reworded: The old and new name of each renamed aspect.
    """
    yield from _told("field", before.ended, after.ended, on="ended")
    were, are = _people(before), _people(after)
    there, stay = {each.name for each in before.characters}, {each.name for each in after.characters}
    for name in [*were, *(name for name in are if name not in were)]:
        was, now = were.get(name), are.get(name)
        if name in stay and name not in there:
            yield Difference(type="entered", who=name, on="away" if was else None, after=now and now.as_json())
        if was is not None and now is not None:
            yield from _of_character(was, now)
        if name in there and name not in stay:
            yield Difference(type="left", who=name, on="away" if now else None, before=was and was.as_json())
    yield from _told("fate_points", before.gm_fate_points, after.gm_fate_points, who=GM)
    yield from _told("owed", before.gm_carried or 0, after.gm_carried or 0, who=GM)
    if are_same_zones := _are_reworded(before.zones, after.zones, reworded):
        for zone, now_zone in zip(before.zones, after.zones, strict=True):
            yield from _of_names(zone, now_zone)
    yield from _of_aspects(before.aspects, after.aspects, reworded)
    for fact in after.facts[len(before.facts) :]:
        yield Difference(type="fact", after=fact)
    yield from _of_trackers(before, after)
    was_told, now_told = before.as_json(), after.as_json()
    for field in _OF_THE_SCENE:
        if field != "zones" or not are_same_zones:
            yield from _told("field", was_told.get(field), now_told.get(field), on=field)


def _are_reworded(before: Sequence[Zone], after: Sequence[Zone], reworded: Collection[tuple[str, str]]) -> bool:
    """Whether the zones are the same, apart from renamed aspects."""
    to = dict(reworded)
    same = [each.model_copy(update={"aspects": tuple(to.get(name, name) for name in each.aspects)}) for each in before]
    return [*before] == [*after] or same == [*after]


def _people(scene: Scene) -> dict[str, Character]:
    return {each.name: each for each in (*scene.characters, *scene.away)}


def _told(
    kind: ChangeType, before: Any, after: Any, *, who: str | None = None, on: str | None = None, secret: bool = False
) -> Iterator[Difference]:
    if before != after:
        yield Difference(type=kind, who=who, on=on, before=before, after=after, secret=secret or None)


def _of_character(was: Character, now: Character) -> Iterator[Difference]:
    who = now.name
    for track, boxes in (now.stress or {}).items():
        old = (was.stress or {}).get(track)
        is_healed = old is not None and old.boxes == boxes.boxes and not boxes.newly(old)
        kind: ChangeType = "cleared" if is_healed else "stress"
        yield from _told(kind, old and old.as_json(), boxes.as_json(), who=who, on=track)
    levels = [*zip(was.consequences or (), now.consequences or (), strict=True)]
    for old_level, level in levels:
        yield from _of_level(who, old_level, level)
    yield from _of_names(was, now)
    for field, kind in _OF_CHARACTERS:
        yield from _told(kind, getattr(was, field), getattr(now, field), who=who)
    if any(old.taken_here and old.name == new.name and not new.taken_here for old, new in levels):
        yield Difference(type="mark", who=who, on="taken_here", before=True, after=False)
    for mark in MARKS:
        yield from _told("mark", getattr(was, mark), getattr(now, mark), who=who, on=mark)
    for field in _OTHERS:
        if getattr(was, field) != getattr(now, field):
            yield from _told("field", was.as_json().get(field), now.as_json().get(field), who=who, on=field)


def _of_level(who: str, was: Consequence, now: Consequence) -> Iterator[Difference]:
    if was.name != now.name:
        is_treated = was.recovering is None and now.recovering is not None and was.name is not None
        kind: ChangeType = "cleared" if now.name is None else "renamed" if is_treated else "consequence"
        yield Difference(type=kind, who=who, on=now.severity, before=was.name, after=now.name)
    if now.name is None or was.name is None:
        # A new or removed consequence is told as a whole.
        return
    yield from _told("recovering", was.recovering, now.recovering, who=who, on=now.severity)


def _of_names(was: Character | Zone, now: Character | Zone) -> Iterator[Difference]:
    """Compare the aspects that a character or zone lists: they may be reworded."""
    for old, new in zip(was.aspects, now.aspects, strict=True):
        yield from _told("aspect", old, new, who=now.name, on=new)


def _of_aspects(
    before: tuple[SceneAspect, ...], after: tuple[SceneAspect, ...], reworded: Collection[tuple[str, str]]
) -> Iterator[Difference]:
    were, are = _by_key(before), _by_key(after)
    gone = [each for each in before if _key(each) not in are]
    new = [each for each in after if _key(each) not in were]
    for was in [each for each in gone if not (each.boost or each.roar or each.each_attack)]:
        same = (each for each in new if each.model_copy(update={"name": was.name}) == was)
        now = next((each for each in same if (was.name, each.name) in reworded), None)
        if now is not None:
            gone.remove(was)
            new.remove(now)
            yield Difference(type="aspect", who=now.on, on=now.name, before=was.as_json(), after=now.as_json())
    pairs = [*zip_longest(gone, ()), *zip_longest((), new)]
    pairs += [pair for key in are if key in were for pair in zip_longest(were[key], are[key])]
    for pair in pairs:
        yield from _of_aspect(*pair)


def _of_aspect(was: SceneAspect | None, now: SceneAspect | None) -> Iterator[Difference]:
    """Compare one aspect: it is gone or new, or its free invocations changed."""
    one = now or was
    assert one is not None, "a pair has at least one of both"
    if was is None or now is None:
        kind: ChangeType = "boost" if one.boost else "aspect"
        yield Difference(type=kind, who=one.on, on=one.name, before=was and was.as_json(), after=now and now.as_json())
        return
    for holder in dict.fromkeys([*was.held, *now.held]):
        yield from _told("free_invocations", was.held[holder], now.held[holder], who=holder, on=one.name)


def _of_trackers(before: Scene, after: Scene) -> Iterator[Difference]:
    """Compare contest, challenge, conflict and clocks."""
    trackers = {name: (_json(getattr(before, name)), _json(getattr(after, name))) for name in TRACKERS}
    came = {name for name, (old, new) in trackers.items() if old is None and new is not None}
    went = {name for name, (old, new) in trackers.items() if old is not None and new is None}
    # The change of a tracker already says what kind of scene it is.
    if after.frame not in came and not (after.frame is None and before.frame in went):
        yield from _told("frame", before.frame, after.frame)
    was, contest = before.contest, after.contest
    if was is not None and contest is not None and contest.exchange == was.exchange + 1:
        yield Difference(type="exchange", on="contest", before=was.victories, after=contest.victories)
        yield from _told("won", was.winner, contest.winner)
    else:
        yield from _told("frame", *trackers["contest"], on="contest")
    if before.challenge is not None and after.challenge is not None:
        tasks = {each.name: each for each in before.challenge.tasks}
        for task in after.challenge.tasks:
            yield from _told("task", _json(tasks.get(task.name)), task.as_json(), on=task.name)
    else:
        yield from _told("frame", *trackers["challenge"], on="challenge")
    if before.conflict is not None and after.conflict is not None:
        if before.conflict.order != after.conflict.order:
            yield from _told("frame", *trackers["conflict"], on="conflict")
        yield from _told("exchange", before.conflict.exchange, after.conflict.exchange, on="conflict")
        if before.conflict.acted != after.conflict.acted or before.conflict.turn != after.conflict.turn:
            yield Difference(type="turn", before=before.conflict.turn, after=after.conflict.turn)
    else:
        yield from _told("frame", *trackers["conflict"], on="conflict")
    clocks, still = {each.name: each for each in before.clocks}, {each.name: each for each in after.clocks}
    for name in {**clocks, **still}:
        is_secret = any(each.secret for each in (clocks.get(name), still.get(name)) if each is not None)
        yield from _told("clock", _json(clocks.get(name)), _json(still.get(name)), on=name, secret=is_secret)


def _json(told: Model | None) -> Any:
    return told and told.as_json()


def _by_key(aspects: tuple[SceneAspect, ...]) -> dict[Key, list[SceneAspect]]:
    found: dict[Key, list[SceneAspect]] = {}
    for each in aspects:
        found.setdefault(_key(each), []).append(each)
    return found


def _key(aspect: SceneAspect) -> Key:
    return aspect.name, aspect.on, aspect.boost, aspect.roar, aspect.each_attack
