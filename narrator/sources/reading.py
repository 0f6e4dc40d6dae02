"""Reads an answer, streamed or whole, out of the bytes of a server, without trusting a single one of them."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from narrator.suggestions.source import SourceError, Tokens

LONGEST_LINE = 1_000_000
"""Bytes of one event, or of an answer that is not streamed."""

LONGEST_ANSWER = 20_000_000
"""Bytes of an answer with all that is wrapped around each word of it, thoughts too."""

BEFORE_ALL = b"\xef\xbb\xbf \t\r\n"
"""A byte order mark and blanks: what may come before an answer, and is none."""


def broken_off() -> SourceError:
    """The connection ended before the answer did."""
    return SourceError("the connection broke off", again=True)


def unreadable() -> SourceError:
    """Something came that is no answer."""
    return SourceError("the answer was not what was asked for", again=True)


def refused() -> SourceError:
    """The model said no."""
    return SourceError("the model refused to answer")


def cut_off() -> SourceError:
    """The model had no room for its answer."""
    return SourceError("the answer was cut off", again=True)


def withheld() -> SourceError:
    """Something between the model and us did not like the answer."""
    return SourceError("the answer was withheld by a content filter")


def at_fault() -> SourceError:
    """The server answered with an error."""
    return SourceError("the server told of an error")


class Reader(ABC):
    """One answer as it comes in: server-sent events, or a JSON object from a server that does not stream.

    What an event means is told by the endpoint's own reader. What went wrong in the model (a refusal, a filter, an
    answer cut off) is told at the end, after the usage.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._read = 0
        self._is_streamed: bool | None = None
        self._has_ended = False
        # What the endpoint's own reader finds:
        self._seen = False
        self._is_done = False
        self._usage: Tokens | None = None
        self._failure: SourceError | None = None

    @property
    def is_over(self) -> bool:
        """Whether the model is done; all that may still come is the usage, and the end of the stream."""
        return self._is_done or self._has_ended

    def feed(self, data: bytes) -> Iterator[str | Tokens]:
        """Take the next bytes, and give the text that they complete.

        Raises:
            SourceError: For an error told in the stream, and for more than any answer has.
        """
        self._read += len(data)
        self._rest += data
        if self._is_streamed is None:
            self._rest = self._rest.lstrip(BEFORE_ALL)
            if self._rest:
                # No line of an event stream begins with a brace. What the header says is often wrong.
                self._is_streamed = not self._rest.startswith(b"{")
        if not self._is_streamed or b"\n" not in data:
            lines: list[bytearray] = []
        else:
            *lines, self._rest = self._rest.split(b"\n")
        for line in lines:
            yield from self._line(line)
        if len(self._rest) > LONGEST_LINE:
            raise unreadable()
        if self._read > LONGEST_ANSWER:
            raise SourceError("the answer had no end")

    def end(self) -> Iterator[str | Tokens]:
        """Take note that there are no more bytes: tell the usage, and what went wrong.

        Raises:
            SourceError: When the answer was not whole, was refused or was withheld.
        """
        yield from self._line(self._rest) if self._is_streamed else self._json(self._rest)
        yield from self.used()
        if self._failure is not None:
            raise self._failure
        if not self.is_over:
            raise broken_off() if self._seen else unreadable()

    def used(self) -> Iterator[Tokens]:
        """Tell the usage, as it was told last: some servers tell it in every event, as a sum."""
        if self._usage is not None:
            yield self._usage
            self._usage = None

    @abstractmethod
    def _event(self, event: dict[str, Any]) -> Iterator[str]:
        """Give the text of an event, or of the whole, and note what else it says."""

    def _line(self, line: bytearray) -> Iterator[str]:
        field, _, value = line.partition(b":")
        if field != b"data" or self._has_ended:
            return
        if value.strip() == b"[DONE]":
            self._has_ended = True
        else:
            yield from self._json(value)

    def _json(self, text: bytearray) -> Iterator[str]:
        try:
            event = json.loads(text.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        if event.get("error"):
            raise at_fault()
        for words in self._event(event):
            # Half a character, escaped, is text to JSON alone.
            yield words if words.isascii() else words.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def inside(value: object, name: str) -> object:
    """Return what an object has under a name, None where it has nothing or is no object."""
    return value.get(name) if isinstance(value, dict) else None


def each(value: object) -> list[Any]:
    """Return a list, and of anything else an empty one."""
    return value if isinstance(value, list) else []


def texts(parts: object, kind: str) -> Iterator[str]:
    """Give the text of those parts of a content that are of a kind: others are thoughts, refusals or pictures."""
    for part in each(parts):
        text = inside(part, "text")
        if inside(part, "type") == kind and isinstance(text, str):
            yield text
