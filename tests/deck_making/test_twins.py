"""Twins: what is the same but for a few words is said once."""

import pytest

from narrator.deck.deck_file import packaged_cards
from narrator.deck_maker.review import OURS, Twins
from narrator.rules.ruleset.card import Card

BELL = Card(
    form="boost",
    name="The Bell Stops",
    detail="The bell of Saint Orla stops between two strokes, and every ferryman looks down at the black water.",
)


@pytest.mark.parametrize(
    ("detail", "name", "is_twin"),
    [
        (BELL.detail, "Nobody Rows", True),
        ("Between two strokes the bell of Saint Orla stopped. Each ferryman looks at the water.", "Nobody Rows", True),
        ("A plank of the jetty gives, and the eel baskets go in one after another.", "Bell, Stopping", True),
        ("A plank of the jetty gives, and the eel baskets go in one after another.", "Nobody Rows", False),
        ("The bell of Saint Orla is rung by a child, who holds up a blue oar and laughs.", "Nobody Rows", False),
    ],
)
def test_what_says_the_same_is_a_twin(detail: str, name: str, is_twin: bool) -> None:
    """In other order and inflection too; that both speak of the bell makes none."""
    twins = Twins("en")
    twins.add(BELL, "the bell")
    assert bool([*twins.of(Card(form="boost", name=name, detail=detail))]) == is_twin


def test_what_comes_with_narrator_has_no_twin() -> None:
    """A card of ours for the same form is known unasked."""
    ours = packaged_cards("complication")[0]
    (flaw,) = Twins("en").of(ours)
    assert (flaw.field, OURS in flaw.message) == ("detail", True)
    assert not [*Twins("en").of(ours.model_copy(update={"form": "loss"}))]
