"""The event loop on which blocking calls wait: one thread for the process, started by the first that needs it.

A portal of anyio's would wait for a loop that is stuck, where a call begins as where the process ends: this never does.
"""

import asyncio
import atexit
import os
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import Executor
from contextlib import aclosing
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, current_thread
from typing import Any, TypeVar, TypeVarTuple

from narrator.errors import RequestError
from narrator.suggestions.time.clock import Clock
from narrator.suggestions.time.threads import aside

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_PATIENCE = 0.15
"""Seconds over its time after which a call asks whether the loop is stuck, and that the loop has to answer."""

_FAREWELL = 0.5
"""Seconds that an ending process gives the loop to close its connections."""


class StuckError(Exception):
    """Something blocks the loop, or there cannot be one. Calls to come try another."""


class _Loop(asyncio.SelectorEventLoop):
    """An event loop that looks names up in daemon threads: those of a pool would hold up the end of the process."""

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        if executor is None:
            return self.create_task(aside(partial(func, *args)))
        return super().run_in_executor(executor, func, *args)


class _LoopThread(Thread):
    """A loop in a thread of its own."""

    def __init__(self) -> None:
        super().__init__(name="narrator-loop", daemon=True)
        self.loop, self._over = _Loop(), asyncio.Event()
        self.start()

    def run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self._over.wait())

    def is_stuck(self) -> bool:
        lives = Event()
        self.loop.call_soon_threadsafe(lives.set)
        return not lives.wait(_PATIENCE)

    def leave(self) -> None:
        """Let it end, and cancel its calls, as soon as nothing blocks it."""
        self.loop.call_soon_threadsafe(self._over.set)


class _Portal:
    """The loop of this process, where there is one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: _LoopThread | None = None

    def thread(self) -> _LoopThread:
        if is_here():
            message = "a source that must not block asks narrator by `astream` and `awarm`, and never by what blocks"
            raise RequestError("bad_request", "source", message)
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                try:
                    self._thread = _LoopThread()
                except (OSError, RuntimeError) as error:
                    # The process has no file or thread left for a loop.
                    raise StuckError from error
            return self._thread

    def leave(self, thread: _LoopThread) -> None:
        with self._lock:
            if self._thread is thread:
                thread.leave()
                self._thread = None

    def forget(self) -> None:
        self._lock, self._thread = Lock(), None

    def close(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            self._thread.leave()
            self._thread.join(_FAREWELL)


_portal = _Portal()
atexit.register(_portal.close)
if hasattr(os, "register_at_fork"):
    # A child of `fork` has the memory of the thread, and not the thread.
    os.register_at_fork(after_in_child=_portal.forget)


def is_here() -> bool:
    """Whether this runs on that loop, for a call that blocks."""
    return isinstance(current_thread(), _LoopThread)


def call(function: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Await something on that loop."""
    return asyncio.run_coroutine_threadsafe(function(), _portal.thread().loop).result()


def each(
    make: Callable[[], AsyncGenerator[T, None]], clock: Clock, is_wanted: Callable[[T], bool] = lambda _: True
) -> Iterator[T]:
    """Give what an asynchronous generator gives that is wanted, on that loop; who leaves early cancels it.

    Raises:
        StuckError: When it is not over, since something blocks the loop, or there is none.
        NarratorError: `bad_request`, on the loop itself, which such a call would block.
    """
    told: SimpleQueue[Any] = SimpleQueue()

    async def run() -> None:
        async with aclosing(make()) as pieces:
            async for piece in pieces:
                if is_wanted(piece):
                    told.put(piece)

    thread = _portal.thread()
    task = asyncio.run_coroutine_threadsafe(run(), thread.loop)
    task.add_done_callback(told.put)
    try:
        while (piece := _next(told, clock, thread)) is not task:
            yield piece
        if task.cancelled():
            raise StuckError  # the loop has ended
        task.result()
    finally:
        task.cancel()


def _next(told: SimpleQueue[Any], clock: Clock, thread: _LoopThread) -> Any:
    while True:
        try:
            return told.get(timeout=clock.left + _PATIENCE)
        except Empty:
            if thread.is_stuck():
                _portal.leave(thread)
                raise StuckError from None
