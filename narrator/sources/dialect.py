"""The dialect of a server: which schema and endpoint it accepts, what it refused before, and when to try again."""

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
"""How strictly an answer is bound: to a schema with lengths, to one without, or to none."""

LESS: dict[Holds, Holds] = {"lengths": "shape", "shape": "nothing"}
"""What to try after a refusal."""

STEADY = 0.5
"""The temperature for a small model. At the usual one it rambles until it is cut off."""

SECOND_TRY = 0.5
"""Seconds before the second try if a server is busy or at fault, unless it names a time."""

SCHEMA_REFUSED = frozenset((400, 422, 501))
"""The statuses with which servers refuse a schema, or another unknown field."""

NO_ENDPOINT = frozenset((404, 405))
"""The statuses for an endpoint or a model that a server does not have."""

_STATUS = {
    401: "the key is missing or was not accepted",
    403: "the key does not allow this",
    404: "there is no such model or address",
    429: "too many requests, or the quota is used up",
}


@dataclass(frozen=True)
class Dialect:
    """How to ask a server, as far as is known."""

    holds: Holds = "lengths"
    endpoint: Endpoint = "chat"

    def reader(self) -> Reader:
        """Make a reader for an answer."""
        return Response() if self.endpoint == "responses" else Completion()

    def call(self, client: "openai.AsyncOpenAI", model: str, brief: Prompt) -> "Call":
        """Make the call. Its body is passed as extra, so that the SDK does not walk through the whole schema."""
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
    """The tries of one call: how long they may take together, and whether another one makes sense.

    These cases get another try: a kept connection was closed (one), the server is busy or at fault (one), it refused
    the schema (two, without lengths and without a schema), or it may have only the other endpoint (one). Errors name
    the host that the user gave.
    """

    end: float
    """When the time is up, as `monotonic` counts."""
    host: str
    dialect: Dialect
    is_kept: bool
    """Whether the connection may be an old one, which the server may have closed."""
    number: int = 1
    """The number of this try, or of the next one."""
    has_waited: bool = False
    has_turned: bool = False

    def wait(self, error: "openai.APIError") -> float:
        """Return the seconds to wait before the next try. Raise the error if no try makes sense in time."""
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
            usual = "the server is at fault" if status >= 500 else "the server refused the request"
            away = "the server redirects to another address, which narrator does not follow"
            reason = away if 300 <= status < 400 else _STATUS.get(status, usual)
            return SourceError(f"{reason} (HTTP {status})", lasts=lasts(status))
        if isinstance(error, openai.APIConnectionError):
            is_nobody = isinstance(error.__cause__, httpx2.ConnectError | httpx2.UnsupportedProtocol)
            return SourceError(f"nobody answers at {self.host}") if is_nobody else failure("broken_off")
        return failure("at_fault")


def _retry_after(headers: "httpx2.Headers") -> float:
    """Read the seconds to wait. An invalid header is ignored."""
    with suppress(ValueError):
        return max(0.0, float(headers.get("retry-after", SECOND_TRY)))
    return SECOND_TRY
