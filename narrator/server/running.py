"""Runs the server: opens its port, logs requests, and ends without losing a running roll."""

import gc
import logging
import socket
import sys
import traceback
from typing import Any

import uvicorn

from narrator.api import words
from narrator.campaign.campaign import Campaign
from narrator.errors import RequestError
from narrator.server.access import Access
from narrator.server.app import routes_of
from narrator.server.guard import Guard
from narrator.server.protocol import MOST_HEAD_BYTES, BoundedProtocol

FAREWELL_SECONDS = 30
"""Limit for running calls after the server is told to end."""


class _Formatter(logging.Formatter):
    """Logs where narrator failed, without the message, which may contain words, names or keys."""

    def formatException(self, ei: Any) -> str:  # noqa: N802
        kind, _, trace = ei
        return "".join((*traceback.format_tb(trace), kind.__name__))


class _Server(uvicorn.Server):
    """Loads everything before the first call. At the end, it ends streams before it waits for running calls."""

    def __init__(self, config: uvicorn.Config, ends: Any) -> None:
        super().__init__(config)
        self._ends = ends

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await words.awarm()
        # Loaded objects stay, so the garbage collector need not look through them again.
        gc.freeze()
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ends.set()
        await super().shutdown(sockets)


def listening(port: int, *, lan: bool) -> socket.socket:
    """Open the port, only on this machine's loopback unless `lan` is true.

    Raises:
        NarratorError: `bad_request` if the port is taken.
    """
    # With the protocol's number, asyncio turns off a delay of 40 ms for each answer.
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind(("0.0.0.0" if lan else "127.0.0.1", port))  # noqa: S104
        opened.listen(1_024)
    except OSError as error:
        opened.close()
        raise RequestError(
            "bad_request", "--port", f"port {port} can't be used: {error.strerror}; --port 0 picks a free one"
        ) from None
    return opened


def own_address() -> str | None:
    """The IP address of this machine on its network. Nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))
        except OSError:
            return None
        found: str = asking.getsockname()[0]
    return found


def run(opened: socket.socket, served: Campaign | None, access: Access, *, lan: bool) -> None:
    """Serve until somebody ends the process."""
    log = logging.StreamHandler(sys.stderr)
    log.setFormatter(_Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
    for name, level in (("narrator", logging.INFO), ("uvicorn.error", logging.ERROR), ("asyncio", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.addHandler(log)
        logger.setLevel(level)
        logger.propagate = False
    port: int = opened.getsockname()[1]
    routes = routes_of(served, access, port)
    config = uvicorn.Config(
        Guard(routes, access, port, lan=lan),
        http=BoundedProtocol,
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=MOST_HEAD_BYTES,
        timeout_graceful_shutdown=FAREWELL_SECONDS,
    )
    _Server(config, routes.state.ends).run(sockets=[opened])
