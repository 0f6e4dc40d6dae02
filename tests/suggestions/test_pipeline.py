"""The pipeline and its two drivers: words from a source, checked as they come, asked for again, topped up."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count, repeat
from typing import Any

import anyio
import pytest
from pydantic import TypeAdapter

import narrator
from narrator import Answer, Event, NarratorError
from narrator.rules.json_text import Json
from narrator.suggestions.pipeline.scanner import MOST_SUGGESTIONS, MOST_TEXT
from narrator.suggestions.prompt.brief import Brief
from narrator.suggestions.source.protocol import Source, SourceError, Tokens
from tests.asking import CLERK, CYNERE, GUARD, INK, Told, answer_of, blocking, leap_when_accepted, on_a_loop
from tests.fake_sources import Scripted
from tests.leaping import DEADLINE, leap
from tests.scripted_server import PROSE, suggestions

pytestmark = pytest.mark.usefixtures("small")

BAD = CLERK | {"detail": "He rolls [[1d20]] and smiles."}
BOOSTS = [
    {"slot": "boost", "form": "boost", "to": "Cynere", "name": f"{word} Moment", "detail": f"It is a {word} one."}
    for word in ("Quiet", "Golden", "Long", "Short")
]


def written(answer: Answer) -> dict[str, list[str]]:
    """The names (or details) in an answer, by source."""
    by: dict[str, list[str]] = {}
    for each in answer.suggestions:
        by.setdefault(each.source, []).append(each.name or each.detail)
    return by


def text(*items: Json) -> list[str]:
    """An answer with these suggestions, in pieces of a few characters."""
    whole = suggestions(*items)
    return [whole[start : start + 7] for start in range(0, len(whole), 7)]


BEGUN = [suggestions(GUARD)[:20], suggestions(GUARD)[20:-2]]
"""An answer whose first suggestion has just closed."""


class Blocked(Scripted):
    """A source that says its first pieces, and the others when it is told to go on."""

    label = "test:blocked"

    def __init__(self, first: list[str], *then: str) -> None:
        self.go_on, self.closed = threading.Event(), threading.Event()
        self._first, self._then = first, then

    def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        try:
            yield from self._first
            while not self.go_on.wait(0.02):
                yield ""
            yield from self._then
        finally:
            self.closed.set()


class Hanging:
    """A source that says something and then nothing more for ever."""

    label = "test:hanging"

    def __init__(self, *pieces: str | Tokens) -> None:
        self._pieces = pieces

    def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        yield from self._pieces
        threading.Event().wait()

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        for piece in self._pieces:
            yield piece
        await asyncio.Event().wait()


class Endless(Scripted):
    """A source that never ends, and counts what was taken of it."""

    label = "test:endless"

    def __init__(self, opening: str, piece: str) -> None:
        self.taken = 0
        self.closed = threading.Event()
        self._opening, self._piece = opening, piece

    def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        try:
            for piece in chain([self._opening], repeat(self._piece)):
                self.taken += 1
                yield piece
        finally:
            self.closed.set()


def test_accepted_the_moment_it_closes(told: Told) -> None:
    """A suggestion is told while the source is still writing the next one."""
    source = Blocked(BEGUN, *text(INK, CLERK))
    first: list[str | None] = []

    def watch(event: Event) -> None:
        if event.event == "accepted":
            if not source.go_on.is_set():
                first.append(event.accepted.name)
            source.go_on.set()

    told(source, watch=watch, timeout=DEADLINE)
    assert first == ["Seen Her Face"]


def test_all_good_needs_one_call(told: Told) -> None:
    """Three good ones cost one call, and nothing is said beside them."""
    source = Scripted([*text(GUARD, INK, CLERK), Tokens(input=600, cached=100, output=90)])
    answer = answer_of(told(source))
    assert written(answer) == {"test:scripted": ["Seen Her Face", "Ink on Both Hands", "The Night Clerk"]}
    assert (answer.rejected, answer.notices) == ((), ())
    usage = answer.usage
    assert (usage.calls, usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (1, 600, 100, 90)
    assert 0 <= usage.seconds < DEADLINE


def test_one_bad_of_three_costs_one_more_call(told: Told) -> None:
    """The good ones are kept, and the usage is that of both calls."""
    source = Scripted(
        [*text(GUARD, BAD, INK), Tokens(input=600, cached=0, output=90)],
        [*text(CLERK), Tokens(input=700, cached=500, output=30)],
    )
    answer = answer_of(told(source))
    assert written(answer) == {"test:scripted": ["Seen Her Face", "Ink on Both Hands", "The Night Clerk"]}
    assert [each.code for each in answer.rejected] == ["unsafe_text"]
    usage = answer.usage
    assert (usage.calls, usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (2, 1300, 500, 120)


@pytest.mark.parametrize("repairs", [0, 1, 3])
def test_repairs_have_an_end(told: Told, repairs: int) -> None:
    """A source that never gets it right is asked so many times more, the deck has the rest, and a notice says so."""
    source = Scripted(*[text(GUARD if not call else BAD, BAD) for call in range(repairs + 1)])
    answer = answer_of(told(source, repairs=repairs))
    assert (1 + repairs, 3) == (answer.usage.calls, len(answer.suggestions))
    assert written(answer)["test:scripted"] == ["Seen Her Face"]
    assert "The deck filled in 2 of 3 suggestions." in answer.notices


def test_each_repair_tells_of_the_last_answer_alone(told: Told) -> None:
    """What was refused two calls ago is not told again."""
    long = CLERK | {"name": "x" * 61}
    source = Scripted(text(GUARD, INK, BAD), text(long), text(CLERK))
    told(source, repairs=2)
    assert [[each["code"] for each in source.asked(n)["refused"]] for n in (1, 2)] == [["unsafe_text"], ["too_long"]]


def test_forms_differ_as_far_as_they_go(told: Told) -> None:
    """Of three suggestions of one form one is taken while the row has other forms."""
    others = [
        INK | {"name": f"{word} Hands", "detail": f"They are {word.lower()}."} for word in ("Blue", "Cold", "Wet")
    ]
    answer = answer_of(told(Scripted(text(*others)), repairs=0))
    assert written(answer)["test:scripted"] == ["Blue Hands"]
    assert {"consequence", "new_opposition", "opposition_advantage"} == {each.form for each in answer.suggestions}


def test_one_form_is_taken_again_where_there_is_no_other(told: Told) -> None:
    """A slot with one form takes as many of it as are wanted, and no more."""
    style = CYNERE | {"action": CYNERE["action"] | {"roll": {"total": 6}}}
    answer = answer_of(told(Scripted(text(*BOOSTS)), style))
    assert written(answer) == {"test:scripted": ["Quiet Moment", "Golden Moment", "Long Moment"]}
    assert answer.rejected == ()


def test_takes_a_form_again_when_all_had_their_turn(told: Told) -> None:
    """Where more are wanted than there are forms, each comes before any comes twice."""
    more = [each | {"name": f"{each['name']} Again", "detail": f"Again. {each['detail']}"} for each in (GUARD, INK)]
    answer = answer_of(told(Scripted(text(GUARD, INK, CLERK, *more)), CYNERE | {"per_slot": 5}))
    assert len(written(answer)["test:scripted"]) == 5


FAILURES = {"at once": [], "after one": BEGUN}


@pytest.mark.parametrize("before", FAILURES.values(), ids=FAILURES)
def test_a_failure_that_may_pass_is_tried_again(told: Told, before: list[str]) -> None:
    """After a failure that may pass the source is asked once more for what is missing; what had come is kept."""
    source = Scripted([*before, SourceError("the line broke", again=True)], text(GUARD, INK, CLERK))
    answer = answer_of(told(source))
    assert len(written(answer)["test:scripted"]) == 3
    assert answer.usage.calls == 2
    assert ["the line broke" in notice for notice in answer.notices] == [True]
    assert [2 if before else 3] == [each["how_many"] for each in source.asked(1)["wanted"]]


@pytest.mark.parametrize("before", FAILURES.values(), ids=FAILURES)
def test_a_failure_that_stays_ends_the_asking(told: Told, before: list[str]) -> None:
    """After a failure that stays the deck has the rest, what had come is kept, and a notice says what happened."""
    answer = answer_of(told(Scripted([*before, SourceError("the key was not taken")]), repairs=3))
    assert (answer.usage.calls, len(answer.suggestions)) == (1, 3)
    assert (1 if before else 0) == len(written(answer).get("test:scripted", []))
    assert any("test:scripted" in notice and "the key was not taken" in notice for notice in answer.notices)
    assert any("deck" in notice.casefold() for notice in answer.notices)


def test_a_failure_with_all_that_was_wanted_is_none(told: Told) -> None:
    """What goes wrong when nothing is wanted any more is not worth a word."""
    answer = answer_of(told(Scripted([*text(GUARD, INK, CLERK), SourceError("the line broke", again=True)])))
    assert (answer.usage.calls, answer.notices) == (1, ())


@pytest.mark.parametrize(
    "said",
    ["", PROSE, "null", '{"suggestions": []}', "[" * 50_000, "\x00\ud800"],
    ids=["nothing", "prose", "null", "an empty list", "brackets", "half a character"],
)
def test_no_suggestion_in_the_answer(told: Told, said: str) -> None:
    """An answer with nothing in it ends in one from the deck, with a notice."""
    answer = answer_of(told(Scripted([said], [said])))
    assert {source: len(names) for source, names in written(answer).items()} == {"deck": 3}
    assert any("deck" in notice.casefold() for notice in answer.notices)


SECRET = "sk-of-the-source-1234"

FAULTS = [
    *(RuntimeError(SECRET), KeyError(SECRET), StopIteration(SECRET)),
    *(asyncio.CancelledError(SECRET), anyio.ClosedResourceError(SECRET)),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
@pytest.mark.parametrize("before", FAILURES.values(), ids=FAILURES)
def test_a_fault_of_a_source_is_a_notice(
    told: Told, before: list[str], fault: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever a source raises, the answer is full; a notice names the class alone, and the log has the rest."""
    source = Scripted([*before, fault])
    answer = answer_of(told(source))
    # A generator that raises StopIteration has raised RuntimeError.
    name = "RuntimeError" if isinstance(fault, StopIteration) else type(fault).__name__
    assert (len(answer.suggestions), len(source.briefs)) == (3, 1)
    assert f"test:scripted: the source failed ({name})." in answer.notices
    assert SECRET not in json.dumps(answer.as_json())
    (record,) = caplog.records
    assert record.name.startswith("narrator.")
    assert "Traceback" in record.getMessage()


def test_a_fault_of_a_source_is_the_reason_where_a_call_is_strict(told: Told) -> None:
    """Where the deck is to stay out there are no words, and the class of the exception says why."""
    with pytest.raises(NarratorError, match=r"the source failed \(KeyError\)") as refused:
        told(Scripted([KeyError(SECRET)]), strict=True)
    assert refused.value.code == "no_words"
    assert SECRET not in str(refused.value)


class Breaking(Scripted):
    """A source that raises before its first piece is asked for."""

    def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        raise RuntimeError(SECRET)

    def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        raise RuntimeError(SECRET)


class Keyed(Breaking):
    """The same, with a key that its message tells."""

    def gives_away(self, text: str) -> bool:
        return SECRET in text


class Unsure(Scripted):
    """A source that cannot even say what is a secret."""

    def gives_away(self, text: str) -> bool:
        raise RuntimeError(SECRET)


class BadToClose(Scripted):
    """A source that fails when it is closed."""

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        try:
            for piece in [*text(GUARD, INK, CLERK), *repeat(" ", MOST_TEXT + 1)]:
                yield piece
        finally:
            raise RuntimeError(SECRET)

    stream = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    "source", [Breaking(), Keyed(), Unsure(text(GUARD), text(GUARD))], ids=lambda each: type(each).__name__
)
def test_a_source_that_cannot_even_begin(told: Told, source: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    """That holds too where nothing can be asked of it; what its key is in is not logged either."""
    source = type(source)(*source._calls)
    answer = answer_of(told(source))
    assert {each.source for each in answer.suggestions} == {"deck"}
    assert SECRET not in json.dumps(answer.as_json())
    assert (SECRET in caplog.text) == (type(source) is Breaking)
    assert type(source).__name__ in caplog.text


def test_a_source_that_fails_to_close_has_said_all_the_same(told: Told) -> None:
    """What was said before counts, and the call goes on."""
    answer = answer_of(told(BadToClose()))
    assert written(answer).keys() == {"test:scripted"}


def test_a_reason_that_tells_a_key_is_not_told(told: Told) -> None:
    """Not even where a source gives it as its reason."""

    class Indiscreet(Keyed):
        stream, astream = Scripted.stream, Scripted.astream

    answer = answer_of(told(Indiscreet([SourceError(f"{SECRET} was not taken")])))
    assert "test:scripted: the source failed." in answer.notices


class Late(Hanging):
    """The same, where the time is up as soon as it is asked."""

    def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
        leap()
        return super().stream(brief, seconds)

    def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[str | Tokens, None]:
        leap()
        return super().astream(brief, seconds)


@pytest.mark.parametrize("timeout", [0.0, DEADLINE])
@pytest.mark.parametrize("pieces", FAILURES.values(), ids=FAILURES)
def test_the_timeout_holds(told: Told, pieces: list[str], timeout: float) -> None:
    """A source that hangs is left at the deadline; the answer is whole all the same, and says so."""
    source = Hanging(*pieces) if pieces else Late()
    answer = answer_of(told(source, timeout=timeout, watch=leap_when_accepted))
    assert len(answer.suggestions) == 3
    assert any("test:hanging" in notice for notice in answer.notices)
    assert answer.usage.calls == (1 if timeout else 0)  # who has no time is not asked
    if timeout and pieces:
        assert written(answer)["test:hanging"] == ["Seen Her Face"]


@pytest.mark.parametrize("source", ["deck", Hanging("x")], ids=["nobody is asked", "a model is"])
def test_the_deck_has_it_all_whatever_the_time_is(told: Told, source: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a minute has gone by at each look at the clock, every slot has as many suggestions as were asked for."""
    monkeypatch.setattr("narrator.suggestions.time.clock.monotonic", count(step=60.0).__next__)
    answer = answer_of(told(source, CYNERE | {"per_slot": 5}, timeout=30.0))
    assert [each.source for each in answer.suggestions] == ["deck"] * 5
    assert not any("missing" in notice for notice in answer.notices)


def test_the_timeout_is_for_all_calls_together(told: Told) -> None:
    """The second call has only the time that the first one left."""

    class Slow(Scripted):
        def stream(self, brief: Brief, seconds: float) -> Iterator[str | Tokens]:
            yield from super().stream(brief, seconds)
            leap(0.6 * DEADLINE)

    source = Slow(text(BAD), text(BAD), text(BAD))
    answer = answer_of(told(source, repairs=2, timeout=DEADLINE))
    assert len(answer.suggestions) == 3
    first, second = source.seconds
    assert first <= DEADLINE
    assert second <= 0.4 * DEADLINE


def test_nobody_waits_for_a_source_that_has_said_all(told: Told) -> None:
    """Once nothing more is wanted, a source that does not end is not waited for until the deadline."""
    started = time.monotonic()
    answer = answer_of(told(Hanging(*text(GUARD, INK, CLERK)), timeout=DEADLINE))
    assert time.monotonic() - started < DEADLINE
    assert (len(written(answer)["test:hanging"]), answer.notices) == (3, ())


def test_usage_told_after_the_last_word_counts(told: Told) -> None:
    """A source has a moment to tell its usage when all that was wanted has come."""
    answer = answer_of(told(Scripted([*text(GUARD, INK, CLERK), "", "\n", Tokens(input=5, output=6)])))
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (5, 6)


ENDLESS = {
    "words": ("", "and so on " * 100),
    "one word": ('{"suggestions": [{"name": "', "x" * 1_000),
    "brackets": ("", "[" * 1_000),
    "suggestions": ('{"suggestions": [', json.dumps(BAD) + ","),
    "empty objects": ("", "{}"),
}


@pytest.mark.parametrize(("opening", "piece"), ENDLESS.values(), ids=ENDLESS)
def test_an_answer_without_end_is_left(told: Told, opening: str, piece: str) -> None:
    """Enough is enough: of endless text, or endless suggestions, a bounded part is read, and the source let go."""
    source = Endless(opening, piece)
    answer = answer_of(told(source, repairs=0, timeout=2 * DEADLINE))
    assert len(answer.suggestions) == 3
    assert len(answer.rejected) <= MOST_SUGGESTIONS
    assert any("test:endless" in notice for notice in answer.notices)
    assert source.closed.wait(DEADLINE)
    if told is on_a_loop:
        assert source.taken * len(piece) <= MOST_TEXT + 10 * len(piece)


@pytest.mark.parametrize("other", [{"action": CYNERE["action"] | {"roll": {"total": 4}}}, {"branch": "fail"}], ids=str)
def test_no_slot_no_call(told: Told, other: Json) -> None:
    """Where nothing wants words, or nothing of the branch asked for, nobody is asked, and nothing is said of it."""
    source = Scripted()
    events = told(source, CYNERE | other)
    assert [event.event for event in events] == ["resolution", "usage", "done"]
    assert source.briefs == []
    answer = answer_of(events)
    assert (answer.suggestions, answer.rejected, answer.notices, answer.usage.calls) == ((), (), (), 0)


def test_events_and_answer_agree(told: Told) -> None:
    """The events tell what the answer holds: the resolution first, the usage and the answer last, all else between."""
    source = Scripted(
        [*text(GUARD, BAD, GUARD), Tokens(input=3, output=4)], [*text(INK), SourceError("the line broke")]
    )
    events = told(source)
    answer = answer_of(events)
    names = [event.event for event in events]
    assert (names[0], names[-2:]) == ("resolution", ["usage", "done"])
    assert 1 == names.count("resolution") == names.count("usage") == names.count("done")
    assert [answer.resolution] == [event.resolution for event in events if event.event == "resolution"]
    assert [answer.usage] == [event.usage for event in events if event.event == "usage"]
    assert answer.suggestions == tuple(event.accepted for event in events if event.event == "accepted")
    assert answer.rejected == tuple(event.rejected for event in events if event.event == "rejected")
    assert answer.notices == tuple(event.notice for event in events if event.event == "notice")
    assert [each.code for each in answer.rejected] == ["unsafe_text", "duplicate"]


def test_an_event_is_read_from_its_json_again(told: Told) -> None:
    """Its JSON is its name, and under that name what it holds; whoever receives it gets the same event of it."""
    source = Scripted([*text(GUARD, BAD), SourceError("the line broke")])
    events = told(source)
    adapter: TypeAdapter[Event] = TypeAdapter(Event)
    assert len({event.event for event in events}) == 6
    for event in events:
        assert list(event.as_json()) == ["event", event.event]
        assert adapter.validate_json(json.dumps(event.as_json(), allow_nan=False)) == event


def test_suggestions_stand_in_the_order_of_the_slots(told: Told) -> None:
    """The answer groups by slot, in the order of the resolution, however the source mixed them."""
    roll: Json = {"type": "discover", "variant": "aspect", "roll": {"total": 1}, "actor": "Cynere"}
    roll |= {"opposition": {"kind": "passive", "rating": 2}}
    aspect = {"slot": "aspect", "form": "situation_aspect", "name": "A Loose Flagstone", "detail": "It rocks."}
    source = Scripted(text(INK, aspect))
    answer = answer_of(told(source, CYNERE | {"action": roll, "per_slot": 1}))
    assert [each.slot for each in answer.suggestions] == ["aspect", "serious_cost"]
    assert written(answer) == {"test:scripted": ["A Loose Flagstone", "Ink on Both Hands"]}


def test_suggest_is_the_last_event() -> None:
    """`suggest` gives what `stream` ends with."""
    calls = [[*text(GUARD, BAD, INK)], text(CLERK)]
    first, second = narrator.suggest(CYNERE, source=Scripted(*calls)), answer_of(blocking(Scripted(*calls)))
    left_out: dict[str, Any] = {"usage": {"seconds"}}
    assert first.model_dump(exclude=left_out) == second.model_dump(exclude=left_out)


def test_a_bad_request_asks_nobody(told: Told) -> None:
    """A request that cannot be resolved is refused before anything is spent on it."""
    source = Scripted()
    with pytest.raises(NarratorError, match="unknown_character"):
        told(source, CYNERE | {"action": CYNERE["action"] | {"actor": "Nobody"}})
    assert source.briefs == []


def test_leaving_early_lets_the_source_go(told: Told) -> None:
    """Who takes the first event and leaves has nobody writing on behind them."""
    source = Blocked(BEGUN)
    if told is blocking:
        events = narrator.stream(CYNERE, source=source, timeout=DEADLINE)
        while next(events).event != "accepted":
            pass
        events.close()  # type: ignore[attr-defined]
    else:

        async def leave() -> None:
            events = narrator.astream(CYNERE, source=source, timeout=DEADLINE)
            while (await anext(events)).event != "accepted":
                pass
            await events.aclose()

        asyncio.run(leave())
    assert source.closed.wait(DEADLINE)


def test_cancelling_is_not_swallowed() -> None:
    """A task that is cancelled while a source is waited for ends as cancelled: the loop goes on meanwhile."""

    async def run() -> None:
        async with asyncio.timeout(0.2):
            async for _ in narrator.astream(CYNERE, source=Hanging(), timeout=DEADLINE):
                pass

    with pytest.raises(TimeoutError):
        asyncio.run(run())


def test_calls_at_the_same_time_do_not_mix() -> None:
    """Several calls in one loop and in several threads each get their own words."""

    async def run() -> list[Answer]:
        async def one(source: Source) -> Answer:
            return answer_of([event async for event in narrator.astream(CYNERE, source=source)])

        return await asyncio.gather(*[one(Scripted(text(each, INK, CLERK))) for each in guards])

    guards = [GUARD | {"name": f"Seen by {name}"} for name in ("Ash", "Birch", "Cedar")]
    expected = [["Ink on Both Hands", f"Seen by {name}", "The Night Clerk"] for name in ("Ash", "Birch", "Cedar")]
    assert expected == [sorted(written(answer)["test:scripted"]) for answer in asyncio.run(run())]
    with ThreadPoolExecutor(3) as threads:
        answers = threads.map(lambda each: narrator.suggest(CYNERE, source=Scripted(text(each, INK, CLERK))), guards)
    assert expected == [sorted(written(answer)["test:scripted"]) for answer in answers]
