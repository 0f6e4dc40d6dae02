"""Shared by long commands: an output file that must be new, and Ctrl-C that loses nothing."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from narrator.errors import RequestError, visible

_INTERRUPTED = 130
"""The exit code for Ctrl-C."""


def free(file: str, option: str) -> Path:
    """Refuse a file that exists or can't be written, before anything is spent. The error names the option."""
    path, place = Path(file), visible(file)
    if "\0" in file or not path.name or not os.access(path.parent, os.W_OK):
        raise RequestError("bad_request", option, f"{place} can't be written: name another file with {option}")
    if os.path.lexists(path):
        raise RequestError("bad_request", option, f"{place} exists already: move it, or name another file")
    return path


def going_on(kept: str) -> str:
    """Say how to continue from what was kept."""
    return f"{kept}: run the same command to continue"


@contextmanager
def stoppable(kept: Callable[[], str]) -> Iterator[None]:
    """Let Ctrl-C end a command at once, and say what was kept."""
    try:
        yield
    except KeyboardInterrupt:
        print(f"narrator: stopped; {visible(kept())}", file=sys.stderr)
        raise typer.Exit(_INTERRUPTED) from None
