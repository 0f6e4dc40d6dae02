"""The protocol of a source: a brief goes in, and pieces of text, token counts or a failure come out."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias, TypeGuard, runtime_checkable

from narrator.suggestions.prompt.brief import Brief, Manner
from narrator.validation.verdict import Rejection

DECK = "deck"
"""The source of the deck's suggestions, and the name to pass for the deck alone."""

STAGE = "stage"
"""The source of staged cards."""

LAST_WORDS = 0.5
"""Seconds for a source to end and report its usage, once its suggestions are complete."""

MOST_TOKENS = 1_000_000_000
"""Tokens of one call. A higher count is nonsense."""

CHARACTERS_A_TOKEN = 4
"""Characters that count as a token if a model does not report its usage."""


@dataclass(frozen=True)
class Tokens:
    """The tokens that a call has used so far. Each report is a total, and the last one counts. `requests` is how many
    requests were sent, and the highest number counts.

    Raises:
        ValueError: If a field is not a whole number from 0 to `MOST_TOKENS`.
    """

    input: int = 0
    cached: int = 0
    output: int = 0
    requests: int = 1

    def __post_init__(self) -> None:
        if not all(_is_count(each) for each in (self.input, self.cached, self.output, self.requests)):
            raise ValueError(f"tokens must be whole numbers from 0 to {MOST_TOKENS}")

    @classmethod
    def told(cls, *, input: object = None, cached: object = None, output: object = None) -> Self:
        """Make tokens from a model's report, which may contain anything. An invalid count is 0."""
        return cls(*(each if _is_count(each) else 0 for each in (input, cached, output)))


def _is_count(told: object) -> TypeGuard[int]:
    # `True` is an int, but not a count.
    return type(told) is int and 0 <= told <= MOST_TOKENS


Piece: TypeAlias = str | Tokens
"""What a source gives: pieces of text of any size, and the tokens used so far."""


class SourceError(Exception):
    """A source gave no answer, or an incomplete one.

    Args:
        reason: What happened, as a clause for the people at the table. It contains no key, and no address but the
        user's. again: Whether to ask again in the same call.
        lasts: Whether later calls would fail as well.
    """

    def __init__(self, reason: str, *, again: bool = False, lasts: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again
        self.lasts = lasts


class SpentError(SourceError):
    """A source is not asked, or is cut short, because its token budget is used up."""

    def __init__(self) -> None:
        super().__init__("the token budget is used up", lasts=True)


def telling_a_key(candidate: object, gives_away: Callable[[str], bool] | None) -> Rejection | None:
    """Refuse a candidate that reveals a secret of its source, without repeating it. None: it reveals none."""
    if gives_away is None or not gives_away(json.dumps(candidate, ensure_ascii=False)):
        return None
    message = "The suggestion contains an API key, so it is not shown."
    return Rejection(code="unsafe_text", field="", message=message, candidate=None)


@runtime_checkable
class BlockingSource(Protocol):
    """A source that blocks. It runs in a daemon thread, which is abandoned when the time is up."""

    @property
    def label(self) -> str:
        """The source of its suggestions, such as `openai:MODEL`."""

    def stream(self, brief: Brief, seconds: float) -> Iterator[Piece]:
        """Write the answer, and end within so many seconds.

        Raises:
            SourceError: If there is no answer, or it is incomplete.
        """


@runtime_checkable
class AsyncSource(Protocol):
    """A source that does not block. It is cancelled when the time is up."""

    @property
    def label(self) -> str:
        """The source of its suggestions, such as `openai:MODEL`."""

    def astream(self, brief: Brief, seconds: float) -> AsyncIterator[Piece]:
        """Write the answer within so many seconds.

        Raises:
            SourceError: If there is no answer, or it is incomplete.
        """


Source: TypeAlias = BlockingSource | AsyncSource
"""Something that writes suggestions. It has a label, and `stream` or `astream`. With both, a blocking call uses
`stream` and any other call `astream`.

These are optional: `is_deterministic` (true: the same request gives the same answer, so it is not asked again),
`is_local` (true: nothing leaves this machine, so its calls are not counted), `host` (the server's address, for
notices), `gives_away(text)` (whether a text reveals a secret of the source), `manner` (`together` if omitted), and
`ready()` (awaited before the first call).
"""


@dataclass(frozen=True)
class SourceTraits:
    """The source to ask, and how to ask it."""

    label: str
    """The source that suggestions name."""
    calls: int
    """The most calls: for all suggestions, or for each one in the manner `one_by_one`."""
    counts: bool = True
    """Whether its calls count in the usage."""
    strict: bool = False
    """Whether the deck is not used."""
    manner: Manner = "together"
    """How suggestions are asked for."""
    gives_away: Callable[[str], bool] | None = None
    """Whether a text reveals a secret of the source. None: it has no secrets."""


NOBODY = SourceTraits(DECK, calls=0)
"""No source: everything comes from the deck."""
