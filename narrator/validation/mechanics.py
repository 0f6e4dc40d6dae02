"""Tells whether a text states a mechanic: what the table gives, and no words may."""

from collections.abc import Iterator

from narrator.language.spelt import whole
from narrator.language.text import Text
from narrator.validation.spans import Spans

_MODIFIER = "modifier"
"""The kind of mechanic that is a number with its sign."""


def states_mechanic(text: Text) -> str | None:
    """
    Give the phrase of a text that states a mechanic, None where it states none. Words of the trade in their plain
    sense state none: what reads them so has to cover them whole.

    >>> from narrator.language.lexicon import load
    >>> states_mechanic(Text("The guards gain a boost against her.", load("en")))
    'gain a boost'
    >>> states_mechanic(Text("He boosts her onto the wall.", load("en")))
    """
    return next((shown for _, shown in _stated(text)), None)


def has_modifier(text: Text) -> bool:
    """
    Tell whether a text has a number as a modifier, such as "+2 to Stealth".
    """
    if not text.lexicon.judges_mechanics:
        return any("%signed" in word.keys for word in text.words)
    return any(kind == _MODIFIER for kind, _ in _stated(text))


def _stated(text: Text) -> Iterator[tuple[str, str]]:
    """
    Yield each mechanic that is stated: its kind, and the phrase.
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
            yield kind, text.written[words[start].token.start : last.end].strip()
