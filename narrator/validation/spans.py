"""Places of a text where something was found, asked many times without going through them again."""

from collections.abc import Iterable


class Spans:
    """Rows of words, each from one place to before another."""

    def __init__(self, spans: Iterable[tuple[int, int]], length: int) -> None:
        """Args:
        length: How many words the text has.
        """
        self._first_end = [length + 1] * (length + 2)
        """For each place the earliest end of a span that starts there or later."""
        self._last_end = [0] * (length + 2)
        """For each place the latest end of a span that starts there or before it."""
        for start, end in spans:
            self._first_end[start] = min(self._first_end[start], end)
            self._last_end[start] = max(self._last_end[start], end)
        for place in range(length, -1, -1):
            self._first_end[place] = min(self._first_end[place], self._first_end[place + 1])
        for place in range(length + 1):
            self._last_end[place + 1] = max(self._last_end[place + 1], self._last_end[place])

    def within(self, low: int, high: int) -> bool:
        """Tell whether one of them lies between two places."""
        return low < high and self._first_end[low] <= high

    def cover(self, start: int, end: int) -> bool:
        """Tell whether one of them holds all that stands between two places."""
        return self._last_end[start] >= end
