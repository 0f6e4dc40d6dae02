"""Typed names: spells them as rules and scene do, and finds newcomers and rulesets."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, TypeVar

from narrator import config
from narrator.api import requests
from narrator.cli.option_groups import TypedAction, TypedChoice
from narrator.rules.json_text import Json
from narrator.rules.request.action import USUAL_RULESET, spelt_out
from narrator.rules.request.scene import GM, Scene
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.ruleset.declarations import ActionSpec
from narrator.rules.ruleset.row import FAIL
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.typo import near

Group = TypeVar("Group", TypedAction, TypedChoice)

NEW = "{who} is not in the scene yet: added on side {side}."
"""The note about a newcomer."""

_ARROW = re.compile(r"\s*(?:->|→)\s*")


def as_named(typed: str, known: Iterable[str]) -> str:
    """Return the known name that was meant, with the text after an =; else return the typed text."""
    same = {_folded(each): each for each in known} | {each: each for each in known}
    name, sign, how = typed.partition("=")
    return same.get(typed) or same.get(_folded(name), name) + sign + how


def person_named(typed: str, known: Iterable[str]) -> str:
    """Return the only person whose name has the typed words, such as a first name; else as `as_named` does."""
    found = as_named(typed, known)
    shared = sharing(typed, known)
    return shared[0] if found not in known and len(shared) == 1 else found


def sharing(typed: str, people: Iterable[str]) -> list[str]:
    """List the names that have all typed words: "Guard" may match several."""
    words = _words(typed)
    return [each for each in people if words and words <= _words(each)]


def _words(name: str) -> set[str]:
    return {*re.split(r"[\W_]+", _folded(name))} - {""}


def _folded(name: str) -> str:
    words = re.split(r"[\s_-]+", name.strip().casefold())
    return spelt_out("_".join(word for word in words if word not in ("a", "an", "the")))


def known(scene: Scene, ruleset: Ruleset, spec: ActionSpec | None) -> dict[str, list[str]]:
    """List the names that may be typed, by kind, from scene, ruleset and action."""
    return {
        "people": [*(each.name for each in scene.characters), GM],
        "aspects": [name for name, _ in aspects_in_play(scene)],
        "zones": [each.name for each in scene.zones],
        "tracks": [*ruleset.sheet.stress, *(name for each in scene.characters for name in each.stress or {})],
        "variants": [each.name for each in spec.variants] if spec is not None else [],
        "maneuvers": [*ruleset.maneuvers],
        "outcomes": [FAIL, *ruleset.outcomes],
    }


def as_known(typed: Group, names: Mapping[str, Sequence[str]]) -> Group:
    """Spell typed names as they are known, in any case. A list may be typed with arrows."""
    spelling: dict[str, Any] = {}
    for each in fields(typed):
        said, kind = getattr(typed, each.name), each.metadata["spelt"]
        if said is None or kind not in names:
            continue
        find = partial(person_named if kind == "people" else as_named, known=names[kind])
        if isinstance(said, str):
            spelling[each.name] = find(said)
        else:
            spelling[each.name] = [find(text) for text in _ARROW.split("->".join(said))]
    return replace(typed, **spelling)


def newcomers(
    listed: list[dict[str, Any]], action: dict[str, Any], typed: TypedAction, away: Sequence[str]
) -> dict[str, str]:
    """Name the typed people who are not in the scene, each with a side. A helper has the actor's side, others the other
    side. A name close to a listed one is a slip, not a newcomer.
    """
    sides: dict[str, str] = {each["name"]: each["side"] for each in listed}
    names, actor = list(sides), action["actor"]
    facing = str(action.get("target") or (action.get("opposition") or {}).get("by"))
    players = "pc" if any("pc" in (each.get("importance"), each["side"]) for each in listed) else "opposition"
    for name in (typed.actor, typed.target, typed.by, *(typed.helper or ())):
        if name and name not in (GM, *sides, *away) and not near(name, names) and not sharing(name, names):
            faced = sides.get(facing if name == actor else actor, players)
            other = "pc" if faced == "opposition" else "opposition"
            sides[name] = faced if name in (typed.helper or ()) else other
    return {name: side for name, side in sides.items() if name not in names}


def played_by(named: str | None, request: Json, kept: str | None) -> tuple[Ruleset, str | None]:
    """Find the typed ruleset, else that of the request, which may be in the file `kept` beside it.

    Returns:
        The ruleset, and its file, if any.
    """
    if named is not None:
        return ruleset_of(named), os.path.abspath(named) if named.endswith(".toml") else None
    loaded = () if kept is None else (config.load_ruleset(kept),)
    return requests.find_ruleset(request.get("ruleset") or USUAL_RULESET, loaded), kept


def ruleset_of(name: str) -> Ruleset:
    """Return the ruleset of `--ruleset`, by file or name."""
    if name.endswith(".toml"):
        return config.load_ruleset(name)
    return requests.find_ruleset(as_named(name, requests.rulesets()))
