"""What a lexicon's file tells of a language. What it leaves out is empty, and is not judged."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from narrator.language.spelling import fold
from narrator.rules.model import LIST, Model
from narrator.rules.toml_file import read_packaged


def parted(by: str | None) -> BeforeValidator:
    """Read one text for a list: to parse each by itself takes three times as long as all else in the file."""
    return BeforeValidator(lambda told: [part.strip() for part in told.split(by)] if isinstance(told, str) else told)


WordList = Annotated[tuple[str, ...], LIST, parted(";")]
"""A list; or a text with semicolons, read faster, and faster still in ''': the parser looks for no escapes there."""

Folded = Annotated[frozenset[str], LIST, parted(";"), AfterValidator(lambda words: frozenset(map(fold, words)))]
"""The same where the order does not count, without case and accents."""


class Pronoun(Model):
    """The forms of a pronoun that may mean the one who acts."""

    subject: Folded = frozenset()
    object: Folded = frozenset()
    owner: Folded = frozenset()
    plural: bool = False
    direct: bool = False
    """Whether it can mean nobody else, as "you"."""

    @cached_property
    def forms(self) -> frozenset[str]:
        """All of them."""
        return self.subject | self.object | self.owner


class MechanicFile(Model):
    """What states a mechanic of one kind, and what only looks like that: it has to cover what was found."""

    says: WordList
    innocent: WordList = ()


class CuesFile(Model):
    """What says that a goal was missed, and what says that it was reached."""

    missed: WordList = ()
    reached: WordList = ()


class OutcomeFile(CuesFile):
    """The same of any goal; and what takes such words back, or only looks like them."""

    innocent: WordList = ()
    shields: dict[str, WordList] = {}


class GoalFile(CuesFile):
    """The same of one kind of goal: the verbs that it is told with, and what is said of it alone."""

    verbs: WordList


class AspectFile(Model):
    """What tells a sentence of narration from an aspect; `@start` stands before its first word."""

    title_case: bool = False
    """Whether titles have capitals where sentences have none."""
    links: Folded = frozenset()
    """What may stand between names."""
    narration: WordList = ()


class ApartFile(Model):
    """Endings that make two words of one stem."""

    these: WordList = ()
    those: WordList = ()


class LexiconFile(Model):
    """What is told of a language. What a file leaves out is empty, and is not judged."""

    stemmer: str = ""
    articles: Folded = frozenset()
    endings: WordList = ()
    undoing: Folded = frozenset()
    """Beginnings that turn what was done into what was not."""
    abbreviations: Folded = frozenset()
    clause_words: Folded = frozenset()
    numbers: Folded = frozenset()
    stop_words: Folded = frozenset()
    elisions: Folded = frozenset()
    """What stands before an apostrophe as a word of its own."""
    clitics: dict[str, str] = {}
    words: dict[str, str] = {}
    """Words that are read as others."""
    pronouns: Annotated[tuple[Pronoun, ...], LIST] = ()
    """In the order in which they are asked for."""
    forms: dict[str, str] = {}
    kin: dict[str, str] = {}
    """What a word counts as where a line is touched."""
    apart_endings: ApartFile = ApartFile()
    apart_words: dict[str, str] = {}
    lists: dict[str, WordList] = {}
    mechanics: dict[str, MechanicFile] = {}
    outcome: OutcomeFile = OutcomeFile()
    goals: dict[str, GoalFile] = {}
    aspect: AspectFile = AspectFile()


def lexicon_file(code: str) -> LexiconFile:
    """Join the files of a language, by its primary subtag: each tells parts of its own, and lists; none, nothing."""
    told = [read_packaged(LexiconFile, file) for file in _files(code)]
    parts: dict[str, Any] = {name: getattr(file, name) for file in told for name in file.model_fields_set}
    return LexiconFile(**{**parts, "lists": {name: words for file in told for name, words in file.lists.items()}})


def _files(code: str) -> Sequence[Traversable]:
    folder = files("narrator.language") / "lexicons"
    if not code:
        return []
    if (folder / code).is_dir():
        return sorted((folder / code).iterdir(), key=lambda file: file.name)
    return [folder / f"{code}.toml"] if (folder / f"{code}.toml").is_file() else []


def split_words(table: Mapping[str, str]) -> Mapping[str, WordList]:
    """Give for each word, folded, the words that it stands for."""
    return {fold(word): tuple(fold(meant).split()) for word, meant in table.items()}


def turned(table: Mapping[str, str]) -> Mapping[str, WordList]:
    """Turn a table from base to forms into one from form to bases."""
    bases: dict[str, WordList] = {}
    for base, forms in table.items():
        for form in fold(forms).split():
            bases[form] = (*bases.get(form, ()), fold(base))
    return bases
