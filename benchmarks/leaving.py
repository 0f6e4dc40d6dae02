"""What a thousand calls for words leave behind: sockets, threads, memory. `python -m benchmarks.leaving`."""

import asyncio
import gc
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing, closing, suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import narrator
from benchmarks._apart import ANSWER, REQUEST, STUCK, apart, served

FEW, MANY = 100, 1_000
SOON = 0.02
"""Seconds for a call that is to run out of time."""


def main() -> None:
    """Measure, and print the table."""
    if Path("/proc/self/fd").exists():
        Console(width=110).print(_left_behind())
    else:
        print("What a process holds is counted in /proc, which is not here.")


class Held(NamedTuple):
    """What a process holds: sockets, threads, and megabytes of memory."""

    sockets: int
    threads: int
    megabytes: float


def _left_behind() -> Table:
    table = Table(
        f"after {FEW} and {MANY:,} calls",
        "sockets",
        "threads",
        "memory MB",
        title="what calls leave behind",
        caption="each row a process; cancelled, closed: once the first suggestion is there; "
        f"abandoned: a server that stops short, and {SOON:g} s",
    )
    with served(ANSWER) as answering, served(STUCK) as stuck:
        for name in ("suggest", "stream, closed", "suggest, abandoned", *_ASYNC):
            base_url = answering if name in ("suggest", "astream") else stuck
            few, many = apart(_counted, name, base_url)
            table.add_row(
                name,
                f"{few.sockets} - {many.sockets}",
                f"{few.threads} - {many.threads}",
                f"{few.megabytes:.1f} - {many.megabytes:.1f}",
            )
    return table


def _counted(name: str, base_url: str) -> list[Held]:
    os.environ |= {"NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": base_url}
    if name in _ASYNC:
        return asyncio.run(_counted_on_a_loop(_ASYNC[name]))
    counts = []
    for number in range(1, MANY + 1):
        _BLOCKING[name]()
        if number in (FEW, MANY):
            time.sleep(5 * SOON)
            counts.append(_held())
    return counts


async def _counted_on_a_loop(call: Callable[[], Awaitable[None]]) -> list[Held]:
    counts = []
    for number in range(1, MANY + 1):
        await call()
        if number in (FEW, MANY):
            await asyncio.sleep(5 * SOON)
            counts.append(_held())
    return counts


def _held() -> Held:
    gc.collect()
    sockets = 0
    for each in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            sockets += os.readlink(each).startswith("socket:")
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return Held(sockets, len(os.listdir("/proc/self/task")), pages * os.sysconf("SC_PAGE_SIZE") / 1e6)


def _suggest(timeout: float) -> None:
    narrator.suggest(REQUEST, repairs=0, timeout=timeout)


def _close() -> None:
    with closing(narrator.stream(REQUEST)) as events:  # type: ignore[type-var]
        for event in events:
            if event.event == "accepted":
                return


async def _all() -> None:
    async for _event in narrator.astream(REQUEST):
        pass


async def _cancel() -> None:
    there = asyncio.Event()

    async def read() -> None:
        async for event in narrator.astream(REQUEST):
            if event.event == "accepted":
                there.set()

    task = asyncio.create_task(read())
    await there.wait()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _aclose() -> None:
    async with aclosing(narrator.astream(REQUEST)) as events:  # type: ignore[type-var]
        async for event in events:
            if event.event == "accepted":
                return


async def _abandon() -> None:
    async for _event in narrator.astream(REQUEST, repairs=0, timeout=SOON):
        pass


_BLOCKING: dict[str, Callable[[], None]] = {
    "suggest": partial(_suggest, 20.0),
    "stream, closed": _close,
    "suggest, abandoned": partial(_suggest, SOON),
}
_ASYNC: dict[str, Callable[[], Awaitable[None]]] = {
    "astream": _all,
    "astream, cancelled": _cancel,
    "astream, closed": _aclose,
    "astream, abandoned": _abandon,
}


if __name__ == "__main__":
    main()
