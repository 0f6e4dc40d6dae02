"""That a call is over in time, whatever happens: servers that never answer, sources that never end, large requests."""

import gc
import json
import os
import subprocess
import sys
import time
import warnings
from contextlib import AbstractContextManager, nullcontext
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from narrator.sources.openai_compatible import OpenAICompatible
from narrator.sources.settings import Settings
from tests.asking import SLACK, Told, answer_of
from tests.pouring import BAD
from tests.sources.late import LONG, SOURCES, TIMEOUT, huge

BUSY = 1.5
"""
Seconds on top, on a machine whose cores are all taken, for what is work and no waiting: the imports of a first call,
and the reading of a large request.
"""

ROOT = Path(__file__).parents[2]
NOBODY = "http://model.invalid/v1"
EVERY_DAY = {
    *("silent", "drips its head", "flood of 100 Continue"),
    *(
        "suggest-no handshake-small",
        "suggest-blocks-small",
    ),
}
"""What is not left to `make test-all`."""


def _rows(*rows: tuple[str, ...]) -> list[Any]:
    ids = {"-".join(row): row for row in rows}
    return [pytest.param(*row, id=id, marks=() if id in EVERY_DAY else pytest.mark.full) for id, row in ids.items()]


WAYS = ("suggest", "astream")


def _late(way: str, name: str, size: str, server: AbstractContextManager[str]) -> tuple[list[dict[str, Any]], float]:
    """The two calls of the program, and the seconds that it took to end after the last."""
    with server as base_url:
        environment = {**os.environ, "NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": base_url}
        ran = subprocess.run(
            [sys.executable, "-m", "tests.sources.late", way, name, size],
            env=environment, cwd=ROOT, capture_output=True, text=True, timeout=6 * LONG, check=False,
        )  # fmt: skip
        ended = time.monotonic()
    assert ran.stderr == ""
    told = json.loads(ran.stdout)
    return told["calls"], ended - told["ended"]


def _check(calls: list[dict[str, Any]]) -> None:
    first, second = calls
    assert (first["count"], second["count"]) == (3, 3)
    assert first["seconds"] < TIMEOUT + SLACK + BUSY
    assert second["seconds"] < TIMEOUT + SLACK


@pytest.mark.parametrize(
    ("way", "bad", "size"),
    _rows(
        *product(WAYS, BAD, ["small"]),
        *product(WAYS, ["silent", "surplus"], ["huge"]),
    ),
)
def test_a_server_that_keeps_a_process_waiting(way: str, bad: str, size: str) -> None:
    """The first call of a process and the second are over in time, with a full answer; so is the process, then."""
    calls, ending = _late(way, "environment", size, BAD[bad]())
    _check(calls)
    assert ending < LONG / 2


def test_names_that_are_not_found_at_all() -> None:
    """Nor does a look-up that hangs keep a call waiting, or the process."""
    calls, ending = _late("suggest", "environment, names hang", "small", nullcontext(NOBODY))
    _check(calls)
    assert ending < LONG / 2


IN_THE_POOL = ("in a thread", "model, _generate", "model, _stream")
"""What hangs in a thread of its loop: where that is the caller's, the loop waits for it at its end."""


@pytest.mark.parametrize(
    ("way", "name", "size"),
    _rows(
        *product(WAYS, [name for name in SOURCES if "environment" not in name], ["small"]),
        *product(WAYS, ["deck", "silent", "surplus"], ["huge"]),
    ),
)
def test_a_source_that_keeps_a_process_waiting(way: str, name: str, size: str) -> None:
    """It is the same with a caller's own source or model, whether it blocks, hangs, or never ends."""
    calls, ending = _late(way, name, size, nullcontext(NOBODY))
    _check(calls)
    assert ending < LONG / 2 or (way == "astream" and name in IN_THE_POOL)


@pytest.mark.parametrize("bad", _rows(*[(bad,) for bad in BAD]))
def test_a_server_that_keeps_a_call_waiting(bad: str, told: Told, small: None) -> None:
    """Where all is warm, half a second is the most that a call takes beyond its time."""
    with BAD[bad]() as base_url:
        source = OpenAICompatible(Settings("tiny", base_url))
        started = time.monotonic()
        answer = answer_of(told(source, timeout=0.2))
        assert time.monotonic() - started < 0.2 + SLACK
        source.close()
    assert len(answer.suggestions) == 3
    assert answer.notices
    with warnings.catch_warnings():
        # httpcore lets go of a connection whose handshake is cancelled, and closes it only as garbage.
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.mark.parametrize("name", ["endless nothing", "endless nothing, only blocking", "blocks at once", "stubborn"])
def test_a_source_that_keeps_a_call_waiting(name: str, told: Told) -> None:
    """So it is with a source that never waits itself, blocks at once, or does not want to end."""
    started = time.monotonic()
    answer = answer_of(told(SOURCES[name](), timeout=0.2))
    assert time.monotonic() - started < 0.2 + SLACK
    assert len(answer.suggestions) == 3


@pytest.mark.parametrize(
    "name", ["silent", pytest.param("deck", marks=pytest.mark.full), pytest.param("surplus", marks=pytest.mark.full)]
)
def test_a_large_request(name: str, told: Told) -> None:
    """Nor does a request take longer that is as large as may be: it is answered, and in full."""
    started = time.monotonic()
    answer = answer_of(told(SOURCES[name](), huge(), timeout=TIMEOUT))
    assert time.monotonic() - started < TIMEOUT + SLACK + BUSY
    assert len(answer.suggestions) == 3
