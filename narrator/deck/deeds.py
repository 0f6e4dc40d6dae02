"""The deed: the first verb of an intent if it is clear, else the family of the skill."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Annotated, Literal, NamedTuple

from pydantic import StringConstraints

from narrator.language.lexicon_file import parted
from narrator.language.spelling import stem
from narrator.rules.model import LIST, Model
from narrator.rules.request.action import Request
from narrator.rules.resolve.opposition import defender_of
from narrator.rules.ruleset.card import Activity, Family
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.toml_file import read_packaged

Certainty = Literal["sure", "family", "none"]
"""How well a deed is known: exactly, only by family, or not at all."""

ENGLISH, BETWEEN = "english", 3
"""The stemmer for verbs, and how many other words may stand between the words of a verb."""

LONGEST, MOST_WORDS = 40, 4
"""The most characters of a noun phrase for a card, and the most words after its article."""

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
"""A word, with inner apostrophes and hyphens: "night-watchman's"."""

_ARTICLES = frozenset(("the", "a", "an", "this", "these", "those"))
_NO_NOUN = re.compile(r"(?:ing|ed|n['’]t|s['’]|['’]s)$|^(?:is|are|was|were|ha[sd]|have|can|will|must|[cws]h?ould)$")
_PAUSE = re.compile(r"[^\w\s'’-]")
_SOUGHT = re.compile(r"\b(?:for|about)\b", re.IGNORECASE)

_Part = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Verbs = Annotated[tuple[_Part, ...], LIST, parted(",")]
Skills = Annotated[frozenset[Annotated[str, StringConstraints(min_length=1, to_lower=True)]], LIST]
Beginnings = Annotated[frozenset[_Part], LIST, parted(None)]


class DeedWords(Model):
    """The words and skills that show a deed, from `verbs.toml`."""

    family: Family
    verbs: Verbs
    skilled: Verbs = ()
    skills: Skills
    means: Skills = frozenset()
    attacks: Skills = frozenset()
    defends: Skills = frozenset()
    takes: Literal["thing"] | None = None


class VerbFile(Model):
    """`verbs.toml`."""

    before_verbs: Beginnings
    skipped: Beginnings
    ends: Beginnings
    families: dict[Family, Skills]
    deeds: dict[Activity, DeedWords]


@dataclass(frozen=True)
class Deed:
    """What is done, as far as it is known. `object` and `sought` are the intent's words for its object and its aim."""

    activity: Activity | None = None
    family: Family | None = None
    object: str | None = None
    sought: str | None = None

    @property
    def certainty(self) -> Certainty:
        """How well the deed is known."""
        return "sure" if self.activity else "family" if self.family else "none"


class _Met(NamedTuple):
    """A verb at the beginning of an intent. Sorted: the one with more words first, then the one that ends sooner."""

    fewness: int
    end: int
    start: int
    activity: Activity
    is_sure: bool


class _Verb(NamedTuple):
    """A verb: its first word, its other words, its deed, and whether it shows the deed without a skill."""

    first: str
    rest: Sequence[str]
    activity: Activity
    is_sure: bool


def deed_of(request: Request, ruleset: Ruleset) -> Deed:
    """Find the deed of an action. It is sure if skill, track and action agree with the first verb of the intent."""
    action, verbs = request.action, verb_file()
    rated = frozenset(name.casefold() for name in (action.skill, action.attribute) if name)
    told = next((family for family, skills in verbs.families.items() if skills & rated), None)
    is_known = told is not None or any(rated & each.skills for each in verbs.deeds.values())
    # Without a roll there is no action.
    spec = ruleset.actions.get(action.type)
    is_attack, is_defense = spec is not None and spec.is_attack, spec is not None and spec.is_defense
    words = list(WORD.finditer(action.intent))
    met = sorted(_met_in([each[0].casefold() for each in words], action.actor))
    harmful: tuple[Family | None, ...] = ("fight", "spirit")
    if action.attack.track == "mental" or told == "talk":
        harmful = ("talk", "spirit")
    elif len(ruleset.sheet.stress) == 1 and not is_known:
        harmful = ("fight", "spirit", "talk")

    def agrees(each: _Met) -> bool:
        known = verbs.deeds[each.activity]
        if is_attack and known.family not in harmful:
            return False
        # With a known skill and outside a fight, "hit" and "take" may mean anything.
        is_told = bool(known.skills & rated) and (each.is_sure or is_attack or is_defense or known.family != "fight")
        return is_told or (each.is_sure and not is_known)

    if (found := next(filter(agrees, met), None)) is not None:
        return _deed(found, action.intent[words[found.start].end() :])
    if any(each.is_sure for each in met) and not is_attack:
        return Deed()  # verb and skill disagree
    for name, known in verbs.deeds.items():
        means = known.means | (known.attacks if is_attack else known.defends if is_defense else frozenset())
        if means & rated and (not is_attack or known.family in harmful):
            return Deed(name, known.family)
    if is_attack:
        return Deed(family=told if told in harmful else "fight" if "fight" in harmful else None)
    if told == "fight" and (spec is None or defender_of(request, spec) is None):
        return Deed()  # a fight needs an opponent
    families = {verbs.deeds[each.activity].family for each in met if not is_known} - {"fight"}
    return Deed(family=families.pop() if len(families) == 1 else told)


@cache
def verb_file() -> VerbFile:
    """Read the file of verbs."""
    return read_packaged(VerbFile, files("narrator.deck") / "verbs.toml")


def noun_in(text: str) -> str | None:
    """Find the noun phrase at the beginning of a text, with "the" as its article. None if it is not sure."""
    verbs, words = verb_file(), _PAUSE.split(text, maxsplit=1)[0].split()
    skipped = next((place for place, word in enumerate(words[:2]) if word.casefold() not in verbs.skipped), 2)
    article, *rest = words[skipped:] or [""]
    ends = verbs.ends | verbs.skipped
    found = list(takewhile(lambda word: word.casefold() not in ends and not word.endswith("ly"), rest))
    # "The rope holding" contains a verb, and "the wedding ring" does not: both are left out, to be safe.
    is_noun = 0 < len(found) <= MOST_WORDS and not any(map(_NO_NOUN.search, found)) and found[-1] != "of"
    said = " ".join(("the", *found))
    return said if is_noun and article.casefold() in _ARTICLES and len(said) <= LONGEST else None


def _deed(met: _Met, after: str) -> Deed:
    known = verb_file().deeds[met.activity]
    finds_out = known.family == "wits" or met.activity == "ask"
    places = [each.end() for each in _SOUGHT.finditer(after) if finds_out]
    sought = next((found for place in places if (found := noun_in(after[place:]))), None)
    return Deed(met.activity, known.family, noun_in(after) if known.takes else None, sought)


def _met_in(words: Sequence[str], actor: str) -> Iterator[_Met]:
    """Find the verbs at the beginning of an intent, after adverbs in -ly and the actor's name."""
    before = verb_file().before_verbs.union(WORD.findall(actor.casefold()))
    stems = [stem(ENGLISH, word) for word in words]
    for start, (word, first) in enumerate(zip(words, stems, strict=True)):
        verbs = [verb for verb in _verbs().get(first[:1], ()) if stem(ENGLISH, verb.first) == first]
        is_adverb = word.endswith("ly") and not any(verb.first == word for verb in verbs)
        if word not in before and not is_adverb:
            ends = ((verb, _end(verb.rest, stems, start + 1)) for verb in verbs)
            yield from (_Met(-len(verb.rest), end, start, verb.activity, verb.is_sure) for verb, end in ends if end)
            return


@cache
def _verbs() -> Mapping[str, Sequence[_Verb]]:
    """The verbs by their first letters, which stemming keeps, so that few must be stemmed."""
    found = defaultdict[str, list[_Verb]](list)
    for activity, known in verb_file().deeds.items():
        for verb in (*known.verbs, *known.skilled):
            firsts, *rest = verb.split()
            for first in firsts.split("|"):
                found[first[0]].append(_Verb(first, rest, activity, verb in known.verbs))
    return found


def _end(rest: Sequence[str], stems: Sequence[str], start: int) -> int | None:
    """Return the index after the rest of a verb, None if the rest is missing."""
    for each in rest:
        ways = frozenset(stem(ENGLISH, way) for way in each.split("|"))
        near = (end for end, found in enumerate(stems[start : start + BETWEEN + 1], start + 1) if found in ways)
        if (start := next(near, -1)) < 0:
            return None
    return start
