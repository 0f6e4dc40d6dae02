"""That `warm` and `awarm` do beforehand what a first call would, and that the clock of a call begins with it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import narrator
from narrator.rules.ruleset import Ruleset
from tests.asking import CLERK, GUARD, INK, Told
from tests.fake_sources import Scripted
from tests.leaping import DEADLINE, leap
from tests.scripted_server import Reply, ScriptedServer, suggestions

ROOT = Path(__file__).parents[2]
TEXT = suggestions(GUARD, INK, CLERK)

PROGRAM = """
import asyncio, concurrent.futures, json, os, sys
from tests.sources.late import REQUEST
import narrator

opened = []
def note(event, arguments):
    if event == "open" and is_warm:
        opened.append(str(arguments[0]))
is_warm = False
sys.addaudithook(note)

def suggest(**more):
    return narrator.suggest(REQUEST, **more)

async def asuggest(**more):
    *_, last = [event async for event in narrator.astream(REQUEST, **more)]
    return last.done

def told(answer):
    return answer.suggestions[0].source

async def ticking(task):
    ticks = 0
    while not task.done():
        await asyncio.sleep(0.005)
        ticks += 1
    await task
    return ticks

def main():
    global is_warm
    narrator.warm()
    before, is_warm = set(sys.modules), True
    return 0, before, told(suggest(source="deck")), told(suggest())

async def amain():
    global is_warm
    ticks = await ticking(asyncio.create_task(narrator.awarm()))
    before, is_warm = set(sys.modules), True
    return ticks, before, told(await asuggest(source="deck")), told(await asuggest())

ticks, before, *sources = main() if sys.argv[1] == "warm" else asyncio.run(amain())
is_warm = False
loaded = {name for name in set(sys.modules) - before if name.partition(".")[0] not in sys.stdlib_module_names}
# The user's config is read anew for each call, and a loop's own pool is not ours.
known = (os.environ["NARRATOR_CONFIG"], os.path.dirname(concurrent.futures.__file__))
opened = [name for name in opened if not name.startswith(known)]
print(json.dumps({"ticks": ticks, "sources": sources, "opened": opened, "loaded": sorted(loaded)}))
"""


@pytest.mark.parametrize("way", ["warm", "awarm"])
def test_nothing_is_left_for_the_first_call(way: str) -> None:
    """After it a first call, of the deck or a model, loads no module and reads no file; and nothing was sent for it."""
    with ScriptedServer(Reply(TEXT)) as server:
        environment = {**os.environ, "NARRATOR_MODEL": "tiny", "NARRATOR_BASE_URL": server.base_url}
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM, way],
            env=environment, cwd=ROOT, capture_output=True, text=True, timeout=DEADLINE, check=False,
        )  # fmt: skip
        assert ran.stderr == ""
        assert len(server.requests) == 1
    told = json.loads(ran.stdout)
    assert told["sources"] == ["deck", "openai:tiny"]
    assert (told["loaded"], told["opened"]) == ([], [])
    # Were the loop held up for what is loaded, there would be as many ticks as there are pauses: a handful.
    assert way == "warm" or told["ticks"] > 20


def test_the_clock_begins_with_the_call(told: Told, small: None) -> None:
    """What a call does before it asks is taken from the time that the source has."""

    def slow() -> Iterator[Ruleset]:
        leap(100)
        yield from ()

    source = Scripted([TEXT])
    told(source, rulesets=slow(), timeout=DEADLINE)
    assert source.seconds[0] <= DEADLINE - 100


def test_a_repair_has_what_is_left(told: Told, small: None) -> None:
    """The time that a source takes is taken from that of the next call."""
    told_slowly = Scripted(["{"], [TEXT])
    told(told_slowly, timeout=DEADLINE)
    first, second = told_slowly.seconds
    assert second < first


def test_warm_again() -> None:
    """It may be called as often as one likes, without a model too."""
    narrator.warm()
    narrator.warm()
