"""Themes that a table may bar: which of them its lines and veils name, and what touches each."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from narrator.language.folding import fold
from narrator.language.lexicon import load
from narrator.language.patterns import Patterns
from narrator.language.stemming import stem
from narrator.rules.model import Model, Name
from narrator.rules.toml_file import read_packaged

_WORD: Final = re.compile(r"[^\W\d_]+")
_LIST: Final = re.compile(r"<(\w+)>")
AND: Final = re.compile(r"\b(?:and|or|plus)\b|[&+]")
OF_BOTH: Final = re.compile(r"\b(?:to|of|against|towards?|on|by)\b")
"""Behind these, what is joined by "and" belongs to the words before: "harm to women and children"."""

_FIRST_LETTERS: Final = 3
"""Words of one stem have these in common, so that few have to be brought to it."""


class Theme(Model):
    """What touches a theme; the file of them tells how each part is written."""

    words: str = ""
    says: str = ""
    innocent: str = ""


class ThemesFile(Model):
    """The file of them, or some of its parts."""

    fillers: str = ""
    notes: str = ""
    named: dict[Name, str] = {}
    lists: dict[str, str] = {}
    themes: dict[Name, Theme] = {}


class _Parts:
    """Tells of each line of the file, one after the other, whether it stands in one of some parts; "" is its
    beginning.
    """

    def __init__(self, *parts: str) -> None:
        self._parts = parts
        self._part = ""

    def __call__(self, line: str) -> bool:
        if line.startswith("["):
            self._part = line.strip("[]")
        return self._part in self._parts


def themes_file(*parts: str) -> ThemesFile:
    """Read parts of the file; none named: all of it."""
    return read_packaged(ThemesFile, files("narrator.validation") / "themes.toml", _Parts(*parts) if parts else None)


@cache
def themes() -> Mapping[str, str]:
    """Give the themes that are known, and how lines name each."""
    return themes_file("named").named


@lru_cache(maxsize=256)
def barred(lines: tuple[str, ...]) -> frozenset[str]:
    """Name the themes that lines and veils touch by their words: rather one too many than one too few. A word of a
    line is a theme too, so that a card may say one of a table's own.
    """
    own = frozenset(word.casefold() for line in lines for word in (line, *_WORD.findall(line)))
    said = [(words, _stems(words)) for words in map(_words, map(fold, lines))]
    named = (name for words, stems in said for name, wording in _candidates(words) if wording <= stems)
    return own.union(named)


def meant_by(part: str) -> Set[str]:
    """Name the themes that a line is, folded, or a part of one between commas; none for one that says more than a
    theme's name, such as "harm to horses at night".

    >>> sorted(meant_by("no snakes or rats please!"))
    ['rats', 'snakes']
    """
    meant = _named_by(part)
    pieces = [] if OF_BOTH.search(part) else [_named_by(piece) for piece in AND.split(part)]
    return frozenset(meant).union(*pieces) if all(pieces) else meant


@cache
def fillers() -> frozenset[str]:
    """Give the words that say nothing of their own in a line, such as "please"."""
    return frozenset(themes_file("").fillers.split())


@cache
def notes() -> Set[str]:
    """Give the words that a line may have beside the name of its theme, such as "hate"; by themselves they bar."""
    return frozenset(themes_file("").notes.split())


@cache
def telling(name: str) -> Patterns:
    """Give what touches a theme, by its name, and by "not" and its name what only looks like that."""
    theme = themes_file(f"themes.{name}").themes.get(name, Theme())
    words = (" ".join(f"~{word}" for word in _WORD.findall(entry)) for entry in _entries(theme.words))
    says, innocent = ([_spelt_out(entry) for entry in _entries(text)] for text in (theme.says, theme.innocent))
    return Patterns(load("en").notation, {name: [*words, *says], f"not {name}": innocent})


def said_of(name: str) -> list[str]:
    """List words that tell of a theme by themselves."""
    return list(_entries(themes_file(f"themes.{name}").themes.get(name, Theme()).words))


def _named_by(part: str) -> Set[str]:
    said = _words(part)
    stems = _stems(said)
    return {name for name, wording in _candidates(said) if wording == stems}


def _candidates(said: Sequence[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the themes that may be named by words, each with the stems of one wording of its name."""
    index = _index()
    for start in {word[:_FIRST_LETTERS] for word in said}:
        yield from index.get(start, ())


@cache
def _index() -> Mapping[str, Sequence[tuple[str, frozenset[str]]]]:
    """The stems of the wordings of all names, by how their first word begins."""
    index: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for name, named in themes().items():
        for entry in (name.replace("_", " "), *_entries(named)):
            words = _words(entry)
            index.setdefault(words[0][:_FIRST_LETTERS], []).append((name, _stems(words)))
    return index


def _words(text: str) -> Sequence[str]:
    """Give the words of a folded text that name something, unless all are idle; irregular forms as what they are of."""
    lemmas, words = load("en").lemmas, _WORD.findall(text)
    named = [word for word in words if word not in fillers() and word not in notes()]
    return [lemmas.get(word, (word,))[0] for word in named or words]


def _stems(words: Sequence[str]) -> frozenset[str]:
    return frozenset(stem("english", word) for word in words)


def _entries(text: str) -> Sequence[str]:
    return [entry for part in text.split(",") if (entry := part.strip())]


def _spelt_out(pattern: str) -> str:
    """Put the lists of the file into a pattern; those of the language stay."""
    return _LIST.sub(lambda found: _spelt_out(_lists().get(found[1], "")) or found[0], " ".join(pattern.split()))


@cache
def _lists() -> Mapping[str, str]:
    return themes_file("lists").lists
