"""Holds meaning to its promise: what takes back the outcome or touches a line is refused, and all else passes.

The texts stand in `tests/corpus/certain/en.toml`.
"""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from hypothesis import given, strategies as st

from tests.validation.judged import CERTAIN, contradicts, crosses, states_mechanic

LINES = CERTAIN["en"].lines


def said(part: Literal["missed", "stands", "reached", "not_reached"], attained: bool) -> Iterator[Any]:
    """The texts of a part, each with the intent and who else is there."""
    for each in CERTAIN["en"].outcomes:
        for text in getattr(each, part):
            yield pytest.param(text, attained, {"intent": each.intent, "others": each.others}, id=f"{part}: {text}")


@pytest.mark.parametrize(("text", "attained", "more"), [*said("missed", True), *said("reached", False)])
def test_what_takes_back_the_outcome_is_found(text: str, attained: bool, more: dict[str, Any]) -> None:
    """A text that plainly takes an attained goal from the actor, or gives them one that is not, is quoted."""
    phrase = contradicts(text, "Cynere", attained, **more)

    assert phrase, f"no pattern of en/outcomes.toml finds what is wrong in {text!r}, where it was tried to {more}"
    assert phrase in text


@pytest.mark.parametrize(("text", "attained", "more"), [*said("stands", True), *said("not_reached", False)])
def test_what_leaves_the_outcome_standing_passes(text: str, attained: bool, more: dict[str, Any]) -> None:
    """Another's failure or success, a failure at something else, an attempt, a near miss, a wish, a question or a
    quotation take nothing back.
    """
    found = contradicts(text, "Cynere", attained, **more)

    assert found is None, f"a pattern of en/outcomes.toml finds {found!r} in {text!r}: ask for more, or shield it"


def test_a_captain_may_be_called_the_captain() -> None:
    """The rank in a name stands for its bearer, unless another one bears it too."""
    text, intent = "The captain cannot open the vault.", "open the vault"

    assert contradicts(text, "Captain Ngozi", True, intent=intent)
    assert contradicts(text, "Captain Ngozi", True, others=["Reaver Captain"], intent=intent) is None


@pytest.mark.parametrize(("text", "line"), LINES.touched)
def test_a_line_is_touched_in_any_inflection_and_disguise(text: str, line: str) -> None:
    """Nor do wording and fillers hide a line, or kin of its words what touches it; it is given back as it was told."""
    assert crosses(text, ["clowns", line]) == line


@pytest.mark.parametrize(("text", "line"), LINES.untouched)
def test_innocent_words_touch_no_line(text: str, line: str) -> None:
    """Letters inside another word, an idiom, and words of a line far apart are innocent."""
    assert crosses(text, [line]) is None


@pytest.mark.parametrize(
    ("language", "text", "line", "touched"),
    [
        ("de", "Die Kinder. Kein Leid geschah dem Kind.", "Leid an Kindern", True),
        ("fr", "On a torturé le prisonnier.", "torture", True),
        ("ru", "Он видит пауков.", "паук", True),
        ("ja", "彼は拷問される。", "拷問", True),
        ("xx", "Ants everywhere", "ants", True),
        ("xx", "One ant", "ants", False),
        ("../en", "One ant", "ants", False),
    ],
    ids=["German", "French", "Russian", "no blanks", "no stemmer", "no stemmer, inflected", "no language"],
)
def test_lines_are_judged_in_the_language_of_the_scene(language: str, text: str, line: str, touched: bool) -> None:
    """A language with a stemmer needs no lexicon for lines, and one without has the words as they are."""
    assert (crosses(text, [line], language) is not None) is touched


@given(st.text(), st.text(max_size=30), st.text(max_size=60), st.lists(st.text(max_size=20), max_size=3), st.booleans())
def test_any_text_gets_an_answer(text: str, actor: str, intent: str, others: list[str], attained: bool) -> None:
    """No text, name, intent or line, however strange, makes a check raise, and every phrase is a part of the text."""
    for language in ("en", "de"):
        for phrase in (
            states_mechanic(text, language),
            contradicts(text, actor, attained, language, others=others, intent=intent),
        ):
            assert phrase is None or phrase in text
        assert crosses(text, others, language) in {None, *others}


TELLING = "she he the guard Cynere fails to open vault nearly not and takes two stress".split()  # noqa: SIM905
WORDS = st.lists(st.sampled_from([*TELLING, ",", ".", "'s", "+2", '"', "'", "-", "…"]), max_size=30)


@given(WORDS, st.booleans())
def test_any_row_of_telling_words_gets_an_answer(words: list[str], attained: bool) -> None:
    """Nor does any order of words that the lexicon looks for."""
    text = " ".join(words)

    contradicts(text, "Cynere", attained, others=["Gate Guards"], intent="open the vault")
    states_mechanic(text)


def test_a_name_with_a_comma_makes_no_comma_a_person() -> None:
    """Nor does one with an article make every article the one who acts."""
    text, intent = "In the end, she fails to get through the gate.", "get through the gate"
    assert contradicts(text, "Cynere", True, others=["Mara, Queen of Rats"], intent=intent)
    assert contradicts("The old guard loses his nerve and fails.", "The Captain", True, intent=intent) is None


def test_elisions_without_end_are_words_without_end() -> None:
    """What holds together by apostrophes is read whatever its length."""
    assert states_mechanic("l'" * 1_200 + "a", "fr") is None
