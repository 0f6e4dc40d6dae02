"""
Loads what is known of a language: its lexicon, a file of `lexicon/`, and the stemmer that brings words together.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from threading import Lock
from types import MappingProxyType
from typing import Any, Final

import snowballstemmer  # type: ignore[import-untyped, unused-ignore]

from narrator.validation.patterns import MARK, Notation, Pattern
from narrator.validation.tokens import Token, fold, tokens

_STEMMERS: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish",
    "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
_LONGEST_STEMMED: Final = 40
"""A longer word is its own stem: no language needs more, and it keeps stemming linear."""

_LARGEST_MODIFIER: Final = 10
"""Two past the end of the ladder; what is larger is a temperature or a year."""

_CODE: Final = re.compile(r"[a-z]{2,3}")
_DIE: Final = re.compile(r"\d{0,3}d(?:4|6|8|10|12|20|100|f)|\d{1,3}df")
_TITLE_SHARE: Final = 0.6
_locks: Final = Lock()


@dataclass(frozen=True, slots=True)
class Word:
    """
    A token and all that patterns may know it by.
    """

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

    missed: tuple[Pattern, ...] = ()
    reached: tuple[Pattern, ...] = ()


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

    mechanics: Mapping[str, tuple[Pattern, ...]]
    outcome: Cues
    shields: Mapping[str, tuple[Pattern, ...]]
    innocent: tuple[Pattern, ...]
    goals: Mapping[str, Goal]
    narration: tuple[Pattern, ...]
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
                read.append(Word(self._mark_keys(token), token))
            else:
                for part in self._parts(token.word):
                    read.append(Word(self._word_keys(part, capital=token.capital and tells and not first), token))
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

    def _word_keys(self, word: str, *, capital: bool) -> frozenset[str]:
        keys = {word, *(f"~{one}" for one in self.stems(word))}
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


def base_code(language: str) -> str:
    """
    Give the code of a language without its region, an empty string for what is no code.
    """
    code = fold(language[:40]).strip().replace("_", "-").split("-", 1)[0]
    return code if _CODE.fullmatch(code) else ""


def stemmer_of(language: str) -> str:
    """
    Name the stemmer of a language, an empty string where there is none.
    """
    return _STEMMERS.get(base_code(language), "")


@lru_cache(maxsize=16384)
def stem(stemmer: str, word: str) -> str:
    """
    Bring a folded word to its stem; without a stemmer it is its own.
    """
    if not stemmer or len(word) > _LONGEST_STEMMED:
        return word
    with _locks:  # a stemmer keeps the word it works on in itself
        return str(_stemmer(stemmer).stemWord(word))


@cache
def _stemmer(name: str) -> Any:
    return snowballstemmer.stemmer(name)


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
    lemmas = _turned(data.get("forms", {}))

    def stem_keys(word: str) -> frozenset[str]:
        return frozenset({f"~{stem(stemmer, word)}"})

    notation = Notation(data.get("sets", {}), data.get("phrases", {}), stem_keys, fold)
    outcome = data.get("outcome", {})
    return Lexicon(
        language=language,
        stemmer=stemmer,
        articles=_folded(data.get("articles", ())),
        abbreviations=_folded(data.get("abbreviations", ())),
        stop_words=_folded(data.get("stop_words", ())),
        clause_words=_folded(data.get("clause_words", ())),
        numbers=_folded(data.get("numbers", ())),
        endings=tuple(data.get("endings", ())),
        words=_split(data.get("words", {})),
        clitics=_split(data.get("clitics", {})),
        lemmas=lemmas,
        kin=_turned(data.get("kin", {})),
        apart_endings=(
            _folded(data.get("apart_endings", {}).get("these", ())),
            _folded(data.get("apart_endings", {}).get("those", ())),
        ),
        apart_words=_split(data.get("apart_words", {})),
        pronouns=tuple(
            Pronoun(
                *(_folded(one.get(part, ())) for part in ("subject", "object", "owner")),
                one.get("plural", False),
                one.get("direct", False),
            )
            for one in data.get("pronouns", ())
        ),
        sets=MappingProxyType({name: notation.keys("{" + name + "}") for name in notation.sets}),
        mechanics=MappingProxyType(
            {name: notation.compile(texts) for name, texts in data.get("mechanics", {}).items()}
        ),
        outcome=_cues(outcome, notation),
        shields=MappingProxyType({name: notation.compile(texts) for name, texts in outcome.get("shields", {}).items()}),
        innocent=notation.compile(outcome.get("innocent", ())),
        goals=MappingProxyType(
            {
                name: Goal(
                    frozenset(key for verb in goal["verbs"] for key in stem_keys(fold(verb))),
                    _cues(goal, notation),
                    goal.get("needs_intent", False),
                )
                for name, goal in data.get("goals", {}).items()
            }
        ),
        narration=notation.compile(data.get("aspect", {}).get("narration", ())),
        links=_folded(data.get("aspect", {}).get("links", ())),
        title_case=data.get("aspect", {}).get("title_case", False),
    )


def _cues(table: Mapping[str, Any], notation: Notation) -> Cues:
    return Cues(notation.compile(table.get("missed", ())), notation.compile(table.get("reached", ())))


def _folded(words: Sequence[str]) -> frozenset[str]:
    return frozenset(map(fold, words))


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
