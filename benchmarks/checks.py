"""Checks a second, and how the time of a check grows with the length of the text."""

import json
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from timeit import repeat

from narrator.api.reading import find_ruleset
from narrator.rules import resolving
from narrator.rules.action import Request
from narrator.validation.checking import ENDLESS, Standard, check
from narrator.validation.language import load
from narrator.validation.meaning import contradicts, states_mechanic
from narrator.validation.safety import unsafe

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


def seconds(call: Callable[[], object], number: int) -> float:
    """
    The best of five times of so many calls, for one call.
    """
    return min(repeat(call, number=number, repeat=5)) / number


def main() -> None:
    """
    Print the tables.
    """
    request = Request.read(EXAMPLE.read_text("utf-8"))
    ruleset = find_ruleset(request.ruleset)
    standard = Standard(request, resolving.resolve(request, ruleset), ruleset)
    longest = {**GOOD, "detail": ("Cynere fails to see that the guard never leaves. " * 9)[:280]}
    endless = {**GOOD, "detail": "x" * 100_000}
    print("checks a second")
    for name, candidate in (("a typical accept", GOOD), ("a long detail", longest), ("100 kB of detail", endless)):
        print(f"  {name:20} {1 / seconds(partial(check, candidate, standard), 50):10,.0f}")
    print(
        f"\ntime by length, each against a tenth of it (10 is linear); the check itself stops at {ENDLESS} characters"
    )
    lexicon = load("en")
    assert lexicon is not None, "English is complete"
    readers = {
        "unsafe": unsafe,
        "mechanics": lambda text: states_mechanic(text, lexicon),
        "outcome": lambda text: contradicts(text, "Cynere", True, lexicon, intent="get in"),
    }
    for reader, read in readers.items():
        for name, text in NASTY.items():
            times = [seconds(partial(read, text[:length]), 2) for length in (100, 1_000, 10_000, 100_000)]
            growth = "  ".join(f"{longer / shorter:5.1f}" for shorter, longer in pairwise(times))
            print(f"  {reader:10} {name:14} {growth}   100 kB: {times[-1] * 1000:8.1f} ms")
    print(json.dumps({"accepted": check(GOOD, standard).accepted is not None}))


if __name__ == "__main__":
    main()
