"""A budget of tokens: what is spent is counted, and then the deck answers."""

import asyncio
from collections.abc import AsyncGenerator
from math import ceil

import pytest

from narrator.sources.budget import Budget, Budgeted
from narrator.suggestions.brief import Brief
from narrator.suggestions.source import Piece, SourceError, Tokens
from tests.asking import brief_of
from tests.fake_sources import said
from tests.scripted_server import PROSE
from tests.sources.asking import TEXT, Ask, both_ways, by

SPENT = "the token budget is spent"


@pytest.fixture(scope="module")
def brief() -> Brief:
    """What a source is asked for the example."""
    return brief_of()


@pytest.fixture(scope="module")
def prompt(brief: Brief) -> int:
    """What its prompt counts as where no model says so: a token for four characters."""
    return ceil(sum(len(content) for _, content in brief.messages) / 4)


class Told:
    """A source that says the same, and what it has used if asked to."""

    label = "told"

    def __init__(self, text: str = TEXT, tokens: Tokens | None = None) -> None:
        self._pieces: list[str | Tokens] = [text[i : i + 40] for i in range(0, len(text), 40)]
        self._pieces += [tokens] if tokens else []
        self.calls = self.given = 0

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[Piece, None]:
        """Say it."""
        self.calls += 1
        for piece in self._pieces:
            self.given += 1
            yield piece


@both_ways
def test_within_the_budget(asking: Ask) -> None:
    """While there are tokens, a budget changes nothing, and what the model tells is taken off."""
    budget = Budget(10_000)
    source = Budgeted(Told(tokens=Tokens(700, 0, 200)), budget)
    assert by(asking(source), source) == 3
    assert budget.left == 9_100


@both_ways
def test_spent(asking: Ask) -> None:
    """Once the tokens are spent, the source is not asked, the deck answers, and a notice says why."""
    told = Told(tokens=Tokens(700, 0, 200))
    source = Budgeted(told, Budget(3_000))
    answers = [asking(source) for _ in range(6)]
    assert told.calls == 3
    assert [by(answer, source) for answer in answers] == [3, 3, 3, 0, 0, 0]
    assert f"told: {SPENT}." in answers[-1].notices
    assert len(answers[-1].suggestions) == 3


@both_ways
def test_no_repair_without_tokens(asking: Ask) -> None:
    """A budget that the first call has spent allows no second one."""
    told = Told(PROSE, Tokens(5_000, 0, 100))
    found = asking(Budgeted(told, Budget(5_000)))
    assert told.calls == 1
    assert f"told: {SPENT}." in found.notices


def test_a_model_that_tells_nothing(brief: Brief, prompt: int) -> None:
    """Without a word of the model's usage, four characters count as a token."""
    budget = Budget(10_000)
    assert "".join(map(str, said(Budgeted(Told("z" * 402), budget), brief))) == "z" * 402
    assert budget.left == 10_000 - prompt - 101


def test_a_model_that_tells_its_requests_alone(brief: Brief, prompt: int) -> None:
    """How often something was sent is no count of tokens: four characters count as one all the same."""
    budget, told = Budget(prompt + 50), Told("z" * 4_000)
    told._pieces.insert(0, Tokens(requests=2))
    with pytest.raises(SourceError, match=SPENT):
        said(Budgeted(told, budget), brief)


def test_the_last_sum_counts(brief: Brief) -> None:
    """A source that tells its sum several times has not used them all."""
    budget = Budget(10_000)
    told = Told(tokens=Tokens(700, 0, 200))
    told._pieces.insert(0, Tokens(700, 0, 100))
    said(Budgeted(told, budget), brief)
    assert budget.left == 9_100


def test_broken_off_in_the_middle(brief: Brief, prompt: int) -> None:
    """An answer that outgrows the budget is broken off, and what came before it is kept."""
    budget, told = Budget(prompt + 50), Told("z" * 4_000)
    with pytest.raises(SourceError, match=SPENT):
        said(Budgeted(told, budget), brief)
    assert 0 < told.given < 10
    assert budget.left == 0


def test_an_abandoned_call_is_counted(brief: Brief, prompt: int) -> None:
    """A stream that nobody reads to its end has cost what was read."""
    budget = Budget(10_000)

    async def abandon() -> None:
        stream = Budgeted(Told("z" * 4_000), budget).astream(brief, 1)
        await anext(stream)
        await stream.aclose()

    asyncio.run(abandon())
    assert budget.left == 10_000 - prompt - 10


def test_one_budget_for_several_sources(brief: Brief, prompt: int) -> None:
    """A budget holds for a process, whatever its sources are."""
    budget = Budget(2 * prompt + 50)
    said(Budgeted(Told("z" * 160), budget), brief)
    said(Budgeted(Told(""), budget), brief)
    with pytest.raises(SourceError, match=SPENT):
        said(Budgeted(Told(), budget), brief)


class Absent:
    """A source where nobody answers."""

    label = "absent"

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[Piece, None]:
        yield Tokens(requests=2)
        raise SourceError("nobody answers")


def test_who_answers_nothing_charges_nothing(brief: Brief) -> None:
    """A server that is away for a while does not use a budget up."""
    budget = Budget(50_000)
    with pytest.raises(SourceError, match="nobody answers"):
        asyncio.run(_all(Budgeted(Absent(), budget).astream(brief, 1)))
    assert budget.left == 50_000


async def _all(pieces: AsyncGenerator[Piece, None]) -> list[Piece]:
    return [piece async for piece in pieces]
