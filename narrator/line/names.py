"""Finds names by their beginning, or by the beginning of a word in them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from narrator.line.words import ARTICLES, NO_NAMES, Word, parted, plain, plains
from narrator.rules.typo import near

_LONGEST = 12


@dataclass(frozen=True)
class Found:
    """Names that begin with some words of a line."""

    names: tuple[str, ...]
    """The names that may be meant."""
    end: int
    """The place of the word after them."""
    is_whole: bool
    """Whether the whole name was typed."""

    @property
    def name(self) -> str | None:
        """The name, if there is only one."""
        return self.names[0] if len(self.names) == 1 else None


def find(words: Sequence[Word], at: int, names: Iterable[str], *, first: str = "") -> Found | None:
    """Find the names that begin with the words from a place on, with as many words as possible. Skips articles.

    Args:
        first: A sign before the first word that is not part of the name, such as the + of an aspect.
    """
    known = {name: plains(name) for name in names}
    if not first:
        while at < len(words) and words[at].plain in ARTICLES:
            at += 1
    run: list[str] = []
    best: Found | None = None
    begun: list[str] = []
    for place in range(at, min(len(words), at + _LONGEST)):
        word = words[place].plain
        run += parted(plain(word.removeprefix(first)) if place == at else word)
        typed = [each for each in run if each and each not in ARTICLES]
        if typed and run[-1] not in ARTICLES:
            begun = [name for name, parts in known.items() if _begins(typed, parts, is_marked=bool(first))]
            whole = [name for name in begun if known[name] == typed]
            if not begun:
                break
            # A "by" may be part of the name, as in "tempted by", or name who invokes it.
            ends = run[-1] != "by" or len(typed) == 1 or any(known[name][-1] == run[-1] for name in begun)
            best = Found(tuple(whole or begun), place + 1, bool(whole)) if ends else best
        as_typed = words[place].text.removeprefix(first).casefold()
        if words[place].pause and not any(as_typed in name.casefold() for name in begun):
            break
    return best


def _begins(typed: Sequence[str], name: Sequence[str], *, is_marked: bool) -> bool:
    """Whether the typed words begin a name, or the rest of a name from one of its words on."""
    *before, last = typed
    for start in range(len(name) - len(before)):
        there = name[start : start + len(typed)]
        is_common = last in NO_NAMES and not is_marked
        if there[:-1] == before and (there[-1] == last or (there[-1].startswith(last) and not is_common)):
            return len(typed) > 1 or not is_common or name == [last]
    return False


def near_names(word: str, names: Iterable[str]) -> list[str]:
    """The names that a word may be a misspelling of."""
    return [name for name in names if near(word, [name, *plains(name)])]
