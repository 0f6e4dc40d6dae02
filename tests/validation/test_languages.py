"""Holds each language to its texts in `tests/corpus/certain`: what states a mechanic is found, and fiction passes."""

import pytest

from tests.language.sound import LANGUAGES
from tests.validation.judged import CERTAIN, states_mechanic

MECHANICS = [(language, text) for language, texts in CERTAIN.items() for text in texts.mechanics]
FICTION = [(language, text) for language, texts in CERTAIN.items() for text in texts.fiction]


def test_every_language_has_its_texts() -> None:
    """A lexicon comes with a dozen texts that are refused, and a dozen that pass."""
    few = {language for language, texts in CERTAIN.items() if min(len(texts.mechanics), len(texts.fiction)) < 12}

    assert CERTAIN.keys() == {*LANGUAGES}, "each lexicon wants a file in tests/corpus/certain, and each file a lexicon"
    assert not few, f"in tests/corpus/certain a dozen texts are wanted under `mechanics` and `fiction` of {few}"


@pytest.mark.parametrize(("language", "text"), MECHANICS)
def test_a_mechanic_is_found(language: str, text: str) -> None:
    """A text that states a mechanic is refused, and the phrase is given as it is written."""
    phrase = states_mechanic(text, language)

    assert phrase is not None, f"no family of the lexicon {language} has a pattern for {text!r}"
    assert phrase in text


@pytest.mark.parametrize(("language", "text"), FICTION)
def test_plain_fiction_passes(language: str, text: str) -> None:
    """It is the mechanic that is refused, not the word."""
    found = states_mechanic(text, language)

    assert found is None, f"a pattern of {language} finds {found!r} in {text!r}: ask for more, or make it innocent"
