"""A budget of tokens for a whole process: what is not in it any more, no model is asked for."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from threading import Lock

from narrator.suggestions.prompt.brief import Prompt
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import CHARACTERS_A_TOKEN, Piece, Source, SourceError, SpentError, Tokens


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


class Budgeted(Adapted):
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
        """
        prompt = _estimate(sum(len(content) for _, content in brief.messages))
        # A prompt that leaves nothing for an answer is not worth sending.
        if prompt >= self._budget.left:
            raise SpentError
        self._budget.spend(prompt)
        told: Tokens | None = None
        written = 0
        try:
            async with aclosing(super().astream(brief, seconds)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, str):
                        written += len(piece)
                    elif piece.input or piece.output:
                        told = piece
                    yield piece
                    if told is None and _estimate(written) > self._budget.left:
                        raise SpentError
        except SourceError:
            if told is None and not written:
                self._budget.spend(-prompt)  # whoever answered nothing at all charges nothing
            raise
        finally:
            self._budget.spend(_estimate(written) if told is None else told.input + told.output - prompt)


def _estimate(characters: int) -> int:
    # Rounded up: what is sent is never for nothing.
    return -(-characters // CHARACTERS_A_TOKEN)
