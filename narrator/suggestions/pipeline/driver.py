"""Runs a pipeline with a source, asynchronously, within the time of the call."""

from collections.abc import AsyncGenerator, Iterator
from functools import partial
from time import monotonic
from typing import Any, Protocol

import anyio

from narrator.suggestions.pipeline.answer import Event
from narrator.suggestions.pipeline.pipeline import Pipeline
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import LAST_WORDS, Piece, SourceError
from narrator.suggestions.time.clock import Clock
from narrator.suggestions.time.threads import Breath, aside_in_turn, own_turn

_END: Any = object()

_CLOSING = 0.1
"""The least time, in seconds, that a source gets to close."""


class Reader(Protocol):
    """Reads an answer piece by piece."""

    @property
    def had_enough(self) -> bool:
        """Whether the answer is too long to read on."""

    def read(self, piece: Piece) -> list[object]:
        """Give the objects that this piece completes."""


async def drive(pipeline: Pipeline, source: Adapted | None, clock: Clock) -> AsyncGenerator[Event, None]:
    """Run a pipeline to its end. Without a source, the deck answers alone."""
    begun = pipeline.begin(clock)
    while event := await _next(begun, pipeline):
        yield event
    if pipeline.takes_long:
        await aside_in_turn(pipeline.rehearse)
    while source is not None and (brief := pipeline.next_brief()) is not None:
        await own_turn()
        # A source without time to answer is not asked: what it loads would only slow the deck.
        if clock.is_over:
            for event in pipeline.leave(too_late(clock, source)):
                yield event
            break
        started, failure = monotonic(), None
        pieces = source.astream(brief, clock.left)
        try:
            while found := await read_on(pieces, pipeline, clock, source):
                judged = pipeline.judge(found)
                while event := await _next(judged, pipeline):
                    yield event
                    if clock.is_over:
                        raise too_late(clock, source)
                if pipeline.is_full:
                    clock.shorten(LAST_WORDS)
        except SourceError as error:
            failure = error
        finally:
            with anyio.move_on_after(max(clock.left, _CLOSING)):
                await pieces.aclose()
        for event in pipeline.ended(monotonic() - started, failure):
            yield event
    finished = pipeline.finish()
    while event := await _next(finished, pipeline):
        yield event


async def _next(events: Iterator[Event | None], pipeline: Pipeline) -> Event | None:
    """Take a pipeline's next event; None at the end. Slow work is done in a thread, so that the loop is free."""
    step = partial(next, events, _END)
    while (event := await aside_in_turn(step) if pipeline.takes_long else step()) is None:
        await own_turn()
    return None if event is _END else event


async def read_on(pieces: AsyncGenerator[Piece, None], reader: Reader, clock: Clock, source: Adapted) -> list[object]:
    """Read on until there are objects to judge. Gives none at the end, or when the answer is too long."""
    breath = Breath()
    with anyio.move_on_after(clock.left):
        while not reader.had_enough and (piece := await anext(pieces, _END)) is not _END:
            if found := reader.read(piece):
                return found
            # Without this, a source that never waits blocks the loop and can't be cancelled.
            await breath.take()
        return []
    raise too_late(clock, source)


def too_late(clock: Clock, source: Adapted) -> SourceError:
    """The error of a source whose answer is not complete when the time is up."""
    from_host = f" from {source.host}" if source.host else ""
    return SourceError(f"no complete answer{from_host} within {clock.timeout:g} seconds")
