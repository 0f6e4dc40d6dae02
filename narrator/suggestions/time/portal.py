"""The event loop that runs blocking calls. It has one thread, which starts with the first call.

anyio's own portal would wait for a stuck loop, at the start of a call and at the end of the process. This one does not.
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
"""A call this many seconds late asks if the loop is stuck. The loop has as long to reply."""

_FAREWELL = 0.5
"""Seconds for the loop to close its connections when the process ends."""


class StuckError(Exception):
    """Something blocks the loop, or no loop can be started. Later calls try a new one."""


class _Loop(asyncio.SelectorEventLoop):
    """An event loop that resolves host names in daemon threads. Pool threads would delay the end of the process."""

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        if executor is None:
            return self.create_task(aside(partial(func, *args)))
        return super().run_in_executor(executor, func, *args)


class _LoopThread(Thread):
    """A loop in its own thread."""

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
        """End the loop and cancel its calls, as soon as nothing blocks it."""
        self.loop.call_soon_threadsafe(self._over.set)


class _Portal:
    """Holds the loop of this process, if there is one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: _LoopThread | None = None

    def thread(self) -> _LoopThread:
        if is_here():
            message = "a source must not make a blocking call to narrator: use `astream` or `awarm` instead"
            raise RequestError("bad_request", "source", message)
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                try:
                    self._thread = _LoopThread()
                except (OSError, RuntimeError) as error:
                    # The process can open no more files or threads.
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
    # After `fork`, the child has the thread object, but not the thread.
    os.register_at_fork(after_in_child=_portal.forget)


def is_here() -> bool:
    """Whether the caller runs on this loop, within a blocking call."""
    return isinstance(current_thread(), _LoopThread)


def call(function: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a coroutine on this loop, and wait for it."""
    return asyncio.run_coroutine_threadsafe(function(), _portal.thread().loop).result()


def each(
    make: Callable[[], AsyncGenerator[T, None]], clock: Clock, is_wanted: Callable[[T], bool] = lambda _: True
) -> Iterator[T]:
    """Run an asynchronous generator on this loop, and give its wanted items. Closing this early cancels it.

    Raises:
        StuckError: If something blocks the loop, or no loop can be started.
        NarratorError: `bad_request` if called on the loop itself, which this call would block.
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
