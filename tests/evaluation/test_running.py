"""The run: several at once find what one after another does, and what breaks loses nothing."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from narrator.errors import NarratorError
from narrator.evaluation.cases import open_journal
from narrator.evaluation.run import Asked, run
from narrator.files.eval_journal import EvalJournal
from tests.evaluation.evaluating import Echo, questions, ran, without_times


def test_several_at_once_say_the_same(tmp_path: Path) -> None:
    """However many are asked at a time, each answer is the one that it is alone."""
    sources = {"one": Echo("Old", "Young"), "two": Echo("Lost"), "deck": None}
    alone = ran(tmp_path / "alone", questions(6), sources)
    together = ran(tmp_path / "together", questions(6), sources, jobs=4)

    assert [*map(without_times, together.answers)] == [*map(without_times, alone.answers)]
    assert [len(each.own) for each in alone.answers] == [1, 1, 3] * 6


def test_so_many_are_asked_at_once(tmp_path: Path) -> None:
    """As many as was said, and no more; each but once."""
    inside, most, calls = 0, 0, 0

    class Crowded(Echo):
        is_deterministic = True

        async def astream(self, brief: Any, seconds: float) -> Any:
            nonlocal inside, most, calls
            inside, calls = inside + 1, calls + 1
            most = max(most, inside)
            for _ in range(5):
                await asyncio.sleep(0)
            async for piece in super().astream(brief, seconds):
                yield piece
            inside -= 1

    ran(tmp_path / "j", questions(8), {"model": Crowded("Old", "Young", "Lost")}, jobs=3)

    assert (most, calls) == (3, 8)


def test_what_breaks_comes_out_and_what_was_there_is_kept(tmp_path: Path) -> None:
    """A refusal in the middle ends the run as itself; the next run asks only for the rest."""

    class Breaking(Echo):
        async def astream(self, brief: Any, seconds: float) -> Any:
            if brief.request.deal == 2:
                raise NarratorError("bad_request", "", "a variable is set to what nobody can be asked with")
            async for piece in super().astream(brief, seconds):
                yield piece

    given = questions(4)
    journal = open_journal(tmp_path / "j", given, ["model"])
    with pytest.raises(NarratorError, match="a variable"):
        asyncio.run(run(journal, given, {"model": Asked(Breaking("Old", "Young", "Lost"))}))

    assert EvalJournal(tmp_path / "j").left == ((2, "model"), (3, "model"))


def test_what_breaks_is_not_held_up_by_those_asked_beside_it(tmp_path: Path) -> None:
    """The others are let go of, and asked again by the next run."""

    class Breaking(Echo):
        async def astream(self, brief: Any, seconds: float) -> Any:
            if brief.request.deal == 1:
                raise NarratorError("bad_request", "", "a variable is set to what nobody can be asked with")
            await asyncio.sleep(seconds)
            yield ""

    given = questions(3)
    journal = open_journal(tmp_path / "j", given, ["model"])
    with pytest.raises(NarratorError, match="a variable"):
        asyncio.run(run(journal, given, {"model": Asked(Breaking())}, jobs=2))

    assert len(journal.left) == 3
