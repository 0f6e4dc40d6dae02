"""
Reads what somebody set out to do, so that a text can be held against it.
"""

from dataclasses import dataclass
from typing import Final

from narrator.validation.language import Lexicon, Word
from narrator.validation.patterns import MARK

_LONGEST: Final = 400
"""What stands further on in an intent is no longer what was intended."""


@dataclass(frozen=True, slots=True)
class Intent:
    """
    An intent, as the stems of its words.
    """

    head: frozenset[str] = frozenset()
    """Its own verbs."""

    verbs: frozenset[str] = frozenset()
    """Those, and all verbs of the same kinds of goal."""

    things: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    shunned: frozenset[str] = frozenset()
    """What is to be done without."""

    goals: tuple[str, ...] = ()
    """The kinds of goal it may be, by their names in the lexicon."""


def read_intent(text: str, lexicon: Lexicon) -> Intent:
    """
    Read an intent such as "slip the ship through the blockade without tripping the alarm".

    The verb stands first, or behind a link ("to", "and"); what follows is its object up to a preposition, and behind
    one of motion the place it leads to.
    """
    goal_verbs = {key for goal in lexicon.goals.values() for key in goal.verbs}
    found: dict[str, set[str]] = {role: set() for role in ("head", "thing", "place", "shun")}
    role = "head"
    for word in lexicon.read(text[:_LONGEST]):
        stems = {key for key in word.keys if key.startswith("~")}
        if MARK in word.keys or _is(word, "ends", lexicon):
            break
        if (changed := _role_behind(word, role, lexicon)) is not None:
            role = changed
        elif role == "shun":
            found["shun"] |= stems
        elif role == "head" or (stems & goal_verbs and (role in {"link", "whom"} or _is(word, "gerunds", lexicon))):
            found["head"] |= stems
            found["thing"] |= stems if role == "whom" else set()
            role = "thing"
        else:
            role = {"link": "place", "whom": "thing"}.get(role, role)
            found.setdefault(role, set()).update(stems)
    head = frozenset(found["head"])
    goals = tuple(name for name, goal in lexicon.goals.items() if goal.verbs & head)
    kind = frozenset(key for name in goals for key in lexicon.goals[name].verbs) | head
    return Intent(head, kind, frozenset(found["thing"]), frozenset(found["place"]), frozenset(found["shun"]), goals)


def _is(word: Word, name: str, lexicon: Lexicon) -> bool:
    return not word.keys.isdisjoint(lexicon.sets.get(f"intent_{name}", frozenset()))


def _role_behind(word: Word, role: str, lexicon: Lexicon) -> str | None:
    """
    Say what stands behind a small word; None for a weighty one.
    """
    if role == "shun":
        return role if _is(word, "small", lexicon) else None
    for name, behind in (
        ("without", "shun"),
        ("links", "link"),
        ("motion", "place"),
        ("aside", "aside"),
        ("whom", "whom"),
    ):
        if _is(word, name, lexicon):
            return behind
    if not _is(word, "small", lexicon):
        return None
    return "place" if role == "link" and _is(word, "articles", lexicon) else role
