"""A text that is judged: cut, folded and known once, whoever asks for what of it."""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from narrator.language.folding import fold
from narrator.language.lexicon import Lexicon, Word
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
        return tokens(self.written, self.lexicon.abbreviations, self.lexicon.language)

    @cached_property
    def words(self) -> Sequence[Word]:
        """Its words and marks with all that they are known by."""
        return self.lexicon.read(self.tokens)

    @cached_property
    def unquoted(self) -> Sequence[Word]:
        """Its words without what somebody in it says: a pause stands for what is in quotation marks, unless that is
        all.
        """
        if all(token.quoted or token.kind == "mark" for token in self.tokens):
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
    def said(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Its words by their stems, each with where it begins: also those that were pulled apart, and by the stems of
        those that a word counts as where a line is touched.
        """
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
        """What is left of its wording without case, accents, punctuation and articles; a hyphen is a blank. An article
        that nothing follows stays, and so does a wording of nothing but signs.
        """
        words = bare_words(self.folded)
        articles = self.lexicon.articles
        kept = [
            word for word, behind in zip(words, [*words[1:], ""], strict=False) if word not in articles or not behind
        ]
        return tuple(kept or words or self.folded.split())


def bare_words(folded: str) -> list[str]:
    """Give the words of a folded text without punctuation and other signs."""
    if folded.isascii():
        return folded.translate(_ASCII).split()
    return "".join(map(_spoken, folded)).split()


def _spoken(char: str) -> str:
    if char.isalnum():
        return char
    if char in _APOSTROPHES:
        return ""
    return " " if unicodedata.category(char)[0] in "PSZ" else char
