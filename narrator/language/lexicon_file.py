"""The file of a lexicon. Missing parts are empty, and are not judged."""

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
    """Accept a text in place of a list, split at `by`. Parsing each item as TOML would take most of the time."""
    return BeforeValidator(lambda told: [part.strip() for part in told.split(by)] if isinstance(told, str) else told)


WordList = Annotated[tuple[str, ...], LIST, parted(";")]
"""A list, or a text with semicolons, which is read faster. It is fastest in ''', where the parser needs no escapes."""

Folded = Annotated[frozenset[str], LIST, parted(";"), AfterValidator(lambda words: frozenset(map(fold, words)))]
"""A word list without order, case and accents."""


class Pronoun(Model):
    """The forms of a pronoun that may mean the actor."""

    subject: Folded = frozenset()
    object: Folded = frozenset()
    owner: Folded = frozenset()
    plural: bool = False
    direct: bool = False
    """Whether it can mean only the actor, as "you"."""

    @cached_property
    def forms(self) -> frozenset[str]:
        """All forms."""
        return self.subject | self.object | self.owner


class MechanicFile(Model):
    """Patterns that state one kind of mechanic, and innocent ones. An innocent match must cover the other."""

    says: WordList
    innocent: WordList = ()


class CuesFile(Model):
    """Patterns that say a goal was missed, and patterns that say it was reached."""

    missed: WordList = ()
    reached: WordList = ()


class OutcomeFile(CuesFile):
    """Patterns about any goal, shields that take them back, and innocent lookalikes."""

    innocent: WordList = ()
    shields: dict[str, WordList] = {}


class GoalFile(CuesFile):
    """Patterns about one kind of goal, and the verbs of its intents."""

    verbs: WordList


class AspectFile(Model):
    """What distinguishes narration from aspects. In patterns, `@start` is before the first word."""

    title_case: bool = False
    """Whether the words of titles have capitals."""
    links: Folded = frozenset()
    """Words that may stand between names."""
    narration: WordList = ()


class ApartFile(Model):
    """Endings that make different words of one stem."""

    these: WordList = ()
    those: WordList = ()


class LexiconFile(Model):
    """A language. Missing parts are empty, and are not judged."""

    stemmer: str = ""
    articles: Folded = frozenset()
    endings: WordList = ()
    undoing: Folded = frozenset()
    """Prefixes that reverse a verb."""
    abbreviations: Folded = frozenset()
    clause_words: Folded = frozenset()
    numbers: Folded = frozenset()
    stop_words: Folded = frozenset()
    elisions: Folded = frozenset()
    """Words that stand before an apostrophe."""
    clitics: dict[str, str] = {}
    words: dict[str, str] = {}
    """Words that are read as other words."""
    pronouns: Annotated[tuple[Pronoun, ...], LIST] = ()
    """In the order in which they are tried."""
    forms: dict[str, str] = {}
    kin: dict[str, str] = {}
    """The words that a word counts as for lines."""
    apart_endings: ApartFile = ApartFile()
    apart_words: dict[str, str] = {}
    lists: dict[str, WordList] = {}
    mechanics: dict[str, MechanicFile] = {}
    outcome: OutcomeFile = OutcomeFile()
    goals: dict[str, GoalFile] = {}
    aspect: AspectFile = AspectFile()


def lexicon_file(code: str) -> LexiconFile:
    """Join the files of a language, by its primary subtag. Each has its own parts, and lists. Without files it is
    empty."""
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
    """Give the words that each folded word stands for."""
    return {fold(word): tuple(fold(meant).split()) for word, meant in table.items()}


def turned(table: Mapping[str, str]) -> Mapping[str, WordList]:
    """Turn a table from base to forms into a table from form to bases."""
    bases: dict[str, WordList] = {}
    for base, forms in table.items():
        for form in fold(forms).split():
            bases[form] = (*bases.get(form, ()), fold(base))
    return bases
