"""Tells whether a text touches a line or veil of a table: its words, in any inflection, or what tells of its theme."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from narrator.language.folding import fold
from narrator.language.lexicon import Lexicon
from narrator.language.text import Text
from narrator.validation.spans import Spans
from narrator.validation.themes import fillers, meant_by, telling

_SHORT_WORD: Final = 3
"""Where a language has no lexicon, words of a line up to this length are not weighty, unless all are."""

_PULLED_APART: Final = 3
"""Letters by themselves that may spell a word."""

_UNSPACED: Final = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts that write no blanks between words."""


_Stemmed = tuple[tuple[str, frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class _Way:
    """
    Words that touch a line where a sentence has all of them; the stems of each.
    """

    line: str
    words: _Stemmed
    themes: frozenset[str]


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
        self._known: set[tuple[_Stemmed, frozenset[str]]] = set()
        self._unspaced: dict[str, str] = {}
        self._themes: dict[str, str] = {}
        """The line that names each."""
        self._order = {line: place for place, line in enumerate(dict.fromkeys(lines))}
        for line in self._order:
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
        crossed = {line for part, line in self._unspaced.items() if part in text.folded}
        if self._ways:
            crossed.update(self._crossed(text))
        return min(crossed, key=self._order.__getitem__, default=None)

    def _crossed(self, text: Text) -> Iterator[str]:
        found: dict[str, list[tuple[int, int]]] = {}
        if self._themes:
            keys = [word.keys for word in text.words]
            for label, start, end in self._lexicon.find(keys, *map(telling, self._themes)):
                found.setdefault(label, []).append((start, end))
        yield from (self._themes[theme] for theme in self._themes if _is_told(theme, found, len(text.words)))
        touched = {way for said in text.said for way in self._touched(said)} if self._may_be_touched_by(text) else ()
        left: dict[frozenset[str], Sequence[Mapping[str, Set[str]]]] = {}
        for way in touched:
            if way.themes not in left:
                left[way.themes] = text.said_without(_innocent(way.themes, found, text))
            if any(self._has(way, said) for said in left[way.themes]):
                yield way.line

    def _may_be_touched_by(self, text: Text) -> bool:
        """
        Rule out, at little cost, a text that is written plainly and has no word of any line.
        """
        words = [token for token in text.tokens if token.kind == "word"]
        single = sum(len(token.word) == 1 for token in words)
        is_plain = single < _PULLED_APART and all(token.spaced and "'" not in token.word for token in words)
        return not is_plain or any(not word.keys.isdisjoint(self._telling) for word in text.words)

    @cached_property
    def _telling(self) -> frozenset[str]:
        """
        The keys of the words that may touch a line.
        """
        kin = (self._lexicon.kin_of.get(stem, ()) for stem in self._ways)
        return frozenset(f"~{stem}" for stem in self._ways).union(*kin)

    def _touched(self, said: Mapping[str, Set[str]]) -> Iterator[_Way]:
        for stem in said.keys() & self._ways.keys():
            yield from (way for way in self._ways[stem] if self._has(way, said))

    def _has(self, way: _Way, said: Mapping[str, Set[str]]) -> bool:
        return all(self._is_said(word, said) for word in way.words)

    def _is_said(self, wanted: tuple[str, frozenset[str]], said: Mapping[str, Set[str]]) -> bool:
        word, stems = wanted
        same = {one for stem in stems for one in said.get(stem, ())}
        return any(not self._lexicon.apart(word, one) for one in same)

    def _add(self, line: str) -> None:
        parts = [part for part in fold(line).replace(";", ",").replace("/", ",").split(",") if part.strip()]
        is_english = self._lexicon.language == "en"
        idle = self._lexicon.stop_words | fillers() if is_english else self._lexicon.stop_words
        words_of = {part: self._words(part) for part in parts}
        for part in [part for part in parts if words_of[part] - idle] or parts:
            if not part.isascii() and any(unicodedata.name(char, "").startswith(_UNSPACED) for char in part):
                self._unspaced[part.strip()] = line
                continue
            themes = frozenset(meant_by(part) if is_english else ())
            for theme in themes:
                self._themes.setdefault(theme, line)
            for words in {frozenset(words_of[part] - idle or words_of[part]), _closed_up(part)} - {frozenset()}:
                stems = tuple((word, self._lexicon.touching(word)) for word in sorted(words))
                if (stems, themes) not in self._known:
                    self._known.add((stems, themes))
                    for stem in stems[0][1]:
                        self._ways.setdefault(stem, []).append(_Way(line, stems, themes))

    def _words(self, part: str) -> set[str]:
        """
        Give the words of a line; where a language has no lexicon, those that are long enough.
        """
        words = {token.word for token in Text(part, self._lexicon).tokens if token.kind == "word"}
        short = set() if self._lexicon.stop_words else {word for word in words if len(word) <= _SHORT_WORD}
        return words - short or words


def _closed_up(part: str) -> frozenset[str]:
    return frozenset({"".join(part.replace("-", " ").split())} - {""})


def _is_told(theme: str, found: Mapping[str, Sequence[tuple[int, int]]], length: int) -> bool:
    """
    Tell whether something tells of a theme that does not only look like it.
    """
    if theme not in found:
        return False
    innocent = Spans(found.get(f"not {theme}", ()), length)
    return any(not innocent.cover(start, end) for start, end in found[theme])


def _innocent(themes: Set[str], found: Mapping[str, Sequence[tuple[int, int]]], text: Text) -> Set[int]:
    """
    Give where the words of a text begin that only look like themes.
    """
    spans = (span for theme in themes for span in found.get(f"not {theme}", ()))
    return {text.words[place].token.start for start, end in spans for place in range(start, end)}
