"""What lines and veils mean beside their words: the themes that they name and what touches each, and families of words,
such as collarbone and rib for a bone.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache
from importlib.resources import files
from typing import Annotated, Final

from narrator.language.lexicon import load
from narrator.language.lexicon_file import parted
from narrator.language.patterns import Patterns
from narrator.language.spelling import fold, stem
from narrator.rules.model import LIST, Model, Name
from narrator.rules.toml_file import read_packaged

_WORD: Final = re.compile(r"[^\W\d_]+")
_LIST: Final = re.compile(r"<(\w+)>")
AND: Final = re.compile(r"\b(?:and|or|plus)\b|[&+]")
OF_BOTH: Final = re.compile(r"\b(?:to|of|against|towards?|on|by)\b")
"""Behind these, what is joined by "and" belongs to the words before: "harm to women and children"."""

_FIRST_LETTERS: Final = 3
"""Words of one stem have these in common, so that few have to be brought to it."""

WordSet = Annotated[frozenset[str], LIST, parted(None)]


class Theme(Model):
    """What touches a theme; the file of them tells how each part is written."""

    words: str = ""
    says: str = ""
    innocent: str = ""


class ThemesFile(Model):
    """The file of them."""

    fillers: WordSet
    """Words that say nothing of their own in a line, such as "please"."""
    notes: WordSet
    """Words that a line may have beside the name of its theme, such as "hate"; by themselves they bar."""
    named: dict[Name, str]
    """How lines name each theme."""
    lists: dict[str, str]
    themes: dict[Name, Theme]


class WordFamily(Model):
    """What one family is called in lines, and what a text says for it, each between commas."""

    named: str
    words: str


class FamiliesFile(Model):
    """The file of families."""

    families: dict[Name, WordFamily]


@cache
def themes_file() -> ThemesFile:
    """Read the file of themes."""
    return read_packaged(ThemesFile, files("narrator.validation") / "themes.toml")


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
    """Name the themes that a folded part of a line is; none for one that says more, such as "harm to horses at night".

    >>> sorted(meant_by("no snakes or rats please!"))
    ['rats', 'snakes']
    """
    meant = _named_by(part)
    pieces = [] if OF_BOTH.search(part) else [_named_by(piece) for piece in AND.split(part)]
    return frozenset(meant).union(*pieces) if all(pieces) else meant


@cache
def telling(name: str) -> Patterns:
    """Give what touches a theme, by its name, and by "not" and its name what only looks like that."""
    theme = themes_file().themes[name]
    words = (" ".join(f"~{word}" for word in _WORD.findall(entry)) for entry in _entries(theme.words))
    says, innocent = ([_spelt_out(entry) for entry in _entries(text)] for text in (theme.says, theme.innocent))
    return Patterns(load("en").notation, {name: [*words, *says], f"not {name}": innocent})


def said_of(name: str) -> list[str]:
    """List words that tell of a theme by themselves."""
    return _entries(themes_file().themes[name].words)


@cache
def families_file() -> FamiliesFile:
    """Read the file."""
    return read_packaged(FamiliesFile, files("narrator.validation") / "families.toml")


def family_of(word: str) -> str | None:
    """Name the family that a folded word of a line stands for, None where it stands for itself alone.

    >>> family_of("fractured"), family_of("marla")
    ('broken', None)
    """
    known = ((root, *each) for root in load("en").stems(word) for each in _families().get(root[:1], ()))
    return next((name for root, base, name in known if stem("english", base) == root), None)


def said_for(family: str) -> list[str]:
    """List what a text says for a family."""
    return _entries(families_file().families[family].words)


@cache
def standing_for(family: str) -> Patterns:
    """Give what a text says for a family, found as "kin" and its name."""
    said = (entry.replace("-", " ").replace("'s", " 's") for entry in said_for(family))
    words = [" ".join(f"~{word}" if word.isalpha() else word for word in entry.split()) for entry in said]
    return Patterns(load("en").notation, {f"kin {family}": words})


@cache
def idioms() -> Patterns:
    """Give the idioms in which dark words do not mean what they say, found as `idiom`."""
    written = (files("narrator.validation") / "idioms.txt").read_text("utf-8")
    return Patterns(load("en").notation, {"idiom": _entries(written.replace("'s", " 's"))})


def _named_by(part: str) -> Set[str]:
    said = _words(part)
    stems = _stems(said)
    return {name for name, wording in _candidates(said) if wording == stems}


def _candidates(said: Sequence[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the themes that may be named by words, each with the stems of one wording of its name."""
    for start in {word[:_FIRST_LETTERS] for word in said}:
        yield from ((name, _stems(words)) for name, words in _wordings().get(start, ()))


@cache
def _wordings() -> Mapping[str, Sequence[tuple[str, Sequence[str]]]]:
    """The wordings of all names, by how their first word begins."""
    found = defaultdict[str, list[tuple[str, Sequence[str]]]](list)
    for name, named in themes_file().named.items():
        for words in map(_words, (name.replace("_", " "), *_entries(named))):
            found[words[0][:_FIRST_LETTERS]].append((name, words))
    return found


def _words(text: str) -> Sequence[str]:
    """Give the words of a folded text that name something, unless all are idle; irregular forms as what they are of."""
    lemmas, words, file = load("en").lemmas, _WORD.findall(text), themes_file()
    named = [word for word in words if word not in file.fillers and word not in file.notes]
    return [lemmas.get(word, (word,))[0] for word in named or words]


def _stems(words: Sequence[str]) -> frozenset[str]:
    return frozenset(stem("english", word) for word in words)


def _spelt_out(pattern: str) -> str:
    """Put the lists of the file into a pattern; those of the language stay."""
    lists = themes_file().lists
    return _LIST.sub(lambda found: _spelt_out(lists.get(found[1], "")) or found[0], " ".join(pattern.split()))


@cache
def _families() -> Mapping[str, Sequence[tuple[str, str]]]:
    """The words that lines use, and what those are forms of, with their families, by first letter: stems keep it."""
    lemmas, found = load("en").lemmas, defaultdict[str, list[tuple[str, str]]](list)
    for name, family in families_file().families.items():
        for word in map(fold, _entries(family.named)):
            for base in (word, *lemmas.get(word, ())):
                found[base[0]].append((base, name))
    return found


def _entries(text: str) -> list[str]:
    return [" ".join(entry.split()) for entry in text.split(",") if entry.strip()]
