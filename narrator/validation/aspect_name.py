"""Judges the names of aspects. A name is a phrase or a title: not narration, a modifier, or only a character's name."""

import re
from collections.abc import Iterable, Sequence, Set
from functools import cached_property
from typing import Final

from narrator.language.lexicon import Lexeme, Lexicon
from narrator.language.patterns import MARK
from narrator.language.spelling import fold
from narrator.language.text import Text, bare_words
from narrator.validation.mechanics import Stated, has_modifier

_LONGEST: Final = 10
"""The most words of an aspect."""

_CLOSING: Final = "\"'”’»)]}」』 "
_ABBREVIATED: Final = re.compile(r"(?:^|[\s.])(\w+)\.\Z")
_LONGEST_ABBREVIATION: Final = 20


class SceneNames:
    """The names of a scene. A name alone is not an aspect."""

    def __init__(self, names: Iterable[str], lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._names = tuple(names)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the names, without stop words."""
        return frozenset(word for words in self._known for word in words) - self._lexicon.told.stop_words

    def are_all_of(self, name: str) -> bool:
        """Tell whether a wording consists only of names."""
        rest = self._words(name)
        if not self._first.intersection(rest):
            return False
        before = len(rest)
        for known in self._known:
            rest = _without(rest, known)
        return len(rest) < before and all(word in self._lexicon.told.aspect.links for word in rest)

    @cached_property
    def _known(self) -> list[list[str]]:
        """The words of each name, the longest name first."""
        return sorted((words for name in self._names if (words := self._words(name))), key=len, reverse=True)

    @cached_property
    def _first(self) -> frozenset[str]:
        return frozenset(words[0] for words in self._known)

    def _words(self, text: str) -> list[str]:
        owned = [re.sub(r"'s?\Z", "", word) for word in fold(text).split()]
        return [word for word in bare_words(" ".join(owned)) if word not in self._lexicon.told.articles]


def not_an_aspect(name: Text, names: SceneNames, stated: Sequence[Stated] = ()) -> str | None:
    """Say why a name is not an aspect. None if it is one.

    In a language without a lexicon, only length, a full stop, a modifier and a character's name are judged.

    Args:
        stated: The mechanics that the name states.

    >>> from narrator.language.lexicon import load
    >>> english = load("en")
    >>> not_an_aspect(Text("The Gate Guards!", english), SceneNames(["Gate Guards"], english))
    "it only repeats a character's name"
    >>> not_an_aspect(Text("The Authorities Are After You", english), SceneNames(["Gate Guards"], english))
    """
    if sum(any(map(str.isalnum, word)) for word in name.written.split()) > _LONGEST:
        return f"it has more than {_LONGEST} words"
    if _ends_in_full_stop(name):
        return "it ends with a full stop"
    if _is_but_a_sign(name.written):
        return "it contains no word"
    if has_modifier(name, stated):
        return "it contains a modifier such as +2"
    if names.are_all_of(name.written):
        return "it only repeats a character's name"
    if _is_narration(name, names.words):
        return "it is a sentence of narration"
    return None


def _is_but_a_sign(written: str) -> bool:
    """Tell whether a name is only a number or a Latin letter: "1", "x". In other scripts a letter may be a word."""
    said = [char for char in written if char.isalnum()]
    return bool(said) and (all(map(str.isdigit, said)) or (len(said) == 1 and said[0].isascii()))


def _ends_in_full_stop(name: Text) -> bool:
    """Tell whether a name ends with a full stop. Three dots and abbreviations do not count."""
    bare = name.folded.rstrip(_CLOSING)
    if not bare.endswith((".", "。", "।")) or bare.endswith(".."):
        return False
    word = _ABBREVIATED.search(bare[-_LONGEST_ABBREVIATION:])
    return not (word and (word[1] in name.lexicon.told.abbreviations or (len(word[1]) == 1 and word[1].isalpha())))


def _without(words: Sequence[str], part: Sequence[str]) -> list[str]:
    """Remove a part from a row of words, wherever it stands."""
    left: list[str] = []
    for word in words:
        left.append(word)
        if left[-len(part) :] == part:
            del left[-len(part) :]
    return left


def _is_narration(name: Text, names: Set[str]) -> bool:
    """Tell whether a name is a sentence of narration, not a phrase or a title with capitals."""
    keys = [frozenset({"@start"})]
    keys += [
        word.keys | {"@name"} if word.text in names and MARK not in word.keys else word.keys for word in name.words
    ]
    found = name.lexicon.find(keys, name.lexicon.narration)
    return any(not _has_title_case(name.words[: each.end - 1], names, name) for each in found)


def _has_title_case(words: Sequence[Lexeme], names: Set[str], name: Text) -> bool:
    """Tell whether at least half of the words that titles capitalise have a capital, in languages with title case."""
    if not name.lexicon.told.aspect.title_case or name.written.isupper():
        return False
    spare = name.lexicon.told.stop_words | names
    inner = [word.token for word in words[1:] if word.token.kind == "word" and word.token.word not in spare]
    return sum(token.capital for token in inner) * 2 >= len(inner)
