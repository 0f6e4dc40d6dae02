"""The deed: what an intent begins with, where its verb leaves no doubt; else the family that the skill goes with."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator, StringConstraints

from narrator.language.stemming import stem
from narrator.rules.action import Request
from narrator.rules.card import Activity, Family
from narrator.rules.model import LIST, Model
from narrator.rules.opposition import defender_of
from narrator.rules.ruleset import Ruleset
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
_FIRST = 2
"""Letters that a word has in common with its stem: verbs are found by them before they are stemmed."""


def parted(by: str | None) -> BeforeValidator:
    """Read one text for a list: to parse each by itself takes three times as long as all else in the file."""
    return BeforeValidator(lambda text: [part.strip() for part in text.split(by)] if isinstance(text, str) else text)


_Part = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Verbs = Annotated[tuple[_Part, ...], LIST, parted(",")]
Skills = Annotated[frozenset[Annotated[str, StringConstraints(min_length=1, to_lower=True)]], LIST]
Words = Annotated[frozenset[_Part], LIST, parted(None)]


class Known(Model):
    """What tells a deed, as `verbs.toml` has it."""

    family: Family
    verbs: Verbs
    skilled: Verbs = ()
    skills: Skills
    means: Skills = frozenset()
    attacks: Skills = frozenset()
    defends: Skills = frozenset()
    takes: Literal["thing"] | None = None


class PageOfVerbs(Model):
    """`verbs.toml`."""

    before_verbs: Words
    skipped: Words
    ends: Words
    families: dict[Family, Skills]
    deeds: dict[Activity, Known]


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


def deed_of(request: Request, ruleset: Ruleset) -> Deed:
    """Tell what an action is: for certain by the first verb of its intent, where skill, track and action agree with
    it.
    """
    action, page = request.action, page_of_verbs()
    rated = frozenset(name.casefold() for name in (action.skill, action.attribute) if name)
    told = next((family for family, skills in page.families.items() if skills & rated), None)
    is_known = told is not None or any(rated & each.skills for each in page.deeds.values())
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
        known = page.deeds[each.activity]
        if is_attack and known.family not in harmful:
            return False
        # With a skill that is known, and in what is no fight, "hit" and "take" may mean anything.
        is_told = bool(known.skills & rated) and (each.is_sure or is_attack or is_defense or known.family != "fight")
        return is_told or (each.is_sure and not is_known)

    if (found := next(filter(agrees, met), None)) is not None:
        return _deed(found, action.intent[words[found.start].end() :])
    if any(each.is_sure for each in met) and not is_attack:
        return Deed()  # the verb says one thing, and the skill another
    for name, known in page.deeds.items():
        means = known.means | (known.attacks if is_attack else known.defends if is_defense else frozenset())
        if means & rated and (not is_attack or known.family in harmful):
            return Deed(name, known.family)
    if is_attack:
        return Deed(family=told if told in harmful else "fight" if "fight" in harmful else None)
    if told == "fight" and (spec is None or defender_of(request, spec) is None):
        return Deed()  # a fight wants somebody to fight with
    families = {page.deeds[each.activity].family for each in met if not is_known} - {"fight"}
    return Deed(family=families.pop() if len(families) == 1 else told)


@cache
def page_of_verbs() -> PageOfVerbs:
    """Read what is known of verbs."""
    return read_packaged(PageOfVerbs, files("narrator.deck") / "verbs.toml")


def noun_in(text: str) -> str | None:
    """Find the noun phrase that a text begins with, and its article; None where that cannot be told for sure. Whatever
    the article is, in a card it is the one of what is known.
    """
    page, words = page_of_verbs(), _PAUSE.split(text, maxsplit=1)[0].split()
    skipped = next((place for place, word in enumerate(words[:2]) if word.casefold() not in page.skipped), 2)
    article, *rest = words[skipped:] or [""]
    ends = page.ends | page.skipped
    found = list(takewhile(lambda word: word.casefold() not in ends and not word.endswith("ly"), rest))
    # "The rope holding" has a verb in it, and "the wedding ring" has none: without knowing, neither is put in.
    is_noun = 0 < len(found) <= MOST_WORDS and not any(map(_NO_NOUN.search, found)) and found[-1] != "of"
    said = " ".join(("the", *found))
    return said if is_noun and article.casefold() in _ARTICLES and len(said) <= LONGEST else None


def _deed(met: _Met, after: str) -> Deed:
    known = page_of_verbs().deeds[met.activity]
    finds_out = known.family == "wits" or met.activity == "ask"
    places = [each.end() for each in _SOUGHT.finditer(after) if finds_out]
    sought = next((found for place in places if (found := noun_in(after[place:]))), None)
    return Deed(met.activity, known.family, noun_in(after) if known.takes else None, sought)


def _met_in(words: Sequence[str], actor: str) -> Iterator[_Met]:
    """Find the verbs that an intent begins with, but for adverbs in -ly and the name of whoever acts."""
    before = page_of_verbs().before_verbs.union(WORD.findall(actor.casefold()))
    adverbs = {word for word in words if word.endswith("ly") and not any(word == way for way, *_ in _ways(word))}
    start = next((place for place, word in enumerate(words) if word not in before | adverbs), None)
    if start is None:
        return
    stems = [stem(ENGLISH, word) for word in words]
    first = stems[start]
    for way, activity, is_sure, rest in _ways(first):
        # Most begin otherwise, which is quicker to see than to stem.
        is_met = way.startswith(first[:-1]) and stem(ENGLISH, way) == first
        if is_met and (end := _end(rest, stems, start + 1)) is not None:
            yield _Met(-len(rest), end, start, activity, is_sure)


@cache
def _beginning() -> Mapping[str, Sequence[tuple[str, Activity, bool, tuple[str, ...]]]]:
    """The verbs by their first letters: a first word, what it tells, and the words that belong to it."""
    found: dict[str, list[tuple[str, Activity, bool, tuple[str, ...]]]] = {}
    for activity, known in page_of_verbs().deeds.items():
        for verb in (*known.verbs, *known.skilled):
            first, *rest = verb.split()
            for way in first.split("|"):
                found.setdefault(way[:_FIRST], []).append((way, activity, verb in known.verbs, tuple(rest)))
    return found


def _ways(word: str) -> Sequence[tuple[str, Activity, bool, tuple[str, ...]]]:
    """The verbs that may begin with a word, or a stem."""
    return _beginning().get(word[:_FIRST], ())


def _end(rest: Sequence[str], stems: Sequence[str], start: int) -> int | None:
    """Say after which word the rest of a verb ends."""
    for each in rest:
        ways = frozenset(stem(ENGLISH, way) for way in each.split("|"))
        near = (end for end, found in enumerate(stems[start : start + BETWEEN + 1], start + 1) if found in ways)
        if (start := next(near, -1)) < 0:
            return None
    return start
