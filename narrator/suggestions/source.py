"""The seam between the pipeline and whatever writes words: a brief goes out, pieces of text come back."""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, Self

MOST_TOKENS = 1_000_000_000
"""Of one call. What is told beyond that is nonsense."""


@dataclass(frozen=True)
class Brief:
    """
    What a source is asked: chat messages (role and content), and the JSON schema of the answer.
    """

    messages: tuple[tuple[str, str], ...]
    schema: dict[str, Any]


@dataclass(frozen=True)
class Tokens:
    """
    What a call has used so far, in tokens, where the source says so: each is the sum, and the last one counts.
    """

    input: int = 0
    cached: int = 0
    output: int = 0

    @classmethod
    def told(cls, *, input: object = None, cached: object = None, output: object = None) -> Self:
        """
        Make them of what a model has told, which may be anything: what is no count is 0.
        """
        return cls(_count(input), _count(cached), _count(output))


def _count(told: object) -> int:
    # Exactly int: true is no count.
    return told if type(told) is int and 0 <= told <= MOST_TOKENS else 0


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
    Something that writes words. Text may come in pieces of any size; `Tokens` anywhere, as often as they change.
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
