"""What the deck has: enough of every form for everything that is done, each card known by its own name."""

import re
from collections import Counter
from functools import cache

import pytest

from narrator.deck.activity import Deed, activities
from narrator.deck.cards import packaged
from narrator.deck.fitting import suits
from narrator.deck.reading import Reading
from narrator.rules.action import Request
from narrator.rules.card import ACTIVITIES, Activity, Card
from narrator.rules.loading import packaged as rulesets, packaged_ruleset
from narrator.validation.themes import themes
from tests.deck.decks import forms

ANYWHERE = 3
"""How many cards of a form suit whatever is done; those for one deed may be as few as there are ideas."""

LEAST = {"serious_cost": 15, "minor_cost": 30, "boost": 45, "aspect": 45}
"""How many cards a slot of a kind has for each activity, all of its forms together: a boost comes most often."""


@cache
def cards() -> tuple[Card, ...]:
    """All that come with narrator."""
    return tuple(card for form in forms() for card in packaged(form).cards)


def fits(card: Card, activity: Activity, kind: str) -> bool:
    """Whether a card can be dealt for an activity into a slot of a kind, though nobody has named its aspect."""
    reached = not card.activities or {activity, activities()[activity].family} & {*card.activities}
    return bool(reached) and card.kind in (None, kind) and "draft" not in card.wants


def test_there_are_a_thousand_cards() -> None:
    """And more."""
    assert len(cards()) > 1_000


def test_every_form_of_every_ruleset_has_cards() -> None:
    """But for those of a house ruleset, which brings its own."""
    used = {use for name in rulesets() for use in packaged_ruleset(name).forms}
    assert used == set(forms())


def test_every_form_has_cards_for_anything() -> None:
    """Three of each, as each kind of slot that it has cards of its own for."""
    number = {(card.form, card.kind): 0 for card in cards()}
    for card in cards():
        number[card.form, card.kind] += not card.activities and "draft" not in card.wants
    assert {form: found for form, found in number.items() if found < ANYWHERE} == {}


@pytest.mark.parametrize("activity", ACTIVITIES)
def test_every_slot_has_enough_for_every_activity(activity: Activity) -> None:
    """What may stand in it has words for many evenings, whatever is done and in whichever packaged row it is."""
    found = Counter((card.form, kind) for card in cards() for kind in LEAST if fits(card, activity, kind))
    slots = {
        (slot.kind, tuple(use.form for use in slot.forms))
        for name in rulesets()
        for row in packaged_ruleset(name).rows
        for branch in row.branches
        for slot in branch.slots
    }
    numbers = {slot: sum(found[form, slot[0]] for form in slot[1]) for slot in slots}
    assert {slot: number for slot, number in numbers.items() if number < LEAST[slot[0]]} == {}


def test_every_card_is_known_by_its_own_id() -> None:
    """No two have the same, and none the same words as another."""
    assert [card for card, number in Counter(card.id for card in cards()).items() if number > 1] == []
    assert [text for text, number in Counter(card.detail for card in cards()).items() if number > 1] == []
    assert [
        name
        for name, number in Counter(card.name for card in cards() if card.name and "draft" not in card.wants).items()
        if number > 1
    ] == []


def test_no_id_tells_what_the_card_is_for() -> None:
    """Players read which cards were dealt: at most ten signs, the same kind of number whatever the form."""
    assert [card.id for card in cards() if not re.fullmatch("[0-9a-f]{8}", card.id)] == []


@pytest.mark.parametrize("theme", themes())
def test_a_line_on_a_theme_keeps_its_cards_in_the_deck(theme: str) -> None:
    """None that touches it suits a scene whose lines or veils name it."""
    touching = [card for card in cards() if theme in card.themes]
    everything = frozenset(activities()[each].family for each in ACTIVITIES)
    for lines, is_dealt in (
        ({"lines": [theme.replace("_", " ")]}, False),
        ({"veils": [f"any {theme}"]}, False),
        ({}, True),
    ):
        action = {"type": "overcome", "actor": "Cynere", "outcome": "fail"}
        reading = Reading(Request.read({"scene": lines, "action": action}), packaged_ruleset("five-actions"))
        for card in touching:
            first = next((each for each in card.activities if each in ACTIVITIES), None)
            reading.deed = Deed(first, everything)
            is_anywhere = not card.stories and set(card.needs) <= {"people"}
            assert (suits(card, reading) is not None) == is_dealt or (is_dealt and not is_anywhere)


def test_every_card_is_one_that_its_form_can_have() -> None:
    """It has a name where its form makes something of one, and only there: any other is never dealt."""
    known = {name: form for each in rulesets() for name, form in packaged_ruleset(each).forms.items()}

    assert [found for card in cards() if (found := card.misfit(known[card.form])) is not None] == []
