"""Reads a streamed chat completion (server-sent events) out of bytes, without trusting a single one of them."""

import json
from collections.abc import Iterator
from typing import Any

from narrator.suggestions.source import SourceError, Tokens

LONGEST_LINE = 1_000_000
"""Bytes of one event, or of an answer that is not streamed."""


def broken_off() -> SourceError:
    """
    The connection ended before the answer did.
    """
    return SourceError("the connection broke off", again=True)


def _unreadable() -> SourceError:
    return SourceError("the answer was not what was asked for", again=True)


class Completion:
    """
    One answer as it comes in.
    """

    def __init__(self, *, streamed: bool = True) -> None:
        self._streamed = streamed
        self._rest = bytearray()
        self._finished = False
        self._seen = False

    def feed(self, data: bytes) -> Iterator[str | Tokens]:
        """
        Take the next bytes, and give the text that they complete.

        Raises:
            SourceError: For a refusal, a filter, an answer cut off, an error told in the stream.
        """
        self._rest += data
        if len(self._rest) > LONGEST_LINE:
            raise _unreadable()
        if not self._streamed or b"\n" not in data:
            return
        *lines, self._rest = self._rest.split(b"\n")
        for line in lines:
            yield from self._line(line)

    def end(self) -> Iterator[str | Tokens]:
        """
        Take note that there are no more bytes.

        Raises:
            SourceError: When the answer was not whole.
        """
        yield from self._event(self._rest) if not self._streamed else self._line(self._rest)
        if not self._finished:
            raise broken_off() if self._seen else _unreadable()

    def _line(self, line: bytearray) -> Iterator[str | Tokens]:
        field, _, value = line.strip().partition(b":")
        if field != b"data":
            return
        if value.strip() == b"[DONE]":
            self._finished = True
        else:
            yield from self._event(value)

    def _event(self, text: bytearray) -> Iterator[str | Tokens]:
        try:
            event = json.loads(text.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return
        if not isinstance(event, dict):
            return
        if event.get("error"):
            raise SourceError("the server told of an error")
        if isinstance(event.get("usage"), dict):
            yield _tokens(event["usage"])
        choices = event.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict):
                yield from self._choice(choice)

    def _choice(self, choice: dict[str, Any]) -> Iterator[str]:
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, dict):
            self._seen = True
            if said.get("refusal"):
                raise SourceError("the model refused to answer")
            if isinstance(said.get("content"), str):
                yield said["content"]
        match choice.get("finish_reason"):
            case None:
                pass
            case "length":
                raise SourceError("the answer was cut off", again=True)
            case "content_filter":
                raise SourceError("the answer was withheld by a content filter")
            case _:
                self._finished = True


def _tokens(usage: dict[str, Any]) -> Tokens:
    def count(of: object, name: str) -> int:
        value = of.get(name) if isinstance(of, dict) else None
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0

    return Tokens(
        input=count(usage, "prompt_tokens"),
        cached=count(usage.get("prompt_tokens_details"), "cached_tokens"),
        output=count(usage, "completion_tokens"),
    )
