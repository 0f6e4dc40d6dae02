"""Puts words together that were pulled apart: "in-vo-ca-tion", "Ste alth", "s.t.r.e.s.s", "f r e e"."""

from collections.abc import Sequence
from functools import lru_cache

from narrator.language.lexicon import Word
from narrator.language.lexicon_file import Words
from narrator.language.text import Text


def whole(text: Text) -> Sequence[Word]:
    """Give the words of a text, one where several spell a word of the list `apart`; its key is `%` with that word."""
    terms = text.lexicon.told.lists.get("apart", ())
    beginnings = _beginnings(terms)
    words, place = list(text.words), 0
    while place < len(words):
        if words[place].text in beginnings:
            end, spelt = _spelt(words, place, terms, beginnings)
            if spelt:
                token = words[place].token._replace(end=words[end - 1].token.end)
                trick = f"%{spelt}"
                known = text.lexicon.keys(spelt) | {trick} | text.lexicon.lists_of(trick)
                words[place:end] = [Word(spelt, known, token)]
        place += 1
    return words


def _spelt(words: Sequence[Word], place: int, terms: Words, beginnings: frozenset[str]) -> tuple[int, str]:
    """Give where the longest of those words ends that is spelt from a place on, and that word."""
    spelt, best = words[place].text, (place, "")
    for end in range(place + 2, len(words) + 1):
        spelt += words[end - 1].text
        if spelt in terms:
            best = end, spelt
        if spelt not in beginnings:
            break
    return best


@lru_cache(maxsize=16)
def _beginnings(terms: Words) -> frozenset[str]:
    return frozenset(term[:length] for term in terms for length in range(1, len(term)))
