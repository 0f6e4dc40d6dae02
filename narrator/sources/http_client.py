"""A client of the openai SDK that tells a server nothing that was not meant for it, and logs and reads no key back."""

import logging
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx2
import openai

from narrator.sources.settings import Settings

OURS = frozenset(("accept", "connection", "content-length", "content-type", "host", "user-agent"))
"""What a server that is not OpenAI gets to see: no organisation, project or header meant for somebody else."""

THEIRS = frozenset((b"content-type", b"content-encoding", b"retry-after"))
"""What is read of an answer's headers: others may repeat a key."""

NO_KEY = "none"
"""What the SDK is handed where there is no key: it wants one. It is not sent."""

_LOGS = ("openai._base_client", "httpx2", "httpcore2.http11", "httpcore2.connection", "httpcore2.proxy")
"""Who writes of an answer's status line and headers before we see them."""


def opener(settings: Settings) -> Callable[[], openai.AsyncOpenAI]:
    """Prepare clients for a server: what proves the server is read once, since that takes longer than many a call."""
    encryption = httpx2.create_ssl_context() if settings.is_encrypted else False

    def opened() -> openai.AsyncOpenAI:
        key, sender = settings.api_key or NO_KEY, _Client(settings, verify=encryption)
        return openai.AsyncOpenAI(api_key=key, base_url=settings.base_url, max_retries=0, http_client=sender)

    # The SDK imports what it needs for it when it is first touched, and asks the machine what it is.
    client = opened()
    _ = client.chat.completions.with_streaming_response, client.platform_headers()
    return opened


async def holding(client: openai.AsyncOpenAI, settings: Settings) -> AsyncGenerator[openai.AsyncOpenAI, None]:
    """Give a client, and close it with this generator: a loop closes its own when it ends, or nobody holds them."""

    def discreet(record: logging.LogRecord) -> bool:
        # A server may repeat the key in a header, or in its status.
        return not settings.is_given_away(record.getMessage())

    for name in _LOGS:
        logging.getLogger(name).addFilter(discreet)
    try:
        yield client
    finally:
        for name in _LOGS:
            logging.getLogger(name).removeFilter(discreet)
        await client.close()


class _Client(httpx2.AsyncClient):
    """Sends what may be sent, follows to no other place, and of a refusal reads the status alone."""

    def __init__(self, settings: Settings, **options: Any) -> None:
        # No proxy has a place between us and this machine.
        super().__init__(trust_env=not settings.is_loopback, limits=openai.DEFAULT_CONNECTION_LIMITS, **options)
        self._settings = settings

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        response = await super().send(self._outgoing(request), **options | {"follow_redirects": False})
        headers = [(name, value) for name, value in response.headers.raw if name.lower() in THEIRS]
        if response.is_success:
            response.headers = httpx2.Headers(headers)
        else:
            # The SDK would read a body of any length, which may repeat the key.
            await response.aclose()
            response = httpx2.Response(response.status_code, headers=headers)
        response.request = request
        return response

    def _outgoing(self, request: httpx2.Request) -> httpx2.Request:
        """Copy a request as it may go out. The SDK reads marks of its own in the headers of the one it made."""
        headers = httpx2.Headers(request.headers)
        if not self._settings.is_openai:
            headers = httpx2.Headers({name: value for name, value in headers.items() if name in OURS})
            # OPENAI_CUSTOM_HEADERS can put another key in the place of ours.
            if self._settings.api_key:
                headers["authorization"] = f"Bearer {self._settings.api_key}"
        # A few compressed bytes can be gigabytes of words.
        headers["accept-encoding"] = "identity"
        return httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )
