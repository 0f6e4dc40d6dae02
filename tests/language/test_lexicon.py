"""Holds the lexicons and their notation to what the page on languages promises to whoever writes another one."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, strategies as st

from narrator.language.lexicon import Lexicon, load
from narrator.language.lexicon_file import LexiconFile
from narrator.language.spelling import fold, stem
from narrator.language.text import Text
from narrator.language.tokens import runs, tokens
from narrator.rules.request.language_tag import primary
from narrator.validation.aspect_name import SceneNames, not_an_aspect
from narrator.validation.contradiction import contradicts
from narrator.validation.intent import Intent
from narrator.validation.mechanics import stated_in
from narrator.validation.subjects import People
from tests.language.sound import LANGUAGES

NO_LANGUAGES = (
    "../../etc/passwd", "../lexicon/en", "/etc/passwd", "en.toml", "en\x00", "", "   ", "..", "English", "ｅn",
    "en" * 50_000, "zz",
)  # fmt: skip


def lexicon_of(patterns: list[str], **more: object) -> Lexicon:
    """Make a small lexicon whose one family of mechanics holds these patterns."""
    return lexicon_told("xx", {"stemmer": "english", "mechanics": {"all": {"says": patterns}}, **more})


def lexicon_told(language: str, told: dict[str, object]) -> Lexicon:
    """Make a lexicon of what a file would tell."""
    return Lexicon(language, LexiconFile.model_validate(told))


def found(lexicon: Lexicon, text: str) -> bool:
    """Tell whether the patterns of such a lexicon match in a text."""
    return next(lexicon.find([word.keys for word in Text(text, lexicon).words], lexicon.mechanics), None) is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_packaged_lexicon_loads_once_and_stays_as_it_is(language: str) -> None:
    """A lexicon is read from its file once, and nobody can change it."""
    lexicon = load(language)

    assert lexicon is load(language)
    assert lexicon.judges_mechanics
    with pytest.raises(FrozenInstanceError):
        lexicon.language = "xx"  # type: ignore[misc]
    with pytest.raises(TypeError):
        lexicon.goals["new"] = None  # type: ignore[index]


@pytest.mark.parametrize("language", ["en-GB", "EN", "eng", "en-Latn-GB"])
def test_a_region_falls_back_to_its_language(language: str) -> None:
    """However English is named, the English lexicon serves it."""
    assert load(language) is load("en")


@pytest.mark.parametrize("language", NO_LANGUAGES, ids=lambda language: repr(language[:20]))
def test_what_is_no_language_has_no_lexicon(language: str) -> None:
    """A language that is unknown, or meant to lead elsewhere, is answered with an empty one."""
    lexicon = load(language)

    assert not lexicon.judges_mechanics
    assert not lexicon.told.model_fields_set - {"lists"}


@given(st.text())
def test_any_text_may_be_asked_for_as_a_language(language: str) -> None:
    """Asking for a language never raises, and what comes back is the lexicon of that code."""
    lexicon = load(language)

    assert lexicon.language == primary(language)
    assert stem(lexicon.stemmer, "words")


MATCHES = [
    ("word", "Shield", "the SHIELD holds", True),
    ("no other word", "shield", "shields", False),
    ("stem", "~fail", "She failed.", True),
    ("irregular stem", "~fall", "He fell.", True),
    ("one of these", "a/the boost", "the boost", True),
    ("set", "<gain> a boost", "gets a boost", True),
    ("capital of a set", "^<rank> wall", "a Great wall in the way", True),
    ("no capital", "^<rank> wall", "a great wall in the way", False),
    ("capital in a title", "^<rank> wall", "The Great Wall", False),
    ("capital in a title with a small word", "^<rank> wall", "Bricks of the Great Wall", False),
    ("capital in a short sentence", "^<rank> wall", "She is at Great Wall.", True),
    ("capitals throughout", "^<rank> wall", "THE GREAT WALL.", False),
    ("may be missing", "a big? boost", "a boost", True),
    ("gap", "gain ..2 boost", "gain one more boost", True),
    ("gap too wide", "gain ..2 boost", "gain one more big boost", False),
    ("gap across a comma", "gain ..2 boost", "gain it, a boost", False),
    ("look ahead refuses", "boost !up", "boost up", False),
    ("look ahead at the end", "boost !up", "boost", True),
    ("phrase", "<twice> gain", "once again gain", True),
    ("phrase missing", "I <twice>? gain", "I gain", True),
    ("number", "# guards", "three guards", True),
    ("number in digits", "# guards", "3 guards", True),
    ("signed", "%signed", "at −2", True),
    ("signed as minus, dash or fullwidth", "%signed %signed %signed", "−2 –2 ＋2", True),
    ("large is no modifier", "%signed", "-40", False),
    ("a name is no modifier", "%signed", "Tycho-9", False),
    ("a range is no modifier", "%signed", "1914-18", False),
    ("percent is no modifier", "%signed", "+5% and A+", False),
    ("a skill glued to its bonus", "%signed", "Agility+2", True),
    ("die", "%die", "rolls 4dF", True),
    ("no die", "%die", "a 3D film of D-Day", False),
    ("ending", "*ly gone", "quickly gone", True),
    ("mark", "gone |", "gone, and", True),
    ("colon", "boost :", "Boost: Winded", True),
    ("end of clause by a word", "gone $", "gone and forgotten", True),
    ("contraction", "can not open", "can't open", True),
    ("possessive", "her 's", "her's", True),
    ("elision", "l attack", "L’attack comes", True),
    ("elision behind another", "n attack", "qu'l'n'attack", True),
    ("no elision", "attack", "rock'attack", False),
    ("hyphen is a blank", "free hand", "free-hand", True),
    ("abbreviation ends nothing", "st emmeram", "St. Emmeram", True),
]


@pytest.mark.parametrize(("pattern", "text", "expected"), [row[1:] for row in MATCHES], ids=[row[0] for row in MATCHES])
def test_the_notation_means_what_it_says(pattern: str, text: str, expected: bool) -> None:
    """Each sign of the notation matches what the page on languages says, and nothing more."""
    lexicon = lexicon_of(
        [pattern],
        lists={"gain": ["~gain", "~get"], "rank": ["great", "good"], "twice": ["once again", "again"]},
        forms={"fall": "fell fallen"},
        numbers=["three"],
        endings=["ly"],
        clause_words=["and"],
        words={"can't": "can not"},
        clitics={"'s": "'s"},
        elisions=["l", "qu", "n"],
        abbreviations=["st"],
    )

    assert found(lexicon, text) is expected


@pytest.mark.parametrize("pattern", ["<nobody>", "..", "!word", "word?", "<a>", "!<rows>", "^<rows>"], ids=str)
def test_a_pattern_that_cannot_be_read_is_an_error(pattern: str) -> None:
    """An unknown list, a pattern that asks for nothing, lists in a ring, or rows of words where one is meant are
    named.
    """
    lexicon = lexicon_of([pattern], lists={"a": ["<b>"], "b": ["<a>"], "rows": ["one two"]})
    with pytest.raises(ValueError, match=r"."):
        found(lexicon, "any text")


FOLDED = [
    ("case", "ZOË", "zoe"),
    ("sharp s", "Straße", "strasse"),
    ("zero-width", "st\u200bre\u00adss", "stress"),
    ("fullwidth", "ｂｏｏｓｔ", "boost"),
    ("stroke", "tørture", "torture"),
    ("turkish i", "İstanbul ı", "istanbul i"),
    ("hangul in its parts", "한", "\u1112\u1161\u11ab"),
    ("hindi vowels stay", "हिंदी", "हिंदी"),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in FOLDED], ids=[row[0] for row in FOLDED])
def test_folding_takes_off_what_does_not_change_the_word(text: str, expected: str) -> None:
    """Case, accents and invisible characters go; letters, and marks that are letters, stay."""
    assert fold(text) == expected


@given(st.text())
def test_folding_is_done_once(text: str) -> None:
    """Folding what is folded changes nothing."""
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_tokens_know_their_places(text: str) -> None:
    """Any text can be cut, in order, and each token says where it stood."""
    cut = tokens(text)

    assert all(0 <= token.start < token.end <= len(text) for token in cut)
    assert [token.start for token in cut] == sorted(token.start for token in cut)
    assert all(len(spelt) > 1 and text[start] != " " for spelt, start in runs(cut))


QUOTES = [
    ("double", 'He says "never ever" and goes.', "he says , and goes ."),
    ("typographic", "He says “never ever” and goes.", "he says , and goes ."),
    ("single", "He says 'never, ever,' and goes.", "he says , and goes ."),
    ("apostrophes", "The guards' dog and Zoë's cat.", "the guards dog and zoe 's cat ."),
    ("unclosed", 'He says "never and goes.', "he says never and goes ."),
    ("guillemets", "Il dit « jamais » et part.", "il dit , et part ."),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in QUOTES], ids=[row[0] for row in QUOTES])
def test_what_is_quoted_can_be_left_out(text: str, expected: str) -> None:
    """Quotations are told from apostrophes, and a quotation mark that is never closed opens nothing."""
    assert " ".join(word.text for word in Text(text, load("en")).unquoted) == expected


def test_a_third_language_needs_no_python() -> None:
    """A file with a few words is enough for the checks to work in its language."""
    italian = lexicon_told(
        "it",
        {
            "articles": ["il", "la", "lo"],
            "mechanics": {"stress": {"says": ["~subire # stress"]}},
            "numbers": ["due"],
            "forms": {"subire": "subisce subito"},
            "outcome": {"missed": ["@actor non riesce"]},
            "pronouns": [{"subject": ["lei"], "object": ["lei"], "owner": ["suo"]}],
        },
    )
    cynere = People("Cynere", [], italian)

    assert [each.phrase for each in stated_in(Text("Subisce due stress.", italian))] == ["Subisce due stress"]
    missed = contradicts(Text("Cynere non riesce a entrare.", italian), cynere, Intent(), True)
    assert missed == "Cynere non riesce a entrare"
    repeated = not_an_aspect(Text("La Cynere!", italian), SceneNames(["Cynere"], italian))
    assert repeated == "it only repeats a character's name"
