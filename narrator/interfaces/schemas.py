"""JSON Schemas of what goes in and what comes out, for the authors of macros."""

from enum import StrEnum
from typing import Any

from narrator.rules.action import Request
from narrator.rules.chances import Odds
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.rules.table import Table
from narrator.suggestions.answer import Answer, Event
from narrator.validation.checking import Candidate, Verdict
from narrator.vtt import Call


class Subject(StrEnum):
    """
    What there is a schema of.
    """

    request = "request"
    payload = "payload"
    suggestion = "suggestion"
    resolution = "resolution"
    answer = "answer"
    event = "event"
    verdict = "verdict"
    odds = "odds"
    table = "table"


_MODELS: dict[Subject, type[Model]] = {
    Subject.request: Request,
    Subject.payload: Call,
    Subject.suggestion: Candidate,
    Subject.resolution: Resolution,
    Subject.answer: Answer,
    Subject.event: Event,
    Subject.verdict: Verdict,
    Subject.odds: Odds,
    Subject.table: Table,
}


def schema(subject: Subject) -> dict[str, Any]:
    """
    Return the JSON Schema, in the draft that pydantic writes (2020-12).
    """
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **_MODELS[subject].model_json_schema()}
