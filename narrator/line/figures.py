"""Figures as people type them: ratings by number or by their name on the ladder, and the faces of four dice."""

import re

from narrator.errors import RequestError, quoted
from narrator.rules.resolve import ladder

MINUS = str.maketrans({"−": "-", "–": "-", "—": "--"})
"""What notes and keyboards make of a minus, or of two."""

LADDER = {name.casefold(): rating for rating, name in enumerate(ladder.NAMES, ladder.LOWEST)}
"""The ladder's ratings, by their names."""

_FACES = {"+": 1, "0": 0, "-": -1, "1": 1, "+1": 1, "-1": -1}
_FACE = re.compile(r"[+-]?1|[+0-]")


def rating_of(text: str, option: str, wanted: str, before: str = "") -> int:
    """Read a rating as one types it, a number or its name on the ladder; else it is a `bad_request` at this option."""
    if text.strip().casefold() in LADDER:
        return LADDER[text.strip().casefold()]
    try:
        return int(text.translate(MINUS))
    except ValueError:
        names = [f"{before}{name}" for name in ladder.NAMES]
        raise RequestError("bad_request", option, f"{quoted(text)} is no rating; {wanted}", names) from None


def faces_of(text: str) -> list[int]:
    """Read four faces as one types them; else they are `bad_dice`."""
    plain = text.translate(MINUS)
    faces = _FACE.findall(plain)
    if len(faces) != 4 or _FACE.sub("", plain).strip(" ,"):
        raise RequestError("bad_dice", "--dice", f'{quoted(text)} are no four Fate dice; such as "+ 0 0 -"')
    return [_FACES[face] for face in faces]
