"""The wait after the dice in a staged scene, beside the deck's and that of a model which takes two seconds.

The server is a process of this machine; the cards are written beforehand, as many as a scene has. Also how long the
cards take to be judged, and to be counted. `python -m benchmarks.staging`.
"""

import statistics
import time
from collections.abc import Callable

import narrator
from tests.scripted_server import ScriptedServer, Wire
from tests.staging.writer import SCENE, SNEAK, writes

ROLLS, TAKES = 20, 2.0


def main() -> None:
    """Measure, and print the table."""
    with ScriptedServer(writes, *[slowly] * ROLLS) as server:
        source = narrator.openai_model("tiny", base_url=server.base_url)
        started = time.perf_counter()
        made = narrator.stage(SCENE, source=source)
        print(f"{len(made.cards)} cards written at once, judged and counted in {time.perf_counter() - started:.1f} s")
        scene = {**SCENE, "stage": made.id}

        def request(deal: int) -> dict[str, object]:
            return {"scene": scene, "action": SNEAK, "deal": deal}

        narrator.warm()
        deck = _median(lambda deal: narrator.suggest(request(deal), source="deck"))
        staged = _median(lambda deal: narrator.suggest(request(deal), staged=made, source=source))
        model = _median(lambda deal: narrator.suggest(request(deal), source=source, repairs=0), 3)
        asked = len(server.requests) - 1
    print(f"{'after the dice':<40}{'median':>10}{'of the deck':>14}")
    for name, found in (("the deck", deck), ("staged, a model named", staged), ("that model, two seconds", model)):
        print(f"{name:<40}{found * 1000:>7.1f} ms{found / deck:>13.1f}x")
    print(f"the model was asked {asked} times, all of them without a stage")


def _median(call: Callable[[int], object], rolls: int = ROLLS) -> float:
    waits = []
    for deal in range(rolls):
        started = time.perf_counter()
        call(deal)
        waits.append(time.perf_counter() - started)
    return statistics.median(waits)


def slowly(wire: Wire) -> None:
    """Take as long as a model, and say nothing."""
    wire.wait(TAKES)
    wire.head()
    wire.done()


if __name__ == "__main__":
    main()
