"""The rolls that a scene is likely to see: what they want, and what cards cover of it."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import narrator
from narrator.api.requests import find_ruleset
from narrator.deck.deck_file import OwnCard
from narrator.deck_maker.likely_rolls import LikelyRolls
from narrator.rules.request.scene import Scene
from narrator.rules.ruleset.loader import packaged
from tests.staging.writer import SCENE, cards_for

ROLLS = LikelyRolls(Scene.read(SCENE), find_ruleset("five-actions"))
NAMED = {form: {"name": "x"} if spec.name else {} for form, spec in ROLLS.forms.items()}
WANTED = [{"form": form, "how_many": 2, **more} for form, more in NAMED.items()]
CARDS = [
    OwnCard.model_validate({name: told for name, told in each.items() if told is not None})
    for each in cards_for(WANTED)
]


@given(st.lists(st.sampled_from(range(len(CARDS))), unique=True), st.integers(0, len(CARDS) - 1))
def test_another_card_never_covers_less(chosen: list[int], more: int) -> None:
    """Coverage is a share, nothing without cards, and grows with them."""
    few = ROLLS.coverage([CARDS[each] for each in chosen])
    assert 0 <= few <= ROLLS.coverage([CARDS[each] for each in {*chosen, more}]) <= 1


def test_without_cards_nothing_is_covered() -> None:
    """And with two of every form nearly all."""
    assert ROLLS.coverage([]) == 0
    assert ROLLS.coverage(CARDS) > 0.95


@pytest.mark.parametrize("name", packaged())
@pytest.mark.parametrize("cards", [1, 7, 30, 200])
def test_as_many_cards_are_wanted_as_are_asked_for(name: str, cards: int) -> None:
    """Of forms that the ruleset has, and that somebody can word before it is known what is tried."""
    rolls = LikelyRolls(Scene.read(SCENE), find_ruleset(name))
    wanted = rolls.wanted(cards)
    assert wanted.total() == cards
    assert wanted.keys() <= rolls.forms.keys() - {"lesser_version", "false_information", "worsened_aspect"}


def test_what_is_covered_is_dealt() -> None:
    """Counted anew with rolls that are made here: who acts, what they do well, and each outcome, as people would type
    them; as often as coverage says, there is a card.
    """
    cards = [each for each in CARDS if each.form in ("new_opposition", "story_detail")]
    staged = {"id": "here", "cards": [each.as_json() for each in cards]}
    found = Counter[str]()
    for actor, skill in (("Cynere", "Stealth"), ("Cynere", "Fight"), ("Landon", "Rapport"), ("Landon", "Will")):
        for outcome, shifts in (("fail", -1), ("tie", 0), ("succeed_with_style", 3)):
            action = {"type": "overcome", "actor": actor, "skill": skill, "outcome": outcome, "shifts": shifts}
            asked = {"scene": SCENE | {"stage": "here"}, "action": action, "per_slot": 1}
            answer = narrator.suggest(asked, staged=staged, source="deck")
            found[outcome] += any(each.source == "stage" for each in answer.suggestions)
    assert found == {"fail": 4, "tie": 4, "succeed_with_style": 0}
    assert 0 < ROLLS.coverage(cards) < 1


def test_a_scene_with_nobody_in_it_has_rolls_too() -> None:
    """Whoever comes: then cards are for anything."""
    rolls = LikelyRolls(Scene(), find_ruleset("fate-core"))
    assert rolls.wanted(10).total() == 10


def test_the_scenes_of_the_trial_are_covered() -> None:
    """By what strong writers wrote for eight scenes, at rolls of the players, which others wrote."""
    folder = Path(__file__).parents[2] / "examples" / "eval" / "staged"
    slots = first = 0
    stages = {each["id"]: each for each in map(json.loads, (folder / "stages.jsonl").read_text("utf-8").splitlines())}
    for line in (folder / "requests.jsonl").read_text("utf-8").splitlines():
        request = json.loads(line)
        people = {each["name"]: each.get("importance") for each in request["scene"]["characters"]}
        if people[request["action"]["actor"]] != "pc":
            continue
        answer = narrator.suggest(request | {"per_slot": 3}, staged=stages[request["scene"]["stage"]], source="deck")
        had = Counter[str]()
        for each in answer.suggestions:
            had[each.slot] = max(had[each.slot], each.source == "stage")
        slots, first = slots + len(had), first + had.total()
    assert first / slots > 0.75
