"""A real engine writes, held to the schema by its grammar: nonsense of the right shape, for every ruleset."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.rules.loading import packaged
from narrator.sources.kinds.openai import OpenAICompatible
from narrator.sources.settings import Settings
from narrator.suggestions.answer import Answer, Event
from narrator.suggestions.brief import Brief
from narrator.suggestions.pieces import Adapted
from narrator.suggestions.scan import MOST_SUGGESTIONS
from narrator.suggestions.source import DECK, Source, SourceError, Tokens
from tests.asking import CYNERE, brief_of
from tests.engine.model import write_model
from tests.engine.running import MODEL, is_required
from tests.rows import COMPANIES, ROWS
from tests.sources.asking import MISSHAPEN, Ask, both_ways

pytestmark = pytest.mark.engine

REQUESTS = 200
PATIENCE = 60.0
"""Seconds for a call: the machine may have much else to do."""
AT_ONCE = 4


class Overheard:
    """A source that keeps what another one says: the text of each call, and the schema it was asked by."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.texts: list[str] = []
        self.tokens: list[Tokens] = []
        self.sent: list[int] = []

    @property
    def label(self) -> str:
        """The other one's."""
        return self._source.label

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        """Pass everything on."""
        self.texts.append("")
        self.sent.append(1)
        async for piece in Adapted(self._source).astream(brief, seconds):
            self._keep(piece)
            yield piece

    def _keep(self, piece: str | Tokens) -> None:
        if isinstance(piece, Tokens):
            self.tokens.append(piece)
            self.sent[-1] = max(self.sent[-1], piece.requests)
        else:
            self.texts[-1] += piece


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


@pytest.fixture(scope="module")
def source(engine: str) -> Iterator[OpenAICompatible]:
    """The engine as a source."""
    made = OpenAICompatible(Settings(MODEL, engine))
    yield made
    made.close()


def _assert_all_judged(request: Mapping[str, Any], answer: Answer, overheard: Overheard) -> None:
    """Each object that the model has written was accepted or rejected, or there was no room for it any more."""
    rejected = [each.candidate for each in answer.rejected]
    written = [_written(text)[:MOST_SUGGESTIONS] for text in overheard.texts]
    if all(each.source != DECK for each in answer.suggestions):
        # The model has filled the answer: what stands behind the last that was taken is read no more.
        taken = {(each.slot, each.name, each.detail) for each in answer.suggestions}
        written[-1] = written[-1][: max(at for at, each in enumerate(written[-1]) if _key(each) in taken)]
    for candidates in written:
        for candidate in candidates:
            if any(_is_same(candidate, each) for each in rejected):
                continue
            verdict = narrator.check(request, candidate)
            assert verdict.accepted is not None, (candidate, verdict.rejected)


def _key(candidate: Mapping[str, Any]) -> tuple[object, ...]:
    return tuple(candidate.get(field) for field in ("slot", "name", "detail"))


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


def _is_same(candidate: Mapping[str, Any], shown: object) -> bool:
    """Whether this is the candidate as a rejection shows it: there, long texts are clipped."""
    return isinstance(shown, Mapping) and all(
        value == shown.get(name) or (isinstance(value, str) and value[:50] == str(shown.get(name))[:50])
        for name, value in candidate.items()
    )


def _stream(request: Mapping[str, Any], source: Source) -> list[Event]:
    return list(narrator.stream(request, source=source, timeout=PATIENCE))


def test_many_requests_over_all_rulesets(source: OpenAICompatible) -> None:
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
        assert len(overheard.texts) <= answer.usage.calls <= sum(overheard.sent)
        # What the engine tells after the answer is full and the call is over counts no more.
        assert answer.usage.output_tokens <= sum(each.output for each in overheard.tokens)
        accepted += sum(each.source == source.label for each in answer.suggestions)
        rejected += len(answer.rejected)
    # The model is no dead letter: some of its nonsense passes, most of it does not.
    assert accepted > 20
    assert rejected > 200


def test_one_by_one(engine: str) -> None:
    """Asked for one suggestion at a time, it is held to a sentence and a few words, and each answer is full."""
    source = OpenAICompatible(Settings(MODEL, engine, manner="one_by_one"))
    for request in _requests()[::10]:
        answer = narrator.suggest(request, source=source, repairs=0, timeout=PATIENCE)
        full = sum(request["per_slot"] for slot in answer.resolution.slots() if slot.forms)
        assert len(answer.suggestions) == full, answer.notices
        assert answer.usage.calls == full
        assert not {each.code for each in answer.rejected} & MISSHAPEN
    source.close()


@both_ways
def test_usage(asking: Ask, source: OpenAICompatible) -> None:
    """The engine counts its tokens, and so do we."""
    usage = asking(source, repairs=0, timeout=PATIENCE).usage
    assert usage.calls == 1
    assert usage.input_tokens > 500
    assert usage.output_tokens > 0


def test_async_requests_at_once(source: OpenAICompatible) -> None:
    """Several calls on one event loop do not disturb each other."""

    async def last(seed: int) -> Event:
        stream = narrator.astream({**CYNERE, "seed": seed}, source=source, timeout=PATIENCE)
        return [event async for event in stream][-1]

    async def all_of_them() -> list[Event]:
        return await asyncio.gather(*map(last, range(8)))

    events = asyncio.run(all_of_them())
    assert [len(event.done.suggestions) for event in events if event.event == "done"] == [3] * 8


def test_a_schema_that_the_engine_refuses(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A 400 for the schema is followed by a request without it, and prose in place of JSON ends with the deck."""
    source = OpenAICompatible(Settings(MODEL, engine))
    monkeypatch.setattr(Brief, "schema", {"type": "object", "properties": {"a": {"$ref": "#/no"}}})
    pieces = []

    async def ask() -> None:
        async for piece in source.astream(brief_of(CYNERE), PATIENCE):
            pieces.append(piece)  # noqa: PERF401 - what came before the error counts

    # Prose has no end of its own here.
    with suppress(SourceError):
        asyncio.run(ask())
    assert any(isinstance(piece, str) for piece in pieces)


def test_the_model_is_made_by_seed(tmp_path: Path) -> None:
    """The same seed makes the same model, another one another."""
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_model(tmp_path / name, seed)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c


def test_required() -> None:
    """Where the engine is required, to have none is an error."""
    assert is_required({"NARRATOR_REQUIRE_ENGINE": "1"})
    assert not is_required({})
