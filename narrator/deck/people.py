"""What people are called in a sentence: short, with their number and their pronouns."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated

from narrator.rules.model import LIST, Model, Name
from narrator.rules.scene import Character
from narrator.rules.toml_file import read_packaged
from narrator.validation.safety import sayable

PRONOUNS = {
    "she": ("she", "her", "her"),
    "he": ("he", "him", "his"),
    "they": ("they", "them", "their"),
    "it": ("it", "it", "its"),
    "xe": ("xe", "xem", "xyr"),
    "ze": ("ze", "hir", "hir"),
    "ey": ("ey", "em", "eir"),
    "fae": ("fae", "faer", "faer"),
}
"""Subject, object and owner; what is not here has what the scene tells of it."""

SOMEBODY, SOMETHING = "somebody", "the thing"
"""What those are called of whose names nothing can be said."""

_NICKNAME = re.compile(r"[\"“”„«](\w[^\"“”„«»]{0,30})[\"“”»]")
_EPITHET = re.compile(r"\s*(?:[,;:(/|]|\s[-–—]\s).*$|(?<=\w)\s+(?:the|of)\s.*$")
_NAMED_KIND = re.compile(r"^(?!The )([A-Z][\w'’-]+) the .*$")
_SIGN = re.compile(r"[^\w\s'’.&-]|_")
_CAPITAL = re.compile(r"(?:d['’]|de|von|van|al-)?[^\W\d_a-z]")
_DETERMINED = frozenset(("the", "my", "our", "your", "his", "her", "their", "that", "those", "these", "some", "all"))
_PLURAL = re.compile(r"(?:men|folk|people|police|(?<![suia'’])s)$", re.IGNORECASE)


class Names(Model):
    """
    Words in small letters that stand in names.
    """

    titles: Annotated[frozenset[Name], LIST]
    titles_of_last_names: Annotated[frozenset[Name], LIST]
    words: Annotated[frozenset[Name], LIST]


@dataclass(frozen=True)
class Person:
    """
    Somebody in a sentence: what they are called in the middle of one, whether verbs are plural, and their pronouns.
    """

    called: str
    is_plural: bool = False
    pronouns: tuple[str, str, str] | None = None


def person(character: Character, nouns: Collection[str], *, is_english: bool = True) -> Person:
    """
    Tell how somebody is spoken of: without the signs that no text may have, so that what names them passes the check.

    Who has no name of their own, a nameless guard or a pack of wolves, has an article in English; and whoever is
    nameless and bears a plural is a group, where the scene does not say otherwise.

    Args:
        nouns: Words, in small letters, that name a kind of person, beast or thing.
    """
    called = sayable(character.called or "") or sayable(short_name(character, nouns)) or SOMEBODY
    words = called.split()
    is_common = character.importance not in ("pc", "named")
    is_plural = character.group
    if is_plural is None:
        is_plural = character.importance == "swarm" or (is_common and bool(words and _PLURAL.search(words[-1])))
    if is_english and is_common and words[1:] and words[0].casefold() in ("a", "an"):
        words = ["the", *words[1:]]
    has_article = bool(words) and words[0].casefold() in _DETERMINED
    if is_english and has_article:
        called = f"{words[0].lower()} {' '.join(words[1:])}" if words[1:] else called
    elif is_english and character.called is None and (is_plural or (is_common and _is_kind(words, nouns))):
        called = f"the {called}"
    return Person(called, is_plural, _pronouns(character.pronouns, is_plural and is_english))


def thing_spoken_of(called: str) -> Person:
    """
    Tell how something is spoken of that is known by its words alone.
    """
    said = sayable(called) or SOMETHING
    return Person(said, bool(_PLURAL.search(said)))


def short_name(character: Character, nouns: Collection[str] = ()) -> str:
    """
    Return a name as it stands in a sentence: without titles, epithets and signs, and of two names the one that goes
    without the other, as far as that leaves a name.
    """
    name = character.name
    if character.importance in ("nameless", "swarm"):
        return _plain(_NAMED_KIND.sub(r"\1", name))
    if nickname := _NICKNAME.search(name):
        return nickname[1]
    is_described = bool(_DETERMINED.intersection(name.casefold().split()[:1]))
    words = _plain(name if is_described else _EPITHET.sub("", name) or name).split()
    titles = 0
    known = names()
    while len(words) - titles > 1 and words[titles].rstrip(".").casefold() in known.titles:
        titles += 1
    title, words = words[titles - 1].rstrip(".").casefold() if titles else "", words[titles:]
    is_one = not is_described and not character.group
    if len(words) == 2 and is_one and not any(_is_word(word, nouns) for word in words):
        # Captain Varga, but Lady Ottoline; and Jack.
        words = words[1:] if title in known.titles_of_last_names else words[:1]
    return " ".join(words) or name


def _plain(name: str) -> str:
    return " ".join(_SIGN.sub(" ", name).split()).strip(" -.&") or name


def _is_word(word: str, nouns: Collection[str]) -> bool:
    """
    Whether this is a word, so that it is no name by itself: Iron Tooth, Old Maren, Watch Captain.
    """
    folded = word.casefold()
    if folded.endswith(("'s", "’s")):
        return True
    is_named_so = _CAPITAL.match(word) and folded not in names().words | names().titles
    return not is_named_so or folded in nouns or folded.removesuffix("s") in nouns


@cache
def names() -> Names:
    """
    Read what is known of names.
    """
    return read_packaged(Names, files("narrator.deck") / "names.toml")


def _is_kind(words: list[str], nouns: Collection[str]) -> bool:
    """
    Whether a nameless one's name says what they are: Cave Troll, Bridge Toll Gang, bouncer.
    """
    if len(words) > 1:
        return words[0].rstrip(".").casefold() not in names().titles | names().words
    return bool(words) and words[0].casefold() in nouns


def _pronouns(told: str | None, are_many: bool) -> tuple[str, str, str] | None:
    if told is None:
        return PRONOUNS["they"] if are_many else None
    parts = [part.strip().lower() for part in told.split("/")]
    if parts[0] in PRONOUNS:
        return PRONOUNS[parts[0]]
    return (parts[0], parts[1], parts[2]) if len(parts) > 2 else None
