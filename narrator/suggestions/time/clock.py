"""The limits of a call: its clock, and how often a source is asked again."""

from time import monotonic

TIMEOUT = 20.0
"""Seconds for a whole call, by default."""

LONGEST_TIMEOUT = 3_600

REPAIRS = 1
"""How often a source is asked again for missing suggestions, by default."""

MOST_REPAIRS = 10


class Clock:
    """Counts down the seconds of a call, from now."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._end = monotonic() + timeout

    @property
    def left(self) -> float:
        """The seconds left, at least 0."""
        return max(0.0, self._end - monotonic())

    @property
    def is_over(self) -> bool:
        """Whether the time is up. Then no source is asked or waited for."""
        return self.left == 0.0

    def shorten(self, seconds: float) -> None:
        """Leave at most so many seconds."""
        self._end = min(self._end, monotonic() + seconds)
