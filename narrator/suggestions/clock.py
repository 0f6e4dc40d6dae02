"""The one clock of a call: it begins with the call, and all that the call does counts."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

OVERTIME = 0.3
"""Seconds of its own work that the deck may do once the time is up."""


class Clock:
    """
    So many seconds for a call, from now on.
    """

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._end = monotonic() + timeout
        self._overtime = 0.0

    @property
    def left(self) -> float:
        """
        The seconds that are left, never fewer than 0.
        """
        return max(0.0, self._end - monotonic())

    @property
    def is_over(self) -> bool:
        """
        Whether the time is up: nobody is asked or waited for any more.
        """
        return self.left == 0.0

    @property
    def is_late(self) -> bool:
        """
        Whether the overtime is used up too: what is not dealt by now stays open.
        """
        return self._overtime > OVERTIME

    @contextmanager
    def working(self) -> Iterator[None]:
        """
        Count the deck's work as overtime, if it is. What others do between two pieces of it does not count.
        """
        started = monotonic()
        yield
        if self.is_over:
            self._overtime += monotonic() - started

    def shorten(self, seconds: float) -> None:
        """
        Let the time be up in so many seconds, if it would not be before.
        """
        self._end = min(self._end, monotonic() + seconds)
