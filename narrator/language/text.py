"""A text that is judged: cut, folded and known once, whoever asks for what of it."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cached_property
from typing import Final

from narrator.language.folding import fold
from narrator.language.lexicon import Lexicon, Word
from narrator.language.tokens import Token, runs, sentences, tokens

_APOSTROPHES: Final = frozenset("'.")
_ASCII: Final = {code: None if chr(code) in _APOSTROPHES else " " for code in range(128) if not chr(code).isalnum()}


class Text:
    """
    A text in the language of a lexicon.
    """

    def __init__(self, written: str, lexicon: Lexicon) -> None:
        self.written = written
        self.lexicon = lexicon

    @cached_property
    def folded(self) -> str:
        """
        The text without case, accents and disguises.
        """
        return fold(self.written)

    @cached_property
    def tokens(self) -> Sequence[Token]:
        return tokens(self.written, self.lexicon.abbreviations, self.lexicon.language)

    @cached_property
    def words(self) -> Sequence[Word]:
        """
        Its words and marks with all that they are known by.
        """
        return self.lexicon.read(self.tokens)

    @cached_property
    def unquoted(self) -> Sequence[Word]:
        """
        Its words without what somebody in it says: a pause stands for what is in quotation marks. Where nobody
        speaks, as far as the language has words for that, quotation marks are only marks.
        """
        if not any(token.quoted for token in self.tokens):
            return self.words
        speaks = any("<speaker>" in word.keys for word in self.words if not word.token.quoted)
        if "speaker" in self.lexicon.told.lists and not speaks:
            return self.words
        kept: list[Word] = []
        was_quoted = False
        for word in self.words:
            if not word.token.quoted:
                kept.append(word)
            elif not was_quoted:
                pause = Token(",", word.token.start, word.token.end, "mark")
                kept.append(Word(pause.word, self.lexicon.mark_keys(pause.word), pause))
            was_quoted = word.token.quoted
        return kept

    @cached_property
    def said(self) -> Sequence[Mapping[str, Set[str]]]:
        """
        For each sentence its words by their stems, also those that were pulled apart, and those that a word counts
        as where a line is touched.
        """
        return self.said_without(frozenset())

    def said_without(self, places: Set[int]) -> Sequence[Mapping[str, Set[str]]]:
        """
        Give the same without the words that begin at some places of the text.
        """
        found: list[Mapping[str, Set[str]]] = []
        for sentence in sentences(self.tokens):
            kept = [token for token in sentence if token.start not in places]
            words = {token.word for token in kept if token.kind == "word"}
            parts = {part for word in words if "'" in word for part in word.split("'")}
            found.append(_by_stem(words | parts | set(runs(kept)), self.lexicon))
        return found

    @cached_property
    def key(self) -> tuple[str, ...]:
        """
        What is left of its wording without case, accents, punctuation and articles; a hyphen is a blank. An article
        that nothing follows stays, and so does a wording of nothing but signs.
        """
        words = bare_words(self.folded)
        articles = self.lexicon.articles
        kept = [
            word for word, behind in zip(words, [*words[1:], ""], strict=False) if word not in articles or not behind
        ]
        return tuple(kept or words or self.folded.split())


def _by_stem(words: Iterable[str], lexicon: Lexicon) -> dict[str, set[str]]:
    """
    Sort words by their stems and those of the words that they count as where a line is touched.
    """
    found: dict[str, set[str]] = {}
    for word in words:
        for stem in lexicon.touching(word):
            found.setdefault(stem, set()).add(word)
    return found


def bare_words(folded: str) -> list[str]:
    """
    Give the words of a folded text without punctuation and other signs.
    """
    if folded.isascii():
        return folded.translate(_ASCII).split()
    return "".join(map(_spoken, folded)).split()


def _spoken(char: str) -> str:
    if char.isalnum():
        return char
    if char in _APOSTROPHES:
        return ""
    return " " if unicodedata.category(char)[0] in "PSZ" else char
