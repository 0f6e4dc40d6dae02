"""Checks a second, and how the time of a check grows with the length of the text."""

import json
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from timeit import repeat

from narrator.api.requests import find_ruleset
from narrator.language.lexicon import load
from narrator.language.text import Text
from narrator.rules.request.action import Request
from narrator.rules.resolve import resolver
from narrator.validation.checker import ENDLESS, check
from narrator.validation.contradiction import contradicts
from narrator.validation.judge import Judge
from narrator.validation.mechanics import stated_in
from narrator.validation.safety import unsafe
from narrator.validation.verdict import Candidate

EXAMPLE = Path(__file__).parent.parent / "examples" / "cynere.json"

GOOD = {
    "slot": "serious_cost",
    "form": "opposition_advantage",
    "to": "Gate Guards",
    "name": "Seen Her Face",
    "detail": "The older guard holds the torch a moment too long and knows her from the posters on the market wall.",
}

NASTY = {
    "dots": "a.b" * 40_000,
    "brackets": "[[" * 50_000,
    "ampersands": "&#x26;" * 17_000,
    "plain prose": "Cynere fails to see that the guard never leaves the gate. " * 1_800,
}


def _read(told: str) -> Candidate:
    return Candidate.model_validate(json.loads(told))


def seconds(call: Callable[[], object], number: int) -> float:
    """The best of five times of so many calls, for one call."""
    return min(repeat(call, number=number, repeat=5)) / number


def main() -> None:
    """Print the tables."""
    request = Request.read(EXAMPLE.read_text("utf-8"))
    ruleset = find_ruleset(request.ruleset)
    judge = Judge(resolver.rule(request, ruleset))
    longest = {**GOOD, "detail": ("Cynere fails to see that the guard never leaves. " * 9)[:280]}
    endless = {**GOOD, "detail": "x" * 100_000}
    print("checks a second, and how many times as long as reading the same candidate takes: JSON parsed, pydantic")
    for name, candidate in (("a typical accept", GOOD), ("a long detail", longest), ("100 kB of detail", endless)):
        told = json.dumps(candidate)
        bare = seconds(partial(_read, told), 500)
        took = seconds(partial(check, candidate, judge), 50)
        print(f"  {name:20} {1 / took:10,.0f} {took / bare:8,.0f}x")
    print(
        f"\ntime by length, each against a tenth of it (10 is linear); the check itself stops at {ENDLESS} characters"
    )
    lexicon = load("en")
    readers = {
        "unsafe": unsafe,
        "mechanics": lambda text: next(stated_in(Text(text, lexicon)), None),
        "outcome": lambda text: contradicts(Text(text, lexicon), judge.people, judge.intent, True),
        "lines": lambda text: judge.lines.crossed_by(Text(text, lexicon)),
    }
    for reader, read in readers.items():
        for name, text in NASTY.items():
            times = [seconds(partial(read, text[:length]), 2) for length in (100, 1_000, 10_000, 100_000)]
            growth = "  ".join(f"{longer / shorter:5.1f}" for shorter, longer in pairwise(times))
            print(f"  {reader:10} {name:14} {growth}   100 kB: {times[-1] * 1000:8.1f} ms")
    print(json.dumps({"accepted": check(GOOD, judge).accepted is not None}))


if __name__ == "__main__":
    main()
