"""The cast: everyone a request names, with their sides, sheets, ratings and turn order."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from narrator.errors import RequestError, quoted
from narrator.rules.model import shown_part
from narrator.rules.request.action import Action, Active, Opposition, Request, Rolled, Untold
from narrator.rules.request.scene import ANYONE, GM, Character, Consequence, Scene, StressTrack
from narrator.rules.ruleset.declarations import Sheet
from narrator.rules.typo import meant, near


@dataclass(frozen=True)
class Cast:
    """The characters by name, in scene order. If the scene lists none, those that the action names."""

    characters: Mapping[str, Character]
    is_told: bool = False
    """Whether the scene lists anyone, and therefore has sheets."""

    def opposition(self, name: str) -> tuple[str, ...]:
        """List everyone on another side, sorted. If there is no one, list the GM."""
        side = self[name].side
        return tuple(sorted(each.name for each in self.present if each.side != side)) or (GM,)

    def allies(self, name: str) -> tuple[str, ...]:
        """List the others on the same side, sorted."""
        side = self[name].side
        return tuple(sorted(each.name for each in self.present if each.side == side and each.name != name))

    @property
    def of_gm(self) -> frozenset[str]:
        """Everyone on a side without a player's character. They may use the GM's free invocations."""
        players = {each.side for each in self.characters.values() if each.importance == "pc"}
        return frozenset(each.name for each in self.characters.values() if each.side not in players)

    @property
    def present(self) -> tuple[Character, ...]:
        """Everyone who is not out."""
        return tuple(each for each in self.characters.values() if not each.is_out)

    def __getitem__(self, name: str) -> Character:
        return self.characters.get(name) or Character(name=name, side=name)


def cast_of(request: Request, sheet: Sheet) -> Cast:
    """Gather everyone whom a request names, each with a complete sheet.

    Raises:
        NarratorError: `unknown_character` for a name that a scene with characters does not list,
            `unknown_zone` for a zone it does not have, `bad_request` for a name that occurs twice or a
            consequence level that the ruleset does not have.
    """
    scene, action = request.scene, request.action
    if not scene.characters:
        ours = {action.actor, *action.helpers}
        listed = (_unlisted(name, action, ours) for _, name in _named(request) if name != GM or name in ours)
        return Cast(_whole(listed, sheet))
    cast = cast_of_scene(scene, sheet)
    away = {each.name for each in scene.away}
    for field, name in _named(request):
        if name not in cast.characters and name != GM:
            message = f"the scene lists nobody called {quoted(name)}{meant(name, cast.characters)}"
            message = f"{name} is away" if name in away else message
            present = [each.name for each in scene.characters if not each.is_out]
            raise RequestError("unknown_character", field, message, [*present, GM])
    return cast


def cast_of_scene(scene: Scene, sheet: Sheet) -> Cast:
    """Gather everyone whom a scene lists, each with a complete sheet. Raise the same errors as `cast_of`."""
    if scene.characters or scene.away:
        _check_scene(scene, sheet)
    return Cast(_whole(scene.characters, sheet), is_told=bool(scene.characters))


def _whole(people: Iterable[Character], sheet: Sheet) -> dict[str, Character]:
    blank = {
        "stress": {track: StressTrack(boxes=boxes) for track, boxes in sheet.stress.items()},
        "consequences": tuple(Consequence(severity=level) for level in sheet.consequences),
    }
    return {each.name: _with_sheet(each, sheet, blank) for each in people}


def _unlisted(name: str, action: Action, ours: Collection[str]) -> Character:
    """Return a character of whom only the name is known."""
    if name in ours:
        return Character(name=name, side="pc", importance="pc")
    against = action.opposition
    is_on_them = name == action.target or (against.kind == "defend" and name == against.by)
    return Character(name=name, side="opposition", importance="unknown" if is_on_them else "nameless")


def _named(request: Request) -> Iterator[tuple[str, str]]:
    """Yield each field of the action that names somebody, and the name."""
    action, against = request.action, request.action.opposition
    yield "action.actor", action.actor
    if action.target is not None:
        yield "action.target", action.target
    yield from _of_side("action", action)
    if isinstance(against, Active | Untold) and against.by is not None:
        yield "action.opposition.by", against.by
    yield from _of_side("action.opposition", against)


def _of_side(field: str, side: Action | Opposition) -> Iterator[tuple[str, str]]:
    """Yield the helpers and invokers on one side."""
    for place, name in enumerate(side.helpers if isinstance(side, Rolled) else ()):
        yield f"{field}.helpers.{place}", name
    for place, invocation in enumerate(side.invocations):
        if invocation.by is not None:
            yield f"{field}.invocations.{place}.by", invocation.by


def _check_scene(scene: Scene, sheet: Sheet) -> None:
    names = [each.name for each in scene.characters]
    zones = [each.name for each in scene.zones]
    there = [(f"scene.characters.{place}", each) for place, each in enumerate(scene.characters)]
    people = [*there, *((f"scene.away.{place}", each) for place, each in enumerate(scene.away))]
    lists = {part: [*enumerate(getattr(scene, part))] for part in ("zones", "clocks")}
    for named in (people, *([(f"scene.{part}.{place}", each) for place, each in told] for part, told in lists.items())):
        before: set[str] = set()
        for field, each in named:
            if each.name in before:
                raise RequestError("bad_request", f"{field}.name", "two have this name: give them different names")
            before.add(each.name)
    for field, each in people:
        if each.name in (GM, ANYONE) or not each.name.strip():
            message = f"{quoted(each.name)} can't be a character's name: {GM} means the opposition, {ANYONE} anyone"
            raise RequestError("bad_request", f"{field}.name", message)
    for field, character in there:
        if character.zone is not None and zones and character.zone not in zones:
            raise RequestError("unknown_zone", f"{field}.zone", "the scene has no such zone", zones)
    for field, character in people:
        for level, consequence in enumerate(character.consequences or ()):
            if consequence.severity not in sheet.consequences:
                where, message = f"{field}.consequences.{level}.severity", "the ruleset has no such consequence level"
                raise RequestError("bad_request", where, message, sheet.consequences)
    bearers, holders = {None, GM, *names, *zones}, {GM, ANYONE, *names}
    for place, aspect in enumerate(scene.aspects):
        if aspect.on not in bearers:
            message = "this must be a character or a zone of the scene"
            raise RequestError("unknown_character", f"scene.aspects.{place}.on", message, [*names, *zones])
        for holder in aspect.free_invocations:
            if holder not in holders:
                field = f"scene.aspects.{place}.free_invocations.{shown_part(holder)}"
                message = "the scene lists nobody with this name"
                raise RequestError("unknown_character", field, message, [*names, GM, ANYONE])


def _with_sheet(character: Character, sheet: Sheet, blank: Mapping[str, Any]) -> Character:
    """Fill in missing parts of a sheet: the ruleset's for those who have a sheet, empty ones for others."""
    untold = [part for part in blank if getattr(character, part) is None]
    if not untold:
        return character
    has_one = character.importance in sheet.importance
    return character.model_copy(update={part: blank[part] if has_one else type(blank[part])() for part in untold})


def rating(character: Character, skill: str | None) -> int:
    """Return a rating on a sheet, or 0 for a skill that is not on it."""
    return character.skills.get(_on_sheet(character, skill) or "", 0)


def spelt_skill(skill: str | None, character: Character, listed: tuple[str, ...]) -> str | None:
    """Spell a skill as on the character's sheet, or else as in the ruleset, or else as typed."""
    if skill is None:
        return None
    same = (each for each in listed if each.casefold() == skill.casefold())
    return _on_sheet(character, skill) or next(same, skill)


def look_up(skill: str | None, field: str, cast: Cast, listed: tuple[str, ...]) -> tuple[str, ...]:
    """Return a notice if a skill is on no sheet and not in the ruleset. Refuse one that looks mistyped."""
    if skill is None:
        return ()
    if not cast.is_told:
        return (f"The scene lists nobody, so {quoted(skill)} counts as 0.",)
    known = {name for each in cast.characters.values() for name in each.skills} | set(listed)
    if skill.casefold() in {name.casefold() for name in known}:
        return ()
    if right := near(skill, sorted(known)):
        message = f"there is no skill {quoted(skill)} here; did you mean {right}"
        raise RequestError("bad_request", field, message, [right])
    return (f"{quoted(skill)} is on no sheet and is not one of the ruleset's skills, so it counts as 0.",)


def _on_sheet(character: Character, skill: str | None) -> str | None:
    if skill is None or skill in character.skills:
        return skill
    return next((name for name in character.skills if name.casefold() == skill.casefold()), None)


def turn_order(
    scene: Scene, approach: str, *, ties: Sequence[str] = (), together: Sequence[str] = (), first: Sequence[str] = ()
) -> tuple[str, ...]:
    """Order everyone in the scene. The highest rating in an approach goes first ("Determine Turn Order").

    Args:
        approach: Quick in a physical conflict, Careful in a mental one.
        ties: Further approaches that break ties, in order. Remaining ties follow the order of the scene.
        together: Sides that act together, on the turn of their best member.
        first: Names that go first in this order, whatever their rating, as in an ambush.

    Raises:
        NarratorError: `unknown_character` or `bad_request` for a name, a side or an approach that nobody in the
            scene has.
    """
    people = [each for each in scene.characters if not each.is_out]
    names, sides = {each.name: None for each in scene.characters}, sorted({each.side for each in scene.characters})
    for place, name in enumerate(first):
        if name not in names:
            message = f"the scene lists nobody called {quoted(name)}{meant(name, names)}"
            raise RequestError("unknown_character", f"first.{place}", message, names)
    for place, side in enumerate(together):
        if side not in sides:
            message = f"nobody is on this side{meant(side, sides)}"
            raise RequestError("bad_request", f"together.{place}", message, sides)
    known = sorted({name for each in scene.characters for name in each.skills})
    for field, by in (("approach", approach), *((f"ties.{place}", each) for place, each in enumerate(ties))):
        if scene.characters and by.casefold() not in {name.casefold() for name in known}:
            raise RequestError("bad_request", field, f"nobody has {quoted(by)}{meant(by, known)}", known)

    # The lowest goes first. No two are equal.
    ranked = [((*(-rating(each, by) for by in (approach, *ties)), place), each) for place, each in enumerate(people)]
    best: dict[str, tuple[int, ...]] = {}
    for own, who in ranked:
        best[who.side] = min(best.get(who.side, own), own)
    present, acting = {each.name for each in people}, frozenset(together)
    leading = dict.fromkeys(name for name in first if name in present)
    waiting = (
        (best[who.side] if who.side in acting else own, own, who.name) for own, who in ranked if who.name not in leading
    )
    return (*leading, *(name for *_, name in sorted(waiting)))
