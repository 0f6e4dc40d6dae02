"""Asks for the cards of one scene: the wanted forms, and the prompt, which contains no roll."""

from collections.abc import Sequence
from typing import Any

from narrator.deck.deck_file import OwnCard
from narrator.deck_maker.likely_rolls import LikelyRolls
from narrator.deck_maker.plan import CardPrompt, card_schema, some_of, wanted_form
from narrator.resources import prompt_part
from narrator.rules.resolve.without_roll import request_for, without_roll
from narrator.rules.ruleset.card import FAMILIES
from narrator.suggestions.prompt.messages import scene_data
from narrator.suggestions.prompt.relevance import Relevance, fitting, json_line, present

BEST = 3
"""How many of a player's character's best skills are told."""

ROOM = 4
"""The room for the scene, in multiples of that for a roll."""

SAID = 5_000
"""The most characters of earlier cards in a prompt."""


def scene_prompt(rolls: LikelyRolls, cards: int, there: Sequence[OwnCard]) -> CardPrompt:
    """Ask for so many cards, in addition to those there."""
    request = request_for(rolls.scene, "situation_aspect", None, ruleset=rolls.ruleset.name, per_slot=1, deal=0)
    scene = scene_data(rolls.scene, Relevance(without_roll(request, rolls.ruleset)), ROOM)
    sheets = {each.name: each for each in rolls.scene.characters}
    players = []
    for told in [each for each in scene.get("characters", ()) if sheets[each["name"]].importance == "pc"]:
        scene["characters"].remove(told)
        skills = sheets[told["name"]].skills or {}
        best = sorted(skills, key=lambda skill: -skills[skill])[:BEST]
        players.append(present({**told, "side": None, "good_at": best}))
    wanted, levels = rolls.wanted(cards), rolls.ruleset.sheet.levels
    data: dict[str, Any] = {
        "scene": scene,
        "players": players,
        "wanted": [wanted_form(form, rolls.forms[form], number, levels) for form, number in wanted.items()],
        "already_said": fitting((f"{each.name or ''} {each.detail}".strip() for each in reversed(there)), SAID),
    }
    said = ("user", json_line(present(data)))
    forms = {form: rolls.forms[form] for form in wanted}
    schema = card_schema(forms, levels, {"activities": some_of(FAMILIES)})
    return CardPrompt((("system", prompt_part("stage").text), said), schema)
