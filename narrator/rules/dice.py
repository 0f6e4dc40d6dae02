"""Four Fate dice: faces told by the table, or thrown from a seed."""

from random import Random

Faces = tuple[int, int, int, int]
"""The four dice as they lie, each -1, 0 or +1."""

FACES = (-1, 0, 1)


def throw(chance: Random) -> Faces:
    """Throw four Fate dice.

    Only `Random.random()` keeps its sequence between versions of Python, so the faces come from it alone.
    """

    def die() -> int:
        return FACES[int(chance.random() * 3)]

    return die(), die(), die(), die()


def throw_number(place: int, seed: int) -> Faces:
    """Throw the dice that have this place among all that a seed can throw.

    Each throw of a request has a fixed place, so telling the faces of one changes none of the others.
    """
    chance = Random(seed)  # noqa: S311  dice want repeatable chance, not secrecy
    for _ in range(place):
        throw(chance)
    return throw(chance)
