"""What long commands share: a file for what they make, refused where one is, and Ctrl-C, which loses nothing."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from narrator.errors import RequestError, visible

_INTERRUPTED = 130
"""How a shell is told of Ctrl-C."""


def free(file: str, option: str) -> Path:
    """Refuse, by its option and before anything is spent, a file that is there already or cannot be written."""
    path, place = Path(file), visible(file)
    if "\0" in file or not path.name or not os.access(path.parent, os.W_OK):
        raise RequestError("bad_request", option, f"{place} can't be written: name another file with {option}")
    if os.path.lexists(path):
        raise RequestError("bad_request", option, f"{place} exists already: move it, or name another file")
    return path


def going_on(kept: str) -> str:
    """Say of what was kept how it is gone on with."""
    return f"{kept}: run the same command to continue"


@contextmanager
def stoppable(kept: Callable[[], str]) -> Iterator[None]:
    """Let Ctrl-C end a command at once, saying what was kept."""
    try:
        yield
    except KeyboardInterrupt:
        print(f"narrator: stopped; {visible(kept())}", file=sys.stderr)
        raise typer.Exit(_INTERRUPTED) from None
