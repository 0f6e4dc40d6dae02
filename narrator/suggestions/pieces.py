"""Asks a source in whichever of the two ways it has, and gives what it writes, piece by piece, without blocking."""

from collections.abc import AsyncGenerator
from functools import partial

from narrator.suggestions import portal
from narrator.suggestions.aside import each_aside
from narrator.suggestions.brief import Brief
from narrator.suggestions.source import AsyncSource, BlockingSource, Piece, Source


def pieces_of(source: Source, brief: Brief, seconds: float) -> AsyncGenerator[Piece, None]:
    """
    Ask a source. One that has both ways is asked in that of the caller: one that blocks for a call that does.
    """
    if isinstance(source, BlockingSource) and (portal.is_here() or not isinstance(source, AsyncSource)):
        return each_aside(partial(source.stream, brief, seconds))
    return source.astream(brief, seconds)
