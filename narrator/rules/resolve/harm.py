"""Harm: the ways to absorb a hit, and slots for its words (Fate Core SRD, "Resolving Attacks")."""

from bisect import bisect_left
from collections import Counter
from itertools import chain, product, repeat
from math import inf
from operator import itemgetter

from narrator.rules.request.scene import Character
from narrator.rules.resolve.resolution import Absorption, Branch, FormOffer, Slot
from narrator.rules.ruleset.declarations import Sheet
from narrator.rules.ruleset.ruleset import Ruleset


def lowest_free_consequence(character: Character, sheet: Sheet) -> str | None:
    """Return the lowest free consequence level, or None ("Serious Cost vs. Minor Cost")."""
    return min(_free_consequences(character), key=sheet.consequences.__getitem__, default=None)


def tracks_with_a_free_box(character: Character) -> tuple[str, ...]:
    """List the stress tracks with a free box, sorted."""
    return tuple(sorted(name for name, track in (character.stress or {}).items() if track.free))


def ways_to_absorb(hit: int, character: Character, track: str | None, sheet: Sheet) -> tuple[Absorption, ...]:
    """List every minimal way to absorb a hit, the least first. If there is none, the character is taken out.

    Stress boxes of the track and free consequences must together cover the hit. The sheet limits how many boxes a hit
    may mark. For each sum of boxes there is one way: the one with the fewest and lowest boxes.

    Args:
        hit: The hit, in shifts.
        character: Who takes it, with a complete sheet.
        track: The stress track of the attack, or None if it is lethal and stress can't absorb it.
        sheet: What each consequence absorbs, in shifts, and how many boxes a hit may mark.
    """
    sums = _sums(*markable(character, track, sheet))
    free = Counter(_free_consequences(character))
    levels = sorted(free, key=sheet.consequences.__getitem__)
    ways = []
    for counts in product(*(range(free[level] + 1) for level in levels)):
        chosen = tuple(chain.from_iterable(repeat(*each) for each in zip(levels, counts, strict=True)))
        absorbed = sum(sheet.consequences[level] for level in chosen)
        # The excess must be less than the lowest consequence. Otherwise, that consequence is not needed.
        spare = sheet.consequences[chosen[0]] if chosen else inf
        for stress, marked in _covering(hit - absorbed, spare, sums).items():
            ways.append(((len(chosen), absorbed, stress), marked, chosen))
    return tuple(absorption(marked, chosen) for _, marked, chosen in sorted(ways))


def with_words_for_harm(branches: tuple[Branch, ...], ruleset: Ruleset, attacker: str) -> tuple[Branch, ...]:
    """Add the same slot for a consequence to every branch with a hit that consequences can absorb."""
    hits = [grant for branch in branches for grant in branch.grants if grant.wounds]
    if not hits:
        return branches
    levels = {level for hit in hits for way in hit.absorb or () for level in way.consequences}
    # Nobody gets free invocations for their own consequence.
    to = tuple(sorted({name for hit in hits for name in hit.to}))
    is_inflicted = to != (attacker,)
    offers = (
        FormOffer(
            form=name,
            label=form.label,
            to=to,
            holders=(attacker,) if is_inflicted else None,
            free_invocations=ruleset.inflicted_consequence_invocations if is_inflicted else 0,
            severities=tuple(level for level in ruleset.sheet.levels if level in levels),
        )
        for name, form in ruleset.forms.items()
        if "consequence" in form.kinds
    )
    slot = Slot(id="consequence", kind="consequence", forms=tuple(offers))
    return tuple(
        branch.model_copy(update={"slots": (*branch.slots, slot)}) if any(g.wounds for g in branch.grants) else branch
        for branch in branches
    )


def markable(character: Character, track: str | None, sheet: Sheet) -> tuple[tuple[int, ...], int]:
    """Return the free boxes, lowest first, and how many of them a hit may mark."""
    boxes = character.stress[track].free if track and character.stress and track in character.stress else ()
    return boxes, len(boxes) if sheet.boxes_per_hit == "any" else min(sheet.boxes_per_hit, len(boxes))


_Sums = dict[float, list[tuple[int, tuple[int, ...]]]]
"""For each lowest marked box: the possible sums, lowest first, and their boxes, highest first."""


def _sums(free: tuple[int, ...], most: int) -> _Sums:
    """Find each sum of boxes and the fewest and lowest boxes that make it."""
    made: dict[int, tuple[int, ...]] = {0: ()}
    sums: dict[float, dict[int, tuple[int, ...]]] = {inf: {0: ()}}
    for box in reversed(free):
        for before, marked in tuple(made.items()):
            if len(marked) < most:
                for known in (made, sums.setdefault(box, {})):
                    _keep(known, before + box, (*marked, box))
    return {least: sorted(known.items()) for least, known in sums.items()}


def _covering(shifts: int, spare: float, sums: _Sums) -> dict[int, tuple[int, ...]]:
    """Find each sum that covers the shifts with no unneeded box and an excess below `spare`."""
    found: dict[int, tuple[int, ...]] = {}
    for least, known in sums.items():
        first = bisect_left(known, shifts, key=itemgetter(0))
        for total, marked in known[first : bisect_left(known, shifts + min(least, spare), key=itemgetter(0))]:
            _keep(found, total, marked)
    return found


def _keep(known: dict[int, tuple[int, ...]], total: int, marked: tuple[int, ...]) -> None:
    known[total] = min(marked, known.get(total, marked), key=lambda each: (len(each), each))


def absorption(marked: tuple[int, ...], chosen: tuple[str, ...]) -> Absorption:
    """Build a way from the marked boxes and the chosen consequences."""
    return Absorption(stress=sum(marked) or None, boxes=marked if len(marked) > 1 else None, consequences=chosen)


def _free_consequences(character: Character) -> tuple[str, ...]:
    return tuple(each.severity for each in character.consequences or () if each.name is None)
