"""What text may reach a terminal: only what prints."""

import unicodedata
from typing import Final

_FILLERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters of Hangul and a cell of Braille that show nothing, though they count as what prints."""


def visible(text: str) -> str:
    """Return untrusted text without anything that steers a terminal or hides.

    >>> visible("a\\x1b[31mb\\u202ec")
    'a\\ufffd[31mb\\ufffdc'
    """
    return "".join(char if char.isprintable() and char not in _FILLERS else _in_place_of(char) for char in text)


def visible_lines(text: str) -> str:
    """The same for a text of several lines, which it keeps."""
    return "\n".join(visible(each) for each in text.split("\n"))


def _in_place_of(char: str) -> str:
    # Joiners have honest use in many scripts; all else that does not print is shown as such.
    if char in "\u200c\u200d":
        return char
    return " " if unicodedata.category(char) == "Zs" or char in "\n\t" else "\ufffd"
