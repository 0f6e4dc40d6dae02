"""The example as a request of the tests' own ruleset, its brief, both ways to ask it, and suggestions that fit it."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import narrator
from narrator import Answer, Event
from narrator.api import pipeline_run
from narrator.rules.json_text import Json
from narrator.suggestions.prompt.brief import Brief
from narrator.suggestions.source.protocol import Source
from tests.leaping import leap

CONFIG = Path(__file__).parent / "config"
"""The config folder with the ruleset `small`, for which the fixture of this name makes it known."""

CYNERE: Json = json.loads((Path(__file__).parents[1] / "examples" / "cynere.json").read_text("utf-8"))
CYNERE |= {"ruleset": "small"}

GUARD = {"slot": "serious_cost", "form": "opposition_advantage", "to": "Gate Guards", "name": "Seen Her Face"}
GUARD |= {"detail": "The older guard holds the torch a moment too long."}
INK = {"slot": "serious_cost", "form": "consequence", "to": "Cynere", "name": "Ink on Both Hands"}
INK |= {"detail": "The purse had been marked, and it will not come off."}
CLERK = {"slot": "serious_cost", "form": "new_opposition", "to": None, "name": "The Night Clerk"}
CLERK |= {"detail": "A small man with a large book wants it all in writing."}


def brief_of(request: Json = CYNERE) -> Brief:
    """What a source is asked first for a request that wants words."""
    brief = pipeline_run.first_brief(request)
    assert brief is not None, "no words are wanted"
    return brief


Told = Callable[..., list[Event]]
"""A way to ask: all events of a call, each shown to `watch` when it comes."""

Watch = Callable[[Event], object]


def blocking(
    source: Source | None, request: Json = CYNERE, *, watch: Watch = lambda _: None, **more: Any
) -> list[Event]:
    """Ask and wait."""
    return [event for event in narrator.stream(request, source=source, **more) if watch(event) or True]


def on_a_loop(
    source: Source | None, request: Json = CYNERE, *, watch: Watch = lambda _: None, **more: Any
) -> list[Event]:
    """Ask on an event loop."""

    async def collect() -> list[Event]:
        return [event async for event in narrator.astream(request, source=source, **more) if watch(event) or True]

    return asyncio.run(collect())


def leap_when_accepted(event: Event) -> None:
    """Let the time be up once there is a suggestion."""
    if event.event == "accepted":
        leap()


def answer_of(events: list[Event]) -> Answer:
    """The answer that the last event holds."""
    last = events[-1]
    assert last.event == "done"
    return last.done
