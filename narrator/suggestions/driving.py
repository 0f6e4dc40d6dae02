"""Drives a pipeline over a source, asynchronously, and holds the clock for the whole of it."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from functools import partial
from time import monotonic

import anyio

from narrator.suggestions.answer import Event
from narrator.suggestions.aside import aside_in_turn, turn
from narrator.suggestions.clock import Clock
from narrator.suggestions.pipeline import Pipeline
from narrator.suggestions.source import Piece, Source, SourceError, pieces_of

LAST_WORDS = 0.5
"""Seconds that a source has to end, and to tell its usage, once nothing more is wanted of it."""

_met: set[tuple[str, str]] = set()
"""What calls of this process have been about: for these rulesets and languages all that there is to load is loaded."""


async def drive(pipeline: Pipeline, source: Source | None, clock: Clock) -> AsyncGenerator[Event, None]:
    """
    Run a pipeline to its end.

    Args:
        source: Who is asked; None where the pipeline asks nobody.
    """
    pace = _Pace(pipeline)
    async for event in pace.through(pipeline.begin()):
        yield event
    if source is not None and pipeline.about not in _met:
        await aside_in_turn(partial(rehearse, pipeline))
    while source is not None and (brief := pipeline.next_brief()) is not None:
        await turn()
        started, failure = monotonic(), None
        async with aclosing(pieces_of(source, brief, clock.left)) as pieces:
            try:
                while not pipeline.had_enough and (piece := await _next(pieces, clock, source)) is not None:
                    async for event in pace.through(pipeline.feed(piece)):
                        yield event
                        if clock.is_over:
                            raise _too_late(clock, source)
                    if pipeline.is_full:
                        clock.shorten(LAST_WORDS)
            except SourceError as error:
                failure = error
        for event in pipeline.ended(monotonic() - started, failure):
            yield event
    async for event in pace.through(pipeline.finish(clock)):
        yield event


def rehearse(pipeline: Pipeline) -> None:
    """
    Load all that a request of this kind needs, by dealing and judging a card for each slot, for nothing.
    """
    pipeline.rehearse()
    _met.add(pipeline.about)


async def _next(pieces: AsyncGenerator[Piece, None], clock: Clock, source: Source) -> Piece | None:
    with anyio.move_on_after(clock.left):
        return await anext(pieces, None)
    raise _too_late(clock, source)


def _too_late(clock: Clock, source: Source) -> SourceError:
    host = getattr(source, "host", None)
    return SourceError(f"no whole answer in time{f' from {host}' if host else ''} ({clock.timeout:g} seconds)")


class _End:
    """
    The end of a pipeline's events.
    """


_END = _End()


class _Pace:
    """
    Takes a pipeline's events so that nobody else on the loop waits for long.

    A pause of the pipeline is a turn of the loop. What is done for the first time, and loads what it needs, or for a
    large scene, is done in a thread.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._is_heavy = pipeline.is_large or pipeline.about not in _met

    async def through(self, events: Iterator[Event | None]) -> AsyncGenerator[Event, None]:
        step = partial(next, events, _END)
        while not isinstance(event := await aside_in_turn(step) if self._is_heavy else step(), _End):
            if event is None:
                await turn()
            else:
                yield event
