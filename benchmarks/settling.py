"""How many applies a second: one suggestion in a plain scene, and the same in scenes with ever more people and lines.

Beside it stands, measured in the same run, what pydantic alone takes to read request and choice and to build the next
scene; the ratios are what to compare between machines. A crowd ten times as large should take ten times as long.
"""

from typing import Any

import narrator
from benchmarks.rules import PLAIN, best
from narrator import Choice, Request, Scene

CHOICE: dict[str, Any] = {
    "branch": "serious_cost",
    "suggestions": [
        {
            "slot": "serious_cost",
            "form": "opposition_advantage",
            "to": "Gate Guards",
            "name": "Seen Her Face",
            "detail": "The older guard holds the torch a moment too long and knows her from the posters on the wall.",
        }
    ],
}


def crowd(people: int) -> dict[str, Any]:
    """The plain request in a scene with so many people and aspects, and twice as many lines and veils."""
    actor, guards = (PLAIN["action"][whose] for whose in ("actor", "opposition"))
    others = [
        {
            "name": f"Bystander {number}",
            "side": "crowd",
            "skills": {"Will": 1},
            "aspects": [f"Grudge of Bystander {number}"],
        }
        for number in range(people - 2)
    ]
    listed = [{"name": actor, "side": "pc", "importance": "pc"}, {"name": guards["by"], "side": "watch"}, *others]
    names = [each["name"] for each in listed]
    return {
        **PLAIN,
        "scene": {
            "characters": listed,
            "aspects": [{"name": f"Debt {name}", "on": name, "free_invocations": {name: 1}} for name in names[:-2]],
            "facts": [f"{name} is here." for name in names],
            "lines": [f"the secret of {name}" for name in names],
            "veils": [f"the fate of {name}" for name in names],
        },
    }


def measure(request: dict[str, Any]) -> dict[str, float]:
    """Measure a resolve, an apply, and pydantic alone: request and choice read, and the scene built."""
    scene = narrator.apply(request, CHOICE).model_dump()

    def models_alone() -> None:
        Request.model_validate(request)
        Choice.model_validate(CHOICE)
        Scene.model_validate(scene)

    return {
        "resolve": best(lambda: narrator.resolve(request)),
        "apply": best(lambda: narrator.apply(request, CHOICE)),
        "models alone": best(models_alone),
    }


def main() -> None:
    """Print the table."""
    print(f"{'':<34}{'resolves/s':>12}{'applies/s':>12}{'models/s':>12}{'ratio':>8}")
    crowds = {f"{people} people, {2 * people} lines": crowd(people) for people in (5, 50, 500)}
    for name, request in {"plain": PLAIN, **crowds}.items():
        seconds = measure(request)
        ratio = seconds["apply"] / seconds["models alone"]
        print(f"{name:<34}" + "".join(f"{1 / each:>12,.0f}" for each in seconds.values()) + f"{ratio:>7.1f}x")


if __name__ == "__main__":
    main()
