"""That a call is over when its time is up, whatever happens: servers that never answer, sources that never end, large
requests. What keeps it waiting does so for ever, so that a call that is not over never would be.
"""

import gc
import json
import time
import warnings
from contextlib import AbstractContextManager, nullcontext
from itertools import product
from typing import Any

import pytest

from narrator.sources.settings import Settings
from tests.asking import Told, answer_of
from tests.pouring import BAD
from tests.sources.asking import SERVED, close_all, opened, printed_apart
from tests.sources.late import SOURCES, TIMEOUT, huge

WORK = 8.0
"""
Seconds of the processor that a call may take, of all threads together: those in which endless answers are read until
the time is up, the imports of a first call, and the reading of a large request. A machine that is busy takes more.
"""

NOBODY = "http://model.invalid/v1"
EVERY_DAY = {
    *("silent", "drips its head", "flood of 100 Continue", "suggest-no handshake-small", "suggest-blocks-small"),
    "suggest-environment, names hang-small",
}
"""What is not left to `make test-all`."""


def _rows(*rows: tuple[str, ...]) -> list[Any]:
    ids = {"-".join(row): row for row in rows}
    return [pytest.param(*row, id=id, marks=() if id in EVERY_DAY else pytest.mark.full) for id, row in ids.items()]


WAYS = ("suggest", "astream")


def _check(way: str, name: str, size: str, server: AbstractContextManager[str]) -> None:
    """The two calls of the program have a full answer, and it ends."""
    with server as base_url:
        calls = json.loads(printed_apart(base_url, "-m", "tests.sources.late", way, name, size))
    assert [call["count"] for call in calls] == [3, 3]
    assert max(call["work"] for call in calls) < WORK


@pytest.mark.parametrize(
    ("way", "bad", "size"), _rows(*product(WAYS, BAD, ["small"]), *product(WAYS, ["silent", "surplus"], ["huge"]))
)
def test_a_server_that_keeps_a_process_waiting(way: str, bad: str, size: str) -> None:
    """The first call of a process and the second are over, with a full answer; so is the process, then."""
    _check(way, "environment", size, BAD[bad]())


@pytest.mark.parametrize(
    ("way", "name", "size"),
    _rows(
        *product(WAYS, [name for name in SOURCES if "environment" not in name], ["small"]),
        ("suggest", "environment, names hang", "small"),  # a loop of the caller's own waits for its look-ups at its end
        *product(WAYS, ["deck", "silent", "surplus"], ["huge"]),
    ),
)
def test_a_source_that_keeps_a_process_waiting(way: str, name: str, size: str) -> None:
    """It is the same with a caller's own source or model, whether it blocks, hangs, or never ends, and where the names
    of servers are looked up for ever.
    """
    _check(way, name, size, nullcontext(NOBODY))


@pytest.mark.parametrize("bad", _rows(*[(bad,) for bad in BAD]))
@pytest.mark.parametrize("kind", SERVED)
def test_a_server_that_keeps_a_call_waiting(kind: str, bad: str, told: Told) -> None:
    """It is the same where all is warm, and the server is the only one that is late, whatever kind of source asks."""
    with BAD[bad]() as base_url:
        answer = answer_of(told(opened(kind, Settings("tiny", base_url)), timeout=0.2))
        close_all()
    assert len(answer.suggestions) == 3
    assert answer.notices
    with warnings.catch_warnings():
        # httpcore lets go of a connection whose handshake is cancelled, and closes it only as garbage.
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.mark.parametrize("name", ["endless nothing", "endless nothing, only blocking", "blocks at once", "stubborn"])
def test_a_source_that_keeps_a_call_waiting(name: str, told: Told) -> None:
    """So it is with a source that never waits itself, blocks at once, or does not want to end."""
    answer = answer_of(told(SOURCES[name](), timeout=0.2))
    assert len(answer.suggestions) == 3


@pytest.mark.parametrize(
    "name", ["silent", pytest.param("deck", marks=pytest.mark.full), pytest.param("surplus", marks=pytest.mark.full)]
)
def test_a_large_request(name: str, told: Told) -> None:
    """Nor does a request take long that is as large as may be: it is answered, and in full."""
    started = time.process_time()
    answer = answer_of(told(SOURCES[name](), huge(), timeout=TIMEOUT))
    assert time.process_time() - started < WORK
    assert len(answer.suggestions) == 3
