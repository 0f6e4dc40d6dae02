"""One run of the pipeline for a call that finds words: it picks the source and returns the answer or its events."""

import os
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from narrator import config
from narrator.api.occasion import Occasion, of_any, of_roll
from narrator.api.options import Options
from narrator.api.requests import RequestLike, all_of
from narrator.deck.deck import Deck
from narrator.deck.deck_file import DeckFile
from narrator.deck.staged import Stage
from narrator.errors import RequestError
from narrator.resources import shipped
from narrator.rules.request.action import Request
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.sources.selection import source_for
from narrator.suggestions.pipeline.answer import Answer, Event
from narrator.suggestions.pipeline.pipeline import Pipeline
from narrator.suggestions.prompt.brief import Brief, Manner
from narrator.suggestions.source.protocol import DECK, NOBODY, SourceTraits
from narrator.suggestions.time.clock import MOST_REPAIRS, REPAIRS, Clock

if TYPE_CHECKING:
    from narrator.suggestions.source.adapter import Adapted

T = TypeVar("T")

FindOccasion = Callable[[tuple[Ruleset, ...]], Occasion[T]]
"""Finds the occasion of a call, with these rulesets and the known ones."""


def answer(find: FindOccasion[T], options: Options, clock: Clock) -> T:
    """Answer a call that blocks, all at once."""
    run = _Run(find, options)
    *_, last = run.events(clock, lambda event: event.event == "done")
    return run.given(last)


def events(find: FindOccasion[Answer], options: Options, clock: Clock) -> Iterator[Event]:
    """Answer a call that blocks, event by event."""
    yield from _Run(find, options).events(clock, lambda _: True)


async def aanswer(find: FindOccasion[T], options: Options, clock: Clock) -> T:
    """Answer a call that does not block, all at once."""
    from narrator.suggestions.time.threads import own_turn

    await own_turn()
    run = _Run(find, options)
    async with aclosing(run.aevents(clock)) as events:
        return run.given([event async for event in events][-1])


async def aevents(find: FindOccasion[Answer], options: Options, clock: Clock) -> AsyncGenerator[Event, None]:
    """Answer a call that does not block, event by event."""
    from narrator.suggestions.time.threads import own_turn

    await own_turn()
    async with aclosing(_Run(find, options).aevents(clock)) as events:
        async for event in events:
            yield event


class _Run(Generic[T]):
    """A call whose occasion and source are known."""

    def __init__(self, find: FindOccasion[T], options: Options) -> None:
        source = _source(options)
        traits = _traits(source, options)
        decks = all_of("decks", options.get("decks", ()), DeckFile)
        self._occasion = find(all_of("rulesets", options.get("rulesets", ()), Ruleset)).stage(options.get("staged"))
        self._pipeline = _pipeline(self._occasion, decks, traits)
        # Nobody is asked where the deck is enough, or no words are wanted.
        self._source = None if self._pipeline.is_full else source

    def events(self, clock: Clock, is_wanted: Callable[[Event], bool]) -> Iterator[Event]:
        """Give all events; the caller is woken only for the wanted ones."""
        if self._source is None:
            # Nothing waits, and no loop is needed.
            yield from _events(chain(self._pipeline.begin(clock), self._pipeline.finish()))
            return
        from narrator.suggestions.pipeline.driver import drive, too_late
        from narrator.suggestions.time import portal

        try:
            yield from portal.each(partial(drive, self._pipeline, self._source, clock), clock, is_wanted)
        except portal.StuckError:
            yield from _events(self._pipeline.go_on_alone(too_late(clock, self._source), clock))

    def aevents(self, clock: Clock) -> AsyncGenerator[Event, None]:
        """The same, without blocking."""
        from narrator.suggestions.pipeline.driver import drive

        return drive(self._pipeline, self._source, clock)

    def given(self, last: Event) -> T:
        """Make the call's result from the last event."""
        assert last.event == "done", "the last event is done"
        return self._occasion.gives(last.done)


def _events(events: Iterator[Event | None]) -> Iterator[Event]:
    """Skip a pipeline's pauses."""
    return (event for event in events if event is not None)


def first_brief(request: RequestLike, *, rulesets: Iterable[Ruleset] = (), manner: Manner = "together") -> Brief | None:
    """Write the first prompt for a model without sending it, with or without a roll. None if no words are needed."""
    found = of_any(Request.read(request, "request"), rulesets)
    return _pipeline(found, (), SourceTraits(DECK, 1, manner=manner)).next_brief()


def warm() -> None:
    """Load in advance what the first call needs."""
    source = source_for(None)
    _rehearse()
    if source is not None:
        from narrator.suggestions.pipeline import driver as driver
        from narrator.suggestions.time import portal

        portal.call(source.ready)


async def awarm() -> None:
    """The same, without blocking."""
    from narrator.suggestions.pipeline import driver as driver
    from narrator.suggestions.time.threads import aside

    source = source_for(None)
    await aside(_rehearse)
    if source is not None:
        await source.ready()


def _rehearse() -> None:
    """Answer the example once, so that everything a call imports, reads and builds is loaded."""
    example = shipped("examples", "cynere.json").read_text("utf-8")
    pipeline = _pipeline(of_roll(example, None, ()), (), SourceTraits(DECK, 1))
    pipeline.rehearse()
    wanted = pipeline.next_brief()
    assert wanted is not None, "the example wants words"
    _ = wanted.messages, wanted.schema
    *_, last = _events(chain(pipeline.begin(Clock(0)), pipeline.finish()))
    last.as_json()


def _source(options: Options) -> "Adapted | None":
    source = source_for(options.get("source"))
    strict = options.get("strict", False)
    if not isinstance(strict, bool):
        raise RequestError("bad_request", "strict", "this must be true or false")
    if strict and source is None:
        raise RequestError("bad_request", "strict", "a strict call needs a model: name one as its source")
    return source


def _traits(source: "Adapted | None", options: Options) -> SourceTraits:
    repairs = options.get("repairs", REPAIRS)
    if isinstance(repairs, bool) or not isinstance(repairs, int) or not 0 <= repairs <= MOST_REPAIRS:
        raise RequestError("bad_request", "repairs", f"this must be a whole number from 0 to {MOST_REPAIRS}")
    if source is None:
        return NOBODY
    return SourceTraits(
        source.label,
        calls=1 if source.is_deterministic else 1 + repairs,
        counts=not source.is_local,
        strict=options.get("strict", False),
        manner=source.manner,
        gives_away=source.gives_away,
    )


def _pipeline(occasion: Occasion[Any], decks: Iterable[DeckFile], traits: SourceTraits) -> Pipeline:
    own = DeckFile(cards=occasion.rulings[0].ruleset.cards)
    deck = Deck([own, *config.decks(os.environ), *decks])
    stage = Stage(occasion.cards) if occasion.cards else None
    return Pipeline(occasion.rulings, deck, traits, occasion.purpose, occasion.given, occasion.notices, stage)
