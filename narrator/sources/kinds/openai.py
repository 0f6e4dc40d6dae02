"""Any OpenAI-compatible server, asked by the openai SDK, streaming."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace
from itertools import chain
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

import anyio
from anyio.lowlevel import current_token

from narrator.errors import NarratorError, RequestError
from narrator.sources.dialect import Dialect, Tries
from narrator.sources.response import failure
from narrator.sources.settings import Settings
from narrator.suggestions.prompt.brief import Prompt
from narrator.suggestions.source.protocol import LAST_WORDS, Piece, Tokens
from narrator.suggestions.time.threads import Breath, aside, aside_in_turn

if TYPE_CHECKING:
    import openai

    _Held = tuple[openai.AsyncOpenAI, AsyncGenerator[openai.AsyncOpenAI, None]]

REMEMBERED = 600.0
"""Seconds before a full schema is tried again after a refusal, which may have had another reason."""


class OpenAICompatible:
    """A model behind an OpenAI-compatible address.

    The SDK is imported, and a client made, on first use. Each event loop keeps one client until the loop ends or
    `close` is called.
    """

    def __init__(self, settings: Settings) -> None:
        if not settings.model:
            raise RequestError("bad_request", "model", "no model is named")
        self._settings = settings
        self.label = f"openai:{settings.model}"
        self.host = settings.host
        self.manner = settings.manner
        self.gives_away = settings.is_given_away
        # OpenAI accepts no lengths in a schema.
        self._dialect = self._first = Dialect(holds="shape" if settings.is_openai else "lengths")
        self._forgets_at = inf
        self._has_answered = False
        self._open: Callable[[], openai.AsyncOpenAI] | None = None
        self._clients: dict[Any, _Held] = {}

    def close(self) -> None:
        """Close the connections, each on its own loop."""
        self._clients.clear()

    async def ready(self) -> None:
        """Prepare for the first request of this loop, without sending anything."""
        await self._client()

    async def astream(self, brief: Prompt, seconds: float) -> AsyncGenerator[Piece, None]:
        """Ask, and give the text as it comes. The driver limits the time. A busy server is waited for only if that
        takes less than half of the time left.

        Raises:
            NarratorError: `bad_request` if the SDK can't use the environment's settings.
        """
        if monotonic() > self._forgets_at:
            self._dialect, self._forgets_at = replace(self._dialect, holds=self._first.holds), inf
        tries = Tries(monotonic() + seconds, self.host, self._dialect, is_kept=self._has_answered)
        client = await self._client()
        import httpx2

        async with AsyncExitStack() as stack:
            while (response := await _answered(client, self._settings.model, brief, tries, stack)) is None:
                # Counted before it is sent, so that a cancelled request counts as well.
                yield Tokens(requests=tries.number)
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise failure("unreadable")
            if tries.dialect.holds != self._dialect.holds:
                self._forgets_at = monotonic() + REMEMBERED
            self._dialect, self._has_answered = tries.dialect, True
            reader, end, breath = tries.dialect.reader(), inf, Breath()
            chunks = await stack.enter_async_context(aclosing(response.http_response.aiter_raw()))
            try:
                while (data := await _before(end, chunks)) is not None:
                    for piece in chain(reader.feed(data), reader.used()):
                        yield piece
                    # Data that has arrived is read without waiting, so others need a turn.
                    await breath.take()
                    if reader.is_over:
                        end = min(end, anyio.current_time() + LAST_WORDS)
            except (httpx2.HTTPError, httpx2.StreamError):
                if not reader.is_over:
                    raise failure("broken_off") from None
            for piece in reader.end():
                yield piece

    async def _client(self) -> "openai.AsyncOpenAI":
        try:
            if self._open is None:
                self._open = await aside_in_turn(self._opener)
            from narrator.sources import http_client

            # No awaiting from here on: two calls at once would make two clients, and close one in use.
            loop = current_token().native_token
            if loop not in self._clients:
                held = http_client.holding(self._open(), self._settings)
                self._clients[loop] = await anext(held), held
        except (ImportError, OSError, ValueError) as error:
            raise _no_way(error) from None
        for other, (kept, _) in list(self._clients.items()):
            # The client or its loop is closed. Keeping the client would keep the loop in memory.
            if kept.is_closed() or getattr(other, "is_closed", lambda: False)():
                self._clients.pop(other, None)
        return self._clients[loop][0]

    def _opener(self) -> "Callable[[], openai.AsyncOpenAI]":
        from narrator.sources import http_client

        return self._open or http_client.opener(self._settings)


source = OpenAICompatible


def _no_way(error: Exception) -> NarratorError:
    """Make the error. It does not repeat a variable's value, which may be a password."""
    where = "an environment variable for proxies, certificates or OpenAI (OPENAI_...)"
    return RequestError("bad_request", "", f"{where} has an unusable value ({type(error).__name__})")


async def _answered(
    client: "openai.AsyncOpenAI", model: str, brief: Prompt, tries: Tries, stack: AsyncExitStack
) -> "openai.AsyncAPIResponse[Any] | None":
    """Ask the server. None: ask again now."""
    import openai

    try:
        return await stack.enter_async_context(tries.dialect.call(client, model, brief))
    except openai.APIError as error:
        before = tries.dialect
        await anyio.sleep(tries.wait(error))
        if tries.dialect.endpoint != before.endpoint:
            # The first access makes the SDK import this part.
            await aside(lambda: client.responses.with_streaming_response)
        return None
    except UnicodeError as error:
        # The SDK reads headers from the environment each time.
        raise _no_way(error) from None


async def _before(end: float, chunks: AsyncGenerator[bytes, None]) -> bytes | None:
    # The scope alone does not end work that never waits.
    if anyio.current_time() < end:
        with anyio.CancelScope(deadline=end):
            return await anext(chunks, None)
    return None
