"""Names by their beginnings: of the whole name, or of a word in it, as long as no other begins so."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from narrator.line.words import ARTICLES, NO_NAMES, Word, parted, plain, plains
from narrator.rules.typo import near

_LONGEST = 12


@dataclass(frozen=True)
class Found:
    """Names that some words of a line begin."""

    names: tuple[str, ...]
    """Those that may be meant; one alone is."""
    end: int
    """The place of the word after them."""
    is_whole: bool
    """Whether the whole name was typed."""

    @property
    def name(self) -> str | None:
        """The name that is meant, if it is one alone."""
        return self.names[0] if len(self.names) == 1 else None


def find(words: Sequence[Word], at: int, names: Iterable[str], *, first: str = "") -> Found | None:
    """Find the names that the words from a place on begin: the most words that do; an article may stand before them.

    Args:
        first: What stands before the first word and is no part of the name, such as the + of an aspect.
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
            # "tempted by" may be followed by whom it is by.
            ends = run[-1] != "by" or len(typed) == 1 or any(known[name][-1] == run[-1] for name in begun)
            best = Found(tuple(whole or begun), place + 1, bool(whole)) if ends else best
        as_typed = words[place].text.removeprefix(first).casefold()
        if words[place].pause and not any(as_typed in name.casefold() for name in begun):
            break
    return best


def _begins(typed: Sequence[str], name: Sequence[str], *, is_marked: bool) -> bool:
    """Whether the words that were typed are a beginning of a name, or of what stands in it from a word on."""
    *before, last = typed
    for start in range(len(name) - len(before)):
        there = name[start : start + len(typed)]
        is_common = last in NO_NAMES and not is_marked
        if there[:-1] == before and (there[-1] == last or (there[-1].startswith(last) and not is_common)):
            return len(typed) > 1 or not is_common or name == [last]
    return False


def near_names(word: str, names: Iterable[str]) -> list[str]:
    """The names that a word was most likely meant for, where it is one letter off."""
    return [name for name in names if near(word, [name, *plains(name)])]
