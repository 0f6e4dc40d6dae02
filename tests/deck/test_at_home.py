"""Cards that are about somebody or some place: dealt first where the scene speaks of them."""

from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.deck.fitting import OWN_CARD

SCENE: dict[str, Any] = {"summary": "Low tide at the Drowned Quarter, by the third stair."}
ACTION = {"type": "overcome", "actor": "Cynere", "intent": "persuade the clerk to look away", "outcome": "fail"}
CARDS = """
[[cards]]
form = "new_opposition"
activities = ["talk"]
about = ["the Drowned Quarter"]
name = "Boat Without a Rower"
detail = "A boat comes in between the chimneys with nobody at its oars."

[[cards]]
form = "consequence"
about = ["Saint Orla", "Drowned Quarter"]
name = "The Bell in Both Ears"
detail = "The drowned bell rings, and it does not stop in the ears of {actor}."

[[cards]]
form = "opposition_advantage"
about = ["The Drowned Quarter"]
name = "Lamps on Every Roof"
detail = "A lamp is lit on each of the roofs, one after another."

[[cards]]
form = "consequence"
activities = ["climb"]
about = ["Drowned Quarter"]
name = "Slate Through the Palm"
detail = "A tarred slate breaks off and goes through the palm."
"""
FIRST = {"Boat Without a Rower", "The Bell in Both Ears", "Lamps on Every Roof"}


@pytest.fixture
def decks(tmp_path: Path) -> list[narrator.DeckFile]:
    """Four cards about the Drowned Quarter, of which one is for another deed."""
    file = tmp_path / "greywater.toml"
    file.write_text(CARDS, "utf-8")
    return [narrator.load_deck(file)]


def names(decks: list[narrator.DeckFile], deal: int = 0, **scene: Any) -> set[str | None]:
    """What is dealt of the first slot."""
    request = {"scene": scene, "action": ACTION, "deal": deal}
    return {each.name for each in narrator.suggest(request, source="deck", decks=decks).suggestions}


@pytest.mark.parametrize("deal", range(12))
def test_they_are_dealt_before_all_others_where_the_scene_speaks_of_them(
    deal: int, decks: list[narrator.DeckFile]
) -> None:
    """Whichever deal it is, and never for what is not done."""
    assert names(decks, deal, **SCENE) == FIRST


@pytest.mark.parametrize(
    "scene",
    [
        {"aspects": [{"name": "Drowned Quarter at Low Tide"}]},
        {"zones": [{"name": "The Drowned Quarter", "adjacent": []}]},
        {
            "characters": [
                {"name": "Cynere", "importance": "pc", "side": "pc"},
                {"name": "Warden of the Drowned Quarter", "side": "x"},
            ]
        },
        {"summary": "DROWNED QUARTER: night"},
    ],
)
def test_a_scene_speaks_of_them_in_any_of_its_texts(scene: dict[str, Any], decks: list[narrator.DeckFile]) -> None:
    """In capitals, too; with an article or without."""
    assert names(decks, **scene) >= {"Lamps on Every Roof"}
    assert len(names(decks, **scene) & FIRST) == 3


def test_elsewhere_they_are_cards_like_others(decks: list[narrator.DeckFile]) -> None:
    """Where the scene speaks of something else, or only a fact does: seldom all of them, and not always one."""
    for scene in ({"summary": "A quarter past ten, at the drowned mill."}, {"facts": ["The Drowned Quarter sank."]}):
        assert [deal for deal in range(12) if names(decks, deal, **scene) == FIRST] == []


def test_what_was_dealt_makes_room_for_others(decks: list[narrator.DeckFile]) -> None:
    """In an evening whose scene is handed on: first these, each once, and then what comes with narrator."""
    first = narrator.suggest({"scene": SCENE, "action": ACTION}, source="deck", decks=decks)
    after = narrator.suggest({"scene": {**SCENE, "dealt": first.dealt}, "action": ACTION}, source="deck", decks=decks)
    assert {each.name for each in first.suggestions} == FIRST
    assert not any((each.card or "").startswith(OWN_CARD) for each in after.suggestions)
