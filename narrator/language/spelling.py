"""Brings words to a common spelling, without case, accents and disguises, and to their stems."""

import re
import unicodedata
from functools import lru_cache
from threading import local
from typing import Final

_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
"""Characters that are invisible although their category does not say so."""

_SAME_SIGN: Final = str.maketrans("’‘ʼʻ`´＇‐‑−➕➖", "'''''''---+-")
_SAME_LETTER: Final = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "Æ": "Ae",
     "œ": "oe", "Œ": "Oe"}
)  # fmt: skip

_LOOK_ALIKES: Final = str.maketrans(
    "авекмнорстухіѕјԁһӏԛԝүѵɡɑᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢαβεηικνορτυχγωјոսօհց",
    "abekmhopctyxisjdhlqwyvgaabcdefghijklmnoprstuvwyzabenikvoptuxywjnuohg",
)
"""Lower-case letters that look Latin, but that compatibility normalisation does not change."""

_BOXED: Final = {start + place: chr(ord("a") + place) for start in (0x1F150, 0x1F170) for place in range(26)}

_LETTERS_OF_DIGITS: Final = tuple(str.maketrans("0134578", letters) for letters in ("oieastb", "oleastb"))
_DRAWN_OUT: Final = re.compile(r"([a-z])\1{2,}")

_OWN_LOOK_ALIKES: Final = ("be", "bg", "cu", "el", "hy", "kk", "ky", "mk", "mn", "ru", "sr", "tg", "tt", "uk")
"""Languages that use these letters themselves."""

STEMMERS: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
"""The name of a language's stemmer, by primary subtag."""

_LONGEST_STEMMED: Final = 40
"""A longer word is its own stem, so that the time stays linear."""


def fold(text: str) -> str:
    """Remove case, accents and invisible characters from a text, and replace compatibility forms by plain letters.

    >>> fold("ＺＯË\\u200b's Straße")
    "zoe's strasse"
    """
    if text.isascii():
        return text.lower()
    return "".join(map(bare, "".join(map(bare, text)).casefold()))


def fold_word(word: str, language: str = "en") -> str:
    """Fold one word. If all its letters look Latin, they become Latin, unless the language (a primary subtag) uses such
    letters itself.

    >>> fold_word("Суnеrе"), fold_word("ѕех"), fold_word("сон", "ru")
    ('cynere', 'sex', 'сон')
    """
    folded = fold(word)
    if folded.isascii() or language in _OWN_LOOK_ALIKES:
        return folded
    read = folded.translate(_LOOK_ALIKES)
    return read if read.isascii() else folded


@lru_cache(maxsize=8192)
def bare(char: str) -> str:
    """Return a character without accents: nothing, a blank, or its plain letters, with their case."""
    if char.isascii():
        return char if char.isprintable() else " "
    category = unicodedata.category(char)
    if category == "Cf" or char in _INVISIBLE:
        return ""
    if category in {"Cc", "Cs", "Zs", "Zl", "Zp"} or char == "\u2800":
        return " "
    parts = unicodedata.normalize("NFKD", char.translate(_SAME_SIGN).translate(_BOXED))
    return "".join(part for part in parts if not _is_accent(part)).translate(_SAME_SIGN).translate(_SAME_LETTER)


def _is_accent(char: str) -> bool:
    """Tell whether a mark is an accent or vowel point, not a letter of its script (Indic vowels, kana voicing)."""
    place = unicodedata.combining(char)
    return place >= 200 or 10 <= place <= 35


def undisguised(word: str) -> set[str]:
    """Return the words behind digits in place of letters, or behind repeated letters: "b00st", "boooost"."""
    if len(word) < 4:
        return set()
    read = set[str]()
    if not word.isalpha():
        read |= {other for table in _LETTERS_OF_DIGITS if (other := word.translate(table)).isalpha()}
    if drawn := _DRAWN_OUT.search(word):
        read |= {_DRAWN_OUT.sub(drawn[1] * times, word) for times in (1, 2)}
    return read


_own: Final = local()
"""The stemmers of a thread, by name. A stemmer can't be shared, since it stores its current word."""


@lru_cache(maxsize=16384)
def stem(stemmer: str, word: str) -> str:
    """Return the stem of a folded word. Without a stemmer, it is the word itself.

    >>> stem("english", "tortured") == stem("english", "torturing")
    True
    """
    if not stemmer or len(word) > _LONGEST_STEMMED:
        return word
    if not hasattr(_own, stemmer):
        import snowballstemmer  # type: ignore[import-untyped, unused-ignore]

        setattr(_own, stemmer, snowballstemmer.stemmer(stemmer))
    return str(getattr(_own, stemmer).stemWord(word))
