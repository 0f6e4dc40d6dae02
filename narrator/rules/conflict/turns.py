"""Turn order ("Determine Turn Order")."""

from collections.abc import Sequence

from narrator.errors import NarratorError, quoted
from narrator.rules.near import meant
from narrator.rules.scene import Character, Scene
from narrator.rules.skills import rating


def turn_order(
    scene: Scene, approach: str, *, ties: Sequence[str] = (), together: Sequence[str] = (), first: Sequence[str] = ()
) -> tuple[str, ...]:
    """
    Order everyone in the scene: the highest rating in an approach goes first.

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
    names, sides = [each.name for each in scene.characters], sorted({each.side for each in scene.characters})
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

    def ratings(character: Character) -> tuple[int, ...]:
        return tuple(-rating(character, each) for each in (approach, *ties))

    def turn(character: Character) -> tuple[tuple[int, ...], int]:
        group = [each for each in people if each.side == character.side] if character.side in together else [character]
        return min((ratings(each), people.index(each)) for each in group)

    waiting = [each for each in people if each.name not in first]
    ordered = sorted(waiting, key=lambda each: (turn(each), ratings(each), people.index(each)))
    present = [each.name for each in people]
    return (*(name for name in dict.fromkeys(first) if name in present), *(each.name for each in ordered))


def _check_approach(approach: str, field: str, people: Sequence[Character]) -> None:
    known = sorted({name for each in people for name in each.skills})
    if people and approach.casefold() not in {name.casefold() for name in known}:
        raise NarratorError("bad_request", field, f"nobody has {quoted(approach)}{meant(approach, known)}", known)
