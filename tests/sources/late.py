"""
A program that asks twice who does not answer, the first time as the first call of its process; it prints as JSON how
long each took and what it found, and when the last was over.

    python -m tests.sources.late suggest environment
"""

import asyncio
import json
import socket
import sys
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

from tests.pouring import SURPLUS

REQUEST: dict[str, Any] = json.loads((Path(__file__).parents[2] / "examples" / "cynere.json").read_text("utf-8"))

LONG = 10.0
"""Seconds for which whatever hangs does."""

TIMEOUT = 1.0
"""Seconds of each call."""


def huge(request: dict[str, Any] = REQUEST) -> dict[str, Any]:
    """The request with as many people, facts and lines as one may have, about 200,000 characters."""
    scene = request["scene"]
    people = [
        {"name": f"Watcher of Gate {n}", "side": "opposition", "aspects": [f"Keeper of the Rusty Key {n}"] * 3}
        for n in range(490)
    ]
    facts = [
        f"In house number {n} of Thaalor somebody is awake, and sees all that happens at the gate." for n in range(500)
    ]
    lines = [f"harm to the cat of house {n}, and talk of it" for n in range(500)]
    more = {"facts": facts, "lines": lines, "characters": [*scene["characters"], *people]}
    return request | {"scene": scene | more}


class Blocks:
    """A source that only blocks."""

    label = "late:blocks"

    def stream(self, brief: object, seconds: float) -> Iterator[str]:
        """Say a word, and then nothing."""
        yield "Well"
        time.sleep(LONG)


class BlocksAtOnce:
    """A source that blocks before it gives anything to read from."""

    label = "late:blocks_at_once"

    def stream(self, brief: object, seconds: float) -> Iterator[str]:
        """Say nothing."""
        time.sleep(LONG)
        return iter(())


class Silent:
    """A source that never says anything."""

    label = "late:silent"

    async def astream(self, brief: object, seconds: float) -> AsyncGenerator[str, None]:
        """Say nothing."""
        await asyncio.sleep(LONG)
        yield ""


class InAThread:
    """A source that blocks in a thread of the loop's own."""

    label = "late:in_a_thread"

    async def astream(self, brief: object, seconds: float) -> AsyncGenerator[str, None]:
        """Say nothing."""
        await asyncio.to_thread(time.sleep, LONG)
        yield ""


class Endless:
    """A source that never ends, in both ways, and says nothing that makes sense."""

    label = "late:endless"

    def __init__(self, piece: str) -> None:
        self._piece = piece

    def stream(self, brief: object, seconds: float) -> Iterator[str]:
        """Go on and on."""
        yield from repeat(self._piece)

    async def astream(self, brief: object, seconds: float) -> AsyncGenerator[str, None]:
        """Go on and on, without a moment for anybody else."""
        for piece in repeat(self._piece):
            yield piece


class EndlessBlocking:
    """The same, only blocking."""

    label = "late:endless_blocking"

    def stream(self, brief: object, seconds: float) -> Iterator[str]:
        """Go on and on."""
        yield from repeat("")


class Stubborn:
    """A source that does not let itself be cancelled at once."""

    label = "late:stubborn"

    async def astream(self, brief: object, seconds: float) -> AsyncGenerator[str, None]:
        """Say nothing."""
        try:
            await asyncio.sleep(LONG)
            yield ""
        finally:
            await asyncio.sleep(LONG)


def _hung_model(way: str) -> Any:
    from langchain_core.language_models import BaseChatModel

    def hang(self: Any, *_: Any, **__: Any) -> Any:
        time.sleep(LONG)

    async def ahang(self: Any, *_: Any, **__: Any) -> Any:
        await asyncio.sleep(LONG)

    methods = {"generate": {"_generate": hang}, "stream": {"_generate": hang, "_stream": hang}}
    methods["agenerate"] = {"_generate": hang, "_agenerate": ahang}
    return type("Hung", (BaseChatModel,), {"_llm_type": "hung", **methods[way]})()


def _names_hang() -> None:
    socket.getaddrinfo = lambda *_, **__: time.sleep(LONG)  # type: ignore[assignment]


SOURCES: dict[str, Callable[[], Any]] = {
    "environment": lambda: None,
    "environment, names hang": _names_hang,
    "deck": lambda: "deck",
    "blocks": Blocks,
    "blocks at once": BlocksAtOnce,
    "silent": Silent,
    "in a thread": InAThread,
    "endless nothing": lambda: Endless(""),
    "endless words": lambda: Endless(" "),
    "endless nothing, only blocking": EndlessBlocking,
    "stubborn": Stubborn,
    "surplus": lambda: Endless(SURPLUS),
    "model, _generate": lambda: _hung_model("generate"),
    "model, _stream": lambda: _hung_model("stream"),
    "model, _agenerate": lambda: _hung_model("agenerate"),
}


def _called(way: str, request: dict[str, Any], source: Any) -> dict[str, Any]:
    started = time.monotonic()
    import narrator

    if way == "suggest":
        answer = narrator.suggest(request, source=source, timeout=TIMEOUT)
        seconds = time.monotonic() - started
    else:

        async def ask() -> tuple[Any, float]:
            *_, last = [event async for event in narrator.astream(request, source=source, timeout=TIMEOUT)]
            assert last.event == "done"
            return last.done, time.monotonic() - started

        answer, seconds = asyncio.run(ask())
    return {"seconds": round(seconds, 3), "count": len(answer.suggestions), "notices": answer.notices}


def main(way: str, name: str, size: str = "small") -> None:
    """Call twice, and tell."""
    source = SOURCES[name]()
    request = huge() if size == "huge" else REQUEST
    found = [_called(way, request, source) for _ in range(2)]
    print(json.dumps({"calls": found, "ended": time.monotonic()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
