"""All routes, and the state that they share while the server runs."""

import asyncio

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import Response

from narrator.campaign.campaign import Campaign
from narrator.errors import NarratorError, RequestError
from narrator.rules.model import Given
from narrator.server import calls, campaigns, page
from narrator.server.access import SESSION_SECONDS, Access, TooManyTriesError
from narrator.server.answers import HttpError, answered, not_allowed, refused, too_busy
from narrator.server.guard import body_of, cookie_of, session_of
from narrator.server.openapi import described
from narrator.server.watch import Watch
from narrator.suggestions.time.threads import aside_in_turn

routes = APIRouter()

_MOST_BYTES = 1_000
"""Limit for a body that anybody may send."""


class Entering(Given):
    """What a browser sends to get a session."""

    code: str
    """The code: the GM's, which is valid once, or the players'."""


def routes_of(served: Campaign | None, access: Access, port: int) -> FastAPI:
    """Make the routes.

    Args:
        served: The campaign that players see, or None.
    """
    app = FastAPI(title="narrator", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False)
    app.state.served, app.state.access, app.state.port = served, access, port
    app.state.watch, app.state.ends = Watch(), asyncio.Event()
    for each in (calls.routes, campaigns.routes, page.routes, routes):
        app.include_router(each)
    for error in (NarratorError, HttpError, Exception):
        app.add_exception_handler(error, _refused)
    app.add_exception_handler(404, _no_address)
    app.add_exception_handler(405, _no_method)
    return app


@routes.get("/healthz")
async def healthz() -> Response:
    return answered({"status": "ok"})


@routes.get("/openapi.json")
async def openapi() -> Response:
    is_made = described.cache_info().currsize
    return Response(described() if is_made else await aside_in_turn(described), media_type="application/json")


@routes.post("/v1/session")
async def enter(request: Request) -> Response:
    app = request.app.state
    try:
        code = Entering.read(await body_of(request, _MOST_BYTES)).code
        entered = app.access.enter(code, request.client.host if request.client else "")
    except TooManyTriesError:
        raise too_busy("too many codes came from your address: wait a minute", 429, 60) from None
    if entered is None:
        raise not_allowed("this code is wrong or already used: check it, or ask for a new one", field="code")
    session, role = entered
    response = answered({"role": role})
    response.set_cookie(cookie_of(app.port), session, SESSION_SECONDS, httponly=True, samesite="strict")
    return response


@routes.delete("/v1/session")
async def leave(request: Request) -> Response:
    app = request.app.state
    app.access.leave(session_of(request, app.port))
    response = answered({})
    response.delete_cookie(cookie_of(app.port), httponly=True, samesite="strict")
    return response


async def _refused(_: Request, error: Exception) -> Response:
    return refused(error)


async def _no_address(_: Request, __: Exception) -> Response:
    message = "there is nothing at this address; /openapi.json lists all addresses"
    return refused(HttpError(404, RequestError("bad_request", "", message)))


async def _no_method(_: Request, __: Exception) -> Response:
    return refused(HttpError(405, RequestError("bad_request", "", "this address does not accept that method")))
