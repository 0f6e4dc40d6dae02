"""The adapter: gives every source the optional attributes and a single way to ask."""

import logging
from asyncio import CancelledError, current_task
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from functools import partial
from traceback import format_exception
from typing import cast

from narrator.errors import NarratorError, RequestError
from narrator.suggestions.prompt.brief import MANNERS, Brief, Manner, Prompt
from narrator.suggestions.source.protocol import AsyncSource, BlockingSource, Piece, Source, SourceError, Tokens
from narrator.suggestions.time import portal
from narrator.suggestions.time.threads import each_aside

_LOG = logging.getLogger(__name__)
_LOG.addHandler(logging.NullHandler())  # without a log, nothing is printed on the table's screen


class Adapted:
    """A source with all optional attributes. Subclass this to add to a source.

    An invalid source is refused with `bad_request` at the field `source`. Errors of the source become a `SourceError`.
    The log gets the details of a failure in its code, without its secrets.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        if isinstance(source, type):
            raise _misshapen(f"this is the class {source.__name__}: pass one of its objects")
        self._name = type(source).__name__
        try:
            is_one = isinstance(source, BlockingSource | AsyncSource)
            self.label: str = source.label
            self.is_deterministic = bool(getattr(source, "is_deterministic", False))
            self.is_local = bool(getattr(source, "is_local", False))
            self.host: str | None = getattr(source, "host", None)
            self.manner: Manner = getattr(source, "manner", "together")
            self._gives_away = getattr(source, "gives_away", None)
        except Exception as error:
            raise _misshapen(f"{self._name} fails when its attributes are read ({type(error).__name__})") from None
        if not is_one:
            raise _misshapen(f"{self._name} has neither `stream` nor `astream`")
        if not isinstance(self.label, str) or not self.label:
            raise _misshapen(f"the label of {self._name} must be text")
        if self.manner not in MANNERS:
            raise _misshapen(f"the manner of {self._name} is unknown", MANNERS)

    def gives_away(self, text: str) -> bool:
        """Whether a text reveals a secret of the source. True if the source fails to say."""
        try:
            return self._gives_away is not None and bool(self._gives_away(text))
        except Exception as error:
            _LOG.warning("%s.gives_away failed (%s)", self._name, type(error).__name__)
            return True

    async def ready(self) -> None:
        """Let the source prepare for its first request."""
        if hasattr(self._source, "ready"):
            await self._source.ready()

    async def astream(self, prompt: Prompt, seconds: float) -> AsyncGenerator[Piece, None]:
        """Ask the source. If it has both `stream` and `astream`, a blocking call uses `stream`.

        Raises:
            SourceError: If there is no answer, or it is incomplete, whatever the source raised.
            NarratorError: `bad_request`, field `source`, if the source does not stream as it should. A `bad_request`
                that the source raises also passes through, since its owner must correct the setup.
        """
        try:
            # A caller that has only a `Prompt` asks only sources that need no more.
            pieces = self._pieces(cast("Brief", prompt), seconds)
            try:
                async for piece in pieces:
                    if not isinstance(piece, str | Tokens):
                        raise _misshapen(f"{self._name} gives {type(piece).__name__}, but must give text or Tokens")
                    yield piece
            finally:
                await self._close(pieces)
        except SourceError as error:
            if self.gives_away(error.reason):
                raise SourceError("the source failed", again=error.again, lasts=error.lasts) from None
            raise
        except (Exception, CancelledError) as error:
            if (isinstance(error, NarratorError) and error.code == "bad_request") or _is_of_the_call(error):
                raise
            raise self._failed(error) from None

    def _pieces(self, brief: Brief, seconds: float) -> AsyncIterator[Piece]:
        source = self._source
        if isinstance(source, BlockingSource) and (portal.is_here() or not isinstance(source, AsyncSource)):
            return each_aside(partial(self._blocking, source, brief, seconds))
        pieces = source.astream(brief, seconds)
        if not hasattr(pieces, "__aiter__"):
            if hasattr(pieces, "close"):
                pieces.close()  # prevents the warning of a coroutine that is never awaited
            message = "must be an asynchronous generator (`async def` with `yield`); a blocking one is called `stream`"
            raise _misshapen(f"{self._name}.astream {message}")
        return pieces

    def _blocking(self, source: BlockingSource, brief: Brief, seconds: float) -> Iterator[Piece]:
        pieces = source.stream(brief, seconds)
        if not hasattr(pieces, "__iter__"):
            message = "must give something to iterate over; an asynchronous generator is called `astream`"
            raise _misshapen(f"{self._name}.stream {message}")
        return pieces

    async def _close(self, pieces: AsyncIterator[Piece]) -> None:
        """Close an unfinished stream, if it can be closed. A failure here does not undo the answer."""
        try:
            if hasattr(pieces, "aclose"):
                await pieces.aclose()
        except (Exception, CancelledError) as error:
            if _is_of_the_call(error):
                raise
            self._failed(error)

    def _failed(self, error: BaseException) -> SourceError:
        """Make an error that names only the class: a message may contain the prompt, an address or a key."""
        told = "".join(format_exception(error))
        _LOG.error("%s failed: %s", self._name, type(error).__name__ if self.gives_away(told) else told)
        return SourceError(f"the source failed ({type(error).__name__})")


def _is_of_the_call(error: BaseException) -> bool:
    """Whether the call itself was cancelled, not something in the source."""
    return isinstance(error, CancelledError) and (task := current_task()) is not None and task.cancelling() > 0


def _misshapen(message: str, allowed: tuple[str, ...] | None = None) -> NarratorError:
    return RequestError("bad_request", "source", message, allowed)
