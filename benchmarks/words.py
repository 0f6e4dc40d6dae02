"""How long words take: beside the bare call that a request contains, and from the first suggestion to the last.

The server is a process of its own on loopback, which answers at once (or, for the second table, slowly) with the same
three suggestions; each round makes one call of each kind in turn. `python -m benchmarks.words`.
"""

import asyncio
import json
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx2
import openai
from rich.console import Console
from rich.table import Table

import narrator
from narrator.sources.openai_compatible import OpenAICompatible
from narrator.sources.settings import Settings
from tests.scripted_server import Reply, ScriptedServer, Wire, suggestions

ROUNDS, WARM_UP = 200, 20
PIECES = 16
"""Characters of an event: what providers send for three or four tokens."""
PAUSE = 0.02
"""Seconds between the events of the slow server."""
AIM = 1.5

REQUEST: dict[str, Any] = json.loads((Path(__file__).parents[1] / "examples" / "cynere.json").read_text("utf-8"))


def main() -> None:
    """Measure, and print two tables."""
    text = _text()
    console = Console()
    console.print(
        f"{len(text)} characters in {-(-len(text) // PIECES)} events; {ROUNDS} rounds; {os.cpu_count()} cores"
    )
    with _server(text, 0.0) as base_url:
        console.print(_beside_the_bare_call(base_url))
    with _server(text, PAUSE) as base_url:
        console.print(_first_to_last(base_url))


def _text() -> str:
    """The answer: three suggestions that are accepted."""
    cards = narrator.suggest(REQUEST, source="deck").suggestions
    return suggestions(
        *({name: getattr(card, name) for name in ("slot", "form", "to", "name", "detail")} for card in cards)
    )


def _beside_the_bare_call(base_url: str) -> Table:
    source, body = OpenAICompatible(Settings("tiny", base_url)), _body(base_url)
    whole = {name: value for name, value in body.items() if name not in ("stream", "stream_options")}
    # The SDK's own client, but for the proxies of the machine.
    client = openai.OpenAI(api_key="none", base_url=base_url, max_retries=0, http_client=httpx2.Client(trust_env=False))

    def bare_stream() -> str:
        chunks = client.chat.completions.create(**body)
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)

    def bare_whole() -> str:
        return str(client.chat.completions.create(**whole).choices[0].message.content)

    def suggest() -> None:
        assert not narrator.suggest(REQUEST, source=source).notices

    def stream() -> None:
        *_, last = narrator.stream(REQUEST, source=source)
        assert last.event == "done"
        assert not last.done.notices

    calls: dict[str, Callable[[], object]] = {
        "openai SDK, streamed": bare_stream,
        "narrator.suggest": suggest,
        "narrator.stream": stream,
        "openai SDK, not streamed": bare_whole,
    }
    times = _measure(calls)
    times |= asyncio.run(_async_times(base_url, body, source))
    source.close()
    client.close()
    table = Table("call", "median ms", "p95 ms", f"times the bare call (aim: {AIM})")
    for name, seconds in times.items():
        bare = "openai SDK, streamed, async" if name.endswith("async") or "astream" in name else "openai SDK, streamed"
        ratio = statistics.median(seconds) / statistics.median(times[bare])
        p95 = statistics.quantiles(seconds, n=20)[-1]
        table.add_row(name, f"{statistics.median(seconds) * 1e3:.2f}", f"{p95 * 1e3:.2f}", f"{ratio:.2f}")
    return table


async def _async_times(base_url: str, body: dict[str, Any], source: OpenAICompatible) -> dict[str, list[float]]:
    http_client = httpx2.AsyncClient(trust_env=False)
    times: dict[str, list[float]] = {"openai SDK, streamed, async": [], "narrator.astream": []}
    async with openai.AsyncOpenAI(api_key="none", base_url=base_url, max_retries=0, http_client=http_client) as client:
        for _ in range(WARM_UP + ROUNDS):
            started = time.perf_counter()
            async for _chunk in await client.chat.completions.create(**body):
                pass
            middle = time.perf_counter()
            async for _event in narrator.astream(REQUEST, source=source):
                pass
            times["openai SDK, streamed, async"].append(middle - started)
            times["narrator.astream"].append(time.perf_counter() - middle)
    return {name: seconds[WARM_UP:] for name, seconds in times.items()}


def _measure(calls: dict[str, Callable[[], object]]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(WARM_UP + ROUNDS):
        for name, call in calls.items():
            started = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - started)
    return {name: seconds[WARM_UP:] for name, seconds in times.items()}


def _first_to_last(base_url: str) -> Table:
    source = OpenAICompatible(Settings("tiny", base_url))
    table = Table("streaming slowly", "first suggestion s", "last suggestion s", "first to last", "whole answer s")

    def row(name: str, started: float, accepted: list[float], done: float) -> None:
        first, last = accepted[0] - started, accepted[-1] - started
        table.add_row(name, f"{first:.2f}", f"{last:.2f}", f"{first / last:.2f}", f"{done - started:.2f}")

    started = time.perf_counter()
    accepted = [time.perf_counter() for event in narrator.stream(REQUEST, source=source) if event.event == "accepted"]
    row("narrator.stream", started, accepted, time.perf_counter())

    async def events() -> list[float]:
        stream = narrator.astream(REQUEST, source=source)
        return [time.perf_counter() async for event in stream if event.event == "accepted"]

    started = time.perf_counter()
    accepted = asyncio.run(events())
    row("narrator.astream", started, accepted, time.perf_counter())
    source.close()
    return table


def _body(base_url: str) -> dict[str, Any]:
    """What narrator sends, as it was received: the bare call sends the same."""
    with ScriptedServer(Reply(_text())) as server:
        source = OpenAICompatible(Settings("tiny", server.base_url))
        narrator.suggest(REQUEST, source=source)
        source.close()
    body: dict[str, Any] = server.requests[0].body
    return body


class _Always(list[Callable[[Wire], None]]):
    """A script that never ends, and never says quite the same: what was judged before must not be known already."""

    def __init__(self, text: str, pause: float) -> None:
        super().__init__([Wire.end])
        self._text, self._pause, self._count = text, pause, 0

    def pop(self, index: Any = -1) -> Callable[[Wire], None]:
        self._count += 1
        word = "".join("abdegiklmnoprstu"[self._count >> shift & 15] for shift in (0, 4, 8, 12))
        return Reply(self._text.replace('."}', f' by the {word}."}}'), pieces=PIECES, pause=self._pause)


@contextmanager
def _server(text: str, pause: float) -> Iterator[str]:
    """The scripted server in a process of its own, so that its work is not counted as the client's."""
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=_serve, args=(theirs, text, pause), daemon=True)
    child.start()
    try:
        yield ours.recv()
    finally:
        ours.send("end")
        child.join(10)


def _serve(pipe: Connection, text: str, pause: float) -> None:
    with ScriptedServer() as server:
        server.script = _Always(text, pause)
        pipe.send(server.base_url)
        pipe.recv()


if __name__ == "__main__":
    main()
