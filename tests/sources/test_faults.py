"""What a server can do wrong beside the table of `test_openai_compatible.py`: memory, tries, costs, keys, threads."""

import asyncio
import json
import threading
import tracemalloc
from collections.abc import AsyncGenerator

import httpx2
import pytest

import narrator
from narrator.errors import NarratorError
from narrator.sources.kinds.openai import OpenAICompatible
from narrator.sources.settings import Settings, from_environment
from tests.asking import CYNERE, answer_of
from tests.leaping import DEADLINE, leap
from tests.scripted_server import (
    Reply,
    ScriptedServer,
    Wire,
    error,
    faults,
    flood,
    rate_limited,
    stream_error,
    suggestions,
    thinking,
)
from tests.sources.asking import FITTING, TEXT, Ask, ask, both_ways, by

KEY = "sk-of-the-user-0123456789"


def _source(server: ScriptedServer) -> OpenAICompatible:
    return OpenAICompatible(Settings("tiny", server.base_url, KEY))


@both_ways
@pytest.mark.parametrize("one_line", [False, True], ids=["many events", "one line"])
def test_flood_in_little_memory(asking: Ask, one_line: bool) -> None:
    """Fifty megabytes are neither read nor kept."""
    with ScriptedServer(flood(one_line=one_line)) as server:
        source = _source(server)
        narrator.warm()  # what a first call loads is not what a flood leaves
        tracemalloc.start()
        try:
            asking(source, repairs=0, timeout=DEADLINE)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        source.close()
        assert server.requests[0].done.wait(DEADLINE)
    assert peak < 30_000_000
    assert server.requests[0].sent < 40_000_000


@both_ways
@pytest.mark.parametrize("is_over", [False, True], ids=["in the middle", "at the end"])
def test_a_stream_that_makes_nobody_wait(asking: Ask, is_over: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is always one more byte to read already, the loop has its turn all the same, and the clock has."""
    most, given = 2_000_000, 0
    choice = {"delta": {"content": suggestions(*FITTING[:2])}, "finish_reason": "stop" if is_over else None}

    async def crumbs(_: httpx2.Response) -> AsyncGenerator[bytes, None]:
        nonlocal given
        yield b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n"
        for given in range(most):
            if given == 1_000 and not is_over:
                leap()
            yield b":\n"

    with ScriptedServer(Reply(TEXT), Reply()) as server:
        source = _source(server)
        asking(source, timeout=DEADLINE)
        monkeypatch.setattr(httpx2.Response, "aiter_raw", crumbs)
        asking(source, repairs=0, timeout=DEADLINE)
        source.close()
    assert 0 < given < most - 1


@both_ways
@pytest.mark.parametrize("status", [401, 500])
def test_a_refusal_without_end(asking: Ask, status: int) -> None:
    """The body of a refusal is not read: it may have no end, and may repeat the key."""

    def refuse(wire: Wire) -> None:
        wire.head(status, "text/plain")
        wire.raw(wire.received.headers["authorization"].encode())
        wire.hang()

    with ScriptedServer(refuse, refuse) as server:
        source = _source(server)
        found = asking(source, repairs=0, timeout=DEADLINE)
        source.close()
    assert f"(HTTP {status})" in found.notices[0]
    assert KEY not in found.model_dump_json()


@both_ways
@pytest.mark.parametrize("fault", ["cut by length", "reset mid-stream", "200 and nothing"])
def test_asked_again_for_what_is_missing(asking: Ask, fault: str) -> None:
    """An answer that broke off is asked for again, but for what is already there."""
    with ScriptedServer(faults(TEXT)[fault], Reply(TEXT)) as server:
        source = _source(server)
        found = asking(source, timeout=DEADLINE)
        source.close()
    assert (by(found, source), len(server.requests), found.usage.calls) == (3, 2, 2)


@both_ways
def test_usage_of_a_cut_off_answer(asking: Ask) -> None:
    """What an answer cut off has cost is counted, and that of the second call with it."""
    with ScriptedServer(faults(TEXT)["cut by length"], Reply(TEXT, usage=(100, 10, 50))) as server:
        source = _source(server)
        usage = asking(source, timeout=DEADLINE).usage
        source.close()
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (310, 52, 50)


@both_ways
def test_usage_in_every_event(asking: Ask) -> None:
    """A server that tells the sum in every event is not counted several times."""

    def told_often(wire: Wire) -> None:
        for count in (5, 10, 15):
            chunk = wire.chunk({"content": TEXT if count == 10 else ""}, finish_reason="stop" if count == 15 else None)
            wire.event(chunk | {"usage": {"prompt_tokens": 100, "completion_tokens": count}})
        wire.done()

    with ScriptedServer(told_often) as server:
        source = _source(server)
        usage = asking(source, timeout=DEADLINE).usage
        source.close()
    assert (usage.input_tokens, usage.output_tokens) == (100, 15)


@both_ways
def test_tries_are_counted(asking: Ask) -> None:
    """However a server mixes its refusals, one call asks it four times at most."""
    with ScriptedServer(rate_limited(0.01), error(400), error(422), error(503), Reply(TEXT)) as server:
        source = _source(server)
        asking(source, timeout=DEADLINE)
        source.close()
    assert len(server.requests) == 4


FOREIGN = {
    "OPENAI_API_KEY": "sk-openai-own",
    "OPENAI_ADMIN_KEY": "sk-admin-own",
    "OPENAI_ORG_ID": "org-own",
    "OPENAI_PROJECT_ID": "proj-own",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer sk-custom-own\nX-Secret: custom-own",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "ALL_PROXY": "http://127.0.0.1:9",
}


@both_ways
@pytest.mark.parametrize("key", ["", KEY])
def test_nothing_meant_for_openai_goes_elsewhere(asking: Ask, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, organisation, header or proxy that stands in the environment for OpenAI reaches another server."""
    for name, value in FOREIGN.items():
        monkeypatch.setenv(name, value)
    with ScriptedServer(Reply(TEXT)) as server:
        environment = {**FOREIGN, "NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": server.base_url}
        settings = from_environment({**environment, "NARRATOR_API_KEY": key, "NARRATOR_CONFIG": "/nowhere"})
        assert settings is not None
        source = OpenAICompatible(settings)
        assert by(asking(source, timeout=DEADLINE), source) == 3
        source.close()
    headers = server.requests[0].headers
    assert "own" not in str(headers)
    assert headers.get("authorization") == (f"Bearer {key}" if key else None)
    assert not [name for name in headers if name.startswith(("x-", "openai-"))]


@pytest.mark.parametrize("key", ["sk-line\nbreak", "sk-schlüssel", "sk blank"])
def test_a_key_that_is_none(key: str) -> None:
    """A key that no header can bear is refused before it is sent, and not repeated."""
    with pytest.raises(NarratorError) as caught:
        Settings("tiny", "http://127.0.0.1:1/v1", key)
    assert key not in str(caught.value)


def test_connections_are_kept() -> None:
    """One connection serves many calls."""
    with ScriptedServer(*[Reply(thinking(TEXT))] * 5) as server:
        source = _source(server)
        for _ in range(5):
            ask(source)
        source.close()
    assert server.connections == 1


def test_threads_end() -> None:
    """No thread of a call outlives its server."""

    def late(wire: Wire) -> None:
        leap()
        wire.hang()

    before = {*threading.enumerate()}
    with ScriptedServer(late, Reply(TEXT, after=300, then=stream_error())) as server:
        source = _source(server)
        ask(source, repairs=0, timeout=DEADLINE)
        ask(source, repairs=0, timeout=DEADLINE)
        source.close()
    ours = [each for each in threading.enumerate() if each.name == "narrator-aside" and each not in before]
    for thread in ours:
        thread.join(DEADLINE)
    assert not any(thread.is_alive() for thread in ours)


@both_ways
def test_a_kept_connection_that_was_closed(asking: Ask) -> None:
    """A server that closes a connection it had kept, just as it is used again, is asked once more, without a word."""
    with ScriptedServer(Reply(TEXT), Wire.reset, Reply(TEXT), Wire.reset, Wire.reset) as server:
        source = _source(server)
        assert by(asking(source, timeout=DEADLINE), source) == 3
        again = asking(source, timeout=DEADLINE)
        assert (by(again, source), again.notices, again.usage.calls) == (3, (), 2)
        broken = asking(source, repairs=0, timeout=DEADLINE)
        source.close()
    assert any("broke off" in notice for notice in broken.notices)
    assert len(server.requests) == 5


def test_first_calls_at_once() -> None:
    """Calls that begin together, before the source has a client, share one, and none of them loses it."""

    async def ask_at_once(source: OpenAICompatible) -> list[int]:
        async def one() -> int:
            events = [event async for event in narrator.astream(CYNERE, source=source)]
            return by(answer_of(events), source)

        return await asyncio.gather(*[one() for _ in range(12)])

    with ScriptedServer(*[Reply(TEXT)] * 36) as server:
        for _ in range(3):
            source = _source(server)
            assert asyncio.run(ask_at_once(source)) == [3] * 12
            source.close()
