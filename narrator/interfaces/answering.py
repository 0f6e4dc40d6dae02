"""Makes the call that was asked for, and writes the answer, or why there is none, as it was wanted."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import typer

from narrator.errors import NarratorError, visible
from narrator.interfaces import pages
from narrator.interfaces.asked import Asked
from narrator.interfaces.options import Format
from narrator.interfaces.typed import Typed, by_option
from narrator.render import surfaces
from narrator.render.lines import Answered
from narrator.rules.model import Model


def answer(asked: Asked, how: Format) -> None:
    """Make a call that asks nobody for words, and write what it gives."""
    write(made(asked), asked, how)


def made(asked: Asked, **options: Any) -> Model:
    """Make the call; an error that it raises names the option that wrote what is refused."""
    try:
        return asked.call.make(rulesets=asked.rulesets, **options)
    except NarratorError as error:
        raise by_option(error, asked.typed, is_whole=asked.is_whole) from None


def write(result: Model, asked: Asked, how: Format) -> None:
    """Write what a call gave."""
    surfaces.write(how.surface, Answered(result, partial(pages.page, result, asked)), sys.stdout)


def complain(error: NarratorError) -> None:
    """Tell people in one line what is wrong."""
    print(f"narrator: {visible(str(error))}", file=sys.stderr)


@contextmanager
def refusals(how: Format, typed: Typed = None) -> Iterator[None]:
    """Tell a refused request, by the option if any was `typed`, in one line or as the object, and end with 1."""
    try:
        yield
    except NarratorError as refused:
        error = refused if typed is None else by_option(refused, typed)
        if surfaces.is_for_programs(how.surface):
            print(json.dumps(error.as_json()))
        else:
            complain(error)
        raise typer.Exit(1) from None
