"""
Tells whether a text says something as a fact, and goes on to mean it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Final

from narrator.validation.intents import Intent
from narrator.validation.language import Lexicon
from narrator.validation.patterns import Patterns, Spans, find
from narrator.validation.subjects import Marked

_SHORT_REST: Final = 4
"""Words that are shown with a finding to make it readable."""


class Telling:
    """
    A text with its names and pronouns marked, asked what it says of a goal.
    """

    def __init__(self, words: Sequence[Marked], intent: Intent, lexicon: Lexicon) -> None:
        self._words = words
        self._keys = [word.keys for word in words]
        self._missed, self._reached = _cues(intent, lexicon)
        self._lexicon = lexicon
        self._sentences = _bounds([word.ends_sentence for word in words])
        self._clauses = _bounds(["$" in word.keys for word in words])

    @cached_property
    def _shields(self) -> Mapping[str, Spans]:
        return {name: self._spans(patterns) for name, patterns in self._lexicon.shields.items()}

    @cached_property
    def _innocent(self) -> Spans:
        return self._spans(self._lexicon.innocent)

    def against(self, attained: bool) -> tuple[int, int] | None:
        """
        Give the words that say plainly that a goal was missed though it is attained, or the other way round.
        """
        found = list(self._plain(attained))
        contrary = [start for start, _ in self._plain(not attained)] if found else []
        first, last = min(contrary, default=len(self._words)), max(contrary, default=-1)
        span = next((span for span in found if last < span[1] and self._sentences[span[0]][0] <= first), None)
        return span and (span[0], self._rounded(span[1]))

    def _rounded(self, end: int) -> int:
        """
        Give the end of a finding with the rest of its clause, where that is short.
        """
        close = self._clauses[end - 1][1]
        return close - 1 if end < close <= end + _SHORT_REST and "$" in self._keys[close - 1] else end

    def _plain(self, attained: bool) -> Iterator[tuple[int, int]]:
        """
        Yield what is said as a fact against a branch: not denied, wished, asked, reported, or so only for a while.
        """
        kind = "missed" if attained else "reached"
        cues = self._missed if attained else self._reached
        for start, end in chain.from_iterable(find(patterns, self._keys) for patterns in cues):
            last = self._sentences[end - 1][1]
            denied = any(
                name in self._shields and self._shields[name].within(low, high)
                for name, (low, high) in self._zones(start, end, kind).items()
            )
            if "?" not in self._keys[last - 1] and not denied and not self._innocent.overlaps(start, end):
                yield start, end

    def _zones(self, start: int, end: int, kind: str) -> dict[str, tuple[int, int]]:
        """
        Give the places where a shield of each sort would stand for what was found.
        """
        first, last = self._sentences[start][0], self._sentences[end - 1][1]
        clause = self._clauses[start][0]
        # What was found may have taken the word that ends its clause, which may itself be the shield ("until").
        after = end - 1 if "$" in self._keys[end - 1] else end
        return {
            "clause": (clause, end),
            "negation": (clause, start),
            "ahead": (max(start - 1, 0), start),
            "sentence": (first, start),
            "around": (first, last),
            f"before_{kind}": (first, start),
            f"after_{kind}": (after, self._clauses[after][1] if after < last else last),
            f"later_{kind}": (end, len(self._words)),
        }

    def _spans(self, patterns: Patterns) -> Spans:
        return Spans(find(patterns, self._keys), len(self._keys))


def _cues(intent: Intent, lexicon: Lexicon) -> tuple[list[Patterns], list[Patterns]]:
    """
    Give what says that a goal was missed and what says that it was reached: any goal, or one of the kinds intended.
    """
    kinds: Iterable[str] = intent.goals or (name for name, goal in lexicon.goals.items() if not goal.needs_intent)
    cues = [lexicon.outcome, *(lexicon.goals[name].cues for name in kinds)]
    return [cue.missed for cue in cues], [cue.reached for cue in cues]


def _bounds(ends: Sequence[bool]) -> list[tuple[int, int]]:
    """
    Give for each place where its sentence or clause begins, and where it ends with the word that ends it.
    """
    bounds: list[tuple[int, int]] = []
    start = 0
    for place, is_end in enumerate(ends):
        if is_end or place + 1 == len(ends):
            bounds += [(start, place + 1)] * (place + 1 - start)
            start = place + 1
    return bounds
