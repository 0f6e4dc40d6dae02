"""Reads an answer of either endpoint, streamed or whole, from untrusted bytes."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from narrator.suggestions.source.protocol import SourceError, Tokens

LONGEST_LINE = 1_000_000
"""The most bytes of one event, or of an answer that is not streamed."""

LONGEST_ANSWER = 20_000_000
"""The most bytes of an answer, with thoughts and all wrapping."""

BEFORE_ALL = b"\xef\xbb\xbf \t\r\n"
"""A byte order mark and blanks, which may come before an answer."""

BUSY = frozenset((408, 409, 429))
"""The statuses of a server that may answer later, as well as all from 500."""

What: TypeAlias = Literal["broken_off", "unreadable", "refused", "cut_off", "withheld", "at_fault"]
"""What may go wrong with an answer."""

_REASONS: dict[What, str] = {
    "broken_off": "the connection broke off",
    "unreadable": "the server's answer could not be read",
    "refused": "the model refused to answer",
    "cut_off": "the answer was cut off",
    "withheld": "a content filter withheld the answer",
    "at_fault": "the server reported an error",
}


def failure(what: What) -> SourceError:
    """Return the error to raise. An unreadable or incomplete answer may be asked for again."""
    return SourceError(_REASONS[what], again=what in ("broken_off", "unreadable", "cut_off"))


def lasts(status: object) -> bool:
    """Whether this HTTP status means that later requests would fail as well."""
    return isinstance(status, int) and 300 <= status < 500 and status not in BUSY


class Reader(ABC):
    """Reads an answer as it comes: server-sent events, or one JSON object if the server does not stream.

    Each endpoint has a subclass that knows its events. A failure in the model (a refusal, a filter, an answer cut off)
    is raised at the end, after the usage.
    """

    def __init__(self) -> None:
        self._rest = bytearray()
        self._read = 0
        self._is_streamed: bool | None = None
        self._has_ended = False
        # Set by the endpoint's subclass:
        self._seen = False
        self._is_done = False
        self._usage: Tokens | None = None
        self._failure: SourceError | None = None

    @property
    def is_over(self) -> bool:
        """Whether the model is done. Only the usage and the end of the stream may follow."""
        return self._is_done or self._has_ended

    def feed(self, data: bytes) -> Iterator[str | Tokens]:
        """Read the next bytes, and give the text that they complete. Too many bytes raise an error."""
        self._read += len(data)
        self._rest += data
        if self._is_streamed is None:
            self._rest = self._rest.lstrip(BEFORE_ALL)
            if self._rest:
                # No line of an event stream begins with a brace. The header is often wrong.
                self._is_streamed = not self._rest.startswith(b"{")
        if self._is_streamed and b"\n" in data:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                yield from self._line(line)
        if len(self._rest) > LONGEST_LINE:
            raise failure("unreadable")
        if self._read > LONGEST_ANSWER:
            raise SourceError("the answer was too long")

    def end(self) -> Iterator[str | Tokens]:
        """End the answer: give the usage, and raise the failure if there is one."""
        yield from self._line(self._rest) if self._is_streamed else self._json(self._rest)
        yield from self.used()
        if self._failure is not None:
            raise self._failure
        if not self.is_over:
            raise failure("broken_off") if self._seen else failure("unreadable")

    def used(self) -> Iterator[Tokens]:
        """Give the latest usage. Some servers report it in every event, as a total."""
        if self._usage is not None:
            yield self._usage
            self._usage = None

    @abstractmethod
    def _event(self, event: dict[str, Any]) -> Iterator[str]:
        """Give the text of an event or of a whole answer, and note its other contents."""

    def _note_usage(self, told: object, sent: str, written: str) -> None:
        """Note the usage, if there is any. `sent` and `written` are the endpoint's names for the token counts."""
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
            # JSON allows an escaped half of a character, which is no valid text.
            yield words if words.isascii() else words.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


class Completion(Reader):
    """Reads an answer of `/chat/completions`. Only its first choice counts."""

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
            # Some servers send a list of parts here.
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
    """Reads an answer of `/responses`. Thoughts have other events. An event that ends a part repeats its text."""

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
    """Return a field of an object. None if it has no such field, or is not an object."""
    return value.get(name) if isinstance(value, dict) else None


def each(value: object) -> list[Any]:
    """Return a list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def texts(parts: object, kind: str) -> Iterator[str]:
    """Give the text of the parts of one kind. Other parts are thoughts, refusals or pictures."""
    for part in each(parts):
        text = inside(part, "text")
        if inside(part, "type") == kind and isinstance(text, str):
            yield text
