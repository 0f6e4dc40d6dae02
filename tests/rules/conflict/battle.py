"""What the tests of advanced conflict share: requests of War of Ashes in few words, and the people of its examples."""

from typing import Any

from narrator.rules.json_text import Json
from tests.documents import ATTACKS_IN
from tests.rules.build import ask

RULESET = "war-of-ashes"
OTHERS = [name for name in ATTACKS_IN if name != RULESET]
FIGHTING = [name for name in ATTACKS_IN if ATTACKS_IN[name]]
"""The rulesets that one may attack in."""


def hero(name: str, **more: Any) -> Json:
    """A player's character with a sheet."""
    return {"name": name, "side": "pc", "importance": "pc", **more}


def foe(name: str, **more: Any) -> Json:
    """Somebody nameless on the other side."""
    return {"name": name, "side": "opposition", **more}


def foes(name: str, number: int, **more: Any) -> list[Json]:
    """So many of a kind, by number."""
    return [foe(f"{name} {place}", **more) for place in range(1, number + 1)]


def zone(name: str, *adjacent: str, aspects: tuple[str, ...] = ()) -> Json:
    """A zone, those it touches, and its aspects."""
    return {"name": name, "adjacent": list(adjacent), "aspects": list(aspects)}


def battle(scene: Json | None = None, /, **action: Any) -> Json:
    """Make a request of War of Ashes: Ann overcomes, told a total of 1, but for what is given."""
    return ask(scene, request={"ruleset": RULESET}, **action)


def defends(dice: list[int] | None = None, **more: Any) -> Json:
    """A defend, with these dice."""
    return {"kind": "defend", "roll": {"dice": dice or [0, 0, 0, 0]}, **more}
