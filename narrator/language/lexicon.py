"""The lexicon of a language, from a file in `lexicons/`, or from a folder there if it is large."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from narrator.language.lexicon_file import CuesFile, LexiconFile, WordList, lexicon_file, split_words, turned
from narrator.language.patterns import MARK, Found, Matcher, Notation, Patterns
from narrator.language.spelling import STEMMERS, stem, undisguised
from narrator.language.tokens import Token, capitals_tell
from narrator.rules.request.language_tag import primary

_LARGEST_MODIFIER: Final = 10
"""Two past the end of the ladder. A larger number is a temperature or a year."""

_MOST_KNOWN: Final = 20_000
"""The most words of a language whose keys are cached."""

_MOST_LANGUAGES: Final = 24
"""The most lexicons kept in memory: more than tables use, and far fewer than ISO 639 has."""

GoalCue = Literal["missed", "reached"]
"""What a text may say about a goal."""

_DIE: Final = re.compile(r"\d{0,3}d(?:4|6|8|10|12|20|100|f)|\d{1,3}df")


class Lexeme(NamedTuple):
    """A token with all keys that patterns may use for it."""

    text: str
    """The folded word without a contraction: "she" of "she's"."""
    keys: frozenset[str]
    token: Token


@dataclass(frozen=True, slots=True)
class GoalVerbs:
    """A kind of goal: the stems of its verbs, as keys, and the patterns that say it was missed or reached."""

    verbs: frozenset[str]
    cues: Mapping[GoalCue, Patterns]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """One language, as its file describes it. Each part is prepared on first use. All threads share it: its caches only
    grow, and losing an entry costs only time.
    """

    language: str
    """The primary subtag of the language."""
    told: LexiconFile
    _matcher: Matcher = field(default_factory=Matcher, init=False, repr=False)

    @property
    def judges_mechanics(self) -> bool:
        """Whether it has patterns for mechanics."""
        return bool(self.told.mechanics)

    @property
    def judges_outcomes(self) -> bool:
        """Whether it has patterns for reached and missed goals."""
        return bool(self.told.outcome.missed or self.told.outcome.reached)

    @cached_property
    def stemmer(self) -> str:
        """The name of its stemmer. Empty: none."""
        return self.told.stemmer or STEMMERS.get(self.language, "")

    @cached_property
    def lemmas(self) -> Mapping[str, WordList]:
        """The base words of irregular forms."""
        return turned(self.told.forms)

    @cached_property
    def pronouns(self) -> frozenset[str]:
        """All forms of all pronouns."""
        return frozenset[str]().union(*(each.forms for each in self.told.pronouns))

    @cached_property
    def single_pronouns(self) -> frozenset[str]:
        """Forms that mean one person, not only the person addressed."""
        single = [each for each in self.told.pronouns if not each.plural and not each.direct]
        return frozenset[str]().union(*(each.subject | each.object for each in single))

    @cached_property
    def notation(self) -> Notation:
        """The notation of its patterns."""
        return Notation(self.told.lists, lambda word: stem(self.stemmer, word))

    @cached_property
    def mechanics(self) -> Patterns:
        """The patterns that state a mechanic, by kind, and those that are `innocent`."""
        told = self.told.mechanics
        says = {name: each.says for name, each in told.items()}
        innocent = tuple(text for each in told.values() for text in each.innocent)
        return Patterns(self.notation, {**says, "innocent": innocent})

    @cached_property
    def outcome(self) -> Mapping[GoalCue, Patterns]:
        """The patterns that say of any goal that it was missed or reached, labelled `any`."""
        return self._sides(self.told.outcome, "any")

    def _sides(self, told: CuesFile, label: str) -> Mapping[GoalCue, Patterns]:
        sides: Mapping[GoalCue, WordList] = {"missed": told.missed, "reached": told.reached}
        return {side: Patterns(self.notation, {label: says}) for side, says in sides.items()}

    @cached_property
    def shields(self) -> Patterns:
        """The patterns that take such words back, by their place, and those that are `innocent`."""
        return Patterns(self.notation, {**self.told.outcome.shields, "innocent": self.told.outcome.innocent})

    @cached_property
    def goals(self) -> Mapping[str, GoalVerbs]:
        """The kinds of goal, each with the patterns that say it was `missed` or `reached`."""
        return MappingProxyType(
            {
                name: GoalVerbs(
                    verbs=frozenset(self.notation.key(f"~{verb}") for verb in each.verbs),
                    cues=self._sides(each, "kind"),
                )
                for name, each in self.told.goals.items()
            }
        )

    @cached_property
    def goal_verbs(self) -> frozenset[str]:
        """The stems of all goals' verbs, as keys."""
        return frozenset[str]().union(*(goal.verbs for goal in self.goals.values()))

    @cached_property
    def narration(self) -> Patterns:
        """The patterns at the beginning of a sentence of narration."""
        return Patterns(self.notation, {"narration": self.told.aspect.narration})

    def find(self, words: Sequence[frozenset[str]], *patterns: Patterns) -> Iterator[Found]:
        """Yield the matches of patterns in words. The words are given by their keys."""
        return self._matcher.find(patterns, words)

    def places(self, words: Sequence[frozenset[str]], *patterns: Patterns) -> Mapping[str, Sequence[tuple[int, int]]]:
        """Give the places of matches, by label."""
        found: dict[str, list[tuple[int, int]]] = {}
        for label, start, end in self.find(words, *patterns):
            found.setdefault(label, []).append((start, end))
        return found

    def stems(self, word: str) -> frozenset[str]:
        """Give the stems of a folded word."""
        return frozenset(stem(self.stemmer, one) for one in (word, *self.lemmas.get(word, ())))

    @cached_property
    def touching(self) -> Callable[[str], frozenset[str]]:
        """Gives the stems of a folded word, and of the words that it counts as for lines."""
        return lru_cache(_MOST_KNOWN)(
            lambda word: self.stems(word).union(stem(self.stemmer, one) for one in self._kin.get(word, ()))
        )

    def apart(self, one: str, other: str) -> bool:
        """Tell whether two words are different although they share a stem, such as "ants" and "ante"."""
        if other in self._apart_words.get(one, ()) or one in self._apart_words.get(other, ()):
            return True
        root = stem(self.stemmer, one)
        if not (one.startswith(root) and other.startswith(root)):
            return False
        endings = one.removeprefix(root), other.removeprefix(root)
        these, those = self.told.apart_endings.these, self.told.apart_endings.those
        return (endings[0] in these and endings[1] in those) or (endings[1] in these and endings[0] in those)

    @cached_property
    def marked_lists(self) -> Mapping[str, frozenset[str]]:
        """The lists that contain keys such as `@whose`, which a word gets by its meaning."""
        return {key: names for key, names in self.notation.lists_of.items() if key[0] == "@"}

    def lists_of(self, key: str) -> frozenset[str]:
        """Return the lists that contain a key, as keys."""
        return self.notation.lists_of.get(key, frozenset())

    def read(self, found: Sequence[Token]) -> list[Lexeme]:
        """Return the words of tokens, with all their keys."""
        tells = capitals_tell(found)
        read: list[Lexeme] = []
        first = True
        for token in found:
            if token.kind != "word":
                read.append(Lexeme(token.word, self.mark_keys(token.word), token))
            else:
                capital = token.capital and tells and not first
                parts = self._parts(token.word) if "'" in token.word or token.word in self._read_as else (token.word,)
                read += [Lexeme(part, self.keys(part, capital), token) for part in parts]
            first = token.ends_sentence
        return read

    @cached_property
    def keys(self) -> Callable[[str, bool], frozenset[str]]:
        """Gives all keys of a folded word. The second argument: whether it has a meaningful capital."""
        return lru_cache(_MOST_KNOWN)(self._keys)

    @cached_property
    def kin_of(self) -> Mapping[str, frozenset[str]]:
        """For each stem, the words that count as it for lines."""
        found: dict[str, set[str]] = {}
        for word, others in self._kin.items():
            for other in others:
                found.setdefault(stem(self.stemmer, other), set()).add(word)
        return {one: frozenset(words) for one, words in found.items()}

    @cached_property
    def _kin(self) -> Mapping[str, WordList]:
        return turned(self.told.kin)

    @cached_property
    def _apart_words(self) -> Mapping[str, WordList]:
        return split_words(self.told.apart_words)

    @cached_property
    def _read_as(self) -> Mapping[str, WordList]:
        return split_words(self.told.words)

    @cached_property
    def _clitics(self) -> Mapping[str, WordList]:
        return split_words(self.told.clitics)

    def _parts(self, word: str) -> WordList:
        """Return the words of a token: itself, or the words of a contraction."""
        if word in self._read_as:
            return self._read_as[word]
        if "'" in word:
            for ending, meant in self._clitics.items():
                if word.endswith(ending) and len(word) > len(ending):
                    return (word.removesuffix(ending), *meant)
            *elided, rest = word.split("'")
            if elided and all(each in self.told.elisions for each in elided):
                return (*elided, *self._read_as.get(rest, (rest,)))
        return (word,)

    @cached_property
    def mark_keys(self) -> Callable[[str], frozenset[str]]:
        """Gives all keys of a mark, or of a signed number."""
        return lru_cache(_MOST_KNOWN)(self._mark_keys)

    def _mark_keys(self, mark: str) -> frozenset[str]:
        is_modifier = mark[1:].isdecimal() and int(mark[1:]) <= _LARGEST_MODIFIER
        keys = {mark, "%signed"} if is_modifier else {mark} if mark[1:].isdecimal() else {mark, MARK, "$"}
        return self._with_lists(keys)

    def _with_lists(self, keys: set[str]) -> frozenset[str]:
        return frozenset(keys.union(*(self.lists_of(key) for key in keys)))

    def _keys(self, word: str, capital: bool) -> frozenset[str]:
        keys = {word, *(f"~{one}" for one in self.stems(word))}
        for other in undisguised(word):
            keys |= {other, f"~{stem(self.stemmer, other)}", f"%{other}"}
        if not word.isalpha() and _DIE.fullmatch(word) and not (capital and word[0] == "d"):
            keys.add("%die")
        if word.isdecimal() or word in self.told.numbers:
            keys.add("#")
        keys.update(f"*{end}" for end in self.told.endings if word.endswith(end) and len(word) > len(end) + 2)
        if word in self.told.clause_words:
            keys.add("$")
        known = self._with_lists({*keys, "*"})
        return known | {f"^{key}" for key in known} if capital else known


@lru_cache(maxsize=_MOST_LANGUAGES)
def load(language: str) -> Lexicon:
    """Return the lexicon of a language. "en-GB" gets that of "en". Without a file it is empty, apart from a stemmer.

    >>> load("en-GB") is load("en")
    True
    >>> load("../../etc/passwd").judges_mechanics
    False
    """
    return _load(primary(language))


@lru_cache(maxsize=_MOST_LANGUAGES)
def _load(code: str) -> Lexicon:
    return Lexicon(code, lexicon_file(code))
