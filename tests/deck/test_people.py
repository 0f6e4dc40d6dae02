"""What people are called in a sentence: short names, number, pronouns."""

from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

import narrator
from narrator import NarratorError
from narrator.deck.people import person, short_name
from narrator.rules.scene import Character, Importance

NOUNS = frozenset(("guard", "troll", "bouncer", "storm", "captain", "wolf"))


def character(name: str, importance: str = "named", **more: Any) -> Character:
    return Character.read({"name": name, "side": "x", "importance": importance, **more})


@pytest.mark.parametrize(
    ("name", "importance", "short"),
    [
        ("Cynere", "pc", "Cynere"),
        ("Captain Ilse Varga", "named", "Varga"),
        ("Lady Ottoline d'Aubray-Vesse", "pc", "Ottoline"),
        ("Jack Brannigan", "pc", "Jack"),
        ("Ashoka's Daughter", "pc", "Ashoka's Daughter"),
        ("Nurse Kit Fairweather", "pc", "Fairweather"),
        ("Ssk't the Fuel Broker", "nameless", "Ssk't"),
        ("Iron Tooth", "named", "Iron Tooth"),
        ("Old Maren", "named", "Old Maren"),
        ("Watch Captain", "named", "Watch Captain"),
        ("Harbour Admiral", "named", "Harbour Admiral"),
        ("Maria del Carmen Ruiz", "pc", "Maria del Carmen Ruiz"),
        ("Kim Beaumont-Okafor III", "pc", "Kim Beaumont-Okafor III"),
        ("Dr. Okafor", "named", "Okafor"),
        ("Sir Aldric of the Marsh", "pc", "Aldric"),
        ("Og the Barbarian", "pc", "Og"),
        ("Mother Agnes", "named", "Agnes"),
        ("Bettina, Thief of Thieves", "pc", "Bettina"),
        ('Jonas "Rat" Kell', "pc", "Rat"),
        ("Mara (the Younger)", "pc", "Mara"),
        ("Jean-Luc d'Arc", "pc", "Jean-Luc"),
        ("Guard #2", "nameless", "Guard 2"),
        ("Captain of the Watch", "nameless", "Captain of the Watch"),
        ("Captain", "named", "Captain"),
        ("The Lantern Boys", "pc", "The Lantern Boys"),
        ("李小龙", "pc", "李小龙"),
        ("***", "pc", "***"),
    ],
)
def test_a_name_is_said_short(name: str, importance: str, short: str) -> None:
    """Titles, epithets and signs fall away, as far as that leaves a name; who has none of their own keeps it whole."""
    assert short_name(character(name, importance), NOUNS) == short


PARTS = (
    "the",
    "A",
    "Captain",
    "Lady",
    "Dr.",
    "of",
    "'s",
    "Og",
    "guards",
    "***",
    ",",
    "(",
    "-",
    "“",
    "”",
    " ",
    "\t",
    "\u200b",
)


@given(
    st.text(min_size=1, max_size=30) | st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map(" ".join),
    st.sampled_from(get_args(Importance)),
    st.booleans(),
)
def test_every_name_can_be_said(name: str, importance: Importance, is_english: bool) -> None:
    """Blanks, signs, titles and nothing else: whatever is a name, somebody is called something by it."""
    assert person(Character(name=name, side="x", importance=importance), NOUNS, is_english=is_english).called


@pytest.mark.parametrize(
    "name", [" ", "\t\n", "***", "Dr.", "the", "Captain Lady", "of the", ",", "“”", "\u200b", "'s", "A"]
)
def test_the_deck_has_words_for_an_odd_name(name: str) -> None:
    """Whoever acts, there are three suggestions."""
    action = {"type": "overcome", "actor": name, "opposition": {"kind": "passive", "rating": 9}, "roll": {"total": 0}}
    assert len(narrator.suggest({"action": action}, source="deck").suggestions) == 3


def test_what_somebody_is_called_goes_first() -> None:
    """`called` is taken as it is told."""
    assert person(character("Captain Ilse Varga", called="the Captain"), NOUNS).called == "the Captain"


@pytest.mark.parametrize(
    ("told", "called", "is_plural"),
    [
        ({"name": "Cynere", "importance": "pc"}, "Cynere", False),
        ({"name": "Gate Guards", "importance": "nameless"}, "the Gate Guards", True),
        ({"name": "Gate Guards", "importance": "nameless", "group": False}, "the Gate Guards", False),
        ({"name": "The Reavers", "importance": "pc", "group": True}, "the Reavers", True),
        ({"name": "Reavers", "importance": "pc", "group": True}, "the Reavers", True),
        ({"name": "Rats in the Walls", "importance": "swarm"}, "the Rats in the Walls", True),
        ({"name": "Watchmen", "importance": "nameless"}, "the Watchmen", True),
        ({"name": "Cave Troll", "importance": "nameless"}, "the Cave Troll", False),
        ({"name": "Ross", "importance": "nameless"}, "Ross", False),
        ({"name": "Boris", "importance": "nameless"}, "Boris", False),
        ({"name": "James", "importance": "pc"}, "James", False),
        ({"name": "A Wolf", "importance": "nameless"}, "the Wolf", False),
    ],
)
def test_number_and_article(told: dict[str, Any], called: str, is_plural: bool) -> None:
    """Groups have plural verbs and an article, a nameless kind of person or beast an article, names none."""
    found = person(character(**told), NOUNS)
    assert (found.called, found.is_plural) == (called, is_plural)


@pytest.mark.parametrize(
    ("told", "pronouns"),
    [
        (None, None),
        ("she/her", ("she", "her", "her")),
        ("he/him", ("he", "him", "his")),
        ("They / Them", ("they", "them", "their")),
        ("she/they", ("she", "her", "her")),
        ("ae/aer/aers", ("ae", "aer", "aers")),
        ("ae/aer", None),
    ],
)
def test_pronouns_are_those_told(told: str | None, pronouns: tuple[str, str, str] | None) -> None:
    """Those told, whole; where they are not known whole, none are used."""
    assert person(character("Cynere", "pc", pronouns=told), NOUNS).pronouns == pronouns


@pytest.mark.parametrize("told", ["", "/", "she/", "she//her", "a/b/c/d/e", "she" * 7])
def test_what_are_no_pronouns_is_refused(told: str) -> None:
    """With an example of what would be right."""
    with pytest.raises(NarratorError, match="slashes between them, such as she/her") as refused:
        character("Cynere", pronouns=told)
    assert (refused.value.code, refused.value.field) == ("bad_request", "pronouns")


def test_a_group_is_they() -> None:
    """Where nothing is told, a group has the pronouns of several."""
    assert person(character("Reavers", group=True), NOUNS).pronouns == ("they", "them", "their")
