"""Finds the known name that a mistyped one most likely means."""

from collections.abc import Iterable


def near(name: str, known: Iterable[str]) -> str | None:
    """Find the known name that differs by one letter, ignoring case. The letter may be wrong, missing, extra or swapped
    with its neighbour. Names of eight letters or more may differ by two. A name of one letter matches nothing.

    >>> near("Figth", ["Fight", "Shoot"]), near("fate_point", ["fate_points"]), near("Cooking", ["Crafts"])
    ('Fight', 'fate_points', None)
    """
    most = 2 if len(name) >= 8 else 1
    if len(name) <= most:
        return None
    folded = name.casefold()
    found = ((_distance(folded, each.casefold(), most), each) for each in known)
    return min((each for each in found if each[0] <= most), default=(0, None))[1]


def meant(name: str, known: Iterable[str]) -> str:
    """Suggest a name for the end of a message: one with a typing error, or the only one that starts this way.

    >>> meant("existing", ["new_aspect", "existing_aspect"]), meant("Figth", ["Fight"]), meant("x", ["y"])
    ('; did you mean existing_aspect', '; did you mean Fight', '')
    """
    names = sorted(known)
    same = [each for each in names if each.casefold() == name.casefold()]
    begun = [each for each in names if len(name) > 2 and each.casefold().startswith(name.casefold())]
    found = near(name, names) or (same[0] if same else begun[0] if len(begun) == 1 else None)
    return f"; did you mean {found}" if found else ""


def _distance(one: str, other: str, most: int) -> int:
    """Count the letters to change, add, remove or swap with a neighbour. The result is at most `most` + 1."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for here, letter in enumerate(one, 1):
        before_that, before, row = before, row, [here]
        for there, its_letter in enumerate(other, 1):
            changed = before[there - 1] + (letter != its_letter)
            row.append(min(before[there] + 1, row[-1] + 1, changed))
            if here > 1 and there > 1 and letter == other[there - 2] and one[here - 2] == its_letter:
                row[-1] = min(row[-1], before_that[there - 2] + 1)
        if min(row) > most:
            break
    return row[-1]
