"""Four Fate dice: their faces, throws from a seed, and turning by weight."""

from random import Random

Faces = tuple[int, int, int, int]
"""The faces of four dice, each -1, 0 or +1."""

FACES = (-1, 0, 1)


def throw_number(place: int, seed: int) -> Faces:
    """Return a seed's throw at this place.

    Each throw of a request has a fixed place, so giving the faces of one does not change the others.
    """
    chance = Random(seed)  # noqa: S311  dice want repeatable chance, not secrecy
    # Only `Random.random()` keeps its sequence between versions of Python, so the faces come from it alone.
    faces = [FACES[int(chance.random() * 3)] for _ in range(4 * (place + 1))]
    first, second, third, fourth = faces[-4:]
    return first, second, third, fourth


def turn_up(dice: Faces, number: int) -> Faces:
    """Turn a number of the lowest dice to +1, the leftmost first.

    >>> turn_up((0, 0, -1, 1), 1), turn_up((0, -1, 1, -1), 2)
    ((0, 0, 1, 1), (0, 1, 1, 1))
    """
    lowest = sorted(range(len(dice)), key=lambda place: dice[place])[:number]
    first, second, third, fourth = (1 if place in lowest else face for place, face in enumerate(dice))
    return first, second, third, fourth
