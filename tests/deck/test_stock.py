"""What the deck has: enough of every form for everything that is done, each card known by its own name."""

from collections import Counter

import pytest

from narrator.deck.activity import Deed, activities
from narrator.deck.cards import packaged
from narrator.deck.fitting import suits
from narrator.deck.reading import Reading
from narrator.rules.action import Request
from narrator.rules.card import ACTIVITIES, Activity, Card
from narrator.rules.loading import packaged as rulesets
from narrator.rules.loading import packaged_ruleset
from narrator.validation.themes import themes
from tests.deck.decks import forms

LEAST, ALONE = 15, 45
"""How many cards of a form an activity has, and where nothing else may stand in its slot."""

CARDS = [card for form in forms() for card in packaged(form).cards]


def reaches(card: Card, activity: Activity) -> bool:
    return not card.activities or activity in card.activities or activities()[activity].family in card.activities


def test_there_are_a_thousand_cards() -> None:
    """And more."""
    assert len(CARDS) > 1_000


def test_every_form_of_every_ruleset_has_cards() -> None:
    """But for those of a house ruleset, which brings its own."""
    used = {use for name in rulesets() for use in packaged_ruleset(name).forms}
    assert used == set(forms())


@pytest.mark.parametrize("activity", ACTIVITIES)
def test_every_activity_has_enough_of_every_form(activity: Activity) -> None:
    """Fifteen for each, forty-five where a form stands alone in its slot; for either side, as either kind."""
    found = Counter[str]()
    for card in CARDS:
        if reaches(card, activity) and "draft" not in card.wants:
            found[f"{card.form} {card.kind or ''}".strip()] += 1
    wanted = {name: ALONE if name in ("boost", "situation_aspect") else LEAST for name in found}
    assert {name: number for name, number in found.items() if number < wanted[name]} == {}


def test_every_card_is_known_by_its_own_id() -> None:
    """No two have the same, and none the same words as another."""
    assert [card for card, number in Counter(card.id for card in CARDS).items() if number > 1] == []
    assert [text for text, number in Counter(card.detail for card in CARDS).items() if number > 1] == []
    assert [
        name
        for name, number in Counter(card.name for card in CARDS if card.name and "draft" not in card.wants).items()
        if number > 1
    ] == []


@pytest.mark.parametrize("theme", themes())
def test_a_line_on_a_theme_keeps_its_cards_in_the_deck(theme: str) -> None:
    """None that touches it suits a scene whose lines or veils name it."""
    cards = [card for card in CARDS if theme in card.themes]
    everything = frozenset(activities()[each].family for each in ACTIVITIES)
    for lines, is_dealt in (
        ({"lines": [theme.replace("_", " ")]}, False),
        ({"veils": [f"any {theme}"]}, False),
        ({}, True),
    ):
        action = {"type": "overcome", "actor": "Cynere", "outcome": "fail"}
        reading = Reading(Request.read({"scene": lines, "action": action}), packaged_ruleset("five-actions"))
        for card in cards:
            first = next((each for each in card.activities if each in ACTIVITIES), None)
            reading.deed = Deed(first, everything)
            is_anywhere = not card.stories and set(card.needs) <= {"people"}
            assert (suits(card, reading) is not None) == is_dealt or (is_dealt and not is_anywhere)
