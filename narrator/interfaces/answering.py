"""Makes the call that was asked for, and writes the answer, or why there is none, as it was wanted."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import typer

from narrator import calls
from narrator.api.suggesting import Chosen
from narrator.calls import AtHand
from narrator.deck.cards import DeckFile
from narrator.errors import NarratorError
from narrator.interfaces import pages
from narrator.interfaces.asked import Asked
from narrator.interfaces.blame import by_option
from narrator.interfaces.options import Format
from narrator.render import surfaces
from narrator.render.lines import Answered
from narrator.render.plain import visible
from narrator.rules.model import Model


def answer(asked: Asked, how: Format) -> None:
    """Make a call that asks nobody for words, and write what it gives."""
    write(made(asked), asked, how)


def made(asked: Asked, source: Chosen = None, decks: tuple[DeckFile, ...] = ()) -> Model:
    """Make the call.

    Raises:
        NarratorError: What the call raises, with the option that wrote what is refused.
    """
    try:
        return calls.dispatch(asked.call, AtHand(source, asked.rulesets, decks))
    except NarratorError as error:
        raise by_option(error, asked.typed, is_whole=asked.is_whole) from None


def write(result: Model, asked: Asked, how: Format) -> None:
    """Write what a call gave."""
    surfaces.write(how.surface, Answered(result, partial(pages.page, result, asked)), sys.stdout)


def complain(error: NarratorError) -> None:
    """Tell people in one line what is wrong."""
    print(f"narrator: {visible(str(error))}", file=sys.stderr)


@contextmanager
def refusals(how: Format) -> Iterator[None]:
    """Tell a refused request in one line, or as the object, and end with 1."""
    try:
        yield
    except NarratorError as error:
        if surfaces.is_for_programs(how.surface):
            print(json.dumps(error.as_json()))
        else:
            complain(error)
        raise typer.Exit(1) from None
