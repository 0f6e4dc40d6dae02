"""Harm: what is free, and each way to absorb a hit (Fate Core SRD, "Resolving Attacks")."""

from collections import Counter
from itertools import chain, product, repeat

from narrator.rules.declared import Sheet
from narrator.rules.resolution import Absorption
from narrator.rules.scene import Character


def lowest_free_consequence(character: Character, sheet: Sheet) -> str | None:
    """
    Name the lowest consequence level that is free ("Serious Cost vs. Minor Cost"), or None.
    """
    return min(_free_consequences(character), key=sheet.consequences.__getitem__, default=None)


def tracks_with_a_free_box(character: Character) -> tuple[str, ...]:
    """
    List the stress tracks on which a box is free, sorted.
    """
    return tuple(sorted(name for name, track in (character.stress or {}).items() if track.free))


def ways_to_absorb(hit: int, character: Character, track: str | None, sheet: Sheet) -> tuple[Absorption, ...]:
    """
    List every way to absorb a hit from which nothing can be left away, the least first; none: the character is
    taken out.

    At most one stress box of the track, and any free consequences, must together cover the hit.

    Args:
        hit: The hit, in shifts.

        character: Who takes it, with a whole sheet.

        track: The stress track that the attack is on; None for a lethal one, which no stress absorbs.

        sheet: What each consequence absorbs, in shifts.
    """
    boxes = character.stress[track].free if track and character.stress and track in character.stress else ()
    free = Counter(_free_consequences(character))
    levels = sorted(free, key=sheet.consequences.__getitem__)
    ways = [
        (box, tuple(chain.from_iterable(repeat(*each) for each in zip(levels, counts, strict=True))))
        for counts in product(*(range(free[level] + 1) for level in levels))
        for box in (*sorted(set(boxes)), None)
    ]

    def weighs(way: tuple[int | None, tuple[str, ...]]) -> tuple[int, int, int]:
        box, chosen = way
        return len(chosen), sum(sheet.consequences[level] for level in chosen), box or 0

    def covers(box: int | None, chosen: tuple[str, ...]) -> bool:
        return (box or 0) + sum(sheet.consequences[level] for level in chosen) >= hit

    def is_minimal(box: int | None, chosen: tuple[str, ...]) -> bool:
        without_box = box is not None and covers(None, chosen)
        return not without_box and not any(
            covers(box, chosen[:place] + chosen[place + 1 :]) for place in range(len(chosen))
        )

    return tuple(
        Absorption(stress=box, consequences=chosen)
        for box, chosen in sorted(ways, key=weighs)
        if covers(box, chosen) and is_minimal(box, chosen)
    )


def _free_consequences(character: Character) -> tuple[str, ...]:
    return tuple(each.severity for each in character.consequences or () if each.name is None)
