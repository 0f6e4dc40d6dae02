"""`vtt --jsonl`: a process that stays, and answers a payload a line."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO

import pytest

from narrator import vtt
from narrator.rules.json_text import Json
from narrator.rules.model import MOST_BYTES
from tests.leaping import DEADLINE
from tests.payloads import PAYLOADS
from tests.scripted_server import Reply, ScriptedServer, Wire, suggestions
from tests.server.test_doors import without_time


class Staying:
    """The process, with what goes in and what comes out."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.coming: IO[bytes] = process.stdin
        self.going: IO[bytes] = process.stdout

    def send(self, *payloads: Json | bytes) -> None:
        """Send payloads, or lines that are none."""
        lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in payloads]
        self.coming.write(b"".join(line + b"\n" for line in lines))
        self.coming.flush()

    def next(self) -> Json:
        """Wait for a line."""
        found: Json = json.loads(self.going.readline())
        return found

    def end(self) -> list[Json]:
        """Send no more; what still comes, and it ends well."""
        self.coming.close()
        rest = [json.loads(line) for line in self.going]
        assert self.process.wait(DEADLINE) == 0
        return rest


@contextmanager
def staying(environment: Mapping[str, str] | None = None) -> Iterator[Staying]:
    """Start it."""
    command = [sys.executable, "-m", "narrator", "vtt", "--jsonl"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env={**os.environ, **(environment or {})}) as process:
        watch = threading.Timer(DEADLINE, process.kill)
        watch.start()
        try:
            yield Staying(process)
        finally:
            watch.cancel()
            process.kill()


def test_every_call_gives_what_a_macro_gets() -> None:
    """One after another, by its id, in one process."""
    with staying() as there:
        for number, (call, payload) in enumerate(PAYLOADS.items()):
            told = {"source": "deck", **payload} if call in ("suggest", "prepare", "word", "stage") else payload
            there.send({**told, "id": number})
            assert without_time(there.next()) == without_time(vtt.run({**told, "id": number})), call
        assert there.end() == []


def test_events_come_as_they_are_known_and_the_last_is_done() -> None:
    """Each has the payload's id."""
    with staying() as there:
        there.send({**PAYLOADS["suggest"], "source": "deck", "stream": True, "id": "mine"})
        events = there.end()

    assert {each["id"] for each in events} == {"mine"}
    assert [each["event"] for each in events][:: len(events) - 1] == ["resolution", "done"]


@pytest.mark.parametrize(
    ("line", "field", "message"),
    [
        (b"nonsense", "", "JSON"),
        (b"[1]", "", "object"),
        (b"\xff{}", "", "UTF-8"),
        (b'{"call": "fly"}', "call", "no such call"),
        (b'{"call": "rulesets", "stream": 1}', "stream", "true or false"),
        (b'{"call": "rulesets", "stream": true}', "stream", "no events"),
        (b'"' + b"x" * (MOST_BYTES + 9) + b'"', "", "larger"),
    ],
    ids=["no JSON", "no object", "no UTF-8", "no call", "no boolean", "no events", "too long"],
)
def test_a_line_that_is_wrong_is_an_error_and_the_next_is_as_any(line: bytes, field: str, message: str) -> None:
    """It never ends the process."""
    with staying() as there:
        there.send(line, b"", {"call": "rulesets", "id": 2})
        error, answer = sorted((there.next(), there.next()), key=lambda each: "rulesets" in each)
        there.end()

    assert error["error"]["field"] == field
    assert message in error["error"]["message"]
    assert answer["id"] == 2


def test_fifty_at_once_wait_for_no_slow_model() -> None:
    """Those that a model writes for come when it has written, all others before."""
    held = threading.Event()

    def slow(wire: Wire) -> None:
        held.wait(DEADLINE)
        Reply(suggestions())(wire)

    with ScriptedServer(*[slow] * 10) as server:
        environment = {"NARRATOR_MODEL": "slow", "NARRATOR_BASE_URL": server.base_url}
        with staying(environment) as there:
            asked = [{**PAYLOADS["suggest"], "id": f"slow {number}", "repairs": 0} for number in range(5)]
            deck = [{**PAYLOADS["suggest"], "id": f"deck {number}", "source": "deck"} for number in range(20)]
            quick = [{**PAYLOADS["resolve"], "id": f"quick {number}"} for number in range(25)]
            there.send(*asked, *deck, *quick)
            first = [there.next()["id"] for _ in range(45)]
            held.set()
            last = [each["id"] for each in there.end()]

    assert {*first} == {each["id"] for each in (*deck, *quick)}
    assert {*last} == {each["id"] for each in asked}


def test_it_ends_where_nobody_reads_any_more() -> None:
    """Without a word of it on standard error."""
    with staying() as there:
        there.send({"call": "rulesets"})
        there.next()
        there.going.close()
        there.send(*[{"call": "rulesets"}] * 3)
        assert there.process.wait(DEADLINE) == 0


def test_a_file_is_no_stream() -> None:
    """`--jsonl` reads what is sent to it."""
    command = [sys.executable, "-m", "narrator", "vtt", "--jsonl", "payload.json"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE, check=False)

    assert ran.returncode == 2
    assert "standard input" in ran.stderr
