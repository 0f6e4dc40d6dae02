"""The calls that find words: from a source, or from the deck. They import what they need when their clock runs."""

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
"""The least chance of a row that words are found for beforehand."""

_NEEDED = ("narrator.api.pipeline_run", "narrator.api.occasion")

_is_imported = Flag()


def suggest(request: RequestLike, **options: Unpack[SuggestOptions]) -> Answer:
    """Resolve an action and find words for every slot that wants them.

    Args:
        options: See `SuggestOptions`: `source`, `repairs`, `timeout`, `strict`, `rulesets`, `decks` and `prepared`.

    Raises:
        NarratorError: As `resolve`; `no_words` with the reason, where the call is strict. A source that fails is no
            error but a notice.
    """
    clock = clock_of(options, SuggestOptions)
    from narrator.api import occasion, pipeline_run

    return pipeline_run.answer(partial(occasion.of_roll, request, options.get("prepared")), options, clock)


def stream(request: RequestLike, **options: Unpack[SuggestOptions]) -> Iterator[Event]:
    """The same as events, each the moment it is known. The clock begins when the first is asked for."""
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

    # Who closes these events has closed those as well: left to the loop they might outlast it.
    async with aclosing(
        pipeline_run.aevents(partial(occasion.of_roll, request, options.get("prepared")), options, clock)
    ) as events:
        async for event in events:
            yield event


def prepare(request: RequestLike, threshold: float = THRESHOLD, **options: Unpack[Options]) -> Prepared:
    """Find words before the dice have fallen, for every row that is likely enough. Hand what it gives to `suggest` as
    `prepared`, with the same request and its dice. A source is asked once for all of them, or one by one.

    Args:
        request: The action before its roll. Dice that the actor has do not count; a total that is told does.
        threshold: The least chance of a row, from 0 to 1, by exact odds.
        options: See `Options`: those of `suggest` but for `prepared`.

    Raises:
        NarratorError: As `odds` and `suggest`; `bad_request` where no row is so likely.
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
    """Find words that no roll has led to.

    Args:
        kind: `situation_aspect`, `zone_aspect`, `compel`, `consequence`, `high_concept` or `trouble` of somebody who is
            not a player's, `opening` of a scene, or `twist`, where a contest ties.
        about: Whom or what: a character of the scene, an aspect in play, or anything in a few words. A consequence
            wants a character.
        options: See `WordOptions`: those of `suggest` but for `prepared`, and `per_slot`, `deal` and `ruleset`.

    Raises:
        NarratorError: For a scene, a kind or a name that is none, and as `suggest`.
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
    """Do beforehand what the first call would: import, load words and cards, make a client for the model that the
    environment names. Nobody is asked, and nothing sent.

    Raises:
        NarratorError: `bad_request` for settings that are wrong.
    """
    from narrator.api import pipeline_run

    pipeline_run.warm()


async def awarm() -> None:
    """The same, without blocking; the client is one for this event loop."""
    await _imported()
    from narrator.api import pipeline_run

    await pipeline_run.awarm()


async def _imported() -> None:
    """Import what the calls need, once for all that wait for it: it takes longer than a loop can wait."""
    # A module that is still being imported stands in `sys.modules` as well.
    if not _is_imported.is_set():
        from narrator.suggestions.time.threads import aside_in_turn

        await aside_in_turn(lambda: [import_module(each) for each in _NEEDED])
        _is_imported.set()
