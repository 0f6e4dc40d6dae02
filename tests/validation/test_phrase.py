"""Holds phrase to its promise: a phrase or a title is an aspect, and narration, a modifier or a name is none."""

import pytest
from hypothesis import given, strategies as st

from tests.validation.judged import CERTAIN, key, not_an_aspect

NAMES = ("Cynere", "Tobin Reed", "Gate Guards", "Dr. Ottilie Krähenbühl", "The Tall Man")

ASPECTS = CERTAIN["en"].aspects

KEYS = (
    ("case", "TORCHLIT GATE", True),
    ("article", "The Torchlit Gate", True),
    ("accents", "Tórchlit Gâte", True),
    ("punctuation", "«Torchlit Gate»!", True),
    ("hyphen", "torchlit-gate", True),
    ("dash", "Torchlit—Gate", True),
    ("blanks", "  torchlit \t gate ", True),
    ("zero-width", "torch\u200blit gate", True),
    ("fullwidth", "Ｔｏｒｃｈｌｉｔ Ｇａｔｅ", True),
    ("other words", "Torchlit Gates", False),
    ("one word fewer", "Gate", False),
)


@pytest.mark.parametrize("name", ASPECTS.good)
def test_a_phrase_or_title_is_an_aspect(name: str) -> None:
    """What somebody would write on an index card passes, also where it is a sentence."""
    assert not_an_aspect(name, NAMES) is None


@pytest.mark.parametrize(("name", "why"), ASPECTS.bad)
def test_what_is_no_phrase_is_refused_with_the_reason(name: str, why: str) -> None:
    """Narration, a number as a modifier, a full stop, too many words and a mere name are refused, each by its
    reason.
    """
    found = not_an_aspect(name, NAMES)

    assert found is not None
    assert why in found


@pytest.mark.parametrize(
    ("name", "refused"),
    [("Wounded (-2)", True), ("Cynere!", True), ("Cassé.", True), ("Il écrit son nom dans son carnet", False)],
    ids=str,
)
def test_without_a_lexicon_only_what_needs_no_words_is_judged(name: str, refused: bool) -> None:
    """In a language without a file, modifiers, names and full stops are still told, and narration passes."""
    assert (not_an_aspect(name, NAMES, "xx") is not None) is refused


def test_german_is_judged_by_its_own_file() -> None:
    """Where nouns have capitals in sentences too, capitals make no title."""
    assert not_an_aspect("Er schreibt ihren Namen in sein Notizbuch", (), "de") is not None
    assert not_an_aspect("Gezeichnet vom Fluss", (), "de") is None
    assert not_an_aspect("Die Torwachen!", ("Torwachen",), "de") is not None


@pytest.mark.parametrize(("text", "same"), [row[1:] for row in KEYS], ids=[row[0] for row in KEYS])
def test_wordings_are_compared_by_their_words_alone(text: str, same: bool) -> None:
    """Case, accents, punctuation, hyphens, blanks and articles do not make another wording; words do."""
    assert (key(text) == key("Torchlit Gate")) is same


def test_wordings_of_signs_or_of_articles_stay_apart() -> None:
    """What has no words but articles, an article as its last word, or no words at all, is not the same as its kin."""
    keys = [key(text) for text in ("?!", "!!", "The", "A", "…", "+", "銀", "Plan", "Plan A", "Plan B")]

    assert len(set(keys)) == len(keys)
    assert all(keys)


@given(st.text())
def test_a_key_is_its_own_key(text: str) -> None:
    """Any text has a key, and comparing keys again changes nothing."""
    once = key(text)

    assert key(" ".join(once)) == once


@given(st.text(), st.lists(st.text(max_size=20), max_size=4), st.sampled_from(["en", "de", "fr"]))
def test_any_name_gets_an_answer(name: str, names: list[str], language: str) -> None:
    """No name, however strange, makes the check raise."""
    why = not_an_aspect(name, names, language)

    assert why is None or why.startswith("it ")
