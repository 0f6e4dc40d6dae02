"""Themes that a table may bar: which of them its lines and veils name, and the words of each."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from narrator.validation.stemming import stem

_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Theme:
    """
    How lines name a theme, as stems, and the words that touch it.
    """

    named: frozenset[str]
    words: tuple[str, ...]


@cache
def themes() -> Mapping[str, Theme]:
    """
    Read the themes that are known, by name.
    """
    read = tomllib.loads((files("narrator.validation") / "themes.toml").read_text("utf-8"))
    return {name: Theme(_stems(" ".join(each["named"])), tuple(each["words"])) for name, each in read.items()}


@lru_cache(maxsize=256)
def barred(lines: tuple[str, ...]) -> frozenset[str]:
    """
    Name the themes that lines and veils touch by a word: rather one too many than one too few. A word of a line is
    a theme too, so that a card may say one of a table's own.
    """
    said = frozenset(word for line in lines for word in _stems(line))
    own = frozenset(word.casefold() for line in lines for word in (line, *_WORD.findall(line)))
    return own | frozenset(name for name, theme in themes().items() if theme.named & said)


def spelt_out(line: str) -> Iterable[str]:
    """
    Give a line and the words of the theme that it is: of "spiders" also "tarantula". A line that says more than a
    theme's name, such as "harm to horses", is itself alone.
    """
    said = _stems(line)
    meant = (theme.words for theme in themes().values() if len(said) == 1 and said <= theme.named)
    return (line, *(word for words in meant for word in words))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem("english", word) for word in _WORD.findall(text.casefold()))
