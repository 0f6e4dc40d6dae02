"""Themes that a table may bar: which lines name them, and what then is over the line."""

import pytest

import narrator
from narrator.language.lexicon import load
from narrator.validation.themes import barred, said_of, telling, themes_file
from tests.deck.decks import all_cards
from tests.validation.judged import crosses

REQUEST = {"action": {"type": "overcome", "actor": "Cynere", "outcome": "fail"}, "deal": 0}


@pytest.mark.parametrize("theme", themes_file().named)
def test_a_line_on_a_theme_bars_its_cards(theme: str) -> None:
    """Under its own name, with or without an underscore, as a line or within one."""
    assert theme in barred((theme,))
    assert theme in barred((theme.replace("_", " "),))
    assert theme in barred((f"anything to do with {theme.replace('_', ' ')}, please",))


def test_the_themes_of_the_cards_are_known() -> None:
    """What a card says that it touches, lines can bar."""
    assert {theme for card in all_cards() for theme in card.themes} <= set(themes_file().named)


@pytest.mark.parametrize("theme", themes_file().named)
def test_what_tells_of_a_theme_can_be_read(theme: str) -> None:
    """Every pattern asks for a word, and every list of it is there."""
    assert not list(load("en").find([], telling(theme))), f"a pattern of {theme} in themes.toml asks for no word"


@pytest.mark.parametrize("theme", themes_file().named)
def test_no_idiom_excuses_a_word_that_tells_of_a_theme_by_itself(theme: str) -> None:
    """It is refused where it stands alone."""
    line = theme.replace("_", " ")

    excused = [word for word in said_of(theme) if crosses(f"Then she sees the {word}.", [line]) is None]

    assert not excused, f"idioms.txt or an `innocent` of themes.toml excuses what tells of {theme} by itself: {excused}"


def test_what_lines_leave_is_dealt() -> None:
    """With every theme barred at once, answers still come."""
    told = REQUEST | {"scene": {"lines": list(themes_file().named)[:20], "veils": list(themes_file().named)[20:]}}
    assert len(narrator.suggest(told, source="deck").suggestions) == 3
