"""Asks a source in whichever of the two ways it has, and gives what it writes, piece by piece, without blocking."""

from collections.abc import AsyncGenerator, Iterator
from functools import partial
from typing import cast

from narrator.errors import NarratorError
from narrator.suggestions import portal
from narrator.suggestions.aside import each_aside
from narrator.suggestions.brief import Brief, Prompt
from narrator.suggestions.source import AsyncSource, BlockingSource, Piece, Source


def pieces_of(source: Source, prompt: Prompt, seconds: float) -> AsyncGenerator[Piece, None]:
    """Ask a source. One that has both ways is asked in that of the caller: one that blocks for a call that does.

    Args:
        prompt: A brief; or no more than a prompt, for a source that goes by no more.

    Raises:
        NarratorError: `bad_request`, field `source`, for a source that streams in no such way.
    """
    brief = cast("Brief", prompt)
    if isinstance(source, BlockingSource) and (portal.is_here() or not isinstance(source, AsyncSource)):
        return each_aside(partial(_stream, source, brief, seconds))
    pieces = source.astream(brief, seconds)
    if not hasattr(pieces, "asend"):
        if hasattr(pieces, "close"):
            pieces.close()  # a coroutine would complain that nobody awaited it
        message = "astream is no asynchronous generator (`async def` with `yield`); one that blocks is called `stream`"
        raise _misshapen(source, message)
    return pieces


def _stream(source: BlockingSource, brief: Brief, seconds: float) -> Iterator[Piece]:
    pieces = source.stream(brief, seconds)
    if not hasattr(pieces, "__iter__"):
        raise _misshapen(source, "stream gives nothing to iterate over; an asynchronous one is called `astream`")
    return pieces


def _misshapen(source: Source, message: str) -> NarratorError:
    return NarratorError("bad_request", "source", f"{type(source).__name__}.{message}")
