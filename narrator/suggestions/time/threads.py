"""What blocks, or takes long, done in daemon threads, so that no event loop waits for it and no exit either."""

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
"""Seconds of work in one go."""

_TURN: RunVar[anyio.Lock] = RunVar("narrator.turn")


async def aside(function: Callable[[], T]) -> T:
    """Call what blocks, and wait for it without blocking. Who is cancelled leaves it behind."""
    async with aclosing(each_aside(lambda: (function(),))) as results:
        return await anext(results)


async def each_aside(make: Callable[[], Iterable[T]]) -> AsyncGenerator[T, None]:
    """Give what a blocking iterable gives. Who stops reading leaves it behind: it ends when it gives its next piece."""
    token = current_token()
    sending, receiving = anyio.create_memory_object_stream[T](math.inf)
    failure: list[BaseException] = []

    def work() -> None:
        try:
            for piece in make():
                try:
                    from_thread.run_sync(sending.send_nowait, piece, token=token)
                except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.RunFinishedError):
                    return  # nobody reads any more
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
    """Wait for one's turn: however many calls a loop has, one of them at a time does a piece of its work."""
    async with _lock():
        await checkpoint()


class Breath:
    """Lets others on the loop, and whoever cancels, have a turn amid work that waits for nothing."""

    def __init__(self) -> None:
        self._end = monotonic() + _BREATH

    async def take(self) -> None:
        """Wait for the others, if it is time to."""
        if monotonic() > self._end:
            await checkpoint()
            self._end = monotonic() + _BREATH


async def aside_in_turn(function: Callable[[], T]) -> T:
    """Call what takes long, with no other call's work beside it."""
    async with _lock():
        return await aside(function)


def _lock() -> anyio.Lock:
    if (lock := _TURN.get(None)) is None:
        _TURN.set(lock := anyio.Lock(fast_acquire=True))
    return lock
