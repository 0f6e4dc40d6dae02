"""The call `stage`: a model writes cards for a scene before anybody rolls. Each can be dealt as soon as it exists."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Unpack

import anyio

from narrator.api.occasion import SceneLike
from narrator.api.options import StageOptions, clock_of
from narrator.api.requests import all_of, find_ruleset, within
from narrator.deck.staged import MOST_STAGED, StagedCards
from narrator.deck_maker.staging import Staging
from narrator.errors import GoWithoutError, RequestError, TryAgainError
from narrator.rules.model import data_of
from narrator.rules.request.action import USUAL_RULESET
from narrator.rules.request.scene import Scene
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.sources.selection import source_for
from narrator.suggestions.pipeline.answer import CardEvent, Staged, StagedEvent, StageEvent
from narrator.suggestions.pipeline.driver import read_on, too_late
from narrator.suggestions.source.protocol import LAST_WORDS, SourceError
from narrator.suggestions.time import portal
from narrator.suggestions.time.threads import aside

if TYPE_CHECKING:
    from narrator.suggestions.source.adapter import Adapted
    from narrator.suggestions.time.clock import Clock

CARDS = 30
"""Cards for a scene, enough for about an hour of play."""

_WRITERS = "the deck can't write cards: name a model here, as NARRATOR_MODEL or in config.toml"

PATIENCE = 300.0
"""Seconds for the call by default. Nobody waits for it, and a small machine writes slowly."""


def stage(scene: SceneLike, cards: int = CARDS, ruleset: str | None = None, **options: Unpack[StageOptions]) -> Staged:
    """Ask a model once to write cards for a scene, and judge each card. Pass the result as `staged` to `suggest`,
    `prepare` and `word`, and set the scene's `stage` to its `id`. Its cards then come first.

    Args:
        scene: The scene, as it is now.
        cards: The total number of cards, 1 to 200.
        ruleset: The ruleset whose tables are used, by default `five-actions`.
        options: See `StageOptions`.

    Raises:
        NarratorError: `bad_request`, also if no model is named. `no_words` if the model writes no usable card. If the
            model fails later, its cards are kept, and a notice says why it stopped.
    """
    *_, last = stage_stream(scene, cards, ruleset, **options)
    assert isinstance(last, StagedEvent), "the last event has all"
    return last.done


def stage_stream(
    scene: SceneLike, cards: int = CARDS, ruleset: str | None = None, **options: Unpack[StageOptions]
) -> Iterator[StageEvent]:
    """The same as events: each card as soon as it is judged, then all cards."""
    clock = _clock(options)
    making, source = _begun(scene, cards, ruleset, **options)
    try:
        yield from portal.each(partial(_events, making, source, clock), clock)
    except portal.StuckError:
        assert source is not None, "somebody was asked"
        raise TryAgainError("no_words", "", f"{source.label}: {too_late(clock, source).reason}.") from None


async def astage(
    scene: SceneLike, cards: int = CARDS, ruleset: str | None = None, **options: Unpack[StageOptions]
) -> Staged:
    """The same as `stage`, without blocking."""
    found = [event async for event in astage_stream(scene, cards, ruleset, **options)]
    assert isinstance(found[-1], StagedEvent), "the last event has all"
    return found[-1].done


async def astage_stream(
    scene: SceneLike, cards: int = CARDS, ruleset: str | None = None, **options: Unpack[StageOptions]
) -> AsyncGenerator[StageEvent, None]:
    """The same as `stage_stream`, without blocking."""
    clock = _clock(options)
    making, source = await aside(partial(_begun, scene, cards, ruleset, **options))
    async for event in _events(making, source, clock):
        yield event


def _begun(
    scene: SceneLike, cards: int, ruleset: str | None, **options: Unpack[StageOptions]
) -> tuple[Staging, Adapted | None]:
    """Find the missing cards and the source that writes them. Nothing is sent yet."""
    if not isinstance(cards, int) or isinstance(cards, bool) or not 1 <= cards <= MOST_STAGED:
        raise RequestError("bad_request", "request.cards", f"this must be a whole number from 1 to {MOST_STAGED}")
    read = Scene.read(scene, "request.scene")
    house: Iterable[Ruleset] = all_of("rulesets", options.get("rulesets", ()), Ruleset)
    given = options.get("staged")
    had = None if given is None else StagedCards.read(data_of(given), "staged")
    with within("request"):
        played = find_ruleset(USUAL_RULESET if ruleset is None else ruleset, house)
    making, source = Staging(read, played, cards, had), source_for(options.get("source"))
    if source is None and making.is_short:
        raise RequestError("bad_request", "source", _WRITERS)
    return making, source


async def _events(making: Staging, source: Adapted | None, clock: Clock) -> AsyncGenerator[StageEvent, None]:
    if source is None or not making.missing:
        yield making.begun(source)
        yield StagedEvent(done=await aside(partial(making.staged, 0.0)))
        return
    started, notices = monotonic(), list[str]()
    failure: SourceError | None = None
    yield await aside(partial(making.begun, source))
    if clock.is_over:  # nobody is paid for what nobody waits for
        raise TryAgainError("no_words", "", f"{source.label}: {too_late(clock, source).reason}.")
    pieces = source.astream(making.prompt, clock.left)
    try:
        while found := await read_on(pieces, making, clock, source):
            for each in found:
                if making.missing and (card := await aside(partial(making.take, each, source))) is not None:
                    yield CardEvent(card=card)
            if not making.missing:
                clock.shorten(LAST_WORDS)
    except SourceError as error:
        failure = error
        notices += [f"{source.label}: {error.reason}."] if making.missing else []
    finally:
        with anyio.CancelScope(shield=True), anyio.move_on_after(1):
            await pieces.aclose()
    if not making.cards:
        kind: Any = GoWithoutError if failure is not None and failure.lasts else TryAgainError
        raise kind("no_words", "", " ".join(notices) or f"no usable card. {' '.join(making.staged(0).notices)}")
    yield StagedEvent(done=await aside(partial(making.staged, monotonic() - started, *notices)))


def _clock(options: StageOptions) -> Clock:
    whole: StageOptions = {"timeout": PATIENCE, **options}
    return clock_of(whole, StageOptions)
