"""Requests for every row of every packaged ruleset, with several casts: what tests of whole tables go through."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from narrator.rules.json_text import Json
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from narrator.rules.ruleset.row import FAIL

DIFFICULTY = 2

INTENT = "get through the door before anybody comes"

PATH = ("Gatehouse", "South Road", "Tundra Plain")
"""Moving along it is as difficult as all else here."""


@dataclass(frozen=True)
class Company:
    """Who is at the table: the actor, who opposes, and what the scene says of people."""

    actor: str = "Cynere"
    opponent: str | None = "Gate Guards"
    listed: tuple[tuple[str, str], ...] = field(default=())  # name and side
    aspect: str = "Locked Iron Door"  # what an action may be about

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody's name."""
        return tuple(dict.fromkeys(filter(None, [self.actor, self.opponent, *(name for name, _ in self.listed)])))

    def scene(self, **more: Any) -> Json:
        """The scene with these people."""
        people = [{"name": name, "side": side, "importance": "pc"} for name, side in self.listed]
        zones = [{"name": name, "adjacent": PATH} for name in PATH]
        return {"characters": people, "zones": zones, **more}


COMPANIES = {
    "nobody listed": Company(),
    "nobody opposes": Company(opponent=None),
    "one and many": Company(listed=(("Cynere", "pc"), ("Gate Guards", "opposition"))),
    "the GM alone": Company(opponent=None, listed=(("Cynere", "pc"), ("Landon", "pc"))),
    "many on both sides": Company(
        actor="Landon",
        opponent="Watch Captain",
        listed=(("Cynere", "pc"), ("Landon", "pc"), ("Gate Guards", "x"), ("Watch Captain", "x"), ("A Wolf", "y")),
    ),
    "a crowd acts": Company("The Lantern Boys", "Mother Agnes", (("The Lantern Boys", "pc"), ("Mother Agnes", "x"))),
    "odd names": Company('O\'Neil "Two-Knives"', "St. Elmo's Sisters", aspect='Mr. Ash\'s "Small" Favour'),
    "letters beyond ASCII": Company("Жанна д'Арк", "李小龙", (("Жанна д'Арк", "pc"), ("李小龙", "x"), ("Þórr", "x"))),
    "names in small letters": Company("lady in grey", "rats", (("lady in grey", "a"), ("rats", "b"))),
}


@dataclass(frozen=True)
class Asking:
    """One row of a table, by what leads to it."""

    ruleset: str
    action: str
    variant: str | None
    maneuver: str | None
    outcome: str

    def __str__(self) -> str:
        """What a test calls it."""
        return " ".join(filter(None, [self.ruleset, self.action, self.variant, self.maneuver, self.outcome]))

    def requests(self, cast: Company, **more: Any) -> Iterator[Json]:
        """Every way to come to it: whatever opposes, with an aspect named and without, failed by one and by three."""
        needs = packaged_ruleset(self.ruleset).actions[self.action].variant(self.variant).needs
        for against in self._oppositions(cast):
            for aspect in (cast.aspect,) if "aspect" in needs else (None, cast.aspect):
                for shifts in self._shifts():
                    for frame in (None, "challenge") if self.outcome == FAIL and self.action != "attack" else (None,):
                        roll = {"total": DIFFICULTY + shifts}
                        names = {"type": self.action, "variant": self.variant, "maneuver": self.maneuver}
                        action = {**names, "actor": cast.actor, "aspect": aspect, "roll": roll, **against}
                        action |= {"intent": INTENT, "attack": {"heavy_weapon": True}}
                        if "path" in needs:
                            action["path"] = PATH
                        is_in_play = "aspect" in needs or against["opposition"]["kind"] == "aspects"
                        scene = cast.scene(frame=frame, aspects=[{"name": cast.aspect}] if is_in_play else [])
                        yield {"ruleset": self.ruleset, "scene": scene, "action": action, **more}

    def _shifts(self) -> tuple[int, ...]:
        if self.outcome == FAIL:
            return (-1, -3)
        return (packaged_ruleset(self.ruleset).least(self.outcome),)

    def _oppositions(self, cast: Company) -> Iterator[Json]:
        tables = packaged_ruleset(self.ruleset)
        spec = tables.actions[self.action]
        own = tables.maneuvers[self.maneuver].opposition if self.maneuver else None
        anyhow = own or spec.variant(self.variant).opposition or spec.opposition
        for kind in anyhow or ():
            yield _against(kind, cast)
        if not own and spec.variant(self.variant).opposition is None:
            for kind in spec.opposition_on_target or ():
                yield {"target": cast.opponent or "GM", **_against(kind, cast)}


def _against(kind: str, cast: Company) -> Json:
    """The opposition of a kind, such that the difficulty is the same for all."""
    match kind:
        case "active" | "defend":
            told: Json = {"by": cast.opponent, "roll": {"total": DIFFICULTY}}
        case "aspects":
            told = {"hindering": [cast.aspect]}
        case "movement":
            told = {}
        case "unseen_zone":
            told = {"base": DIFFICULTY}
        case _:
            told = {"rating": DIFFICULTY}
    return {"opposition": {"kind": kind, **told}}


def _rows() -> Iterator[Asking]:
    for name in packaged():
        tables = packaged_ruleset(name)
        for action, spec in tables.actions.items():
            for outcome in (FAIL, *tables.outcomes):
                yield from (Asking(name, action, variant, None, outcome) for variant in spec.all_variants)
                yield from (
                    Asking(name, action, spec.all_variants[0], maneuver, outcome)
                    for maneuver, declared in tables.maneuvers.items()
                    if declared.action == action
                )


ROWS = tuple(_rows())
