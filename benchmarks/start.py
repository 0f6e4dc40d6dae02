"""How long a first call takes, in a process each, beside pydantic with one model. `python -m benchmarks.start`."""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROUNDS = 15

EXAMPLE = Path(__file__).parents[1] / "examples" / "cynere.json"
PROGRAMS: dict[str, tuple[str, float | None]] = {
    "pydantic, one small model": (
        "from pydantic import BaseModel\nclass Named(BaseModel):\n    name: str\nNamed(name='Cynere')",
        None,
    ),
    "resolve": ("import narrator; narrator.resolve(TOLD)", 1.75),
    "suggest from the deck": ("import narrator; narrator.suggest(TOLD, source='deck')", 2.7),
    "narrator --help": ("import sys; sys.argv = ['narrator', '--help']\nimport narrator.__main__", 1.75),
}
"""By name: what a process does, and how many times the first it may take."""


def main() -> None:
    """Measure in turn, and print a table; the first round only writes the bytecode that an installed package has."""
    told = f"TOLD = {EXAMPLE.read_text('utf-8')!r}\n"
    seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for number in range(ROUNDS + 1):
        for name, (program, _) in PROGRAMS.items():
            taken = _seconds(told + program)
            if number:
                seconds[name].append(taken)
    table = Table("cold, a process each", "median ms", "fastest ms", "times the first", "aim")
    first, *_ = (statistics.median(each) for each in seconds.values())
    for name, (_, aim) in PROGRAMS.items():
        median = statistics.median(seconds[name])
        reached = "" if aim is None else f"{aim:g}: {'reached' if median / first <= aim else 'missed'}"
        table.add_row(name, f"{median * 1e3:.0f}", f"{min(seconds[name]) * 1e3:.0f}", f"{median / first:.2f}", reached)
    Console().print(table)


def _seconds(program: str) -> float:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
