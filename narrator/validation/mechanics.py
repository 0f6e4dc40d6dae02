"""Tells whether a text states a mechanic: what the table gives, and no words may."""

from narrator.language.text import Text
from narrator.validation.spans import Spans

MODIFIER = "modifier"
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
    return next((text.shown(start, end) for _, start, end in _stated(text)), None)


def has_modifier(text: Text) -> bool:
    """
    Tell whether a text has a number as a modifier, such as "+2 to Stealth".
    """
    if not text.lexicon.judges_mechanics:
        return any("%signed" in word.keys for word in text.words)
    return any(kind == MODIFIER for kind, _, _ in _stated(text))


def _stated(text: Text) -> list[tuple[str, int, int]]:
    found = list(text.lexicon.find([word.keys for word in text.words], text.lexicon.mechanics))
    stated = [each for each in found if each.label != "innocent"]
    if not stated:
        return []
    innocent = Spans([each[1:] for each in found if each.label == "innocent"], len(text.words))
    return [each for each in stated if not innocent.cover(each.start, each.end)]
