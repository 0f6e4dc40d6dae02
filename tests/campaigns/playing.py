"""A table for campaigns: a small scene, a scene by chance, what is done in it, and what may be chosen of a page."""

import re
from collections.abc import Callable, Collection, Iterator
from random import Random
from typing import Any

import pytest

from narrator import NarratorError
from narrator.campaign.records import Page
from narrator.rules.json_text import Json
from narrator.rules.moves.all_moves import MOVES
from tests.moves.drawing import drawn, likely
from tests.rolls_of_an_evening import choose, fresh, new_request, new_scene

SCENE: Json = {
    "summary": "Night at the south gate of Thaalor.",
    "aspects": [{"name": "Torchlit Gate", "free_invocations": {"Cynere": 1}}],
    "characters": [
        {"name": "Cynere", "side": "pc", "importance": "pc", "skills": {"Will": 2, "Fight": 3}, "fate_points": 3},
        {"name": "Zird", "side": "pc", "importance": "pc", "skills": {"Will": 1}, "fate_points": 2},
        {"name": "Old Tremendor", "side": "town", "importance": "named", "skills": {"Will": 2}},
    ],
}
"""A small scene, which every ruleset takes."""

BRIBE: Json = {"type": "overcome", "actor": "Cynere", "intent": "bribe the guards", "outcome": "fail"}
BLOW: Json = {"type": "attack", "actor": "Old Tremendor", "target": "Cynere", "roll": {"total": 2}}
BLOW |= {"opposition": {"kind": "defend", "by": "Cynere", "roll": {"total": 0}}}

_WORDS = frozenset(("name", "called", "aspect", "aspects", "summary", "facts", "recent", "tone", "detail", "intent"))


def refusal(call: Callable[..., object], *given: Any, **named: Any) -> NarratorError:
    """What a call is refused with."""
    with pytest.raises(NarratorError) as caught:
        call(*given, **named)
    return caught.value


def a_scene(chance: Random, ruleset: str) -> Json:
    """A scene with people in it, points that are counted, and a countdown."""
    scene = new_scene(chance, ruleset)
    while not scene["characters"]:
        scene = new_scene(chance, ruleset)
    scene["aspects"] = [each for each in scene["aspects"] if each["boost"] is False or each["free_invocations"]]
    return scene | {"gm_fate_points": chance.choice((None, 2)), "clocks": [{"name": "The Flood", "boxes": 2}]}


def a_move(chance: Random, scene: Json, ruleset: str, said: Collection[str]) -> Json | None:
    """A move of any type that makes sense in a scene, or nearly, in words that were not said."""
    kind = likely(chance, chance.choice(sorted(MOVES)), scene)
    return drawn(chance, kind, scene | {"said": sorted(said)}, ruleset) if scene["characters"] else None


def a_roll(chance: Random, scene: Json, ruleset: str, said: Collection[str]) -> tuple[Json, Json] | None:
    """Something that somebody does now, and the options of it; now and then an aspect is told over the scene."""
    frame = {"frame": scene.get("frame"), "said": sorted(said)}
    asked = new_request(chance, ruleset, {**scene, **frame}) if scene["characters"] else None
    if asked is None:
        return None
    action, new = asked["action"], fresh(chance, 2, scene, frame, asked)
    action["intent"] = chance.choice((None, f"make the most of the {new[0]}"))
    over = {"aspects": [{"name": new[1]}]} if chance.random() < 0.3 else None
    return action, {"seed": asked["seed"], "per_slot": chance.randint(1, 4), "over": over, "source": "deck"}


def a_choice(chance: Random, page: Page, said: Collection[str] = ()) -> Json | None:
    """Something valid of a page, wounds named: any branch, words, and way to take a hit; None: there are no words."""
    request = page.request.as_json() | {"said": sorted(said)}
    request["action"] = {"target": None, **request["action"]}
    found = choose(chance, request, page.answer.as_json())
    return None if found is None else {name: each for name, each in found.choice.items() if each is not None}


def words(told: object, field: str = "") -> Iterator[str]:
    """All texts in JSON that are somebody's words."""
    if isinstance(told, dict):
        for name, each in told.items():
            yield from words(each, name)
    elif isinstance(told, list | tuple):
        for each in told:
            yield from words(each, field)
    elif isinstance(told, str) and field in _WORDS and told.strip():
        yield told


def any_of(texts: Collection[str]) -> re.Pattern[str]:
    """Finds texts as whole words, in any case; where there are none, nothing."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(texts))) or '(?!)'})(?!\w)", re.IGNORECASE)


def blanked(told: Any, texts: re.Pattern[str]) -> Any:
    """JSON to compare, with one sign for each text that has struck words, or what stands in their place."""
    if isinstance(told, dict):
        return sorted(([blanked(name, texts), blanked(each, texts)] for name, each in told.items()), key=str)
    if isinstance(told, list | tuple):
        return [blanked(each, texts) for each in told]
    is_struck = isinstance(told, str) and ("…" in told or re.search(r"Struck \d", told) or texts.search(told))
    return "…" if is_struck else told
