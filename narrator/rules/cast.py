"""Who is at the table: everyone a request names, their sides and their sheets."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from narrator.errors import NarratorError, quoted
from narrator.rules.action import Action, Active, Invocation, Request, Untold
from narrator.rules.declared import Sheet
from narrator.rules.model import shown_part
from narrator.rules.near import meant
from narrator.rules.scene import ANYONE, GM, Character, Consequence, Scene, StressTrack


@dataclass(frozen=True)
class Cast:
    """The characters by name, in the order of the scene. Where the scene lists none, those the action names."""

    characters: Mapping[str, Character]
    is_told: bool = False
    """Whether the scene lists anyone, and so tells sheets."""

    def opposition(self, name: str) -> tuple[str, ...]:
        """List everyone on another side, sorted; where there is no one, the GM."""
        side = self[name].side
        return tuple(sorted(each.name for each in self.present if each.side != side)) or (GM,)

    def allies(self, name: str) -> tuple[str, ...]:
        """List the others on the same side, sorted."""
        side = self[name].side
        return tuple(sorted(each.name for each in self.present if each.side == side and each.name != name))

    @property
    def of_gm(self) -> frozenset[str]:
        """Everyone on a side without a player's character: who may use the GM's free invocations."""
        players = {each.side for each in self.characters.values() if each.importance == "pc"}
        return frozenset(each.name for each in self.characters.values() if each.side not in players)

    @property
    def present(self) -> tuple[Character, ...]:
        """Everyone who is not taken out."""
        return tuple(each for each in self.characters.values() if not each.taken_out)

    def __getitem__(self, name: str) -> Character:
        return self.characters.get(name) or Character(name=name, side=name)


def cast_of(request: Request, sheet: Sheet) -> Cast:
    """Gather everyone a request names, each with a whole sheet.

    Raises:
        NarratorError: `unknown_character` for a name that a scene with characters does not list,
            `unknown_zone` for a zone it does not have, `bad_request` for a name that stands there twice or a
            consequence level that the ruleset does not know.
    """
    scene, action = request.scene, request.action
    if scene.characters:
        _check_scene(scene, sheet)
        listed = {each.name: each for each in scene.characters}
        for field, name in _named(request):
            if name not in listed and name != GM:
                message = f"the scene lists nobody called {quoted(name)}{meant(name, listed)}"
                raise NarratorError("unknown_character", field, message, [*listed, GM])
    else:
        ours = {action.actor, *action.helpers}
        listed = {name: _unlisted(name, action, ours) for _, name in _named(request) if name != GM or name in ours}
    blank = _blank(sheet)
    characters = {name: _with_sheet(each, sheet, blank) for name, each in listed.items()}
    return Cast(characters, is_told=bool(scene.characters))


def _unlisted(name: str, action: Action, ours: Collection[str]) -> Character:
    """Somebody of whom nothing is told but the name."""
    if name in ours:
        return Character(name=name, side="pc", importance="pc")
    against = action.opposition
    is_on_them = name == action.target or (against.kind == "defend" and name == against.by)
    return Character(name=name, side="opposition", importance="unknown" if is_on_them else "nameless")


def _named(request: Request) -> Iterator[tuple[str, str]]:
    """Every field of the action that names somebody, and the name."""
    action, against = request.action, request.action.opposition
    yield "action.actor", action.actor
    if action.target is not None:
        yield "action.target", action.target
    yield from _helpers("action", action.helpers)
    yield from _invokers("action", action.invocations)
    if isinstance(against, Active | Untold) and against.by is not None:
        yield "action.opposition.by", against.by
    if isinstance(against, Active):
        yield from _helpers("action.opposition", against.helpers)
    yield from _invokers("action.opposition", against.invocations)


def _helpers(field: str, helpers: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    return ((f"{field}.helpers.{place}", name) for place, name in enumerate(helpers))


def _invokers(field: str, invocations: tuple[Invocation, ...]) -> Iterator[tuple[str, str]]:
    return (
        (f"{field}.invocations.{place}.by", invocation.by)
        for place, invocation in enumerate(invocations)
        if invocation.by is not None
    )


def _check_scene(scene: Scene, sheet: Sheet) -> None:
    names = [each.name for each in scene.characters]
    zones = [each.name for each in scene.zones]
    for field, known in (("characters", names), ("zones", zones)):
        first = {name: place for place, name in reversed([*enumerate(known)])}
        for place, name in enumerate(known):
            if first[name] < place:
                raise NarratorError("bad_request", f"scene.{field}.{place}.name", "this name stands there twice")
    for place, name in enumerate(names):
        if name in (GM, ANYONE) or not name.strip():
            message = f"{quoted(name)} is nobody's name; {GM} stands for the opposition, {ANYONE} for anyone"
            raise NarratorError("bad_request", f"scene.characters.{place}.name", message)
    for place, character in enumerate(scene.characters):
        field = f"scene.characters.{place}"
        if character.zone is not None and zones and character.zone not in zones:
            raise NarratorError("unknown_zone", f"{field}.zone", "the scene has no such zone", zones)
        for level, consequence in enumerate(character.consequences or ()):
            if consequence.severity not in sheet.consequences:
                raise NarratorError(
                    "bad_request",
                    f"{field}.consequences.{level}.severity",
                    "the ruleset knows no such consequence level",
                    sheet.consequences,
                )
    bearers, holders = {None, GM, *names, *zones}, {GM, ANYONE, *names}
    for place, aspect in enumerate(scene.aspects):
        if aspect.on not in bearers:
            raise NarratorError(
                "unknown_character",
                f"scene.aspects.{place}.on",
                "an aspect is on a character or a zone of the scene",
                [*names, *zones],
            )
        for holder in aspect.free_invocations:
            if holder not in holders:
                raise NarratorError(
                    "unknown_character",
                    f"scene.aspects.{place}.free_invocations.{shown_part(holder)}",
                    "the scene lists nobody of this name",
                    [*names, GM, ANYONE],
                )


def _blank(sheet: Sheet) -> dict[str, Any]:
    return {
        "stress": {track: StressTrack(boxes=boxes) for track, boxes in sheet.stress.items()},
        "consequences": tuple(Consequence(severity=level) for level in sheet.consequences),
    }


def _with_sheet(character: Character, sheet: Sheet, blank: Mapping[str, Any]) -> Character:
    """Fill in what of a sheet was not told: that of the ruleset for those who have one, none for others."""
    untold = [part for part in blank if getattr(character, part) is None]
    if not untold:
        return character
    has_one = character.importance in sheet.importance
    return character.model_copy(update={part: blank[part] if has_one else type(blank[part])() for part in untold})
