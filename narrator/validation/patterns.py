"""
Reads and matches the patterns of the lexicons; their notation is told at the top of `lexicon/en.toml`.

A word is judged by its keys: the word itself, `~` with its stem, and what else is known of it (`#` a number, `@actor`
who acts). A pattern is a row of items, each a set of keys. Matching follows all ways through a pattern at once, so
that its time is bounded by the length of the text times that of the pattern.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final, Literal

MARK: Final = "|"
"""The key of every mark; no gap reaches across one."""

_GAP: Final = re.compile(r"\.\.(\d?)")
_WIDEST_EXPANSION: Final = 4000


@dataclass(frozen=True, slots=True)
class Item:
    """
    One place of a pattern: which keys fill it, and how often.
    """

    keys: frozenset[str]
    how: Literal["one", "maybe", "not", "gap"] = "one"
    width: int = 1
    """How many words a gap may hold."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """
    A row of items that some words of a text may fill.
    """

    items: tuple[Item, ...]

    def end(self, words: Sequence[Set[str]], start: int) -> int | None:
        """
        Give where a match that starts here ends, None where there is none.
        """
        places = {start}
        for item in self.items:
            places = set(_after(item, words, places))
            if not places:
                return None
        return min(places)


def _after(item: Item, words: Sequence[Set[str]], places: Set[int]) -> Iterator[int]:
    """
    Yield the places that can be reached through an item.
    """
    for place in places:
        if item.how == "gap":
            yield place
            for end in range(place, min(place + item.width, len(words))):
                if MARK in words[end]:
                    break
                yield end + 1
            continue
        if item.how == "maybe":
            yield place
        filled = place < len(words) and not item.keys.isdisjoint(words[place])
        if item.how == "not":
            if not filled:
                # A look ahead takes no word, so that it may also stand before the end of the text.
                yield place
        elif filled:
            yield place + 1


class Patterns(tuple[Pattern, ...]):
    """
    Patterns in their order, which a text looks up by the keys that it has.
    """

    @cached_property
    def required(self) -> tuple[tuple[frozenset[str], ...], ...]:
        """
        For each pattern the keys of each item that a word must fill: there is always one.
        """
        return tuple(tuple(item.keys for item in pattern.items if item.how == "one") for pattern in self)

    @cached_property
    def by_key(self) -> Mapping[str, Sequence[int]]:
        """
        The places of the patterns that want a key: each under those of its most telling item.
        """
        found: dict[str, list[int]] = {}
        for place, required in enumerate(self.required):
            for key in min(required, key=len):
                found.setdefault(key, []).append(place)
        return found

    def candidates(self, present: Set[str]) -> Iterator[Pattern]:
        """
        Yield, in order, the patterns that a text with these keys could hold.
        """
        places = {place for key in present & self.by_key.keys() for place in self.by_key[key]}
        for place in sorted(places):
            if not any(keys.isdisjoint(present) for keys in self.required[place]):
                yield self[place]


def find(patterns: Patterns, words: Sequence[Set[str]]) -> Iterator[tuple[int, int]]:
    """
    Yield where patterns match, as start and end, in the order of the patterns.
    """
    present = frozenset[str]().union(*words)
    for pattern in patterns.candidates(present):
        first = pattern.items[0]
        for start, word in enumerate(words):
            if first.how == "one" and first.keys.isdisjoint(word):
                continue
            if (end := pattern.end(words, start)) is not None and end > start:
                yield start, end


class Spans:
    """
    Places where patterns match, asked many times without going through them again.
    """

    def __init__(self, spans: Iterable[tuple[int, int]], length: int) -> None:
        self._first_end = [length + 1] * (length + 2)
        """For each place the earliest end of a span that starts there or later."""
        self._last_end = [0] * (length + 2)
        """For each place the latest end of a span that starts before it."""
        for start, end in spans:
            self._first_end[start] = min(self._first_end[start], end)
            self._last_end[start + 1] = max(self._last_end[start + 1], end)
        for place in range(length, -1, -1):
            self._first_end[place] = min(self._first_end[place], self._first_end[place + 1])
        for place in range(length + 1):
            self._last_end[place + 1] = max(self._last_end[place + 1], self._last_end[place])

    def within(self, low: int, high: int) -> bool:
        """
        Tell whether a span lies between two places.
        """
        return low < high and self._first_end[low] <= high

    def overlaps(self, start: int, end: int) -> bool:
        """
        Tell whether a span shares a word with another.
        """
        return self._last_end[end] > start


@dataclass(frozen=True, slots=True)
class Notation:
    """
    What patterns of one lexicon may name: its sets of words, its phrases, and how its words are brought to a stem.
    """

    sets: Mapping[str, Sequence[str]]
    phrases: Mapping[str, Sequence[str]]
    stem_keys: Callable[[str], frozenset[str]]
    fold: Callable[[str], str]

    def compile(self, texts: Sequence[str]) -> Patterns:
        """
        Read patterns.

        Raises:
            ValueError: For a set or phrase that is not there, or an empty pattern, with its text.
        """
        return Patterns(pattern for text in texts for pattern in self._read(text))

    def _read(self, text: str) -> Iterator[Pattern]:
        for words in self._expand(text.split(), depth=0):
            items = tuple(map(self._item, words))
            if not any(item.how == "one" for item in items):
                raise ValueError(f"no word is asked for in the pattern {text!r}")
            yield Pattern(items)

    def _expand(self, words: Sequence[str], depth: int) -> Iterator[list[str]]:
        """
        Yield the pattern once for each wording of the phrases in it.
        """
        if depth > 4:
            raise ValueError(f"phrases stand in each other too deep in {' '.join(words)!r}")
        choices = [self._wordings(word, depth) for word in words]
        total = 1
        for choice in choices:
            total *= len(choice)
        if total > _WIDEST_EXPANSION:
            raise ValueError(f"too many wordings in {' '.join(words)!r}")
        for chosen in product(*choices):
            yield [word for part in chosen for word in part]

    def _wordings(self, word: str, depth: int) -> list[list[str]]:
        if not (word.startswith("<") and word.rstrip("?").endswith(">")):
            return [[word]]
        name = word.rstrip("?")[1:-1]
        if name not in self.phrases:
            raise ValueError(f"no phrase is called {name!r}")
        found = [wording for text in self.phrases[name] for wording in self._expand(text.split(), depth + 1)]
        return [*found, []] if word.endswith("?") else found

    def _item(self, word: str) -> Item:
        if gap := _GAP.fullmatch(word):
            return Item(frozenset(), "gap", int(gap[1] or 4))
        how: Literal["one", "maybe", "not"] = "one"
        if len(word) > 1 and word[0] == "!":
            how, word = "not", word[1:]
        elif len(word) > 1 and word[-1] == "?":
            how, word = "maybe", word[:-1]
        return Item(self.keys(word), how)

    def keys(self, alternatives: str) -> frozenset[str]:
        """
        Give the keys of an item: what any of its alternatives stands for.
        """
        return frozenset(key for part in alternatives.split("/") for key in self._keys(part))

    def _keys(self, part: str) -> Iterator[str]:
        """
        Yield the keys that one alternative of an item stands for.
        """
        capital = "^" if part.startswith("^") else ""
        part = part.removeprefix("^")
        if part.startswith("{") and part.endswith("}"):
            if part[1:-1] not in self.sets:
                raise ValueError(f"no set is called {part[1:-1]!r}")
            for member in self.sets[part[1:-1]]:
                for key in self._keys(member):
                    yield capital + key
        elif part.startswith("~"):
            yield from self.stem_keys(self.fold(part[1:]))
        elif part[:1] in "@#%$|*,:?.'":
            yield capital + part
        else:
            yield capital + self.fold(part)
