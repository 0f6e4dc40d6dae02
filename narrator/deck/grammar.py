"""Grammar for cards: puts people and words into their sentences, with agreeing verbs, articles and capitals."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated

from narrator.rules.model import LIST, Model, Name
from narrator.rules.request.scene import Character
from narrator.rules.ruleset.card import PEOPLE
from narrator.rules.toml_file import read_packaged
from narrator.validation.safety import sayable

SOMEBODY, SOMETHING = "somebody", "the thing"
"""Used for names that have no sayable part."""

_NICKNAME = re.compile(r"[\"“”„«](\w[^\"“”„«»]{0,30})[\"“”»]")
_EPITHET = re.compile(r"\s*(?:[,;:(/|]|\s[-–—]\s).*$|(?<=\w)\s+(?:the|of)\s.*$")
_NAMED_KIND = re.compile(r"^(?!The )([A-Z][\w'’-]+) the .*$")
_SIGN = re.compile(r"[^\w\s'’.&-]|_")
_CAPITAL = re.compile(r"(?:d['’]|de|von|van|al-)?[^\W\d_a-z]")
_DETERMINED = frozenset(("the", "my", "our", "your", "his", "her", "their", "that", "those", "these", "some", "all"))
_PLURAL = re.compile(r"(?:men|folk|people|police|(?<![suia'’])s)$", re.IGNORECASE)

PronounForms = tuple[str, str, str]
"""Subject, object and owner."""

NameSet = Annotated[frozenset[Name], LIST]

_PART = re.compile(
    r"(?P<article>\b[Aa]n? )?\{(?P<word>\w+)(?P<way>(?:'s| they| them| their)?)\}"
    r"|(?P<one>[^\W\d_][\w'’-]*)\|(?P<many>[^\W\d_][\w'’-]*)"
)
_WAYS = {" they": 0, " them": 1, " their": 2}
_SUBJECTS = ("", " they")  # the forms of a subject: verbs after it agree

_WRITTEN_SO = frozenset(("actor", "to", "opponent", "foe", "aspect", "draft"))
"""Placeholders whose filling keeps its capitals in a name."""

_OPENS = re.compile(r"^[\s\"“‘']*$|[.!?][”’]?\s[\s\"“‘']*$")
_SMALL = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))
_VOWEL = re.compile(r"(?!uni|use|usu|eu|one\b|ut[ei]|ur[aei])[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE)


class NameWords(Model):
    """Lower-case words that occur in names, and the forms of pronouns by their first form."""

    titles: NameSet
    titles_of_last_names: NameSet
    words: NameSet
    pronouns: dict[str, Annotated[PronounForms, LIST]]


@dataclass(frozen=True)
class Person:
    """Somebody in a sentence: their name inside it, whether verbs are plural, and their pronouns."""

    called: str
    is_plural: bool = False
    pronouns: PronounForms | None = None


def person(character: Character | str, nouns: Collection[str], *, is_english: bool = True) -> Person:
    """Say how a text refers to somebody, without signs that the check refuses. In English, a common name gets an
    article, and counts as a group if it is a plural. `nouns` are words for kinds of persons, beasts or things. A string
    instead of a character stands for a thing.
    """
    if isinstance(character, str):
        said = sayable(character) or SOMETHING
        return Person(said, bool(_PLURAL.search(said)))
    called = sayable(character.called or "") or sayable(short_name(character, nouns)) or SOMEBODY
    first, *rest = called.split()
    is_common = character.importance not in ("pc", "named")
    is_plural = character.group
    if is_plural is None:
        is_plural = character.importance == "swarm" or (is_common and bool(_PLURAL.search(called)))
    if is_english:
        if rest and is_common and first.casefold() in ("a", "an"):
            first = "the"
        if first.casefold() in _DETERMINED:
            called = " ".join((first.lower(), *rest)) if rest else called
        elif character.called is None:
            # Cave Troll, Bridge Toll Gang, bouncer: the name of a nameless character may be their kind.
            folded, known = first.rstrip(".").casefold(), name_words()
            is_kind = folded not in known.titles | known.words if rest else folded in nouns
            called = f"the {called}" if is_plural or (is_common and is_kind) else called
    return Person(called, is_plural, _pronouns(character.pronouns, is_plural and is_english))


def short_name(character: Character, nouns: Collection[str] = ()) -> str:
    """Return a name for use in a sentence, without titles, epithets and signs. Of a first and a last name, it is the
    one that is used alone.
    """
    name, known = character.name, name_words()
    if character.importance in ("nameless", "swarm"):
        return _plain(_NAMED_KIND.sub(r"\1", name))
    if nickname := _NICKNAME.search(name):
        return nickname[1]
    is_described = not _DETERMINED.isdisjoint(name.casefold().split()[:1])
    words, title = _plain(name if is_described else _EPITHET.sub("", name) or name).split(), ""
    while len(words) > 1 and (found := words[0].rstrip(".").casefold()) in known.titles:
        title, words = found, words[1:]
    is_one = not is_described and not character.group
    if len(words) == 2 and is_one and not any(_is_word(word, nouns) for word in words):
        # Captain Varga, but Lady Ottoline; and Jack.
        words = words[1:] if title in known.titles_of_last_names else words[:1]
    return " ".join(words) or name


def _plain(name: str) -> str:
    return " ".join(_SIGN.sub(" ", name).split()).strip(" -.&") or name


def _is_word(word: str, nouns: Collection[str]) -> bool:
    """Whether this is an ordinary word, not a name by itself: as in Iron Tooth, Old Maren, Watch Captain."""
    folded = word.casefold()
    is_named_so = _CAPITAL.match(word) and folded not in name_words().words | name_words().titles
    return not is_named_so or folded.endswith(("'s", "’s")) or folded in nouns or folded.removesuffix("s") in nouns


def _pronouns(told: str | None, are_many: bool) -> PronounForms | None:
    parts = [part.strip().lower() for part in (told or ("they" if are_many else "")).split("/")]
    return name_words().pronouns.get(parts[0]) or ((parts[0], parts[1], parts[2]) if len(parts) > 2 else None)


@cache
def name_words() -> NameWords:
    """Read the file of names."""
    return read_packaged(NameWords, files("narrator.deck") / "names.toml")


def fill_card(text: str, people: Mapping[str, Person], words: Mapping[str, str], *, is_name: bool = False) -> str:
    """Fill a card's placeholders in one pass, so that no part of a name is read as a placeholder. `people` fills those
    in `PEOPLE`, and `words` the others. The name of an aspect gets capitals.
    """
    is_plural = False

    def put_in(part: re.Match[str]) -> str:
        nonlocal is_plural
        opens = bool(_OPENS.search(text[: part.start()]))
        if part["one"]:
            return _cased(part["many"] if is_plural else part["one"], opens=opens)
        word = part["word"].lower()
        put, number = _put(people[word], part["way"]) if word in PEOPLE else (words[word], is_plural)
        # An owner or object is not a subject: verbs agree with the subject before.
        is_plural = number if part["way"] in _SUBJECTS else is_plural
        if is_name and word not in _WRITTEN_SO:
            put = " ".join(each if each in _SMALL else each[:1].upper() + each[1:] for each in put.split())
        if part["article"]:
            put = f"{'an' if _VOWEL.match(put) else 'a'} {put}"
        return _cased(put, opens=opens or (part["article"] or "")[:1] == "A")

    return _PART.sub(put_in, text)


def _put(who: Person, way: str) -> tuple[str, bool]:
    """Return the text for somebody in a sentence, and whether verbs after it are plural."""
    if way in _WAYS and who.pronouns is not None:
        return who.pronouns[_WAYS[way]], who.is_plural or who.pronouns[0] == "they"
    if way in ("'s", " their"):
        ends_so = who.is_plural and who.called.endswith("s")
        return who.called + ("'" if ends_so else "'s"), who.is_plural
    return who.called, who.is_plural


def _cased(text: str, *, opens: bool) -> str:
    return text[:1].upper() + text[1:] if opens else text
