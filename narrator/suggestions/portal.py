"""The loop on which blocking calls wait: one thread for the process, started by the first that needs it."""

import asyncio
import atexit
import os
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import aclosing
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread, current_thread
from typing import Any, TypeVar, TypeVarTuple

import anyio
from anyio.from_thread import BlockingPortal

from narrator.suggestions.aside import aside

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_FAREWELL = 0.5
"""Seconds that an ending process gives the loop to close its connections."""

_END: Any = object()


class _Loop(asyncio.SelectorEventLoop):
    """
    An event loop that does what blocks, such as looking names up, in daemon threads: those of a pool would hold up the
    end of the process.
    """

    def run_in_executor(self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts) -> asyncio.Future[T]:
        if executor is None:
            return self.create_task(aside(partial(func, *args)))
        return super().run_in_executor(executor, func, *args)


class _Portal:
    """
    The loop of this process, where there is one.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._thread: Thread | None = None
        self._portal: BlockingPortal
        self._stop: Callable[[], object]
        self.is_over = False

    @property
    def is_here(self) -> bool:
        return current_thread() is self._thread

    def open(self) -> BlockingPortal:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                opened = Future[tuple[BlockingPortal, Callable[[], object]]]()
                self._thread = Thread(target=_run, args=(opened,), name="narrator-loop", daemon=True)
                self._thread.start()
                self._portal, self._stop = opened.result()
            return self._portal

    def forget(self) -> None:
        self._lock, self._thread = Lock(), None

    def close(self) -> None:
        self.is_over = True
        if self._thread is not None and self._thread.is_alive():
            self._stop()
            self._thread.join(_FAREWELL)


def _run(opened: Future[tuple[BlockingPortal, Callable[[], object]]]) -> None:
    async def serve() -> None:
        async with BlockingPortal() as portal:
            over = asyncio.Event()
            opened.set_result((portal, partial(asyncio.get_running_loop().call_soon_threadsafe, over.set)))
            await over.wait()
            await portal.stop(cancel_remaining=True)

    anyio.run(serve, backend_options={"loop_factory": _Loop})


_portal = _Portal()
atexit.register(_portal.close)
if hasattr(os, "register_at_fork"):
    # A child of `fork` has the memory of the thread, and not the thread.
    os.register_at_fork(after_in_child=_portal.forget)


def is_here() -> bool:
    """
    Whether this runs on that loop, for a call that blocks.
    """
    return _portal.is_here


def call(function: Callable[[], Awaitable[T]]) -> T:
    """
    Await something on that loop.
    """
    return _portal.open().call(function)


def each(make: Callable[[], AsyncGenerator[T, None]]) -> Iterator[T]:
    """
    Give what an asynchronous generator gives, on that loop; who leaves early cancels it.
    """
    told: SimpleQueue[Any] = SimpleQueue()
    task = _started(make, told.put)
    task.add_done_callback(lambda _: told.put(_END))
    try:
        while (piece := told.get()) is not _END:
            yield piece
        _raise_failure(task)
    finally:
        task.cancel()


def last(make: Callable[[], AsyncGenerator[T, None]]) -> T:
    """
    Give the last of what an asynchronous generator gives, and wake nobody before.
    """
    kept = deque[T](maxlen=1)
    task = _started(make, kept.append)
    try:
        _raise_failure(task)
    finally:
        task.cancel()
    return kept[0]


def _started(make: Callable[[], AsyncGenerator[T, None]], take: Callable[[T], object]) -> Future[BaseException | None]:
    """
    Run an asynchronous generator on the loop; what it raised is what comes of it.
    """

    async def run() -> BaseException | None:
        try:
            async with aclosing(make()) as pieces:
                async for piece in pieces:
                    take(piece)
        except anyio.get_cancelled_exc_class():
            raise
        except BaseException as error:
            # Whatever a source raises is its caller's, and nothing that may end the loop.
            return error
        return None

    return _portal.open().start_task_soon(run)


def _raise_failure(task: Future[BaseException | None]) -> None:
    try:
        failure = task.result()
    except CancelledError:
        if _portal.is_over:
            # A thread that still waits when the process ends has nobody left to answer to: it ends without a word.
            raise SystemExit from None
        raise
    if failure is not None:
        raise failure
