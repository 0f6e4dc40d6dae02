"""Words a brief that asks for one suggestion alone, so that a small model can follow: few words, and an example."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from narrator.suggestions.brief import Brief


def messages(brief: "Brief") -> tuple[tuple[str, str], ...]:
    """
    Return chat messages.
    """
    raise NotImplementedError
