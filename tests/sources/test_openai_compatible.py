"""The OpenAI-compatible source, over the wire: what is sent, what is read, and what becomes of every fault."""

import json
import threading

import pytest

from narrator import Answer, Event, NarratorError
from narrator.sources.kinds.openai import OpenAICompatible
from narrator.sources.settings import Settings
from narrator.suggestions.source.protocol import Source
from tests.asking import GUARD, INK, Told, answer_of, blocking, brief_of, leap_when_accepted, on_a_loop
from tests.leaping import DEADLINE, leap
from tests.scripted_server import (
    CHAT,
    PROSE,
    RESPONSES,
    Reply,
    ScriptedServer,
    Step,
    Wire,
    error,
    faults,
    rate_limited,
    refuses,
    suggestions,
)
from tests.sources.asking import FITTING, TEXT, opened

KEY = "sk-narrators-own-5f1c"
NAMES = [each["name"] for each in FITTING]


def source_for(server: ScriptedServer) -> Source:
    """The source under test, for this server."""
    return opened("openai", Settings("tiny", server.base_url, KEY))


def from_model(answer: Answer) -> list[str | None]:
    """The names of the suggestions that the model wrote."""
    return [each.name for each in answer.suggestions if each.source == "openai:tiny"]


def test_a_good_answer(told: Told) -> None:
    """All suggestions are the model's, the usage is told, and there is nothing to remark."""
    with ScriptedServer(Reply(TEXT, usage=(612, 148, 512))) as server:
        answer = answer_of(told(source_for(server)))
    assert (from_model(answer), answer.rejected, answer.notices) == (NAMES, (), ())
    usage = answer.usage.as_json()
    assert 0 <= usage.pop("seconds") < DEADLINE
    assert {each.split("/")[0] for each in usage.pop("prompts")} >= {"system", "roll", "serious_cost"}
    assert usage == {"calls": 1, "input_tokens": 612, "cached_tokens": 512, "output_tokens": 148}


def test_what_is_asked(told: Told) -> None:
    """One request: the model, the prompt, the schema, a stream, and its usage; with the key and no other header."""
    with ScriptedServer(Reply(TEXT)) as server:
        told(source_for(server))
    (received,) = server.requests
    assert (received.method, received.path) == ("POST", "/v1/chat/completions")
    schema = {"name": "suggestions", "strict": True, "schema": brief_of().schema_with_lengths}
    expected = {
        "model": "tiny",
        "messages": [{"role": role, "content": content} for role, content in brief_of().messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        "response_format": {"type": "json_schema", "json_schema": schema},
    }
    assert expected == received.body
    assert f"Bearer {KEY}" == received.headers["authorization"]
    plain = {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"}
    assert received.headers.keys() - {"authorization"} <= plain


def test_accepted_before_the_rest_was_sent(told: Told) -> None:
    """A suggestion is told as soon as its object has come, while the server has not sent the next one yet."""
    accepted, seen = threading.Event(), []

    def step(wire: Wire) -> None:
        place = TEXT.index("}") + 1
        wire.event(wire.chunk({"role": "assistant", "content": TEXT[:place]}))
        seen.append(accepted.wait(DEADLINE))
        wire.event(wire.chunk({"content": TEXT[place:]}, finish_reason="stop"))
        wire.done()

    def watch(event: Event) -> None:
        if event.event == "accepted":
            accepted.set()

    with ScriptedServer(step) as server:
        told(source_for(server), watch=watch, timeout=2 * DEADLINE)
    assert seen == [True]


WHOLE, PART, NONE = 3, 1, 0
"""How many of the three suggestions come from the model."""

FAULTS: dict[str, tuple[int, str, int]] = {
    # how many of the model's come, a word of the notice ("": nothing went wrong that the table would see), requests
    **dict.fromkeys(
        (
            *("hang after the last content", "hang before [DONE]", "no [DONE]", "fence", "thinking", "bare array"),
            *("wrong Content-Type", "whole though a stream was asked", "stream though a whole was asked"),
        ),
        (WHOLE, "", 1),
    ),
    **dict.fromkeys(("400 for response_format", "429, short", "429", "500, HTML", "503"), (WHOLE, "", 2)),
    "hang before headers": (NONE, "no complete answer", 1),
    "hang mid-stream": (PART, "no complete answer", 1),
    "reset before headers": (NONE, "broke", 1),
    "reset mid-stream": (PART, "broke", 1),
    "close before headers": (NONE, "broke", 1),
    "close mid-stream": (PART, "broke", 1),
    "ordered end mid-stream": (PART, "broke", 1),
    "cut by length": (PART, "cut off", 1),
    "content filter": (NONE, "filter", 1),
    "refusal": (NONE, "refused", 1),
    **dict.fromkeys(("no words", "null", "deep nesting", "deep nesting inside"), (NONE, "no suggestion", 1)),
    **dict.fromkeys(("wrong types", "not a list", "line separators in the words"), (NONE, "could be used", 1)),
    **dict.fromkeys(("prose", "empty choices", "200 and nothing"), (NONE, "deck", 1)),
    "error in the stream": (PART, "error", 1),
    "flood": (NONE, "too long", 1),
    "flood in one line": (NONE, "deck", 1),
    "401": (NONE, "key", 1),
    "307": (NONE, "the server redirects to another address, which narrator does not follow (http 307)", 1),
    "404": (NONE, "no such model", 2),
    "429, long": (NONE, "too many", 1),
}


@pytest.mark.parametrize("fault", faults(TEXT))
def test_a_fault_ends_in_an_answer(told: Told, fault: str) -> None:
    """Whatever the server does, the answer is whole; what had come is kept, a notice says what happened."""
    assert fault in FAULTS, f"say in FAULTS what is to become of {fault!r}"
    count, word, requests = FAULTS[fault]
    waits = "hang" in fault and count < WHOLE  # where all has come, nobody waits for the server to hang up
    step = faults(TEXT)[fault]
    with ScriptedServer(_leaps(step) if waits and not count else step, Reply(TEXT), only=CHAT) as server:
        watch = leap_when_accepted if waits else bool
        answer = answer_of(told(source_for(server), repairs=0, timeout=DEADLINE, watch=watch))
        assert requests == len(server.requests) == answer.usage.calls
        assert NAMES[:count] == from_model(answer)
        assert len(answer.suggestions) == 3
        notices = " ".join(answer.notices)
        assert bool(word) == bool(notices)
        assert word in notices.casefold()
        assert count == WHOLE or any("openai:tiny" in notice for notice in answer.notices)


def _leaps(then: Step) -> Step:
    """Let the time be up, and go on."""

    def step(wire: Wire) -> None:
        leap()
        then(wire)

    return step


def _drips_comments(wire: Wire) -> None:
    wire.raw(b": keep-alive\n\n")
    leap()
    while True:
        wire.raw(b": keep-alive\n\n")
        wire.wait(0.02)


LINGERING: dict[str, Step] = {
    "silent": _leaps(Wire.hang),
    "silent in the middle": Reply(TEXT, after=len(TEXT) // 2, then=_leaps(Wire.hang)),
    "keeping alive": _drips_comments,
    "keeping alive in the middle": Reply(TEXT, after=len(TEXT) // 2, then=_drips_comments),
    "slow": _leaps(Reply(TEXT, pieces=1, pause=0.02)),
}


@pytest.mark.parametrize("step", LINGERING.values(), ids=LINGERING)
def test_the_connection_is_let_go_at_the_deadline(told: Told, step: Step) -> None:
    """When the time is up nobody goes on reading, or paying, behind the caller's back."""
    with ScriptedServer(step) as server:
        answer = answer_of(told(source_for(server), timeout=DEADLINE))
        assert server.requests[0].done.wait(DEADLINE)
        assert server.requests[0].hung_up
    assert len(answer.suggestions) == 3
    assert any("time" in notice or "second" in notice for notice in answer.notices)


RUBBISH = {
    "prose": (PROSE, "the answer contained no suggestion."),
    "an empty object": ("{}", "nothing in the answer could be used: 1 refused as malformed."),
    "other words": (
        suggestions(GUARD | {"slot": "boon"}, INK | {"detail": "Roll [[1d20]]."}),
        "nothing in the answer could be used: 1 refused as unknown_slot, 1 refused as unsafe_text.",
    ),
}


@pytest.mark.parametrize(("said", "why"), RUBBISH.values(), ids=RUBBISH)
def test_why_nothing_of_an_answer_is_used(told: Told, said: str, why: str) -> None:
    """Where all the words are the deck's, a notice says why none are the model's; where one is, none is needed."""
    with ScriptedServer(*[Reply(said)] * 2, Reply(said), Reply(TEXT)) as server:
        bad, good = (answer_of(told(source_for(server))) for _ in range(2))
    assert bad.notices == (f"openai:tiny: {why}", "The deck filled in 3 of 3 suggestions.")
    assert [notice for notice in good.notices if "could be used" in notice] == []


def held(server: ScriptedServer) -> list[str]:
    """What each request held the server to: a schema with lengths, its shape alone, or nothing."""
    asked = [(request.asks("response_format"), "maxLength" in json.dumps(request.body)) for request in server.requests]
    return [("lengths" if lengths else "shape") if schema else "nothing" for schema, lengths in asked]


class TestSchemaRefused:
    """A server that does not know lengths, or schemas, is asked without, once it has said so."""

    @pytest.mark.parametrize("status", [400, 422])
    @pytest.mark.parametrize(("refusals", "then"), [(1, "shape"), (2, "nothing")])
    def test_is_remembered(self, told: Told, status: int, refusals: int, then: str) -> None:
        """The lengths go first; the second call of a source does not try the refused again, another source does."""
        with ScriptedServer(*[error(status)] * refusals, *[Reply(TEXT)] * 3) as server:
            source = source_for(server)
            assert from_model(answer_of(told(source))) == NAMES
            assert from_model(answer_of(told(source))) == NAMES
            assert from_model(answer_of(told(source_for(server)))) == NAMES
        assert held(server) == [*["lengths", "shape"][:refusals], then, then, "lengths"]

    def test_is_forgotten(self, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
        """What was refused once is tried again later: it may have been for another reason."""
        monkeypatch.setattr("narrator.sources.kinds.openai.REMEMBERED", 0.0)
        with ScriptedServer(error(400), error(400), *[Reply(TEXT)] * 2) as server:
            source = source_for(server)
            assert from_model(answer_of(told(source))) == NAMES
            assert from_model(answer_of(told(source))) == NAMES
        assert held(server) == ["lengths", "shape", "nothing", "lengths"]

    def test_does_not_go_on_for_ever(self, told: Told) -> None:
        """Whoever refuses without a schema too is not asked again, and may be asked with one again later."""
        with ScriptedServer(*[error(400)] * 3, Reply(TEXT)) as server:
            source = source_for(server)
            got = answer_of(told(source))
            assert (from_model(got), len(got.suggestions), len(server.requests)) == ([], 3, 3)
            assert any("400" in notice for notice in got.notices)
            assert from_model(answer_of(told(source))) == NAMES
        assert held(server) == ["lengths", "shape", "nothing", "lengths"]

    def test_by_the_usage_too(self, told: Told) -> None:
        """A server that knows no `stream_options` is asked without them."""
        with ScriptedServer(*[refuses("stream_options", Reply(TEXT))] * 3) as server:
            assert from_model(answer_of(told(source_for(server)))) == NAMES


class TestBusy:
    """A server that is busy is tried once more, where that makes sense."""

    @pytest.mark.parametrize(("status", "seconds"), [(429, "0.05"), (429, "0"), (503, "0")])
    def test_once_more(self, told: Told, status: int, seconds: str) -> None:
        """After the seconds that it names, if they are few."""
        with ScriptedServer(error(status, **{"Retry-After": seconds}), Reply(TEXT)) as server:
            got = answer_of(told(source_for(server)))
        assert (from_model(got), len(server.requests), got.notices) == (NAMES, 2, ())

    def test_and_not_twice(self, told: Told) -> None:
        """A second refusal is the last word."""
        with ScriptedServer(rate_limited(0.01), rate_limited(0.01), Reply(TEXT)) as server:
            got = answer_of(told(source_for(server)))
        assert (len(got.suggestions), len(server.requests), got.usage.calls) == (3, 2, 2)
        assert any("429" in notice for notice in got.notices)

    @pytest.mark.parametrize("seconds", ["3600", "inf", "1e400"])
    def test_not_when_it_takes_long(self, told: Told, seconds: str) -> None:
        """Where it names a time beyond ours, nobody waits."""
        with ScriptedServer(error(429, **{"Retry-After": seconds}), Reply(TEXT)) as server:
            got = answer_of(told(source_for(server)))
        assert (from_model(got), len(server.requests)) == ([], 1)

    @pytest.mark.parametrize("seconds", ["nan", "-5", "soon", "Fri, 31 Dec 2100 23:59:59 GMT"])
    def test_nonsense_for_a_time(self, told: Told, seconds: str) -> None:
        """Where it names no time that makes sense, the answer comes all the same."""
        with ScriptedServer(error(429, **{"Retry-After": seconds}), Reply(TEXT)) as server:
            got = answer_of(told(source_for(server)))
        assert (len(got.suggestions), len(server.requests) <= 2) == (3, True)


UNUSABLE = {
    "ALL_PROXY": "nonsense://user:secret-77aa@127.0.0.1:9",
    "SSLKEYLOGFILE": "/nowhere/secret-77aa",
    "OPENAI_ORG_ID": "örg-secret-77aa",
    "OPENAI_CUSTOM_HEADERS": "Schlüssel: secret-77aa",
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_variable_that_nobody_can_be_asked_with(told: Told, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the environment says to the SDK, and it cannot do, is the user's error, told without what stands there."""
    monkeypatch.setenv(name, UNUSABLE[name])
    source = OpenAICompatible(Settings("tiny", "https://models.example/v1", KEY))
    with pytest.raises(NarratorError) as refused:
        told(source)
    assert refused.value.code == "bad_request"
    assert "77aa" not in str(refused.value)


def test_one_source_serves_both_ways() -> None:
    """A source can be used blocking and not, again and again, in one loop after another."""
    with ScriptedServer(*[Reply(TEXT)] * 4) as server:
        source = source_for(server)
        assert [from_model(answer_of(way(source))) for way in (blocking, on_a_loop, blocking, on_a_loop)] == [NAMES] * 4


class TestEndpoints:
    """A server may have the endpoint for chat, or that for responses, or both."""

    def test_responses_are_asked_for_where_there_is_nothing_else(self, told: Told) -> None:
        """A server that has responses alone is asked for them, and from then on at once."""
        with ScriptedServer(*[Reply(TEXT, usage=(612, 148, 512))] * 2, only=RESPONSES) as server:
            source = source_for(server)
            answers = [answer_of(told(source)) for _ in range(2)]
        told_of = [(from_model(answer), answer.notices, answer.usage.cached_tokens) for answer in answers]
        assert told_of == [(NAMES, (), 512)] * 2
        assert [request.path.removeprefix("/v1/") for request in server.requests] == [CHAT, RESPONSES, RESPONSES]
        body = server.requests[-1].body
        assert (body["store"], body["text"]["format"]["strict"]) == (False, True)

    def test_a_schema_refused_there_is_left_out_too(self, told: Told) -> None:
        """A server of responses that knows no schema is asked without."""
        with ScriptedServer(*[refuses("text", Reply(TEXT))] * 3, only=RESPONSES) as server:
            assert from_model(answer_of(told(source_for(server)))) == NAMES

    def test_a_model_that_is_not_there(self, told: Told) -> None:
        """Where neither is found, the deck answers, and chat is what the next call asks first."""
        with ScriptedServer(error(404), error(404), Reply(TEXT)) as server:
            source = source_for(server)
            assert any("404" in notice for notice in answer_of(told(source)).notices)
            assert from_model(answer_of(told(source))) == NAMES
        assert [request.path.removeprefix("/v1/") for request in server.requests] == [CHAT, RESPONSES, CHAT]
