"""Turn order ("Determine Turn Order")."""

from collections.abc import Sequence

from narrator.errors import NarratorError, quoted
from narrator.rules.near import meant
from narrator.rules.scene import Character, Scene
from narrator.rules.skills import rating


def turn_order(
    scene: Scene, approach: str, *, ties: Sequence[str] = (), together: Sequence[str] = (), first: Sequence[str] = ()
) -> tuple[str, ...]:
    """Order everyone in the scene: the highest rating in an approach goes first.

    Args:
        approach: Quick in a physical conflict, Careful in a mental one.
        ties: Further approaches that break ties, in order; what is still tied goes as the scene lists it.
        together: Sides that act together, on the turn of their best.
        first: Names that go first whatever their rating, as in an ambush, in this order.

    Raises:
        NarratorError: `unknown_character` or `bad_request` for a name, a side or an approach that nobody in the
            scene has.
    """
    people = [each for each in scene.characters if not each.taken_out]
    names, sides = {each.name: None for each in scene.characters}, sorted({each.side for each in scene.characters})
    for place, name in enumerate(first):
        if name not in names:
            message = f"the scene lists nobody called {quoted(name)}{meant(name, names)}"
            raise NarratorError("unknown_character", f"first.{place}", message, names)
    for place, side in enumerate(together):
        if side not in sides:
            raise NarratorError(
                "bad_request", f"together.{place}", f"nobody is on this side{meant(side, sides)}", sides
            )

    for field, each in (("approach", approach), *((f"ties.{place}", each) for place, each in enumerate(ties))):
        _check_approach(each, field, scene.characters)

    # The lowest goes first, and no two are alike.
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


def _check_approach(approach: str, field: str, people: Sequence[Character]) -> None:
    known = sorted({name for each in people for name in each.skills})
    if people and approach.casefold() not in {name.casefold() for name in known}:
        raise NarratorError("bad_request", field, f"nobody has {quoted(approach)}{meant(approach, known)}", known)
