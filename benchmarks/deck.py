"""How long dealing takes, the check aside, and what the cards add to a cold start. `python -m benchmarks.deck`."""

import statistics
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

import narrator
from narrator.deck.dealing import Deck
from narrator.rules.action import Request
from narrator.rules.loading import packaged_ruleset

ROUNDS = 15
AIM = 5.0
"""Milliseconds of a warm deal."""

EXAMPLES = Path(__file__).parents[1] / "examples"
PROGRAMS = {
    "import and resolve": "import narrator; narrator.resolve(TOLD)",
    "the same, and deal": (
        "import narrator; from narrator.deck.dealing import Deck; from narrator.rules.action import Request\n"
        "from narrator.rules.loading import packaged_ruleset\n"
        "asked = Request.read(TOLD); slot, *_ = narrator.resolve(TOLD).slots()\n"
        "next(Deck().deal(slot, asked, packaged_ruleset(asked.ruleset), 0))"
    ),
    "the same, and check: suggest": "import narrator; narrator.suggest(TOLD, source='deck')",
}


def main() -> None:
    """Measure, and print two tables."""
    console = Console()
    console.print(_warm())
    console.print(_cold())


def _warm() -> Table:
    """Each request of the examples, dealt again and again: the order made, and as many cards filled as are wanted."""
    files = sorted((EXAMPLES / "eval").glob("*.json"))
    requests = [Request.read(file.read_text("utf-8")) for file in files]
    deck, seconds = Deck(), list[float]()
    for number in range(ROUNDS + 1):
        for request in requests:
            slots = narrator.resolve(request).slots()
            start = time.perf_counter()
            for slot in slots:
                dealt = deck.deal(slot, request, packaged_ruleset(request.ruleset), number)
                for match in islice(dealt, request.per_slot):
                    _ = match.candidate
            if number:
                seconds.append((time.perf_counter() - start) / len(slots))
    table = Table("warm", "median ms a slot", "p95 ms", f"aim: {AIM:g} ms")
    p95 = statistics.quantiles(seconds, n=20)[-1]
    median = statistics.median(seconds)
    table.add_row("deal", f"{median * 1e3:.2f}", f"{p95 * 1e3:.2f}", "reached" if median * 1e3 < AIM else "missed")
    return table


def _cold() -> Table:
    """A fresh process each: how much longer it takes with the cards."""
    told = f"TOLD = {(EXAMPLES / 'cynere.json').read_text('utf-8')!r}\n"
    times: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(ROUNDS):
        for name, program in PROGRAMS.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", told + program], check=True)  # noqa: S603
            times[name].append(time.perf_counter() - start)
    table = Table("cold, a process each", "median ms", "times the first")
    first = statistics.median(times["import and resolve"])
    for name, seconds in times.items():
        median = statistics.median(seconds)
        table.add_row(name, f"{median * 1e3:.0f}", f"{median / first:.2f}")
    return table


if __name__ == "__main__":
    main()
