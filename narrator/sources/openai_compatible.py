"""Any OpenAI-compatible server as a source of words, by the openai SDK, streaming."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import chain
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import anyio
from anyio.lowlevel import checkpoint, current_token

from narrator.errors import NarratorError
from narrator.sources.completion import Completion
from narrator.sources.reading import Reader, at_fault, broken_off, unreadable
from narrator.sources.responses import Response
from narrator.sources.settings import Settings
from narrator.suggestions.aside import aside, aside_in_turn
from narrator.suggestions.brief import Brief
from narrator.suggestions.source import Piece, SourceError

if TYPE_CHECKING:
    import httpx2
    import openai

    _Held = tuple[openai.AsyncOpenAI, AsyncGenerator[openai.AsyncOpenAI, None]]
    _Call = AbstractAsyncContextManager[openai.AsyncAPIResponse[Any]]

SECOND_TRY = 0.5
"""Seconds before a server that is busy or at fault is tried once more, where it names no time itself."""

LAST_WORDS = 0.5
"""Seconds that a server has to tell the usage and to end, once the model is done."""

_TURN = 0.005
"""Seconds of reading before others on the loop, and the clock, have their turn."""

SCHEMA_REFUSED = frozenset((400, 422, 501))
"""How servers refuse a schema, or any other field that they do not know."""

NO_ENDPOINT = frozenset((404, 405))
"""How servers refuse an endpoint that they do not have, or a model."""

_Endpoint: TypeAlias = Literal["chat", "responses"]


class OpenAICompatible:
    """
    A model behind an OpenAI-compatible address.

    The SDK is imported, and a client built, when first needed. Each event loop has one client, which is kept until the
    loop ends or `close` lets go of it.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._manner = _Manner()
        self._has_answered = False
        self._open: Callable[[], openai.AsyncOpenAI] | None = None
        self._clients: dict[Any, _Held] = {}

    @property
    def label(self) -> str:
        """
        The model, as suggestions name it.
        """
        return f"openai:{self._settings.model}"

    @property
    def host(self) -> str:
        """
        The server, as the user has told it.
        """
        return self._settings.host

    def gives_away(self, text: str) -> bool:
        """
        Whether a text tells the key.
        """
        return self._settings.is_given_away(text)

    def close(self) -> None:
        """
        Let go of the connections, each on its own loop.
        """
        self._clients.clear()

    async def ready(self) -> None:
        """
        Do what comes before the first request of this loop, and send nothing.

        Raises:
            NarratorError: As `astream`.
        """
        await self._client()

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[Piece, None]:
        """
        Ask, and give the text as it comes. The time is the driver's to hold; a server that is busy is not waited for
        where that would take half of it.

        Raises:
            SourceError: When there is no answer, or it stops short.
            NarratorError: `bad_request` where the environment says what the SDK cannot do.
        """
        tries = _Tries(monotonic() + seconds, self.host, self._manner, is_kept=self._has_answered)
        client = await self._client()
        import httpx2

        async with AsyncExitStack() as stack:
            response = await _answered(client, self._settings.model, brief, tries, stack)
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise unreadable()
            self._manner, self._has_answered = tries.manner, True
            reader, end, turn = tries.manner.reader(), inf, monotonic() + _TURN
            chunks = await stack.enter_async_context(aclosing(response.http_response.aiter_raw()))
            try:
                while (data := await _before(end, chunks)) is not None:
                    for piece in chain(reader.feed(data), reader.used()):
                        yield piece
                    if monotonic() > turn:
                        # What is there already is read without a pause, in however many pieces it was sent.
                        await checkpoint()
                        turn = monotonic() + _TURN
                    if reader.is_over:
                        end = min(end, anyio.current_time() + LAST_WORDS)
            except (httpx2.HTTPError, httpx2.StreamError):
                if not reader.is_over:
                    raise broken_off() from None
            for piece in reader.end():
                yield piece

    async def _client(self) -> "openai.AsyncOpenAI":
        loop = current_token().native_token
        if loop not in self._clients:
            try:
                if self._open is None:
                    self._open = await aside_in_turn(self._opener)
                client = self._open()
            except (ImportError, OSError, ValueError) as error:
                raise _no_way(error) from None
            from narrator.sources import clients

            for other, (kept, _) in list(self._clients.items()):
                if kept.is_closed():  # with its loop, which it would keep
                    self._clients.pop(other, None)
            held = clients.holding(client, self._settings)
            self._clients[loop] = await anext(held), held
        return self._clients[loop][0]

    def _opener(self) -> "Callable[[], openai.AsyncOpenAI]":
        from narrator.sources import clients

        return self._open or clients.opener(self._settings)


@dataclass(frozen=True)
class _Manner:
    """
    How a server wants to be asked, as far as it was found out.
    """

    takes_schema: bool = True
    endpoint: _Endpoint = "chat"

    def reader(self) -> Reader:
        """
        Make what reads an answer.
        """
        return Response() if self.endpoint == "responses" else Completion()

    def call(self, client: "openai.AsyncOpenAI", model: str, brief: Brief) -> "_Call":
        """
        Make the call that asks. What is handed to the SDK as extra is sent as it is, in the place of what it requires;
        it would walk through all of a schema otherwise.
        """
        messages = [{"role": role, "content": content} for role, content in brief.messages]
        schema = {"type": "json_schema", "name": "suggestions", "strict": True, "schema": brief.schema}
        body: dict[str, Any]
        if self.endpoint == "responses":
            body = {"input": messages, "store": False}
            if self.takes_schema:
                body["text"] = {"format": schema}
            responses = client.responses.with_streaming_response
            return responses.create(model=model, input="", stream=True, timeout=None, extra_body=body)
        body = {"messages": messages}
        if self.takes_schema:
            body["response_format"] = {"type": schema.pop("type"), "json_schema": schema}
            body["stream_options"] = {"include_usage": True}
        chat = client.chat.completions.with_streaming_response
        return chat.create(model=model, messages=(), stream=True, timeout=None, extra_body=body)


class _Tries:
    """
    The tries of one call: how long they may take together, and whether one more makes sense.

    There is one more for a connection that was kept and is closed, one for a server that is busy or at fault, one,
    without it, for a schema refused, and one for a server that may have the other endpoint alone. A server that does
    not answer is named by the host that the user has told.
    """

    def __init__(self, end: float, host: str, manner: _Manner, *, is_kept: bool) -> None:
        """
        Args:
            end: When the time is up, by `monotonic`.

            is_kept: Whether the connection may be one kept from before, which the server may have closed just now.
        """
        self._end = end
        self._host = host
        self._has_waited = False
        self._has_turned = False
        self._is_kept = is_kept
        self.manner = manner

    def wait(self, error: "openai.APIError") -> float:
        """
        Return the seconds to wait before the next try.

        Raises:
            SourceError: Where another try makes no sense, or there is no time for it.
        """
        import httpx2
        import openai

        if (
            isinstance(error.__cause__, httpx2.ReadError | httpx2.WriteError | httpx2.RemoteProtocolError)
            and self._is_kept
        ):
            self._is_kept = False
            return 0.0
        if isinstance(error, openai.APIStatusError):
            if error.status_code in SCHEMA_REFUSED and self.manner.takes_schema:
                self.manner = replace(self.manner, takes_schema=False)
                return 0.0
            if error.status_code in NO_ENDPOINT and not self._has_turned:
                self._has_turned = True
                other: _Endpoint = "chat" if self.manner.endpoint == "responses" else "responses"
                self.manner = replace(self.manner, endpoint=other)
                return 0.0
            if error.status_code in (408, 409, 429) or error.status_code >= 500:
                seconds = _retry_after(error.response.headers)
                if not self._has_waited and seconds < (self._end - monotonic()) / 2:
                    self._has_waited = True
                    return seconds
        raise self._what_happened(error) from None

    def _what_happened(self, error: "openai.APIError") -> SourceError:
        import httpx2
        import openai

        if isinstance(error, openai.APIStatusError):
            return _refused(error.status_code)
        if isinstance(error, openai.APIConnectionError):
            is_nobody = isinstance(error.__cause__, httpx2.ConnectError | httpx2.UnsupportedProtocol)
            return SourceError(f"nobody answers at {self._host}") if is_nobody else broken_off()
        return at_fault()


_STATUS = {
    401: "the key is missing or was not taken",
    403: "the key does not allow this",
    404: "there is no such model or address",
    429: "too many requests, or the quota is used up",
}


def _refused(status: int) -> SourceError:
    if 300 <= status < 400:
        why = "it points to another address, which was not followed"
    else:
        why = _STATUS.get(status, "the server is at fault" if status >= 500 else "it was refused")
    return SourceError(f"{why} (HTTP {status})")


def _no_way(error: Exception) -> NarratorError:
    """
    What a variable says may be a password, and is not repeated.
    """
    where = "a variable for proxies, for certificates or of OPENAI_..."
    return NarratorError("bad_request", "", f"{where} is set to what nobody can be asked with ({type(error).__name__})")


async def _answered(
    client: "openai.AsyncOpenAI", model: str, brief: Brief, tries: _Tries, stack: AsyncExitStack
) -> "openai.AsyncAPIResponse[Any]":
    """
    Ask until there is an answer.
    """
    import openai

    while True:
        try:
            return await stack.enter_async_context(tries.manner.call(client, model, brief))
        except openai.APIError as error:
            before = tries.manner
            await anyio.sleep(tries.wait(error))
            if tries.manner.endpoint != before.endpoint:
                # The SDK imports what it needs for it when it is first touched.
                await aside(lambda: client.responses.with_streaming_response)
        except UnicodeError as error:
            # The SDK reads headers in the environment each time.
            raise _no_way(error) from None


async def _before(end: float, chunks: AsyncGenerator[bytes, None]) -> bytes | None:
    if end == inf:
        return await anext(chunks, None)
    # The scope alone ends nothing that does not wait.
    if anyio.current_time() < end:
        with anyio.CancelScope(deadline=end):
            return await anext(chunks, None)
    return None


def _retry_after(headers: "httpx2.Headers") -> float:
    """
    Read the seconds to wait, which a server may also tell as milliseconds or as a date.
    """
    # What tells no time, in any script and of any length, raises one of these.
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        return max(0.0, float(headers["retry-after-ms"]) / 1000) if "retry-after-ms" in headers else _seconds(headers)
    return SECOND_TRY


def _seconds(headers: "httpx2.Headers") -> float:
    told = headers.get("retry-after", str(SECOND_TRY))
    try:
        return max(0.0, float(told))
    except ValueError:
        date = parsedate_to_datetime(told)
        return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
