"""Chooses what a model is told of a scene: what matters most, as far as there is room. Writes it as safe JSON."""

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from narrator.language.lexicon import load
from narrator.language.spelling import fold, stem
from narrator.language.text import bare_words
from narrator.rules.request.scene import Character
from narrator.rules.resolve.ruling import Ruling

Item = TypeVar("Item")

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"')
_MARKS: Final = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>|[]"}
"""Characters of the marks in models' chat templates, such as `<|im_start|>` and `[INST]`."""
_ENDS: Final = (re.compile(r"(?<=[.!?…。])\s"), re.compile(r"\s"), re.compile(""))
"""Where a text may be cut: after a sentence, else after a word, else anywhere."""
_READ: Final = 300
"""Characters of a text that are read: its beginning says what it is about."""
_HEAD: Final = 3
"""First letters that two words must share before their stems are compared, which is slow."""
_SHORT: Final = 3
"""Letters of a word that does not count, in a language without a list of such words."""
_NEW: Final = (3, 8, 20)
"""A text gets a point for being among the last 3, another for the last 8, and another for the last 20."""


def json_line(data: object) -> str:
    """Write data as one line of JSON."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _STRING.sub(lambda string: string[0].translate(_MARKS), text)


def present(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that are not empty."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], ())}


def fitting(items: Iterable[Item], most: int) -> list[Item]:
    """Keep items that together fit in so many characters. One that is too long is skipped."""
    kept: list[Item] = []
    for item in items:
        size = len(json_line(item)) + 1
        if size <= most:
            kept.append(item)
            most -= size
    return kept


def clipped(text: str, most: int) -> str:
    """Keep as many sentences as fit in so many characters. If the first is too long, keep its words."""
    if len(json_line(text)) <= most:
        return text
    for end in _ENDS:
        places = [found.start() for found in end.finditer(text)]
        fit = bisect_right(places, most, key=lambda place: len(json_line(text[:place])))
        if fit and places[fit - 1]:
            return text[: places[fit - 1]]
    return ""


class Relevance:
    """Ranks texts by how much they have to do with an action. Shared words count, rare ones more, and so does age."""

    def __init__(self, ruling: Ruling) -> None:
        lexicon = load(ruling.request.scene.language)
        self._stemmer = lexicon.stemmer
        action, by = ruling.request.action, ruling.resolution.opposition.by
        listed = {each.name: each for each in ruling.request.scene.characters}
        names = dict.fromkeys((action.actor, action.target, by))
        self.involved = tuple(listed[name] for name in names if name in listed)
        """The actor, the target and the opponent."""
        told = frozenset(word for text in _about(ruling, self.involved) for word in bare_words(fold(text)))
        light = lexicon.told.stop_words or {word for word in told if len(word) <= _SHORT and word.isascii()}
        about = told - light
        self._heads = frozenset(word[:_HEAD] for word in about)
        self._roots = frozenset(stem(self._stemmer, word) for word in about)

    def order(self, texts: Sequence[str]) -> list[int]:
        """Return the indexes of the texts, the most relevant first, then the newest. `texts` has the newest last."""
        read = [self._shared(text) for text in texts]
        found = Counter(root for roots in read for root in roots)
        weight = {root: 1 + (len(texts) // count).bit_length() for root, count in found.items()}
        age = range(len(texts) - 1, -1, -1)
        points = [
            sum(weight[root] for root in roots) + sum(old < few for few in _NEW)
            for roots, old in zip(read, age, strict=True)
        ]
        return sorted(range(len(texts)), key=lambda place: (-points[place], age[place]))

    def _shared(self, text: str) -> frozenset[str]:
        """Give the stems that a text shares with the action."""
        near = {word for word in bare_words(fold(text[:_READ])) if word[:_HEAD] in self._heads}
        return self._roots.intersection(stem(self._stemmer, word) for word in near)


def _about(ruling: Ruling, involved: Sequence[Character]) -> Iterator[str]:
    """Give all texts that say what an action is about."""
    action, by = ruling.request.action, ruling.resolution.opposition.by
    yield from filter(None, (action.actor, action.target, action.intent, action.aspect, by))
    yield from action.path or ()
    yield from (each.aspect for each in (*action.invocations, *action.opposition.invocations))
    for each in involved:
        yield from filter(None, (each.called, each.zone))
