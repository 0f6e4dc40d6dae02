"""Themes that a table may bar: which of them its lines and veils name, and the words of each."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Annotated

from narrator.language.stemming import stem
from narrator.rules.model import LIST, Model, Name
from narrator.rules.toml_file import read_packaged

_WORD = re.compile(r"[^\W\d_]+")


class Theme(Model):
    """
    How lines name a theme, and the words that touch it.
    """

    named: Annotated[tuple[Name, ...], LIST]
    words: Annotated[tuple[Name, ...], LIST]

    @cached_property
    def stems(self) -> frozenset[str]:
        """
        Those of the words that name it.
        """
        return _stems(" ".join(self.named))


class ThemesFile(Model):
    """
    The file of them.
    """

    themes: dict[Name, Theme]


@cache
def themes() -> Mapping[str, Theme]:
    """
    Read the themes that are known, by name.
    """
    return read_packaged(ThemesFile, files("narrator.validation") / "themes.toml").themes


@lru_cache(maxsize=256)
def barred(lines: tuple[str, ...]) -> frozenset[str]:
    """
    Name the themes that lines and veils touch by a word: rather one too many than one too few. A word of a line is
    a theme too, so that a card may say one of a table's own.
    """
    said = frozenset(word for line in lines for word in _stems(line))
    own = frozenset(word.casefold() for line in lines for word in (line, *_WORD.findall(line)))
    return own | frozenset(name for name, theme in themes().items() if theme.stems & said)


def spelt_out(line: str) -> Iterable[str]:
    """
    Give a line and the words of the theme that it is: of "spiders" also "tarantula". A line that says more than a
    theme's name, such as "harm to horses", is itself alone.
    """
    said = _stems(line)
    meant = (theme.words for theme in themes().values() if len(said) == 1 and said <= theme.stems)
    return (line, *(word for words in meant for word in words))


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem("english", word) for word in _WORD.findall(text.casefold()))
