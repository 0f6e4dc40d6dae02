"""An intent word by word: what a deed is done to ("the registers") and what it is to find out ("who sold the map")."""

import re
from dataclasses import dataclass

LONGEST = 40
"""Characters of what a card puts in; more would not be said in one breath."""

LONGEST_QUESTION = 60
"""Characters of a question."""

MOST_WORDS = 4
"""Words after the article."""

_QUESTIONS = frozenset(
    ("what", "who", "whom", "where", "why", "how", "which", "whether", "whatever", "whoever", "whose")
)
_OWN = re.compile(r"\b(?:I|we|me|us|my|our|you|your|he|she|they|him|her|them)\b")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
"""A word, with what stands in the middle of it: "night-watchman's"."""

_WRITTEN = re.compile(rf"({WORD.pattern})['’]?")
_ARTICLES = frozenset(("the", "a", "an", "this", "these", "those"))
_SKIPPED = frozenset(
    """
    on onto over under past in into through across to at for from around along up down off out of with against behind
    between toward towards by above below beneath among beyond free loose clear
    """.split()  # noqa: SIM905
)
"""What may stand between a verb and its object."""

_ENDS = (_SKIPPED - {"of"}) | frozenset(
    """
    and or but so as before after until till while when where who whose whom which that than then if because without
    within inside outside about like near aside away back apart open shut free loose together again once alone first
    round is are was were has have had can could would must now here there quickly just myself himself herself
    themselves enough instead still too either it him them me us until unless using how why what whatever whoever
    unseen unheard
    """.split()  # noqa: SIM905
)
"""What it ends before."""


@dataclass(frozen=True)
class Word:
    """
    A word of an intent as it was written, the same in small letters, and whether anything but a blank stands before it.
    """

    text: str
    folded: str
    is_apart: bool


def words_of(intent: str) -> list[Word]:
    """
    Take an intent apart.
    """
    found, end = list[Word](), 0
    for each in _WRITTEN.finditer(intent):
        found.append(Word(each[0], each[1].casefold(), is_apart=bool(intent[end : each.start()].strip())))
        end = each.end()
    return found


def object_in(words: list[Word], *, is_direct: bool = False) -> str | None:
    """
    Find what a verb is done to, in the words that follow it; None where that cannot be told.

    It begins with an article or a capital; whatever it is at first, in a card it is the one that is known.

    Args:
        is_direct: That nothing may stand between, as "through" does.
    """
    start, most = 0, 0 if is_direct else min(2, len(words))
    while start < most and words[start].folded in _SKIPPED and not words[start].is_apart:
        start += 1
    if start >= len(words) or words[start].is_apart:
        return None
    has_article = words[start].folded in _ARTICLES
    if not has_article and not words[start].text[:1].isupper():
        return None
    found: list[str] = []
    for word in words[start + 1 if has_article else start :]:
        if (found and word.is_apart) or word.folded in _ENDS or word.folded.endswith("ly"):
            break
        found.append(word.text)
    if found and found[-1].casefold() in ("of", "the", "a"):
        found = found[:-1]
    plain = " ".join((*(("the",) if has_article else ()), *found))
    is_whole = 0 < len(found) <= MOST_WORDS and len(plain) <= LONGEST and not plain.endswith(("'s", "’s"))
    return plain if is_whole else None


def sought_in(words: list[Word]) -> str | None:
    """
    Find what is asked or looked for: the clause of a question, or what stands behind "for" and "about".
    """
    for place, word in enumerate(words):
        rest = words[place + 1 :]
        if word.folded in _QUESTIONS and len(rest) > 1 and (place == 0 or not word.is_apart):
            clause = [word.folded]
            for each in rest:
                if each.is_apart or each.folded in ("before", "until", "while", "without", "so"):
                    break
                clause.append(each.text)
            said = " ".join(clause)
            return said if len(clause) > 2 and len(said) <= LONGEST_QUESTION and not _OWN.search(said) else None
        if word.folded in ("for", "about") and (found := object_in(rest)) is not None:
            return found
    return None
