"""A deck as it is written: TOML that reads back equal, whatever stands in it."""

import tomllib
from typing import Any

from hypothesis import given, strategies as st

from narrator.deck.deck_file import OwnDeck
from narrator.deck_maker.maker import as_toml, card_line, deck_text
from narrator.deck_maker.sample_scenes import sample_of
from narrator.rules.ruleset.card import ACTIVITIES, Card

WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="{}"), min_size=1, max_size=200)
CARDS = st.fixed_dictionaries(
    {"form": WORDS, "detail": WORDS},
    optional={
        "activities": st.lists(st.sampled_from(ACTIVITIES), max_size=3),
        "about": st.lists(WORDS, max_size=3),
        "where": st.lists(WORDS, max_size=2),
        "stories": st.lists(WORDS, max_size=2),
        "goal": st.sampled_from(["attained", "not_attained"]),
        "themes": st.lists(WORDS, max_size=2),
        "rare": st.booleans(),
        "name": WORDS,
    },
)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_text_as_toml_is_read_back(text: str) -> None:
    """Every sign that Unicode has, those that steer a terminal too."""
    assert tomllib.loads(f"text = {as_toml(text)}\n") == {"text": text}


@given(CARDS)
def test_a_card_is_a_line_that_is_read_back(told: dict[str, Any]) -> None:
    """By Python's own reader of TOML, equal in each field."""
    card = Card.read(told)
    line = card_line(card)
    assert "\n" not in line
    read = tomllib.loads(f"cards = [\n  {line},\n]\n")["cards"]
    assert [Card.read(each) for each in read] == [card]


@given(st.lists(WORDS, min_size=1, max_size=3), st.sampled_from(["en", "de-CH"]))
def test_what_a_heading_says_stays_in_its_comment(titles: list[str], language: str) -> None:
    """It is a comment, whatever is in it, and the deck is that of the cards."""
    forms = sample_of("en").forms
    cards = [Card.read({"form": "complication", "detail": f"{number} bells ring."}) for number in range(len(titles))]
    deck = OwnDeck.model_validate(tomllib.loads(deck_text(cards, forms, language, titles)))
    assert deck.language == language
    assert [card.detail for card in deck.cards] == [card.detail for card in cards]
