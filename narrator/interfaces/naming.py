"""Names as they are typed: spelt as the rules and the scene have them, and those of whoever is new at the table."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from narrator.interfaces.typed import TypedAction, told
from narrator.rules.action import spelt_out
from narrator.rules.invoking import aspects_in_play
from narrator.rules.near import near
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import GM, Scene

NEW = "{who} is not in the scene: taken as somebody new, on side {side}."
"""What is said of somebody new."""


def as_named(typed: str, known: Iterable[str]) -> str:
    """Return the known name that was typed as one says it, with what follows an =; what is none, as it was typed."""
    same = {_folded(each): each for each in known} | {each: each for each in known}
    name, sign, how = typed.partition("=")
    return same.get(typed) or same.get(_folded(name), name) + sign + how


def person_named(typed: str, people: Iterable[str]) -> str:
    """Return the only name of a person that has the words that were typed, such as a first name; else `as_named`."""
    found = as_named(typed, people)
    shared = sharing(typed, people)
    return shared[0] if found not in people and len(shared) == 1 else found


def sharing(typed: str, people: Iterable[str]) -> list[str]:
    """List the names that have all the words of what was typed, as in "Guard" for several."""
    words = {*_folded(typed).split("_")}
    return [each for each in people if words <= {*_folded(each).split("_")}]


def _folded(name: str) -> str:
    words = re.split(r"[\s_-]+", name.strip().casefold())
    return spelt_out("_".join(word for word in words if word not in ("a", "an", "the")))


def spelt(typed: TypedAction, scene: Scene, ruleset: Ruleset) -> TypedAction:
    """Spell people, aspects, zones and the track as the scene has them, whatever case was typed."""
    people, aspects = [*(each.name for each in scene.characters), GM], [name for name, _ in aspects_in_play(scene)]
    known = dict.fromkeys(("actor", "target", "by", "helper"), people)
    known |= dict.fromkeys(("aspect", "hindering", "invoke", "invoke_against"), aspects)
    known["path"] = [each.name for each in scene.zones]
    known["track"] = [*ruleset.sheet.stress, *(name for each in scene.characters for name in each.stress or {})]
    spelling: dict[str, Any] = {}
    for field in known.keys() & told(typed).keys():
        said = getattr(typed, field)
        texts = [said] if isinstance(said, str) else re.split(r"\s*(?:->|→)\s*", "->".join(said))
        find = person_named if known[field] is people else as_named
        found = [find(text, known[field]) for text in texts]
        spelling[field] = found[0] if isinstance(said, str) else found
    return replace(typed, **spelling)


def newcomers(listed: list[dict[str, Any]], action: dict[str, Any], typed: TypedAction) -> dict[str, str]:
    """Name those who were typed and are not in a scene that lists people, each with a side: that of the actor for who
    helps, else another. A name near to a listed one is mistyped, and nobody new.
    """
    sides: dict[str, str] = {each["name"]: each["side"] for each in listed}
    names, actor = list(sides), action["actor"]
    facing = str(action.get("target") or (action.get("opposition") or {}).get("by"))
    players = "pc" if any("pc" in (each.get("importance"), each["side"]) for each in listed) else "opposition"
    for name in (typed.actor, typed.target, typed.by, *(typed.helper or ())) if listed else ():
        if name and name not in (GM, *sides) and not near(name, names) and not sharing(name, names):
            faced = sides.get(facing if name == actor else actor, players)
            other = "pc" if faced == "opposition" else "opposition"
            sides[name] = faced if name in (typed.helper or ()) else other
    return {name: side for name, side in sides.items() if name not in names}
