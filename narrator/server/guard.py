"""Guards the server: checks the origin, the sender and the load of each request, and logs it."""

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

from fastapi import Request
from fastapi.responses import RedirectResponse
from starlette.requests import ClientDisconnect

from narrator.campaign.players import Role
from narrator.errors import RequestError, TryAgainError
from narrator.rules.model import MOST_BYTES
from narrator.server.access import Access, Proof
from narrator.server.answers import HttpError, not_allowed, refused, too_busy, wants_events

Message = MutableMapping[str, Any]
App = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]

BODY_SECONDS = 10.0
"""Limit for receiving a whole body after its headers."""
MOST_CALLS = {"gm": 64, "players": 4}
"""Calls at once, by role. Players only read, and their phones must not block the GM."""
MOST_STREAMS = 200
"""Streams at once, for each role. They stay open for long, so they are not counted as calls."""
MOST_OF_SESSION = 20
"""Streams of one session, so that one phone does not take all places."""
STREAMS = ("/entries", "/suggest", "/stage", "/words")
"""The ends of addresses that can give a stream."""
WAITING_SECONDS = 5.0
"""Limit for waiting until a call can start."""

OPEN = {("GET", "/healthz"), ("GET", "/openapi.json"), ("POST", "/v1/session"), ("GET", "/enter")}
"""Addresses that need no token or session. `/static/` needs none either."""
PLAYERS = "/players"
"""The page of players."""

OURS = "x-narrator"
"""A header that forms and foreign pages cannot send without the server's permission."""

_READS = ("GET", "HEAD")
_METHODS = (*_READS, "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (b"referrer-policy", b"no-referrer"),
)

_log = logging.getLogger(__name__)


class ElsewhereError(Exception):
    """The client is redirected to another page."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class Guard:
    """Checks each request before it reaches the routes.

    Args:
        app: The routes.
        access: The token, codes and sessions.
        port: The server's port, which is part of its host names.
        lan: Whether the host may also be any IP address.
    """

    def __init__(self, app: App, access: Access, port: int, *, lan: bool) -> None:
        self._app, self._access, self._port, self._lan = app, access, port, lan
        self._names = {f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]")}
        self._open = Counter[str]()
        # Each role has its own places, so that players' phones cannot block the GM.
        self._places = {
            (role, is_stream): asyncio.Semaphore(MOST_STREAMS if is_stream else calls)
            for role, calls in MOST_CALLS.items()
            for is_stream in (False, True)
        }

    async def __call__(self, scope: Message, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        started, status = monotonic(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        try:
            await self._passed(scope, receive, sending)
        except ElsewhereError as there:
            await RedirectResponse(there.path, 303)(scope, receive, sending)
        except Exception as error:  # the routes have already answered, or never will
            if not status:
                await refused(error)(scope, receive, sending)
        finally:
            # Logs the route, because the path may contain a name.
            route = getattr(scope.get("route"), "path", "-")
            method = scope["method"] if scope["method"] in _METHODS else "-"
            _log.info("%s %s %s %.0f ms", method, route, status, (monotonic() - started) * 1_000)

    async def _passed(self, scope: Message, receive: Any, send: Any) -> None:
        request = Request(scope)
        _check_origin(request, self._is_ours(request.headers.get("host", "")))
        role = scope["state"]["role"] = self._role(request)
        if role is None:  # unknown clients take no places
            await self._app(scope, receive, send)
            return
        is_stream = wants_events(request) and scope["path"].endswith(STREAMS)
        session = session_of(request, self._port) if is_stream else ""
        if self._open[session] >= MOST_OF_SESSION:
            raise too_busy("too many pages are open in this browser: close some")
        self._open[session] += bool(session)
        try:
            async with self._place(role, is_stream=is_stream):
                await self._app(scope, receive, send)
        finally:
            self._open[session] -= bool(session)
            self._open += Counter()  # forgets sessions without streams

    @asynccontextmanager
    async def _place(self, role: Role, *, is_stream: bool) -> AsyncIterator[None]:
        """Hold one of the places for calls or streams. If none is free soon, raise `too_busy`."""
        places = self._places[role, is_stream]
        try:
            async with asyncio.timeout(0 if is_stream else WAITING_SECONDS):
                await places.acquire()
        except TimeoutError:
            raise too_busy("too many requests are running: try again in a moment") from None
        try:
            yield
        finally:
            places.release()

    def _is_ours(self, host: str) -> bool:
        """Whether a host is one of our names. Pages of other names that resolve to this machine are refused."""
        if host in self._names:
            return True
        name, _, port = host.rpartition(":")
        return self._lan and port == str(self._port) and _is_number(name.strip("[]"))

    def _role(self, request: Request) -> Role | None:
        """Find the client's role and refuse what it may not do. None if the address is open to anybody."""
        method, path = request.method, request.scope["path"]
        if (method, path) in OPEN or (method in _READS and path.startswith("/static/")):
            return None
        role, proof = self._known(request)
        is_page = method in _READS and "text/html" in request.headers.get("accept", "")
        if role is None and is_page:
            raise ElsewhereError("/enter")
        if role is None:
            message = "no valid token or session: a program sends its token as `Bearer`, a browser enters a code"
            raise not_allowed(message, 401)
        if proof == "session":
            _check_written_by_us(request)
        is_theirs = path == PLAYERS or path.startswith("/v1/campaigns/")
        if role == "players" and not (method in _READS and is_theirs) and path != "/v1/session":
            if is_page:
                raise ElsewhereError(PLAYERS)
            raise not_allowed("players may only read what players see; this needs the GM")
        request.state.stays = lambda: self._known(request)[0] == role
        return role

    def _known(self, request: Request) -> tuple[Role | None, Proof]:
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        if kind:
            return (self._access.by_token(token.strip()) if kind.lower() == "bearer" else None), "token"
        return self._access.by_session(session_of(request, self._port)), "session"


def session_of(request: Request, port: int) -> str:
    """The id of the request's session."""
    own = cookie_of(port)
    # Not request.cookies, because many quotes and backslashes keep Python's parser busy for seconds.
    pairs = (each.strip().partition("=") for each in request.headers.get("cookie", "").split(";"))
    return next((value for name, _, value in pairs if name == own), "")


def cookie_of(port: int) -> str:
    """The name of the cookie. It has the port, because browsers send cookies to all ports of a host."""
    return f"narrator_{port}"


def _check_origin(request: Request, is_ours: bool) -> None:
    if not is_ours:
        raise not_allowed("the server does not know this host name: use the address that `narrator serve` printed")
    own = f"http://{request.headers['host']}"
    is_foreign = request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    if is_foreign or request.headers.get("origin", own) != own:
        raise not_allowed("a page from another site may not send requests to narrator")
    if (request.method, request.scope["path"]) == ("POST", "/v1/session"):
        _check_written_by_us(request)


def _check_written_by_us(request: Request) -> None:
    """Refuse requests that a form could have sent: our pages add a header, and the browser adds the origin."""
    if request.method not in _READS and ("origin" not in request.headers or OURS not in request.headers):
        raise not_allowed(f"a browser's request that changes something needs its Origin and the header {OURS}")


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


async def body_of(request: Request, most: int = MOST_BYTES) -> bytes:
    """Read a body, limited in bytes and seconds."""
    error = RequestError("bad_request", "", f"the body is larger than {most:,} bytes")
    too_large = HttpError(413, error, {"Connection": "close"})
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > most:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                body += piece
                if len(body) > most:
                    raise too_large
    except ClientDisconnect:
        raise HttpError(400, RequestError("bad_request", "", "the body ends before it is complete")) from None
    except TimeoutError:
        late = TryAgainError("bad_request", "", f"the body took longer than {BODY_SECONDS:.0f} seconds")
        raise HttpError(408, late, {"Connection": "close"}) from None
    return bytes(body)
