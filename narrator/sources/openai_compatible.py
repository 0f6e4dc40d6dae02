"""Any OpenAI-compatible server as a source of words, by the openai SDK, streaming."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from socket import SHUT_RDWR, socket
from ssl import SSLContext
from threading import Timer
from typing import Any

import httpx2
import openai

from narrator.sources.clients import AsyncClient, Client, encryption
from narrator.sources.completion import Completion, broken_off, unreadable
from narrator.sources.settings import Settings
from narrator.suggestions.brief import Brief
from narrator.suggestions.source import SourceError, Tokens

SECOND_TRY = 0.5
"""Seconds before a server that is busy or at fault is tried once more, where it names no time itself."""

LAST_WORDS = 0.5
"""Seconds that a server has to tell the usage and to end, once the model is done."""

NO_KEY = "none"
"""What the SDK is handed where there is no key: it wants one. It is not sent."""

SCHEMA_REFUSED = frozenset((400, 422, 501))
"""How servers refuse a schema, or any other field that they do not know."""


class OpenAICompatible:
    """
    A model behind an OpenAI-compatible address.

    The client is built when first needed and kept; `close` lets go of its connections.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._takes_schema = True

    @property
    def label(self) -> str:
        """
        The model, as suggestions name it.
        """
        return f"openai:{self._settings.model}"

    def close(self) -> None:
        """
        Let go of the connections.
        """
        if "_client" in self.__dict__:
            self._client.close()

    def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        """
        Ask, and give the text as it comes.

        Raises:
            SourceError: When there is no answer, or it stops short.
        """
        tries = _Tries(seconds, self._settings.host, with_schema=self._takes_schema)
        while True:
            try:
                yield from self._call(brief, tries)
            except openai.APIError as error:
                time.sleep(tries.wait(error))
            else:
                return

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        """
        The same, without blocking.
        """
        tries = _Tries(seconds, self._settings.host, with_schema=self._takes_schema)
        while True:
            try:
                async for piece in self._acall(brief, tries):
                    yield piece
            except openai.APIError as error:
                await asyncio.sleep(tries.wait(error))
            else:
                return

    def _call(self, brief: Brief, tries: "_Tries") -> Iterator[str | Tokens]:
        call = self._client.chat.completions.with_streaming_response.create(**self._arguments(brief, tries))
        with call as response:
            self._takes_schema = tries.with_schema
            completion, hang_up = Completion(), None
            _check_encoding(response.headers)
            try:
                for data in response.iter_bytes():
                    yield from completion.feed(data)
                    tries.check_time()
                    if completion.is_over and hang_up is None:
                        hang_up = Timer(LAST_WORDS, _shut, (response.http_response,))
                        hang_up.daemon = True
                        hang_up.start()
            except (httpx2.HTTPError, httpx2.StreamError) as error:
                yield from completion.used()
                if not completion.is_over:
                    raise tries.broken(error) from None
            finally:
                if hang_up is not None:
                    hang_up.cancel()
            yield from completion.end()

    async def _acall(self, brief: Brief, tries: "_Tries") -> AsyncGenerator[str | Tokens, None]:
        # A pool of connections belongs to one event loop, so this client lives for one call.
        async with openai.AsyncOpenAI(
            **self._identity, http_client=AsyncClient(self._settings, verify=self._encryption)
        ) as client:
            call = client.chat.completions.with_streaming_response.create(**self._arguments(brief, tries))
            async with call as response:
                self._takes_schema = tries.with_schema
                completion, end = Completion(), tries.end
                _check_encoding(response.headers)
                chunks = response.iter_bytes()
                try:
                    while (data := await _before(end, chunks)) is not None:
                        for piece in completion.feed(data):
                            yield piece
                        tries.check_time()
                        if completion.is_over and end == tries.end:
                            end = min(end, time.monotonic() + LAST_WORDS)
                except (httpx2.HTTPError, httpx2.StreamError, TimeoutError) as error:
                    for piece in completion.used():
                        yield piece
                    if not completion.is_over:
                        raise tries.broken(error) from None
                for piece in completion.end():
                    yield piece

    @cached_property
    def _client(self) -> openai.OpenAI:
        http_client = Client(self._settings, verify=self._encryption)
        return openai.OpenAI(**self._identity, http_client=http_client)

    @cached_property
    def _encryption(self) -> SSLContext | bool:
        return encryption(self._settings)

    @property
    def _identity(self) -> dict[str, Any]:
        return {"api_key": self._settings.api_key or NO_KEY, "base_url": self._settings.base_url, "max_retries": 0}

    def _arguments(self, brief: Brief, tries: "_Tries") -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [{"role": role, "content": content} for role, content in brief.messages],
            "stream": True,
            "timeout": max(tries.left, 0.001),
        }
        if tries.with_schema:
            schema = {"name": "suggestions", "strict": True, "schema": brief.schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
            arguments["stream_options"] = {"include_usage": True}
        return arguments


class _Tries:
    """
    The tries of one call: how long they may take together, and whether one more makes sense.

    There is one more for a server that is busy or at fault, and one more, without it, for a schema refused.
    A server that does not answer is named by the host that the user has told.
    """

    def __init__(self, seconds: float, host: str, *, with_schema: bool) -> None:
        self.end = time.monotonic() + seconds
        self._host = host
        self.with_schema = with_schema
        self._is_second = False

    @property
    def left(self) -> float:
        return self.end - time.monotonic()

    def check_time(self) -> None:
        """
        Raises:
            SourceError: When the time is up. A server that drips holds no single read up.
        """
        if self.left <= 0:
            raise self._too_late()

    def wait(self, error: openai.APIError) -> float:
        """
        Return the seconds to wait before the next try.

        Raises:
            SourceError: Where another try makes no sense, or there is no time for it.
        """
        if isinstance(error, openai.APIStatusError):
            if error.status_code in SCHEMA_REFUSED and self.with_schema:
                self.with_schema = False
                return 0.0
            if error.status_code in (408, 409, 429) or error.status_code >= 500:
                seconds = _retry_after(error.response.headers)
                if not self._is_second and seconds < self.left / 2:
                    self._is_second = True
                    return seconds
        raise self._what_happened(error) from None

    def broken(self, error: Exception) -> SourceError:
        """
        Say how an answer broke off.
        """
        return self._too_late() if isinstance(error, httpx2.TimeoutException | TimeoutError) else broken_off()

    def _what_happened(self, error: openai.APIError) -> SourceError:
        if isinstance(error, openai.APIStatusError):
            return _refused(error.status_code)
        if isinstance(error, openai.APITimeoutError):
            return self._too_late()
        if isinstance(error, openai.APIConnectionError):
            is_nobody = isinstance(error.__cause__, httpx2.ConnectError | httpx2.UnsupportedProtocol)
            return SourceError(f"nobody answers at {self._host}") if is_nobody else broken_off()
        return SourceError("the server told of an error")

    def _too_late(self) -> SourceError:
        return SourceError(f"no whole answer in time from {self._host}")


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


def _check_encoding(headers: httpx2.Headers) -> None:
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise unreadable()


def _retry_after(headers: httpx2.Headers) -> float:
    """
    Read the seconds to wait, which a server may also tell as milliseconds or as a date.
    """
    with suppress(ValueError):
        return max(0.0, float(headers["retry-after-ms"]) / 1000) if "retry-after-ms" in headers else _seconds(headers)
    return SECOND_TRY


def _seconds(headers: httpx2.Headers) -> float:
    told = headers.get("retry-after", str(SECOND_TRY))
    try:
        return max(0.0, float(told))
    except ValueError:
        date = parsedate_to_datetime(told)
        return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


async def _before(end: float, chunks: Any) -> bytes | None:
    async with asyncio.timeout(max(0.0, end - time.monotonic())):
        data: bytes | None = await anext(chunks, None)
        return data


def _shut(response: httpx2.Response) -> None:
    """
    Break off a connection on which nothing comes any more, so that the thread that reads there wakes up.
    """
    stream = response.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream is not None else None
    if isinstance(connection, socket):
        with suppress(OSError):
            # Not the method of an encrypted socket, which does away with what the reading thread is using.
            socket.shutdown(connection, SHUT_RDWR)
