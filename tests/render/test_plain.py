"""What reaches a terminal: all that can be seen, and a mark in place of what cannot."""

import unicodedata

import pytest

from narrator.errors import visible


@pytest.mark.parametrize("hidden", "\u115f\u1160\u3164\uffa0\u2800\u202e\u200b\x1b\x9b\u00ad\ue000\ud800", ids=ascii)
def test_what_shows_nothing_is_marked(hidden: str) -> None:
    """Nothing hides between two letters, though its category may be that of a letter."""
    assert visible(f"a{hidden}b") == "a\ufffdb"


@pytest.mark.parametrize(
    "text", ["한글 문", unicodedata.normalize("NFD", "한글 문"), "می\u200cخواهم", "क्\u200dष", "½ ～ 🙂"], ids=ascii
)
def test_what_shows_stays(text: str) -> None:
    """Letters, joiners and signs stay, and so do the parts of a syllable."""
    assert visible(text) == text
