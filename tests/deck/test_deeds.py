"""The deed: what an intent begins with, as far as skill, track and action leave no doubt of it."""

from itertools import product
from typing import Any

import pytest

from narrator.deck.deeds import Deed, deed_of, noun_in, verb_file
from narrator.rules.ruleset.card import ACTIVITIES, Activity, Family
from narrator.rules.ruleset.loader import packaged_ruleset
from tests.deck.decks import INTENTS, SKILLS, roll


def deed(intent: str, skill: str | None = None, ruleset: str = "five-actions", **more: Any) -> Deed:
    return deed_of(roll(ruleset, intent=intent, skill=skill, **more), packaged_ruleset(ruleset))


def test_every_activity_is_known() -> None:
    """Each has verbs and skills, and there is an intent for it here."""
    told = {name for name, each in verb_file().deeds.items() if each.verbs and each.skills}

    assert not told ^ {*ACTIVITIES}, f"verbs.toml wants verbs and skills for {told ^ {*ACTIVITIES}}"
    assert not {*INTENTS} ^ {*ACTIVITIES}, f"INTENTS of decks.py wants one for {INTENTS.keys() ^ {*ACTIVITIES}}"


@pytest.mark.parametrize("activity", ACTIVITIES)
def test_every_verb_is_met(activity: Activity) -> None:
    """None lies there unread: an intent of its words alone tells a deed for sure."""
    verbs = (verb for verb in verb_file().deeds[activity].verbs)
    ways = [" ".join(way) for verb in verbs for way in product(*(word.split("|") for word in verb.split()))]
    unmet = [way for way in ways if deed(way).certainty != "sure"]

    assert not unmet, f"verbs.toml has for {activity} what tells no deed, or another's as well: {unmet}"


@pytest.mark.parametrize(("activity", "intent"), INTENTS.items(), ids=INTENTS)
def test_a_plain_intent_is_understood(activity: str, intent: str) -> None:
    """What is said plainly is taken for what it is."""
    assert deed(intent).activity == activity


@pytest.mark.parametrize(
    ("intent", "skill", "activity"),
    [
        ("Bribed the guards to look away", None, "bargain"),
        ("we are trying to quickly steal the crown", None, "steal"), ("Cynere climbs the wall", None, "climb"),
        ("climb down and steal the crown", "Burglary", "climb"), ("taunt the guards", "Provoke", "threaten"),
        ("win the duchess over", "Rapport", "persuade"), ("nurse the boiler across", "Crafts", "make"),
        ("land the bomber", "Drive", "drive"), ("fly the shuttle through the debris field", "Pilot", "drive"),
        ("swing across the chasm", "Athletics", "leap"), ("get past the watch", "Stealth", "sneak"),
    ],
)  # fmt: skip
def test_the_first_verb_tells_the_deed(intent: str, skill: str | None, activity: str) -> None:
    """In any inflection, with words before it and between; the skill says what might be meant by one of many."""
    assert deed(intent, skill).activity == activity


@pytest.mark.parametrize(
    ("intent", "skill", "family"),
    [
        ("climb the wall", "Rapport", None), ("sneak past the watch", "Fight", None), ("leap the gap", "Drive", None),
        ("land on both feet", "Drive", "vehicle"), ("stitch the wound", "Crafts", None),
        ("treat the wood", "Crafts", "hands"), ("nurse the boiler across", "Rapport", "talk"),
        ("sail through the examination", "Academics", None), ("shoot down the proposal", "Rapport", None),
        ("hammer out a deal", "Rapport", None), ("dance around the question", "Deceive", None),
        ("break the ice", "Rapport", "talk"), ("run the numbers", "Lore", "wits"),
        ("get the watch on our side", None, None), ("the guards are to be led away", None, None),
    ],
)  # fmt: skip
def test_where_verb_and_skill_disagree_no_deed_is_known(intent: str, skill: str | None, family: Family | None) -> None:
    """Where the verb leaves no doubt, nothing is; else the family of the skill. And a noun is no verb."""
    assert deed(intent, skill) == Deed(family=family)


@pytest.mark.parametrize(
    ("intent", "skill", "activity"),
    [
        ("talk to the guards", "Rapport", "lie"), ("tell him to leave", "Provoke", "lie"),
        ("find the hidden drawer", "Investigate", "read"), ("draw the map", "Lore", "heal"),
        ("jump to conclusions", None, "leap"), ("take off my coat", None, "drive"),
        ("row with the captain", None, "sail"), ("hack through the jungle", None, "hack"),
        ("shoulder the blame", None, "lift"),
    ],
)  # fmt: skip
def test_what_may_be_meant_otherwise_is_not_sure(intent: str, skill: str | None, activity: str) -> None:
    """Nobody's words are turned into a deed that they did not say."""
    assert deed(intent, skill).activity != activity


@pytest.mark.parametrize(("family", "skill"), [*SKILLS.items(), ("body", "Physique"), ("hands", "Burglary")])
def test_where_the_intent_says_nothing_the_skill_tells_the_family(family: Family | None, skill: str) -> None:
    """As far as it is known; a skill for fights says nothing where nobody is fought."""
    assert deed("", skill) == Deed(family=None if family == "fight" else family)


ATTACK: dict[str, Any] = {"type": "attack", "target": "Og"}
MENTAL = {"attack": {"track": "mental"}}


@pytest.mark.parametrize(
    ("intent", "skill", "more", "told"),
    [
        ("end this", "Fight", ATTACK, Deed("strike", "fight")), ("end this", "Shoot", ATTACK, Deed("shoot", "fight")),
        ("end this", None, ATTACK, Deed(None, "fight")),
        ("end this", "Provoke", ATTACK | MENTAL, Deed("threaten", "talk")),
        ("end this", None, ATTACK | MENTAL, Deed()),
        ("strike at his pride", "Provoke", ATTACK, Deed("threaten", "talk")),
        ("hit him where it hurts", "Provoke", ATTACK | MENTAL, Deed("threaten", "talk")),
        ("climb onto its back", "Fight", ATTACK, Deed("strike", "fight")),
        ("hold out", "Athletics", {"type": "defend"}, Deed("dodge", "fight")),
        ("hold out", "Will", {"type": "defend"} | MENTAL, Deed("resist", "spirit")),
        ("end this", None, {"type": "defend"}, Deed()),
    ],
)  # fmt: skip
def test_an_attack_is_one(intent: str, skill: str | None, more: dict[str, Any], told: Deed) -> None:
    """By words it is never a blow, and a blow no climb, whatever the intent begins with."""
    assert deed(intent, skill, **more) == told


def test_where_all_harm_is_on_one_track_the_verb_tells_how_it_is_done() -> None:
    """And an approach, such as Forceful, tells nothing of it."""
    for intent, family in (("cut him down", "fight"), ("threaten him until his nerve breaks", "talk")):
        assert deed(intent, "Forceful", "fate-accelerated", **ATTACK).family == family


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("the serpent tower before the moon goes down", "the serpent tower"),
        ("a rusty old lock with my last pin", "the rusty old lock"),
        ("the seal of the chancellor, then run", "the seal of the chancellor"),
        ("past the night watch", "the night watch"), ("the rope holding him", None), ("his pocket", None),
        ("Lenny down", None), ("up", None), ("the [[1d20]] door", None),
        ("the unbelievably long and winding rows of shelves here", None), ("", None),
    ],
)  # fmt: skip
def test_what_a_deed_is_done_to(text: str, noun: str | None) -> None:
    """The words behind the verb, with their article, as far as they are a thing for sure; else nothing."""
    assert noun_in(text) == noun


@pytest.mark.parametrize(
    ("intent", "done_to", "sought"),
    [
        ("scale the serpent tower by night", "the serpent tower", None),
        ("search the study for the jade seal before dawn", "the study", "the jade seal"),
        ("scale the tower for the view", "the tower", None),
        ("search the desk for my letters", "the desk", None),
        ("ask around about the crate", None, "the crate"),
        ("bribe the clerk for the key", None, None),
    ],
)
def test_what_the_intent_says_of_a_sure_deed(intent: str, done_to: str | None, sought: str | None) -> None:
    """What it is done to, where that is no person, and what it is to find out."""
    found = deed(intent)
    assert (found.certainty, found.object, found.sought) == ("sure", done_to, sought)
