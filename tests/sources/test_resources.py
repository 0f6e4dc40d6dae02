"""What calls leave behind: no connection, no thread and no memory, whatever became of them."""

import asyncio
import gc
import os
import threading
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, contextmanager, suppress
from functools import partial

import pytest

import narrator
from narrator.sources.kinds.openai import OpenAICompatible
from narrator.sources.settings import Settings
from narrator.suggestions.pipeline.answer import Event
from narrator.suggestions.source.protocol import Source
from tests.asking import CYNERE
from tests.leaping import DEADLINE
from tests.scripted_server import Received, Reply, ScriptedServer, Step, Wire
from tests.sources.asking import TEXT

FEW, MANY = 12, 200
"""Calls of a test, and of one that may take long."""

AT_ONCE = 6

A_CALL = 3_000
"""Bytes that a call may leave behind on average: far fewer than its answer has."""

WHOLE: Step = Reply(TEXT, pieces=60)
HALF: Step = Reply(TEXT, pieces=60, after=len(TEXT) // 2, then=Wire.hang)

Given = Callable[[], Source | None]
"""The source of the next call."""

Way = Callable[[int, Given], object]
"""So many calls."""


def plain(number: int, source: Given, timeout: float = DEADLINE) -> None:
    """Ask and wait; who has no time is told so."""
    for _ in range(number):
        assert bool(narrator.suggest(CYNERE, source=source(), timeout=timeout).notices) == (timeout < DEADLINE)


def on_a_loop(number: int, source: Given, at_once: int = 1, timeout: float = DEADLINE) -> None:
    """The same, in one loop, some at once."""

    async def one() -> None:
        assert [event async for event in _events(source(), timeout)][-1].event == "done"

    async def ask() -> None:
        for _ in range(number // at_once):
            await asyncio.gather(*[one() for _ in range(at_once)])

    asyncio.run(ask())


def loops(number: int, source: Given) -> None:
    """The same, each in a loop of its own."""
    for _ in range(number):
        on_a_loop(1, source)


def threads(number: int, source: Given) -> None:
    """Some at once, in threads."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(lambda _: plain(1, source), range(number)))


def left(number: int, source: Given) -> None:
    """Take the first suggestion, and leave without a word."""
    for _ in range(number):
        for event in narrator.stream(CYNERE, source=source(), timeout=DEADLINE):
            if event.event == "accepted":
                break


def closed(number: int, source: Given) -> None:
    """Take the first suggestion on a loop, and close the events."""

    async def ask() -> None:
        for _ in range(number):
            async with aclosing(_accepted(source())) as accepted:  # type: ignore[type-var]
                await anext(accepted)

    asyncio.run(ask())


def cancelled(number: int, source: Given) -> None:
    """Cancel the task that asks, when it has its first suggestion."""

    async def ask() -> None:
        for _ in range(number):
            begun = asyncio.Event()

            async def wait(begun: asyncio.Event) -> None:
                async for _ in _accepted(source()):
                    begun.set()

            task = asyncio.create_task(wait(begun))
            await begun.wait()
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    asyncio.run(ask())


def _events(source: Source | None, timeout: float = DEADLINE) -> AsyncIterator[Event]:
    return narrator.astream(CYNERE, source=source, timeout=timeout)


async def _accepted(source: Source | None) -> AsyncIterator[Event]:
    async with aclosing(_events(source)) as events:  # type: ignore[type-var]
        async for event in events:
            if event.event == "accepted":
                yield event


WAYS: dict[str, tuple[Way, Step]] = {
    "plain": (plain, WHOLE),
    "on a loop": (on_a_loop, WHOLE),
    "loops": (loops, WHOLE),
    "side by side": (partial(on_a_loop, at_once=AT_ONCE), WHOLE),
    "threads": (threads, WHOLE),
    "left": (left, HALF),
    "closed": (closed, HALF),
    "cancelled": (cancelled, HALF),
    "abandoned": (partial(plain, timeout=0.02), HALF),
    "abandoned on a loop": (partial(on_a_loop, timeout=0.02), HALF),
}


class Always(ScriptedServer):
    """A server that answers every request alike, and keeps none."""

    def _next_step(self, received: Received) -> Step:
        return self.script[0]


def _held() -> tuple[int, int]:
    gc.collect()
    return len(os.listdir("/proc/self/fd")), threading.active_count()


def _settled() -> tuple[int, int]:
    """What is held as soon as that does not change any more."""
    before = None
    while (now := _held()) != before:
        before = now
        time.sleep(0.1)
    return now


def _settles(held: tuple[int, int], connections: int = 0) -> None:
    """No more is held than that, as soon as the last calls have ended, but for so many connections that are kept."""
    end = time.monotonic() + DEADLINE
    # The server is in this process: a connection has a socket at either end, and a thread.
    most = held[0] + 2 * connections, held[1] + connections
    while any(now > before for now, before in zip(_held(), most, strict=True)):
        assert time.monotonic() < end, (most, _held(), threading.enumerate())
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def _can_be_seen() -> None:
    """Elsewhere the open files of a process are not listed."""
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("there is no list of open files")


EVERY_DAY = {"plain", "cancelled"}
"""What is not left to `make test-all`."""


@contextmanager
def served(step: Step, is_kept: bool) -> Iterator[Given]:
    """Sources for a server that answers like this: one that is kept, or one for each call."""
    with Always(step) as server:
        settings = Settings("tiny", server.base_url)
        kept = OpenAICompatible(settings)
        yield lambda: kept if is_kept else OpenAICompatible(settings)
        kept.close()


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in EVERY_DAY else pytest.mark.full) for each in WAYS]
)
def test_no_socket_or_thread_is_left(name: str) -> None:
    """After many calls there are as many sockets and threads as after a few."""
    way, step = WAYS[name]
    with served(step, is_kept=False) as source:
        way(AT_ONCE, source)
        held = _settled()
        way(FEW, source)
        _settles(held)


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "is_kept"), [*((name, True) for name in WAYS), ("plain", False), ("cancelled", False), ("loops", False)]
)
def test_nothing_is_left(name: str, is_kept: bool) -> None:
    """Nor is any memory taken, whether one source is kept or each call has its own."""
    way, step = WAYS[name]
    with served(step, is_kept) as source:
        way(AT_ONCE, source)
        held = _settled()
        tracemalloc.start()
        try:
            taken = []
            for number in (AT_ONCE, MANY, MANY):
                way(number, source)
                # How many were needed at once at first depends on how busy the machine was.
                _settles(held, AT_ONCE if is_kept else 0)
                gc.collect()
                taken.append(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
    # What is loaded once, whenever that is, is no leak: that comes with every round.
    assert min(taken[1] - taken[0], taken[2] - taken[1]) < MANY * A_CALL


@pytest.mark.parametrize("way", [plain, on_a_loop, threads])
def test_the_model_of_the_environment_has_one_source(way: Way, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection is kept from call to call, and threads at once have no more than one each."""
    with Always(WHOLE) as server:
        monkeypatch.setenv("NARRATOR_MODEL", "tiny")
        monkeypatch.setenv("NARRATOR_BASE_URL", server.base_url)
        way(FEW, lambda: None)
        assert server.connections <= (AT_ONCE if way is threads else 1)
