"""Requests and runs for the tests of evaluations."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from narrator.evaluation.cases import Question, open_journal
from narrator.evaluation.run import Asked, run
from narrator.files.eval_journal import EvalJournal, Measured
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.suggestions.source.protocol import Source
from tests.asking import CYNERE


def asked(number: int, **more: Any) -> Json:
    """One of several requests, told apart by its deal."""
    return {**CYNERE, "deal": number, **more}


def question(request: Json, name: str = "a.json") -> Question:
    """A request as it was given."""
    return Question(name, Request.read(request))


def questions(many: int) -> list[Question]:
    """So many requests."""
    return [question(asked(number), f"{number}.json") for number in range(many)]


def ran(path: Path, given: list[Question], sources: Mapping[str, Source | None], jobs: int = 1) -> EvalJournal:
    """Run to the end, on a loop as the command does."""
    journal = open_journal(path, given, tuple(sources))
    asked = {name: Asked(source) for name, source in sources.items()}
    asyncio.run(run(journal, given, asked, jobs=jobs))
    return journal


def without_times(measured: Measured) -> Json:
    """What was measured, but for how long it took."""
    told = measured.as_json()
    told.pop("seconds_to_first", None)
    told["usage"].pop("seconds")
    return told


class Echo:
    """A source that says the same for the same request, whoever else is asked at the time."""

    label = "test:echo"

    def __init__(self, *words: str) -> None:
        self._words = words

    async def astream(self, brief: Any, seconds: float) -> Any:
        """Say each word with the number of the deal, as somebody new."""
        for word in self._words:
            await asyncio.sleep(0)
            detail = f"{word} wants it all in writing, and looks {ORDINALS[brief.request.deal].lower()} by noon."
            said = {"slot": "serious_cost", "form": "new_opposition", "to": None, "detail": detail}
            yield json.dumps({**said, "name": f"{word} {ORDINALS[brief.request.deal]} Clerk"})


ORDINALS = ("Patient", "Gloomy", "Cheerful", "Sleepy", "Hungry", "Tired", "Famous", "Silent")
