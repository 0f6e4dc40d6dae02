"""The seam between the pipeline and whatever writes words: a brief goes out, pieces of text come back."""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from typing import Protocol

from narrator.suggestions.brief import Brief


@dataclass(frozen=True)
class Tokens:
    """
    What a call has used, in tokens, where the source says so.
    """

    input: int = 0
    cached: int = 0
    output: int = 0


class SourceError(Exception):
    """
    A source that has no answer, or no whole one.

    Args:
        reason: What happened, for the people at the table: a clause without keys, and no address but the user's own.

        again: Whether asking once more makes sense.
    """

    def __init__(self, reason: str, *, again: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again


class Source(Protocol):
    """
    Something that writes words. Text may come in pieces of any size; `Tokens` once, anywhere.
    """

    @property
    def label(self) -> str:
        """
        What suggestions name as their source, such as `openai:MODEL`.
        """

    def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        """
        Write, and end within so many seconds.

        Raises:
            SourceError: When there is no answer, or it stops short.
        """

    def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        """
        The same, without blocking.
        """
