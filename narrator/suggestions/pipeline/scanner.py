"""Reads the answer of a source: finds JSON objects in unfinished text, and ignores all other text."""

import json
import re
from collections.abc import Iterator

from narrator.suggestions.pipeline.answer import Usage
from narrator.suggestions.source.protocol import Piece, Tokens

MOST_TEXT = 400_000
"""Characters read of one answer: more than any useful one has."""

MOST_SUGGESTIONS = 60
"""Suggestions judged of one answer, or of prepared ones. A request can ask for at most ten for each slot."""

LONGEST = 20_000
"""Characters of one object. A longer one is dropped."""

DEEPEST = 32
"""Levels of nested brackets that are read."""

_MARK = re.compile(r'[][{}"\\]|</?think>')
_HALF_A_MARK = re.compile(r"</?(?:t(?:h(?:i(?:n(?:k)?)?)?)?)?$")
_FOLLOWING = re.compile(r"\S")
_WRAPPER = re.compile(r'\{\s*"suggestions"\s*:\s*')
_OPENS = {"]": "[", "}": "{"}


class Scanner:
    """Reads text piece by piece, and gives each suggestion as soon as its object closes.

    A suggestion is an object in a list, or an object alone. Prose, code fences and thoughts (`<think>`) are ignored. An
    object that is not valid JSON is given as text.
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
        """Read the next piece of text, and return the suggestions that it completes."""
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
            # Some servers send only the end mark of a thought: all text before it was a thought.
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
        """Whether the open object is only the wrapper of the list that begins here."""
        if self._start is None or self._is_lost:
            return False
        return _WRAPPER.fullmatch(self._text, self._start, place) is not None

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


class AnswerReader:
    """Reads an answer, and counts its characters, its judged suggestions, its requests and its tokens."""

    def __init__(self) -> None:
        self.judged = 0
        self.requests = 1
        """How many requests were sent for the answer."""
        self.usage = Usage()
        """The tokens of the answer."""
        self._scanner = Scanner()
        self._length = 0

    @property
    def had_enough(self) -> bool:
        """Whether the answer is too long to read on."""
        return self._length > MOST_TEXT or self.judged >= MOST_SUGGESTIONS

    def feed(self, piece: Piece) -> list[object]:
        """Read a piece of the source's text, and give the suggestions that it completes."""
        if isinstance(piece, Tokens):
            self.requests = max(self.requests, piece.requests)
            self.usage = Usage(input_tokens=piece.input, cached_tokens=piece.cached, output_tokens=piece.output)
            return []
        self._length += len(piece)
        return self._scanner.feed(piece)


def _suggestions(text: str) -> list[object]:
    try:
        value = json.loads(text)
    except ValueError:
        return [text]
    inside = value.get("suggestions")
    return inside if isinstance(inside, list) else [value]
