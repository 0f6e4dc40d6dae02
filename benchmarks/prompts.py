"""How long prompts are: an evening's forty rolls over a campaign of two hundred facts. `python -m benchmarks.prompts`.

Beside it those of the sixty example requests, and what a prompt would be that told the whole scene.
"""

import json
import statistics
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from narrator.api import pipeline_run
from tests.campaign import evening

EXAMPLES = Path(__file__).parents[1] / "examples" / "eval"
OF_A_TOKEN = 3.7
"""Characters, as the tokenizer of a small model (SmolLM2) cuts these prompts; a large one makes fewer tokens."""


def main() -> None:
    """Measure, and print the table."""
    table = Table("prompts", "", "least", "median", "most", title="An evening's forty rolls over two hundred facts")
    campaign = [*evening()]
    examples = [json.loads(file.read_text("utf-8")) for file in sorted(EXAMPLES.glob("*.json"))]
    _add(table, "the evening's", campaign)
    _add(table, "the examples'", examples)
    scenes = [len(json.dumps(each["scene"])) for each in campaign]
    table.add_row("the evening's scenes, whole", "characters", *_spread(scenes))
    table.add_row("", "tokens, about", *_spread([size / OF_A_TOKEN for size in scenes]))
    Console(width=110).print(table)


def _add(table: Table, name: str, requests: Iterable[dict[str, Any]]) -> None:
    sizes, milliseconds = [], []
    for request in requests:
        brief = pipeline_run.first_brief(request)
        assert brief is not None, "words are wanted"
        before = time.perf_counter()
        sizes.append(sum(len(content) for _, content in brief.messages))
        milliseconds.append((time.perf_counter() - before) * 1_000)
    table.add_row(f"{name} ({len(sizes)})", "characters", *_spread(sizes))
    table.add_row("", "tokens, about", *_spread([size / OF_A_TOKEN for size in sizes]))
    table.add_row("", "ms to word one", *(f"{each:.1f}" for each in _three(milliseconds)))


def _spread(values: Iterable[float]) -> tuple[str, ...]:
    return tuple(f"{value:,.0f}" for value in _three(values))


def _three(values: Iterable[float]) -> tuple[float, float, float]:
    ordered = sorted(values)
    return ordered[0], statistics.median(ordered), ordered[-1]


if __name__ == "__main__":
    main()
