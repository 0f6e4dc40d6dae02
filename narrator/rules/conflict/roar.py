"""Roar: the approaches that a character is held to, and what ends it ("Roar Phase")."""

from collections.abc import Iterable

from narrator.rules.declared import RoarSpec
from narrator.rules.scene import Character

MINOR = ("nameless", "swarm")


def held_to(approach: str, rules: RoarSpec) -> tuple[str, ...]:
    """List the approaches that a roar allows, sorted: its own and its two neighbours on the ring; where it is not
    on the ring, itself alone.
    """
    ring = [each.casefold() for each in rules.ring]
    if approach.casefold() not in ring:
        return (approach,)
    place = ring.index(approach.casefold())
    return tuple(sorted({rules.ring[place - 1], rules.ring[place], rules.ring[(place + 1) % len(ring)]}))


def loses_roar(character: Character, skill: str | None, rules: RoarSpec | None) -> bool:
    """Say whether using this skill ends a character's roar: another approach, or for a minor NPC what it is bad at."""
    if rules is None or character.roar is None or skill is None:
        return False
    is_minor = character.importance in MINOR
    if is_minor and _is_among(skill, character.bad_at):
        return True
    if is_minor and not _is_among(character.roar, rules.ring):
        return False
    return not _is_among(skill, held_to(character.roar, rules))


def _is_among(approach: str, others: Iterable[str]) -> bool:
    return approach.casefold() in {each.casefold() for each in others}
