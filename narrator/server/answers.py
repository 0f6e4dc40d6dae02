"""Responses: JSON with a status, and streams of events that end when the server does."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import Response, StreamingResponse
from fastapi.sse import format_sse_event

from narrator import vtt
from narrator.errors import NarratorError, RequestError, TryAgainError
from narrator.rules.json_text import Json
from narrator.rules.model import Model

HEARTBEAT_SECONDS = 15.0
"""After so many seconds without events, a stream sends a comment. This reveals clients that are gone."""

_STATUS = {"stale_scene": 409, "internal_error": 500, "no_words": 503}


class HttpError(Exception):
    """An error with its own HTTP status."""

    def __init__(self, status: int, error: NarratorError, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, error)
        self.status, self.error, self.headers = status, error, headers


def not_allowed(message: str, status: int = 403, field: str = "") -> HttpError:
    """Refuse a client."""
    return HttpError(status, RequestError("not_allowed", field, message))


def too_busy(message: str, status: int = 503, seconds: int = 1) -> HttpError:
    """Refuse for now, with the number of seconds to wait."""
    return HttpError(status, TryAgainError("too_busy", "", message), {"Retry-After": str(seconds)})


def answered(answer: Json, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Answer with an object."""
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, headers, media_type="application/json")


def refused(error: Exception, payload: Any = None) -> Response:
    """Answer with the error object and the payload's id. The status is 400 if the request is wrong."""
    if isinstance(error, HttpError):
        return answered(vtt.marked(payload, error.error.as_json()), error.status, error.headers)
    told = _refusal(error)
    status = _STATUS.get(told.code, 503 if isinstance(told, TryAgainError) else 400)
    return answered(vtt.marked(payload, told.as_json()), status)


def _refusal(error: Exception) -> NarratorError:
    """Make the error to send. It names a file without its folder, which players need not know."""
    told = vtt.refusal(error)
    return type(told)(told.code, Path(told.field).name, told.message) if Path(told.field).is_absolute() else told


class Making(NamedTuple):
    """A call that is ready to be made."""

    answer: Callable[[], Awaitable[Model]]
    """Makes the call."""
    events: Callable[[], AsyncGenerator[Any, None]] | None = None
    """Makes the call and gives its events. None: it has only an answer."""
    ends: asyncio.Event | None = None
    """Ends the events once it is set. None: they run to their own end."""


def wants_events(request: Request) -> bool:
    """Whether the client wants a stream of events."""
    return "text/event-stream" in request.headers.get("accept", "")


async def made(request: Request, payload: Json, making: Making) -> Response:
    """Make a call and answer with JSON or events, as the client wants. Errors before the first event have a status."""
    if making.events is None or not wants_events(request):
        return answered(vtt.marked(payload, (await making.answer()).as_json()))
    events = making.events()
    first = await anext(events)

    def written(event: Model) -> bytes:
        told = event.as_json()
        return event_text(told["event"], vtt.marked(payload, told))

    async def pieces() -> AsyncGenerator[bytes, None]:
        async with aclosing(events):
            yield written(first)
            async for event in events:
                yield written(event)

    return event_stream(pieces(), making.ends or asyncio.Event(), payload)


def event_text(name: str, told: Json, number: int | None = None) -> bytes:
    """Write an event for a stream."""
    return format_sse_event(data_str=json.dumps(told), event=name, id=None if number is None else str(number))


def event_stream(pieces: AsyncGenerator[bytes, None], ends: asyncio.Event, payload: Any = None) -> Response:
    """Answer with events until they or all streams end. An error becomes the last event."""

    async def written() -> AsyncIterator[bytes]:
        try:
            async with aclosing(_until(pieces, ends)) as told:
                async for piece in told:
                    yield piece
        except Exception as error:
            yield event_text("error", vtt.marked(payload, _refusal(error).as_json()))

    return StreamingResponse(written(), media_type="text/event-stream")


async def _until(pieces: AsyncGenerator[bytes, None], ends: asyncio.Event) -> AsyncGenerator[bytes, None]:
    """Pass the pieces on, with a comment whenever none came for a while."""
    over, pending = asyncio.ensure_future(ends.wait()), asyncio.ensure_future(anext(pieces))
    try:
        while not over.done():
            await asyncio.wait({over, pending}, timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if pending.done():
                try:
                    piece = pending.result()
                except StopAsyncIteration:
                    return
                pending = asyncio.ensure_future(anext(pieces))
                yield piece
            elif not over.done():
                yield format_sse_event(comment="")
    finally:
        over.cancel()
        pending.cancel()
        await asyncio.gather(pending, return_exceptions=True)
        await pieces.aclose()
