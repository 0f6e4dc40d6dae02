"""Any OpenAI-compatible server as a source of words, by the openai SDK, streaming."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from functools import cached_property
from typing import Any

import httpx2
import openai

from narrator.sources.completion import Completion, broken_off
from narrator.sources.settings import Settings
from narrator.suggestions.source import Brief, SourceError, Tokens

SECOND_TRY = 0.5
"""Seconds before a server that is busy or at fault is tried once more, where it names no time itself."""

OUR_HEADERS = frozenset(
    ("accept", "accept-encoding", "authorization", "connection", "content-length", "content-type", "host", "user-agent")
)
"""What a server that is not OpenAI gets to see: no organisation, project or header meant for somebody else."""

NO_KEY = "none"
"""What the SDK is handed where there is no key: it wants one, servers that need none ignore it."""


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
        end, is_retry = time.monotonic() + seconds, False
        while True:
            try:
                yield from self._call(brief, end - time.monotonic())
            except openai.APIError as error:
                time.sleep(self._wait(error, end - time.monotonic(), is_retry))
                is_retry = True
            else:
                return

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        """
        The same, without blocking.
        """
        end, is_retry = time.monotonic() + seconds, False
        while True:
            try:
                async for piece in self._acall(brief, end - time.monotonic()):
                    yield piece
            except openai.APIError as error:
                await asyncio.sleep(self._wait(error, end - time.monotonic(), is_retry))
                is_retry = True
            else:
                return

    def _call(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        call = self._client.chat.completions.with_streaming_response.create(**self._arguments(brief, seconds))
        with call as response:
            completion = _completion(response.headers)
            try:
                for data in response.iter_bytes():
                    yield from completion.feed(data)
            except httpx2.TransportError:
                raise broken_off() from None
            yield from completion.end()

    async def _acall(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        # A pool of connections belongs to one event loop, so this client lives for one call.
        async with openai.AsyncOpenAI(
            **self._identity, http_client=httpx2.AsyncClient(**self._http(_astrip))
        ) as client:
            call = client.chat.completions.with_streaming_response.create(**self._arguments(brief, seconds))
            async with call as response:
                completion = _completion(response.headers)
                try:
                    async for data in response.iter_bytes():
                        for piece in completion.feed(data):
                            yield piece
                except httpx2.TransportError:
                    raise broken_off() from None
                for piece in completion.end():
                    yield piece

    @cached_property
    def _client(self) -> openai.OpenAI:
        return openai.OpenAI(**self._identity, http_client=httpx2.Client(**self._http(_strip)))

    @property
    def _identity(self) -> dict[str, Any]:
        return {"api_key": self._settings.api_key or NO_KEY, "base_url": self._settings.base_url, "max_retries": 0}

    def _http(self, strip: object) -> dict[str, Any]:
        settings = self._settings
        return {
            "trust_env": not settings.is_loopback,
            "follow_redirects": False,
            "verify": settings.base_url.startswith("https:"),
            "event_hooks": {} if settings.is_openai else {"request": [strip]},
        }

    def _arguments(self, brief: Brief, seconds: float) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self._settings.model,
            "messages": [{"role": role, "content": content} for role, content in brief.messages],
            "stream": True,
            "timeout": max(seconds, 0.001),
        }
        if self._takes_schema:
            schema = {"name": "suggestions", "strict": True, "schema": brief.schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
            arguments["stream_options"] = {"include_usage": True}
        return arguments

    def _wait(self, error: openai.APIError, left: float, is_retry: bool) -> float:
        """
        Return the seconds to wait before the next try.

        Raises:
            SourceError: Where another try makes no sense, or there is no time for it.
        """
        if isinstance(error, openai.BadRequestError) and self._takes_schema:
            self._takes_schema = False
            return 0.0
        if isinstance(error, openai.APIStatusError) and (error.status_code == 429 or error.status_code >= 500):
            wait = _retry_after(error.response.headers)
            if not is_retry and wait < left / 2:
                return wait
        raise SourceError(self._what_happened(error)) from None

    def _what_happened(self, error: openai.APIError) -> str:
        if isinstance(error, openai.APITimeoutError):
            return "no answer in time"
        if isinstance(error, openai.APIStatusError):
            why = _STATUS.get(
                error.status_code, "the server is at fault" if error.status_code >= 500 else "it was refused"
            )
            return f"{why} (HTTP {error.status_code})"
        if isinstance(error, openai.APIConnectionError):
            return f"nobody answers at {self._settings.host}"
        return "the server told of an error"


_STATUS = {
    401: "the key is missing or was not taken",
    403: "the key does not allow this",
    404: "there is no such model or address",
    429: "too many requests, or the quota is used up",
}


def _completion(headers: httpx2.Headers) -> Completion:
    return Completion(streamed="application/json" not in headers.get("content-type", ""))


def _retry_after(headers: httpx2.Headers) -> float:
    try:
        return max(0.0, float(headers.get("retry-after", SECOND_TRY)))
    except ValueError:
        return SECOND_TRY


def _strip(request: httpx2.Request) -> None:
    for name in set(request.headers) - OUR_HEADERS:
        del request.headers[name]


async def _astrip(request: httpx2.Request) -> None:
    _strip(request)
