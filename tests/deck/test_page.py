"""The page on cards of one's own: its lists are those that a card is read by."""

import re
from pathlib import Path
from typing import get_args

from narrator.rules.ruleset.card import ACTIVITIES, FAMILIES, PEOPLE, THINGS, Card, Condition, Nature
from tests.deck.decks import family_of

PAGE = " ".join((Path(__file__).parents[2] / "docs/how-to/deck.md").read_text("utf-8").split())


def test_the_words_of_a_card_are_told() -> None:
    """All of them, in the order of their types, and the deeds in the line of their family."""
    deeds = [", ".join(name for name in ACTIVITIES if family_of(name) == family) for family in FAMILIES]
    told = [
        " ".join(f"- `{family}`: {names}" for family, names in zip(FAMILIES, deeds, strict=True)),
        f"as the scene's own words show it: {', '.join(get_args(Condition))}.",
        f"what `{{opponent}}` may be: {', '.join(get_args(Nature))}.",
    ]
    assert not [each for each in told if each not in PAGE], "docs/how-to/deck.md has to list what rules/card.py does"


def test_what_is_put_in_is_told() -> None:
    """Whoever and whatever a card can speak of, and nothing that would be refused."""
    _, told = PAGE.split("## What is put in")
    named = re.findall(r"`(\{[^}]*\})`", told)
    assert {f"{{{word}}}" for word in (*PEOPLE, *THINGS, "sought", "aspect", "draft")} <= set(named)
    assert all(Card(form="loss", detail=each).wants for each in named)
