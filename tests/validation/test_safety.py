"""Holds safety to its promise: nothing but words and the signs of prose passes, and no surface acts on what does.

Texts of either kind stand in `tests/corpus/safety.toml`.
"""

import tomllib
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from narrator.validation.safety import sayable, unsafe

FORBIDDEN = "<>[]{}|\\^~_*#@=`"
"""Signs of ASCII that prose can do without, and some surface acts on each."""

SIGNS = ".,;:!?…'\"‘’“”„«»‹›—–-()/&%°§$€£+¿¡№·、。「」『』！，（），：；？・،؛؟।።፣֊־׳״"

TEXTS = tomllib.loads((Path(__file__).parents[1] / "corpus" / "safety.toml").read_text("utf-8"))
HOSTILE = [text for texts in TEXTS["hostile"].values() for text in texts]
HONEST = [text for texts in TEXTS["honest"].values() for text in texts]

INVISIBLE = (
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u3164\u115f\u2800\u2063\u202e\u2066\u200e\ufe0f\ufffc\U000e0041\x00\x7f"
)

ALLOWED_CATEGORIES = ("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "Cn")


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_text_is_unsafe(text: str) -> None:
    """What a surface would act on is refused, plainly written or in disguise, and so are words in disguise."""
    assert unsafe(text) is not None


@pytest.mark.parametrize("text", HONEST)
def test_honest_text_is_safe(text: str) -> None:
    """Prose of any genre passes in any language, whether an accent is written with its letter or after it."""
    for form in (text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)):
        assert unsafe(form) is None


def test_every_sign_is_allowed_or_not() -> None:
    """The signs of prose pass among words, those of markup nowhere, and no sign is a word."""
    assert [sign for sign in SIGNS if unsafe(f"Oh {sign} so")] == []
    assert [sign for sign in FORBIDDEN if unsafe(f"Oh {sign} so") is None or unsafe(f"o{sign}o") is None] == []


@pytest.mark.parametrize(
    "text", [" ", "?", "???", ",", "…", "—", "“”", "...", "- -", "。", "\u00a0", "º", "ー", "ـــ", "\u0301"]
)
def test_a_text_needs_words(text: str) -> None:
    """A text without a letter or digit says nothing."""
    assert unsafe(text) is not None


@pytest.mark.parametrize("first", [0, *(pytest.param(n << 16, marks=pytest.mark.full) for n in range(1, 17))])
def test_of_all_characters_only_those_of_prose_pass(first: int) -> None:
    """Every code point is tried between letters and between words: letters, marks, digits, blanks and signs remain."""
    every = map(chr, range(first, first + (1 << 16)))
    passing = [char for char in every if unsafe(f"a {char} b") is None or unsafe(f"あ{char}あ") is None]
    # What a newer Unicode has is unassigned to an older Python.
    signs = {char for char in passing if unicodedata.category(char) not in ALLOWED_CATEGORIES}

    assert {char for char in signs if char.isspace()} == {*(" \u00a0\u202f\u3000" if not first else "")}
    assert len(signs) < 150
    assert not {*passing} & {*FORBIDDEN, *INVISIBLE}


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("[[1d20]]", 'the sign "[" (U+005B)'),
        ("Oh 🙂", 'the sign "🙂" (U+1F642)'),
        ("a\nb", "a line break (U+000A)"),
        ("a\u200bb", "the character U+200B"),
        ("a\ud800b", "the character U+D800"),
        ("a\u20e3", "the character U+20E3"),
        ("Z\u0301\u0302\u0303\u0304a", "a pile of marks"),
        ("Z\u0301\u0301a", "a pile of marks"),
        ("ก" + 9 * "\u0e38", "a pile of marks"),
        ("5\u0301 a", "a mark without its letter"),
        ("a \u0301", "a mark without its letter"),
        ("the jаvelin", "letters of different scripts in one word (jаvelin)"),
        ("???", "no words"),
        ("/me waves", "a chat command (a leading / or !)"),
        ("Tom &amp; Jerry", "an HTML entity (& before a name)"),
        ("https://x", "a web address"),
        ("evil.com", "a host name"),
    ],
    ids=ascii,
)
def test_the_phrase_says_what_to_take_out(text: str, phrase: str) -> None:
    """The phrase names the thing, so that a model told of it can repair its text."""
    assert unsafe(text) == phrase


@given(st.text(st.characters(exclude_categories=())) | st.text(st.sampled_from(FORBIDDEN + " ab./:-é")))
def test_what_can_be_said_is_safe(name: str) -> None:
    """Any string is said as it is where it is safe, else in words that are, or not at all; surrogates too."""
    said = sayable(name)
    assert said == "" or unsafe(said) is None
    assert said == name or unsafe(name) is not None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Cynere", "Cynere"),
        ("Guard #2", "Guard 2"),
        ("R2_D2", "R2 D2"),
        ("Zoë 🗡", "Zoë"),
        ("[The] *Baron*", "The Baron"),
        ("/me Smith", "me Smith"),
        ("evil.com", "evil com"),
        ("B\u2060ob", "Bob"),
        ("B\u0347ob", "Bob"),
        ("Old\nBob", "Old Bob"),
        ("<b>Bob</b>", "b Bob b"),
        ("***", ""),
    ],
)
def test_a_name_is_said_without_other_signs(name: str, said: str) -> None:
    """Whose name has signs that a text may not have is spoken of without them."""
    assert sayable(name) == said


@given(st.sampled_from(TEXTS["hostile"]["anywhere"]), st.sampled_from(HONEST), st.sampled_from(HONEST))
def test_hostile_text_stays_hostile_among_honest_text(hostile: str, before: str, after: str) -> None:
    """Honest sentences before and after do not hide what a surface acts on."""
    assert unsafe(f"{before} {hostile} {after}") is not None


@given(st.sampled_from(["evil.com", "http://x", "/me waves", "&lt;b", "Seen Her Face"]), st.data())
def test_an_invisible_character_stands_in_no_word(text: str, data: st.DataObject) -> None:
    """Nothing that does not show gets between two letters, or before or behind a word, of ours."""
    at = data.draw(st.integers(0, len(text)))
    assert unsafe(text[:at] + data.draw(st.sampled_from(INVISIBLE)) + text[at:]) is not None


UNITS = (
    "a.", "1.", "a:", "&a", "%4", "%a", "$", ":a", ":+", "1", "/", ".a", "a-", "a ", "a/", "a\u0301", "я.", "한",
    "می\u200c", "ﷺ",
)  # fmt: skip
"""What begins a pattern, over and over."""


@pytest.mark.parametrize("unit", UNITS)
def test_long_text_is_judged_in_one_go(unit: str) -> None:
    """What begins a pattern again and again costs no more than its length.

    Nothing is measured by the clock: what grew with the square of fifty thousand characters would not end
    within a minute of any test run. A benchmark measures elsewhere.
    """
    unsafe("x " + unit * (50_000 // len(unit)))
    unsafe("a" + "\u0316\u0301" * 25_000)
    unsafe("a" + "\u0323\u0301" * 25_000)
