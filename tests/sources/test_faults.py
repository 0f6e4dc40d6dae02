"""What a server can do wrong beside the table of `test_openai_compatible.py`: memory, tries, connections."""

import asyncio
import json
import tracemalloc
from collections.abc import AsyncGenerator

import httpx2
import pytest

import narrator
from narrator.sources.settings import Settings
from narrator.suggestions.source.protocol import Source
from tests.asking import CYNERE, answer_of
from tests.leaping import DEADLINE, leap
from tests.scripted_server import Reply, ScriptedServer, Wire, error, faults, flood, rate_limited, suggestions
from tests.sources.asking import FITTING, TEXT, Ask, both_ways, by, opened

KEY = "sk-of-the-user-0123456789"


def _source(server: ScriptedServer) -> Source:
    return opened("openai", Settings("tiny", server.base_url, KEY))


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
        found = asking(_source(server), repairs=0, timeout=DEADLINE)
    assert f"(HTTP {status})" in found.notices[0]
    assert KEY not in found.model_dump_json()


@both_ways
@pytest.mark.parametrize("fault", ["cut by length", "reset mid-stream", "200 and nothing"])
def test_asked_again_for_what_is_missing(asking: Ask, fault: str) -> None:
    """An answer that broke off is asked for again, but for what is already there."""
    with ScriptedServer(faults(TEXT)[fault], Reply(TEXT)) as server:
        source = _source(server)
        found = asking(source, timeout=DEADLINE)
    assert (by(found, source), len(server.requests), found.usage.calls) == (3, 2, 2)


@both_ways
def test_tries_are_counted(asking: Ask) -> None:
    """However a server mixes its refusals, one call asks it four times at most."""
    with ScriptedServer(rate_limited(0.01), error(400), error(422), error(503), Reply(TEXT)) as server:
        asking(_source(server), timeout=DEADLINE)
    assert len(server.requests) == 4


@both_ways
def test_a_kept_connection_that_was_closed(asking: Ask) -> None:
    """A server that closes a connection it had kept, just as it is used again, is asked once more, without a word."""
    with ScriptedServer(Reply(TEXT), Wire.reset, Reply(TEXT), Wire.reset, Wire.reset) as server:
        source = _source(server)
        assert by(asking(source, timeout=DEADLINE), source) == 3
        again = asking(source, timeout=DEADLINE)
        assert (by(again, source), again.notices, again.usage.calls) == (3, (), 2)
        broken = asking(source, repairs=0, timeout=DEADLINE)
    assert any("broke off" in notice for notice in broken.notices)
    assert len(server.requests) == 5


def test_first_calls_at_once() -> None:
    """Calls that begin together, before the source has a client, share one, and none of them loses it."""

    async def ask_at_once(source: Source) -> list[int]:
        async def one() -> int:
            events = [event async for event in narrator.astream(CYNERE, source=source)]
            return by(answer_of(events), source)

        return await asyncio.gather(*[one() for _ in range(12)])

    with ScriptedServer(*[Reply(TEXT)] * 36) as server:
        for _ in range(3):
            assert asyncio.run(ask_at_once(_source(server))) == [3] * 12
