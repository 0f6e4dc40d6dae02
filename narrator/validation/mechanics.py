"""Tells whether a text states a mechanic. Mechanics come from the rules, never from a text."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from narrator.language.text import Spans, Text, whole


class Stated(NamedTuple):
    """A mechanic that a text states."""

    kind: str
    """Its name in the lexicon, such as `boost`."""
    phrase: str


def has_modifier(text: Text, stated: Iterable[Stated]) -> bool:
    """Tell whether a text has a number as a modifier, such as "+2 to Stealth". `stated` are its mechanics."""
    if not text.lexicon.judges_mechanics:
        return any("%signed" in word.keys for word in text.words)
    return any(each.kind == "modifier" for each in stated)


def stated_in(text: Text) -> Iterator[Stated]:
    """Yield each mechanic that a text states.

    Game terms in their everyday sense state none. The everyday phrase has to cover the whole term.

    >>> from narrator.language.lexicon import load
    >>> next(stated_in(Text("The guards gain a boost against her.", load("en"))))
    Stated(kind='boost', phrase='gain a boost')
    >>> list(stated_in(Text("He boosts her onto the wall.", load("en"))))
    []
    """
    words = whole(text)
    keys = [*(word.keys for word in words), text.lexicon.mark_keys(".")]  # what ends a clause ends a name too
    found = list(text.lexicon.find(keys, text.lexicon.mechanics))
    if all(each.label == "innocent" for each in found):
        return
    innocent = Spans([each[1:] for each in found if each.label == "innocent"], len(keys))
    for kind, start, end in found:
        if kind != "innocent" and not innocent.cover(start, end):
            last = words[min(end, len(words)) - 1].token
            yield Stated(kind, text.written[words[start].token.start : last.end].strip())
