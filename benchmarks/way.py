"""What a warm `suggest` from the deck goes through: modules, stack, what is done how often. `python -m benchmarks.way`.

Counted are calls of functions in narrator's own files; comprehensions are no calls in every Python, and left out.
"""

import io
import os
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

import narrator
from benchmarks._apart import REQUEST
from narrator import vtt
from narrator.cli.commands import app
from narrator.language.lexicon import load

EXAMPLE = Path(__file__).parents[1] / "examples" / "cynere.json"
TYPED = ("overcome", "--actor", "Cynere", "--skill", "Resources=1", "--against", "2", "--dice", "+ 0 0 0")

PACKAGE = f"{Path(narrator.__file__).parent}{os.sep}"
VERDICT = {("validation/checker.py", "check")}
# By what is done: the file that does it, with each name that its entry may have there.
WORKS = {
    "rules resolve": {("rules/resolve/resolver.py", "resolve"), ("rules/resolve/resolver.py", "rule")},
    "a cast is made": {("rules/resolve/cast.py", "cast_of")},
    "a verdict is made": VERDICT,
}
TOLD = ("modules", "deepest stack", "stack at the first verdict", "calls before it", "a request is validated", *WORKS)


class Way:
    """Follows the calls of a thread: `sys.setprofile` takes it."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        """By file in the package, and name."""
        self.validations: Counter[str] = Counter()
        """How often pydantic called each class method of `Request`."""
        self.deepest = 0
        self.at_verdict: tuple[int, int] | None = None
        """How many frames stood around the first verdict, and how many calls came before it."""
        self._depth = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Take in what happened."""
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE) or (code.co_name[0] == "<" and code.co_name != "<lambda>"):
            return
        if event == "return":
            self._depth -= 1
        elif event == "call":
            place = (code.co_filename[len(PACKAGE) :], code.co_name)
            if place in VERDICT and self.at_verdict is None:
                self.at_verdict = (self._depth, self.calls.total())
            self.calls[place] += 1
            self._depth += 1
            self.deepest = max(self.deepest, self._depth)
            # A request is read by validators of its class, and it is pydantic that calls them.
            is_by_us = frame.f_back is not None and frame.f_back.f_code.co_filename.startswith(PACKAGE)
            if frame.f_locals.get("cls") is narrator.Request and not is_by_us:
                self.validations[code.co_name] += 1

    def column(self) -> list[int]:
        """Give the numbers in their order in the table."""
        works = (sum(self.calls[place] for place in places) for places in WORKS.values())
        validated = max(self.validations.values(), default=0)
        return [len({file for file, _ in self.calls}), self.deepest, *(self.at_verdict or (0, 0)), validated, *works]


def measure(call: Callable[[], object]) -> list[int]:
    """Make a call, and follow it when it is made again: then nothing is left to be imported."""
    way = Way()
    with redirect_stdout(io.StringIO()):
        call()
        before = load.cache_info()
        sys.setprofile(way)
        call()
        sys.setprofile(None)
    after = load.cache_info()
    return [*way.column(), after.hits + after.misses - before.hits - before.misses]


def main() -> None:
    """Follow each way to a suggestion, and print the table."""
    ways: dict[str, Callable[[], object]] = {
        "suggest": partial(narrator.suggest, REQUEST, source="deck"),
        "vtt.run": partial(vtt.run, {"call": "suggest", "request": REQUEST}),
        "narrator suggest FILE": partial(app, ["suggest", str(EXAMPLE)], standalone_mode=False),
        "the same, typed": partial(app, ["suggest", *TYPED, "--seed", "7"], standalone_mode=False),
    }
    with TemporaryDirectory() as empty, patch.dict(os.environ, {"NARRATOR_CONFIG": empty, "NARRATOR_MODEL": "deck"}):
        columns = [measure(call) for call in ways.values()]
    table = Table("of narrator, in one warm call", *ways)
    for name, *counts in zip((*TOLD, "a lexicon is asked for"), *columns, strict=True):
        table.add_row(name, *(f"{each:,}" for each in counts))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
