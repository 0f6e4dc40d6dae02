"""What of a scene matters most to what is done: a prompt tells that first, and of a long campaign nothing else."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from narrator.language.folding import fold
from narrator.language.lexicon import load
from narrator.language.stemming import stem
from narrator.language.text import bare_words
from narrator.rules.ruling import Ruling
from narrator.rules.scene import Character

_READ: Final = 300
"""Characters of a text that are read: what it is about stands at its beginning."""
_HEAD: Final = 3
"""Letters that two words have alike before they are brought to their stems, which takes longer."""
_SHORT: Final = 3
"""Letters of a word that weighs nothing, in a language whose lightest words nobody has listed."""
_NEW: Final = (3, 8, 20)
"""The newest texts matter for being new: a point to those among the last so many, and so on."""


class Relevance:
    """How much texts have to do with one action: by the words that they share with what is tried, with whom and with
    what, the rarer the more, and by how new they are. Pure, and as quick as the texts are long.
    """

    def __init__(self, ruling: Ruling) -> None:
        lexicon = load(ruling.request.scene.language)
        self._stemmer = lexicon.stemmer
        self._light = lexicon.stop_words
        action, by = ruling.request.action, ruling.resolution.opposition.by
        listed = {each.name: each for each in ruling.request.scene.characters}
        names = dict.fromkeys((action.actor, action.target, by))
        self.involved = tuple(listed[name] for name in names if name in listed)
        """Who acts, whom it is aimed at, and who opposes it."""
        told = (word for text in _about(ruling, self.involved) for word in bare_words(fold(text)))
        about = frozenset(word for word in told if self._weighs(word))
        self._heads = frozenset(word[:_HEAD] for word in about)
        self._roots = frozenset(stem(self._stemmer, word) for word in about)

    def order(self, texts: Sequence[str]) -> list[int]:
        """Return the places of texts, of which the last is the newest: first the one that matters most, and of those
        that matter alike the newest.
        """
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
        """Give the words of a text that are of the action too, by their stems."""
        near = {word for word in bare_words(fold(text[:_READ])) if word[:_HEAD] in self._heads}
        return self._roots.intersection(stem(self._stemmer, word) for word in near)

    def _weighs(self, word: str) -> bool:
        return word not in self._light if self._light else len(word) > _SHORT or not word.isascii()


def _about(ruling: Ruling, involved: Sequence[Character]) -> Iterator[str]:
    """All that tells what an action is about."""
    action, by = ruling.request.action, ruling.resolution.opposition.by
    yield from filter(None, (action.actor, action.target, action.intent, action.aspect, by))
    yield from action.path or ()
    yield from (each.aspect for each in (*action.invocations, *action.opposition.invocations))
    for each in involved:
        yield from filter(None, (each.called, each.zone))
