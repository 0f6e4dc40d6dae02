"""Tells whether a text says as a fact, and goes on to mean it, that a goal was missed or reached."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from narrator.language.lexicon import GoalCue, Lexeme, Lexicon
from narrator.language.text import Spans, Text
from narrator.language.tokens import Token
from narrator.validation.intent import Intent
from narrator.validation.subjects import Marked, People, mark

_SHORT_REST: Final = 4
"""Words that are shown with a finding to make it readable."""

_ATTEMPT: Final = frozenset(
    ["@actor", "@whom", "@whose", "@name", "@start", "@verb", "@thing", "@place", "@along", "@aside", "@told",
     "@undone", "<barrier>"]
)  # fmt: skip
"""The keys of words for who acts and for what was intended."""

_SIDES: Final[Mapping[bool, tuple[GoalCue, GoalCue]]] = {True: ("missed", "reached"), False: ("reached", "missed")}
"""By whether a goal is attained: what would take that back, and what goes with it."""

_WHO_ACTS: Final = frozenset({"@start", "@actor", "@name"})


def contradicts(text: Text, people: People, intent: Intent, attained: bool) -> str | None:
    """Give the phrase of a text that says of the actor the opposite of what the branch says, None where there is none.

    Args:
        intent: What the actor set out to do.
        attained: Whether the goal is attained on the branch: True looks for words that say that it was missed.

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
    """Put words between two pauses; who acts stands for the first before a doing that is nobody's: "Fails again"."""
    if not told:
        return told
    start, end = told[0].token.start, told[-1].token.end
    pause = lexicon.mark_keys(".")
    opening = _WHO_ACTS if _tells_a_doing(told, intent) else pause | {"@start"}
    return [Lexeme("", opening, Token("", start, start, "mark")), *told, Lexeme("", pause, Token("", end, end, "mark"))]


def _tells_a_doing(told: Sequence[Lexeme], intent: Intent) -> bool:
    """Tell whether words begin with what somebody does: "fails", or what was intended, with its object."""
    first, second = (word.keys for word in (*told[:2], *told[:1])[:2])
    if "<doing>" in first or ("*ly" in first and "<doing>" in second):
        return True
    intended = not first.isdisjoint(intent.parts.get("@verb", ()))
    # "Pass the Salt" tells nothing: it is the verb itself.
    finite = not first.isdisjoint({"*s", "*ed"}) and f"~{told[0].text}" not in first
    return intended and finite and not second.isdisjoint({"<det>", "<it>"})


class _Telling:
    """A text with its names and pronouns marked, asked what it says of a goal."""

    def __init__(self, words: Sequence[Marked], intent: Intent, lexicon: Lexicon) -> None:
        self._words = words
        self._keys = [word.keys for word in words]
        self._lexicon = lexicon
        self._kinds = [lexicon.goals[name] for name in intent.goals]

    def _cues(self, side: GoalCue) -> Iterator[tuple[int, int]]:
        """Yield what is said of any goal, and of a kind intended where its clause is of who acts or of the attempt."""
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
        """Where shields stand, and what is innocent."""
        found = self._lexicon.places(self._keys, self._lexicon.shields)
        return {label: Spans(spans, len(self._words)) for label, spans in found.items()}

    def against(self, attained: bool) -> tuple[int, int] | None:
        """Give the words that say plainly that a goal was missed though it is attained, or the other way round."""
        wrong, right = _SIDES[attained]
        found = list(self._plain(wrong))
        contrary = list(self._plain(right)) if found else []
        first = min((start for start, _ in contrary), default=len(self._words))
        last = max((start for start, _ in contrary), default=-1)
        plain = (span for span in found if span not in contrary and last < span[1])
        span = next((span for span in plain if self._sentences[span[0]][0] <= first), None)
        return span and (span[0], self._rounded(span[1]))

    def _rounded(self, end: int) -> int:
        """Give the end of a finding with the rest of its clause, where that is short."""
        close = self._clauses[end - 1][1]
        return close - 1 if end < close <= end + _SHORT_REST and "$" in self._keys[close - 1] else end

    def _plain(self, side: GoalCue) -> Iterator[tuple[int, int]]:
        """Yield what is said as a fact against a branch: not denied, wished, asked, reported, or so for a while."""
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
        """Tell whether a clause only says of somebody or something who or what that is: "the man who threw you out"."""
        first = self._clauses[start][0]
        opens = first < 2 or self._words[first - 2].ends_sentence or not self._keys[first - 2] - _WHO_ACTS
        return not opens and "<relative>" in self._keys[first - 1]

    def _zones(self, start: int, end: int, kind: str) -> dict[str, tuple[int, int]]:
        """Give the places where a shield of each sort would stand for what was found."""
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
            f"later_{kind}": (after, len(self._words)),
        }


def _bounds(ends: Sequence[bool]) -> list[tuple[int, int]]:
    """Give for each place where its sentence or clause begins, and where it ends with the word that ends it."""
    bounds: list[tuple[int, int]] = []
    start = 0
    for place, is_end in enumerate(ends):
        if is_end or place + 1 == len(ends):
            bounds += [(start, place + 1)] * (place + 1 - start)
            start = place + 1
    return bounds
