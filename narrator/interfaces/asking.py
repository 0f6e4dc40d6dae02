"""Asks for words whoever is to write them, as it was typed, and shows meanwhile that somebody is at it."""

import os

from rich.console import Console
from rich.status import Status
from rich.text import Text

from narrator import house
from narrator.api.asking import source_of
from narrator.api.suggesting import Chosen
from narrator.deck.cards import DeckFile
from narrator.interfaces.answering import made
from narrator.interfaces.asked import Asked
from narrator.interfaces.options import Server, Writer
from narrator.render.plain import visible
from narrator.rules.model import Model
from narrator.sources.budget import Budget, Budgeted
from narrator.sources.settings import Settings, from_environment
from narrator.suggestions.brief import Manner
from narrator.suggestions.source import Source


def found(asked: Asked, writer: Writer) -> Model:
    """Make the call.

    Raises:
        NarratorError: What the call raises, and for settings and decks that are wrong.
    """
    source, decks = source_for(writer), decks_of(writer)
    with status_of(source):
        return made(asked, source, decks)


def source_for(writer: Writer) -> Chosen:
    """Find who is asked: the model that was typed, or that the environment names, else the deck.

    Raises:
        NarratorError: For settings that are wrong.
    """
    settings = settings_of(writer, writer.manner)
    return "deck" if settings is None else within(writer.max_tokens, source_of(settings))


def manner_of(writer: Writer) -> Manner:
    """Say how a model would be asked.

    Raises:
        NarratorError: For settings that are wrong.
    """
    settings = settings_of(writer, writer.manner)
    return writer.manner or "together" if settings is None else settings.manner


def decks_of(writer: Writer) -> tuple[DeckFile, ...]:
    """Load the decks that were typed.

    Raises:
        NarratorError: `bad_deck` for one that is wrong.
    """
    return tuple(house.load_deck(path) for path in writer.deck or ())


def settings_of(server: Server, manner: str | None = None) -> Settings | None:
    """Read the settings of the model that was typed, or that the environment names; None: that is the deck.

    Raises:
        NarratorError: For settings that are wrong.
    """
    return from_environment(os.environ, model=server.model, base_url=server.base_url, manner=manner)


def within(max_tokens: int | None, source: Source, spent: int = 0) -> Source:
    """Hold a source to so many tokens, where that was typed, of which some may be spent."""
    return source if max_tokens is None else Budgeted(source, Budget(max(0, max_tokens - spent)))


def status_of(source: Chosen) -> Status:
    """Say on standard error who is at it, for as long as it takes."""
    label = getattr(source, "label", None)
    who = (
        f"asking {visible(label.partition(':')[2] or label)} ..."
        if isinstance(label, str)
        else "drawing from the deck ..."
    )
    return Console(stderr=True).status(Text(who))
