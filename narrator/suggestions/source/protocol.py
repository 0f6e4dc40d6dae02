"""What a source of words is: a brief goes in, pieces of text come out; what a failure says, and what is counted."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias, TypeGuard, runtime_checkable

from narrator.suggestions.prompt.brief import Brief, Manner
from narrator.validation.verdict import Rejection

DECK = "deck"
"""What suggestions of the deck name as their source, and who wants nobody else asked."""

STAGE = "stage"
"""What those name that were written for the scene before anybody rolled."""

LAST_WORDS = 0.5
"""Seconds to end, and to tell the usage, once all is said."""

MOST_TOKENS = 1_000_000_000
"""Of one call. What is told beyond that is nonsense."""

CHARACTERS_A_TOKEN = 4
"""What a token is counted as where a model does not tell its usage."""


@dataclass(frozen=True)
class Tokens:
    """What a call has used so far, in tokens, where the source says so: each is the sum, and the last one counts.
    `requests` is how often something was sent for it; the most that was told counts.

    Raises:
        ValueError: For what is no whole number from 0 to `MOST_TOKENS`.
    """

    input: int = 0
    cached: int = 0
    output: int = 0
    requests: int = 1

    def __post_init__(self) -> None:
        if not all(_is_count(each) for each in (self.input, self.cached, self.output, self.requests)):
            raise ValueError(f"tokens are whole numbers from 0 to {MOST_TOKENS}")

    @classmethod
    def told(cls, *, input: object = None, cached: object = None, output: object = None) -> Self:
        """Make them of what a model has told, which may be anything: what is no count is 0."""
        return cls(*(each if _is_count(each) else 0 for each in (input, cached, output)))


def _is_count(told: object) -> TypeGuard[int]:
    # Exactly int: true is no count.
    return type(told) is int and 0 <= told <= MOST_TOKENS


Piece: TypeAlias = str | Tokens
"""What a source gives: text, in pieces of any size, and what it has used so far."""


class SourceError(Exception):
    """A source that has no answer, or no whole one.

    Args:
        reason: What happened, for the people at the table: a clause without keys, and no address but the user's own.
        again: Whether asking once more makes sense, in the same call.
        lasts: Whether it will not pass by itself, so that a call to come is not worth it either.
    """

    def __init__(self, reason: str, *, again: bool = False, lasts: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again
        self.lasts = lasts


class SpentError(SourceError):
    """A source that is not asked, or not heard to the end, because the tokens for it are spent."""

    def __init__(self) -> None:
        super().__init__("the token budget is spent", lasts=True)


def telling_a_key(candidate: object, gives_away: Callable[[str], bool] | None) -> Rejection | None:
    """Refuse what tells a secret of its source, without repeating it; None where it tells none, or there is none."""
    if gives_away is None or not gives_away(json.dumps(candidate, ensure_ascii=False)):
        return None
    return Rejection(code="unsafe_text", field="", message="This tells a key; it is not repeated.", candidate=None)


@runtime_checkable
class BlockingSource(Protocol):
    """A source that can only block: it is read in a daemon thread, which is left behind when the time is up."""

    @property
    def label(self) -> str:
        """What suggestions name as their source, such as `openai:MODEL`."""

    def stream(self, brief: Brief, seconds: float) -> Iterator[Piece]:
        """Write, and end within so many seconds.

        Raises:
            SourceError: When there is no answer, or it stops short.
        """


@runtime_checkable
class AsyncSource(Protocol):
    """A source that does not block: it is cancelled when the time is up."""

    @property
    def label(self) -> str:
        """What suggestions name as their source, such as `openai:MODEL`."""

    def astream(self, brief: Brief, seconds: float) -> AsyncIterator[Piece]:
        """Write; there are so many seconds for it.

        Raises:
            SourceError: When there is no answer, or it stops short.
        """


Source: TypeAlias = BlockingSource | AsyncSource
"""Something that writes words: a label, and one of two ways to stream pieces of text of any size. With both, a blocking
call takes `stream` and any other `astream`.

It may also have these: `is_deterministic` (true: it says the same again, so nobody asks it again), `is_local` (true:
nothing leaves this machine, so that there is no call to be counted), `host` (where it asks, for a notice that nobody
answered in time), `gives_away(text)`, which says whether a text tells a secret of its own, `manner`, how its words are
asked for: `together` where it does not say, and `ready()`, to be awaited before the first call.
"""


@dataclass(frozen=True)
class SourceTraits:
    """Who is asked, and how."""

    label: str
    """What suggestions name as their source."""
    calls: int
    """How often at the most: for all that is wanted, or one by one for each suggestion."""
    counts: bool = True
    """Whether a call is one of the usage."""
    strict: bool = False
    """Whether the deck stays out."""
    manner: Manner = "together"
    """How much is asked for in a call."""
    gives_away: Callable[[str], bool] | None = None
    """Whether a text tells a secret of who is asked; None: there is none."""


NOBODY = SourceTraits(DECK, calls=0)
"""Where nobody is asked, and all comes from the deck."""
