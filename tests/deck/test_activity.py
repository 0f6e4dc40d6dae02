"""What an action is taken for: by the verbs of its intent, then its skill, then its kind."""

from typing import Any

import pytest

from narrator.deck.activity import activities, deed_of
from narrator.deck.verbs import ENGLISH
from narrator.language.stemming import stem
from narrator.rules.action import Request
from narrator.rules.card import ACTIVITIES
from narrator.rules.loading import packaged_ruleset
from tests.deck.test_dealing import INTENTS

FIVE_ACTIONS = packaged_ruleset("five-actions")


def deed(intent: str, skill: str | None = None, **more: Any) -> Any:
    action = {"type": "overcome", "actor": "Cynere", "intent": intent, "skill": skill, "outcome": "fail", **more}
    return deed_of(Request.read({"action": action}), FIVE_ACTIONS)


def test_every_activity_is_known() -> None:
    """Each has its family, verbs and skills."""
    assert set(activities()) == set(ACTIVITIES)
    assert [name for name, each in activities().items() if not (each.verbs and each.skills)] == []


def test_every_verb_begins_with_its_stem() -> None:
    """But for the stem's last letter, as in carry and carri: of the verbs that begin so it is looked for."""
    firsts = {way for each in activities().values() for verb in each.verbs for way in verb.split()[0].split("|")}
    assert [way for way in firsts if not way.startswith(stem(ENGLISH, way)[:-1])] == []


@pytest.mark.parametrize(("activity", "intent"), INTENTS.items(), ids=INTENTS)
def test_a_plain_intent_is_understood(activity: str, intent: str) -> None:
    """What is said plainly is taken for what it is."""
    assert deed(intent).activity == activity


@pytest.mark.parametrize(
    ("intent", "skill", "activity"),
    [
        ("Bribed the guards to look away", None, "bargain"),
        ("talking the harbourmaster into letting us leave", None, "persuade"),
        ("pick the rusty old lock before the watch comes", None, "unlock"),
        ("climb down and steal the crown", None, "climb"),
        ("climb down and steal the crown", "Burglary", "steal"),
        ("get past the watch", None, "sneak"),
        ("fly the shuttle through the debris field", None, "drive"),
        ("swing across the chasm", None, "leap"),
    ],
)
def test_the_verb_decides(intent: str, skill: str | None, activity: str) -> None:
    """In any inflection, with words between; of several verbs the first that goes with the skill, else the first."""
    assert deed(intent, skill).activity == activity


def test_a_noun_is_no_verb() -> None:
    """The guard, the watch and a sail are things."""
    assert deed("get the watch and a guard of the sail on our side").activity is None


@pytest.mark.parametrize(("skill", "families"), [("Stealth", {"stealth"}), ("Will", {"spirit"}), ("Basketry", set())])
def test_where_the_intent_says_nothing_the_skill_does(skill: str, families: set[str]) -> None:
    """As far as a family goes; a skill that is not known says nothing."""
    assert deed("", skill).families == families


@pytest.mark.parametrize(
    ("more", "activity"),
    [
        ({"type": "attack", "target": "Og"}, "strike"),
        ({"type": "attack", "target": "Og", "attack": {"melee": False}}, "shoot"),
        ({"type": "attack", "target": "Og", "attack": {"track": "mental"}}, "threaten"),
        ({"type": "defend"}, "dodge"),
        ({"type": "defend", "attack": {"track": "mental"}}, "resist"),
    ],
)
def test_a_fight_is_a_fight(more: dict[str, Any], activity: str) -> None:
    """Where nothing is said of an attack or a defence it is the usual one of its kind."""
    assert deed("end this", **more).activity == activity
