"""Holds words that were pulled apart to being read as the words that they spell."""

import pytest

from narrator.language.lexicon import load
from narrator.language.text import Text, whole

SPELT = [
    ("hyphens", "free in-vo-ca-tion here", "in-vo-ca-tion", "invocation"),
    ("a blank", "a Ste alth roll", "Ste alth", "stealth"),
    ("dots", "S.t.r.e.s.s is ticked", "S.t.r.e.s.s", "stress"),
    ("single letters, the longest word", "here: i n v o k e s now", "i n v o k e s", "invokes"),
    ("a middle dot", "his next tu·rn is lost", "tu·rn", "turn"),
    ("initials", "a D. C. 14 save", "D. C", "dc"),
]


@pytest.mark.parametrize(("text", "written", "word"), [row[1:] for row in SPELT], ids=[row[0] for row in SPELT])
def test_a_word_of_the_trade_that_was_pulled_apart_is_one_word(text: str, written: str, word: str) -> None:
    """Where several words spell one of the list `apart` that word stands in their place, and what is disguised is
    known.
    """
    found = [each for each in whole(Text(text, load("en"))) if f"%{word}" in each.keys]

    assert [(each.text, text[each.token.start : each.token.end]) for each in found] == [(word, written)]


def test_words_that_stand_together_by_chance_stay_apart() -> None:
    """What spells nothing of the list is left as it is."""
    text = Text("It is not ice but a fat egg, at ten o'clock, by St. Ann.", load("en"))

    assert list(whole(text)) == list(text.words)
