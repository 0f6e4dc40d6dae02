"""Finds patterns of words. `docs/how-to/languages.md` explains their notation.

A word matches by its keys: the word itself, `~` with its stem, `<name>` of each list that contains it, and other marks
(`#` a number, `@actor` the actor). Patterns with a common beginning are joined, and all are searched at once. The time
is the length of the text times the longest pattern.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final, NamedTuple

from narrator.language.spelling import fold

MARK: Final = "|"
"""The key of every mark. A gap can't cross a mark."""

_GAP: Final = re.compile(r"\.\.(\d?)")
_NAMED: Final = re.compile(r"<[^<>/]+>")
_NO_KEYS: Final = frozenset[str]()
_MOST_STATES: Final = 5_000
"""The most cached states, of at most some twenty kilobytes each."""

_MOST_MOVES: Final = 2_000
"""The most moves that a state caches."""

_DEEPEST: Final = 5
"""How deep lists may be nested."""

_KINDS: Final = "@#%$|*,:?.'"
"""First characters of keys that are not words."""


class Found(NamedTuple):
    """A match of a pattern."""

    label: str
    """The label of the pattern."""
    start: int
    end: int
    """The first word of the match, and the word after it."""


@dataclass(slots=True)
class _Ways:
    """The ways on from a node."""

    edges: dict[str, tuple["_Node", ...]] = field(default_factory=dict)
    """The nodes after a word with this key."""
    others: tuple["_Node", ...] = ()
    """The nodes after any word, but not after a mark."""
    free: tuple["_Node", ...] = ()
    """The nodes that need no word."""
    bars: tuple[tuple[frozenset[str], "_Node"], ...] = ()
    """The nodes that need no word, if the next word has none of these keys."""


_Row = tuple[Sequence[str], "_Node"]
"""Items, and the node that they lead to."""


class _Node:
    """A point between two items. Its ways are made when a text first reaches it: of thousands, few are reached."""

    __slots__ = ("_lay", "_ways", "label")

    def __init__(self, lay: Callable[[], _Ways], label: str = "") -> None:
        self.label = label
        self._lay = lay
        self._ways: _Ways | None = None

    @property
    def ways(self) -> _Ways:
        """The ways on from here."""
        if self._ways is None:
            self._ways = self._lay()
        return self._ways


@dataclass(frozen=True)
class Notation:
    """The lists that patterns of a language may name, and its stemmer."""

    lists: Mapping[str, Sequence[str]]
    """The wordings of each list: words, or rows of words."""
    stem: Callable[[str], str]
    _keys: dict[str, str] = field(default_factory=dict, init=False)

    @cached_property
    def members(self) -> Mapping[str, frozenset[str] | None]:
        """The keys of each list's words. None for a list with rows of words.

        Raises:
            ValueError: For a missing list, or a list that contains itself.
        """
        return {name: self._keys_of(name, 0) for name in self.lists}

    @cached_property
    def lists_of(self) -> Mapping[str, frozenset[str]]:
        """The lists that contain each key. They are keys of the word as well."""
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
        """Return the wordings of a list, nested at this depth.

        Raises:
            ValueError: For a missing list, or one nested too deep.
        """
        if name not in self.lists:
            raise ValueError(f"no list is called {name!r}")
        if depth > _DEEPEST:
            raise ValueError(f"lists are nested too deep at {name!r}")
        return self.lists[name]

    def key(self, part: str) -> str:
        """Return the key of one alternative of an item."""
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
    """Joined patterns with their labels. They are read on first use."""

    notation: Notation
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The patterns of each label."""
    _listed: dict[tuple[str, _Node], _Node] = field(default_factory=dict, init=False)

    def __bool__(self) -> bool:
        return any(self.texts.values())

    @cached_property
    def root(self) -> _Node:
        """The node where all patterns begin.

        Raises:
            ValueError: For a pattern without a required word. A missing list raises only when its node is reached.
        """
        rows: list[_Row] = []
        for label, texts in self.texts.items():
            end = _Node(_Ways, label)
            rows += [(text.split(), end) for text in texts]
        for items, _ in rows:
            if not any(item[:2] != ".." and item[-1] != "?" and item[0] != "!" for item in items):
                raise ValueError(f"the pattern {' '.join(items)!r} requires no word")
        return self._node(rows, 0)

    def _node(self, rows: Sequence[_Row], depth: int) -> _Node:
        return _Node(lambda: self._ways(rows, depth))

    def _ways(self, rows: Sequence[_Row], depth: int) -> _Ways:
        """Make the ways for the first items of rows. Equal first items share a node."""
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
        """Make the nodes of a list's rows up to `end`, once for all patterns that go on there."""
        start = self._listed.get((name, end))
        if start is None:
            rows = [(wording.split(), end) for wording in self.notation.wordings(name, depth)]
            start = self._listed[name, end] = self._node(rows, depth + 1)
        return start

    def _known(self, part: str) -> str:
        """Return the key of an alternative, which must not name a list of rows."""
        if part.endswith(">") and self.notation.members.get(part.removeprefix("^")[1:-1]) is None:
            raise ValueError(f"no list of single words is called {part!r}")
        return self.notation.key(part)


class _State:
    """The nodes where a search may be at the same time, and the ways on."""

    __slots__ = ("barred", "has_others", "keys", "moves", "nodes", "possible", "ways")

    def __init__(self, nodes: frozenset[_Node]) -> None:
        self.nodes = nodes
        self.possible = _free(nodes, _NO_KEYS)
        """These nodes, and those reached from them without a word if nothing bars it."""
        self.has_others = any(node.ways.others for node in self.possible)
        self.barred = _NO_KEYS.union(*(barred for node in self.possible for barred, _ in node.ways.bars))
        self.keys = self.barred.union(*(node.ways.edges for node in self.possible))
        """The keys that matter here."""
        self.ways: dict[tuple[frozenset[str], bool], _Move] = {}
        """Moves by a word's keys that matter, and whether it is a word."""
        self.moves: dict[frozenset[str], _Move] = {}
        """Moves by all keys of a word, since most words come again."""


_Move = tuple[tuple[str, ...], _State | None]
"""The labels that end before a word, and the next state."""


class Matcher:
    """Finds patterns in texts, and caches its moves, since most words lead nowhere or where they led before."""

    def __init__(self) -> None:
        self._states: dict[frozenset[_Node], _State] = {}

    def find(self, patterns: Sequence[Patterns], words: Sequence[frozenset[str]]) -> Iterator[Found]:
        """Yield the matches of patterns, by their beginning, shorter ones first."""
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
        # Another thread may clear the cache between the two lookups.
        return self._states.get(key) or self._states.setdefault(key, _State(key))


def _free(nodes: Iterable[_Node], keys: Set[str]) -> set[_Node]:
    """Return the nodes, and those reached without a word, before a word with these keys."""
    reached, waiting = set[_Node](), list(nodes)
    while waiting:
        if (node := waiting.pop()) not in reached:
            reached.add(node)
            waiting += node.ways.free
            waiting += [behind for barred, behind in node.ways.bars if barred.isdisjoint(keys)]
    return reached
