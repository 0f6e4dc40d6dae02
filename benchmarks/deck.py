"""How long dealing takes, the check aside. `python -m benchmarks.deck`."""

import statistics
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


def main() -> None:
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
    Console().print(table)


if __name__ == "__main__":
    main()
