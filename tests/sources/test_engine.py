"""A real engine writes, held to the schema by its grammar: nonsense of the right shape, for every ruleset."""

import json
import random
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

import narrator
from narrator.rules.ruleset.loader import packaged
from narrator.sources.settings import Settings
from narrator.suggestions.pipeline.answer import Answer, Event
from narrator.suggestions.pipeline.scanner import MOST_SUGGESTIONS
from narrator.suggestions.prompt.brief import Brief
from narrator.suggestions.source.protocol import DECK, Source, SourceError
from tests.asking import brief_of
from tests.engine.running import MODEL
from tests.fake_sources import said
from tests.rows import COMPANIES, ROWS
from tests.sources.asking import Ask, Overheard, both_ways, opened

pytestmark = pytest.mark.engine

REQUESTS = 200
PATIENCE = 60.0
"""Seconds for a call: the machine may have much else to do."""
AT_ONCE = 4


def _requests() -> list[dict[str, Any]]:
    """As many requests of each ruleset that have slots, drawn by a fixed seed from all rows and casts."""
    draw = random.Random(6)
    rows = list(ROWS)
    drawn: list[dict[str, Any]] = []
    for ruleset in packaged():
        found: list[dict[str, Any]] = []
        ours = [row for row in rows if row.ruleset == ruleset]
        while len(found) < REQUESTS / len(packaged()):
            cast = COMPANIES[draw.choice(list(COMPANIES))]
            options = list(draw.choice(ours).requests(cast, per_slot=draw.randint(1, 3), seed=len(found)))
            if options and narrator.resolve(request := draw.choice(options)).slots():
                found.append(request)
        drawn += found
    return drawn


@pytest.fixture
def source(engine: str) -> Source:
    """The engine as a source."""
    return opened("openai", Settings(MODEL, engine))


def _assert_all_judged(request: Mapping[str, Any], answer: Answer, overheard: Overheard) -> None:
    """Whatever the check refuses of what the model has written was refused in the answer as well."""
    if any(each.source == DECK for each in answer.suggestions):  # else it was full, and the rest is read no more
        written = [each for text in overheard.texts for each in _written(text)[:MOST_SUGGESTIONS]]
        refused = [each for each in written if narrator.check(request, each).rejected is not None]
        assert len(refused) <= len(answer.rejected), (refused, answer.rejected)


def _written(text: str) -> list[Any]:
    """The objects of an answer, also of one that was cut off."""
    decoder, place, found = json.JSONDecoder(), text.find("[") + 1, []
    while (start := text.find("{", place)) >= 0 and place:
        try:
            candidate, place = decoder.raw_decode(text, start)
        except ValueError:
            break
        found.append(candidate)
    return found


def _stream(request: Mapping[str, Any], source: Source) -> list[Event]:
    return list(narrator.stream(request, source=source, timeout=PATIENCE))


def test_many_requests_over_all_rulesets(source: Source) -> None:
    """Two hundred requests: each answer is full, each candidate judged, and nothing raises."""
    requests = _requests()
    assert len(requests) >= REQUESTS
    heard = [Overheard(source) for _ in requests]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        streams = list(pool.map(_stream, requests, heard))
    accepted = rejected = 0
    for request, events, overheard in zip(requests, streams, heard, strict=True):
        last = events[-1]
        assert last.event == "done"
        answer = last.done
        full = {slot.id: request["per_slot"] for slot in answer.resolution.slots() if slot.forms}
        counts = {slot: sum(each.slot == slot for each in answer.suggestions) for slot in full}
        assert counts == full, answer.notices
        _assert_all_judged(request, answer, overheard)
        # A call may have sent more than one request, where the engine refused one.
        sent = sum(max([1, *(each.requests for each in call)]) for call in overheard.tokens)
        assert len(overheard.texts) <= answer.usage.calls <= sent
        # What the engine tells after the answer is full and the call is over counts no more.
        assert answer.usage.output_tokens <= sum(each.output for call in overheard.tokens for each in call)
        accepted += sum(each.source == source.label for each in answer.suggestions)
        rejected += len(answer.rejected)
    # The model is no dead letter: some of its nonsense passes, most of it does not.
    assert accepted > 20
    assert rejected > 200


@both_ways
def test_usage(asking: Ask, source: Source) -> None:
    """The engine counts its tokens, and so do we."""
    usage = asking(source, repairs=0, timeout=PATIENCE).usage
    assert usage.calls == 1
    assert usage.input_tokens > 500
    assert usage.output_tokens > 0


def test_a_schema_that_the_engine_refuses(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    """A 400 for the schema is followed by a request without it, and prose in place of JSON ends with the deck."""
    monkeypatch.setattr(Brief, "schema", {"type": "object", "properties": {"a": {"$ref": "#/no"}}})
    overheard = Overheard(source)
    with suppress(SourceError):  # prose has no end of its own here
        said(overheard, brief_of(), PATIENCE)
    assert overheard.texts != [""]
