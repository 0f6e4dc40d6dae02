"""Suggestions that fit the example, both ways to ask for them, sources closed when a test is over, and processes."""

import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from narrator.sources import kinds
from narrator.sources.settings import Settings
from narrator.suggestions.pipeline.answer import Answer
from narrator.suggestions.prompt.brief import Brief
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import Source, Tokens
from tests.asking import CLERK, GUARD, INK, answer_of, blocking, on_a_loop
from tests.leaping import DEADLINE
from tests.scripted_server import suggestions

FITTING = (GUARD, CLERK, INK)

TEXT = suggestions(*FITTING)

Ask = Callable[..., Answer]


def ask(source: Source, **options: Any) -> Answer:
    """Ask for an answer, blocking."""
    return answer_of(blocking(source, **options))


def ask_async(source: Source, **options: Any) -> Answer:
    """Ask for an answer, on an event loop."""
    return answer_of(on_a_loop(source, **options))


def by(answer: Answer, source: Source) -> int:
    """How many suggestions of an answer a source has written."""
    return sum(each.source == source.label for each in answer.suggestions)


MISSHAPEN = {"malformed", "unknown_slot", "wrong_kind", "form_not_allowed", "not_eligible", "wrong_mechanics"}
"""How a suggestion is refused that has not the slot, form, recipient or fields that were asked for."""

SERVED = tuple(
    name for name in kinds.kinds() if not Adapted(kinds.make(name, Settings("tiny", "http://127.0.0.1:9/v1"))).is_local
)
"""The kinds of sources that ask a server: each is tried with every server that is hostile or at fault."""

ROOT = Path(__file__).parents[2]


def printed_apart(base_url: str, *arguments: str) -> str:
    """What Python prints, run with these arguments where the environment names a model of this server; it prints
    nothing else, and ends well.
    """
    environment = {**os.environ, "NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": base_url}
    ran = subprocess.run(
        [sys.executable, *arguments],
        env=environment, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE, check=False,
    )  # fmt: skip
    assert (ran.stderr, ran.returncode) == ("", 0)
    return ran.stdout


_opened: list[Any] = []


def opened(kind: str, settings: Settings) -> Source:
    """A source of a kind, which is closed when the test is over."""
    _opened.append(kinds.make(kind, settings))
    source: Source = _opened[-1]
    return source


def close_all() -> None:
    """Let go of the connections of sources that were opened, where they keep any."""
    while _opened:
        getattr(_opened.pop(), "close", bool)()


class Overheard:
    """A source that keeps what another one is asked, and what it says."""

    def __init__(self, source: Source) -> None:
        self._source = Adapted(source)
        self.label, self.manner = self._source.label, self._source.manner
        self.briefs: list[Brief] = []
        self._said: list[list[str | Tokens]] = []

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        self.briefs.append(brief)
        self._said.append([])
        async for piece in self._source.astream(brief, seconds):
            self._said[-1].append(piece)
            yield piece

    @property
    def texts(self) -> list[str]:
        """The text of each call."""
        return ["".join(piece for piece in call if isinstance(piece, str)) for call in self._said]

    @property
    def tokens(self) -> list[list[Tokens]]:
        """What each call told of its usage."""
        return [[piece for piece in call if isinstance(piece, Tokens)] for call in self._said]


both_ways = pytest.mark.parametrize("asking", [ask, ask_async], ids=["sync", "async"])
