"""Finds patterns of words; their notation is told in `docs/languages.md`.

A word is judged by its keys: the word itself, `~` with its stem, `<name>` of each list that has it, and what else is
known of it (`#` a number, `@actor` who acts). Patterns that begin alike are joined, and a text goes through all of
them at once: its time is its length times how many words a pattern may hold.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from narrator.language.folding import fold

MARK: Final = "|"
"""The key of every mark; no gap reaches across one."""

_GAP: Final = re.compile(r"\.\.(\d?)")
_NAMED: Final = re.compile(r"<[^<>/]+>")
_NO_KEYS: Final = frozenset[str]()
_MOST_STATES: Final = 5_000
"""How many are remembered: some twenty kilobytes each at most."""

_MOST_MOVES: Final = 2_000
"""Words of which a state remembers where they lead."""

_DEEPEST: Final = 5
"""How deep lists may stand in each other."""

_KINDS: Final = "@#%$|*,:?.'"
"""What a key begins with that is no word."""


class Found(NamedTuple):
    """A place where a pattern matches."""

    label: str
    """What was looked for."""
    start: int
    end: int
    """The first word of it, and the one behind it."""


_NOWHERE: Final[dict[str, Any]] = {}
"""Nothing is ever put into it."""


class _Node:
    """A place between two items, and where each word leads from it."""

    __slots__ = ("_reach", "bars", "edges", "free", "label", "others", "steps")

    def __init__(self, label: str = "") -> None:
        self.label = label
        # There are thousands of them, and most lead one way: no container is made before it is needed.
        self.edges: dict[str, tuple[_Node, ...]] = _NOWHERE
        self.others: tuple[_Node, ...] = ()
        """Where any word leads that is no mark."""
        self.free: tuple[_Node, ...] = ()
        """Where no word is needed."""
        self.bars: tuple[tuple[frozenset[str], _Node], ...] = ()
        """Where no word is needed, but where the next has none of these keys."""
        self.steps: dict[str, _Node] = _NOWHERE
        """Where an item leads, as it is written, so that patterns which begin alike are joined."""
        self._reach: tuple[_Node, ...] | None = None

    @property
    def reach(self) -> "tuple[_Node, ...]":
        """This place and those that can be had from it without a word."""
        if self._reach is None:
            seen, waiting = set[_Node](), [self]
            while waiting:
                if (node := waiting.pop()) not in seen:
                    seen.add(node)
                    waiting += node.free
            self._reach = tuple(seen)
        return self._reach


@dataclass(frozen=True)
class Notation:
    """What patterns of one language may name, and how its words are brought to a stem."""

    lists: Mapping[str, Sequence[str]]
    """By its name, wordings that may stand for one item: words, or rows of them."""
    stem: Callable[[str], str]

    @cached_property
    def members(self) -> Mapping[str, frozenset[str] | None]:
        """For each list the keys of its words; None for one that has rows of them.

        Raises:
            ValueError: For a list that is not there, or that has itself.
        """
        return {name: self._keys_of(name, 0) for name in self.lists}

    @cached_property
    def lists_of(self) -> Mapping[str, frozenset[str]]:
        """For each key the lists that have it, as keys: a word is known by them too."""
        found: dict[str, set[str]] = {}
        for name, keys in self.members.items():
            for key in keys or ():
                found.setdefault(key, set()).add(f"<{name}>")
        return {key: frozenset(names) for key, names in found.items()}

    def _keys_of(self, name: str, depth: int) -> frozenset[str] | None:
        keys = set[str]()
        for wording in self.wordings(name, depth):
            if " " in wording or wording.endswith("?"):
                return None
            for part in wording.split("/"):
                inner = self._keys_of(part[1:-1], depth + 1) if _NAMED.fullmatch(part) else {self.key(part)}
                if inner is None:
                    return None
                keys |= inner
        return frozenset(keys)

    def wordings(self, name: str, depth: int) -> Sequence[str]:
        """Give what a list has, so deep in others.

        Raises:
            ValueError: For a list that is not there, or that stands too deep.
        """
        if name not in self.lists:
            raise ValueError(f"no list is called {name!r}")
        if depth > _DEEPEST:
            raise ValueError(f"lists stand in each other too deep at {name!r}")
        return self.lists[name]

    @cached_property
    def _keys(self) -> dict[str, str]:
        return {}

    def key(self, part: str) -> str:
        """Give the key that one alternative of an item stands for."""
        if part not in self._keys:
            self._keys[part] = self._key(part)
        return self._keys[part]

    def _key(self, part: str) -> str:
        capital = "^" if part.startswith("^") else ""
        part = part.removeprefix("^")
        if part.startswith("~"):
            return f"{capital}~{self.stem(fold(part[1:]))}"
        return capital + (part if part[:1] in _KINDS or _NAMED.fullmatch(part) else fold(part))


@dataclass(eq=False)
class Patterns:
    """Patterns of several labels, joined; they are read when they are first looked for."""

    notation: Notation
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By what they are looked for as."""

    def __bool__(self) -> bool:
        return any(self.texts.values())

    @cached_property
    def root(self) -> _Node:
        """Where all patterns begin.

        Raises:
            ValueError: For a list that is not there, or a pattern that asks for no word, with its text.
        """
        root = _Node()
        for label, texts in self.texts.items():
            end = _Node(label)
            for text in texts:
                if not any(item[:2] != ".." and item[-1] != "?" and item[0] != "!" for item in text.split()):
                    raise ValueError(f"no word is asked for in the pattern {text!r}")
                self._lay(root, text.split(), end, 0)
        return root

    def _lay(self, node: _Node, items: Sequence[str], end: _Node, depth: int) -> None:
        """Lay a row of items from one place to another."""
        for item in items[:-1]:
            following = node.steps.get(item)
            if following is None:
                node.steps = {} if node.steps is _NOWHERE else node.steps
                following = node.steps[item] = _Node()
                self._join(node, item, following, depth)
            node = following
        self._join(node, items[-1], end, depth)

    def _join(self, node: _Node, item: str, end: _Node, depth: int) -> None:
        if gap := _GAP.fullmatch(item):
            node.free += (end,)
            for _ in range(int(gap[1] or 4)):
                following = _Node()
                node.others += (following,)
                following.free += (end,)
                node = following
        elif len(item) > 1 and item[0] == "!":
            node.bars += ((frozenset(map(self._known, item[1:].split("/"))), end),)
        elif len(item) > 1 and item[-1] == "?":
            node.free += (end,)
            self._join(node, item[:-1], end, depth)
        else:
            for part in item.split("/"):
                if part.endswith(">") and part[0] == "<" and self.notation.members.get(part[1:-1]) is None:
                    node.free += (self._rows(part[1:-1], end, depth),)
                else:
                    node.edges = {} if node.edges is _NOWHERE else node.edges
                    key = self._known(part)
                    node.edges[key] = (*node.edges.get(key, ()), end)

    def _rows(self, name: str, end: _Node, depth: int) -> _Node:
        """Lay the rows of words of a list to one place, once for all patterns that go on there."""
        start = self._laid.get((name, end))
        if start is None:
            start = self._laid[name, end] = _Node()
            for wording in self.notation.wordings(name, depth):
                self._lay(start, wording.split(), end, depth + 1)
        return start

    @cached_property
    def _laid(self) -> dict[tuple[str, _Node], _Node]:
        return {}

    def _known(self, part: str) -> str:
        """Give the key of an alternative."""
        if part.endswith(">") and self.notation.members.get(part.removeprefix("^")[1:-1]) is None:
            raise ValueError(f"no list of single words is called {part!r}")
        return self.notation.key(part)


class _State:
    """Places where a search may be at once, and where it goes from there."""

    __slots__ = ("has_others", "keys", "moves", "nodes", "ways")

    def __init__(self, nodes: frozenset[_Node]) -> None:
        self.nodes = nodes
        possible, waiting = set[_Node](), list(nodes)
        while waiting:
            if (node := waiting.pop()) not in possible:
                possible.add(node)
                waiting += [*node.free, *(behind for _, behind in node.bars)]
        self.has_others = any(node.others for node in possible)
        self.keys = frozenset(
            key for node in possible for key in (*node.edges, *(key for barred, _ in node.bars for key in barred))
        )
        """Those that make a difference here."""
        self.ways: dict[tuple[frozenset[str], bool], _Move] = {}
        """By those that a word has, and whether it is one."""
        self.moves: dict[frozenset[str], _Move] = {}
        """The same by all keys of a word: most words come again."""


_Move = tuple[tuple[str, ...], _State | None]
"""What ends before a word, and where it leads."""


class Matcher:
    """Finds patterns in texts, and remembers the ways it went: most words lead nowhere, and the others lead where they
    led before.
    """

    def __init__(self) -> None:
        self._states: dict[frozenset[_Node], _State] = {}

    def find(self, patterns: Sequence[Patterns], words: Sequence[frozenset[str]]) -> Iterator[Found]:
        """Yield where patterns match, by where they begin, the shorter first."""
        if len(self._states) > _MOST_STATES:
            self._states.clear()
        root, length = self._state(each.root for each in patterns if each), len(words)
        for start in range(length):
            state: _State | None = root
            place, keys = start, words[start]
            while state is not None:
                ended, state = state.moves.get(keys) or self._move(state, keys)
                if ended and place > start:
                    for label in ended:
                        yield Found(label, start, place)
                place += 1
                keys = words[place] if place < length else _NO_KEYS

    def _move(self, state: _State, keys: frozenset[str]) -> "_Move":
        known = state.keys & keys, state.has_others and bool(keys) and MARK not in keys
        move = state.ways.get(known)
        if move is None:
            move = state.ways[known] = self._way(state, *known)
        if len(state.moves) > _MOST_MOVES:
            state.moves.clear()
        state.moves[keys] = move
        return move

    def _way(self, state: _State, keys: frozenset[str], is_word: bool) -> "_Move":
        nodes = _free(state.nodes, keys)
        following = _behind(nodes, keys, is_word)
        ended = tuple(sorted({node.label for node in nodes if node.label}))
        return ended, self._state(following) if following else None

    def _state(self, nodes: Iterable[_Node]) -> _State:
        key = frozenset(nodes)
        # Another thread may clear what is remembered between two looks.
        return self._states.get(key) or self._states.setdefault(key, _State(key))


def _free(nodes: Iterable[_Node], keys: Set[str]) -> set[_Node]:
    """Give the places with all that need no word, before a word with these keys."""
    reached = set[_Node]()
    for node in nodes:
        reached.update(node.reach)
    waiting = [node for node in reached if node.bars]
    while waiting:
        for barred, behind in waiting.pop().bars:
            if barred.isdisjoint(keys):
                new = set(behind.reach) - reached
                reached |= new
                waiting += [node for node in new if node.bars]
    return reached


def _behind(nodes: Iterable[_Node], keys: Set[str], is_word: bool) -> set[_Node]:
    """Give the places that a word with these keys leads to."""
    found = set[_Node]()
    for node in nodes:
        if is_word:
            found.update(node.others)
        for key in node.edges.keys() & keys:
            found.update(node.edges[key])
    return found
