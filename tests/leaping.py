"""Time as tests have it: it runs as ever, but leaps where a test says so, and gives a call that names no time-out
minutes.

So a test need not guess how much a busy machine does in a moment: it lets the time be up when it wants it to be.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from weakref import WeakSet

import pytest

from narrator.suggestions.time.clock import TIMEOUT, Clock

DEADLINE = 600.0
"""Seconds after which a test gives up, or what it waits for; nothing here should take as long on any machine."""

_ahead = 0.0
_loops: WeakSet[asyncio.AbstractEventLoop] = WeakSet()


def leap(seconds: float = DEADLINE) -> None:
    """Let so many seconds pass at once, for every call and every event loop; whatever thread says so."""
    global _ahead
    _ahead += seconds
    for loop in list(_loops):
        with suppress(RuntimeError):  # it is closed
            loop.call_soon_threadsafe(lambda: None)  # it waits in ignorance of the leap


def install(patch: pytest.MonkeyPatch) -> None:
    """Have calls and event loops go by this time."""
    patch.setattr("narrator.suggestions.time.clock.monotonic", _now)
    patch.setattr(asyncio.BaseEventLoop, "time", _of_a_loop)
    patch.setattr(Clock, "__init__", _begin)


def _now() -> float:
    return time.monotonic() + _ahead


def _of_a_loop(loop: asyncio.AbstractEventLoop) -> float:
    _loops.add(loop)
    return _now()


def _begin(clock: Clock, timeout: float, begin: Callable[[Clock, float], None] = Clock.__init__) -> None:
    begin(clock, DEADLINE if timeout == TIMEOUT else timeout)
