"""What somebody does: found from the verbs of the intent, then from the skill, then from the kind of action."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from pydantic import BeforeValidator, StringConstraints

from narrator.deck.intent import object_in, sought_in, words_of
from narrator.deck.verbs import Verbs
from narrator.rules.action import Request
from narrator.rules.card import Activity, Family
from narrator.rules.model import LIST, Model
from narrator.rules.ruleset import Ruleset
from narrator.rules.toml_file import read_packaged

STRAIGHT = frozenset(("ride", "drive"))
"""What is done straight to something: who rides down the courier rides no courier."""

INQUIRING = frozenset(("ask", "cast", "persuade", "threaten"))
"""What may be meant to find something out, beside all that is done by wits."""

_MENTAL = "mental"

Verb = Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
"""In the notation of `activities.toml`."""


def _one_by_one(verbs: Any) -> Any:
    # One text for all: to parse each by itself takes three times as long as all else in the file.
    return [verb.strip() for verb in verbs.split(",")] if isinstance(verbs, str) else verbs


Skills = Annotated[frozenset[Annotated[str, StringConstraints(min_length=1, to_lower=True)]], LIST]
"""Skills or approaches, in small letters."""


class Known(Model):
    """
    An activity: its family, the verbs that tell it, the skills that go with it, and those that mean it by themselves.
    """

    family: Family
    verbs: Annotated[tuple[Verb, ...], LIST, BeforeValidator(_one_by_one)]
    skills: Skills
    meant_by: Skills = frozenset()


class ActivitiesFile(Model):
    """
    The file of them.
    """

    activities: dict[Activity, Known]


@dataclass(frozen=True)
class Deed:
    """
    What is done: the activity, and the families it may belong to. Nothing known: both are empty.
    """

    activity: Activity | None = None
    families: frozenset[Family] = frozenset()
    object: str | None = None
    """What it is done to, as the intent says it."""
    sought: str | None = None
    """What it is meant to find out, as the intent says it."""


def deed_of(request: Request, ruleset: Ruleset) -> Deed:
    """
    Tell what an action is. Of the verbs in its intent the first counts that goes with the skill, else the first.
    """
    action = request.action
    rated = frozenset(name.casefold() for name in (action.skill, action.attribute) if name)
    known = activities()
    words = words_of(action.intent)
    where = _verbs().met_in(words)
    told = list(where)
    # Words without a roll are of no action.
    spec = ruleset.actions.get(action.type)
    if spec is not None and (spec.is_attack or spec.is_defense):
        usual = _usual(request, rated, is_attack=spec.is_attack)
        # Where there is one stress track for all harm, it is the intent that tells words from blows.
        by_words: tuple[Family, ...] = ("talk",) if len(ruleset.sheet.stress) == 1 else ()
        harmful = ("fight", "spirit", known[usual].family, *by_words)
        told = [name for name in told if known[name].family in harmful] or [usual]
    fitting = [name for name in told if known[name].skills & rated]
    meant = [name for name, each in known.items() if each.meant_by & rated]
    moves: tuple[Activity, ...] = ("run",) if action.path else ()
    activity = next(iter((*fitting, *told, *moves, *meant)), None)
    if activity is None:
        return Deed(families=frozenset(each.family for each in known.values() if each.skills & rated))
    after = words[where[activity] + 1 :] if activity in where else []
    family = known[activity].family
    finds_out = family == "wits" or activity in INQUIRING
    return Deed(
        activity=activity,
        families=frozenset((family,)),
        object=object_in(after, is_direct=activity in STRAIGHT),
        sought=sought_in(after) if finds_out else None,
    )


@cache
def activities() -> Mapping[Activity, Known]:
    """
    Read the activities that there are.
    """
    return read_packaged(ActivitiesFile, files("narrator.deck") / "activities.toml").activities


@cache
def _verbs() -> Verbs:
    return Verbs({name: each.verbs for name, each in activities().items()})


def _usual(request: Request, rated: frozenset[str], *, is_attack: bool) -> Activity:
    """
    What is done where an attack or a defence tells no more.
    """
    attack, known = request.action.attack, activities()
    if not is_attack:
        return "resist" if attack.track == _MENTAL or known["resist"].meant_by & rated else "dodge"
    if attack.track == _MENTAL or known["threaten"].meant_by & rated:
        return "threaten"
    return "strike" if attack.melee and not known["shoot"].meant_by & rated else "shoot"
