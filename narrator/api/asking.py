"""Prepares a call that finds words: reads, resolves, picks who is asked, and hands on to the pipeline."""

import os
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING

from narrator import house
from narrator.api.material import Material, of_roll
from narrator.api.reading import RequestLike, all_of
from narrator.deck.cards import DeckFile
from narrator.deck.dealing import Deck
from narrator.errors import NarratorError, quoted
from narrator.rules.ruleset import Ruleset
from narrator.shipped import shipped
from narrator.sources.settings import Settings, from_environment
from narrator.suggestions.answer import Answer, Event
from narrator.suggestions.brief import MANNERS, Brief, Manner
from narrator.suggestions.clock import Clock
from narrator.suggestions.pipeline import Asked, Pipeline
from narrator.suggestions.source import DECK, AsyncSource, BlockingSource, Source

if TYPE_CHECKING:
    from narrator.api.suggesting import Chosen
    from narrator.sources.openai_compatible import OpenAICompatible

MOST_REPAIRS = 10

_KEPT = 16
"""Models of the environment whose connections are kept; a process names one or two."""


@dataclass(frozen=True)
class Asking:
    """What a call was given."""

    material: Callable[[tuple[Ruleset, ...]], Material]
    """Reads what it wants words for, out of these rulesets and those that are known."""
    source: "Chosen"
    repairs: int
    strict: bool
    rulesets: Iterable[Ruleset]
    decks: Iterable[DeckFile]


def answered(asking: Asking, clock: Clock) -> Answer:
    """Answer a call that blocks, all at once."""
    *_, last = told(asking, clock, lambda event: event.event == "done")
    assert last.event == "done", "the last event is done"
    return last.done


def told(asking: Asking, clock: Clock, is_wanted: Callable[[Event], bool] = lambda _: True) -> Iterator[Event]:
    """Answer a call that blocks, event by event.

    Args:
        is_wanted: For which events the caller is to be woken.
    """
    pipeline, source = _begun(asking)
    if source is None:
        # Nothing waits, and no loop is needed.
        yield from _events(chain(pipeline.begin(clock), pipeline.finish()))
        return
    from narrator.suggestions import portal
    from narrator.suggestions.driving import drive, too_late

    try:
        yield from portal.each(partial(drive, pipeline, source, clock), clock, is_wanted)
    except portal.StuckError:
        yield from _events(pipeline.go_on_alone(too_late(clock, source), clock))


def _events(events: Iterator[Event | None]) -> Iterator[Event]:
    """Leave out a pipeline's pauses."""
    return (event for event in events if event is not None)


async def atold(asking: Asking, clock: Clock) -> AsyncGenerator[Event, None]:
    """Answer a call that does not block."""
    from narrator.suggestions.aside import turn
    from narrator.suggestions.driving import drive

    await turn()
    async with aclosing(drive(*_begun(asking), clock)) as events:
        async for event in events:
            yield event


def brief(request: RequestLike, *, rulesets: Iterable[Ruleset] = (), manner: Manner = "together") -> Brief | None:
    """Write what a model would be asked first, and send nothing. None: no words are wanted.

    Raises:
        NarratorError: As `resolve`.
    """
    return _pipeline_for(of_roll(request, rulesets), (), Asked(DECK, 1, manner=manner)).next_brief()


@lru_cache(maxsize=_KEPT)
def source_of(settings: Settings) -> "OpenAICompatible":
    """Make the source that settings name, once: its connections, and what it found out of the server, are kept."""
    from narrator.sources.openai_compatible import OpenAICompatible

    return OpenAICompatible(settings)


def warm() -> None:
    """Do what the first call would."""
    source = _of_environment()
    _rehearse()
    if source is not None:
        from narrator.suggestions import driving as driving, portal

        portal.call(source.ready)


async def awarm() -> None:
    """The same, without blocking."""
    from narrator.suggestions import driving as driving
    from narrator.suggestions.aside import aside

    source = _of_environment()
    await aside(_rehearse)
    if source is not None:
        await source.ready()


def _rehearse() -> None:
    """Answer the example, for nothing: what a call imports, reads and builds is there then."""
    example = shipped("examples", "cynere.json").read_text("utf-8")
    pipeline = _pipeline_for(of_roll(example, ()), (), Asked(DECK, 1))
    pipeline.rehearse()
    wanted = pipeline.next_brief()
    assert wanted is not None, "the example wants words"
    _ = wanted.messages, wanted.schema
    *_, last = _events(chain(pipeline.begin(Clock(0)), pipeline.finish()))
    last.as_json()


def _begun(asking: Asking) -> tuple[Pipeline, Source | None]:
    """Make the pipeline of a call, and find who is asked; None: nobody, since the deck is enough or no words are
    wanted.
    """
    source = _source(asking)
    pipeline = _pipeline(asking, source)
    return pipeline, None if pipeline.is_full else source


def source_for(given: "Chosen") -> Source | None:
    """Find who is meant; None: nobody, the deck alone.

    Raises:
        NarratorError: `bad_request`, field `source`, for what can write no words.
    """
    if given is None:
        return _of_environment()
    if isinstance(given, str):
        if given != DECK:
            message = f"there is no source {quoted(given)}; NARRATOR_MODEL names a model of a server"
            raise NarratorError("bad_request", "source", message, [DECK])
        return None
    if isinstance(given, type):
        raise NarratorError("bad_request", "source", f"this is the class {given.__name__}, and not one of its objects")
    if isinstance(given, BlockingSource | AsyncSource):
        if not isinstance(given.label, str) or not given.label:
            raise NarratorError("bad_request", "source", f"the label of {type(given).__name__} must be text")
        return given
    if hasattr(given, "label"):
        message = f"{type(given).__name__} has neither `stream` nor `astream`"
        raise NarratorError("bad_request", "source", message)
    from narrator.sources.langchain import from_langchain

    return from_langchain(given)


def _source(asking: Asking) -> Source | None:
    source = source_for(asking.source)
    if not isinstance(asking.strict, bool):
        raise NarratorError("bad_request", "strict", "this must be true or false")
    if asking.strict and source is None:
        raise NarratorError("bad_request", "strict", "there is nobody but the deck to ask, which is never strict")
    return source


def _of_environment() -> "OpenAICompatible | None":
    settings = from_environment(os.environ)
    return source_of(settings) if settings is not None else None


def _pipeline(asking: Asking, source: Source | None) -> Pipeline:
    repairs = asking.repairs
    if isinstance(repairs, bool) or not isinstance(repairs, int) or not 0 <= repairs <= MOST_REPAIRS:
        raise NarratorError("bad_request", "repairs", f"this must be a whole number from 0 to {MOST_REPAIRS}")
    asked = None
    if source is not None:
        asked = Asked(
            source.label,
            calls=1 if getattr(source, "is_deterministic", False) else 1 + repairs,
            counts=not getattr(source, "is_local", False),
            strict=asking.strict,
            manner=_manner(source),
            gives_away=getattr(source, "gives_away", None),
        )
    decks = all_of("decks", asking.decks, DeckFile)
    return _pipeline_for(asking.material(rulesets_of(asking.rulesets)), decks, asked)


def _manner(source: Source) -> Manner:
    manner: Manner = getattr(source, "manner", "together")
    if manner not in MANNERS:
        message = f"the manner of {type(source).__name__} must be one that there is"
        raise NarratorError("bad_request", "source", message, MANNERS)
    return manner


def rulesets_of(given: Iterable[Ruleset]) -> tuple[Ruleset, ...]:
    """Return the rulesets of a call.

    Raises:
        NarratorError: `bad_request`, for what is none.
    """
    return all_of("rulesets", given, Ruleset)


def _pipeline_for(material: Material, decks: Iterable[DeckFile], asked: Asked | None) -> Pipeline:
    own = DeckFile(cards=material.rows.first.ruleset.cards)
    deck = Deck([own, *house.decks(os.environ), *decks])
    return Pipeline(material.rows, deck, asked, material.purpose, material.given)
