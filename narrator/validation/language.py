"""
Loads what is known of a language: its lexicon, a file of `lexicon/`.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from narrator.validation.patterns import MARK, Notation, Patterns
from narrator.validation.stemming import base_code, stem
from narrator.validation.tokens import Token, fold, tokens

_LARGEST_MODIFIER: Final = 10
"""Two past the end of the ladder; what is larger is a temperature or a year."""

_DIE: Final = re.compile(r"\d{0,3}d(?:4|6|8|10|12|20|100|f)|\d{1,3}df")
_TITLE_SHARE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Word:
    """
    A token and all that patterns may know it by.
    """

    text: str
    """Folded, and without what is glued to it: "she" of "she's"."""

    keys: frozenset[str]
    token: Token


@dataclass(frozen=True, slots=True)
class Pronoun:
    """
    The forms of a pronoun that may mean the one who acts.
    """

    subject: frozenset[str]
    object: frozenset[str]
    owner: frozenset[str]
    plural: bool
    direct: bool
    """Whether it can mean nobody else, as "you"."""


@dataclass(frozen=True, slots=True)
class Cues:
    """
    What says that a goal was missed, and what says that it was reached.
    """

    missed: Patterns = field(default_factory=Patterns)
    reached: Patterns = field(default_factory=Patterns)


@dataclass(frozen=True, slots=True)
class Goal:
    """
    A kind of goal: the verbs it is told with, and what is said of it alone.
    """

    verbs: frozenset[str]
    cues: Cues
    needs_intent: bool
    """Whether its cues count only where the intent is known to be of this kind."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """
    One language, as its file tells it.
    """

    language: str
    stemmer: str
    articles: frozenset[str]
    abbreviations: frozenset[str]
    stop_words: frozenset[str]
    clause_words: frozenset[str]
    numbers: frozenset[str]
    endings: tuple[str, ...]
    undoing: tuple[str, ...]
    """Beginnings that turn what was done into what was not."""

    words: Mapping[str, tuple[str, ...]]
    """Words that are read as others."""

    clitics: Mapping[str, tuple[str, ...]]
    lemmas: Mapping[str, tuple[str, ...]]
    kin: Mapping[str, tuple[str, ...]]
    """What a word counts as where a line is touched."""

    apart_endings: tuple[frozenset[str], frozenset[str]]
    apart_words: Mapping[str, tuple[str, ...]]
    pronouns: tuple[Pronoun, ...]
    sets: Mapping[str, frozenset[str]]
    """The sets of words, as keys."""

    mechanics: Mapping[str, Patterns]
    outcome: Cues
    shields: Mapping[str, Patterns]
    innocent: Patterns
    goals: Mapping[str, Goal]
    narration: Patterns
    """What an aspect that is a sentence of narration begins with; `@start` stands before its first word."""

    links: frozenset[str]
    title_case: bool
    """Whether titles have capitals where sentences have none."""

    def stems(self, word: str, *, kin: bool = False) -> frozenset[str]:
        """
        Give the stems of a folded word; with `kin` also those of the words it counts as where a line is touched.
        """
        others = self.lemmas.get(word, ()) + (self.kin.get(word, ()) if kin else ())
        return frozenset(stem(self.stemmer, one) for one in (word, *others))

    def apart(self, one: str, other: str) -> bool:
        """
        Tell whether two words are not the same though they have one stem, such as "ants" and "ante".
        """
        if other in self.apart_words.get(one, ()) or one in self.apart_words.get(other, ()):
            return True
        root = stem(self.stemmer, one)
        if not (one.startswith(root) and other.startswith(root)):
            return False
        endings = one.removeprefix(root), other.removeprefix(root)
        these, those = self.apart_endings
        return (endings[0] in these and endings[1] in those) or (endings[1] in these and endings[0] in those)

    def read(self, text: str, *, quoted: bool = True) -> list[Word]:
        """
        Cut a text into words with all their keys; `quoted` tells whether what stands in quotation marks is read too.
        """
        found = tokens(text, self.abbreviations, quoted=quoted)
        tells = _capitals_tell(found)
        read: list[Word] = []
        first = True
        for token in found:
            if token.kind != "word":
                read.append(Word(token.word, self._mark_keys(token), token))
            else:
                capital = token.capital and tells and not first
                read += [Word(part, self._word_keys(part, capital), token) for part in self._parts(token.word)]
            first = token.ends_sentence
        return read

    def _parts(self, word: str) -> tuple[str, ...]:
        """
        Give the words that one token holds: itself, or what a contraction stands for.
        """
        if word in self.words:
            return self.words[word]
        if "'" in word:
            for ending, meant in self.clitics.items():
                if word.endswith(ending) and len(word) > len(ending):
                    return (word.removesuffix(ending), *meant)
        return (word,)

    def _mark_keys(self, token: Token) -> frozenset[str]:
        if token.kind == "mark":
            return frozenset({token.word, MARK, "$"})
        small = abs(int(token.word[1:])) <= _LARGEST_MODIFIER
        return frozenset({token.word, "%signed" if small else "%large"})

    def _word_keys(self, word: str, capital: bool) -> frozenset[str]:
        keys = {word, "*", *(f"~{one}" for one in self.stems(word))}
        if capital:
            keys |= {f"^{word}", "^*"}
        if word in self.clause_words:
            keys.add("$")
        if word.isdecimal() or word in self.numbers:
            keys.add("#")
        if _DIE.fullmatch(word) and not (capital and word[0] == "d"):
            keys.add("%die")
        keys.update(f"*{ending}" for ending in self.endings if word.endswith(ending) and len(word) > len(ending) + 2)
        return frozenset(keys)


def load(language: str) -> Lexicon | None:
    """
    Give the lexicon of a language, None where there is none; "en-GB" is served by "en".

    >>> load("en-GB") is load("en")
    True
    >>> load("../../etc/passwd")
    """
    code = base_code(language)
    return _load(code) if code else None


@cache
def _load(code: str) -> Lexicon | None:
    file = files("narrator.validation").joinpath("lexicon", f"{code}.toml")
    if not file.is_file():
        return None
    return assemble(code, tomllib.loads(file.read_text(encoding="utf-8")))


def assemble(language: str, data: Mapping[str, Any]) -> Lexicon:
    """
    Make a lexicon of what its file holds.

    Raises:
        ValueError: For a pattern that cannot be read.
    """
    stemmer: str = data.get("stemmer", "")

    def stem_keys(word: str) -> frozenset[str]:
        return frozenset({f"~{stem(stemmer, word)}"})

    def words(name: str, table: Mapping[str, Any] = data) -> frozenset[str]:
        return frozenset(map(fold, table.get(name, ())))

    notation = Notation(data.get("sets", {}), data.get("phrases", {}), stem_keys, fold)
    outcome, aspect, apart = (data.get(name, {}) for name in ("outcome", "aspect", "apart_endings"))
    goals = {
        name: Goal(
            verbs=frozenset(key for verb in words("verbs", goal) for key in stem_keys(verb)),
            cues=_cues(goal, notation),
            needs_intent=goal.get("needs_intent", False),
        )
        for name, goal in data.get("goals", {}).items()
    }
    return Lexicon(
        language=language,
        stemmer=stemmer,
        articles=words("articles"),
        abbreviations=words("abbreviations"),
        stop_words=words("stop_words"),
        clause_words=words("clause_words"),
        numbers=words("numbers"),
        endings=tuple(data.get("endings", ())),
        undoing=tuple(data.get("undoing", ())),
        words=_split(data.get("words", {})),
        clitics=_split(data.get("clitics", {})),
        lemmas=_turned(data.get("forms", {})),
        kin=_turned(data.get("kin", {})),
        apart_endings=(words("these", apart), words("those", apart)),
        apart_words=_split(data.get("apart_words", {})),
        pronouns=tuple(
            Pronoun(
                subject=words("subject", one),
                object=words("object", one),
                owner=words("owner", one),
                plural=one.get("plural", False),
                direct=one.get("direct", False),
            )
            for one in data.get("pronouns", ())
        ),
        sets=MappingProxyType({name: notation.keys("{" + name + "}") for name in notation.sets}),
        mechanics=_compiled(data.get("mechanics", {}), notation),
        outcome=_cues(outcome, notation),
        shields=_compiled(outcome.get("shields", {}), notation),
        innocent=notation.compile(outcome.get("innocent", ())),
        goals=MappingProxyType(goals),
        narration=notation.compile(aspect.get("narration", ())),
        links=words("links", aspect),
        title_case=aspect.get("title_case", False),
    )


def _cues(table: Mapping[str, Any], notation: Notation) -> Cues:
    return Cues(notation.compile(table.get("missed", ())), notation.compile(table.get("reached", ())))


def _compiled(table: Mapping[str, Sequence[str]], notation: Notation) -> Mapping[str, Patterns]:
    return MappingProxyType({name: notation.compile(texts) for name, texts in table.items()})


def _split(table: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType({fold(word): tuple(fold(meant).split()) for word, meant in table.items()})


def _turned(table: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """
    Turn a table from base to forms into one from form to bases.
    """
    bases: dict[str, tuple[str, ...]] = {}
    for base, forms in table.items():
        for form in fold(forms).split():
            bases[form] = (*bases.get(form, ()), fold(base))
    return MappingProxyType(bases)


def _capitals_tell(found: Sequence[Token]) -> bool:
    """
    Tell whether a capital means anything in a text: not where it is a title, or all in capitals.
    """
    inner = [token for token in found[1:] if token.kind == "word" and len(token.word) > 3]
    return not inner or sum(token.capital for token in inner) < _TITLE_SHARE * len(inner)
