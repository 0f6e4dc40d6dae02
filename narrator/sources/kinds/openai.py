"""Any OpenAI-compatible server as a source of words, by the openai SDK, streaming."""

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
"""Seconds for which a server is asked by less, where it refused more: the schema may not have been what it minded."""


class OpenAICompatible:
    """A model behind an OpenAI-compatible address.

    The SDK is imported, and a client built, when first needed. Each event loop has one client, which is kept until the
    loop ends or `close` lets go of it.
    """

    def __init__(self, settings: Settings) -> None:
        if not settings.model:
            raise RequestError("bad_request", "model", "a model has to be named")
        self._settings = settings
        self.label = f"openai:{settings.model}"
        self.host = settings.host
        self.manner = settings.manner
        self.gives_away = settings.is_given_away
        # OpenAI lists no lengths among what it takes of a schema.
        self._dialect = self._first = Dialect(holds="shape" if settings.is_openai else "lengths")
        self._forgets_at = inf
        self._has_answered = False
        self._open: Callable[[], openai.AsyncOpenAI] | None = None
        self._clients: dict[Any, _Held] = {}

    def close(self) -> None:
        """Let go of the connections, each on its own loop."""
        self._clients.clear()

    async def ready(self) -> None:
        """Do what comes before the first request of this loop, and send nothing."""
        await self._client()

    async def astream(self, brief: Prompt, seconds: float) -> AsyncGenerator[Piece, None]:
        """Ask, and give the text as it comes. The time is the driver's to hold; a server that is busy is not waited for
        where that would take half of it.

        Raises:
            NarratorError: `bad_request` where the environment says what the SDK cannot do.
        """
        if monotonic() > self._forgets_at:
            self._dialect, self._forgets_at = replace(self._dialect, holds=self._first.holds), inf
        tries = Tries(monotonic() + seconds, self.host, self._dialect, is_kept=self._has_answered)
        client = await self._client()
        import httpx2

        async with AsyncExitStack() as stack:
            while (response := await _answered(client, self._settings.model, brief, tries, stack)) is None:
                # Told before it is sent: who is cancelled then has sent it.
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
                    # What is there already is read without a pause, in however many pieces it was sent.
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

            # From here on nothing waits: two calls at once would make two clients, and close one in use.
            loop = current_token().native_token
            if loop not in self._clients:
                held = http_client.holding(self._open(), self._settings)
                self._clients[loop] = await anext(held), held
        except (ImportError, OSError, ValueError) as error:
            raise _no_way(error) from None
        for other, (kept, _) in list(self._clients.items()):
            # It was closed with its loop, which it would keep; or its loop was, and did not close it.
            if kept.is_closed() or getattr(other, "is_closed", lambda: False)():
                self._clients.pop(other, None)
        return self._clients[loop][0]

    def _opener(self) -> "Callable[[], openai.AsyncOpenAI]":
        from narrator.sources import http_client

        return self._open or http_client.opener(self._settings)


source = OpenAICompatible


def _no_way(error: Exception) -> NarratorError:
    """What a variable says may be a password, and is not repeated."""
    where = "a variable for proxies, for certificates or of OPENAI_..."
    return RequestError("bad_request", "", f"{where} is set to what nobody can be asked with ({type(error).__name__})")


async def _answered(
    client: "openai.AsyncOpenAI", model: str, brief: Prompt, tries: Tries, stack: AsyncExitStack
) -> "openai.AsyncAPIResponse[Any] | None":
    """Ask; None where it makes sense to ask once more, from now on."""
    import openai

    try:
        return await stack.enter_async_context(tries.dialect.call(client, model, brief))
    except openai.APIError as error:
        before = tries.dialect
        await anyio.sleep(tries.wait(error))
        if tries.dialect.endpoint != before.endpoint:
            # The SDK imports what it needs for it when it is first touched.
            await aside(lambda: client.responses.with_streaming_response)
        return None
    except UnicodeError as error:
        # The SDK reads headers in the environment each time.
        raise _no_way(error) from None


async def _before(end: float, chunks: AsyncGenerator[bytes, None]) -> bytes | None:
    # The scope alone ends nothing that does not wait.
    if anyio.current_time() < end:
        with anyio.CancelScope(deadline=end):
            return await anext(chunks, None)
    return None
