"""What the deck takes from a scene: what its own words say, and nothing that they do not."""

from typing import Any, get_args

import pytest

from narrator.deck.context import SceneText, nature_of, scene_words
from narrator.rules.request.scene import Character
from narrator.rules.ruleset.card import THINGS, Condition, Nature
from tests.deck.decks import roll


def said(scene: dict[str, Any], intent: str = "") -> SceneText:
    return SceneText(roll(scene=scene, intent=intent))


def somebody(name: str, importance: str = "nameless", **more: Any) -> dict[str, Any]:
    return {"name": name, "side": "x", "importance": importance, **more}


def test_every_thing_and_condition_is_shown_by_words() -> None:
    """In the singular and in small letters: what a card can ask for can be so."""
    page = scene_words()
    assert set(page.said) == set(THINGS)
    assert set(page.needs) == set(get_args(Condition))
    assert set(page.nature) == set(get_args(Nature))
    words = {word for each in (*page.said.values(), *page.needs.values(), *page.nature.values()) for word in each}
    assert not [word for word in words if word != word.casefold()], "scene.toml has words in small letters alone"


@pytest.mark.parametrize(
    "told",
    [
        {"summary": "A ledger lies open."},
        {"aspects": [{"name": "Ledgers Everywhere"}]},
        {"zones": [{"name": "The Ledger Room", "adjacent": []}]},
        {"zones": [{"name": "Attic", "adjacent": [], "aspects": ["One Ledger Too Many"]}]},
        {"characters": [somebody("Cynere", "pc"), somebody("Ledger Keeper")]},
    ],
    ids=["summary", "aspect", "zone", "aspect of a zone", "nameless one"],
)
def test_a_thing_is_put_in_by_the_scenes_own_word(told: dict[str, Any]) -> None:
    """Wherever it stands, in the singular or not."""
    assert said(told).things["book"] == ("ledger",)


def test_the_intent_speaks_of_things_too() -> None:
    """By the word that it has, and by the plural of it where a card wants several."""
    found = said({}, "slip past the bouncer")
    assert (found.things["guard"], found.things["guards"]) == (("bouncer",), ("bouncers",))


@pytest.mark.parametrize(
    "scene",
    [
        {},
        {"tone": "noir, with pistols and whisky"},
        {"facts": ["The ledger burnt long ago."], "recent": ["A lamp falls."]},
        {"characters": [somebody("Cynere Ledger", "pc"), somebody("Captain Lamp", "named")]},
    ],
    ids=["nothing", "tone", "facts", "names of their own"],
)
def test_what_is_not_said_to_be_there_is_not(scene: dict[str, Any]) -> None:
    """No kind of story has things of its own, a fact may be of elsewhere, and a name is a name."""
    found = said(scene)
    assert (found.things, found.conditions) == ({}, frozenset())


@pytest.mark.parametrize(
    ("summary", "there"),
    [
        ("A crowded market street at night.", {"people", "town", "outdoors", "dark"}),
        ("A tomb, and the guards that robbed it.", {"people", "indoors", "dark"}),
        ("An abandoned ship of the desert.", {"wild", "outdoors", "water"}),
        ("Somewhere.", set()),
    ],
)
def test_what_is_so_in_a_scene(summary: str, there: set[Condition]) -> None:
    """Read off its words, one by one, and never inferred."""
    assert said({"summary": summary}).conditions == there


@pytest.mark.parametrize(
    ("told", "nature"),
    [
        (somebody("Gate Guards"), "person"), (somebody("Grey Wolves"), "beast"),
        (somebody("The Grey Wolf", "named"), "beast"), (somebody("Captain Wolf", "named"), "person"),
        (somebody("Wolf", "pc"), "person"), (somebody("Rex", "pc", aspects=["Faithful Hound"]), "beast"),
        (somebody("Security System"), "thing"), (somebody("Wolf of the North Watch"), "beast"),
        (somebody("The Grinning Tooth"), None), (somebody("The Grinning Tooth", aspects=["Old Witch"]), "person"),
        (somebody("The Grinning Tooth", called="the storm"), "thing"),
        (somebody("The Grinning Tooth", pronouns="she/her"), "person"),
        (somebody("The Grinning Tooth", pronouns="it/its"), None),
    ],
)  # fmt: skip
def test_what_somebody_is(told: dict[str, Any], nature: str | None) -> None:
    """By the noun in their name, or in their first aspect; a name of one's own is a person's; else nobody knows."""
    assert nature_of(Character.read(told)) == nature
