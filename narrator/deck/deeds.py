"""The deed: what an intent begins with, where its verb leaves no doubt; else the family that the skill goes with."""

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
"""How well a deed is known: by itself, by its family alone, or not at all."""

ENGLISH, BETWEEN = "english", 3
"""The language that verbs are told in, and how many other words may stand between those of one."""

LONGEST, MOST_WORDS = 40, 4
"""Characters of a noun phrase that is put into a card, and its words after the article: what one breath says."""

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
"""A word, with what stands in the middle of it: "night-watchman's"."""

_ARTICLES = frozenset(("the", "a", "an", "this", "these", "those"))
_NO_NOUN = re.compile(r"(?:ing|ed|n['’]t|s['’]|['’]s)$|^(?:is|are|was|were|ha[sd]|have|can|will|must|[cws]h?ould)$")
_PAUSE = re.compile(r"[^\w\s'’-]")
_SOUGHT = re.compile(r"\b(?:for|about)\b", re.IGNORECASE)

_Part = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Verbs = Annotated[tuple[_Part, ...], LIST, parted(",")]
Skills = Annotated[frozenset[Annotated[str, StringConstraints(min_length=1, to_lower=True)]], LIST]
Beginnings = Annotated[frozenset[_Part], LIST, parted(None)]


class DeedWords(Model):
    """What tells a deed, as `verbs.toml` has it."""

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
    """What is done, as far as it is known; what it is done to, and what it is to find, as the intent says it."""

    activity: Activity | None = None
    family: Family | None = None
    object: str | None = None
    sought: str | None = None

    @property
    def certainty(self) -> Certainty:
        """Say how well it is known."""
        return "sure" if self.activity else "family" if self.family else "none"


class _Met(NamedTuple):
    """A verb that an intent begins with. Of two the one of more words is meant, then the one that ends sooner."""

    fewness: int
    end: int
    start: int
    activity: Activity
    is_sure: bool


class _Verb(NamedTuple):
    """A verb: its first word, those that belong to it, what it tells, and whether without any skill."""

    first: str
    rest: Sequence[str]
    activity: Activity
    is_sure: bool


def deed_of(request: Request, ruleset: Ruleset) -> Deed:
    """Tell what an action is: for certain by the first verb of its intent that skill, track and action agree with."""
    action, verbs = request.action, verb_file()
    rated = frozenset(name.casefold() for name in (action.skill, action.attribute) if name)
    told = next((family for family, skills in verbs.families.items() if skills & rated), None)
    is_known = told is not None or any(rated & each.skills for each in verbs.deeds.values())
    # Words without a roll are of no action.
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
        # With a skill that is known, and in what is no fight, "hit" and "take" may mean anything.
        is_told = bool(known.skills & rated) and (each.is_sure or is_attack or is_defense or known.family != "fight")
        return is_told or (each.is_sure and not is_known)

    if (found := next(filter(agrees, met), None)) is not None:
        return _deed(found, action.intent[words[found.start].end() :])
    if any(each.is_sure for each in met) and not is_attack:
        return Deed()  # the verb says one thing, and the skill another
    for name, known in verbs.deeds.items():
        means = known.means | (known.attacks if is_attack else known.defends if is_defense else frozenset())
        if means & rated and (not is_attack or known.family in harmful):
            return Deed(name, known.family)
    if is_attack:
        return Deed(family=told if told in harmful else "fight" if "fight" in harmful else None)
    if told == "fight" and (spec is None or defender_of(request, spec) is None):
        return Deed()  # a fight wants somebody to fight with
    families = {verbs.deeds[each.activity].family for each in met if not is_known} - {"fight"}
    return Deed(family=families.pop() if len(families) == 1 else told)


@cache
def verb_file() -> VerbFile:
    """Read what is known of verbs."""
    return read_packaged(VerbFile, files("narrator.deck") / "verbs.toml")


def noun_in(text: str) -> str | None:
    """Find the noun phrase that a text begins with, with the article of what is known; None where that is not sure."""
    verbs, words = verb_file(), _PAUSE.split(text, maxsplit=1)[0].split()
    skipped = next((place for place, word in enumerate(words[:2]) if word.casefold() not in verbs.skipped), 2)
    article, *rest = words[skipped:] or [""]
    ends = verbs.ends | verbs.skipped
    found = list(takewhile(lambda word: word.casefold() not in ends and not word.endswith("ly"), rest))
    # "The rope holding" has a verb in it, and "the wedding ring" has none: without knowing, neither is put in.
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
    """Find the verbs that an intent begins with, but for adverbs in -ly and the name of whoever acts."""
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
    """The verbs, by their first letters, which stems keep: only those are stemmed that may be met."""
    found = defaultdict[str, list[_Verb]](list)
    for activity, known in verb_file().deeds.items():
        for verb in (*known.verbs, *known.skilled):
            firsts, *rest = verb.split()
            for first in firsts.split("|"):
                found[first[0]].append(_Verb(first, rest, activity, verb in known.verbs))
    return found


def _end(rest: Sequence[str], stems: Sequence[str], start: int) -> int | None:
    """Say after which word the rest of a verb ends."""
    for each in rest:
        ways = frozenset(stem(ENGLISH, way) for way in each.split("|"))
        near = (end for end, found in enumerate(stems[start : start + BETWEEN + 1], start + 1) if found in ways)
        if (start := next(near, -1)) < 0:
            return None
    return start
