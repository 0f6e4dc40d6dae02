"""
Tells what a suggestion means where that is no matter of taste: whether it states a mechanic, takes back what the
roll decided, or touches one of the table's lines.

The words are in the lexicons, and where they leave a doubt the text passes. Pure, and linear in the text.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from narrator.validation.intents import read_intent
from narrator.validation.language import Lexicon, Word, load
from narrator.validation.outcomes import Telling
from narrator.validation.patterns import Patterns, Spans, find
from narrator.validation.stemming import base_code, stem, stemmer_of
from narrator.validation.subjects import mark
from narrator.validation.themes import spelt_out
from narrator.validation.tokens import Token, fold, runs, sentences, tokens

_SHORT_WORD = 3
"""Where a language has no lexicon, words of a line up to this length are not weighty, unless all are."""

_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts that write no blanks between words."""


# --- mechanics ------------------------------------------------------------------------------------------------------


def states_mechanic(text: str, lexicon: Lexicon) -> str | None:
    """
    Give the phrase of a text that states a mechanic, None where it states none.

    >>> lexicon = load("en")
    >>> states_mechanic("The guards gain a boost against her.", lexicon)
    'gain a boost'
    >>> states_mechanic("He boosts her onto the wall.", lexicon)
    """
    words = lexicon.read(text)
    return _phrase(text, words, _mechanics(words, lexicon, lexicon.mechanics.keys() - {"innocent"}))


def has_modifier(text: str, lexicon: Lexicon | None) -> bool:
    """
    Tell whether a text has a number as a modifier, such as "+2 to Stealth".
    """
    if lexicon is None:
        return any(token.kind == "signed" for token in tokens(text))
    return next(_mechanics(lexicon.read(text), lexicon, {"modifier"}), None) is not None


def _mechanics(words: Sequence[Word], lexicon: Lexicon, families: Set[str]) -> Iterator[tuple[int, int]]:
    keys = [word.keys for word in words]
    innocent = Spans(find(lexicon.mechanics.get("innocent", Patterns()), keys), len(keys))
    for family in sorted(families & lexicon.mechanics.keys()):
        for start, end in find(lexicon.mechanics[family], keys):
            if not innocent.overlaps(start, end):
                yield start, end


def _phrase(text: str, words: Sequence[Word], spans: Iterable[tuple[int, int]]) -> str | None:
    """
    Give the first span as it is written.
    """
    span = next(iter(spans), None)
    return None if span is None else text[words[span[0]].token.start : words[span[1] - 1].token.end].strip()


# --- outcomes -------------------------------------------------------------------------------------------------------


def contradicts(
    text: str, actor: str, attained: bool, lexicon: Lexicon, *, others: Iterable[str] = (), intent: str = ""
) -> str | None:
    """
    Give the phrase of a text that says of the actor the opposite of what the branch says, None where there is none.

    Args:
        actor: The name of the character whose goal it is.

        attained: Whether the goal is attained on the branch: True looks for words that say that it was missed.

        others: The names of the other characters, so that what is said of them is not taken for the actor.

        intent: What the actor set out to do, in a few words.

    >>> contradicts("Cynere fails to get through the gate.", "Cynere", True, load("en"))
    'Cynere fails to get through the gate'
    >>> contradicts("Cynere fails to notice the boy.", "Cynere", True, load("en"))
    """
    meant = read_intent(intent, lexicon)
    words = mark(lexicon.read(text, quoted=False), actor, others, meant, lexicon)
    span = Telling(words, meant, lexicon).against(attained)
    return None if span is None else text[words[span[0]].start : words[span[1] - 1].end].strip(" ,.;:!?")


# --- lines and veils ------------------------------------------------------------------------------------------------


def crosses(text: str, lines: Iterable[str], lexicon_or_language: Lexicon | str) -> str | None:
    """
    Give the line or veil that a text touches, None where it touches none.

    A line of one word is touched by any inflection of it, one of several words where all that are weighty stand in
    one sentence; one that is a theme, such as "spiders", also by the words of that theme. A language without a
    stemmer has the words as they are.

    >>> crosses("She hears how they hanged him.", ["hanging"], "en")
    'hanging'
    >>> crosses("A giant!", ["ant"], "en")
    """
    lexicon = load(lexicon_or_language) if isinstance(lexicon_or_language, str) else lexicon_or_language
    stemmer = lexicon.stemmer if lexicon else stemmer_of(str(lexicon_or_language))
    folded = fold(text)
    said = [_by_stem(_spelt(sentence), lexicon, stemmer) for sentence in sentences(_tokens(text, lexicon))]
    for line in lines:
        is_known = isinstance(lexicon_or_language, str)
        for part in _known_parts(line, str(lexicon_or_language)) if is_known else _parts(line, lexicon):
            in_text = part.unspaced is not None and part.unspaced in folded
            if in_text or any(_says(sentence, way, lexicon, stemmer) for sentence in said for way in part.ways):
                return line
    return None


@dataclass(frozen=True, slots=True)
class _Part:
    """
    One of the things that a line names: the words that touch it, or the letters where words have no blanks between.
    """

    ways: tuple[frozenset[str], ...] = ()
    unspaced: str | None = None


@lru_cache(maxsize=2_048)
def _known_parts(line: str, language: str) -> tuple[_Part, ...]:
    """
    Read a line of a language once: a table's lines are judged for every suggestion.
    """
    lexicon = load(language)
    lines = spelt_out(line) if base_code(language) == "en" else (line,)
    return tuple(part for each in lines for part in _parts(each, lexicon))


def _parts(line: str, lexicon: Lexicon | None) -> tuple[_Part, ...]:
    def read(part: str) -> _Part:
        if any(unicodedata.name(char, "").startswith(_UNSPACED) for char in part):
            return _Part(unspaced=part.strip())
        ways = (_weighty(part, lexicon), {"".join(part.replace("-", " ").split())} - {""})
        return _Part(ways=tuple(frozenset(way) for way in ways if way))

    return tuple(read(part) for part in fold(line).replace(";", ",").replace("/", ",").split(","))


def _tokens(text: str, lexicon: Lexicon | None) -> list[Token]:
    return tokens(text, lexicon.abbreviations if lexicon else frozenset())


def _spelt(sentence: Sequence[Token]) -> set[str]:
    """
    Give all words that a sentence may be read to hold, also those that were pulled apart.
    """
    words = {token.word for token in sentence if token.kind == "word"}
    return words | {part for word in words if "'" in word for part in word.split("'")} | set(runs(sentence))


def _by_stem(words: Iterable[str], lexicon: Lexicon | None, stemmer: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word in words:
        for key in lexicon.stems(word, kin=True) if lexicon else {stem(stemmer, word)}:
            found.setdefault(key, set()).add(word)
    return found


def _weighty(line: str, lexicon: Lexicon | None) -> set[str]:
    """
    Give the words of a line that make it what it is.
    """
    words = {token.word for token in tokens(line) if token.kind == "word"}
    light = lexicon.stop_words if lexicon else {word for word in words if len(word) <= _SHORT_WORD}
    return words - light or words


def _says(said: Mapping[str, Set[str]], wanted: Set[str], lexicon: Lexicon | None, stemmer: str) -> bool:
    """
    Tell whether a sentence, as words by their stems, holds all words that are wanted.
    """
    for word in wanted:
        same = {one for key in _by_stem([word], lexicon, stemmer) for one in said.get(key, ())}
        if not any(lexicon is None or not lexicon.apart(word, one) for one in same):
            return False
    return True
