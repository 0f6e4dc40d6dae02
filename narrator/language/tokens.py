"""Cuts a text into words and marks, each with its place."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

from narrator.language.spelling import bare, fold_word

_LETTER: Final = r"(?:(?!_)[\w\u0900-\u0963\u0966-\u109f\u1780-\u17d3\u3099\u309a])"
"""A letter, a digit, or a vowel sign of scripts that write vowels as marks, which Python does not count as letters."""

_TOKEN: Final = re.compile(
    r"(?P<signed>(?:(?<![\w+\-–])(?:\+{1,2}\s?|[\-–±]{1,2})|(?<=[a-z]{4})\+)\d{1,3}(?![\w%°])|(?<![\w.,:/-])\d{1,2}\+(?!\w))"
    rf"|(?P<word>\+(?=[^\W\d_]{{2}})|{_LETTER}++(?:'{_LETTER}++)*+)"
    r"|(?P<end>[.!?…。！？।]+)"
    r"|(?P<mark>[,;:—–、，]|(?<!\S)-(?!\S))"
)
_QUOTES: Final = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』"}
_TITLE_SHARE: Final = 0.6
_CLOSING: Final = frozenset("\"'”’»)]}」』")


class Token(NamedTuple):
    """A word, number or mark of a text, and its place."""

    word: str
    """The folded word, without case and accents. For a mark: `.`, `?`, `:`, or `,` for any other pause."""
    start: int
    end: int
    """The place in the text as written."""
    kind: str
    """`word`, `signed` (a number with its sign) or `mark`."""
    capital: bool = False
    spaced: bool = True
    """Whether a blank stands before it."""
    quoted: bool = False
    """Whether it stands in quotation marks."""

    @property
    def ends_sentence(self) -> bool:
        """Tell whether a sentence ends here."""
        return self.kind == "mark" and self.word in ".?"


def tokens(text: str, abbreviations: frozenset[str] = frozenset(), language: str = "en") -> list[Token]:
    """Cut a text into tokens, without brackets, quotation marks and hyphens.

    >>> [token.word for token in tokens("Good (+3), she says: it's late.")]
    ['good', '+3', ',', 'she', 'says', ':', "it's", 'late', '.']
    """
    if text.isascii() and text.isprintable():
        return list(_cut(text, range(len(text)), abbreviations, language))
    shown = [bare(char) for char in text]
    places = [at for at, chars in enumerate(shown) for _ in chars]
    return list(_cut("".join(shown), places, abbreviations, language))


def _cut(plain: str, places: Sequence[int], abbreviations: frozenset[str], language: str) -> Iterator[Token]:
    """Yield the tokens of a text without disguises, each with its place in the text as written."""
    quoted = _quotations(plain)
    lower = plain.lower() if plain.isascii() else ""
    before = ""
    for found in _TOKEN.finditer(plain):
        kind, (start, end) = found.lastgroup or "", found.span()
        spaced = start == 0 or plain[start - 1].isspace()
        if kind == "word":
            before = lower[start:end] or fold_word(plain[start:end], language)
            is_capital = plain[start].isupper()
            yield Token(before, places[start], places[end - 1] + 1, kind, is_capital, spaced, quoted[start])
            continue
        word = _sign(kind, found[0], before, plain, end, abbreviations)
        if word:
            before = "" if word in {".", "?"} else before
            kind = "signed" if kind == "signed" else "mark"
            yield Token(word, places[start], places[end - 1] + 1, kind, False, spaced, quoted[start])


def _sign(kind: str, written: str, before: str, plain: str, end: int, abbreviations: frozenset[str]) -> str:
    """Return the word of a signed number or mark. Empty if it is part of a word."""
    if kind == "signed":
        sign = "±" if "±" in written else "+" if "+" in written else "-"
        return sign + "".join(filter(str.isdecimal, written))
    if kind == "mark":
        return ":" if written == ":" else ","
    abbreviated = written == "." and (before in abbreviations or (len(before) == 1 and before.isalpha()))
    return "" if abbreviated else _end_of(written, before, plain, end)


def _end_of(written: str, before: str, plain: str, end: int) -> str:
    """Say whether full stops and the like end a sentence, are a pause, or are part of a word or number."""
    if end < len(plain) and plain[end] not in _CLOSING and not plain[end].isspace():
        inside_word = plain[end].isalnum() and not (plain[end].isupper() and len(before) > 1)
        return "" if inside_word else "."
    if "?" in written or "？" in written:
        return "?"
    trails_off = "…" in written or written.startswith("..")
    return "," if trails_off and plain[end : end + 2].strip().islower() else "."


def _quotations(plain: str) -> Sequence[bool]:
    """Tell for each place whether it is in quotation marks, including the marks."""
    inside, place = [False] * len(plain), 0
    ends = {char: _next_of([one in closers for one in plain]) for char, closers in _QUOTES.items() if char in plain}
    if "'" in plain:
        ends["'"] = _closing_apostrophes(plain)
    while ends and place < len(plain):
        close = ends[plain[place]][place] if plain[place] in ends else -1
        if close > place:
            inside[place : close + 1] = [True] * (close + 1 - place)
            place = close
        place += 1
    return inside


def _closing_apostrophes(plain: str) -> list[int]:
    """Give for each apostrophe that opens a quotation the place of the closing one. -1 for other places."""
    opens, closes = [False] * len(plain), [False] * len(plain)
    for place, char in enumerate(plain):
        if char == "'":
            before, behind = plain[place - 1 : place] or " ", plain[place + 1 : place + 2] or " "
            opens[place] = (before.isspace() or before in "([—–-") and behind.isalnum()
            closes[place] = not before.isspace() and not behind.isalnum()
    return [close if opens[place] else -1 for place, close in enumerate(_next_of(closes))]


def _next_of(wanted: Sequence[bool]) -> list[int]:
    """Give for each place the next wanted place after it, -1 if there is none."""
    following, nearest = [-1] * len(wanted), -1
    for place in range(len(wanted) - 1, -1, -1):
        following[place] = nearest
        if wanted[place]:
            nearest = place
    return following


class _Ending(Protocol):
    """Something that may end a sentence."""

    @property
    def ends_sentence(self) -> bool: ...


_Part = TypeVar("_Part", bound=_Ending)


def sentences(found: Sequence[_Part]) -> Iterator[list[_Part]]:
    """Yield the sentences of a text, each with the mark that ends it."""
    current: list[_Part] = []
    for token in found:
        current.append(token)
        if token.ends_sentence:
            yield current
            current = []
    if current:
        yield current


def runs(sentence: Sequence[Token]) -> Iterator[tuple[str, int]]:
    """Yield the words that a sentence spells without hyphens, dots or blanks inside them, and where they begin.

    >>> list(runs(tokens("a sui-cide, t o r n")))
    [('suicide', 2), ('torn', 12), ('orn', 14)]
    """
    joined: list[Token] = []
    single: list[Token] = []
    for token in [*sentence, Token("", 0, 0, "word"), Token("", 0, 0, "word")]:
        if token.kind == "mark":
            continue
        if token.spaced:
            yield from _spelt(joined, 2)
            joined = []
        joined.append(token)
        if len(token.word) == 1:
            single.append(token)
        else:
            yield from _spelt(single, 3)
            yield from _spelt(single[1:], 2)
            single = []


def _spelt(row: Sequence[Token], least: int) -> Iterator[tuple[str, int]]:
    if len(row) >= least:
        yield "".join(token.word for token in row), row[0].start


def capitals_tell(found: Sequence[Token]) -> bool:
    """Tell whether capitals mean anything in a text. They don't in titles, or if all words have them. A text that ends
    like a sentence, and has a lower-case word, is not a title.

    >>> [capitals_tell(tokens(text)) for text in ("Has Stealth at Good.", "Stealth of the Good", "STEALTH AT GOOD.")]
    [True, False, False]
    """
    inner = [token for token in found[1:] if token.kind == "word" and len(token.word) > 3]
    if not inner or sum(token.capital for token in inner) < _TITLE_SHARE * len(inner):
        return True
    is_small = any(token.kind == "word" and token.word[0].isalpha() and not token.capital for token in found)
    return is_small and found[-1].ends_sentence
