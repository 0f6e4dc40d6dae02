"""How many resolves a second: a plain roll, and a battle with weight, zones and twenty characters.

Beside it stands, measured in the same run, what pydantic alone takes to read the request and to build the resolution:
nothing that answers in these models can be faster. Times are the best of several rounds, so that another process on
the machine disturbs little; the ratios are what to compare between machines.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import narrator
from narrator import Request, Resolution

ROUNDS = 7
SECONDS = 0.15
"""How long a round is meant to take."""

PLAIN: dict[str, Any] = {
    "action": {
        "type": "overcome",
        "actor": "Cynere",
        "skill": "Resources",
        "roll": {"dice": [1, 0, 0, 0]},
        "opposition": {"kind": "active", "by": "Gate Guards", "skill": "Will", "roll": {"dice": [1, 1, 1, 0]}},
    }
}


def battle() -> dict[str, Any]:
    """Twenty people of two sides in four zones, and an attack in style in which weight counts."""
    zones = ["Trees", "Clearing", "Ravine", "Lake"]
    people = [
        {
            "name": f"Fighter {number}",
            "side": "heroes" if number < 8 else "lizardmen",
            "importance": "named" if number % 5 == 0 else "nameless",
            "skills": {"Quick": number % 4, "Forceful": number % 3},
            "aspects": [f"Scar of Battle {number}"],
            "zone": zones[number % 2] if number < 8 else zones[number % 4],
        }
        for number in range(20)
    ]
    return {
        "ruleset": "war-of-ashes",
        "scene": {
            "frame": "conflict",
            "zones": [{"name": zone, "adjacent": zones, "aspects": [f"The {zone}"]} for zone in zones],
            "aspects": [{"name": f"The {zone}", "on": zone, "free_invocations": {"*": 1}} for zone in zones],
            "characters": people,
        },
        "action": {
            "type": "attack",
            "actor": "Fighter 0",
            "target": "Fighter 10",
            "skill": "Forceful",
            "maneuver": "charge",
            "attack": {"heavy_weapon": True},
            "roll": {"dice": [1, 1, 0, -1]},
            "invocations": [{"aspect": "The Trees", "pay": "free"}],
            "opposition": {"kind": "defend", "skill": "Quick", "roll": {"dice": [-1, 0, -1, 0]}},
        },
    }


def best(work: Callable[[], object]) -> float:
    """Measure the seconds that one go takes, in the best of the rounds."""
    started, goes = perf_counter(), 0
    while perf_counter() - started < SECONDS:
        work()
        goes += 1

    def round_of() -> float:
        started = perf_counter()
        for _ in range(goes):
            work()
        return (perf_counter() - started) / goes

    return min(round_of() for _ in range(ROUNDS))


def measure(request: dict[str, Any]) -> dict[str, float]:
    """Measure a resolve, and pydantic alone: the request read and the resolution built."""
    resolution = narrator.resolve(request).model_dump()

    def models_alone() -> None:
        Request.model_validate(request)
        Resolution.model_validate(resolution)

    return {"resolve": best(lambda: narrator.resolve(request)), "models alone": best(models_alone)}


def main() -> None:
    """Print the table."""
    print(f"{'':<34}{'resolves/s':>12}{'models/s':>12}{'ratio':>8}")
    for name, request in (("plain", PLAIN), ("weight, zones, twenty characters", battle())):
        seconds = measure(request)
        ratio = seconds["resolve"] / seconds["models alone"]
        print(f"{name:<34}{1 / seconds['resolve']:>12,.0f}{1 / seconds['models alone']:>12,.0f}{ratio:>7.1f}x")


if __name__ == "__main__":
    main()
