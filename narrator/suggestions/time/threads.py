"""Runs blocking or slow work in daemon threads, so that neither an event loop nor an exit waits for it."""

import math
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing, suppress
from contextvars import copy_context
from threading import Thread
from time import monotonic
from typing import TypeVar

import anyio
from anyio import from_thread
from anyio.lowlevel import RunVar, checkpoint, current_token

T = TypeVar("T")

_BREATH = 0.005
"""Seconds of work without a pause."""

_TURN: RunVar[anyio.Lock] = RunVar("narrator.turn")


async def aside(function: Callable[[], T]) -> T:
    """Call a blocking function, and wait without blocking. If cancelled, this abandons the thread."""
    async with aclosing(each_aside(lambda: (function(),))) as results:
        return await anext(results)


async def each_aside(make: Callable[[], Iterable[T]]) -> AsyncGenerator[T, None]:
    """Give the items of a blocking iterable. If you stop reading, it ends at its next item."""
    token = current_token()
    sending, receiving = anyio.create_memory_object_stream[T](math.inf)
    failure: list[BaseException] = []

    def work() -> None:
        try:
            for piece in make():
                try:
                    from_thread.run_sync(sending.send_nowait, piece, token=token)
                except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.RunFinishedError):
                    return  # the reader has stopped
        except BaseException as error:
            failure.append(error)
        with suppress(anyio.RunFinishedError):
            from_thread.run_sync(sending.close, token=token)

    with sending, receiving:
        Thread(target=copy_context().run, args=(work,), name="narrator-aside", daemon=True).start()
        async for piece in receiving:
            yield piece
    if failure:
        raise failure[0]


async def own_turn() -> None:
    """Wait for a turn. Of all calls on a loop, only one at a time does a piece of work."""
    async with _lock():
        await checkpoint()


class Breath:
    """Pauses long work now and then, so that others on the loop can run, and so that it can be cancelled."""

    def __init__(self) -> None:
        self._end = monotonic() + _BREATH

    async def take(self) -> None:
        """Let others run, if it is time to."""
        if monotonic() > self._end:
            await checkpoint()
            self._end = monotonic() + _BREATH


async def aside_in_turn(function: Callable[[], T]) -> T:
    """Call a slow function in a thread, while no other call works."""
    async with _lock():
        return await aside(function)


def _lock() -> anyio.Lock:
    if (lock := _TURN.get(None)) is None:
        _TURN.set(lock := anyio.Lock(fast_acquire=True))
    return lock
