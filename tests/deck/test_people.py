"""What people are called in a sentence: short names, number, pronouns."""

from typing import Any, get_args

import pytest
from hypothesis import given, strategies as st

import narrator
from narrator import NarratorError
from narrator.deck.grammar import person, short_name
from narrator.rules.request.scene import Character, Importance
from narrator.validation.safety import unsafe

NOUNS = frozenset(("guard", "troll", "bouncer", "storm", "captain", "wolf"))


def character(name: str, importance: str = "named", **more: Any) -> Character:
    return Character.read({"name": name, "side": "x", "importance": importance, **more})


@pytest.mark.parametrize(
    ("name", "importance", "short"),
    [
        ("Cynere", "pc", "Cynere"), ("Captain Ilse Varga", "named", "Varga"),
        ("Lady Ottoline d'Aubray-Vesse", "pc", "Ottoline"), ("Jack Brannigan", "pc", "Jack"),
        ("Ashoka's Daughter", "pc", "Ashoka's Daughter"), ("Nurse Kit Fairweather", "pc", "Fairweather"),
        ("Ssk't the Fuel Broker", "nameless", "Ssk't"), ("Iron Tooth", "named", "Iron Tooth"),
        ("Old Maren", "named", "Old Maren"), ("Watch Captain", "named", "Watch Captain"),
        ("Harbour Admiral", "named", "Harbour Admiral"), ("Maria del Carmen Ruiz", "pc", "Maria del Carmen Ruiz"),
        ("Kim Beaumont-Okafor III", "pc", "Kim Beaumont-Okafor III"), ("Dr. Okafor", "named", "Okafor"),
        ("Sir Aldric of the Marsh", "pc", "Aldric"), ("Og the Barbarian", "pc", "Og"),
        ("Mother Agnes", "named", "Agnes"), ("Bettina, Thief of Thieves", "pc", "Bettina"),
        ('Jonas "Rat" Kell', "pc", "Rat"), ("Mara (the Younger)", "pc", "Mara"),
        ("Jean-Luc d'Arc", "pc", "Jean-Luc"), ("Guard #2", "nameless", "Guard 2"),
        ("Captain of the Watch", "nameless", "Captain of the Watch"), ("Captain", "named", "Captain"),
        ("The Lantern Boys", "pc", "The Lantern Boys"), ("李小龙", "pc", "李小龙"), ("***", "pc", "***"),
    ],
)  # fmt: skip
def test_a_name_is_said_short(name: str, importance: str, short: str) -> None:
    """Titles, epithets and signs fall away, as far as that leaves a name; who has none of their own keeps it whole."""
    assert short_name(character(name, importance), NOUNS) == short


PARTS = (
    "the", "A", "Captain", "Lady", "Dr.", "of", "'s", "guards", "***", ",", "(", "-", "“", "”", " ", "\t", "\u200b",
)  # fmt: skip


@given(
    st.text(min_size=1, max_size=30) | st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map(" ".join),
    st.sampled_from(get_args(Importance)),
    st.booleans(),
)
def test_every_name_can_be_said(name: str, importance: Importance, is_english: bool) -> None:
    """Blanks, signs, titles and nothing else: whatever is a name, somebody is called something, in words that pass."""
    called = person(Character(name=name, side="x", importance=importance), NOUNS, is_english=is_english).called
    assert called
    assert unsafe(called) is None
    assert unsafe(person(name, ()).called) is None


@pytest.mark.parametrize(
    "name",
    [
        *(" ", "\t\n", "***", "Dr.", "the", "Captain Lady", "of the", ",", "“”", "\u200b", "'s", "A"),
        *("Guard #2", "R2_D2", "Zoë 🗡", "[The] Baron", "evil.com", "/me", "ᚦorn", "Zоё"),
    ],
)
def test_the_deck_has_words_for_an_odd_name(name: str) -> None:
    """Whoever acts, there are three suggestions."""
    action = {"type": "overcome", "actor": name, "opposition": {"kind": "passive", "rating": 9}, "roll": {"total": 0}}
    assert len(narrator.suggest({"action": action, "deal": 0}, source="deck").suggestions) == 3


def test_the_name_in_the_scene_stays() -> None:
    """Whoever is spoken of otherwise is still named by their name where names are ids."""
    scene = {"characters": [{"name": "Zoë 🗡", "side": "pc", "importance": "pc"}, {"name": "Guard #2", "side": "foe"}]}
    opposition = {"kind": "active", "by": "Guard #2", "roll": {"total": 4}}
    action = {"type": "overcome", "actor": "Zoë 🗡", "opposition": opposition, "roll": {"total": 0}}
    answer = narrator.suggest({"scene": scene, "action": action, "deal": 0}, source="deck")

    assert {each.to for each in answer.suggestions} & {"Zoë 🗡", "Guard #2"}
    assert not [each for each in answer.suggestions if {*"🗡#"} & {*f"{each.name} {each.detail}"}]


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
        ({"name": "Guard #2", "importance": "nameless"}, "the Guard 2", False),
        ({"name": "Guard #2", "importance": "nameless", "called": "Tall Guard"}, "Tall Guard", False),
        ({"name": "Captain Ilse Varga", "called": "the *tall* Captain"}, "the tall Captain", False),
        ({"name": "R2_D2", "importance": "named"}, "R2", False),
        ({"name": "Zoë 🗡", "importance": "pc"}, "Zoë", False),
        ({"name": "🗡", "importance": "pc", "called": "Zoë"}, "Zoë", False),
        ({"name": "🗡", "importance": "pc"}, "somebody", False),
    ],
)
def test_what_somebody_is_called(told: dict[str, Any], called: str, is_plural: bool) -> None:
    """As the scene says, without the signs that no text may have. Groups have plural verbs and an article, a nameless
    kind of person or beast an article, names none.
    """
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
    """Those told, whole; where they are not known whole, none are used. Several of whom none are told are they."""
    assert person(character("Cynere", "pc", pronouns=told), NOUNS).pronouns == pronouns
    assert person(character("Reavers", group=True), NOUNS).pronouns == ("they", "them", "their")


@pytest.mark.parametrize("told", ["", "/", "she/", "she//her", "a/b/c/d/e", "she" * 7])
def test_what_are_no_pronouns_is_refused(told: str) -> None:
    """With an example of what would be right."""
    with pytest.raises(NarratorError, match="separated by slashes, such as she/her") as refused:
        character("Cynere", pronouns=told)
    assert (refused.value.code, refused.value.field) == ("bad_request", "pronouns")


def test_an_aspect_with_other_signs_is_said_without_them() -> None:
    """The form that rewords an aspect has cards for it, whatever it is called in the scene."""
    action: dict[str, Any] = {"type": "discover", "variant": "aspect", "actor": "Cynere", "aspect": "[Locked] Door #3"}
    action |= {"roll": {"total": 0}, "opposition": {"kind": "passive", "rating": 4}}
    answer = narrator.suggest({"action": action, "per_slot": 6, "deal": 0}, source="deck")
    (name,) = (each.name or "" for each in answer.suggestions if each.form == "worsened_aspect")
    assert "Locked Door 3" in name
