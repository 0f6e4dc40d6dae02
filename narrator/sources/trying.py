"""Whether a server that did not answer is asked once more, and how, and what is told of it where it is not."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import TYPE_CHECKING

from narrator.sources.dialect import Dialect, Endpoint
from narrator.sources.reading import at_fault, broken_off
from narrator.suggestions.source import SourceError

if TYPE_CHECKING:
    import httpx2
    import openai

SECOND_TRY = 0.5
"""Seconds before a server that is busy or at fault is tried once more, where it names no time itself."""

SCHEMA_REFUSED = frozenset((400, 422, 501))
"""How servers refuse a schema, or any other field that they do not know."""

NO_ENDPOINT = frozenset((404, 405))
"""How servers refuse an endpoint that they do not have, or a model."""


class Tries:
    """The tries of one call: how long they may take together, and whether one more makes sense.

    There is one more for a connection that was kept and is closed, one for a server that is busy or at fault, two for
    a schema refused, without its lengths and without it, and one for a server that may have the other endpoint alone.
    A server that does not answer is named by the host that the user has told.
    """

    def __init__(self, end: float, host: str, dialect: Dialect, *, is_kept: bool) -> None:
        """Args:
        end: When the time is up, by `monotonic`.
        is_kept: Whether the connection may be one kept from before, which the server may have closed just now.
        """
        self._end = end
        self._host = host
        self._has_waited = False
        self._has_turned = False
        self._is_kept = is_kept
        self.dialect = dialect
        self.number = 1
        """Of the try that is made, or is to be made next."""

    def wait(self, error: "openai.APIError") -> float:
        """Return the seconds to wait before the next try.

        Raises:
            SourceError: Where another try makes no sense, or there is no time for it.
        """
        import httpx2
        import openai

        self.number += 1
        if (
            isinstance(error.__cause__, httpx2.ReadError | httpx2.WriteError | httpx2.RemoteProtocolError)
            and self._is_kept
        ):
            self._is_kept = False
            return 0.0
        if isinstance(error, openai.APIStatusError):
            if error.status_code in SCHEMA_REFUSED and (less := self.dialect.with_less()) is not None:
                self.dialect = less
                return 0.0
            if error.status_code in NO_ENDPOINT and not self._has_turned:
                self._has_turned = True
                other: Endpoint = "chat" if self.dialect.endpoint == "responses" else "responses"
                self.dialect = replace(self.dialect, endpoint=other)
                return 0.0
            if error.status_code in (408, 409, 429) or error.status_code >= 500:
                seconds = _retry_after(error.response.headers)
                if not self._has_waited and seconds < (self._end - monotonic()) / 2:
                    self._has_waited = True
                    return seconds
        raise self._what_happened(error) from None

    def _what_happened(self, error: "openai.APIError") -> SourceError:
        import httpx2
        import openai

        if isinstance(error, openai.APIStatusError):
            return _refused(error.status_code)
        if isinstance(error, openai.APIConnectionError):
            is_nobody = isinstance(error.__cause__, httpx2.ConnectError | httpx2.UnsupportedProtocol)
            return SourceError(f"nobody answers at {self._host}") if is_nobody else broken_off()
        return at_fault()


_STATUS = {
    401: "the key is missing or was not taken",
    403: "the key does not allow this",
    404: "there is no such model or address",
    429: "too many requests, or the quota is used up",
}


def _refused(status: int) -> SourceError:
    if 300 <= status < 400:
        why = "it points to another address, which was not followed"
    else:
        why = _STATUS.get(status, "the server is at fault" if status >= 500 else "it was refused")
    return SourceError(f"{why} (HTTP {status})")


def _retry_after(headers: "httpx2.Headers") -> float:
    """Read the seconds to wait, which a server may also tell as milliseconds or as a date."""
    # What tells no time, in any script and of any length, raises one of these.
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        return max(0.0, float(headers["retry-after-ms"]) / 1000) if "retry-after-ms" in headers else _seconds(headers)
    return SECOND_TRY


def _seconds(headers: "httpx2.Headers") -> float:
    told = headers.get("retry-after", str(SECOND_TRY))
    try:
        return max(0.0, float(told))
    except ValueError:
        date = parsedate_to_datetime(told)
        return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
