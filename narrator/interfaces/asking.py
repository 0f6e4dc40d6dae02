"""Asks for words whoever is to write them, as it was typed, and shows meanwhile that somebody is at it."""

import os
from typing import Any

from rich.console import Console
from rich.status import Status
from rich.text import Text

from narrator import house
from narrator.api.options import Chosen
from narrator.errors import visible
from narrator.interfaces.answering import made
from narrator.interfaces.asked import Asked
from narrator.interfaces.options import Server, Writer
from narrator.interfaces.typed import written
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.sources.budget import Budget, Budgeted
from narrator.sources.choosing import source_for, source_of
from narrator.sources.settings import Settings, from_environment
from narrator.suggestions.brief import Manner
from narrator.suggestions.pieces import Adapted
from narrator.suggestions.source import Source


def found(asked: Asked, writer: Writer) -> Model:
    """Make a call that asks somebody for words."""
    options = options_of(writer, asked.payload)
    with status_of(options["source"]):
        return made(asked, **options)


def options_of(writer: Writer, payload: Json) -> dict[str, Any]:
    """Say how words are found, as a call takes it; what was not typed is left out, and as the payload has it."""
    decks = tuple(house.load_deck(path) for path in writer.deck or ())
    source = _source_for(writer, payload)
    whom = "deck" if source is None else within(writer.max_tokens, source)
    return {**written(writer), "source": whom, "decks": decks}


def manner_of(writer: Writer, payload: Json) -> Manner:
    """Say how a model would be asked."""
    source = _source_for(writer, payload)
    return writer.manner or "together" if source is None else Adapted(source).manner


def _source_for(writer: Writer, payload: Json) -> Source | None:
    """Find who is asked: the source or model typed, the payload's source, the environment's model; None: the deck."""
    name = writer.source if writer.source is not None or writer.model is not None else payload.get("source")
    if name is not None:
        return source_for(name)
    settings = settings_of(writer, writer.manner)
    return None if settings is None else source_of(settings)


def settings_of(server: Server, manner: str | None = None) -> Settings | None:
    """Read the settings of the model that was typed, or that the environment names; None: that is the deck."""
    return from_environment(os.environ, model=server.model, base_url=server.base_url, manner=manner)


def within(max_tokens: int | None, source: Source, spent: int = 0) -> Source:
    """Hold a source to so many tokens, where that was typed, of which some may be spent."""
    return source if max_tokens is None else Budgeted(source, Budget(max(0, max_tokens - spent)))


def status_of(source: Chosen) -> Status:
    """Say on standard error who is at it, for as long as it takes."""
    label = getattr(source, "label", None)
    asks = f"asking {visible(label.partition(':')[2] or label)} ..." if isinstance(label, str) else None
    return Console(stderr=True).status(Text(asks or "drawing from the deck ..."))
