"""The calls that find words: from a source, or from the deck. Their clock begins before what they need is imported."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import aclosing
from functools import partial
from importlib import import_module
from threading import Event as Flag
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from narrator.errors import NarratorError
from narrator.suggestions.clock import Clock

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable

    from narrator.api.material import PreparedLike
    from narrator.api.reading import RequestLike
    from narrator.deck.cards import DeckFile
    from narrator.rules.ruleset import Ruleset
    from narrator.suggestions.answer import Answer, Event
    from narrator.suggestions.source import Source

Chosen: TypeAlias = "Source | Runnable[Any, Any] | Literal['deck'] | None"
"""
Who writes: a source, a LangChain runnable that takes messages, the deck, or None for the model that the environment
names, else the deck.
"""

TIMEOUT = 20.0
"""Seconds for a whole call."""

LONGEST_TIMEOUT = 3_600

REPAIRS = 1
"""How often a model is asked again for what is missing."""

_ASKING = "narrator.api.asking"

_is_imported = Flag()


def suggest(
    request: RequestLike,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    strict: bool = False,
    prepared: PreparedLike | None = None,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> Answer:
    """Resolve an action and find words for every slot that wants them.

    Args:
        source: Who writes; None takes the model that the environment names, or the deck where it names none.
        repairs: How often the source is asked again for what is missing. What then is missing, the deck has.
        timeout: Seconds for the whole call: when they are up, the deck has all that is missing, within half a second,
            or within one where the scene is as large as may be.
        strict: Whether the deck stays out: fewer suggestions than asked for are then an error.
        prepared: What `prepare` gave for this roll: words for the row that fell are judged again and taken, and only
            what is missing is asked for.
        decks: Cards of the table's own, as `load_deck` gives them, beside those of the config folder.

    Raises:
        NarratorError: As `resolve`; `no_words` with the reason, where the call is strict. A source that raises
            `SourceError` is no error but a notice.
    """
    clock = clock_of(timeout)
    from narrator.api import asking
    from narrator.api.material import of_roll

    material = partial(of_roll, request, prepared=prepared)
    return asking.answered(asking.Asking(material, source, repairs, strict, rulesets, decks), clock)


def stream(
    request: RequestLike,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    strict: bool = False,
    prepared: PreparedLike | None = None,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> Iterator[Event]:
    """The same as events, each the moment it is known. The clock begins when the first is asked for."""
    clock = clock_of(timeout)
    from narrator.api import asking
    from narrator.api.material import of_roll

    material = partial(of_roll, request, prepared=prepared)
    yield from asking.told(asking.Asking(material, source, repairs, strict, rulesets, decks), clock)


async def astream(
    request: RequestLike,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    strict: bool = False,
    prepared: PreparedLike | None = None,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> AsyncGenerator[Event, None]:
    """The same as events, without blocking."""
    clock = clock_of(timeout)
    await _imported()
    from narrator.api import asking
    from narrator.api.material import of_roll

    material = partial(of_roll, request, prepared=prepared)
    given = asking.Asking(material, source, repairs, strict, rulesets, decks)
    # Who closes these events has closed those as well: left to the loop they might outlast it.
    async with aclosing(asking.atold(given, clock)) as events:
        async for event in events:
            yield event


def warm() -> None:
    """Do beforehand what the first call would: import, load words and cards, make a client for the model that the
    environment names. Nobody is asked, and nothing sent.

    Raises:
        NarratorError: `bad_request` for settings that are wrong.
    """
    from narrator.api import asking

    asking.warm()


async def awarm() -> None:
    """The same, without blocking; the client is one for this event loop."""
    await _imported()
    from narrator.api import asking

    await asking.awarm()


async def _imported() -> None:
    """Import what the calls need, once for all that wait for it: it takes longer than a loop can wait."""
    # A module that is still being imported stands in `sys.modules` as well.
    if not _is_imported.is_set():
        from narrator.suggestions.aside import aside_in_turn

        await aside_in_turn(lambda: import_module(_ASKING))
        _is_imported.set()


def clock_of(timeout: float) -> Clock:
    """Begin the clock of a call.

    Raises:
        NarratorError: `bad_request` for what are no seconds.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 <= timeout <= LONGEST_TIMEOUT:
        raise NarratorError("bad_request", "timeout", f"this must be a number of seconds from 0 to {LONGEST_TIMEOUT:,}")
    return Clock(timeout)
