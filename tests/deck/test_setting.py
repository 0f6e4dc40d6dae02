"""What the deck makes of a scene: its kind of story, what is so there, and what its things are called."""

from importlib.resources import files
from random import Random
from typing import Any, get_args

import pytest

from narrator.deck.setting import PLAIN, nature_of, scene_words, setting_of, story
from narrator.rules.action import Request
from narrator.rules.card import STORIES, THINGS, Condition, StoryKind
from narrator.rules.scene import Character


def setting(scene: dict[str, Any], intent: str = "") -> Any:
    action = {"type": "overcome", "actor": "Cynere", "intent": intent, "outcome": "fail"}
    return setting_of(Request.read({"scene": scene, "action": action}))


def test_every_file_is_a_kind_of_story() -> None:
    """None lies there unread."""
    folder = files("narrator.deck") / "stories"
    assert {each.name for each in folder.iterdir()} == {f"{kind}.toml" for kind in STORIES}


@pytest.mark.parametrize("kind", STORIES)
def test_every_kind_of_story_has_every_thing(kind: StoryKind) -> None:
    """Eight words or more for each, none twice, in small letters."""
    things = story(kind).things
    assert set(things) == set(THINGS)
    assert [thing for thing, words in things.items() if len(set(words)) != len(words) or len(words) < 8] == []
    assert [word for words in things.values() for word in words if word != word.lower()] == []


@pytest.mark.parametrize(
    ("scene", "kind"),
    [
        ({"tone": "Noir, San Francisco 1947"}, "noir"),
        ({"tone": "sword and sorcery"}, "swords"),
        ({"tone": "space opera", "summary": "A tavern with a dragon's skull."}, "space"),
        ({"summary": "The starship's airlock."}, "space"),
        ({"summary": "The stagecoach stands before the saloon; the sheriff is asleep."}, "western"),
        ({"aspects": [{"name": "Frigate off the Lee Shore"}]}, "sea"),
        ({}, PLAIN),
        ({"tone": "whimsical", "summary": "Somewhere."}, PLAIN),
    ],
)
def test_the_kind_of_story(scene: dict[str, Any], kind: str) -> None:
    """By its tone, else by what stands in it, else none."""
    assert setting(scene).story == kind


def test_the_scene_has_its_own_words() -> None:
    """What a scene names is called so; what it does not name is of its kind of story."""
    found = setting({"tone": "noir", "summary": "A ledger lies open."}, "slip past the bouncers")
    assert {found.word("book", Random(seed)) for seed in range(20)} == {"ledger"}
    assert {found.word("guard", Random(seed)) for seed in range(20)} == {"bouncer"}
    assert found.word("light", Random(1)) in story("noir").things["light"]


def test_a_name_of_ones_own_is_no_thing() -> None:
    """Captain Wolf brings no wolf, and a hero called Ledger no ledger."""
    found = setting({"characters": [{"name": "Cynere Ledger", "side": "pc", "importance": "pc"}]})
    assert "book" not in found.said


@pytest.mark.parametrize(
    ("summary", "there", "not_there"),
    [
        ("A crowded market street at night.", {"people", "town", "dark"}, {"wild"}),
        ("An abandoned tomb in the desert.", {"wild"}, {"people"}),
        ("A tomb, and the guards that robbed it.", {"people"}, set()),
        ("A cliff above the river.", {"height", "water", "outdoors"}, {"indoors"}),
    ],
)
def test_what_is_so_in_a_scene(summary: str, there: set[Condition], not_there: set[Condition]) -> None:
    """Read off its words; others are about unless it is a lonely place."""
    found = setting({"summary": summary}).conditions
    assert there <= found
    assert not not_there & found


@pytest.mark.parametrize(
    ("name", "importance", "nature"),
    [
        ("Gate Guards", "nameless", "person"),
        ("Grey Wolves", "nameless", "beast"),
        ("The Grey Wolf", "named", "beast"),
        ("Captain Wolf", "named", "person"),
        ("Wolf", "pc", "person"),
        ("Security System", "nameless", "thing"),
        ("The Storm", "unknown", "thing"),
    ],
)
def test_what_somebody_is(name: str, importance: Any, nature: str) -> None:
    """A beast or a thing by the noun in its name; who has a name of their own is a person."""
    assert nature_of(Character(name=name, side="x", importance=importance)) == nature


def test_every_condition_is_shown_by_words() -> None:
    """What a card can ask for can be so; and that nobody is about."""
    assert scene_words().needs.keys() == {*get_args(Condition), "nobody"}
