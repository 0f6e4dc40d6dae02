"""How long calls for words hold up the loop that they share. `python -m benchmarks.waiting`."""

import asyncio
import gc
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

import narrator
from benchmarks._apart import ANSWER, REQUEST, apart, served

AT_ONCE, RUNS = 100, 9
TICK = 0.001
"""Seconds between the ticks of a task that does nothing else."""
AIM = 0.02


def main() -> None:
    """Measure, and print the table."""
    Console(width=110).print(_held_up())


class Hold(NamedTuple):
    """A tick that came late: by how many seconds, and how many this process worked and collected garbage meanwhile."""

    late: float
    working: float
    collecting: float


def _held_up() -> Table:
    table = Table(
        f"{RUNS} runs, ticks of {TICK * 1e3:g} ms",
        "median ms",
        "worked ms",
        f"worst ms (aim: {AIM * 1e3:g})",
        "worked ms",
        "collected garbage ms",
        caption="frozen: warm, and then gc.freeze(); worked: this process alone, whatever else the machine does",
        title="the longest that a task of the loop was held up",
    )
    with served(ANSWER) as base_url:
        for source in ("deck", "server"):
            for how in ("cold", "warm", "frozen"):
                for calls in (0, 1, AT_ONCE) if how != "cold" else (1, AT_ONCE):
                    # A process is cold only once.
                    runs = [(calls, 1)] * RUNS if how == "cold" else [(calls, RUNS)]
                    holds = [hold for each in runs for hold in apart(_holds, source, base_url, how, *each)]
                    worst = max(holds)
                    table.add_row(
                        f"{source}, {how}: {calls or 'no'} call{'s' * (calls != 1)}",
                        *(
                            f"{seconds * 1e3:.1f}"
                            for seconds in (
                                statistics.median(hold.late for hold in holds),
                                statistics.median(hold.working for hold in holds),
                                *worst,
                            )
                        ),
                    )
    return table


def _holds(source: str, base_url: str, how: str, calls: int, runs: int) -> list[Hold]:
    os.environ |= {"NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": base_url}

    async def one() -> None:
        async for _event in narrator.astream(REQUEST, source="deck" if source == "deck" else None):
            pass

    async def every_run() -> list[Hold]:
        if how != "cold":
            await narrator.awarm()
            await one()
        if how == "frozen":
            gc.collect()
            gc.freeze()
        return [await _hold([one] * calls) for _ in range(runs)]

    return asyncio.run(every_run())


async def _hold(calls: list[Callable[[], Awaitable[None]]]) -> Hold:
    """Make calls at once, and tick meanwhile."""
    holds, collected, began = list[Hold](), 0.0, 0.0

    def collecting(phase: str, _: dict[str, int]) -> None:
        nonlocal collected, began
        if phase == "start":
            began = time.perf_counter()
        else:
            collected += time.perf_counter() - began

    async def tick() -> None:
        while True:
            due, worked, before = time.perf_counter() + TICK, time.process_time(), collected
            await asyncio.sleep(TICK)
            holds.append(Hold(time.perf_counter() - due, time.process_time() - worked, collected - before))

    gc.callbacks.append(collecting)
    ticking = asyncio.create_task(tick())
    await asyncio.sleep(TICK)
    await asyncio.gather(*(call() for call in calls), *([] if calls else [asyncio.sleep(0.5)]))
    await asyncio.sleep(TICK)
    ticking.cancel()
    gc.callbacks.remove(collecting)
    return max(holds)


if __name__ == "__main__":
    main()
