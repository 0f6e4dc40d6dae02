"""Holds every pattern and word of the lexicons, and the patterns of themes, to being able to find something."""

import copy
import re
from collections import Counter
from typing import Any

import pytest

from narrator.language.lexicon import Lexicon, load
from narrator.language.lexicon_file import LexiconFile
from narrator.validation.themes import telling, themes_file
from tests.language.sound import LANGUAGES, Sound, Told

FAMILIES = {
    family
    for family, times in Counter(name for code in LANGUAGES for name in load(code).told.mechanics).items()
    if times > 1
}
"""What only one language has is misspelt, or belongs into another family."""

THEMES = themes_file()


def told_by_themes() -> Told:
    """The patterns of all themes, with the lists of their file put in."""
    said = ((name, texts) for name in THEMES.themes for texts in telling(name).texts.values())
    return [(f"themes.toml, {name}", text) for name, texts in said for text in texts]


def faults(lexicon: Lexicon, themes: Told = ()) -> list[str]:
    return list(Sound(lexicon, FAMILIES, load("en").told.outcome.shields.keys()).faults(themes))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_a_lexicon_says_can_find_something(language: str) -> None:
    """Each part is known, each list is used, and each item of each pattern means something."""
    found = faults(load(language), told_by_themes() if language == "en" else ())

    assert not found, f"in the lexicon of {language} this finds nothing:\n" + "\n".join(found)


def test_every_theme_has_a_name_and_words_and_every_list_of_them_is_used() -> None:
    """What touches a theme stands under a name that lines are known to use, and no list is left over."""
    said = " ".join((*THEMES.lists.values(), *(f"{theme.says} {theme.innocent}" for theme in THEMES.themes.values())))

    assert THEMES.themes.keys() == THEMES.named.keys()
    assert set(re.findall(r"<(\w+)>", said)) >= THEMES.lists.keys()


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("family", {"mechanics": {"turns": {"says": ["# turns"]}}}, "mechanics.turns: no such family; there are boost, "),
    ("shield", {"outcome": {"shields": {"befor": ["not"]}}}, "outcome.shields.befor: no such place; there are after_"),
    ("unclosed list", {"says": ["<gain ..1 boost !of"]}, "'<gain': a list is written <name>"),
    ("unknown list", {"says": ["<gains> boost"]}, "'<gains>': no list is called so; there are again, "),
    (
        "unknown sign",
        {"says": ["boost %foo"]},
        "'%foo' has to be %signed, %die, or % with a word of the list apart: fate",
    ),
    ("who in a mechanic", {"says": ["@actor boost"]}, "'@actor' is asked for only in outcome, goals and aspect"),
    ("nobody", {"outcome": {"missed": ["@hero fails"]}}, "'@hero' means nobody and nothing; there are @actor, "),
    ("hyphen", {"says": ["stress-box"]}, "'stress-box' is no single word: a text has 'stress box' there"),
    ("contraction", {"says": ["can't boost"]}, "\"can't\" is no single word: a text has 'can not' there"),
    ("stem of nothing", {"says": ["~ gain boost"]}, "'' is no single word: there is no word"),
    ("ending", {"says": ["*ing boost"]}, "'*ing' has to be * alone, or * with one of the endings: ly"),
    ("wide gap", {"says": ["gain ..12 boost"]}, "'..12' is no single word"),
    ("barred and missing", {"says": ["boost !of?"]}, "'!of?' is barred or may be missing, not both"),
    ("barred as one of these", {"says": ["boost up/!*"]}, "'!*' is no single word"),
    ("nothing asked for", {"says": ["..2 boost?"]}, "the pattern '..2 boost?' requires no word"),
    ("rows barred", {"says": ["boost !<again>"]}, "no list of single words is called '<again>'"),
    ("unused list", {"lists": {"spare": ["boost"]}}, "lists.spare: no pattern has <spare>"),
    ("bar in a list", {"says": ["<bar>"], "lists": {"bar": ["!boost"]}}, "'!boost' finds nothing alone"),
    ("row of words", {"stop_words": ["at all"]}, "stop_words: 'at all': 'at all' is no single word"),
    ("accent in apart", {"lists": {"apart": ["fate", "zügig"]}}, "lists.apart: 'zügig' has to be written as 'zugig'"),
    ("stemmer", {"stemmer": "svenska"}, "stemmer: 'svenska' is none; there are arabic, "),
    ("no stemmer", {"stemmer": ""}, "stemmer: to have words by their stems, name one; there are arabic, "),
]


@pytest.mark.parametrize(("told", "fault"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_what_finds_nothing_is_named(told: dict[str, Any], fault: str) -> None:
    """What is misspelt, or written as the notation does not know it, is told with its part and pattern."""
    says = ["<gain> <again>? boost %fate", "boosted !of/*ly", "# boosts $", "at ^good 's |"]
    lists = {"gain": ["~gain"], "again": ["once again"], "apart": ["fate"]}
    right: dict[str, Any] = {"stemmer": "english", "endings": ["ly"], "words": {"can't": "can not"}}
    right |= {"clitics": {"'s": "'s"}, "mechanics": {"boost": {"says": says}}, "lists": lists}
    assert not faults(Lexicon("xx", LexiconFile.model_validate(right)))

    wrong = copy.deepcopy(right)
    for part, more in told.items():
        if part == "says":
            wrong["mechanics"]["boost"]["says"] += more
        elif isinstance(more, dict):
            wrong[part] = {**wrong.get(part, {}), **more}
        else:
            wrong[part] = more
    (found,) = faults(Lexicon("xx", LexiconFile.model_validate(wrong)))
    assert fault in found
