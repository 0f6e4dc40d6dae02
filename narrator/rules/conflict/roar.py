"""Roar: the approaches that a character is held to, and what ends it ("Roar Phase")."""

from narrator.rules.declared import RoarSpec
from narrator.rules.scene import Character

MINOR = ("nameless", "swarm")


def held_to(approach: str, rules: RoarSpec) -> tuple[str, ...]:
    """
    List the approaches that a roar allows, sorted: its own and its two neighbours on the ring; where it is not
    on the ring, itself alone.
    """
    if approach not in rules.ring:
        return (approach,)
    place = rules.ring.index(approach)
    return tuple(sorted({rules.ring[place - 1], approach, rules.ring[(place + 1) % len(rules.ring)]}))


def loses_roar(character: Character, skill: str | None, rules: RoarSpec | None) -> bool:
    """
    Say whether using this skill ends a character's roar: another approach, or for a minor NPC what it is bad at.
    """
    if rules is None or character.roar is None or skill is None:
        return False
    if character.importance in MINOR and skill in character.bad_at:
        return True
    if character.importance in MINOR and character.roar not in rules.ring:
        return False
    return skill not in held_to(character.roar, rules)
