"""Figures as people type them: ratings by number or by their name on the ladder, and the faces of four dice."""

import re

from narrator.errors import RequestError, quoted
from narrator.rules.resolve import ladder

MINUS = str.maketrans({"−": "-", "–": "-", "—": "--"})
"""Characters that stand for a minus, or for two, in notes and on keyboards."""

LADDER = {name.casefold(): rating for rating, name in enumerate(ladder.NAMES, ladder.LOWEST)}
"""The ladder's ratings, by name."""

_FACES = {"+": 1, "0": 0, "-": -1, "1": 1, "+1": 1, "-1": -1}
_FACE = re.compile(r"[+-]?1|[+0-]")


def rating_of(text: str, option: str, wanted: str, before: str = "") -> int:
    """Read a rating typed as a number or by its name on the ladder. Else raise `bad_request` for this option."""
    if text.strip().casefold() in LADDER:
        return LADDER[text.strip().casefold()]
    try:
        return int(text.translate(MINUS))
    except ValueError:
        names = [f"{before}{name}" for name in ladder.NAMES]
        raise RequestError("bad_request", option, f"{quoted(text)} is not a rating; {wanted}", names) from None


def faces_of(text: str) -> list[int]:
    """Read four faces as people type them, or raise `bad_dice`."""
    plain = text.translate(MINUS)
    faces = _FACE.findall(plain)
    if len(faces) != 4 or _FACE.sub("", plain).strip(" ,"):
        raise RequestError("bad_dice", "--dice", f'{quoted(text)} is not four Fate dice; type them like "+ 0 0 -"')
    return [_FACES[face] for face in faces]
