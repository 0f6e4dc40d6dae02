"""A budget of tokens for a whole process: what is not in it any more, no model is asked for."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from threading import Lock

from narrator.sources.wrapped import Wrapped
from narrator.suggestions.brief import Prompt
from narrator.suggestions.pieces import pieces_of
from narrator.suggestions.source import CHARACTERS_A_TOKEN, Piece, Source, SpentError, Tokens


class Budget:
    """So many tokens, of prompts and answers together, for every source that is held to it."""

    def __init__(self, tokens: int) -> None:
        self._left = tokens
        self._lock = Lock()

    @property
    def left(self) -> int:
        """The tokens that may still be spent."""
        return max(0, self._left)

    def spend(self, tokens: int) -> None:
        """Take away what was used; what turned out to be used less comes back as a negative number."""
        with self._lock:
            self._left -= tokens


class Budgeted(Wrapped):
    """A source that is asked while there are tokens left.

    A call that is under way is broken off when, by our count, it has used them up; what the model tells of its
    usage then goes before our count. A prompt is counted before it is sent, so that calls at the same time see it.
    """

    def __init__(self, source: Source, budget: Budget) -> None:
        super().__init__(source)
        self._budget = budget

    async def astream(self, brief: Prompt, seconds: float) -> AsyncGenerator[Piece, None]:
        """Ask the source.

        Raises:
            SpentError: When the tokens are spent.
            SourceError: What the source raises.
        """
        account = _Account(self._budget, brief)
        try:
            async with aclosing(pieces_of(self._source, brief, seconds)) as pieces:
                async for piece in pieces:
                    account.take(piece)
                    yield piece
                    account.check()
        finally:
            account.settle()


class _Account:
    """What one call has used so far, by our count and by the model's."""

    def __init__(self, budget: Budget, brief: Prompt) -> None:
        self._budget = budget
        self._told: Tokens | None = None
        self._prompt = _estimate(sum(len(content) for _, content in brief.messages))
        self._written = 0
        # A prompt that leaves nothing for an answer is not worth sending.
        if self._prompt >= budget.left:
            raise SpentError
        budget.spend(self._prompt)

    def take(self, piece: Piece) -> None:
        if isinstance(piece, Tokens) and (piece.input or piece.output):
            self._told = piece
        elif isinstance(piece, str):
            self._written += len(piece)

    def check(self) -> None:
        if self._told is None and _estimate(self._written) > self._budget.left:
            raise SpentError

    def settle(self) -> None:
        if self._told is not None:
            self._budget.spend(self._told.input + self._told.output - self._prompt)
        else:
            self._budget.spend(_estimate(self._written))


def _estimate(characters: int) -> int:
    # Rounded up: what is sent is never for nothing.
    return -(-characters // CHARACTERS_A_TOKEN)
