"""Families of words: what a word of a line stands for in company, such as collarbone and rib for a bone."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from narrator.language.folding import fold
from narrator.language.lexicon import load
from narrator.language.patterns import Patterns
from narrator.rules.model import Model, Name
from narrator.rules.toml_file import read_packaged


class Family(Model):
    """What one family is called in lines, and what a text says for it, each between commas."""

    named: str
    words: str


class FamiliesFile(Model):
    """The file of them."""

    families: dict[Name, Family]


@cache
def families_file() -> FamiliesFile:
    """Read the file."""
    return read_packaged(FamiliesFile, files("narrator.validation") / "families.toml")


def family_of(word: str) -> str | None:
    """Name the family that a folded word of a line stands for, None where it stands for itself alone.

    >>> family_of("fractured"), family_of("marla")
    ('broken', None)
    """
    return next((name for stem in load("en").stems(word) if (name := _named().get(stem)) is not None), None)


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


@cache
def _named() -> Mapping[str, str]:
    """By the stem of a word that lines use, its family."""
    lexicon, found = load("en"), dict[str, str]()
    for name, family in families_file().families.items():
        for word in _entries(family.named):
            for stem in lexicon.stems(fold(word)):
                found.setdefault(stem, name)
    return found


def _entries(text: str) -> list[str]:
    return [" ".join(entry.split()) for entry in text.split(",") if entry.strip()]
