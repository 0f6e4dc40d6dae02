"""A client for the openai SDK. It sends a server only what is meant for it, and never logs or reads back a key."""

import logging
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx2
import openai

from narrator.sources.settings import Settings

OURS = frozenset(("accept", "connection", "content-length", "content-type", "host", "user-agent"))
"""The headers that are sent to a server other than OpenAI, without organisation or project."""

THEIRS = frozenset((b"content-type", b"content-encoding", b"retry-after"))
"""The headers of an answer that are read. Others may repeat a key."""

NO_KEY = "none"
"""The key for the SDK, which needs one, if there is no key. It is not sent."""

_LOGS = ("openai._base_client", "httpx2", "httpcore2.http11", "httpcore2.connection", "httpcore2.proxy")
"""The loggers that write an answer's status line and headers before narrator reads them."""


def opener(settings: Settings) -> Callable[[], openai.AsyncOpenAI]:
    """Prepare clients for a server. The certificates are read only once, since that can take longer than a call."""
    encryption = httpx2.create_ssl_context() if settings.is_encrypted else False

    def opened() -> openai.AsyncOpenAI:
        key, sender = settings.api_key or NO_KEY, _Client(settings, verify=encryption)
        return openai.AsyncOpenAI(api_key=key, base_url=settings.base_url, max_retries=0, http_client=sender)

    # The first access makes the SDK import its parts and look up the platform.
    client = opened()
    _ = client.chat.completions.with_streaming_response, client.platform_headers()
    return opened


async def holding(client: openai.AsyncOpenAI, settings: Settings) -> AsyncGenerator[openai.AsyncOpenAI, None]:
    """Give a client, and close it with this generator. A loop closes its generators when it ends."""

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
    """Sends only allowed headers, follows no redirects, and reads only the status of a refusal."""

    def __init__(self, settings: Settings, **options: Any) -> None:
        # A server on this machine is asked without a proxy.
        super().__init__(trust_env=not settings.is_loopback, limits=openai.DEFAULT_CONNECTION_LIMITS, **options)
        self._settings = settings

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        response = await super().send(self._outgoing(request), **options | {"follow_redirects": False})
        headers = [(name, value) for name, value in response.headers.raw if name.lower() in THEIRS]
        if response.is_success:
            response.headers = httpx2.Headers(headers)
        else:
            # The SDK would read the whole body, which may be endless or repeat the key.
            await response.aclose()
            response = httpx2.Response(response.status_code, headers=headers)
        response.request = request
        return response

    def _outgoing(self, request: httpx2.Request) -> httpx2.Request:
        """Copy a request with the allowed headers. The SDK still needs its own marks in the original's headers."""
        headers = httpx2.Headers(request.headers)
        if not self._settings.is_openai:
            headers = httpx2.Headers({name: value for name, value in headers.items() if name in OURS})
            # OPENAI_CUSTOM_HEADERS may have replaced the key.
            if self._settings.api_key:
                headers["authorization"] = f"Bearer {self._settings.api_key}"
        # A few compressed bytes can unpack to gigabytes.
        headers["accept-encoding"] = "identity"
        return httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )
