"""What it costs to find words before the dice have fallen, and what it saves after them.

The server is a process of this machine that takes two seconds for every answer and says as much as is wanted. Asked
beforehand for every row that is likely enough, or afterwards for the one that fell: the wait after the dice, the calls,
what was sent, in characters, and what came back, in bytes. Where an example tells what was rolled, its faces are
thrown anew. `python -m benchmarks.preparing`.
"""

import json
import random
import statistics
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import narrator
from narrator.sources.kinds.openai import OpenAICompatible
from narrator.sources.settings import Settings
from tests.scripted_server import Reply, ScriptedServer, Wire, suggestions

EXAMPLES = Path(__file__).parents[1] / "examples" / "eval"
REQUESTS, TAKES, THRESHOLDS = 12, 2.0, (0.0, 0.1, 0.25)
THINGS = ("bell", "rope", "lantern", "coin", "ledger", "boot", "cart", "dog", "gate", "key", "letter", "map", "net")
DEEDS = ("falls", "rings", "burns", "tears", "drips", "creaks", "slips", "rolls", "shuts", "sinks", "sways", "snaps")


def main() -> None:
    """Measure, and print the table."""
    chance = random.Random(14)  # noqa: S311
    print(f"{'':<28}{'after the dice':>15}{'calls after':>12}{'sent':>8}{'said':>8}   (median: characters, bytes)")
    for threshold in (None, *THRESHOLDS):
        waits, calls, sent, said = [], [], [], []
        for request in _requests():
            with ScriptedServer(*[_answer] * 3) as server:
                source = OpenAICompatible(Settings("tiny", server.base_url))
                prepared = None
                if threshold is not None:
                    prepared = narrator.prepare(request, threshold, source=source, repairs=0)
                asked_before = len(server.requests)
                action = {**request["action"], "roll": {"dice": [chance.choice((-1, 0, 1)) for _ in range(4)]}}
                started = time.perf_counter()
                narrator.suggest({**request, "action": action}, source=source, prepared=prepared, repairs=0)
                waits.append(time.perf_counter() - started)
                calls.append(len(server.requests) - asked_before)
                sent.append(sum(len(each["content"]) for one in server.requests for each in one.body["messages"]))
                said.append(sum(one.sent for one in server.requests))
                source.close()
        name = "asked afterwards" if threshold is None else f"prepared, rows of {threshold:.0%} or more"
        found = (
            f"{statistics.median(waits):.3f} s",
            sum(calls),
            *(int(statistics.median(each)) for each in (sent, said)),
        )
        print(f"{name:<28}{found[0]:>15}{found[1]:>12}{found[2]:>8}{found[3]:>8}")


def _requests() -> Iterator[dict[str, Any]]:
    """The first of the examples that dice decide, each by nothing but the seed."""
    found = 0
    for file in sorted(EXAMPLES.glob("*.json")):
        request: dict[str, Any] = json.loads(file.read_text("utf-8"))
        request["action"].pop("roll", None)
        if found < REQUESTS and "outcome" not in request["action"] and request["action"].get("opposition"):
            found += 1
            yield {**request, "seed": found}


def _answer(wire: Wire) -> None:
    """Take the time, and say as much as the prompt wants."""
    wire.wait(TAKES)
    data = json.loads(wire.received.body["messages"][-1]["content"].rsplit("\n\n", 1)[-1])
    words, told = _words(), []
    for wanted in data["wanted"]:
        for form in wanted["forms"][: wanted["how_many"]]:
            name, detail = next(words)
            named = name if form.get("name") else None
            told.append({"slot": wanted["slot"], "form": form["form"], "to": (form.get("to") or [None])[0]})
            told[-1] |= {"name": named, "detail": detail}
    Reply(suggestions(*told))(wire)


def _words() -> Iterator[tuple[str, str]]:
    for number in count():
        thing, deed = THINGS[number % len(THINGS)], DEEDS[number % len(DEEDS)]
        yield f"{thing.title()} on the Sill", f"The {thing} {deed}, and everybody in the yard looks up at once."


if __name__ == "__main__":
    main()
