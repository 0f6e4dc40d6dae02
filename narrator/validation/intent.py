"""The intent of an action, analysed so that texts can be compared with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Final

from narrator.language.lexicon import Lexeme, Lexicon
from narrator.language.patterns import MARK
from narrator.language.text import Text

_LONGEST: Final = 400
"""Characters of an intent that are read."""

_TO_THE_END: Final = frozenset({"@told", "@shun"})
"""Parts that go on to the end of the intent."""


@dataclass(frozen=True)
class Intent:
    """An intent, as the stems of its words."""

    parts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The stems of each part, by the key that patterns use."""
    goals: tuple[str, ...] = ()
    """The possible kinds of goal, by their names in the lexicon."""

    @cached_property
    def parts_by(self) -> Callable[[frozenset[str]], frozenset[str]]:
        """Gives the parts that contain a word with these keys."""
        return cache(lambda keys: frozenset(part for part, stems in self.parts.items() if not stems.isdisjoint(keys)))


def read_intent(text: str, lexicon: Lexicon) -> Intent:
    """Read an intent such as "slip the ship through the blockade without tripping the alarm".

    The verb stands first, or after a link ("to", "and"). If somebody is to be made to do something, any word after "to"
    is a verb. The object follows, up to a preposition. After a preposition of motion comes the place, unless the
    preposition belongs to the verb: "put out the fire".
    """
    found: dict[str, set[str]] = {
        key: set() for key in ("@head", "@thing", "@place", "@told", "@along", "@shun", "@aside")
    }
    part, before, urges, splits, moves = "@head", "", False, False, False
    for word in Text(text[:_LONGEST], lexicon).words:
        stems = {key for key in word.keys if key.startswith("~")}
        named = before in lexicon.told.articles  # "the summoning" is a thing
        urged = urges and (
            before in lexicon.told.lists.get("intent_infinitive", ())
            or ("<intent_gerunds>" in word.keys and before in lexicon.told.lists.get("intent_into", ()))
        )
        before = word.text
        if (splits and "<intent_particles>" in word.keys) or (moves and "<intent_aside>" in word.keys):
            continue  # "put out", "out of"
        moves = "<intent_motion>" in word.keys
        splits = part == "@head" and "<intent_splits>" in word.keys
        if MARK in word.keys:
            break
        is_verb = part == "@head" and not lexicon.goal_verbs.isdisjoint(stems)  # "rally" is no adverb
        if not is_verb and (behind := _part_behind(word, part, lexicon)) is not None:
            part = behind
        elif part in _TO_THE_END:
            found[part] |= stems
        elif (
            part == "@head"
            or (part in {"link", "@place"} and urged)
            or (
                not lexicon.goal_verbs.isdisjoint(stems)
                and (part in {"link", "whom"} or ("<intent_gerunds>" in word.keys and not named))
            )
        ):
            found["@head"] |= stems
            urges = urges or "<intent_urges>" in word.keys
            # "make him lose his temper", "persuade the duke to sign": the second verb is part of the goal
            found["@thing"] |= stems if part == "whom" or urged else set()
            part = "@thing"
        else:
            part = {"link": "@place", "whom": "@thing"}.get(part, part)
            found.setdefault(part, set()).update(stems)
    goals = tuple(name for name, goal in lexicon.goals.items() if goal.verbs & found["@head"])
    found["@feat"] = {key for key in found["@head"] if "<everyday>" not in lexicon.lists_of(key)}
    found["@done"] = {key for key in found["@head"] if "<achieving>" in lexicon.lists_of(key)}
    found["@verb"] = found["@head"].union(*(lexicon.goals[name].verbs for name in goals))
    return Intent({key: frozenset(stems) for key, stems in found.items() if key.startswith("@")}, goals)


def _part_behind(word: Lexeme, part: str, lexicon: Lexicon) -> str | None:
    """Say which part of an intent follows a small word. None if the word is weighty."""
    if part in _TO_THE_END:
        return part if "<intent_small>" in word.keys or word.text in lexicon.told.stop_words else None
    for name, behind in (
        ("without", "@shun"),
        ("told", "@told"),
        ("links", "link"),
        ("motion", "@place"),
        ("along", "@along"),
        ("aside", "@aside"),
        ("whom", "whom"),
    ):
        if f"<intent_{name}>" in word.keys:
            return behind
    if "<intent_small>" not in word.keys:
        return None
    return "@place" if part == "link" and "<intent_articles>" in word.keys else part
