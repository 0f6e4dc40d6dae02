"""JSON Schemas of what goes in and what comes out, for the authors of macros."""

from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter

from narrator.rules.action import Request
from narrator.rules.chances import Odds
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


_MODELS: dict[Subject, Any] = {
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


_GIVEN = (Subject.request, Subject.payload, Subject.suggestion)
"""What users write: there null is the same as left out, for every field that may be left out."""


def schema(subject: Subject) -> dict[str, Any]:
    """
    Return the JSON Schema, in the draft that pydantic writes (2020-12).
    """
    written = TypeAdapter(_MODELS[subject]).json_schema()
    if subject in _GIVEN:
        for each in (written, *written.get("$defs", {}).values()):
            _take_null(each)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", **written}


def _take_null(written: dict[str, Any]) -> None:
    properties = written.get("properties", {})
    for name in properties.keys() - set(written.get("required", ())):
        if {"type": "null"} not in properties[name].get("anyOf", ()):
            properties[name] = {"anyOf": [properties[name], {"type": "null"}]}
