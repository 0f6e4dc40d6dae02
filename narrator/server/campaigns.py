"""Campaigns over HTTP: reading one according to the client's role, and its entries as events."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from functools import partial

from fastapi import APIRouter, Request
from fastapi.responses import Response

from narrator.campaign import folder
from narrator.campaign.campaign import Campaign
from narrator.campaign.database import Database
from narrator.errors import RequestError
from narrator.rules.json_text import Json
from narrator.rules.model import Count, Given
from narrator.server.answers import (
    HEARTBEAT_SECONDS,
    HttpError,
    Making,
    answered,
    event_stream,
    event_text,
    made,
    refused,
    wants_events,
)
from narrator.server.calls import payload_in
from narrator.server.campaign_calls import CAMPAIGN_CALLS, StreamingCall
from narrator.server.guard import body_of
from narrator.suggestions.time.threads import aside

routes = APIRouter(prefix="/v1/campaigns")


class EntriesQuery(Given):
    """The entries to read."""

    after: Count = 0
    """The number of the last entry that you know."""
    limit: Count = 100
    """The largest number of entries. A stream has no limit."""


@routes.get("")
async def campaigns(request: Request) -> Response:
    served = request.app.state.served
    names = {*await aside(partial(folder.names, os.environ)), *([served.file.stem] if served else [])}
    return answered({"campaigns": sorted(names), "served": served.file.stem if served else None})


@routes.get("/{name}")
async def everything(request: Request, name: str) -> Response:
    return answered(await _seen(request, name))


@routes.get("/{name}/scene")
async def scene(request: Request, name: str) -> Response:
    return answered((await _seen(request, name))["scene"])


@routes.get("/{name}/pages")
async def pages(request: Request, name: str) -> Response:
    return answered({"pages": (await _seen(request, name))["pages"]})


@routes.get("/{name}/entries")
async def entries(request: Request, name: str) -> Response:
    campaign = await _opened(request, name)
    asked = EntriesQuery.read({key: _number(key, value) for key, value in request.query_params.items()})
    if not wants_events(request):
        seen = partial(campaign.seen_entries, request.state.role, asked.after, asked.limit)
        return answered({"entries": await aside(seen)})
    last = request.headers.get("last-event-id")
    after = asked.after if last is None else EntriesQuery.read({"after": _number("last-event-id", last)}).after
    return event_stream(_written(request, campaign, after), request.app.state.ends)


async def _written(request: Request, campaign: Campaign, last: int) -> AsyncGenerator[bytes, None]:
    """Write new entries in order, each once."""
    async with request.app.state.watch.of(campaign) as next_change:
        while request.state.stays():  # until the session ends, or who it is for leaves
            changed = next_change()
            while found := await aside(partial(campaign.seen_entries, request.state.role, last)):
                if not request.state.stays():  # it may have ended while they were read
                    return
                for each in found:
                    yield event_text("entry", each, each["seq"])
                last = found[-1]["seq"]
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await changed.wait()


def _answering(call: str) -> Callable[[Request, str], Awaitable[Response]]:
    async def answer(request: Request, name: str) -> Response:
        campaign, payload = await _opened(request, name), payload_in(await body_of(request), call)
        try:
            read = CAMPAIGN_CALLS[call].read(payload)
            events = partial(read.events, campaign) if isinstance(read, StreamingCall) else None
            ends = request.app.state.ends if call == "stage" else None
            return await made(request, payload, Making(partial(read.ask, campaign), events, ends))
        except Exception as error:
            return refused(error, payload)

    return answer


for _call in CAMPAIGN_CALLS:
    routes.post(f"/{{name}}/{_call}")(_answering(_call))


async def _opened(request: Request, name: str) -> Campaign:
    """Open an existing campaign by its name. Players may open only the served one."""
    served: Campaign | None = request.app.state.served
    if served is not None and name == served.file.stem:
        return served
    if request.state.role != "gm" or name not in await aside(partial(folder.names, os.environ)):
        raise HttpError(404, RequestError("bad_request", "", "there is no campaign of this name"))
    return await aside(lambda: Campaign(Database(folder.file_of(name, os.environ))))


async def _seen(request: Request, name: str) -> Json:
    campaign = await _opened(request, name)
    return await aside(partial(campaign.seen_by, request.state.role))


def _number(field: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise RequestError("bad_request", field, "this must be a whole number")
    return int(text)
