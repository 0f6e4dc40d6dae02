"""Tells whether a text touches a line or veil of a table: its words, in any inflection, or what tells of its theme."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from narrator.language.folding import fold
from narrator.language.lexicon import Lexicon
from narrator.language.patterns import Found
from narrator.language.text import Text, by_stem
from narrator.language.tokens import sentences
from narrator.validation.spans import Spans
from narrator.validation.themes import fillers, meant_by, telling

_SHORT_WORD: Final = 3
"""Where a language has no lexicon, words of a line up to this length are not weighty, unless all are."""

_UNSPACED: Final = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts that write no blanks between words."""


@dataclass(frozen=True, slots=True)
class _Way:
    """
    Words that touch a line where a sentence has all of them; the stems of each.
    """

    line: str
    words: tuple[tuple[str, frozenset[str]], ...]
    themes: Set[str]


class Lines:
    """
    The lines and veils of a table, made ready once for all texts.

    A line of one word is touched by any inflection of it, one of several words where all that are weighty stand in
    one sentence; one that is a theme, such as "spiders", also by what tells of that theme, and not by what only
    looks like it. A language without a stemmer has the words as they are.
    """

    def __init__(self, lines: Iterable[str], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._ways: dict[str, list[_Way]] = {}
        """By a stem of its first word."""
        self._unspaced: dict[str, str] = {}
        self._themes: dict[str, str] = {}
        """The line that names each."""
        for line in dict.fromkeys(lines):
            self._add(line)

    def crossed_by(self, text: Text) -> str | None:
        """
        Give the line or veil that a text touches, None where it touches none.

        >>> from narrator.language.lexicon import load
        >>> english = load("en")
        >>> Lines(["hanging"], english).crossed_by(Text("She hears how they hanged him.", english))
        'hanging'
        >>> Lines(["ant"], english).crossed_by(Text("A giant!", english))
        """
        for part, line in self._unspaced.items():
            if part in text.folded:
                return line
        return next(self._crossed(text), None) if self._ways else None

    def _crossed(self, text: Text) -> Iterator[str]:
        found: Sequence[Found] = ()
        if self._themes:
            found = list(self._lexicon.find([word.keys for word in text.words], *map(telling, self._themes)))
        for said in text.said:
            for way in self._touched(said):
                if not (spans := _innocent(found, way.themes)) or self._is_left(way, text, spans):
                    yield way.line
        for each in found:
            if each.label in self._themes:
                innocent = Spans(_innocent(found, {each.label}), len(text.words))
                if not innocent.cover(each.start, each.end):
                    yield self._themes[each.label]

    def _touched(self, said: Mapping[str, Set[str]]) -> Iterator[_Way]:
        for stem in said.keys() & self._ways.keys():
            yield from (way for way in self._ways[stem] if self._has(way, said))

    def _has(self, way: _Way, said: Mapping[str, Set[str]]) -> bool:
        return all(self._is_said(word, said) for word in way.words)

    def _is_said(self, wanted: tuple[str, frozenset[str]], said: Mapping[str, Set[str]]) -> bool:
        word, stems = wanted
        same = {one for stem in stems for one in said.get(stem, ())}
        return any(not self._lexicon.apart(word, one) for one in same)

    def _is_left(self, way: _Way, text: Text, spans: Sequence[tuple[int, int]]) -> bool:
        """
        Tell whether a text touches a line also without what is innocent.
        """
        covered = {text.words[place].token.start for start, end in spans for place in range(start, end)}
        kept = ([token.word for token in each if token.start not in covered] for each in sentences(text.tokens))
        return any(self._has(way, by_stem(words, self._lexicon)) for words in kept)

    def _add(self, line: str) -> None:
        parts = [part for part in fold(line).replace(";", ",").replace("/", ",").split(",") if part.strip()]
        is_english = self._lexicon.language == "en"
        idle = self._lexicon.stop_words | fillers() if is_english else self._lexicon.stop_words
        words_of = {part: self._words(part) for part in parts}
        for part in [part for part in parts if words_of[part] - idle] or parts:
            if any(unicodedata.name(char, "").startswith(_UNSPACED) for char in part):
                self._unspaced[part.strip()] = line
                continue
            themes = meant_by(part) if is_english else frozenset[str]()
            for theme in themes:
                self._themes.setdefault(theme, line)
            for words in (words_of[part] - idle or words_of[part], {"".join(part.replace("-", " ").split())} - {""}):
                stems = tuple((word, self._lexicon.touching(word)) for word in sorted(words))
                way = _Way(line, stems, themes)
                for stem in way.words[0][1] if way.words else ():
                    self._ways.setdefault(stem, []).append(way)

    def _words(self, part: str) -> set[str]:
        """
        Give the words of a line; where a language has no lexicon, those that are long enough.
        """
        words = {token.word for token in Text(part, self._lexicon).tokens if token.kind == "word"}
        short = set() if self._lexicon.stop_words else {word for word in words if len(word) <= _SHORT_WORD}
        return words - short or words


def _innocent(found: Iterable[Found], themes: Iterable[str]) -> list[tuple[int, int]]:
    labels = {f"not {theme}" for theme in themes}
    return [(each.start, each.end) for each in found if each.label in labels]
