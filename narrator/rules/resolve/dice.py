"""Four Fate dice: faces told by the table, or thrown from a seed, and turned by weight."""

from random import Random

Faces = tuple[int, int, int, int]
"""The four dice as they lie, each -1, 0 or +1."""

FACES = (-1, 0, 1)


def throw_number(place: int, seed: int) -> Faces:
    """Throw the dice that have this place among all that a seed can throw.

    Each throw of a request has a fixed place, so telling the faces of one changes none of the others.
    """
    chance = Random(seed)  # noqa: S311  dice want repeatable chance, not secrecy
    # Only `Random.random()` keeps its sequence between versions of Python, so the faces come from it alone.
    faces = [FACES[int(chance.random() * 3)] for _ in range(4 * (place + 1))]
    first, second, third, fourth = faces[-4:]
    return first, second, third, fourth


def turn_up(dice: Faces, number: int) -> Faces:
    """Turn so many of the lowest dice to +, the leftmost first.

    >>> turn_up((0, 0, -1, 1), 1), turn_up((0, -1, 1, -1), 2)
    ((0, 0, 1, 1), (0, 1, 1, 1))
    """
    lowest = sorted(range(len(dice)), key=lambda place: dice[place])[:number]
    first, second, third, fourth = (1 if place in lowest else face for place, face in enumerate(dice))
    return first, second, third, fourth
