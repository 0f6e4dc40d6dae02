"""Sources of words that need no server: they say what a test tells them, call by call."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterable, Iterator
from typing import Any

import pytest

from narrator.suggestions.prompt.brief import Brief
from narrator.suggestions.source.protocol import AsyncSource, Tokens

Piece = str | Tokens | BaseException
"""Text, usage, or what is raised in its place."""


class Scripted:
    """Says one row of pieces for each call, blocking or not, and keeps what it was asked.

    A call for which there is no row left is a test's mistake and fails it.
    """

    label = "test:scripted"

    def __init__(self, *calls: Iterable[Piece]) -> None:
        self.briefs: list[Brief] = []
        self.seconds: list[float] = []
        self._calls = list(calls)

    def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        """Say the next row."""
        for piece in self._next(brief, seconds):
            if isinstance(piece, BaseException):
                raise piece
            yield piece

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        """The same, without blocking."""
        for piece in self.stream(brief, seconds):
            await asyncio.sleep(0)
            yield piece

    def asked(self, call: int = 0) -> dict[str, Any]:
        """The data in the user message of a call."""
        return data_of(self.briefs[call])

    def _next(self, brief: Brief, seconds: float) -> Iterable[Piece]:
        self.briefs.append(brief)
        self.seconds.append(seconds)
        if not self._calls:
            pytest.fail("asked once more than the test expects")  # an exception would be a notice
        return self._calls.pop(0)


def said(source: AsyncSource, brief: Brief, seconds: float = 1.0) -> list[str | Tokens]:
    """All that a source says."""

    async def gather() -> list[str | Tokens]:
        return [piece async for piece in source.astream(brief, seconds)]

    return asyncio.run(gather())


def data_of(brief: Brief) -> dict[str, Any]:
    """The JSON data that stands at the end of the user message."""
    data: dict[str, Any] = json.loads(brief.messages[-1][1].rsplit("\n\n", 1)[-1])
    return data
