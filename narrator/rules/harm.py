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

    Stress boxes of the track, as many as the sheet lets a hit mark, and any free consequences must together cover the
    hit. Of boxes that come to the same sum there is one way: with as few boxes as can be, and the highest left free.

    Args:
        hit: The hit, in shifts.

        character: Who takes it, with a whole sheet.

        track: The stress track that the attack is on; None for a lethal one, which no stress absorbs.

        sheet: What each consequence absorbs, in shifts, and how many boxes a hit may mark.
    """
    boxes = character.stress[track].free if track and character.stress and track in character.stress else ()
    most = len(boxes) if sheet.boxes_per_hit == "any" else sheet.boxes_per_hit
    free = Counter(_free_consequences(character))
    levels = sorted(free, key=sheet.consequences.__getitem__)
    ways = []
    for counts in product(*(range(free[level] + 1) for level in levels)):
        chosen = tuple(chain.from_iterable(repeat(*each) for each in zip(levels, counts, strict=True)))
        absorbed = sum(sheet.consequences[level] for level in chosen)
        for stress, marked in _boxes_for(hit - absorbed, boxes, most).items():
            if all(stress + absorbed - sheet.consequences[level] < hit for level in chosen):
                ways.append(((len(chosen), absorbed, stress), marked, chosen))
    return tuple(
        Absorption(stress=stress or None, boxes=marked if len(marked) > 1 else None, consequences=chosen)
        for (_, _, stress), marked, chosen in sorted(ways)
    )


def _boxes_for(shifts: int, free: tuple[int, ...], most: int) -> dict[int, tuple[int, ...]]:
    """
    Find each sum of boxes that covers so many shifts and has no box to spare, and the boxes that make it.
    """
    making: dict[int, tuple[int, ...]] = {0: ()}
    # From the highest box down, so that what is added last is the least: without it the shifts were not covered.
    for box in reversed(free):
        for before, marked in tuple(making.items()):
            if before < shifts and len(marked) < most:
                more = (*marked, box)
                making[before + box] = min(more, making.get(before + box, more), key=lambda each: (len(each), each))
    return {total: marked for total, marked in making.items() if total >= shifts}


def _free_consequences(character: Character) -> tuple[str, ...]:
    return tuple(each.severity for each in character.consequences or () if each.name is None)
