"""Lets a model write cards for a scene, shows progress, and sums up."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from narrator import config
from narrator.api.options import SourceLike
from narrator.cli import call_views
from narrator.cli.long_run import going_on, stoppable
from narrator.cli.options import Format, ServerOptions
from narrator.cli.word_source import budgeted, settings_of
from narrator.errors import NarratorError, visible
from narrator.render import phrases, surfaces
from narrator.render.view import Answered
from narrator.sources.selection import source_of
from narrator.suggestions.pipeline.answer import CardEvent, StagedEvent, StageEvent, StagingEvent

if TYPE_CHECKING:
    from narrator.campaign.campaign import Campaign


def writer_of(server: ServerOptions, source: str | None = None) -> SourceLike:
    """Find the source: the one that was typed, or the typed model, or the model of the environment."""
    if source is not None:
        return source
    settings = settings_of(server)
    return "deck" if settings is None else budgeted(server.max_tokens, source_of(settings))


def follow(events: Iterable[StageEvent], how: Format, keep: Callable[[StageEvent], None] = lambda _: None) -> None:
    """Write cards and `keep` each event. Show the likely cost before, and the real cost after."""
    made = 0

    def kept() -> str:
        return going_on(f"{phrases.count(made, 'new card')} {'is' if made == 1 else 'are'} kept")

    with stoppable(kept), Console(stderr=True).status("") as status:
        for event in events:
            keep(event)
            if isinstance(event, StagingEvent):
                print(visible(_agreement(event)), file=sys.stderr)
            elif isinstance(event, CardEvent):
                made += 1
            status.update(Text(f"{phrases.count(made, 'card')} ..."))
    assert isinstance(event, StagedEvent), "the last event has all"
    staged = event.done
    surfaces.write(how.surface, Answered(staged, lambda: tuple(call_views.staged(staged))), sys.stdout)


def stage_if_wanted(table: "Campaign", how: Format, *, is_typed: bool) -> None:
    """Write cards for the scene that has begun, if that was typed or `config.toml` says so."""
    if not is_typed and not config.read_config(os.environ).stage:
        return
    try:
        follow(table.stage_stream(source=writer_of(ServerOptions())), how)
    except NarratorError as error:
        # The command itself is done.
        print(visible(f"narrator: the scene has begun, but without its cards: {error}"), file=sys.stderr)


def _agreement(event: StagingEvent) -> str:
    if not event.cards:
        return "This scene has all its cards already: no model is asked."
    tokens = f"about {event.input_tokens:,} tokens in and {event.output_tokens:,} out (estimated)"
    return f"{phrases.count(event.cards, 'card')} for this scene, from {event.source}: one call, {tokens}."
