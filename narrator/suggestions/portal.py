"""The loop on which blocking calls wait: one thread for the process, started by the first that needs it."""

import asyncio
import atexit
import os
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import Executor, Future
from contextlib import aclosing
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, current_thread
from typing import Any, TypeVar, TypeVarTuple

from narrator.errors import NarratorError
from narrator.suggestions.aside import aside
from narrator.suggestions.clock import Clock

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_PATIENCE = 0.3
"""Seconds over its time after which a call asks whether the loop is stuck."""

_SIGN_OF_LIFE = 0.1
"""Seconds that the loop has to answer that."""

_FAREWELL = 0.5
"""Seconds that an ending process gives the loop to close its connections."""

_CALL = "narrator.call"

_END: Any = object()


class StuckError(Exception):
    """Something blocks the loop, or there cannot be one. Calls to come try another."""


class _Loop(asyncio.SelectorEventLoop):
    """An event loop that does what blocks, such as looking names up, in daemon threads: those of a pool would hold up
    the end of the process.
    """

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        if executor is None:
            return self.create_task(aside(partial(func, *args)))
        return super().run_in_executor(executor, func, *args)


class _Portal:
    """The loop of this process, where there is one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: Thread | None = None
        self._loop: asyncio.AbstractEventLoop
        self._over: asyncio.Event
        self.is_over = False

    @property
    def is_here(self) -> bool:
        return current_thread() is self._thread

    def start(self, make: Callable[[], Coroutine[Any, Any, T]]) -> tuple[asyncio.AbstractEventLoop, Future[T]]:
        if self.is_here:
            message = "a source that must not block asks narrator by `astream` and `awarm`, and never by what blocks"
            raise NarratorError("bad_request", "source", message)
        if self.is_over:
            raise StuckError
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                opened = Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]()
                thread = Thread(target=_run, args=(opened,), name="narrator-loop", daemon=True)
                try:
                    thread.start()
                    self._loop, self._over = opened.result()
                except (OSError, RuntimeError) as error:
                    # The process has no file or thread left for a loop.
                    raise StuckError from error
                # Last, for whoever is interrupted on the way.
                self._thread = thread
            return self._loop, asyncio.run_coroutine_threadsafe(make(), self._loop)

    def leave(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            if self._thread is not None and self._loop is loop:
                loop.call_soon_threadsafe(self._over.set)
                self._thread = None

    def forget(self) -> None:
        self._lock, self._thread = Lock(), None

    def close(self) -> None:
        self.is_over = True
        if self._thread is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join(_FAREWELL)


def _run(opened: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]]) -> None:
    async def serve() -> None:
        over = asyncio.Event()
        opened.set_result((asyncio.get_running_loop(), over))
        await over.wait()
        # A loop that was stuck and is not any more has calls of others to end.
        while (calls := _calls()) and not _portal.is_over:
            await asyncio.sleep(_SIGN_OF_LIFE)
        for call in calls:
            call.cancel()
        if calls:
            await asyncio.wait(calls, timeout=_FAREWELL)

    try:
        with asyncio.Runner(loop_factory=_Loop) as runner:
            runner.run(serve())
    except BaseException as error:
        if opened.done():
            raise
        opened.set_exception(error)


def _calls() -> list[asyncio.Task[Any]]:
    return [task for task in asyncio.all_tasks() if task.get_name() == _CALL]


_portal = _Portal()
atexit.register(_portal.close)
if hasattr(os, "register_at_fork"):
    # A child of `fork` has the memory of the thread, and not the thread.
    os.register_at_fork(after_in_child=_portal.forget)


def is_here() -> bool:
    """Whether this runs on that loop, for a call that blocks."""
    return _portal.is_here


def call(function: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Await something on that loop."""
    return _portal.start(function)[1].result()


def each(
    make: Callable[[], AsyncGenerator[T, None]], clock: Clock, is_wanted: Callable[[T], bool] = lambda _: True
) -> Iterator[T]:
    """Give what an asynchronous generator gives, on that loop; who leaves early cancels it.

    Args:
        clock: When it is to be over.
        is_wanted: For what the caller is to be woken.

    Raises:
        StuckError: When it is not over, since something blocks the loop, or there is none.

        NarratorError: `bad_request`, on the loop itself, which such a call would block.
    """
    told: SimpleQueue[Any] = SimpleQueue()

    async def run() -> BaseException | None:
        if (task := asyncio.current_task()) is not None:
            task.set_name(_CALL)
        try:
            async with aclosing(make()) as pieces:
                async for piece in pieces:
                    if is_wanted(piece):
                        told.put(piece)
        except BaseException as error:
            # Whatever a source raises is its caller's, and nothing that may end the loop.
            return error
        return None

    def end(_: object) -> None:
        # A thread that still waits when the process ends has nobody left to answer to.
        if not _portal.is_over:
            told.put(_END)

    loop, task = _portal.start(run)
    task.add_done_callback(end)
    try:
        while (piece := _next(told, clock, loop)) is not _END:
            yield piece
        if (failure := task.result()) is not None:
            raise failure
    finally:
        task.cancel()


def _next(told: SimpleQueue[Any], clock: Clock, loop: asyncio.AbstractEventLoop) -> Any:
    while True:
        try:
            return told.get(timeout=clock.left + _PATIENCE)
        except Empty:
            lives = Event()
            loop.call_soon_threadsafe(lives.set)
            if not lives.wait(_SIGN_OF_LIFE):
                _portal.leave(loop)
                raise StuckError from None
