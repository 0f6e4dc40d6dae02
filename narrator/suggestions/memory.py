"""Tells the scene as JSON data: what matters most first, and of a long campaign no more than there is room for."""

from collections.abc import Sequence
from typing import Any, Final

from narrator.rules.scene import Character, Scene
from narrator.suggestions.relevance import Relevance
from narrator.suggestions.telling import clipped, fitting, present, written
from narrator.validation.safety import sayable, unsafe

MOST: Final = {
    "summary": 800,
    "tone": 300,
    "facts": 1_000,
    "said_lately": 500,
    "aspects_in_play": 500,
    "characters": 1_000,
}
"""Characters of each part of a scene, as it is written. Lines and veils have no bound: all of them are told."""

OF_ONE: Final = 200
"""Characters of the aspects of one character, and of the consequences."""


def remembered(scene: Scene, relevance: Relevance) -> dict[str, Any]:
    """Tell a scene. Who acts and who opposes is told in any case, however long the names are."""
    return present(
        {
            "summary": clipped(scene.summary, MOST["summary"]),
            "tone": clipped(scene.tone, MOST["tone"]),
            "language": scene.language,
            "frame": scene.frame,
            "facts": _texts(scene.facts, "facts", relevance),
            "aspects_in_play": _aspects(scene, relevance),
            "characters": _people(scene, relevance),
            "said_lately": _texts(scene.recent, "said_lately", relevance),
            "never_touch": [*scene.lines, *scene.veils],
        }
    )


def _texts(texts: Sequence[str], part: str, relevance: Relevance) -> list[str]:
    return fitting((texts[place] for place in relevance.order(texts)), MOST[part])


def _aspects(scene: Scene, relevance: Relevance) -> list[str | dict[str, str]]:
    """Tell the aspects in play that are no character's own list, each with its bearer."""
    of_zones = ((name, zone.name) for zone in scene.zones for name in zone.aspects)
    named = [*dict.fromkeys((*of_zones, *((each.name, each.on) for each in scene.aspects)))]
    order = relevance.order([f"{name} {on or ''}" for name, on in named])
    ordered = (named[place] for place in order)
    return fitting((name if on is None else {"name": name, "on": on} for name, on in ordered), MOST["aspects_in_play"])


def _people(scene: Scene, relevance: Relevance) -> list[dict[str, Any]]:
    """Tell who is there: first those who are involved."""
    names = {each.name for each in relevance.involved}
    others = [each for each in scene.characters if each.name not in names]
    # The last is the newest: of people those who are told first come first.
    read = [" ".join((each.name, *each.aspects, each.zone or "")) for each in reversed(others)]
    ordered = [others[-1 - place] for place in relevance.order(read)]
    first = [_person(each, relevance) for each in relevance.involved]
    room = MOST["characters"] - sum(len(written(each)) + 1 for each in first)
    return [*first, *fitting((_person(each, relevance) for each in ordered), room)]


def _person(character: Character, relevance: Relevance) -> dict[str, Any]:
    aspects = [character.aspects[place] for place in relevance.order(character.aspects)]
    consequences = [level.name for level in character.consequences or () if level.name]
    is_many = character.importance == "swarm" if character.group is None else character.group
    return present(
        {
            "name": character.name,
            "called": _called(character),
            "pronouns": character.pronouns,
            "several": is_many or None,
            "side": character.side,
            "aspects": fitting(aspects, OF_ONE),
            "consequences": fitting(consequences, OF_ONE),
            "zone": character.zone,
            "taken_out": character.taken_out or None,
        }
    )


def _called(character: Character) -> str | None:
    is_told = character.called or unsafe(character.name)
    return sayable(character.called or character.name) if is_told else None
