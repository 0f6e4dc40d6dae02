"""Tells whether a text touches a line or veil: by its words, related words, or its theme."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final

from narrator.language.lexicon import Lexicon
from narrator.language.patterns import MARK, Patterns
from narrator.language.spelling import fold
from narrator.language.text import Spans, Text
from narrator.validation.themes import AND, OF_BOTH, family_of, idioms, meant_by, standing_for, telling, themes_file

_SHORT_WORD: Final = 3
"""In a language without a lexicon, shorter or equal words of a line have no weight, unless all are short."""

_PULLED_APART: Final = 3
"""So many single letters may spell a word."""

_APART: Final = 4
"""The most words between two words of a line. No mark may stand between them."""

_MOST_NEEDED: Final = 3
"""How many words of a long line are enough."""

_UNSPACED: Final = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts without blanks between words."""

_NOTE: Final = re.compile(r"[(\[][^)\]]*[)\]]?")
"""A note in brackets: "spiders (phobia)"."""

_PARTED: Final = re.compile(r"[,;/:.!?]|\s[–—-]+\s")
"""Separates the parts of a line."""

_Span = tuple[int, int]
_Found = Mapping[str, Sequence[_Span]]
"""The places of findings in a text's words, by label."""


@dataclass(frozen=True)
class Stand:
    """A weighty word of a line, or several joined by "and", each with its stems; and their word families."""

    words: tuple[tuple[str, frozenset[str]], ...]
    families: tuple[str, ...]


@dataclass(frozen=True)
class LinePart:
    """A line, or a part of one between commas. It has themes, and rows of words that touch it if they stand close."""

    line: str
    themes: tuple[str, ...]
    rows: tuple[tuple[Stand, ...], ...]


class Lines:
    """The lines and veils of a table, prepared once for all texts.

    A line of one word is touched by any form of the word. A line of several is touched if all its weighty words, or
    words of their families (`families.toml`), stand close together. A line that names a theme (`themes.toml`), such as
    "spiders", is also touched by words about the theme. Idioms and other lookalikes touch nothing. In languages other
    than English only the words count, and without a stemmer only in the form written.
    """

    def __init__(self, lines: Iterable[str], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._is_english = lexicon.language == "en"
        self._unspaced: dict[str, str] = {}
        order = tuple(dict.fromkeys(lines))
        self.parts = tuple(part for line in order for part in self._parts(line))
        self._order = {line: place for place, line in enumerate(order)}

    def crossed_by(self, text: Text) -> str | None:
        """Give the line or veil that a text touches. None if it touches none.

        >>> from narrator.language.lexicon import load
        >>> english = load("en")
        >>> Lines(["hanging"], english).crossed_by(Text("She hears how they hanged him.", english))
        'hanging'
        >>> Lines(["broken bones"], english).crossed_by(Text("His collarbone snaps.", english))
        'broken bones'
        >>> Lines(["ant"], english).crossed_by(Text("A giant!", english))
        """
        crossed = {line for part, line in self._unspaced.items() if part in text.folded}
        if self.parts:
            crossed.update(self._crossed(text))
        return min(crossed, key=self._order.__getitem__, default=None)

    def _crossed(self, text: Text) -> Iterator[str]:
        read = self._read(text)
        if not (read.found or read.own):
            return
        nothing = Spans([], len(text.words))
        touched = [part for part in self.parts if self._is_touched(part, read, nothing)]
        harmless = self._find(text, [idioms()]).get("idiom", ()) if touched and self._is_english else ()
        for part in touched:
            innocent = [*harmless, *(span for theme in part.themes for span in read.found.get(f"not {theme}", ()))]
            if not innocent or self._is_touched(part, read, Spans(innocent, len(text.words))):
                yield part.line

    def _is_touched(self, part: LinePart, read: "_Read", innocent: Spans) -> bool:
        if any(not innocent.cover(*span) for theme in part.themes for span in read.found.get(theme, ())):
            return True
        return any(self._stands_together(row, read, innocent) for row in part.rows)

    def _stands_together(self, row: Sequence[Stand], read: "_Read", innocent: Spans) -> bool:
        """Tell whether all of a row, or enough of a long one, stand close together."""
        found = ((*span, place) for place, stand in enumerate(row) for span in self._places(stand, read))
        met, end, phrase = set[int](), 0, 0
        for first, last, place in sorted(span for span in found if not innocent.cover(span[0], span[1])):
            if first - end > _APART or read.phrases[first] != phrase:
                met.clear()
            met.add(place)
            end, phrase = last, read.phrases[first]
            if len(met) == min(len(row), _MOST_NEEDED):
                return True
        return False

    def _places(self, stand: Stand, read: "_Read") -> Iterator[_Span]:
        for word, stems in stand.words:
            said = {one for stem in stems for one in read.own.get(stem, ())}
            yield from ((place, place + 1) for other, place in said if not self._lexicon.apart(word, other))
        for family in stand.families:
            yield from read.found.get(f"kin {family}", ())

    def _read(self, text: Text) -> "_Read":
        own: dict[str, list[tuple[str, int]]] = {}
        if self._may_be_touched_by(text):
            starts = {word.token.start: place for place, word in reversed([*enumerate(text.words)])}
            for stem in text.said.keys() & self._stems:
                own[stem] = [(word, starts[start]) for word, start in text.said[stem]]
        return _Read(text, self._find(text, self._patterns), own)

    def _find(self, text: Text, patterns: Sequence[Patterns]) -> _Found:
        return self._lexicon.places([word.keys for word in text.words], *patterns)

    @cached_property
    def _patterns(self) -> Sequence[Patterns]:
        themes = dict.fromkeys(theme for part in self.parts for theme in part.themes)
        stands = (stand for part in self.parts for row in part.rows for stand in row)
        families = dict.fromkeys(name for stand in stands for name in stand.families)
        return [*map(telling, themes), *map(standing_for, families)]

    @cached_property
    def _stems(self) -> Set[str]:
        rows = (row for part in self.parts for row in part.rows)
        return frozenset(stem for row in rows for stand in row for _, stems in stand.words for stem in stems)

    @cached_property
    def _telling(self) -> Set[str]:
        """The keys of the words that may touch a line."""
        kin = (self._lexicon.kin_of.get(stem, ()) for stem in self._stems)
        return frozenset(f"~{stem}" for stem in self._stems).union(*kin)

    def _may_be_touched_by(self, text: Text) -> bool:
        """Exclude, at little cost, a text in plain writing without a word of any line."""
        if any(not word.keys.isdisjoint(self._telling) for word in text.words):
            return True
        words = [token for token in text.tokens if token.kind == "word"]
        is_plain = all(token.spaced and "'" not in token.word for token in words)
        return not is_plain or sum(len(token.word) == 1 for token in words) >= _PULLED_APART

    def _parts(self, line: str) -> Iterator[LinePart]:
        written = [part for part in _PARTED.split(_NOTE.sub(",", fold(line))) if part.strip()] or [fold(line)]
        aside = self._idle | themes_file().notes if self._is_english else self._idle
        weighty = [part for part in written if self._words(part) - aside]
        for part in weighty or written:
            if not part.isascii() and any(unicodedata.name(char, "").startswith(_UNSPACED) for char in part):
                self._unspaced[part.strip()] = line
                continue
            themes = tuple(sorted(meant_by(part))) if self._is_english else ()
            rows = dict.fromkeys(row for row in self._rows(part) if not themes or _names_one(row, part, themes))
            yield LinePart(line, themes, tuple(rows))

    def _rows(self, part: str) -> Iterator[tuple[Stand, ...]]:
        both = OF_BOTH.search(part) if self._is_english else None
        if both is not None and AND.search(part, both.end()):
            alone = ([word] for word in self._weighty(part[: both.start()]))
            yield self._row([*alone, self._weighty(part[both.end() :])])
        else:
            for piece in AND.split(part) if self._is_english else [part]:
                yield self._row([[word] for word in self._weighty(piece)])
        yield self._row([["".join(part.replace("-", " ").split())]])

    def _row(self, stands: Sequence[Sequence[str]]) -> tuple[Stand, ...]:
        """Make a row of items: single words or alternatives. If each of several has a family, families count as
        well."""
        own = [tuple((word, self._lexicon.touching(word)) for word in words) for words in stands]
        kin: list[tuple[str, ...]] = []
        for words in stands if self._is_english and len(stands) > 1 else ():
            before = {family for families in kin for family in families}
            kin.append(tuple(sorted({family for word in words if (family := family_of(word))} - before)))
        families = kin if all(kin) and kin else [()] * len(own)
        return tuple(Stand(words, each) for words, each in zip(own, families, strict=True))

    def _weighty(self, part: str) -> Sequence[str]:
        words = self._words(part)
        return sorted(words - self._idle or words)

    @cached_property
    def _idle(self) -> Set[str]:
        idle = self._lexicon.told.stop_words
        return idle | themes_file().fillers if self._is_english else idle

    def _words(self, part: str) -> set[str]:
        """Give the words of a line. In a language without a lexicon, only the long ones."""
        words = {token.word for token in Text(part, self._lexicon).tokens if token.kind == "word"}
        short = set() if self._lexicon.told.stop_words else {word for word in words if len(word) <= _SHORT_WORD}
        return words - short or words


@dataclass(frozen=True)
class _Read:
    """A text, prepared for comparison with lines."""

    text: Text
    found: _Found
    own: Mapping[str, Sequence[tuple[str, int]]]
    """For each stem of a line, the text's words with that stem, and their places."""

    @cached_property
    def phrases(self) -> Sequence[int]:
        """How many marks stand before each word."""
        return tuple(accumulate(MARK in word.keys for word in self.text.words))


def _names_one(row: Sequence[Stand], part: str, themes: Sequence[str]) -> bool:
    """Tell whether a row is more than a part of a theme's name or a note: the line "eating people" allows meals."""
    if any(word in themes_file().notes for stand in row for word, _ in stand.words):
        return False  # "I hate spiders" bars nothing of hate
    (word, _), *others = row[0].words
    return len(row) > 1 or bool(others) or len(part.split()) == 1 or not meant_by(word).isdisjoint(themes)
