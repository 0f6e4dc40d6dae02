"""A budget of tokens: what is spent is counted, and then the deck answers."""

import asyncio
from math import ceil

import pytest

from narrator import Budget, Budgeted
from narrator.suggestions.prompt.brief import Brief
from narrator.suggestions.source.protocol import Piece, SourceError, Tokens
from tests.asking import brief_of
from tests.fake_sources import Scripted, said
from tests.scripted_server import PROSE
from tests.sources.asking import TEXT, Ask, both_ways, by

SPENT = "the token budget is used up"


@pytest.fixture(scope="module")
def brief() -> Brief:
    """What a source is asked for the example."""
    return brief_of()


@pytest.fixture(scope="module")
def prompt(brief: Brief) -> int:
    """What its prompt counts as where no model says so: a token for four characters."""
    return ceil(sum(len(content) for _, content in brief.messages) / 4)


USED = Tokens(700, 0, 200)


def cut(text: str) -> list[Piece]:
    """A text as it comes, ten tokens a piece."""
    return [text[i : i + 40] for i in range(0, len(text), 40)]


@both_ways
def test_spent(asking: Ask) -> None:
    """Once the tokens are spent, the source is not asked, the deck answers, and a notice says why."""
    told = Scripted(*[[*cut(TEXT), USED]] * 3)
    source = Budgeted(told, Budget(3_000))
    answers = [asking(source) for _ in range(6)]
    assert len(told.briefs) == 3
    assert [by(answer, source) for answer in answers] == [3, 3, 3, 0, 0, 0]
    assert f"{told.label}: {SPENT}." in answers[-1].notices
    assert len(answers[-1].suggestions) == 3


@both_ways
def test_no_repair_without_tokens(asking: Ask) -> None:
    """A budget that the first call has spent allows no second one."""
    found = asking(Budgeted(Scripted([PROSE, Tokens(5_000, 0, 100)]), Budget(5_000)))
    assert any(SPENT in notice for notice in found.notices)


def test_a_model_that_tells_nothing(brief: Brief, prompt: int) -> None:
    """Without a word of the model's usage, four characters count as a token."""
    budget = Budget(10_000)
    assert "".join(map(str, said(Budgeted(Scripted(cut("z" * 402)), budget), brief))) == "z" * 402
    assert budget.left == 10_000 - prompt - 101


def test_the_last_sum_counts(brief: Brief) -> None:
    """A source that tells its sum several times has not used them all."""
    budget = Budget(10_000)
    said(Budgeted(Scripted([Tokens(700, 0, 100), *cut(TEXT), USED]), budget), brief)
    assert budget.left == 9_100


@pytest.mark.parametrize("told_of", [None, Tokens(requests=2)], ids=["nothing told", "only how often it was asked"])
def test_broken_off_in_the_middle(told_of: Tokens | None, brief: Brief, prompt: int) -> None:
    """An answer that outgrows the budget is broken off, and what came before it is kept."""
    budget, pieces = Budget(prompt + 50), cut("z" * 4_000)
    row = iter([told_of, *pieces] if told_of else pieces)
    with pytest.raises(SourceError, match=SPENT):
        said(Budgeted(Scripted(row), budget), brief)
    assert 0 < len(pieces) - len([*row]) < 10
    assert budget.left == 0


def test_an_abandoned_call_is_counted(brief: Brief, prompt: int) -> None:
    """A stream that nobody reads to its end has cost what was read."""
    budget = Budget(10_000)

    async def abandon() -> None:
        stream = Budgeted(Scripted(cut("z" * 4_000)), budget).astream(brief, 1)
        await anext(stream)
        await stream.aclose()

    asyncio.run(abandon())
    assert budget.left == 10_000 - prompt - 10


def test_one_budget_for_several_sources(brief: Brief, prompt: int) -> None:
    """A budget holds for a process, whatever its sources are."""
    budget = Budget(2 * prompt + 50)
    said(Budgeted(Scripted(cut("z" * 160)), budget), brief)
    said(Budgeted(Scripted([]), budget), brief)
    with pytest.raises(SourceError, match=SPENT):
        said(Budgeted(Scripted(cut(TEXT)), budget), brief)


def test_who_answers_nothing_charges_nothing(brief: Brief) -> None:
    """A server that is away for a while does not use a budget up."""
    budget = Budget(50_000)
    with pytest.raises(SourceError, match="nobody answers"):
        said(Budgeted(Scripted([Tokens(requests=2), SourceError("nobody answers")]), budget), brief)
    assert budget.left == 50_000
