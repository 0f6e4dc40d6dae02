"""Where a call works: after a fork, in a process of its own, in threads, within a running loop; and how it all ends."""

import json
import os
from typing import Any

import pytest

from tests.asking import CYNERE
from tests.leaping import DEADLINE
from tests.scripted_server import Reply, ScriptedServer, Step, Wire
from tests.sources.asking import TEXT, printed_apart

STRICT = ("-X", "dev", "-W", "error")
"""So that Python says all that it has to say."""

OPENING = f"""
import asyncio, logging, os, sys, threading
import narrator, narrator.suggestions.time.portal
logging.getLogger("asyncio").addFilter(lambda record: "took" not in record.msg)
REQUEST = {CYNERE!r}
def by(answer):
    return sum(each.source == "openai:tiny" for each in answer.suggestions)
narrator.suggestions.time.portal._FAREWELL = {DEADLINE}
def ask(**more):
    return by(narrator.suggest(REQUEST, timeout={DEADLINE}, **more))
async def aask():
    *_, last = [event async for event in narrator.astream(REQUEST, timeout={DEADLINE})]
    return by(last.done)
def loops():
    return [each.name for each in threading.enumerate()].count("narrator-loop")
"""
"""
`ask` and `aask` count what the model of the environment wrote. In its development mode Python tells what took longer
than a tenth of a second, which on a busy machine anything may.
"""


def said(program: str, *steps: Step, flags: tuple[str, ...] = ()) -> tuple[list[Any], ScriptedServer]:
    """What a program prints, a line of JSON each, with a server that the environment names."""
    with ScriptedServer(*steps) as server:
        printed = printed_apart(server.base_url, *flags, "-c", OPENING + program)
    return [json.loads(line) for line in printed.splitlines()], server


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_after_a_fork() -> None:
    """A process that has called may fork: the child calls, and the parent goes on with its own connection."""
    found, server = said(
        """
print(ask(), flush=True)
child = os.fork()
if child == 0:
    print(ask(), asyncio.run(aask()) == 3 and 3, loops(), sep="\\n", flush=True)
    sys.exit()
print(os.waitpid(child, 0)[1], ask(), sep="\\n")
""",
        *[Reply(TEXT)] * 4,
    )
    assert found == [3, 3, 3, 1, 0, 3]
    assert server.connections == 3


@pytest.mark.full
def test_in_a_process_of_its_own() -> None:
    """A process that was not forked calls too, and its answer can be handed back."""
    found, _ = said(
        """
import multiprocessing
with multiprocessing.get_context("spawn").Pool(1) as pool:
    print(by(pool.apply(narrator.suggest, (REQUEST,), {"timeout": 600})))
    pool.close()
    pool.join()
""",
        Reply(TEXT),
    )
    assert found == [3]


def test_wherever_it_is_called() -> None:
    """It works within a running loop, in threads, and on many loops; it has one of its own for all."""
    found, _ = said(
        """
from concurrent.futures import ThreadPoolExecutor
def tell(*counts):
    print([*counts, loops()])
tell(by(narrator.suggest(REQUEST, source="deck")))
tell(ask())
async def notebook():
    return ask()
tell(asyncio.run(notebook()))
with ThreadPoolExecutor(6) as threads:
    tell(*threads.map(lambda _: ask(), range(6)))
    tell(*threads.map(lambda _: asyncio.run(aask()), range(6)))
""",
        *[Reply(TEXT)] * 14,
        flags=STRICT,
    )
    assert found == [[0, 0], [3, 1], [3, 1], [*[3] * 6, 1], [*[3] * 6, 1]]


LEFT = {
    "begun in a thread": """
threading.Thread(target=ask, daemon=True).start()
while not any(each.name == "narrator-loop" for each in threading.enumerate()): pass
""",
    "waiting in a thread": """
import time
threading.Thread(target=ask, daemon=True).start()
time.sleep(1.5)
""",
    "a stream that nobody reads on": """
events = narrator.stream(REQUEST)
next(events)
""",
    "a stream of a loop that is over": """
async def leave():
    events = narrator.astream(REQUEST)
    await anext(events)
    task = asyncio.create_task(anext(events))
    await asyncio.sleep(0.5)
asyncio.run(leave())
""",
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "waiting in a thread" else pytest.mark.full) for name in LEFT]
)
def test_a_call_that_hangs_when_its_process_ends(name: str) -> None:
    """It ends with it, without a word, though the server has not said anything."""
    said(LEFT[name], Wire.hang, flags=STRICT)
