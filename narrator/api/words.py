"""The calls that find words from a source or from the deck. They start the clock before they import what they need."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from functools import partial
from importlib import import_module
from threading import Event as Flag
from typing import TYPE_CHECKING, Unpack

from narrator.api.options import Options, SuggestOptions, WordOptions, clock_of

if TYPE_CHECKING:
    from narrator.api.occasion import SceneLike
    from narrator.api.requests import RequestLike
    from narrator.rules.resolve.without_roll import WordKind
    from narrator.suggestions.pipeline.answer import Answer, Event, Prepared, Words

THRESHOLD = 0.1
"""`prepare` finds words for rows with at least this chance."""

_NEEDED = ("narrator.api.pipeline_run", "narrator.api.occasion")

_is_imported = Flag()


def suggest(request: RequestLike, **options: Unpack[SuggestOptions]) -> Answer:
    """Resolve an action and find words for every slot that needs them.

    Args:
        options: See `SuggestOptions`: `source`, `repairs`, `timeout`, `strict`, `rulesets`, `decks`, `staged` and
            `prepared`.

    Raises:
        NarratorError: As `resolve`. If a source fails, the deck takes over and a notice says so; a strict call raises
            `no_words` instead.
    """
    clock = clock_of(options, SuggestOptions)
    from narrator.api import occasion, pipeline_run

    return pipeline_run.answer(partial(occasion.of_roll, request, options.get("prepared")), options, clock)


def stream(request: RequestLike, **options: Unpack[SuggestOptions]) -> Iterator[Event]:
    """The same as events, each as soon as it is known. The clock starts when you ask for the first event."""
    clock = clock_of(options, SuggestOptions)
    from narrator.api import occasion, pipeline_run

    yield from pipeline_run.events(partial(occasion.of_roll, request, options.get("prepared")), options, clock)


async def asuggest(request: RequestLike, **options: Unpack[SuggestOptions]) -> Answer:
    """The same as `suggest`, without blocking."""
    clock = clock_of(options, SuggestOptions)
    await _imported()
    from narrator.api import occasion, pipeline_run

    return await pipeline_run.aanswer(partial(occasion.of_roll, request, options.get("prepared")), options, clock)


async def astream(request: RequestLike, **options: Unpack[SuggestOptions]) -> AsyncGenerator[Event, None]:
    """The same as `stream`, without blocking."""
    clock = clock_of(options, SuggestOptions)
    await _imported()
    from narrator.api import occasion, pipeline_run

    # Closing these events closes the inner ones too. Left to the loop, those might outlast it.
    async with aclosing(
        pipeline_run.aevents(partial(occasion.of_roll, request, options.get("prepared")), options, clock)
    ) as events:
        async for event in events:
            yield event


def prepare(request: RequestLike, threshold: float = THRESHOLD, **options: Unpack[Options]) -> Prepared:
    """Find words before the roll, for every row that is likely enough. Pass the result to `suggest` as `prepared`, with
    the same request and its dice.

    Args:
        request: The action before its roll. The actor's dice are ignored, but a `total` counts.
        threshold: Words are found for rows with at least this chance, from 0 to 1.
        options: See `Options`: those of `suggest`, except `prepared`.

    Raises:
        NarratorError: As `odds` and `suggest`. `bad_request` if no row is that likely.
    """
    clock = clock_of(options)
    from narrator.api import occasion, pipeline_run

    return pipeline_run.answer(partial(occasion.before_roll, request, threshold), options, clock)


async def aprepare(request: RequestLike, threshold: float = THRESHOLD, **options: Unpack[Options]) -> Prepared:
    """The same as `prepare`, without blocking."""
    clock = clock_of(options)
    await _imported()
    from narrator.api import occasion, pipeline_run

    return await pipeline_run.aanswer(partial(occasion.before_roll, request, threshold), options, clock)


def word(scene: SceneLike, kind: WordKind, about: str | None = None, **options: Unpack[WordOptions]) -> Words:
    """Find words without a roll, such as an aspect for the scene or a compel.

    Args:
        kind: `situation_aspect`, `zone_aspect`, `compel`, `consequence`, `high_concept` or `trouble` of a character of
            the GM, `opening` of a scene, `twist` for a tie in a contest, or `beat`, a sentence to say aloud.
        about: The topic: a character of the scene, an aspect in play, or anything in a few words. A consequence needs a
            character.
        options: See `WordOptions`: those of `suggest`, except `prepared`, and `per_slot`, `deal` and `ruleset`.

    Raises:
        NarratorError: As `suggest`, and if the scene, the kind or a name is wrong.
    """
    clock = clock_of(options, WordOptions)
    from narrator.api import occasion, pipeline_run

    return pipeline_run.answer(partial(occasion.without_roll, scene, kind, about, options), options, clock)


async def aword(scene: SceneLike, kind: WordKind, about: str | None = None, **options: Unpack[WordOptions]) -> Words:
    """The same as `word`, without blocking."""
    clock = clock_of(options, WordOptions)
    await _imported()
    from narrator.api import occasion, pipeline_run

    return await pipeline_run.aanswer(partial(occasion.without_roll, scene, kind, about, options), options, clock)


def warm() -> None:
    """Load in advance what the first call needs: imports, lists of words, cards, and a client for the model that the
    environment names. Nothing is sent.

    Raises:
        NarratorError: `bad_request` if a setting is wrong.
    """
    from narrator.api import pipeline_run

    pipeline_run.warm()


async def awarm() -> None:
    """The same, without blocking. The client belongs to this event loop."""
    await _imported()
    from narrator.api import pipeline_run

    await pipeline_run.awarm()


async def _imported() -> None:
    """Import what the calls need, once, and in a thread, because it takes too long for an event loop."""
    # `sys.modules` would not do: it also lists modules that are still being imported.
    if not _is_imported.is_set():
        from narrator.suggestions.time.threads import aside_in_turn

        await aside_in_turn(lambda: [import_module(each) for each in _NEEDED])
        _is_imported.set()
