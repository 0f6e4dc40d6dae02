"""The stems of the words that lexicons ask for, made ready for `narrator/language/stems.json` by their stemmers."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from narrator.language.folding import fold
from narrator.language.lexicon import Lexicon
from narrator.language.lexicon_file import lexicon_file
from narrator.language.stemming import stemmed
from narrator.validation.themes import themes_file

LANGUAGES = sorted(file.name.removesuffix(".toml") for file in (files("narrator.language") / "lexicons").iterdir())


def stems() -> str:
    """By the stemmer, each word with its stem."""
    found: dict[str, dict[str, str]] = {}
    for code in LANGUAGES:
        lexicon = Lexicon(code, lexicon_file(code))
        words = {*asked(lexicon.told.model_dump()), *lexicon.stop_words, *lexicon.clause_words, *lexicon.numbers}
        words |= {verb for goal in lexicon.told.goals.values() for verb in map(fold, goal.verbs)}
        words |= set(themed()) if code == "en" else set()
        found[lexicon.stemmer] = {word: stemmed(lexicon.stemmer, word) for word in sorted(words)}
    return f"{json.dumps(found, ensure_ascii=False, indent=0)}\n"


def themed() -> Iterator[str]:
    """The words of themes: those that touch them, and those that lines name them by."""
    told = themes_file()
    yield from asked(told.model_dump())
    for text in (*told.named.values(), *(theme.words for theme in told.themes.values())):
        yield from map(fold, re.findall(r"[^\W\d_]+", text))


def asked(told: Any) -> Iterator[str]:
    """The words behind a `~`, wherever they stand."""
    if isinstance(told, str):
        yield from map(fold, re.findall(r"~([^\s/?<>~]+)", told))
    elif isinstance(told, dict):
        for each in told.values():
            yield from asked(each)
    elif isinstance(told, tuple | list):
        for each in told:
            yield from asked(each)
