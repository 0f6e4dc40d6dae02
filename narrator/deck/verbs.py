"""The verbs of an intent: which activities they tell, and where in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from narrator.deck.intent import Word
from narrator.deck.setting import scene_words
from narrator.language.stemming import stem
from narrator.rules.card import Activity

BETWEEN = 3
"""How many other words may stand between those of a verb."""

BEAST = "@beast"
"""In a verb: any word for an animal."""

ENGLISH = "english"
"""The language that verbs are told in."""

_SAME = 2
"""Letters that a word has in common with its stem: verbs are found by them before they are stemmed."""

_BEFORE_NOUNS = frozenset(
    ("the", "a", "an", "this", "that", "these", "those", "his", "her", "their", "its", "my", "our", "your", "of", "no")
)
"""What stands before "watch" and "guard" where they are no verbs."""

_ASIDE = frozenset(("while", "because", "that", "who", "whose", "whom"))
"""What begins a clause that tells of others."""


@dataclass(frozen=True)
class _Said:
    """
    A word of an intent.
    """

    stem: str
    may_be_verb: bool
    is_beast: bool


class Verbs:
    """
    Verbs by the activities that they tell, in the notation of `activities.toml`.
    """

    def __init__(self, verbs: Mapping[Activity, tuple[str, ...]]) -> None:
        self._beginning: dict[str, list[tuple[Activity, str, tuple[str, ...]]]] = {}
        for activity, each in verbs.items():
            for verb in each:
                first, *rest = verb.split()
                for way in first.split("|"):
                    self._beginning.setdefault(way[:_SAME], []).append((activity, way, tuple(rest)))

    def met_in(self, intent: list[Word]) -> dict[Activity, int]:
        """
        Find the activities that an intent tells, in its order, and at which word each begins. Of the verbs that begin
        at one word only that of most words counts, then that whose words stand closest together.
        """
        found: dict[Activity, int] = {}
        ends = (place for place, word in enumerate(intent) if place and word.folded in _ASIDE)
        words = _read([word.folded for word in intent[: next(ends, None)]])
        for place, word in enumerate(words):
            if not word.may_be_verb:
                continue
            met = [
                (-len(rest), end, activity)
                for activity, way, rest in self._beginning.get(word.stem[:_SAME], ())
                if way.startswith(word.stem[:-1])
                and stem(ENGLISH, way) == word.stem
                and (end := _end(rest, words, place + 1)) is not None
            ]
            if met:
                *_, activity = min(met, key=lambda each: each[:2])
                found.setdefault(activity, place)
        return found


def _end(rest: tuple[str, ...], words: list[_Said], start: int) -> int | None:
    """
    Say after which word the rest of a verb ends.
    """
    for each in rest:
        ways = frozenset(stem(ENGLISH, way) for way in each.split("|"))
        near = enumerate(words[start : start + BETWEEN + 1], start + 1)
        there = (end for end, word in near if word.stem in ways or (word.is_beast and BEAST in ways))
        if (end := next(there, None)) is None:
            return None
        start = end
    return start


def _read(words: list[str]) -> list[_Said]:
    """
    Read the words of an intent. After an article none is a verb, and "marching" is one only where it comes first.
    """
    beasts = scene_words().nature["beast"]
    return [
        _Said(
            stem=stem(ENGLISH, word),
            may_be_verb=place == 0 or (words[place - 1] not in _BEFORE_NOUNS and not _is_bent(word)),
            is_beast=word in beasts or word.removesuffix("s") in beasts,
        )
        for place, word in enumerate(words)
    ]


def _is_bent(word: str) -> bool:
    """
    Whether a word is a participle: "marching", "frightened", but not "swing".
    """
    return word.endswith(("ing", "ed")) and stem(ENGLISH, word) != word
