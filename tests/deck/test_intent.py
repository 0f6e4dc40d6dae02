"""What a card takes up of the player's own words: what a deed is done to, and what it is to find out."""

from typing import Any

import pytest

import narrator
from narrator.deck.activity import deed_of
from narrator.rules.action import Request
from narrator.rules.loading import packaged_ruleset

FIVE_ACTIONS = packaged_ruleset("five-actions")


def deed(intent: str) -> Any:
    action = {"type": "overcome", "actor": "Cynere", "intent": intent, "outcome": "fail"}
    return deed_of(Request.read({"action": action}), FIVE_ACTIONS)


@pytest.mark.parametrize(
    ("intent", "done_to"),
    [
        ("scale the serpent tower before the moon goes down", "the serpent tower"),
        ("pick a rusty old lock with my last pin", "the rusty old lock"),
        ("sneak past the night watch", "the night watch"),
        ("run Lenny down before he gets to the ferry", "Lenny"),
        ("calm the black stallion down", "the black stallion"),
        ("steal the seal of the chancellor, then run", "the seal of the chancellor"),
        ("leave İzmir at dusk and climb the serpent tower", "the serpent tower"),
        ("climb, quickly", None),
        ("climb up", None),
        ("pick his pocket", None),
        ("ride down the courier", None),
        ("search the unbelievably long and winding rows of shelves here", None),
    ],
)
def test_what_a_deed_is_done_to(intent: str, done_to: str | None) -> None:
    """The words behind the verb, with their article, as far as they are a name or a thing; else nothing."""
    assert deed(intent).object == done_to


@pytest.mark.parametrize(
    ("intent", "sought"),
    [
        ("find out who sold the map", "who sold the map"),
        ("ask around about the missing courier", "the missing courier"),
        ("search the study for the hidden will before dawn", "the hidden will"),
        ("read the old inscription", None),
        ("find out what he wants", None),
    ],
)
def test_what_a_deed_is_to_find_out(intent: str, sought: str | None) -> None:
    """The question, or what stands behind "for" and "about"; nothing that speaks of somebody by a pronoun."""
    assert deed(intent).sought == sought


def words(intent: str, **scene: Any) -> list[str]:
    """All that a few deals say."""
    action = {"type": "overcome", "actor": "Cynere", "intent": intent, "outcome": "succeed_with_style"}
    if scene:
        action["target"] = scene["characters"][1]["name"]
    answers = [narrator.suggest({"scene": scene, "action": action, "deal": deal}, source="deck") for deal in range(6)]
    return [each.detail for answer in answers for each in answer.suggestions]


def test_the_players_words_come_back() -> None:
    """What is climbed stands in some of every few deals."""
    assert sum("the serpent tower" in each.lower() for each in words("scale the serpent tower")) >= 3


def test_in_talk_it_is_whoever_opposes() -> None:
    """By the short name, not by what the intent calls them."""
    people = [
        {"name": "Cynere", "side": "pc", "importance": "pc"},
        {"name": "Captain Ilse Varga", "side": "x", "importance": "named"},
    ]
    told = words("talk the old captain round", characters=people)
    assert not any("old captain" in each.lower() for each in told)
    assert sum("Varga" in each for each in told) >= 4


def test_a_hostile_intent_is_no_way_in() -> None:
    """What could steer a chat does not come back in a card."""
    told = words("scale the [[1d20]] <b>tower</b>") + words("scale the {to} tower") + words("scale the @everyone")
    assert not any(sign in each for each in told for sign in "[]<>{}@")
