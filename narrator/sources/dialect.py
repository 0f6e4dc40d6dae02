"""The dialect of a server: which schema and which endpoint it takes, what it refused before, and when to try again."""

from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from narrator.sources.response import BUSY, Completion, Reader, Response, failure, lasts
from narrator.suggestions.prompt.brief import Prompt
from narrator.suggestions.source.protocol import SourceError

if TYPE_CHECKING:
    import httpx2
    import openai

    Call = AbstractAsyncContextManager[openai.AsyncAPIResponse[Any]]

Endpoint: TypeAlias = Literal["chat", "responses"]
Holds: TypeAlias = Literal["lengths", "shape", "nothing"]
"""What a server is held to: a schema with lengths, one without, or none."""

LESS: dict[Holds, Holds] = {"lengths": "shape", "shape": "nothing"}
"""What a server is held to where it refused more."""

STEADY = 0.5
"""The temperature for a small model, which at the usual one rambles until it is cut off."""

SECOND_TRY = 0.5
"""Seconds before a server that is busy or at fault is tried once more, where it names no time itself."""

SCHEMA_REFUSED = frozenset((400, 422, 501))
"""How servers refuse a schema, or any other field that they do not know."""

NO_ENDPOINT = frozenset((404, 405))
"""How servers refuse an endpoint that they do not have, or a model."""

_STATUS = {
    401: "the key is missing or was not taken",
    403: "the key does not allow this",
    404: "there is no such model or address",
    429: "too many requests, or the quota is used up",
}


@dataclass(frozen=True)
class Dialect:
    """How a server wants to be asked, as far as it was found out."""

    holds: Holds = "lengths"
    endpoint: Endpoint = "chat"

    def reader(self) -> Reader:
        """Make what reads an answer."""
        return Response() if self.endpoint == "responses" else Completion()

    def call(self, client: "openai.AsyncOpenAI", model: str, brief: Prompt) -> "Call":
        """Make the call that asks, with its body as extra: of that, the SDK does not walk through all of a schema."""
        messages = [{"role": role, "content": content} for role, content in brief.messages]
        shape = brief.schema_with_lengths if self.holds == "lengths" else brief.schema
        schema = {"type": "json_schema", "name": "suggestions", "strict": True, "schema": shape}
        body: dict[str, Any] = {}
        if self.holds == "lengths" and brief.manner == "one_by_one":
            body["temperature"] = STEADY
        if self.endpoint == "responses":
            body |= {"input": messages, "store": False}
            if self.holds != "nothing":
                body["text"] = {"format": schema}
            responses = client.responses.with_streaming_response
            return responses.create(model=model, input="", stream=True, timeout=None, extra_body=body)
        body["messages"] = messages
        if self.holds != "nothing":
            body["response_format"] = {"type": schema.pop("type"), "json_schema": schema}
            body["stream_options"] = {"include_usage": True}
        chat = client.chat.completions.with_streaming_response
        return chat.create(model=model, messages=(), stream=True, timeout=None, extra_body=body)


@dataclass
class Tries:
    """The tries of one call: how long they may take together, and whether one more makes sense.

    There is one more for a connection that was kept and is closed, one for a server that is busy or at fault, two for
    a schema refused, without its lengths and without it, and one for a server that may have the other endpoint alone.
    A server that does not answer is named by the host that the user has told.
    """

    end: float
    """When the time is up, by `monotonic`."""
    host: str
    dialect: Dialect
    is_kept: bool
    """Whether the connection may be one kept from before, which the server may have closed just now."""
    number: int = 1
    """Of the try that is made, or is to be made next."""
    has_waited: bool = False
    has_turned: bool = False

    def wait(self, error: "openai.APIError") -> float:
        """Return the seconds to wait before the next try; raise what happened where none makes sense in time."""
        import httpx2
        import openai

        self.number += 1
        broken = httpx2.ReadError | httpx2.WriteError | httpx2.RemoteProtocolError
        if self.is_kept and isinstance(error.__cause__, broken):
            self.is_kept = False
            return 0.0
        if isinstance(error, openai.APIStatusError):
            if error.status_code in SCHEMA_REFUSED and (less := LESS.get(self.dialect.holds)) is not None:
                self.dialect = replace(self.dialect, holds=less)
                return 0.0
            if error.status_code in NO_ENDPOINT and not self.has_turned:
                self.has_turned = True
                other: Endpoint = "chat" if self.dialect.endpoint == "responses" else "responses"
                self.dialect = replace(self.dialect, endpoint=other)
                return 0.0
            if error.status_code in BUSY or error.status_code >= 500:
                seconds = _retry_after(error.response.headers)
                if not self.has_waited and seconds < (self.end - monotonic()) / 2:
                    self.has_waited = True
                    return seconds
        raise self._what_happened(error) from None

    def _what_happened(self, error: "openai.APIError") -> SourceError:
        import httpx2
        import openai

        if isinstance(error, openai.APIStatusError):
            status = error.status_code
            usual = "the server is at fault" if status >= 500 else "it was refused"
            away = "it points to another address, which was not followed"
            reason = away if 300 <= status < 400 else _STATUS.get(status, usual)
            return SourceError(f"{reason} (HTTP {status})", lasts=lasts(status))
        if isinstance(error, openai.APIConnectionError):
            is_nobody = isinstance(error.__cause__, httpx2.ConnectError | httpx2.UnsupportedProtocol)
            return SourceError(f"nobody answers at {self.host}") if is_nobody else failure("broken_off")
        return failure("at_fault")


def _retry_after(headers: "httpx2.Headers") -> float:
    """Read the seconds to wait; what tells none, in any script and of any length, is passed over."""
    with suppress(ValueError):
        return max(0.0, float(headers.get("retry-after", SECOND_TRY)))
    return SECOND_TRY
