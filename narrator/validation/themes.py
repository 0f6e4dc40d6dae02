"""What lines and veils mean besides their words: the themes that they name, and families of words, such as collarbone
and rib for a bone.
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
"""After these, both words joined by "and" belong to the words before: "harm to women and children"."""

_FIRST_LETTERS: Final = 3
"""Letters that words of one stem share, so that few words have to be stemmed."""

WordSet = Annotated[frozenset[str], LIST, parted(None)]


class Theme(Model):
    """What touches a theme. `themes.toml` explains the notation of each field."""

    words: str = ""
    says: str = ""
    innocent: str = ""


class ThemesFile(Model):
    """The file of themes."""

    fillers: WordSet
    """Words without a meaning of their own in a line, such as "please"."""
    notes: WordSet
    """Words that may stand next to a theme's name, such as "hate". Alone they are a line."""
    named: dict[Name, str]
    """The names of each theme in lines."""
    lists: dict[str, str]
    themes: dict[Name, Theme]


class WordFamily(Model):
    """A family's names in lines, and its words in texts, separated by commas."""

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
    """Name the themes that lines and veils may mean: rather one too many than one too few. Each word of a line also
    counts as a theme, so that cards can name a table's own themes.
    """
    own = frozenset(word.casefold() for line in lines for word in (line, *_WORD.findall(line)))
    said = [(words, _stems(words)) for words in map(_words, map(fold, lines))]
    named = (name for words, stems in said for name, wording in _candidates(words) if wording <= stems)
    return own.union(named)


def meant_by(part: str) -> Set[str]:
    """Name the themes that a folded part of a line means. None if it says more, such as "harm to horses at night".

    >>> sorted(meant_by("no snakes or rats please!"))
    ['rats', 'snakes']
    """
    meant = _named_by(part)
    pieces = [] if OF_BOTH.search(part) else [_named_by(piece) for piece in AND.split(part)]
    return frozenset(meant).union(*pieces) if all(pieces) else meant


@cache
def telling(name: str) -> Patterns:
    """Give the patterns that touch a theme, labelled with its name. Lookalikes are labelled "not" and its name."""
    theme = themes_file().themes[name]
    words = (" ".join(f"~{word}" for word in _WORD.findall(entry)) for entry in _entries(theme.words))
    says, innocent = ([_spelt_out(entry) for entry in _entries(text)] for text in (theme.says, theme.innocent))
    return Patterns(load("en").notation, {name: [*words, *says], f"not {name}": innocent})


def said_of(name: str) -> list[str]:
    """List words that alone touch a theme."""
    return _entries(themes_file().themes[name].words)


@cache
def families_file() -> FamiliesFile:
    """Read the file of families."""
    return read_packaged(FamiliesFile, files("narrator.validation") / "families.toml")


def family_of(word: str) -> str | None:
    """Name the family of a folded word of a line. None if it has none.

    >>> family_of("fractured"), family_of("marla")
    ('broken', None)
    """
    known = ((root, *each) for root in load("en").stems(word) for each in _families().get(root[:1], ()))
    return next((name for root, base, name in known if stem("english", base) == root), None)


def said_for(family: str) -> list[str]:
    """List the words of a family in texts."""
    return _entries(families_file().families[family].words)


@cache
def standing_for(family: str) -> Patterns:
    """Give the patterns of a family's words, labelled "kin" and its name."""
    said = (entry.replace("-", " ").replace("'s", " 's") for entry in said_for(family))
    words = [" ".join(f"~{word}" if word.isalpha() else word for word in entry.split()) for entry in said]
    return Patterns(load("en").notation, {f"kin {family}": words})


@cache
def idioms() -> Patterns:
    """Give the patterns of idioms in which dark words are harmless, labelled `idiom`."""
    written = (files("narrator.validation") / "idioms.txt").read_text("utf-8")
    return Patterns(load("en").notation, {"idiom": _entries(written.replace("'s", " 's"))})


def _named_by(part: str) -> Set[str]:
    said = _words(part)
    stems = _stems(said)
    return {name for name, wording in _candidates(said) if wording == stems}


def _candidates(said: Sequence[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the themes that words may name, each with the stems of one of its names."""
    for start in {word[:_FIRST_LETTERS] for word in said}:
        yield from ((name, _stems(words)) for name, words in _wordings().get(start, ()))


@cache
def _wordings() -> Mapping[str, Sequence[tuple[str, Sequence[str]]]]:
    """All names of themes, by the first letters of their first word."""
    found = defaultdict[str, list[tuple[str, Sequence[str]]]](list)
    for name, named in themes_file().named.items():
        for words in map(_words, (name.replace("_", " "), *_entries(named))):
            found[words[0][:_FIRST_LETTERS]].append((name, words))
    return found


def _words(text: str) -> Sequence[str]:
    """Give the words of a folded text in base form, without fillers and notes unless there are no others."""
    lemmas, words, file = load("en").lemmas, _WORD.findall(text), themes_file()
    named = [word for word in words if word not in file.fillers and word not in file.notes]
    return [lemmas.get(word, (word,))[0] for word in named or words]


def _stems(words: Sequence[str]) -> frozenset[str]:
    return frozenset(stem("english", word) for word in words)


def _spelt_out(pattern: str) -> str:
    """Replace the file's lists in a pattern. Those of the language stay."""
    lists = themes_file().lists
    return _LIST.sub(lambda found: _spelt_out(lists.get(found[1], "")) or found[0], " ".join(pattern.split()))


@cache
def _families() -> Mapping[str, Sequence[tuple[str, str]]]:
    """The names of families and their base forms, each with its family, by first letter, which stemming keeps."""
    lemmas, found = load("en").lemmas, defaultdict[str, list[tuple[str, str]]](list)
    for name, family in families_file().families.items():
        for word in map(fold, _entries(family.named)):
            for base in (word, *lemmas.get(word, ())):
                found[base[0]].append((base, name))
    return found


def _entries(text: str) -> list[str]:
    return [" ".join(entry.split()) for entry in text.split(",") if entry.strip()]
