"""Drives a pipeline over a source, blocking or not, and holds the deadline for the whole of it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from queue import Empty, SimpleQueue
from threading import Event as Flag, Thread
from time import monotonic

from narrator.suggestions.answer import Event
from narrator.suggestions.brief import Brief
from narrator.suggestions.pipeline import Pipeline
from narrator.suggestions.source import Source, SourceError, Tokens

LAST_WORDS = 0.5
"""Seconds that a source has to end, and to tell its usage, once nothing more is wanted of it."""


class _Deadline:
    """
    When a call must be over: at a fixed time, or soon after nothing more is wanted.
    """

    def __init__(self, timeout: float, pipeline: Pipeline) -> None:
        self._timeout = timeout
        self._end = monotonic() + timeout
        self._pipeline = pipeline
        self._is_short = False

    def left(self) -> float:
        if self._pipeline.is_full and not self._is_short:
            self._end, self._is_short = min(self._end, monotonic() + LAST_WORDS), True
        return max(0.0, self._end - monotonic())

    def check(self) -> None:
        """
        Raise what a missed deadline is told as, where it is missed.
        """
        if self.left() == 0.0:
            raise self.missed()

    def missed(self) -> SourceError:
        return SourceError(f"no whole answer in time ({self._timeout:g} seconds)")


def drive(pipeline: Pipeline, source: Source | None, timeout: float) -> Iterator[Event]:
    """
    Run a pipeline to its end.

    Args:
        source: Who is asked; None where the pipeline asks nobody.

        timeout: Seconds for all calls together; the deck then needs no time worth counting.
    """
    yield from pipeline.begin()
    deadline = _Deadline(timeout, pipeline)
    while source is not None and (brief := pipeline.next_brief()) is not None:
        started, failure = monotonic(), None
        pieces = _Reader(source, brief, deadline.left())
        try:
            while (piece := pieces.next(deadline)) is not None:
                for event in pipeline.feed(piece):
                    yield event
                    deadline.check()
                if pipeline.had_enough:
                    break
        except SourceError as error:
            failure = error
        finally:
            pieces.stop()
        yield from pipeline.ended(monotonic() - started, failure)
    yield from pipeline.finish()


async def adrive(pipeline: Pipeline, source: Source | None, timeout: float) -> AsyncIterator[Event]:
    """
    The same, without blocking.
    """
    for event in pipeline.begin():
        yield event
    deadline = _Deadline(timeout, pipeline)
    while source is not None and (brief := pipeline.next_brief()) is not None:
        started, failure = monotonic(), None
        try:
            async with aclosing(source.astream(brief, deadline.left())) as pieces:
                while (piece := await _anext(pieces, deadline)) is not None:
                    for event in pipeline.feed(piece):
                        yield event
                        deadline.check()
                    if pipeline.had_enough:
                        break
        except SourceError as error:
            failure = error
        for event in pipeline.ended(monotonic() - started, failure):
            yield event
    for event in pipeline.finish():
        yield event


async def _anext(pieces: AsyncIterator[str | Tokens], deadline: _Deadline) -> str | Tokens | None:
    import asyncio  # who does not wait with it needs none of it

    try:
        async with asyncio.timeout(deadline.left()):
            return await anext(pieces, None)
    except TimeoutError:
        raise deadline.missed() from None


class _Reader:
    """
    Reads a source in a thread of its own, so that no read, look-up or handshake can outlast the deadline.
    """

    def __init__(self, source: Source, brief: Brief, seconds: float) -> None:
        self._queue: SimpleQueue[str | Tokens | Exception | None] = SimpleQueue()
        self._stopped = Flag()
        Thread(target=self._run, args=(source, brief, seconds), name="narrator-source", daemon=True).start()

    def next(self, deadline: _Deadline) -> str | Tokens | None:
        """
        Wait for the next piece; None at the end.
        """
        try:
            piece = self._queue.get(timeout=deadline.left())
        except Empty:
            raise deadline.missed() from None
        if isinstance(piece, Exception):
            raise piece
        return piece

    def stop(self) -> None:
        """
        Let the thread end at its next piece.
        """
        self._stopped.set()

    def _run(self, source: Source, brief: Brief, seconds: float) -> None:
        try:
            for piece in source.stream(brief, seconds):
                if self._stopped.is_set():
                    return
                self._queue.put(piece)
        except Exception as error:
            self._queue.put(error)
        else:
            self._queue.put(None)
