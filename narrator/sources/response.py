"""Reads an answer of either endpoint, streamed or whole, out of bytes of which it does not trust a single one."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from narrator.suggestions.source.protocol import SourceError, Tokens

LONGEST_LINE = 1_000_000
"""Bytes of one event, or of an answer that is not streamed."""

LONGEST_ANSWER = 20_000_000
"""Bytes of an answer with all that is wrapped around each word of it, thoughts too."""

BEFORE_ALL = b"\xef\xbb\xbf \t\r\n"
"""A byte order mark and blanks: what may come before an answer, and is none."""

BUSY = frozenset((408, 409, 429))
"""How servers say that they will answer later, beside all from 500."""

What: TypeAlias = Literal["broken_off", "unreadable", "refused", "cut_off", "withheld", "at_fault"]
"""What may go wrong with an answer."""

_REASONS: dict[What, str] = {
    "broken_off": "the connection broke off",
    "unreadable": "the answer was not what was asked for",
    "refused": "the model refused to answer",
    "cut_off": "the answer was cut off",
    "withheld": "the answer was withheld by a content filter",
    "at_fault": "the server told of an error",
}


def failure(what: What) -> SourceError:
    """Return what is raised for it. What came badly, or not to its end, may be asked for again."""
    return SourceError(_REASONS[what], again=what in ("broken_off", "unreadable", "cut_off"))


def lasts(status: object) -> bool:
    """Whether a server that answers with this HTTP status will not think better of it."""
    return isinstance(status, int) and 300 <= status < 500 and status not in BUSY


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
        """Take the next bytes, and give the text that they complete; more than any answer has is refused."""
        self._read += len(data)
        self._rest += data
        if self._is_streamed is None:
            self._rest = self._rest.lstrip(BEFORE_ALL)
            if self._rest:
                # No line of an event stream begins with a brace. What the header says is often wrong.
                self._is_streamed = not self._rest.startswith(b"{")
        if self._is_streamed and b"\n" in data:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                yield from self._line(line)
        if len(self._rest) > LONGEST_LINE:
            raise failure("unreadable")
        if self._read > LONGEST_ANSWER:
            raise SourceError("the answer had no end")

    def end(self) -> Iterator[str | Tokens]:
        """Take note that there are no more bytes: tell the usage, and raise what went wrong."""
        yield from self._line(self._rest) if self._is_streamed else self._json(self._rest)
        yield from self.used()
        if self._failure is not None:
            raise self._failure
        if not self.is_over:
            raise failure("broken_off") if self._seen else failure("unreadable")

    def used(self) -> Iterator[Tokens]:
        """Tell the usage, as it was told last: some servers tell it in every event, as a sum."""
        if self._usage is not None:
            yield self._usage
            self._usage = None

    @abstractmethod
    def _event(self, event: dict[str, Any]) -> Iterator[str]:
        """Give the text of an event, or of the whole, and note what else it says."""

    def _note_usage(self, told: object, sent: str, written: str) -> None:
        """Note the usage, where there is any, by what the endpoint calls what was sent and what was written."""
        if isinstance(usage := inside(told, "usage"), dict):
            cached = inside(usage.get(f"{sent}_details"), "cached_tokens")
            self._usage = Tokens.told(input=usage.get(sent), cached=cached, output=usage.get(written))

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
            raise failure("at_fault")
        for words in self._event(event):
            # Half a character, escaped, is text to JSON alone.
            yield words if words.isascii() else words.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


class Completion(Reader):
    """The answer of `/chat/completions`. Its first choice counts; there is no other unless it was asked for."""

    def _event(self, event: dict[str, Any]) -> Iterator[str]:
        self._note_usage(event, "prompt_tokens", "completion_tokens")
        for choice in each(event.get("choices")):
            if isinstance(choice, dict) and choice.get("index") in (None, 0):
                yield from self._choice(choice)

    def _choice(self, choice: dict[str, Any]) -> Iterator[str]:
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, dict):
            self._seen = True
            if said.get("refusal"):
                self._failure = failure("refused")
            content = said.get("content")
            # Some servers have a list of parts there.
            yield from (content,) if isinstance(content, str) else texts(content, "text")
        match choice.get("finish_reason"):
            case None | "":
                return
            case "length":
                self._failure = failure("cut_off")
            case "content_filter":
                self._failure = failure("withheld")
        self._is_done = True


class Response(Reader):
    """The answer of `/responses`. Thoughts have events of their own, and an event that ends a part repeats its text."""

    def _event(self, event: dict[str, Any]) -> Iterator[str]:
        kind = event.get("type")
        self._seen = self._seen or kind is not None
        match kind:
            case "response.output_text.delta":
                if isinstance(delta := event.get("delta"), str):
                    yield delta
            case "response.refusal.delta":
                self._failure = failure("refused")
            case "response.completed" | "response.incomplete" | "response.failed":
                self._close(kind.removeprefix("response."), event.get("response"))
            case "error":
                raise failure("at_fault")
            case None:
                yield from self._whole(event)

    def _whole(self, response: dict[str, Any]) -> Iterator[str]:
        self._seen = self._seen or "output" in response
        for item in each(response.get("output")):
            if inside(item, "type") == "message":
                content = inside(item, "content")
                yield from texts(content, "output_text")
                if any(inside(part, "type") == "refusal" for part in each(content)):
                    self._failure = failure("refused")
        self._close(response.get("status"), response)

    def _close(self, status: object, response: object) -> None:
        self._note_usage(response, "input_tokens", "output_tokens")
        match status:
            case "completed":
                pass
            case "incomplete":
                reason = inside(inside(response, "incomplete_details"), "reason")
                self._failure = failure("withheld") if reason == "content_filter" else failure("cut_off")
            case "failed":
                self._failure = failure("at_fault")
            case _:
                return
        self._is_done = True


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
