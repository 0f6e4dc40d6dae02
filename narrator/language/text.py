"""A text to judge: it is cut, folded and read only once. Also finds the places of words in it."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import accumulate
from typing import Final

from narrator.language.lexicon import Lexeme, Lexicon
from narrator.language.lexicon_file import WordList
from narrator.language.spelling import fold
from narrator.language.tokens import Token, runs, sentences, tokens

_APOSTROPHES: Final = frozenset("'.")
_ASCII: Final = {code: None if chr(code) in _APOSTROPHES else " " for code in range(128) if not chr(code).isalnum()}


class Text:
    """A text in the language of a lexicon."""

    def __init__(self, written: str, lexicon: Lexicon) -> None:
        self.written = written
        self.lexicon = lexicon

    @cached_property
    def folded(self) -> str:
        """The text without case, accents and disguises."""
        return fold(self.written)

    @cached_property
    def tokens(self) -> Sequence[Token]:
        return tokens(self.written, self.lexicon.told.abbreviations, self.lexicon.language)

    @cached_property
    def words(self) -> Sequence[Lexeme]:
        """Its words and marks with all their keys."""
        return self.lexicon.read(self.tokens)

    @cached_property
    def unquoted(self) -> Sequence[Lexeme]:
        """Its words, with a pause in place of each quotation. If all is quoted, all words."""
        if all(token.quoted or token.kind == "mark" for token in self.tokens):
            return self.words
        kept: list[Lexeme] = []
        was_quoted = False
        for word in self.words:
            if not word.token.quoted:
                kept.append(word)
            elif not was_quoted:
                pause = Token(",", word.token.start, word.token.end, "mark")
                kept.append(Lexeme(pause.word, self.lexicon.mark_keys(pause.word), pause))
            was_quoted = word.token.quoted
        return kept

    @cached_property
    def said(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Its words and their places, by the stems with which they may touch a line. Includes words pulled apart."""
        found: dict[str, list[tuple[str, int]]] = {}
        for sentence in sentences(self.tokens):
            words = [(token.word, token.start) for token in sentence if token.kind == "word"]
            parts = [(part, start) for word, start in words if "'" in word for part in word.split("'")]
            for word, start in (*words, *parts, *runs(sentence)):
                for stem in self.lexicon.touching(word):
                    found.setdefault(stem, []).append((word, start))
        return found

    @cached_property
    def key(self) -> tuple[str, ...]:
        """Its words without case, accents, punctuation and articles. A hyphen is a blank. A last word stays even if it
        is an article, and a text of only signs stays as it is.
        """
        words = bare_words(self.folded)
        articles = self.lexicon.told.articles
        kept = [
            word for word, behind in zip(words, [*words[1:], ""], strict=False) if word not in articles or not behind
        ]
        return tuple(kept or words or self.folded.split())


def digest(key: tuple[str, ...]) -> str:
    """Return a digest of a wording's `key`, to recognise it without storing its words."""
    return sha256(" ".join(key).encode()).hexdigest()[:16]


def bare_words(folded: str) -> list[str]:
    """Return the words of a folded text, without punctuation and other signs."""
    if folded.isascii():
        return folded.translate(_ASCII).split()
    return "".join(map(_spoken, folded)).split()


def _spoken(char: str) -> str:
    if char.isalnum():
        return char
    if char in _APOSTROPHES:
        return ""
    return " " if unicodedata.category(char)[0] in "PSZ" else char


def whole(text: Text) -> Sequence[Lexeme]:
    """Return the words of a text. Several that spell a word of the list `apart` become one, with the key `%` and that
    word.

    This joins words that were pulled apart: "in-vo-ca-tion", "Ste alth", "s.t.r.e.s.s", "f r e e".
    """
    terms = text.lexicon.told.lists.get("apart", ())
    beginnings = _beginnings(terms)
    words, place = list(text.words), 0
    while place < len(words):
        if words[place].text in beginnings:
            end, spelt = _spelt(words, place, terms, beginnings)
            if spelt:
                token = words[place].token._replace(end=words[end - 1].token.end)
                trick = f"%{spelt}"
                known = text.lexicon.keys(spelt, False) | {trick} | text.lexicon.lists_of(trick)
                words[place:end] = [Lexeme(spelt, known, token)]
        place += 1
    return words


def _spelt(words: Sequence[Lexeme], place: int, terms: WordList, beginnings: frozenset[str]) -> tuple[int, str]:
    """Find the longest listed word spelt from a place on. Return its end and the word."""
    spelt, best = words[place].text, (place, "")
    for end in range(place + 2, len(words) + 1):
        spelt += words[end - 1].text
        if spelt in terms:
            best = end, spelt
        if spelt not in beginnings:
            break
    return best


@lru_cache(maxsize=16)
def _beginnings(terms: WordList) -> frozenset[str]:
    return frozenset(term[:length] for term in terms for length in range(1, len(term)))


class Spans:
    """Spans of words in a text, each up to before its end. Built once for many fast lookups."""

    def __init__(self, spans: Iterable[tuple[int, int]], length: int) -> None:
        self._first_end = [length + 1] * (length + 2)
        """For each place, the earliest end of a span that starts there or later."""
        self._last_end = [0] * (length + 2)
        """For each place, the latest end of a span that starts there or earlier."""
        for start, end in spans:
            self._first_end[start] = min(self._first_end[start], end)
            self._last_end[start] = max(self._last_end[start], end)
        self._first_end = [*accumulate(reversed(self._first_end), min)][::-1]
        self._last_end = [*accumulate(self._last_end, max)]

    def within(self, low: int, high: int) -> bool:
        """Tell whether a span lies between two places."""
        return low < high and self._first_end[low] <= high

    def cover(self, start: int, end: int) -> bool:
        """Tell whether one span covers all words between two places."""
        return self._last_end[start] >= end
