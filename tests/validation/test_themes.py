"""Themes that a table may bar: which lines name them, and what then is over the line."""

import pytest

import narrator
from narrator.deck.cards import packaged
from narrator.validation.themes import barred, themes
from tests.deck.decks import forms
from tests.validation.judged import crosses

REQUEST = {"action": {"type": "overcome", "actor": "Cynere", "outcome": "fail"}, "deal": 0}


@pytest.mark.parametrize("theme", themes())
def test_a_line_on_a_theme_bars_its_cards(theme: str) -> None:
    """Under its own name, with or without an underscore, as a line or within one."""
    assert theme in barred((theme,))
    assert theme in barred((theme.replace("_", " "),))
    assert theme in barred((f"anything to do with {theme.replace('_', ' ')}, please",))


def test_the_themes_of_the_cards_are_known() -> None:
    """What a card says that it touches, lines can bar."""
    assert {theme for form in forms() for card in packaged(form).cards for theme in card.themes} <= set(themes())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("A tarantula drops from the beam.", "spiders"),
        ("The whole ledge is white with cobwebs.", "spider"),
        ("A viper slides off the warm stone.", "snakes"),
        ("Blood runs down into one eye.", "gore"),
        ("The whisky is poured away.", "alcohol"),
    ],
)
def test_a_line_that_is_a_theme_reaches_its_words(text: str, line: str) -> None:
    """A line of one word bars what belongs to it, not only the word."""
    assert crosses(text, [line]) == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("A child waves from the window.", "harm to children"),
        ("The horse stamps and snorts.", "harm to horses"),
        ("The blade slides out.", "spiders"),
    ],
)
def test_a_line_that_says_more_is_met_whole(text: str, line: str) -> None:
    """Harm to children bars no child in a window."""
    assert crosses(text, [line]) is None


def test_what_lines_leave_is_dealt() -> None:
    """With every theme barred at once, answers still come."""
    told = REQUEST | {"scene": {"lines": list(themes())[:20], "veils": list(themes())[20:]}}
    assert len(narrator.suggest(told, source="deck").suggestions) == 3
