"""How people stand in a sentence, and a card's words put together: verbs agree, articles fit, capitals begin."""

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
"""What those are called of whose names nothing can be said."""

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
_SUBJECTS = ("", " they")  # how whoever does something is put: verbs after it agree

_WRITTEN_SO = frozenset(("actor", "to", "opponent", "foe", "aspect", "draft"))
"""What has its capitals already, where it stands in a name."""

_OPENS = re.compile(r"^[\s\"“‘']*$|[.!?][”’]?\s[\s\"“‘']*$")
_SMALL = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"))
_VOWEL = re.compile(r"(?!uni|use|usu|eu|one\b|ut[ei]|ur[aei])[aeiou]|hour|honest|honou?r|heir", re.IGNORECASE)


class NameWords(Model):
    """Words in small letters that stand in names, and pronouns by the first of each."""

    titles: NameSet
    titles_of_last_names: NameSet
    words: NameSet
    pronouns: dict[str, Annotated[PronounForms, LIST]]


@dataclass(frozen=True)
class Person:
    """Somebody in a sentence: what they are called in the middle of one, whether verbs are plural, their pronouns."""

    called: str
    is_plural: bool = False
    pronouns: PronounForms | None = None


def person(character: Character | str, nouns: Collection[str], *, is_english: bool = True) -> Person:
    """Tell how somebody is spoken of: without the signs that no text may have, so that what names them passes the
    check. Who has no name of their own has an article in English, and is a group where the name is a plural. `nouns`
    are words that name a kind of person, beast or thing. A text is that of something known by its words alone.
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
            # Cave Troll, Bridge Toll Gang, bouncer: a nameless one's name may say what they are.
            folded, known = first.rstrip(".").casefold(), name_words()
            is_kind = folded not in known.titles | known.words if rest else folded in nouns
            called = f"the {called}" if is_plural or (is_common and is_kind) else called
    return Person(called, is_plural, _pronouns(character.pronouns, is_plural and is_english))


def short_name(character: Character, nouns: Collection[str] = ()) -> str:
    """Return a name as it stands in a sentence: without titles, epithets and signs, and of two names the one that goes
    without the other, as far as that leaves a name.
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
    """Whether this is a word, so that it is no name by itself: Iron Tooth, Old Maren, Watch Captain."""
    folded = word.casefold()
    is_named_so = _CAPITAL.match(word) and folded not in name_words().words | name_words().titles
    return not is_named_so or folded.endswith(("'s", "’s")) or folded in nouns or folded.removesuffix("s") in nouns


def _pronouns(told: str | None, are_many: bool) -> PronounForms | None:
    parts = [part.strip().lower() for part in (told or ("they" if are_many else "")).split("/")]
    return name_words().pronouns.get(parts[0]) or ((parts[0], parts[1], parts[2]) if len(parts) > 2 else None)


@cache
def name_words() -> NameWords:
    """Read what is known of names."""
    return read_packaged(NameWords, files("narrator.deck") / "names.toml")


def fill_card(text: str, people: Mapping[str, Person], words: Mapping[str, str], *, is_name: bool = False) -> str:
    """Put a card's words together in one pass, so that nothing in a name is taken for a placeholder: people, and what
    the deed is done to, by the words of `PEOPLE`, and other words. The wording of an aspect, a name, has capitals.
    """
    is_plural = False

    def put_in(part: re.Match[str]) -> str:
        nonlocal is_plural
        opens = bool(_OPENS.search(text[: part.start()]))
        if part["one"]:
            return _cased(part["many"] if is_plural else part["one"], opens=opens)
        word = part["word"].lower()
        put, number = _put(people[word], part["way"]) if word in PEOPLE else (words[word], is_plural)
        # Whose something is, or whom it befalls, is no subject: verbs follow whoever was one before.
        is_plural = number if part["way"] in _SUBJECTS else is_plural
        if is_name and word not in _WRITTEN_SO:
            put = " ".join(each if each in _SMALL else each[:1].upper() + each[1:] for each in put.split())
        if part["article"]:
            put = f"{'an' if _VOWEL.match(put) else 'a'} {put}"
        return _cased(put, opens=opens or (part["article"] or "")[:1] == "A")

    return _PART.sub(put_in, text)


def _put(who: Person, way: str) -> tuple[str, bool]:
    """Return how somebody stands in a sentence, and whether verbs after it are plural."""
    if way in _WAYS and who.pronouns is not None:
        return who.pronouns[_WAYS[way]], who.is_plural or who.pronouns[0] == "they"
    if way in ("'s", " their"):
        ends_so = who.is_plural and who.called.endswith("s")
        return who.called + ("'" if ends_so else "'s"), who.is_plural
    return who.called, who.is_plural


def _cased(text: str, *, opens: bool) -> str:
    return text[:1].upper() + text[1:] if opens else text
