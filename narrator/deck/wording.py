"""Puts names and things into a card, so that verbs agree, articles fit and sentences begin with a capital."""

import re
from collections.abc import Mapping

from narrator.deck.people import Person
from narrator.rules.card import PEOPLE

_PART = re.compile(
    r"(?P<article>\b[Aa]n? )?\{(?P<word>\w+)(?P<way>(?:'s| they| them| their)?)\}"
    r"|(?P<one>[^\W\d_][\w'’-]*)\|(?P<many>[^\W\d_][\w'’-]*)"
)
_WAYS = {" they": 0, " them": 1, " their": 2}
_SUBJECTS = ("", " they")
"""How whoever does something is put: verbs after it agree."""

_WRITTEN_SO = frozenset(("actor", "to", "opponent", "foe", "aspect", "draft"))
"""What has its capitals already, where it stands in a name."""

_ENDS = (".", "!", "?", ".”", ".’", "!”", "?”")
_SMALL = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))
_VOWEL = re.compile(r"(?!uni|use|usu|eu|one\b|ut[ei]|ur[aei])[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE)


def fill(text: str, people: Mapping[str, Person], words: Mapping[str, str], *, is_name: bool = False) -> str:
    """
    Put a card's words together in one pass, so that nothing in a name is taken for a placeholder.

    Args:
        people: Whoever, or with `{object}` whatever, `{actor}` and the like are, by the words of `PEOPLE`.

        words: What other placeholders stand for.

        is_name: That this is the wording of an aspect, with capitals.
    """
    filled: list[str] = []
    at, is_plural = 0, False
    for part in _PART.finditer(text):
        filled.append(text[at : part.start()])
        at, opens = part.end(), _opens("".join(filled))
        if part["one"]:
            filled.append(_cased(part["many"] if is_plural else part["one"], opens=opens))
            continue
        word = part["word"].lower()
        if word in PEOPLE:
            put, number = _put(people[word], part["way"])
            # Whose something is, or whom it befalls, is no subject: verbs follow whoever was one before.
            is_plural = number if part["way"] in _SUBJECTS else is_plural
        else:
            put = words[word]
        if is_name and word not in _WRITTEN_SO:
            put = titled(put)
        if part["article"]:
            article = "an " if _VOWEL.match(put) else "a "
            put = f"{_cased(article, opens=part['article'][0] == 'A')}{put}"
        filled.append(_cased(put, opens=opens))
    filled.append(text[at:])
    return "".join(filled)


def titled(words: str) -> str:
    """
    Write words as titles are written.
    """
    return " ".join(word if word in _SMALL else word[:1].upper() + word[1:] for word in words.split())


def _put(who: Person, way: str) -> tuple[str, bool]:
    """
    Return how somebody stands in a sentence, and whether verbs after it are plural.
    """
    if way in _WAYS and who.pronouns is not None:
        pronoun = who.pronouns[_WAYS[way]]
        return pronoun, who.is_plural or who.pronouns[0] == "they"
    if way in ("'s", " their"):
        ends_so = who.is_plural and who.called.endswith("s")
        return who.called + ("'" if ends_so else "'s"), who.is_plural
    return who.called, who.is_plural


def _opens(before: str) -> bool:
    stripped = before.rstrip(" \"“‘'")
    return not stripped or (stripped != before and stripped.endswith(_ENDS))


def _cased(text: str, *, opens: bool) -> str:
    return text[:1].upper() + text[1:] if opens else text
