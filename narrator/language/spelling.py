"""Brings words to one spelling for all that judges them, whatever their case, accents and disguises, and to a stem."""

import re
import unicodedata
from functools import lru_cache
from threading import local
from typing import Final

_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
"""What shows nothing though its category does not say so."""

_SAME_SIGN: Final = str.maketrans("’‘ʼʻ`´＇‐‑−➕➖", "'''''''---+-")
_SAME_LETTER: Final = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "Æ": "Ae",
     "œ": "oe", "Œ": "Oe"}
)  # fmt: skip

_LOOK_ALIKES: Final = str.maketrans(
    "авекмнорстухіѕјԁһӏԛԝүѵɡɑᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢαβεηικνορτυχγωјոսօհց",
    "abekmhopctyxisjdhlqwyvgaabcdefghijklmnoprstuvwyzabenikvoptuxywjnuohg",
)
"""Letters that pass for Latin ones and that compatibility normalisation keeps apart, without case."""

_BOXED: Final = {start + place: chr(ord("a") + place) for start in (0x1F150, 0x1F170) for place in range(26)}

_LETTERS_OF_DIGITS: Final = tuple(str.maketrans("0134578", letters) for letters in ("oieastb", "oleastb"))
_DRAWN_OUT: Final = re.compile(r"([a-z])\1{2,}")

_OWN_LOOK_ALIKES: Final = ("be", "bg", "cu", "el", "hy", "kk", "ky", "mk", "mn", "ru", "sr", "tg", "tt", "uk")
"""Languages whose own letters those are."""

STEMMERS: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip
"""By the primary subtag of a language the name of its stemmer."""

_LONGEST_STEMMED: Final = 40
"""A longer word is its own stem: no language needs more, and so the time stays linear."""


def fold(text: str) -> str:
    """Take case, accents and what is invisible from a text, and bring compatibility forms to their plain letters.

    >>> fold("ＺＯË\\u200b's Straße")
    "zoe's strasse"
    """
    if text.isascii():
        return text.lower()
    return "".join(map(bare, "".join(map(bare, text)).casefold()))


def fold_word(word: str, language: str = "en") -> str:
    """Fold one word, and read letters of another alphabet as the Latin ones that they pass for, where all of them do
    and the language, a primary subtag, has no such letters itself.

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
    """Give what a character shows, without accents: nothing, a blank, or its plain letters, in their case."""
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
    """Tell accents and vowel points from the marks that are letters of their script (Indic vowels, kana voicing)."""
    place = unicodedata.combining(char)
    return place >= 200 or 10 <= place <= 35


def undisguised(word: str) -> set[str]:
    """Give the words that digits are put into for letters, or that a letter is drawn out in: "b00st", "boooost"."""
    if len(word) < 4:
        return set()
    read = set[str]()
    if not word.isalpha():
        read |= {other for table in _LETTERS_OF_DIGITS if (other := word.translate(table)).isalpha()}
    if drawn := _DRAWN_OUT.search(word):
        read |= {_DRAWN_OUT.sub(drawn[1] * times, word) for times in (1, 2)}
    return read


_own: Final = local()
"""By their names the stemmers of a thread: each keeps the word it works on in itself."""


@lru_cache(maxsize=16384)
def stem(stemmer: str, word: str) -> str:
    """Bring a folded word to its stem; without a stemmer it is its own.

    >>> stem("english", "tortured") == stem("english", "torturing")
    True
    """
    if not stemmer or len(word) > _LONGEST_STEMMED:
        return word
    if not hasattr(_own, stemmer):
        import snowballstemmer  # type: ignore[import-untyped, unused-ignore]

        setattr(_own, stemmer, snowballstemmer.stemmer(stemmer))
    return str(getattr(_own, stemmer).stemWord(word))
