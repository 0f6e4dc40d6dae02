"""Brings the inflections of a word together, in every language that has a stemmer."""

from functools import lru_cache
from threading import local
from typing import Any, Final

_STEMMERS: Final = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip

_LONGEST_STEMMED: Final = 40
"""A longer word is its own stem: no language needs more, and so the time stays linear."""

_own: Final = local()


def stemmer_of(code: str) -> str:
    """Name the stemmer of a language, by its primary subtag; an empty string where there is none."""
    return _STEMMERS.get(code, "")


@lru_cache(maxsize=16384)
def stem(stemmer: str, word: str) -> str:
    """Bring a folded word to its stem; without a stemmer it is its own.

    >>> stem("english", "tortured") == stem("english", "torturing")
    True
    """
    if not stemmer or len(word) > _LONGEST_STEMMED:
        return word
    return str(_stemmers()[stemmer].stemWord(word))


class _Stemmers(dict[str, Any]):
    """The stemmers of a thread: each keeps the word it works on in itself."""

    def __missing__(self, name: str) -> Any:
        import snowballstemmer  # type: ignore[import-untyped, unused-ignore]

        self[name] = snowballstemmer.stemmer(name)
        return self[name]


def _stemmers() -> _Stemmers:
    if not hasattr(_own, "stemmers"):
        _own.stemmers = _Stemmers()
    stemmers: _Stemmers = _own.stemmers
    return stemmers
