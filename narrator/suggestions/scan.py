"""Finds JSON objects in text that is still being written, whatever stands around them."""

import json
import re
from collections.abc import Iterator

LONGEST = 20_000
"""Characters of one object; a longer one is let go."""

DEEPEST = 32
"""Brackets within brackets; deeper ones are not read."""

LIST = "suggestions"

_MARK = re.compile(r'[][{}"\\]|</?think>')
_HALF_A_MARK = re.compile(r"</?(?:t(?:h(?:i(?:n(?:k)?)?)?)?)?$")
_FOLLOWING = re.compile(r"\S")
_OPENS = {"]": "[", "}": "{"}


class Scanner:
    """Reads text piece by piece and hands over each suggestion as soon as its object closes.

    A suggestion is an object in a list, or an object alone; prose, fences and what is thought aloud
    (`<think>`) are passed over. An object that is no JSON is handed over as the text it is.
    """

    def __init__(self) -> None:
        self._text = ""
        self._at = 0
        self._open: list[str] = []
        self._start: int | None = None
        self._start_depth = 0
        self._is_lost = False
        self._in_string = False
        self._thinks = False

    def feed(self, piece: str) -> list[object]:
        """Take the next piece of text, and return the suggestions that end in it."""
        self._text += piece
        found = list(self._scan())
        self._forget()
        return found

    def _scan(self) -> Iterator[object]:
        while (mark := _MARK.search(self._text, self._at)) is not None:
            sign = mark.group()
            if sign == "\\" and self._in_string:
                if mark.end() == len(self._text):
                    self._at = mark.start()
                    return
                self._at = mark.end() + 1
                continue
            if sign == "{" and not self._open and not self._thinks:
                if (following := _FOLLOWING.search(self._text, mark.end())) is None:
                    self._at = mark.start()
                    return
                if following.group() not in '"}':
                    # A brace in prose opens no object.
                    self._at = mark.end()
                    continue
            self._at = mark.end()
            if sign == '"':
                # A quotation mark in prose opens no string.
                self._in_string = bool(self._open) and not self._in_string
            elif not self._in_string:
                yield from self._structure(sign, mark.start())
        half = None if self._in_string else _HALF_A_MARK.search(self._text, self._at)
        self._at = half.start() if half else len(self._text)

    def _structure(self, sign: str, place: int) -> Iterator[object]:
        if sign in ("<think>", "</think>"):
            # Some servers send the end of a thought alone: all before it was thought, too.
            self._thinks = sign == "<think>"
            self._reset()
        elif self._thinks:
            return
        elif sign in "[{":
            if sign == "{" and self._start is None and (not self._open or self._open[-1] == "["):
                self._start, self._start_depth, self._is_lost = place, len(self._open), False
            elif sign == "[" and len(self._open) == self._start_depth + 1 and self._wraps(place):
                self._start = None
            self._open.append(sign)
            if len(self._open) > DEEPEST:
                self._reset()
        elif sign in "]}" and self._open and self._open[-1] == _OPENS[sign]:
            self._open.pop()
            if sign == "}" and self._start is not None and len(self._open) == self._start_depth:
                if not self._is_lost and place - self._start < LONGEST:
                    yield from _suggestions(self._text[self._start : place + 1])
                self._start = None

    def _wraps(self, place: int) -> bool:
        """Whether the object now open is only the wrapper whose list begins here."""
        return (
            self._start is not None
            and not self._is_lost
            and bool(re.fullmatch(rf'\{{\s*"{LIST}"\s*:\s*', self._text[self._start : place]))
        )

    def _reset(self) -> None:
        self._open.clear()
        self._start, self._in_string = None, False

    def _forget(self) -> None:
        """Drop the text that no open object needs."""
        self._is_lost = self._is_lost or (self._start is not None and self._at - self._start >= LONGEST)
        keep = self._at if self._start is None or self._is_lost else self._start
        if len(self._text) - self._at > LONGEST:
            keep = self._at = len(self._text)
        self._text, self._at = self._text[keep:], self._at - keep
        if self._start is not None:
            self._start = 0


def _suggestions(text: str) -> Iterator[object]:
    try:
        value = json.loads(text)
    except ValueError:
        yield text
        return
    inside = value.get(LIST)
    if isinstance(inside, list):
        yield from inside
    else:
        yield value
