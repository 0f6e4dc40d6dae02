"""The OpenAI-compatible source, over the wire: what is sent, what is read, and what becomes of every fault."""

import asyncio
import json
import threading
from collections.abc import Iterator

import pytest

import narrator
from narrator import Answer, NarratorError
from narrator.sources.kinds.openai import OpenAICompatible
from narrator.sources.settings import Settings
from tests.asking import (
    CLERK,
    CYNERE,
    GUARD,
    INK,
    Told,
    answer_of,
    blocking,
    brief_of,
    leap_when_accepted,
    on_a_loop,
)
from tests.leaping import DEADLINE, leap
from tests.scripted_server import (
    CHAT,
    COMMENT,
    PROSE,
    RESPONSES,
    Reply,
    ScriptedServer,
    Step,
    Wire,
    drip,
    error,
    faults,
    rate_limited,
    refuses,
    suggestions,
)

KEY = "sk-narrators-own-5f1c"
TEXT = suggestions(GUARD, INK, CLERK)
NAMES = ["Seen Her Face", "Ink on Both Hands", "The Night Clerk"]

_opened: list[OpenAICompatible] = []


@pytest.fixture(autouse=True)
def _close_sources() -> Iterator[None]:
    """Let go of the connections that a test's sources have kept."""
    yield
    while _opened:
        _opened.pop().close()


def source_for(server: ScriptedServer) -> OpenAICompatible:
    """The source under test, for this server."""
    _opened.append(OpenAICompatible(Settings("tiny", server.base_url, KEY)))
    return _opened[-1]


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


def test_accepted_before_the_rest_was_sent(told: Told) -> None:
    """A suggestion is told as soon as its object has come, while the server has not sent the next one yet."""
    accepted, seen = threading.Event(), []

    def step(wire: Wire) -> None:
        place = TEXT.index("}") + 1
        wire.event(wire.chunk({"role": "assistant", "content": TEXT[:place]}))
        seen.append(accepted.wait(DEADLINE))
        wire.event(wire.chunk({"content": TEXT[place:]}, finish_reason="stop"))
        wire.done()

    with ScriptedServer(step) as server:
        source = source_for(server)
        if told is blocking:
            for event in narrator.stream(CYNERE, source=source, timeout=2 * DEADLINE):
                if event.event == "accepted":
                    accepted.set()
        else:

            async def collect() -> None:
                async for event in narrator.astream(CYNERE, source=source, timeout=2 * DEADLINE):
                    if event.event == "accepted":
                        accepted.set()

            asyncio.run(collect())
    assert seen == [True]


def test_a_repair_over_the_wire(told: Told) -> None:
    """One bad of three: a second request asks for one, and the usage is the sum of both."""
    bad = suggestions(GUARD, INK, CLERK | {"detail": "He rolls [[1d20]]."})
    with ScriptedServer(Reply(bad), Reply(suggestions(CLERK), usage=(100, 10, 90))) as server:
        answer = answer_of(told(source_for(server)))
    assert (from_model(answer), [each.code for each in answer.rejected]) == (NAMES, ["unsafe_text"])
    again = json.loads(server.requests[1].body["messages"][1]["content"].rsplit("\n\n", 1)[1])
    assert (
        [each["how_many"] for each in again["wanted"]],
        [each["code"] for each in again["refused"]],
    ) == ([1], ["unsafe_text"])
    usage = answer.usage
    assert (usage.calls, usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (2, 310, 90, 52)


WHOLE, PART, NONE = 3, 1, 0
"""How many of the three suggestions come from the model."""

FAULTS: dict[str, tuple[int, str, int]] = {
    # how many of the model's come, a word of the notice ("": nothing went wrong that the table would see), requests
    "hang before headers": (NONE, "no whole answer", 1),
    "hang mid-stream": (PART, "no whole answer", 1),
    "hang after the last content": (WHOLE, "", 1),
    "hang before [DONE]": (WHOLE, "", 1),
    "reset before headers": (NONE, "broke", 1),
    "reset mid-stream": (PART, "broke", 1),
    "close before headers": (NONE, "broke", 1),
    "close mid-stream": (PART, "broke", 1),
    "ordered end mid-stream": (PART, "broke", 1),
    "no [DONE]": (WHOLE, "", 1),
    "cut by length": (PART, "cut off", 1),
    "content filter": (NONE, "filter", 1),
    "refusal": (NONE, "refused", 1),
    "no words": (NONE, "no suggestion", 1),
    "prose": (NONE, "deck", 1),
    "fence": (WHOLE, "", 1),
    "thinking": (WHOLE, "", 1),
    "bare array": (WHOLE, "", 1),
    "wrong types": (NONE, "could be used", 1),
    "not a list": (NONE, "could be used", 1),
    "null": (NONE, "no suggestion", 1),
    "deep nesting": (NONE, "no suggestion", 1),
    "deep nesting inside": (NONE, "no suggestion", 1),
    "empty choices": (NONE, "deck", 1),
    "bad JSON lines": (WHOLE, "", 1),
    "comment lines": (WHOLE, "", 1),
    "lines without data": (WHOLE, "", 1),
    "no blank lines": (WHOLE, "", 1),
    "CRLF": (WHOLE, "", 1),
    "invalid UTF-8": (NONE, "deck", 1),
    "line separators in the words": (NONE, "could be used", 1),
    "one byte at a time": (WHOLE, "", 1),
    "error in the stream": (PART, "error", 1),
    "flood": (NONE, "end", 1),
    "flood in one line": (NONE, "deck", 1),
    "400 for response_format": (WHOLE, "", 2),
    "401": (NONE, "key", 1),
    "404": (NONE, "no such model", 2),
    "429, short": (WHOLE, "", 2),
    "429, long": (NONE, "too many", 1),
    "429": (WHOLE, "", 2),
    "500, HTML": (WHOLE, "", 2),
    "503": (WHOLE, "", 2),
    "wrong Content-Type": (WHOLE, "", 1),
    "whole though a stream was asked": (WHOLE, "", 1),
    "stream though a whole was asked": (WHOLE, "", 1),
    "200 and nothing": (NONE, "deck", 1),
}


def test_every_fault_is_in_the_table() -> None:
    """No fault that the server can commit is left out here."""
    assert faults(TEXT).keys() == FAULTS.keys()


@pytest.mark.full
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_in_an_answer(told: Told, fault: str, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever the server does, the answer is whole; what had come is kept, a notice says what happened."""
    count, word, requests = FAULTS[fault]
    waits = "hang" in fault and count < WHOLE  # where all has come, nobody waits for the server to hang up
    step = faults(TEXT)[fault]
    with ScriptedServer(_leaps(step) if waits and not count else step, Reply(TEXT), only=CHAT) as server:
        source = source_for(server)
        watch = leap_when_accepted if waits else bool
        answer = answer_of(told(source, repairs=0, timeout=DEADLINE, watch=watch))
        assert requests == len(server.requests) == answer.usage.calls
        assert NAMES[:count] == from_model(answer)
        assert len(answer.suggestions) == 3
        notices = " ".join(answer.notices)
        assert bool(word) == bool(notices)
        assert word in notices.casefold()
        assert count == WHOLE or any("openai:tiny" in notice for notice in answer.notices)
        told_of_it = [json.dumps(answer.as_json()), repr(source), str(source), repr(vars(source)), caplog.text]
        assert [text for text in told_of_it if KEY in text] == []


def _leaps(then: Step) -> Step:
    """Let the time be up, and go on."""

    def step(wire: Wire) -> None:
        leap()
        then(wire)

    return step


def _drips_comments(wire: Wire) -> None:
    wire.raw(COMMENT)
    leap()
    while True:
        wire.raw(COMMENT)
        wire.wait(0.02)


LINGERING: dict[str, Step] = {
    "silent": _leaps(Wire.hang),
    "silent in the middle": Reply(TEXT, after=len(TEXT) // 2, then=_leaps(Wire.hang)),
    "keeping alive": _drips_comments,
    "keeping alive in the middle": Reply(TEXT, after=len(TEXT) // 2, then=_drips_comments),
    "slow": _leaps(drip(Reply(TEXT, pieces=1, pause=0.02), 1)),
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


SENT: dict[str, tuple[Step, ...]] = {
    "a schema refused": (error(400), Reply(TEXT)),
    "every schema refused": (error(422), error(422), error(422)),
    "busy": (rate_limited(0.01), Reply(TEXT)),
    "busy twice": (rate_limited(0.01), rate_limited(0.01)),
    "neither endpoint": (error(404), error(404)),
    "no time for the second answer": (error(400), _leaps(Wire.hang)),
}


@pytest.mark.parametrize("steps", SENT.values(), ids=SENT)
def test_every_request_is_a_call(told: Told, steps: tuple[Step, ...]) -> None:
    """The usage counts what the server was sent, also what it refused."""
    with ScriptedServer(*steps) as server:
        usage = answer_of(told(source_for(server), repairs=0, timeout=DEADLINE)).usage
    assert usage.calls == len(server.requests) == len(steps)


RUBBISH = {
    "prose": (PROSE, "there was no suggestion in the answer."),
    "an empty object": ("{}", "answered, but nothing in it could be used: 1 refused as malformed."),
    "other words": (
        suggestions(GUARD | {"slot": "boon"}, INK | {"detail": "Roll [[1d20]]."}),
        "answered, but nothing in it could be used: 1 refused as unknown_slot, 1 refused as unsafe_text.",
    ),
}


@pytest.mark.parametrize(("said", "why"), RUBBISH.values(), ids=RUBBISH)
def test_why_nothing_of_an_answer_is_used(told: Told, said: str, why: str) -> None:
    """Where all the words are the deck's, a notice says why none are the model's; where one is, none is needed."""
    with ScriptedServer(*[Reply(said)] * 2, Reply(said), Reply(TEXT)) as server:
        bad, good = (answer_of(told(source_for(server))) for _ in range(2))
    assert bad.notices == (f"openai:tiny: {why}", "From the deck: 3 of 3 suggestions.")
    assert [notice for notice in good.notices if "could be used" in notice] == []


def test_a_server_that_points_elsewhere_is_named_by_its_status(told: Told) -> None:
    """It is asked once, and a notice says what it answered."""
    with ScriptedServer(error(307, Location="http://127.0.0.1:9/v1")) as server:
        got = answer_of(told(source_for(server), repairs=0))
    assert len(server.requests) == 1
    notice = "openai:tiny: it points to another address, which was not followed (HTTP 307)."
    assert notice in got.notices


def test_nobody_there(told: Told) -> None:
    """Where nobody listens the deck answers, and a notice says why."""
    with ScriptedServer() as server:
        source = source_for(server)
    got = answer_of(told(source))
    assert (len(got.suggestions), from_model(got), got.usage.calls) == (3, [], 1)
    assert any("nobody" in notice for notice in got.notices)


def test_no_slot_no_request(told: Told) -> None:
    """Where nothing wants words nothing is sent."""
    with ScriptedServer() as server:
        told(source_for(server), CYNERE | {"action": CYNERE["action"] | {"roll": {"total": 4}}})
    assert (server.requests, server.connections) == ([], 0)


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

    @pytest.mark.parametrize(
        "step",
        [
            pytest.param(rate_limited(0.05), id="429 for a moment"),
            pytest.param(rate_limited(0), id="429 for no time"),
            pytest.param(error(503, **{"Retry-After": "0"}), id="503 for no time"),
        ],
    )
    def test_once_more(self, told: Told, step: Step) -> None:
        """After the seconds that it names, if they are few."""
        with ScriptedServer(step, Reply(TEXT)) as server:
            got = answer_of(told(source_for(server)))
        assert (from_model(got), len(server.requests), got.notices) == (NAMES, 2, ())

    def test_and_not_twice(self, told: Told) -> None:
        """A second refusal is the last word."""
        with ScriptedServer(rate_limited(0.05), rate_limited(0.05), Reply(TEXT)) as server:
            got = answer_of(told(source_for(server)))
        assert (from_model(got), len(got.suggestions), len(server.requests)) == ([], 3, 2)
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


SECRETS = {
    "OPENAI_API_KEY": "sk-of-the-user-77aa",
    "OPENAI_ADMIN_KEY": "sk-admin-77aa",
    "OPENAI_ORG_ID": "org-77aa",
    "OPENAI_PROJECT_ID": "proj-77aa",
    "OPENAI_CUSTOM_HEADERS": "X-Team: team-77aa\nAuthorization: Bearer sk-custom-77aa",
    "OPENAI_WEBHOOK_SECRET": "whsec-77aa",
}
PLAIN_HEADERS = {"accept", "accept-encoding", "connection", "content-length", "content-type", "host", "user-agent"}


class TestForeignHost:
    """What the environment holds for OpenAI does not go to another server."""

    @pytest.fixture(autouse=True)
    def _environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Set all that the SDK would pick up by itself."""
        for name, value in SECRETS.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("OPENAI_BASE_URL", "")
        monkeypatch.setenv("NARRATOR_MODEL", "tiny")
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")

    def test_gets_no_key(self, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
        """No key, organisation, project or custom header of the user's is sent, and no proxy stands between."""
        with ScriptedServer(Reply(TEXT)) as server:
            monkeypatch.setenv("NARRATOR_BASE_URL", server.base_url)
            assert from_model(answer_of(told(None))) == NAMES
        (received,) = server.requests
        assert received.headers.keys() <= PLAIN_HEADERS
        assert "77aa" not in json.dumps([received.headers, received.body])

    def test_gets_its_own_key(self, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
        """The key that was given for it is sent, and that alone."""
        with ScriptedServer(Reply(TEXT)) as server:
            monkeypatch.setenv("NARRATOR_BASE_URL", server.base_url)
            monkeypatch.setenv("NARRATOR_API_KEY", KEY)
            assert from_model(answer_of(told(None))) == NAMES
        (received,) = server.requests
        assert PLAIN_HEADERS | {"authorization"} >= received.headers.keys()
        assert f"Bearer {KEY}" == received.headers["authorization"]
        assert "77aa" not in json.dumps(received.headers)

    def test_tells_no_key_when_it_fails(self, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
        """A server that repeats the key in its refusal gets no word of that into the answer."""
        with ScriptedServer(faults(TEXT)["401"]) as server:
            monkeypatch.setenv("NARRATOR_BASE_URL", server.base_url)
            monkeypatch.setenv("NARRATOR_API_KEY", KEY)
            got = answer_of(told(None))
        assert KEY not in json.dumps(got.as_json())
        assert any("key" in notice for notice in got.notices)


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
        source.close()


def test_label_and_repr_tell_the_model_and_no_key() -> None:
    """The label is what suggestions name; neither it nor any repr shows the key."""
    settings = Settings("tiny", "http://127.0.0.1:1/v1", KEY)
    source = OpenAICompatible(settings)
    assert source.label == "openai:tiny"
    assert [text for text in (repr(source), repr(settings), str(settings), str(vars(source))) if KEY in text] == []


class TestEndpoints:
    """A server may have the endpoint for chat, or that for responses, or both."""

    def test_chat_is_asked_where_there_is_both(self, told: Told) -> None:
        """A server that has chat is asked for nothing else."""
        with ScriptedServer(Reply(TEXT)) as server:
            assert from_model(answer_of(told(source_for(server)))) == NAMES
        assert [request.path for request in server.requests] == [f"/v1/{CHAT}"]

    def test_responses_are_asked_for_where_there_is_nothing_else(self, told: Told) -> None:
        """A server that has responses alone is asked for them, and from then on at once."""
        with ScriptedServer(*[Reply(TEXT, usage=(612, 148, 512))] * 2, only=RESPONSES) as server:
            source = source_for(server)
            answers = [answer_of(told(source)) for _ in range(2)]
        assert [(from_model(answer), answer.notices, answer.usage.cached_tokens) for answer in answers] == [
            (NAMES, (), 512)
        ] * 2
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
