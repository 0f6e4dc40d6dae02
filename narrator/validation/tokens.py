"""
Cuts a text into words and marks, with its disguises taken off, so that words can be judged one by one.

Case, accents, invisible characters and look-alike letters do not change which word is read. Every step looks at
each character a fixed number of times. Pure: standard library only.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {
    chr(code) for code in range(0xFE00, 0xFE10)
}
"""What shows nothing though its category does not say so."""

_SAME_SIGN: Final = str.maketrans("’‘ʼ`´＇‐‑−➕➖", "''''''---+-")
_SAME_LETTER: Final = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "Æ": "Ae",
     "œ": "oe", "Œ": "Oe"}
)  # fmt: skip

_LOOK_ALIKES: Final = str.maketrans("авекмнорстухіѕјԁɡαεικνορτυχ", "abekmhopctyxisjdgaeikvoptux")
"""Cyrillic and Greek letters that pass for Latin ones; put right only in a word that also has Latin letters."""

_LETTER: Final = r"(?:(?!_)[\w\u0900-\u0963\u0966-\u109f\u1780-\u17d3\u3099\u309a])"
"""A letter, a digit, or a vowel sign of a script that writes vowels as marks, which Python takes for no letters."""

_TOKEN: Final = re.compile(
    r"(?P<signed>(?:(?<![\w+\-–])[+\-–±]|(?<=[a-z]{4})\+)\d{1,3}(?![\w%°]))"
    rf"|(?P<word>{_LETTER}++(?:'{_LETTER}++)*+)"
    r"|(?P<end>[.!?…。！？।]+)"
    r"|(?P<mark>[,;:—–、，]|(?<!\S)-(?!\S))"
)
_QUOTES: Final = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』"}
_CLOSING: Final = frozenset("\"'”’»)]}」』")


@dataclass(frozen=True, slots=True)
class Token:
    """
    One word, number or mark of a text, and where it stood.
    """

    word: str
    """Folded: no case, no accents. For a mark one of `.`, `?`, `:` and `,`, a comma standing for any other pause."""

    start: int
    end: int
    """The place in the text as it was written."""

    kind: str
    """`word`, `signed` (a number with its sign) or `mark`."""

    capital: bool = False
    spaced: bool = True
    """Whether a blank stands before it."""

    @property
    def ends_sentence(self) -> bool:
        """
        Tell whether a sentence ends here.
        """
        return self.kind == "mark" and self.word in ".?"


@lru_cache(maxsize=8192)
def _bare(char: str) -> str:
    """
    Give what a character shows, without accents: nothing, a blank, or its plain letters.
    """
    category = unicodedata.category(char)
    if category == "Cf" or char in _INVISIBLE or "\U000e0100" <= char <= "\U000e01ef":
        return ""
    if category in {"Cc", "Cs", "Zs", "Zl", "Zp"} or char == "\u2800":
        return " "
    parts = unicodedata.normalize("NFKD", char.translate(_SAME_SIGN))
    return "".join(part for part in parts if not _is_accent(part)).translate(_SAME_SIGN).translate(_SAME_LETTER)


def _is_accent(char: str) -> bool:
    """
    Tell accents and vowel points from the marks that are letters of their script (Indic vowels, kana voicing).
    """
    place = unicodedata.combining(char)
    return place >= 200 or 10 <= place <= 35


def fold(text: str) -> str:
    """
    Take case, accents and disguises from a text, and nothing else.

    >>> fold("ＺＯË\\u200b's Straße")
    "zoe's strasse"
    """
    return "".join(map(_bare, "".join(map(_bare, text)).casefold()))


def _fold_word(word: str) -> str:
    """
    Fold one word, and put right letters of another alphabet that were slipped into it.
    """
    folded = fold(word)
    if folded.isascii() or not any("a" <= char <= "z" for char in folded):
        return folded
    return folded.translate(_LOOK_ALIKES)


def tokens(text: str, abbreviations: frozenset[str] = frozenset(), *, quoted: bool = True) -> list[Token]:
    """
    Cut a text into tokens; brackets, quotation marks and hyphens are left out, and so is what is quoted if asked.

    >>> [token.word for token in tokens("Good (+3), she says: it's late.")]
    ['good', '+3', ',', 'she', 'says', ':', "it's", 'late', '.']
    """
    shown = [_bare(char) for char in text]
    places = [place for place, chars in enumerate(shown) for _ in chars]
    plain = "".join(shown)
    return [
        replace(token, start=places[token.start], end=places[token.end - 1] + 1)
        for token in _cut(plain if quoted else _without_quotes(plain), abbreviations)
    ]


def _cut(plain: str, abbreviations: frozenset[str]) -> Iterator[Token]:
    """
    Yield the tokens of a text without disguises.
    """
    before = ""
    for found in _TOKEN.finditer(plain):
        kind, written, (start, end) = found.lastgroup or "", found[0], found.span()
        spaced = start == 0 or plain[start - 1].isspace()
        if kind == "end":
            abbreviated = written == "." and (before in abbreviations or (len(before) == 1 and before.isalpha()))
            word = "" if abbreviated else _end_of(written, before, plain, end)
            if not word:
                continue
            yield Token(word, start, end, "mark", spaced=spaced)
            before = ""
        elif kind == "mark":
            yield Token(":" if written == ":" else ",", start, end, "mark", spaced=spaced)
        elif kind == "signed":
            yield Token(written.replace("–", "-"), start, end, kind, spaced=spaced)
        else:
            before = _fold_word(written)
            yield Token(before, start, end, kind, written[0].isupper(), spaced)


def _end_of(written: str, before: str, plain: str, end: int) -> str:
    """
    Say what a run of full stops and the like is: the end of a sentence, a pause, or part of a word or number.
    """
    if end < len(plain) and plain[end] not in _CLOSING and not plain[end].isspace():
        inside_word = plain[end].isalnum() and not (plain[end].isupper() and len(before) > 1)
        return "" if inside_word else "."
    if "?" in written or "？" in written:
        return "?"
    trails_off = "…" in written or written.startswith("..")
    return "," if trails_off and plain[end : end + 2].strip().islower() else "."


def _without_quotes(plain: str) -> str:
    """
    Put a pause and blanks in the place of all that stands in quotation marks.
    """
    kept, place = [], 0
    ends = {char: _next_of([one in closers for one in plain]) for char, closers in _QUOTES.items() if char in plain}
    if "'" in plain:
        ends["'"] = _closing_apostrophes(plain)
    while place < len(plain):
        close = ends[plain[place]][place] if plain[place] in ends else -1
        if close > place:
            kept.append(";" + " " * (close - place))
            place = close + 1
        else:
            kept.append(plain[place])
            place += 1
    return "".join(kept)


def _closing_apostrophes(plain: str) -> list[int]:
    """
    Give for each apostrophe that opens a quotation the one that closes it; -1 for all else.
    """
    opens, closes = [False] * len(plain), [False] * len(plain)
    for place, char in enumerate(plain):
        if char == "'":
            before, behind = plain[place - 1 : place] or " ", plain[place + 1 : place + 2] or " "
            opens[place] = (before.isspace() or before in "([—–-") and behind.isalnum()
            closes[place] = not before.isspace() and not behind.isalnum()
    return [close if opens[place] else -1 for place, close in enumerate(_next_of(closes))]


def _next_of(wanted: Sequence[bool]) -> list[int]:
    """
    Give for each place the next wanted place behind it, -1 where there is none.
    """
    following, nearest = [-1] * len(wanted), -1
    for place in range(len(wanted) - 1, -1, -1):
        following[place] = nearest
        if wanted[place]:
            nearest = place
    return following


def sentences(found: Sequence[Token]) -> Iterator[list[Token]]:
    """
    Yield the sentences of a text, each with the mark that ends it.
    """
    current: list[Token] = []
    for token in found:
        current.append(token)
        if token.ends_sentence:
            yield current
            current = []
    if current:
        yield current


def runs(sentence: Sequence[Token]) -> Iterator[str]:
    """
    Yield what a sentence spells when hyphens, dots or blanks inside a word are closed up.

    >>> list(runs(tokens("a sui-cide, t o r n")))
    ['suicide', 'torn', 'orn']
    """
    joined: list[str] = []
    single: list[str] = []
    for token in [*sentence, Token("", 0, 0, "word")]:
        if token.kind == "mark":
            continue
        if token.spaced:
            if len(joined) > 1:
                yield "".join(joined)
            joined = []
        joined.append(token.word)
        if len(token.word) == 1:
            single.append(token.word)
        else:
            if len(single) > 2:
                yield "".join(single)
                yield "".join(single[1:])
            single = []
