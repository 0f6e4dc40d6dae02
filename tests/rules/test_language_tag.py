"""Languages: one check for every place where one is told."""

from pathlib import Path

import pytest

import narrator
from narrator import NarratorError, vtt
from narrator.rules.request.language_tag import primary
from tests.rules.build import ask

TAGS = {
    # what may be told, and the code of the language
    "two letters": ("de", "de"),
    "capitals": ("EN", "en"),
    "three letters": ("gsw", "gsw"),
    "a language of part 3 alone": ("yue", "yue"),
    "three letters for what has two": ("eng", "en"),
    "three letters of the libraries": ("ger-AT", "de"),
    "a group of languages": ("art", "art"),
    "no language that is known": ("und", "und"),
    "one of our own": ("qaa", "qaa"),
    "a region": ("de-CH", "de"),
    "a region by number": ("es-419", "es"),
    "a region that looks like the language": ("de-DE", "de"),
    "a script": ("zh-Hant-TW", "zh"),
    "an extension of the language": ("zh-yue-HK", "zh"),
    "a variant": ("ca-valencia", "ca"),
    "variants": ("sl-rozaj-biske-1994", "sl"),
    "an extension": ("en-US-u-co-phonebk", "en"),
    "private use": ("en-x-a-x-whatever", "en"),
}

NO_TAGS = {
    "nothing": "",
    "a blank": " ",
    "a name": "English",
    "a locale": "en_US.UTF-8",
    "an underscore": "en_US",
    "blanks around": " en ",
    "a line break": "en\n",
    "a hyphen at the end": "xx-",
    "a hyphen at the start": "-en",
    "two hyphens": "en--US",
    "two letters of none": "xx",
    "three letters of none": "zzz",
    "one letter": "e",
    "a subtag too long": "en-abcdefghi",
    "a region before a script": "zh-TW-Hant",
    "a variant twice": "de-1901-1901",
    "an extension twice": "en-a-xx-b-yy-a-zz",
    "an extension of nothing": "en-u",
    "private use alone": "x-ours",
    "a way out of a folder": "../en",
    "letters of another script": "еn",
    "digits of another script": "es-٤١٩",
    "far too much": "en-x" + "-a" * 99,
}


@pytest.mark.parametrize(("tag", "code"), TAGS.values(), ids=TAGS)
def test_what_bcp_47_allows_is_taken(tag: str, code: str) -> None:
    """The scene keeps it as it was written, and its language is the shortest code of those that mean the same."""
    assert (tag, code) == (narrator.Scene.read({"language": tag}).language, primary(tag))


@pytest.mark.parametrize("told", NO_TAGS.values(), ids=NO_TAGS)
def test_anything_else_is_refused(told: str) -> None:
    """With the field, and with what would have been right."""
    with pytest.raises(NarratorError) as caught:
        narrator.resolve(ask({"language": told}))

    assert (caught.value.code, caught.value.field) == ("bad_request", "request.scene.language")
    assert "de-CH" in caught.value.message or len(told) > 200


def test_all_codes_are_there() -> None:
    """Every one of two letters has one of three; those beside are as many as the standard has, and as it keeps free."""
    letters = [chr(number) for number in range(ord("a"), ord("z") + 1)]
    short = {primary(a + b) for a in letters for b in letters} - {""}
    long = [code for a in letters for b in letters for c in letters if primary(code := a + b + c)]

    assert (len(short), len(long)) == (184, 8578)
    assert short <= {primary(code) for code in long}
    assert len([code for code in long if "qaa" <= code <= "qtz"]) == 520


@pytest.mark.parametrize("call", ["turn_order", "word"])
def test_a_scene_without_an_action_has_it_too(call: str) -> None:
    """The same check, wherever a scene is told."""
    beside = {"approach": "Will"} if call == "turn_order" else {"kind": "twist"}
    error = vtt.run({"call": call, "request": {"scene": {"language": "English"}, **beside}})["error"]

    assert (error["code"], error["field"]) == ("bad_request", "request.scene.language")


def test_a_deck_has_it_too(tmp_path: Path) -> None:
    """With the line of its file."""
    deck = tmp_path / "ours.toml"
    deck.write_text('cards = []\nlanguage = "German"\n', "utf-8")

    with pytest.raises(NarratorError, match="language: this must be an ISO 639 language code") as caught:
        narrator.load_deck(deck)

    assert ("bad_deck", f"{deck}:2") == (caught.value.code, caught.value.field)
