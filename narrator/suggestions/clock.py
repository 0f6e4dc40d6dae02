"""The one clock of a call: it begins with the call, and all that the call does counts."""

from time import monotonic


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
