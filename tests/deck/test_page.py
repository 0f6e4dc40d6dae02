"""The page on cards of one's own: its lists are those that a card is read by."""

import re
from pathlib import Path
from typing import get_args

import pytest

from narrator.deck.activity import activities
from narrator.rules.card import ACTIVITIES, PEOPLE, STORIES, THINGS, Card, Condition, Family, Nature

PAGE = " ".join((Path(__file__).parents[2] / "docs" / "deck.md").read_text("utf-8").split())


def listed(before: str, after: str) -> list[str]:
    """The words of a list, by what stands before it and after it."""
    found = re.search(f"{re.escape(before)} (.*?){re.escape(after)}", PAGE)
    assert found is not None
    return re.findall(r"\w+", re.sub(r"\bor\b", "", found[1]))


@pytest.mark.parametrize("family", get_args(Family))
def test_the_activities_are_told_by_family(family: str) -> None:
    """Each stands in the line of its family, in the order of the type."""
    assert listed(f"- `{family}`:", " - ") == [name for name in ACTIVITIES if activities()[name].family == family]


@pytest.mark.parametrize(
    ("before", "after", "known"),
    [
        ("as far as its words show it:", ".", get_args(Condition)),
        ("kinds of story that it belongs in:", " for scenes", STORIES),
        ("`foes`: what `{opponent}` may be:", ".", get_args(Nature)),
        ("else out of the kind of story, in a word or two:", ".", THINGS),
    ],
    ids=["needs", "stories", "foes", "things"],
)
def test_the_words_of_a_card_are_told(before: str, after: str, known: tuple[str, ...]) -> None:
    """All of them, and no other."""
    assert sorted(listed(before, after)) == sorted(known)


def test_what_is_put_in_is_told() -> None:
    """Whoever and whatever a card can speak of, and nothing that would be refused."""
    _, told = PAGE.split("## What is put in")
    named = re.findall(r"`(\{[^}]*\})`", told)
    assert {f"{{{word}}}" for word in (*PEOPLE, *THINGS, "sought", "aspect", "draft")} <= set(named)
    assert all(Card(form="loss", detail=each).wants for each in named)
