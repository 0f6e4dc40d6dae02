"""Finds patterns of words; their notation is told in `docs/how-to/languages.md`.

A word is judged by its keys: the word itself, `~` with its stem, `<name>` of each list that has it, and what else is
known of it (`#` a number, `@actor` who acts). Patterns that begin alike are joined, and a text goes through all of
them at once: its time is its length times how many words a pattern may hold.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final, NamedTuple

from narrator.language.spelling import fold

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


@dataclass(slots=True)
class _Ways:
    """Where one goes from a place."""

    edges: dict[str, tuple["_Node", ...]] = field(default_factory=dict)
    """By the key of a word."""
    others: tuple["_Node", ...] = ()
    """Where any word leads that is no mark."""
    free: tuple["_Node", ...] = ()
    """Where no word is needed."""
    bars: tuple[tuple[frozenset[str], "_Node"], ...] = ()
    """Where no word is needed, but where the next has none of these keys."""


_Row = tuple[Sequence[str], "_Node"]
"""Items, and the place they lead to."""


class _Node:
    """A place between two items. What leads on from it is laid when a text first gets there: of thousands few do."""

    __slots__ = ("_lay", "_ways", "label")

    def __init__(self, lay: Callable[[], _Ways], label: str = "") -> None:
        self.label = label
        self._lay = lay
        self._ways: _Ways | None = None

    @property
    def ways(self) -> _Ways:
        """Where one goes from here."""
        if self._ways is None:
            self._ways = self._lay()
        return self._ways


@dataclass(frozen=True)
class Notation:
    """What patterns of one language may name, and how its words are brought to a stem."""

    lists: Mapping[str, Sequence[str]]
    """By its name, wordings that may stand for one item: words, or rows of them."""
    stem: Callable[[str], str]
    _keys: dict[str, str] = field(default_factory=dict, init=False)

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
        found: dict[str, frozenset[str]] = {}
        for name, keys in self.members.items():
            named = {f"<{name}>"}
            for key in keys or ():
                found[key] = found.get(key, _NO_KEYS) | named
        return found

    def _keys_of(self, name: str, depth: int) -> frozenset[str] | None:
        keys = set[str]()
        for wording in self.wordings(name, depth):
            if " " in wording or wording.endswith("?"):
                return None
            for part in wording.split("/"):
                if not _NAMED.fullmatch(part):
                    keys.add(self.key(part))
                elif (inner := self._keys_of(part[1:-1], depth + 1)) is not None:
                    keys |= inner
                else:
                    return None
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

    def key(self, part: str) -> str:
        """Give the key that one alternative of an item stands for."""
        known = self._keys.get(part)
        if known is None:
            if part[:1] == "^":
                known = f"^{self.key(part[1:])}"
            elif part[:1] == "~":
                known = f"~{self.stem(fold(part[1:]))}"
            else:
                known = part if part[:1] in _KINDS or _NAMED.fullmatch(part) else fold(part)
            self._keys[part] = known
        return known


@dataclass(eq=False)
class Patterns:
    """Patterns of several labels, joined; they are read when they are first looked for."""

    notation: Notation
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By what they are looked for as."""
    _listed: dict[tuple[str, _Node], _Node] = field(default_factory=dict, init=False)

    def __bool__(self) -> bool:
        return any(self.texts.values())

    @cached_property
    def root(self) -> _Node:
        """Where all patterns begin.

        Raises:
            ValueError: For a pattern that asks for no word, with its text; for a list that is not there, where what
                leads on from a place is laid.
        """
        rows: list[_Row] = []
        for label, texts in self.texts.items():
            end = _Node(_Ways, label)
            rows += [(text.split(), end) for text in texts]
        for items, _ in rows:
            if not any(item[:2] != ".." and item[-1] != "?" and item[0] != "!" for item in items):
                raise ValueError(f"no word is asked for in the pattern {' '.join(items)!r}")
        return self._node(rows, 0)

    def _node(self, rows: Sequence[_Row], depth: int) -> _Node:
        return _Node(lambda: self._ways(rows, depth))

    def _ways(self, rows: Sequence[_Row], depth: int) -> _Ways:
        """Lay the first items of rows that begin at one place; those that begin alike go on from one."""
        ways, beginnings = _Ways(), defaultdict[str, list[_Row]](list)
        for (item, *rest), end in rows:
            if rest:
                beginnings[item].append((rest, end))
            else:
                self._join(ways, item, end, depth)
        for item, following in beginnings.items():
            self._join(ways, item, self._node(following, depth), depth)
        return ways

    def _join(self, ways: _Ways, item: str, end: _Node, depth: int) -> None:
        if gap := _GAP.fullmatch(item):
            ways.free += (end,)
            following: tuple[_Node, ...] = ()
            for _ in range(int(gap[1] or 4)):
                following = (_Node(partial(_Ways, others=following, free=(end,))),)
            ways.others += following
        elif len(item) > 1 and item[0] == "!":
            ways.bars += ((frozenset(map(self._known, item[1:].split("/"))), end),)
        elif len(item) > 1 and item[-1] == "?":
            ways.free += (end,)
            self._join(ways, item[:-1], end, depth)
        else:
            for part in item.split("/"):
                if part.endswith(">") and part[0] == "<" and self.notation.members.get(part[1:-1]) is None:
                    ways.free += (self._rows(part[1:-1], end, depth),)
                else:
                    key = self._known(part)
                    ways.edges[key] = (*ways.edges.get(key, ()), end)

    def _rows(self, name: str, end: _Node, depth: int) -> _Node:
        """Lay the rows of words of a list to one place, once for all patterns that go on there."""
        start = self._listed.get((name, end))
        if start is None:
            rows = [(wording.split(), end) for wording in self.notation.wordings(name, depth)]
            start = self._listed[name, end] = self._node(rows, depth + 1)
        return start

    def _known(self, part: str) -> str:
        """Give the key of an alternative."""
        if part.endswith(">") and self.notation.members.get(part.removeprefix("^")[1:-1]) is None:
            raise ValueError(f"no list of single words is called {part!r}")
        return self.notation.key(part)


class _State:
    """Places where a search may be at once, and where it goes from there."""

    __slots__ = ("barred", "has_others", "keys", "moves", "nodes", "possible", "ways")

    def __init__(self, nodes: frozenset[_Node]) -> None:
        self.nodes = nodes
        self.possible = _free(nodes, _NO_KEYS)
        """With those that can be had from them without a word, where nothing bars it."""
        self.has_others = any(node.ways.others for node in self.possible)
        self.barred = _NO_KEYS.union(*(barred for node in self.possible for barred, _ in node.ways.bars))
        self.keys = self.barred.union(*(node.ways.edges for node in self.possible))
        """Those that make a difference here."""
        self.ways: dict[tuple[frozenset[str], bool], _Move] = {}
        """By those that a word has, and whether it is one."""
        self.moves: dict[frozenset[str], _Move] = {}
        """The same by all keys of a word: most words come again."""


_Move = tuple[tuple[str, ...], _State | None]
"""What ends before a word, and where it leads."""


class Matcher:
    """Finds patterns in texts, and remembers the ways it went: most words lead nowhere, or where they led before."""

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
        nodes = state.possible if state.barred.isdisjoint(keys) else _free(state.nodes, keys)
        following = set[_Node]()
        for node in nodes:
            edges = node.ways.edges
            following.update(node.ways.others if is_word else (), *(edges[key] for key in edges.keys() & keys))
        ended = tuple(sorted({node.label for node in nodes if node.label}))
        return ended, self._state(following) if following else None

    def _state(self, nodes: Iterable[_Node]) -> _State:
        key = frozenset(nodes)
        # Another thread may clear what is remembered between two looks.
        return self._states.get(key) or self._states.setdefault(key, _State(key))


def _free(nodes: Iterable[_Node], keys: Set[str]) -> set[_Node]:
    """Give the places with all that need no word, before a word with these keys."""
    reached, waiting = set[_Node](), list(nodes)
    while waiting:
        if (node := waiting.pop()) not in reached:
            reached.add(node)
            waiting += node.ways.free
            waiting += [behind for barred, behind in node.ways.bars if barred.isdisjoint(keys)]
    return reached
