"""HTTP clients for the openai SDK that tell a server nothing that was not meant for it, and read no long errors."""

from ssl import SSLContext
from typing import Any

import httpx2

from narrator.sources.settings import Settings

OURS = frozenset(("accept", "connection", "content-length", "content-type", "host", "user-agent"))
"""What a server that is not OpenAI gets to see: no organisation, project or header meant for somebody else."""


class _Rules:
    """
    What goes out, and what of a refusal is taken in.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def outgoing(self, request: httpx2.Request) -> httpx2.Request:
        """
        Copy a request as it may go out. The SDK reads marks of its own in the headers of the one it made.
        """
        settings = self._settings
        if settings.is_openai:
            headers = httpx2.Headers(request.headers)
        else:
            headers = httpx2.Headers({name: value for name, value in request.headers.items() if name in OURS})
            # OPENAI_CUSTOM_HEADERS can put another key in the place of ours.
            if settings.api_key:
                headers["authorization"] = f"Bearer {settings.api_key}"
        # A few compressed bytes can be gigabytes of words.
        headers["accept-encoding"] = "identity"
        return httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )


def _without_body(response: httpx2.Response) -> httpx2.Response:
    """
    A refusal is told by its status: the SDK would read a body of any length, which may repeat the key.
    """
    return httpx2.Response(response.status_code, headers=_few(response.headers), extensions={})


def _few(headers: httpx2.Headers) -> dict[str, str]:
    return {name: headers[name] for name in ("retry-after", "retry-after-ms") if name in headers}


class Client(httpx2.Client):
    """
    A client for one server.
    """

    def __init__(self, settings: Settings, **options: Any) -> None:
        super().__init__(**_options(settings), **options)
        self._rules = _Rules(settings)

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """
        Send what may be sent, and never follow to another place.
        """
        response = super().send(self._rules.outgoing(request), **options | {"follow_redirects": False})
        if not response.is_success:
            response.close()
            response = _without_body(response)
        response.request = request
        return response


class AsyncClient(httpx2.AsyncClient):
    """
    The same, without blocking.
    """

    def __init__(self, settings: Settings, **options: Any) -> None:
        super().__init__(**_options(settings), **options)
        self._rules = _Rules(settings)

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """
        Send what may be sent, and never follow to another place.
        """
        response = await super().send(self._rules.outgoing(request), **options | {"follow_redirects": False})
        if not response.is_success:
            await response.aclose()
            response = _without_body(response)
        response.request = request
        return response


def encryption(settings: Settings) -> SSLContext | bool:
    """
    What proves the server: made once, since it takes longer than many a call. A plain address needs none.
    """
    return httpx2.create_ssl_context() if settings.is_encrypted else False


def _options(settings: Settings) -> dict[str, Any]:
    return {"trust_env": not settings.is_loopback, "follow_redirects": False}
