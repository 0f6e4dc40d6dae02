"""A table on which an example is played line by line: what is said there, and what stands in the scene then."""

from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json


def pc(name: str, /, points: int | None = 3, **sheet: Any) -> Json:
    """A player's character: three fate points and a refresh of three where nothing else is told."""
    return {"name": name, "side": "pc", "importance": "pc", "fate_points": points, "refresh": 3, **sheet}


def npc(name: str, /, importance: str = "named", **sheet: Any) -> Json:
    """One of the GM's characters, on the side of the opposition."""
    return {"name": name, "side": "opposition", "importance": importance, **sheet}


def hurt(severity: str, name: str, /, **more: Any) -> Json:
    """A consequence that somebody bears."""
    return {"severity": severity, "name": name, **more}


class Evening:
    """The scene as it stands, and what the last thing said changed in it."""

    def __init__(self, ruleset: str, /, *people: Json, **scene: Any) -> None:
        """Begin with these people in a scene of these fields."""
        self.ruleset = ruleset
        self.scene: Json = {"characters": list(people), **scene}
        self.changes: list[Json] = []

    def move(self, move: str, /, **fields: Any) -> "Evening":
        """Make a move; `from_` is its field `from`."""
        told = {"type": move, **{name.removesuffix("_"): value for name, value in fields.items()}}
        return self._taken(narrator.move(self.scene, told, self.ruleset))

    def refusal(self, move: str, /, **fields: Any) -> str:
        """Make a move that must be refused, and give the code."""
        with pytest.raises(NarratorError) as caught:
            self.move(move, **fields)
        return str(caught.value.as_json()["error"]["code"])

    def roll(self, choice: Json, /, **action: Any) -> "Evening":
        """Roll an action of these fields, and enter this choice of what it came to."""
        return self._taken(narrator.settle({"ruleset": self.ruleset, "scene": self.scene, "action": action}, choice))

    def attack(self, actor: str, target: str, shifts: int, /, track: str | None = None, **choice: Any) -> "Evening":
        """Hit for this many shifts in all, and take it as `absorb` or `taken_out` tell; `invocations` are in them."""
        invoked = choice.pop("invocations", [])
        return self.roll(
            {"branch": "hit", **choice},
            type="attack",
            actor=actor,
            target=target,
            attack={"track": track} if track else None,
            roll={"total": shifts - 2 * len(invoked)},
            invocations=invoked,
            opposition={"kind": "defend", "by": target, "roll": {"total": 0}},
        )

    def who(self, name: str, /) -> Json:
        """The character of this name, there or away."""
        return next(each for each in [*self.scene["characters"], *self.scene.get("away", ())] if each["name"] == name)

    def points(self, *names: str) -> list[int | None]:
        """The fate points of each of these that may be spent now; `GM` has the pool."""
        return [self.scene.get("gm_fate_points") if n == "GM" else self.who(n).get("fate_points") for n in names]

    def owed(self, *names: str) -> list[int]:
        """The fate points that each of these will have later; what the `GM` carries to another scene."""
        return [self.scene.get("gm_carried", 0) if n == "GM" else self.who(n).get("fate_points_owed", 0) for n in names]

    def marked(self, name: str, /, track: str = "physical") -> list[int]:
        """The boxes of a track that are marked."""
        return list(self.who(name).get("stress", {}).get(track, {}).get("marked", ()))

    def wounds(self, name: str, /) -> dict[str, int | None]:
        """What somebody bears, and how many ends of its period are to come; None: untreated."""
        return {
            each["name"]: each.get("recovering") for each in self.who(name).get("consequences", ()) if each.get("name")
        }

    def aspects(self) -> set[str]:
        """The names of what stands in the scene, boosts too."""
        return {each["name"] for each in self.scene.get("aspects", ())}

    def told(self, kind: str, /) -> list[Json]:
        """What the last thing said changed of this kind."""
        return [each for each in self.changes if each["type"] == kind]

    def _taken(self, settled: Any) -> "Evening":
        self.scene = settled.scene.as_json()
        self.changes = [each.as_json() for each in settled.changes]
        return self
