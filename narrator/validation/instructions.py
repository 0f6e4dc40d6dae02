"""Tells whether a text says back our own instructions to a model: the pages of the prompts, and what forms ask for."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from narrator.language.folding import fold
from narrator.language.text import bare_words
from narrator.rules.ruleset import Ruleset
from narrator.shipped import notes, page

_PAGES: Final = (
    *("system", "one_by_one", "cards", "roll", "prepare", "word", "repair", "serious_cost", "minor_cost", "boost"),
    *("aspect", "consequence", "situation_aspect", "zone_aspect", "compel", "high_concept", "trouble", "opening"),
    "twist",
)
_RUN: Final = 3
"""Words in a row that are ours; a sentence of ours, or a part of one, has as many."""

_SAID_BACK: Final = 2 / 3
"""Of a text's words, how many such rows may hold."""

_Row = tuple[str, ...]


class Instructions:
    """Our sentences, as a model that words suggestions by a ruleset may have read them."""

    def __init__(self, ruleset: Ruleset) -> None:
        asked = (text for form in ruleset.forms.values() for text in (form.brief, form.name) if text)
        self._wholes, self._rows = _ours(tuple(asked))

    def are_said_in(self, folded: str) -> bool:
        """Tell whether a folded text is made of them: all of one, or most of the text in rows of their words."""
        words = tuple(bare_words(folded))
        held = {at + more for at, row in enumerate(_rows(words)) if row in self._rows for more in range(_RUN)}
        return words in self._wholes or len(held) > max(_RUN, len(words) * _SAID_BACK)


@cache
def _ours(asked: tuple[str, ...]) -> tuple[frozenset[_Row], frozenset[_Row]]:
    """Give our sentences and their parts, whole, and every row of words in them."""
    told = [*(page(name).text for name in _PAGES), *notes().lines.values(), *asked]
    told = [re.sub(r"^\{.*\}$", "", text, flags=re.MULTILINE) for text in told]  # an example is nobody's instruction
    paragraphs = (bare_words(fold(text)) for each in told for text in re.split(r"\n\n|\n- ", each))
    parts = (tuple(bare_words(fold(part))) for text in told for part in re.split(r"[.:;()]", text))
    wholes = (*(part for part in parts if len(part) >= _RUN), *(tuple(bare_words(fold(text))) for text in asked))
    return frozenset(wholes), frozenset(row for words in paragraphs for row in _rows(words))


def _rows(words: Sequence[str]) -> Iterator[_Row]:
    return zip(*(words[start:] for start in range(_RUN)), strict=False)
