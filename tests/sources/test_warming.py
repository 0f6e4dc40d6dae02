"""That `warm` and `awarm` do beforehand what a first call would, and that the clock of a call begins with it."""

import json
from collections.abc import Iterator

import pytest

from narrator.rules.ruleset.ruleset import Ruleset
from tests.asking import Told
from tests.fake_sources import Scripted
from tests.leaping import DEADLINE, leap
from tests.scripted_server import Reply, ScriptedServer
from tests.sources.asking import TEXT, printed_apart

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

async def asuggest(**more):
    *_, last = [event async for event in narrator.astream(REQUEST, **more)]
    return last.done

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
    return 0, before, narrator.suggest(REQUEST, source="deck"), narrator.suggest(REQUEST)

async def amain():
    global is_warm
    ticks = await ticking(asyncio.create_task(narrator.awarm()))
    before, is_warm = set(sys.modules), True
    return ticks, before, await asuggest(source="deck"), await asuggest()

ticks, before, *answers = main() if sys.argv[1] == "warm" else asyncio.run(amain())
is_warm = False
loaded = {name for name in set(sys.modules) - before if name.partition(".")[0] not in sys.stdlib_module_names}
# The user's config is read anew for each call, and a loop's own pool is not ours.
known = (os.environ["NARRATOR_CONFIG"], os.path.dirname(concurrent.futures.__file__))
opened = [name for name in opened if not name.startswith(known)]
sources = [answer.suggestions[0].source for answer in answers]
print(json.dumps({"ticks": ticks, "sources": sources, "opened": opened, "loaded": sorted(loaded)}))
"""


@pytest.mark.parametrize("way", ["warm", "awarm"])
def test_nothing_is_left_for_the_first_call(way: str) -> None:
    """After it a first call, of the deck or a model, loads no module and reads no file; and nothing was sent for it."""
    with ScriptedServer(Reply(TEXT)) as server:
        told = json.loads(printed_apart(server.base_url, "-c", PROGRAM, way))
        assert len(server.requests) == 1
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
