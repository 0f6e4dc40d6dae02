"""A source as every call sees it: with all that one may leave untold of itself, and one way to ask it."""

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
_LOG.addHandler(logging.NullHandler())  # where nobody keeps a log, nothing is written on the screen of a table


class Adapted:
    """Any source with all that it may tell of itself. Who does something beside asking one is made of this.

    What is no source, or tells nonsense of itself, is refused: `bad_request`, field `source`.
    Whatever it raises becomes a `SourceError`; what went wrong in its code is told to the log, without its secrets.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        if isinstance(source, type):
            raise _misshapen(f"this is the class {source.__name__}, and not one of its objects")
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
            raise _misshapen(f"{self._name} cannot tell of itself ({type(error).__name__})") from None
        if not is_one:
            raise _misshapen(f"{self._name} has neither `stream` nor `astream`")
        if not isinstance(self.label, str) or not self.label:
            raise _misshapen(f"the label of {self._name} must be text")
        if self.manner not in MANNERS:
            raise _misshapen(f"the manner of {self._name} must be one that there is", MANNERS)

    def gives_away(self, text: str) -> bool:
        """Whether a text tells a secret of the source's; of one that fails to say so, any may."""
        try:
            return self._gives_away is not None and bool(self._gives_away(text))
        except Exception as error:
            _LOG.warning("%s.gives_away failed (%s)", self._name, type(error).__name__)
            return True

    async def ready(self) -> None:
        """Let the source do what comes before its first request, where it wants to."""
        if hasattr(self._source, "ready"):
            await self._source.ready()

    async def astream(self, prompt: Prompt, seconds: float) -> AsyncGenerator[Piece, None]:
        """Ask the source. One that has both ways is asked in that of the caller: one that blocks for a call that does.

        Raises:
            SourceError: When there is no answer, or it stops short, whatever the source raised.
            NarratorError: `bad_request`, field `source`, for a source that streams in no such way, and any
                `bad_request` that the source itself raises: whoever has set it up has to mend that.
        """
        try:
            # No more than a prompt is given to a source that goes by no more.
            pieces = self._pieces(cast("Brief", prompt), seconds)
            try:
                async for piece in pieces:
                    if not isinstance(piece, str | Tokens):
                        raise _misshapen(f"{self._name} gives {type(piece).__name__}, not text or Tokens")
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
                pieces.close()  # a coroutine would complain that nobody awaited it
            message = "is no asynchronous generator (`async def` with `yield`); one that blocks is called `stream`"
            raise _misshapen(f"{self._name}.astream {message}")
        return pieces

    def _blocking(self, source: BlockingSource, brief: Brief, seconds: float) -> Iterator[Piece]:
        pieces = source.stream(brief, seconds)
        if not hasattr(pieces, "__iter__"):
            message = "gives nothing to iterate over; an asynchronous one is called `astream`"
            raise _misshapen(f"{self._name}.stream {message}")
        return pieces

    async def _close(self, pieces: AsyncIterator[Piece]) -> None:
        """Close what is not read to its end, where it can be closed. What it said counts, however it ends."""
        try:
            if hasattr(pieces, "aclose"):
                await pieces.aclose()
        except (Exception, CancelledError) as error:
            if _is_of_the_call(error):
                raise
            self._failed(error)

    def _failed(self, error: BaseException) -> SourceError:
        """Name what was raised by its class alone: its message may hold the prompt, an address or a key."""
        told = "".join(format_exception(error))
        _LOG.error("%s failed: %s", self._name, type(error).__name__ if self.gives_away(told) else told)
        return SourceError(f"the source failed ({type(error).__name__})")


def _is_of_the_call(error: BaseException) -> bool:
    """Whether it is the call that was cancelled, and not something within the source."""
    return isinstance(error, CancelledError) and (task := current_task()) is not None and task.cancelling() > 0


def _misshapen(message: str, allowed: tuple[str, ...] | None = None) -> NarratorError:
    return RequestError("bad_request", "source", message, allowed)
