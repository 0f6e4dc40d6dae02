"""
Tells an aspect from a sentence: a name is a phrase or a title, no narration, no modifier and no mere character's name.

Also says when two wordings are the same. Pure, and linear in the text.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import Final

from narrator.validation.language import Lexicon, Word
from narrator.validation.meaning import has_modifier
from narrator.validation.patterns import find
from narrator.validation.tokens import fold

_LONGEST: Final = 10
"""Words in an aspect."""

_CLOSING: Final = "\"'”’»)]}」』 "
_ABBREVIATED: Final = re.compile(r"(?:^|[\s.])(\w+)\.\Z")
_LONGEST_ABBREVIATION: Final = 20
_APOSTROPHES: Final = frozenset("'.")


def not_an_aspect(name: str, character_names: Iterable[str], lexicon: Lexicon | None) -> str | None:
    """
    Say why a name is no aspect, None where it is one.

    Without a lexicon only what needs no words is judged: its length, a full stop, a modifier, a character's name.

    >>> from narrator.validation.language import load
    >>> not_an_aspect("The Gate Guards!", ["Gate Guards"], load("en"))
    "it only repeats a character's name"
    >>> not_an_aspect("The Authorities Are After You", ["Gate Guards"], load("en"))
    """
    if sum(any(map(str.isalnum, word)) for word in name.split()) > _LONGEST:
        return f"it has more than {_LONGEST} words"
    if _ends_in_full_stop(name, lexicon):
        return "it ends in a full stop"
    if has_modifier(name, lexicon):
        return "it has a number as a modifier"
    if _only_names(name, character_names, lexicon):
        return "it only repeats a character's name"
    if lexicon is not None and _is_narration(name, character_names, lexicon):
        return "it is a sentence of narration"
    return None


@lru_cache(maxsize=2_048)
def same_wording_key(text: str, articles: frozenset[str]) -> str:
    """
    Give what is left of a wording without case, accents, punctuation and articles; a hyphen is a blank.

    An article that nothing follows stays, and so does a wording of nothing but signs.

    >>> same_wording_key("the torch-lit GATE!", ["the"]) == same_wording_key("Torch-Lit Gáte", ["the"])
    True
    >>> same_wording_key("?!", ["the"])
    '?!'
    """
    folded = fold(text)
    words = _bare_words(folded)
    dropped = set(map(fold, articles))
    kept = [word for word, behind in zip(words, [*words[1:], ""], strict=False) if not (word in dropped and behind)]
    return " ".join(kept or words or folded.split())


def _bare_words(folded: str) -> list[str]:
    """
    Give the words of a folded text without punctuation and other signs.
    """
    kept = []
    for char in folded:
        if char in _APOSTROPHES:
            continue
        kept.append(" " if unicodedata.category(char)[0] in "PSZ" else char)
    return "".join(kept).split()


def _ends_in_full_stop(name: str, lexicon: Lexicon | None) -> bool:
    """
    Tell a full stop at the end from three dots and from the dot of an abbreviation.
    """
    bare = fold(name).rstrip(_CLOSING)
    if not bare.endswith((".", "。", "।")) or bare.endswith(".."):
        return False
    word = _ABBREVIATED.search(bare[-_LONGEST_ABBREVIATION:])
    known = lexicon.abbreviations if lexicon else frozenset[str]()
    return not (word and (word[1] in known or (len(word[1]) == 1 and word[1].isalpha())))


def _only_names(name: str, character_names: Iterable[str], lexicon: Lexicon | None) -> bool:
    """
    Tell whether a name is a character's, or several, and nothing besides.
    """
    articles = lexicon.articles if lexicon else frozenset[str]()
    links = lexicon.links if lexicon else frozenset[str]()

    def words(text: str) -> list[str]:
        owned = [re.sub(r"'s?\Z", "", word) for word in fold(text).split()]
        return [word for word in _bare_words(" ".join(owned)) if word not in articles]

    rest = words(name)
    found = False
    for known in sorted((words(one) for one in character_names), key=len, reverse=True):
        left = _without(rest, known)
        found, rest = found or len(left) < len(rest), left
    return found and all(word in links for word in rest)


def _without(words: Sequence[str], part: Sequence[str]) -> list[str]:
    """
    Take every place where a part stands out of a row of words.
    """
    left: list[str] = []
    for word in words:
        left.append(word)
        if part and left[-len(part) :] == part:
            del left[-len(part) :]
    return left


def _is_narration(name: str, character_names: Iterable[str], lexicon: Lexicon) -> bool:
    """
    Tell a sentence of narration from a phrase, and from a title, whose words have capitals.
    """
    words = lexicon.read(name)
    names = {word for known in character_names for word in _bare_words(fold(known))} - lexicon.stop_words
    keys = [frozenset({"@start"}), *(_narration_keys(word, names) for word in words)]
    return any(not _has_title_case(words[: end - 1], names, name, lexicon) for _, end in find(lexicon.narration, keys))


def _narration_keys(word: Word, names: Set[str]) -> frozenset[str]:
    if word.token.kind == "mark":
        return word.keys
    return word.keys | ({"*", "@name"} if word.text in names else {"*"})


def _has_title_case(words: Sequence[Word], names: Set[str], name: str, lexicon: Lexicon) -> bool:
    """
    Tell whether at least half of the words that have capitals in a title do, where that tells anything.
    """
    if not lexicon.title_case or name.isupper():
        return False
    spare = lexicon.stop_words | names
    inner = [word.token for word in words[1:] if word.token.kind == "word" and word.token.word not in spare]
    return sum(token.capital for token in inner) * 2 >= len(inner)
