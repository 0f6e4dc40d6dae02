"""The run: puts what the journal has no answer for to the sources, several at once where that is wanted."""

from collections.abc import Callable, Mapping, Sequence

import anyio

from narrator.evaluation.journal import Journal, Question
from narrator.evaluation.measuring import measured
from narrator.suggestions.source import Source


async def run(
    journal: Journal,
    questions: Sequence[Question],
    sources: Mapping[str, Source | None],
    *,
    jobs: int = 1,
    tell: Callable[[], None] = lambda: None,
) -> None:
    """Ask for what is missing, and keep each answer as it comes.

    Args:
        questions: Those that the journal was opened with.
        sources: Who stands behind each name of the journal; None: the deck alone.
        jobs: How many are asked at once, 1 or more.
        tell: Called whenever an answer is kept.

    Raises:
        NarratorError: What a call or the file raises; what was kept until then is kept.
    """
    left = iter(journal.left)
    failures: list[Exception] = []

    async def work() -> None:
        try:
            for case, name in left:
                request = journal.head.cases[case].request
                journal.add(await measured(case, name, request, sources[name], questions[case].rulesets))
                tell()
        except Exception as error:
            failures.append(error)
            workers.cancel_scope.cancel()

    async with anyio.create_task_group() as workers:
        for _ in range(jobs):
            workers.start_soon(work)
    if failures:
        raise failures[0]
