"""Tells whether a text states as a fact, and does not take back, that a goal was missed or reached."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from narrator.language.lexicon import GoalCue, Lexeme, Lexicon
from narrator.language.text import Spans, Text
from narrator.language.tokens import Token
from narrator.validation.intent import Intent
from narrator.validation.subjects import Marked, People, mark

_SHORT_REST: Final = 4
"""The most words added to a finding to make it readable."""

_ATTEMPT: Final = frozenset(
    ["@actor", "@whom", "@whose", "@name", "@start", "@verb", "@thing", "@place", "@along", "@aside", "@told",
     "@undone", "<barrier>"]
)  # fmt: skip
"""The keys of words for the actor and the intent."""

_SIDES: Final[Mapping[bool, tuple[GoalCue, GoalCue]]] = {True: ("missed", "reached"), False: ("reached", "missed")}
"""By whether a goal is attained: the side that contradicts that, and the side that agrees."""

_WHO_ACTS: Final = frozenset({"@start", "@actor", "@name"})


def contradicts(text: Text, people: People, intent: Intent, attained: bool) -> str | None:
    """Give the phrase that says the opposite of the branch about the actor. None if there is none.

    Args:
        intent: What the actor tried to do.
        attained: Whether the branch attains the goal. True looks for words that say it was missed.

    >>> from narrator.language.lexicon import load
    >>> from narrator.validation.intent import read_intent
    >>> english = load("en")
    >>> cynere, tried = People("Cynere", [], english), read_intent("get through the gate", english)
    >>> contradicts(Text("Cynere fails to get through the gate.", english), cynere, tried, True)
    'Cynere fails to get through the gate'
    >>> contradicts(Text("Cynere fails to notice the boy.", english), cynere, tried, True)
    """
    words = mark(_framed(text.unquoted, intent, text.lexicon), people, intent, text.lexicon)
    span = _Telling(words, intent, text.lexicon).against(attained)
    return None if span is None else text.written[words[span[0]].start : words[span[1] - 1].end].strip(" ,.;:!?")


def _framed(told: Sequence[Lexeme], intent: Intent, lexicon: Lexicon) -> Sequence[Lexeme]:
    """Put words between two pauses. Before a verb without a subject ("Fails again"), the actor replaces the first."""
    if not told:
        return told
    start, end = told[0].token.start, told[-1].token.end
    pause = lexicon.mark_keys(".")
    opening = _WHO_ACTS if _tells_a_doing(told, intent) else pause | {"@start"}
    return [Lexeme("", opening, Token("", start, start, "mark")), *told, Lexeme("", pause, Token("", end, end, "mark"))]


def _tells_a_doing(told: Sequence[Lexeme], intent: Intent) -> bool:
    """Tell whether words begin with a verb for what somebody does: "fails", or the intended verb with its object."""
    first, second = (word.keys for word in (*told[:2], *told[:1])[:2])
    if "<doing>" in first or ("*ly" in first and "<doing>" in second):
        return True
    intended = not first.isdisjoint(intent.parts.get("@verb", ()))
    # "Pass the Salt" says nothing of an outcome: the verb has no ending.
    finite = not first.isdisjoint({"*s", "*ed"}) and f"~{told[0].text}" not in first
    return intended and finite and not second.isdisjoint({"<det>", "<it>"})


class _Telling:
    """A text with marked names and pronouns. Finds what it says about a goal."""

    def __init__(self, words: Sequence[Marked], intent: Intent, lexicon: Lexicon) -> None:
        self._words = words
        self._keys = [word.keys for word in words]
        self._lexicon = lexicon
        self._kinds = [lexicon.goals[name] for name in intent.goals]

    def _cues(self, side: GoalCue) -> Iterator[tuple[int, int]]:
        """Yield what is said of any goal, and of the intended kind in clauses about the actor or the attempt."""
        kinds = (kind.cues[side] for kind in self._kinds)
        for label, start, end in self._lexicon.find(self._keys, self._lexicon.outcome[side], *kinds):
            clause = self._keys[self._clauses[start][0] : end]
            if label == "any" or any(not keys.isdisjoint(_ATTEMPT) for keys in clause):
                yield start, end

    @cached_property
    def _sentences(self) -> list[tuple[int, int]]:
        return _bounds([word.ends_sentence for word in self._words])

    @cached_property
    def _clauses(self) -> list[tuple[int, int]]:
        return _bounds(["$" in keys for keys in self._keys])

    @cached_property
    def _spans(self) -> Mapping[str, Spans]:
        """The places of shields and of innocent phrases."""
        found = self._lexicon.places(self._keys, self._lexicon.shields)
        return {label: Spans(spans, len(self._words)) for label, spans in found.items()}

    def against(self, attained: bool) -> tuple[int, int] | None:
        """Give the words that say that an attained goal was missed, or the other way round."""
        wrong, right = _SIDES[attained]
        found = list(self._plain(wrong))
        contrary = list(self._plain(right)) if found else []
        first = min((start for start, _ in contrary), default=len(self._words))
        last = max((start for start, _ in contrary), default=-1)
        plain = (span for span in found if span not in contrary and last < span[1])
        span = next((span for span in plain if self._sentences[span[0]][0] <= first), None)
        return span and (span[0], self._rounded(span[1]))

    def _rounded(self, end: int) -> int:
        """Give the end of a finding, with the rest of its clause if that is short."""
        close = self._clauses[end - 1][1]
        return close - 1 if end < close <= end + _SHORT_REST and "$" in self._keys[close - 1] else end

    def _plain(self, side: GoalCue) -> Iterator[tuple[int, int]]:
        """Yield what is stated as a fact: not denied, wished, asked, reported, or true only for a while."""
        for start, end in self._cues(side):
            last = self._sentences[end - 1][1]
            innocent = "innocent" in self._spans and self._spans["innocent"].cover(start, end)
            denied = innocent or any(
                name in self._spans and self._spans[name].within(low, high)
                for name, (low, high) in self._zones(start, end, side).items()
            )
            if "?" not in self._keys[last - 1] and not denied and not self._is_aside(start):
                yield start, end

    def _is_aside(self, start: int) -> bool:
        """Tell whether a clause only identifies somebody or something: "the man who threw you out"."""
        first = self._clauses[start][0]
        opens = first < 2 or self._words[first - 2].ends_sentence or not self._keys[first - 2] - _WHO_ACTS
        return not opens and "<relative>" in self._keys[first - 1]

    def _zones(self, start: int, end: int, kind: str) -> dict[str, tuple[int, int]]:
        """Give the places where each kind of shield would cover a finding."""
        first, last = self._sentences[start][0], self._sentences[end - 1][1]
        clause = self._clauses[start][0]
        # A finding may include the word that ends its clause, which may itself be the shield ("until").
        after = end - 1 if "$" in self._keys[end - 1] else end
        return {
            "clause": (clause, end),
            "negation": (clause, start),
            "ahead": (max(start - 1, 0), start),
            "sentence": (first, start),
            "around": (first, last),
            f"before_{kind}": (first, start),
            f"after_{kind}": (after, self._clauses[after][1] if after < last else last),
            f"later_{kind}": (after, len(self._words)),
        }


def _bounds(ends: Sequence[bool]) -> list[tuple[int, int]]:
    """Give for each place where its sentence or clause begins and ends. The ending word is included."""
    bounds: list[tuple[int, int]] = []
    start = 0
    for place, is_end in enumerate(ends):
        if is_end or place + 1 == len(ends):
            bounds += [(start, place + 1)] * (place + 1 - start)
            start = place + 1
    return bounds
