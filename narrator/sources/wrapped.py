"""A source around another: what it is by itself, the one inside says."""

from narrator.suggestions.brief import Manner
from narrator.suggestions.source import Source


class Wrapped:
    """What a source tells of itself, told for one that does something beside asking it."""

    def __init__(self, source: Source) -> None:
        self._source = source

    @property
    def label(self) -> str:
        """The source's own."""
        return self._source.label

    @property
    def is_local(self) -> bool:
        """The source's own."""
        return getattr(self._source, "is_local", False)

    @property
    def is_deterministic(self) -> bool:
        """The source's own."""
        return getattr(self._source, "is_deterministic", False)

    @property
    def host(self) -> str | None:
        """The source's own, where it has one."""
        return getattr(self._source, "host", None)

    @property
    def manner(self) -> Manner:
        """The source's own."""
        return getattr(self._source, "manner", "together")

    def gives_away(self, text: str) -> bool:
        """Whether a text tells a secret of the source's."""
        gives_away = getattr(self._source, "gives_away", None)
        return gives_away is not None and gives_away(text)
