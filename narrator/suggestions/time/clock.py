"""What a call may take: its one clock, which begins with it, and how often a source is asked again."""

from time import monotonic

TIMEOUT = 20.0
"""Seconds for a whole call, where it says nothing else."""

LONGEST_TIMEOUT = 3_600

REPAIRS = 1
"""How often a source is asked again for what is missing, where a call says nothing else."""

MOST_REPAIRS = 10


class Clock:
    """So many seconds for a call, from now on."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._end = monotonic() + timeout

    @property
    def left(self) -> float:
        """The seconds that are left, never fewer than 0."""
        return max(0.0, self._end - monotonic())

    @property
    def is_over(self) -> bool:
        """Whether the time is up: nobody is asked or waited for any more."""
        return self.left == 0.0

    def shorten(self, seconds: float) -> None:
        """Let the time be up in so many seconds, if it would not be before."""
        self._end = min(self._end, monotonic() + seconds)
