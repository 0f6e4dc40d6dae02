"""A program that asks twice who never answers, the first time as the first call of its process; it prints as JSON what
each found, and the seconds of the processor that it took.

    python -m tests.sources.late suggest environment
"""

import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

from tests.pouring import SURPLUS

REQUEST: dict[str, Any] = json.loads((Path(__file__).parents[2] / "examples" / "cynere.json").read_text("utf-8"))

TIMEOUT = 1.0
"""Seconds of each call."""

IN_THE_POOL = ("in a thread", "model, _generate", "model, _stream")
"""What hangs in a thread of its loop: where that is the caller's, the loop waits for it at its end."""


def hang(*_: object, **__: object) -> Any:
    """Block for ever, but in the pool of a caller's own loop."""
    way, name = [*sys.argv[1:3], "", ""][:2]
    threading.Event().wait(2 * TIMEOUT if way == "astream" and name in IN_THE_POOL else None)


async def ahang(*_: object, **__: object) -> Any:
    """Wait for ever."""
    await asyncio.Event().wait()


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
        hang()


class BlocksAtOnce:
    """A source that blocks before it gives anything to read from."""

    label = "late:blocks_at_once"

    def stream(self, brief: object, seconds: float) -> Iterator[str]:
        """Say nothing."""
        hang()
        return iter(())


class Silent:
    """A source that never says anything."""

    label = "late:silent"

    async def astream(self, brief: object, seconds: float) -> AsyncGenerator[str, None]:
        """Say nothing."""
        await ahang()
        yield ""


class InAThread:
    """A source that blocks in a thread of the loop's own."""

    label = "late:in_a_thread"

    async def astream(self, brief: object, seconds: float) -> AsyncGenerator[str, None]:
        """Say nothing."""
        await asyncio.to_thread(hang)
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
    """A source that does not end when it is cancelled."""

    label = "late:stubborn"

    async def astream(self, brief: object, seconds: float) -> AsyncGenerator[str, None]:
        """Say nothing."""
        try:
            await ahang()
            yield ""
        finally:
            await ahang()


def _hung_model(way: str) -> Any:
    from langchain_core.language_models import BaseChatModel

    methods = {"generate": {"_generate": hang}, "stream": {"_generate": hang, "_stream": hang}}
    methods["agenerate"] = {"_generate": hang, "_agenerate": ahang}
    return type("Hung", (BaseChatModel,), {"_llm_type": "hung", **methods[way]})()


def _names_hang() -> None:
    socket.getaddrinfo = hang


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
    started = time.process_time()
    import narrator

    if way == "suggest":
        answer = narrator.suggest(request, source=source, timeout=TIMEOUT)
    else:

        async def ask() -> Any:
            *_, last = [event async for event in narrator.astream(request, source=source, timeout=TIMEOUT)]
            assert last.event == "done"
            return last.done

        answer = asyncio.run(ask())
    return {"work": time.process_time() - started, "count": len(answer.suggestions), "notices": answer.notices}


def main(way: str, name: str, size: str = "small") -> None:
    """Call twice, and tell."""
    source = SOURCES[name]()
    request = huge() if size == "huge" else REQUEST
    found = [_called(way, request, source) for _ in range(2)]
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
