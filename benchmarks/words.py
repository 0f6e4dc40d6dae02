"""How long words take: beside the SDK's own loop over the same answer, from first to last, and from call to call.

The server is a process of its own on loopback that says the same three suggestions, at once or slowly. Where
NARRATOR_MODEL and NARRATOR_BASE_URL are set, that model is asked instead, a few times. `python -m benchmarks.words`.
"""

import asyncio
import gc
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import httpx2
import openai
from rich.console import Console
from rich.table import Table

import narrator
from benchmarks._apart import ANSWER, PIECES, REQUEST, TEXT, Varied, served
from benchmarks._call import seconds_of
from narrator.sources.kinds.openai import OpenAICompatible
from narrator.sources.settings import Settings, from_environment
from tests.scripted_server import Reply, ScriptedServer

ROUNDS, WARM_UP = 200, 20
ROUNDS_OF_A_MODEL, WARM_UP_OF_A_MODEL = 10, 1
PAUSE = 0.05
"""Seconds between the events of the slow server: a model of some 80 tokens a second."""
SLOW_ROUNDS = 5
PROCESSES, CALLS = 5, 100
AIM, AIM_OF_THE_FIRST = 1.1, 0.35
PATIENCE = 600.0
"""Seconds for a call of a model that may run on this machine."""


def main() -> None:
    """Measure, and print the tables."""
    console = Console(width=110)
    settings = _named()
    if settings is not None:
        console.print(f"{settings.model} at {settings.host}; {ROUNDS_OF_A_MODEL} rounds; {os.cpu_count()} cores")
        console.print(_beside_the_sdk(settings, ROUNDS_OF_A_MODEL, WARM_UP_OF_A_MODEL))
        console.print(_first_to_last(settings))
        return
    console.print(
        f"{len(TEXT)} characters in {-(-len(TEXT) // PIECES)} events; {ROUNDS} rounds; {os.cpu_count()} cores\n"
        "garbage of before is frozen, and collected ahead of each call; collection is on during all of them"
    )
    with served(ANSWER) as base_url:
        console.print(_beside_the_sdk(Settings("tiny", base_url), ROUNDS, WARM_UP))
        console.print(_call_to_call(base_url))
    with served(Varied(Reply(TEXT, pieces=PIECES, pause=PAUSE))) as base_url:
        console.print(_first_to_last(Settings("tiny", base_url), floor=True))


def _named() -> Settings | None:
    named = os.environ.get("NARRATOR_MODEL") and os.environ.get("NARRATOR_BASE_URL")
    return from_environment(os.environ) if named else None


def _beside_the_sdk(settings: Settings, rounds: int, warm_up: int) -> Table:
    source, body = OpenAICompatible(settings), _body(settings.model)
    whole = {name: value for name, value in body.items() if name not in ("stream", "stream_options")}
    told: dict[str, Any] = {"api_key": settings.api_key or "none", "base_url": settings.base_url, "max_retries": 0}
    asked: dict[str, Any] = {"source": source, "repairs": 0, "timeout": PATIENCE}
    # The SDK's own clients, but for the proxies of the machine where narrator takes none either.
    trust = not settings.is_loopback
    client = openai.OpenAI(**told, http_client=httpx2.Client(trust_env=trust))
    async_client = openai.AsyncOpenAI(**told, http_client=httpx2.AsyncClient(trust_env=trust))

    def bare_stream() -> None:
        for _chunk in client.chat.completions.create(**body):
            pass

    def suggest() -> None:
        narrator.suggest(REQUEST, **asked)

    def stream() -> None:
        for _event in narrator.stream(REQUEST, **asked):
            pass

    def bare_whole() -> None:
        client.chat.completions.create(**whole)

    async def bare_async() -> None:
        async for _chunk in await async_client.chat.completions.create(**body):
            pass

    async def astream() -> None:
        async for _event in narrator.astream(REQUEST, **asked):
            pass

    bare, bare_on_a_loop = "openai SDK, streamed", "openai SDK, streamed, async"
    with asyncio.Runner() as runner:
        times = _measure(
            {
                bare: bare_stream,
                "narrator.suggest": suggest,
                "narrator.stream": stream,
                "openai SDK, not streamed": bare_whole,
                bare_on_a_loop: lambda: runner.run(bare_async()),
                "narrator.astream": lambda: runner.run(astream()),
            },
            rounds,
            warm_up,
        )
        notices = narrator.suggest(REQUEST, **asked).notices
        runner.run(async_client.close())
    source.close()
    client.close()
    table = Table("call", "median ms", "p95 ms", f"times the bare call (aim: {AIM})", caption=" ".join(notices))
    for name, seconds in times.items():
        beside = bare_on_a_loop if name in (bare_on_a_loop, "narrator.astream") else bare
        ratio = statistics.median(seconds) / statistics.median(times[beside])
        p95 = statistics.quantiles(seconds, n=20)[-1]
        table.add_row(name, f"{statistics.median(seconds) * 1e3:.2f}", f"{p95 * 1e3:.2f}", f"{ratio:.2f}")
    return table


def _measure(calls: dict[str, Callable[[], object]], rounds: int, warm_up: int) -> dict[str, list[float]]:
    """Make one call of each kind a round, every other round backwards, so that none always follows the same one."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(warm_up + rounds):
        if number == warm_up:
            gc.collect()
            gc.freeze()
        for name, call in list(calls.items())[:: -1 if number % 2 else 1]:
            gc.collect()
            started = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - started)
    gc.unfreeze()
    return {name: seconds[warm_up:] for name, seconds in times.items()}


def _first_to_last(settings: Settings, *, floor: bool = False) -> Table:
    """Measure when the first suggestion is there, and when the last one of the model's.

    Args:
        floor: Whether the text and the pace are ours, so that it is known when each of them can be there at all.
    """
    source = OpenAICompatible(settings)
    title = "first s", "last s", f"first to last (aim: {AIM_OF_THE_FIRST})", "whole answer s"
    table = Table("streaming slowly, medians" if floor else "streaming, medians", *title)

    def is_written(event: narrator.Event) -> bool:
        return event.event == "accepted" and event.accepted.source == source.label

    def blocking() -> list[float]:
        events = narrator.stream(REQUEST, source=source, repairs=0, timeout=PATIENCE)
        return [time.perf_counter() for event in events if is_written(event)]

    async def on_a_loop() -> list[float]:
        events = narrator.astream(REQUEST, source=source, repairs=0, timeout=PATIENCE)
        return [time.perf_counter() async for event in events if is_written(event)]

    with asyncio.Runner() as runner:
        ways: dict[str, Callable[[], list[float]]] = {
            "narrator.stream": blocking,
            "narrator.astream": lambda: runner.run(on_a_loop()),
        }
        rows: dict[str, list[tuple[float, ...]]] = {name: [] for name in ways}
        for _ in range(SLOW_ROUNDS):
            for name, way in ways.items():
                started = time.perf_counter()
                if accepted := way():
                    rows[name].append(tuple(at - started for at in (accepted[0], accepted[-1], time.perf_counter())))
    source.close()
    for name, found in rows.items():
        if found:
            first, last, done = (statistics.median(each) for each in zip(*found, strict=True))
            table.add_row(name, f"{first:.2f}", f"{last:.2f}", f"{first / last:.3f}", f"{done:.2f}")
    if floor:
        closed = [TEXT.index("}") + 1, TEXT.rindex("}]") + 1]
        first, last = ((-(-characters // PIECES) - 1) * PAUSE for characters in closed)
        table.add_row("the text itself, at this pace", f"{first:.2f}", f"{last:.2f}", f"{first / last:.3f}", "")
        table.caption = f"by its characters: {closed[0]} of {closed[1]}, {closed[0] / closed[1]:.3f}"
    return table


def _call_to_call(base_url: str) -> Table:
    """Measure the first call of a process, and the hundredth."""
    body = _body("tiny")
    kinds: dict[str, dict[str, Any]] = {
        "openai SDK, streamed": {"way": "sdk", "body": body},
        "narrator.suggest": {"way": "suggest"},
        "the same after warm()": {"way": "suggest", "warm": True},
        "narrator.astream": {"way": "astream"},
        "the same after awarm()": {"way": "astream", "warm": True},
    }
    times: dict[str, list[list[float]]] = {name: [] for name in kinds}
    for _ in range(PROCESSES):
        for name, kind in kinds.items():
            times[name].append(seconds_of(base_url, **kind, request=REQUEST, calls=CALLS))
    table = Table(
        f"medians of {PROCESSES} processes",
        "first call ms",
        "second ms",
        "100th ms",
        "100th to first",
        caption="the first call's imports are part of it; the 100th is the median of the last 20",
    )
    for name, processes in times.items():
        first, second, last = (
            statistics.median(each)
            for each in zip(*((all_[0], all_[1], statistics.median(all_[-20:])) for all_ in processes), strict=True)
        )
        table.add_row(name, *(f"{each * 1e3:.1f}" for each in (first, second, last)), f"{last / first:.2f}")
    return table


def _body(model: str) -> dict[str, Any]:
    """What narrator sends, as it was received: the bare call sends the same."""
    with ScriptedServer(Reply(TEXT)) as server:
        source = OpenAICompatible(Settings(model, server.base_url))
        answer = narrator.suggest(REQUEST, source=source)
        source.close()
    assert not answer.notices, "the text is one that passes the check"
    body: dict[str, Any] = server.requests[0].body
    return body


if __name__ == "__main__":
    main()
