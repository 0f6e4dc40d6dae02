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


def _source(**ways: Callable[..., Any]) -> Any:
    """A source with these ways to be asked."""
    return type("Late", (), {"label": "late", **ways})()


def blocks(self: object, brief: object, seconds: float) -> Iterator[str]:
    """Say a word, and then nothing."""
    yield "Well"
    hang()


async def silent(self: object, brief: object, seconds: float) -> AsyncGenerator[str, None]:
    """Say nothing."""
    await ahang()
    yield ""


async def blocks_a_thread(self: object, brief: object, seconds: float) -> AsyncGenerator[str, None]:
    """Block in a thread of the loop's own."""
    await asyncio.to_thread(hang)
    yield ""


async def stubborn(self: object, brief: object, seconds: float) -> AsyncGenerator[str, None]:
    """Do not end when cancelled."""
    try:
        await ahang()
        yield ""
    finally:
        await ahang()


def _endless(piece: str) -> Any:
    """A source that never ends, in both ways, says nothing that makes sense, and leaves no moment for anybody else."""

    async def go_on(self: object, brief: object, seconds: float) -> AsyncGenerator[str, None]:
        for each in repeat(piece):
            yield each

    return _source(stream=lambda self, brief, seconds: repeat(piece), astream=go_on)


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
    "blocks": lambda: _source(stream=blocks),
    "blocks at once": lambda: _source(stream=hang),
    "silent": lambda: _source(astream=silent),
    "in a thread": lambda: _source(astream=blocks_a_thread),
    "endless nothing": lambda: _endless(""),
    "endless words": lambda: _endless(" "),
    "endless nothing, only blocking": lambda: _source(stream=lambda self, brief, seconds: repeat("")),
    "stubborn": lambda: _source(astream=stubborn),
    "surplus": lambda: _endless(SURPLUS),
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
