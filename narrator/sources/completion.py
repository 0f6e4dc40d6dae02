"""Reads a chat completion, streamed or whole, out of bytes, without trusting a single one of them."""

import json
from collections.abc import Iterator
from typing import Any

from narrator.suggestions.source import SourceError, Tokens

LONGEST_LINE = 1_000_000
"""Bytes of one event, or of an answer that is not streamed."""

LONGEST_ANSWER = 20_000_000
"""Bytes of an answer with all that is wrapped around each word of it, thoughts too."""


def broken_off() -> SourceError:
    """
    The connection ended before the answer did.
    """
    return SourceError("the connection broke off", again=True)


def unreadable() -> SourceError:
    """
    Something came that is no completion.
    """
    return SourceError("the answer was not what was asked for", again=True)


class Completion:
    """
    One answer as it comes in: server-sent events, or a JSON object from a server that does not stream.

    What went wrong in the model (a refusal, a filter, an answer cut off) is told at the end, after the usage.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._read = 0
        self._is_streamed: bool | None = None
        self._seen = False
        self._usage: Tokens | None = None
        self._failure: SourceError | None = None
        self._has_text = False
        self._has_ended = False

    @property
    def is_over(self) -> bool:
        """
        Whether the model is done; all that may still come is the usage, and the end of the stream.
        """
        return self._has_text or self._has_ended

    def feed(self, data: bytes) -> Iterator[str | Tokens]:
        """
        Take the next bytes, and give the text that they complete.

        Raises:
            SourceError: For an error told in the stream, and for more than any answer has.
        """
        self._read += len(data)
        self._rest += data
        if self._is_streamed is None and (start := self._rest.lstrip(b"\xef\xbb\xbf \t\r\n")):
            # No line of an event stream begins with a brace. What the header says is often wrong.
            self._is_streamed = not start.startswith(b"{")
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
        """
        Take note that there are no more bytes: tell the usage, and what went wrong.

        Raises:
            SourceError: When the answer was not whole, was refused or was withheld.
        """
        yield from self._line(self._rest) if self._is_streamed else self._event(self._rest)
        yield from self.used()
        if self._failure is not None:
            raise self._failure
        if not self.is_over:
            raise broken_off() if self._seen else unreadable()

    def used(self) -> Iterator[Tokens]:
        """
        Tell the usage, as it was told last: some servers tell it in every event, as a sum.
        """
        if self._usage is not None:
            yield self._usage
            self._usage = None

    def _line(self, line: bytearray) -> Iterator[str]:
        field, _, value = line.strip().partition(b":")
        if field != b"data" or self._has_ended:
            return
        if value.strip() == b"[DONE]":
            self._has_ended = True
        else:
            yield from self._event(value)

    def _event(self, text: bytearray) -> Iterator[str]:
        try:
            event = json.loads(text.decode("utf-8", "replace").lstrip("\ufeff"))
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        if event.get("error"):
            raise SourceError("the server told of an error")
        if isinstance(event.get("usage"), dict):
            self._usage = _tokens(event["usage"])
        choices = event.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict) and choice.get("index") in (None, 0):
                yield from self._choice(choice)

    def _choice(self, choice: dict[str, Any]) -> Iterator[str]:
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, dict):
            self._seen = True
            if said.get("refusal"):
                self._failure = SourceError("the model refused to answer")
            yield from _texts(said.get("content"))
        match choice.get("finish_reason"):
            case None:
                return
            case "length":
                self._failure = SourceError("the answer was cut off", again=True)
            case "content_filter":
                self._failure = SourceError("the answer was withheld by a content filter")
        self._has_text = True


def _texts(content: object) -> Iterator[str]:
    """
    The words of a content: text, or (from some servers) a list of parts, of which the thoughts are left out.
    """
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("text"), str):
                yield part["text"]


def _tokens(usage: dict[str, Any]) -> Tokens:
    def count(of: object, name: str) -> int:
        value = of.get(name) if isinstance(of, dict) else None
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0

    return Tokens(
        input=count(usage, "prompt_tokens"),
        cached=count(usage.get("prompt_tokens_details"), "cached_tokens"),
        output=count(usage, "completion_tokens"),
    )
