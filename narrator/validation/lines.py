"""Tells whether a text touches a line or veil of a table: its words, in any inflection, or those of its theme."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Final

from narrator.language.folding import fold
from narrator.language.lexicon import Lexicon
from narrator.language.text import Text, by_stem
from narrator.validation.themes import spelt_out

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


class Lines:
    """
    The lines and veils of a table, made ready once for all texts.

    A line of one word is touched by any inflection of it, one of several words where all that are weighty stand in
    one sentence; one that is a theme, such as "spiders", also by the words of that theme. A language without a
    stemmer has the words as they are.
    """

    def __init__(self, lines: Iterable[str], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._ways: dict[str, list[_Way]] = {}
        """By a stem of its first word."""
        self._unspaced: dict[str, str] = {}
        for line in dict.fromkeys(lines):
            for wording in spelt_out(line) if lexicon.language == "en" else (line,):
                self._add(wording, line)

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
        return next((way.line for said in text.said for way in self._touched(said)), None) if self._ways else None

    def _touched(self, said: Mapping[str, Set[str]]) -> Iterator[_Way]:
        for stem in said.keys() & self._ways.keys():
            yield from (way for way in self._ways[stem] if all(self._is_said(word, said) for word in way.words))

    def _is_said(self, wanted: tuple[str, frozenset[str]], said: Mapping[str, Set[str]]) -> bool:
        word, stems = wanted
        same = {one for stem in stems for one in said.get(stem, ())}
        return any(not self._lexicon.apart(word, one) for one in same)

    def _add(self, wording: str, line: str) -> None:
        for part in fold(wording).replace(";", ",").replace("/", ",").split(","):
            if any(unicodedata.name(char, "").startswith(_UNSPACED) for char in part):
                self._unspaced[part.strip()] = line
                continue
            for words in (_weighty(part, self._lexicon), {"".join(part.replace("-", " ").split())} - {""}):
                way = _Way(line, tuple((word, frozenset(by_stem([word], self._lexicon))) for word in sorted(words)))
                for stem in way.words[0][1] if way.words else ():
                    self._ways.setdefault(stem, []).append(way)


def _weighty(part: str, lexicon: Lexicon) -> set[str]:
    """
    Give the words of a line that make it what it is.
    """
    words = {token.word for token in Text(part, lexicon).tokens if token.kind == "word"}
    return words - (lexicon.stop_words or {word for word in words if len(word) <= _SHORT_WORD}) or words
