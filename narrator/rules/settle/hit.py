"""Applies a hit: marks boxes and adds consequences, or takes the target out ("Taking Harm")."""

from collections.abc import Mapping

from narrator.rules.request.scene import Character, SceneAspect
from narrator.rules.resolve.resolution import Grant
from narrator.rules.settle.choice import AbsorbChoice, refuse, said, way_meant
from narrator.rules.settle.ledger import Ledger


def take_hit(
    book: Ledger,
    character: Character,
    hit: Grant,
    absorb: AbsorbChoice | None,
    is_taken_out: bool,
    words: Mapping[str, str] = {},
) -> None:
    """Apply how somebody takes a hit, or raise `bad_choice`, which lists the possible ways.

    Args:
        character: The target, with a whole sheet.
        hit: The grant of type `hit`, with every way to absorb it.
        words: The names of consequences without a name in `absorb`, by level.
    """
    who, ways = character.name, hit.absorb or ()
    if absorb is not None and is_taken_out:
        refuse("taken_out", "give `absorb` or `taken_out`, not both")
    if absorb is None:
        is_out = is_taken_out or hit.absorb == ()
        if ways and not is_out:
            message = f"say how {who} absorbs the hit of {hit.amount}, or give `taken_out`"
            refuse("absorb", f"{message}; {said(ways)}")
        book.change(who, **({"taken_out": True} if is_out else {}))
        return
    meant = way_meant(absorb, hit, character, book.ruleset.sheet)
    if meant.stress is not None:
        book.mark_boxes(who, hit.track or "", meant.boxes or (meant.stress,))
    left = dict(words)
    for place, each in enumerate(absorb.consequences):
        name = each.name or left.pop(each.severity, None)
        if not name:
            example = f'{{"severity": "{each.severity}", "name": "..."}}'
            refuse(f"absorb.consequences.{place}.name", f"this consequence needs a name: {example}")
        book.take_consequence(who, each.severity, name)
        for holder in hit.holders or ():
            free = {holder: hit.free_invocations or 0}
            book.aspects.append(SceneAspect(name=name, on=who, free_invocations=free))
