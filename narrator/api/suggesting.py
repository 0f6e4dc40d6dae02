"""The calls that find words: from a source, or from the deck."""

import os
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from narrator import draws, house
from narrator.api.reading import RequestLike, read
from narrator.deck.cards import DeckFile
from narrator.deck.dealing import Deck
from narrator.errors import NarratorError, quoted
from narrator.rules import resolving
from narrator.rules.ruleset import Ruleset
from narrator.sources.settings import Settings, from_environment
from narrator.suggestions.answer import Answer, Event
from narrator.suggestions.brief import Brief
from narrator.suggestions.driving import adrive, drive
from narrator.suggestions.pipeline import DECK, Pipeline
from narrator.suggestions.source import Source

if TYPE_CHECKING:
    from narrator.sources.openai_compatible import OpenAICompatible

Chosen = Source | Literal["deck"] | None
"""Who writes: a source, the deck, or None for the model that the environment names, else the deck."""

TIMEOUT = 20.0
"""Seconds for a whole call."""

LONGEST_TIMEOUT = 3_600

MOST_REPAIRS = 10

REPAIRS = 1
"""How often a model is asked again for what is missing."""


def suggest(
    request: RequestLike,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> Answer:
    """
    Resolve an action and find words for every slot that wants them.

    Args:
        source: Who writes; None takes the model that the environment names, or the deck where it names none.

        repairs: How often the source is asked again for what is missing. What then is missing, the deck has.

        timeout: Seconds for the whole call.

        decks: Cards of the table's own, as `load_deck` gives them, beside those of the config folder.

    Raises:
        NarratorError: As `resolve`. A source that raises `SourceError` is no error but a notice.
    """
    *_, last = stream(request, source=source, repairs=repairs, timeout=timeout, rulesets=rulesets, decks=decks)
    assert last.event == "done", "the last event is done"
    return last.done


def stream(
    request: RequestLike,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> Iterator[Event]:
    """
    The same as events, each the moment it is known.
    """
    _check_timeout(timeout)
    with _source(source) as chosen:
        yield from drive(_pipeline(request, chosen, repairs, rulesets, decks), chosen, timeout)


async def astream(
    request: RequestLike,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> AsyncIterator[Event]:
    """
    The same as events, without blocking.
    """
    _check_timeout(timeout)
    with _source(source) as chosen:
        async for event in adrive(_pipeline(request, chosen, repairs, rulesets, decks), chosen, timeout):
            yield event


def brief(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> Brief | None:
    """
    Write what a model would be asked, and send nothing. None: no words are wanted.

    Raises:
        NarratorError: As `resolve`.
    """
    return _prepared(request, rulesets, (), label=DECK, calls=1).next_brief()


def source_of(settings: Settings | None) -> "OpenAICompatible | None":
    """
    Make the source that settings name; None, the deck, for none.
    """
    if settings is None:
        return None
    from narrator.sources.openai_compatible import OpenAICompatible

    return OpenAICompatible(settings)


def _check_timeout(timeout: float) -> None:
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 <= timeout <= LONGEST_TIMEOUT:
        raise NarratorError("bad_request", "timeout", f"this must be from 0 to {LONGEST_TIMEOUT} seconds")


@contextmanager
def _source(given: Chosen) -> Iterator[Source | None]:
    if isinstance(given, str):
        if given != DECK:
            raise NarratorError("bad_request", "source", f"there is no source {quoted(given)}", [DECK])
        yield None
        return
    if given is not None:
        yield given
        return
    ours = source_of(from_environment(os.environ))
    try:
        yield ours
    finally:
        if ours is not None:
            ours.close()


def _pipeline(
    request: RequestLike, source: Source | None, repairs: int, given: Iterable[Ruleset], decks: Iterable[DeckFile]
) -> Pipeline:
    if isinstance(repairs, bool) or not isinstance(repairs, int) or not 0 <= repairs <= MOST_REPAIRS:
        raise NarratorError("bad_request", "repairs", f"this must be a whole number from 0 to {MOST_REPAIRS}")
    label, calls = (source.label, 1 + repairs) if source is not None else (DECK, 0)
    return _prepared(request, given, decks, label=label, calls=calls)


def _prepared(
    request: RequestLike, given: Iterable[Ruleset], decks: Iterable[DeckFile], *, label: str, calls: int
) -> Pipeline:
    asked, ruleset = read(request, given)
    asked = draws.dealt(draws.rolled(asked))
    resolution = resolving.resolve(asked, ruleset)
    deck = Deck([DeckFile(cards=ruleset.cards), *house.decks(os.environ), *decks])
    return Pipeline(asked, resolution, ruleset, deck, label=label, calls=calls)
