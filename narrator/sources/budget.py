"""A budget of tokens for a whole process. When it is used up, no model is asked."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from threading import Lock

from narrator.suggestions.prompt.brief import Prompt
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import CHARACTERS_A_TOKEN, Piece, Source, SourceError, SpentError, Tokens


class Budget:
    """A number of tokens, for prompts and answers together. Several sources can share it."""

    def __init__(self, tokens: int) -> None:
        self._left = tokens
        self._lock = Lock()

    @property
    def left(self) -> int:
        """The tokens left, at least 0."""
        return max(0, self._left)

    def spend(self, tokens: int) -> None:
        """Subtract tokens. A negative number gives back tokens that were not used after all."""
        with self._lock:
            self._left -= tokens


class Budgeted(Adapted):
    """A source that is asked only while there are tokens left.

    narrator estimates the tokens of a call, and stops it when they are used up. The usage that the model reports then
    replaces the estimate. A prompt is counted before it is sent, so that other calls at the same time see it.
    """

    def __init__(self, source: Source, budget: Budget) -> None:
        super().__init__(source)
        self._budget = budget

    async def astream(self, brief: Prompt, seconds: float) -> AsyncGenerator[Piece, None]:
        """Ask the source.

        Raises:
            SpentError: If the tokens are used up.
        """
        prompt = _estimate(sum(len(content) for _, content in brief.messages))
        # A prompt that leaves no tokens for an answer is not sent.
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
                self._budget.spend(-prompt)  # no answer costs nothing
            raise
        finally:
            self._budget.spend(_estimate(written) if told is None else told.input + told.output - prompt)


def _estimate(characters: int) -> int:
    # Rounded up, so that no text counts as 0.
    return -(-characters // CHARACTERS_A_TOKEN)
