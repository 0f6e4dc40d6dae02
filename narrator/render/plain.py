"""What text may reach a terminal: only what prints."""

import unicodedata


def visible(text: str) -> str:
    """
    Return untrusted text without anything that steers a terminal or hides.

    >>> visible("a\\x1b[31mb\\u202ec")
    'a\\ufffd[31mb\\ufffdc'
    """
    return "".join(char if char.isprintable() else _in_place_of(char) for char in text)


def visible_lines(text: str) -> str:
    """
    The same for a text of several lines, which it keeps.
    """
    return "\n".join(visible(each) for each in text.split("\n"))


def _in_place_of(char: str) -> str:
    # Joiners have honest use in many scripts; all else that does not print is shown as such.
    if char in "\u200c\u200d":
        return char
    return " " if unicodedata.category(char) == "Zs" or char in "\n\t" else "\ufffd"
