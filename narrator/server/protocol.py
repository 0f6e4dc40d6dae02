"""HTTP connections with limits: slow clients are cut off, and so are connections beyond the maximum."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0
"""Limit for the first line and the headers, from the start of the connection or of a further request."""
UNREAD_SECONDS = 15.0
"""Limit for a client that does not read the answer."""
MOST_HEAD_BYTES = 32_000
MOST_CONNECTIONS = 1_000
MOST_OF_ONE = 200
"""Connections from one address, except this machine's own."""
OWN = "127.0.0.1"

_BUSY = b'{"error":{"code":"too_busy","field":"","message":"too many are connected: try again in a moment"}}'
_TOO_MANY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(_BUSY), _BUSY)
)


class BoundedProtocol(H11Protocol):
    """A connection of uvicorn that limits how long it waits for a request."""

    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        hosts = [(getattr(each, "client", None) or ("",))[0] for each in self.connections]
        host = self.client[0] if self.client else OWN
        if len(hosts) > MOST_CONNECTIONS or (host != OWN and hosts.count(host) > MOST_OF_ONE):
            transport.write(_TOO_MANY)
            transport.close()
        else:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._cut)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._forget()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._cut)

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._cut()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._abort_later()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        if self._unread is not None:
            self._unread.cancel()
        super().connection_lost(exc)

    def _cut(self) -> None:
        """Close the connection, and abort it if the client does not read the rest in time."""
        self.transport.close()
        self._abort_later()

    def _abort_later(self) -> None:
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
