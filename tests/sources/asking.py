"""The one request of these tests, three suggestions that fit it, and an answer of theirs as JSON."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import narrator
from narrator.sources import kinds
from narrator.sources.settings import Settings
from narrator.suggestions.answer import Answer, Event
from narrator.suggestions.pieces import Adapted
from narrator.suggestions.source import Source
from tests.asking import CYNERE
from tests.scripted_server import suggestions

FITTING: tuple[dict[str, Any], ...] = (
    {
        "slot": "serious_cost",
        "form": "opposition_advantage",
        "to": "Gate Guards",
        "name": "Seen Her Face",
        "detail": "The older guard holds the torch a moment too long and knows her from the posters.",
    },
    {
        "slot": "serious_cost",
        "form": "new_opposition",
        "to": None,
        "name": "Spy of the Harbour Watch",
        "detail": "A beggar by the wall counts the coins as they change hands, and limps off toward the barracks.",
    },
    {
        "slot": "serious_cost",
        "form": "consequence",
        "to": "Cynere",
        "name": "Twisted Ankle",
        "detail": "The gate drops too early, and she rolls under it with one foot a moment late.",
    },
)

TEXT = suggestions(*FITTING)

Ask = Callable[..., Answer]


def ask(source: Source, **options: Any) -> Answer:
    """Ask for an answer, blocking."""
    return narrator.suggest(CYNERE, source=source, **options)


def ask_async(source: Source, **options: Any) -> Answer:
    """Ask for an answer, on an event loop."""

    async def events() -> list[Event]:
        return [event async for event in narrator.astream(CYNERE, source=source, **options)]

    last = asyncio.run(events())[-1]
    assert last.event == "done"
    return last.done


def by(answer: Answer, source: Source) -> int:
    """How many suggestions of an answer a source has written."""
    return sum(each.source == source.label for each in answer.suggestions)


MISSHAPEN = {"malformed", "unknown_slot", "wrong_kind", "form_not_allowed", "not_eligible", "wrong_mechanics"}
"""How a suggestion is refused that has not the slot, form, recipient or fields that were asked for."""

SERVED = tuple(
    name for name in kinds.names() if not Adapted(kinds.make(name, Settings("tiny", "http://127.0.0.1:9/v1"))).is_local
)
"""The kinds of sources that ask a server: each is tried with every server that is hostile or at fault."""

_opened: list[Any] = []


def opened(kind: str, settings: Settings) -> Source:
    """A source of a kind, which is closed when the test is over."""
    _opened.append(kinds.make(kind, settings))
    source: Source = _opened[-1]
    return source


def close_all() -> None:
    """Let go of the connections of sources that were opened, where they keep any."""
    while _opened:
        getattr(_opened.pop(), "close", bool)()


both_ways = pytest.mark.parametrize("asking", [ask, ask_async], ids=["sync", "async"])
