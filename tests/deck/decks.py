"""The deck as its files have it, and everywhere that it is dealt from: what tests of the whole deck go through."""

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import narrator
from narrator.deck.deck import Deck, Match
from narrator.deck.deck_file import DeckFile
from narrator.deck.deeds import verb_file
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.resolver import rule
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.resolve.without_roll import WORD_KINDS, request_for, without_roll
from narrator.rules.ruleset.card import FAMILIES, Activity, Card, Family
from narrator.rules.ruleset.loader import packaged_ruleset
from tests.rows import COMPANIES, ROWS
from tests.rules.build import LEVELS

INTENTS: dict[Activity, str] = {
    "climb": "climb the north wall", "swim": "swim to the far bank", "leap": "leap across the gap",
    "run": "outrun the pursuers", "lift": "lift the beam off the others", "break": "smash through the door",
    "endure": "endure the heat until dusk", "escape": "wriggle free of the ropes",
    "unlock": "pick the lock of the strongroom", "steal": "steal the seal from the desk",
    "make": "repair the pump before dark", "heal": "stitch the wound",
    "sneak": "sneak past the sentries", "hide": "hide in the rafters", "disguise": "pass for one of the servants",
    "search": "search the study for the hidden drawer", "read": "decipher the old inscription",
    "track": "follow the trail through the marsh", "hack": "hack the terminal", "insight": "size up the stranger",
    "persuade": "persuade the council to open the gates", "lie": "bluff a way past the clerk",
    "threaten": "intimidate the informer", "bargain": "bribe the clerk", "perform": "sing for the whole room",
    "lead": "rally the crew", "gamble": "play cards for the deed", "ask": "ask around about the missing crate",
    "strike": "stab at the champion", "shoot": "shoot the lamp down", "dodge": "dodge the swinging boom",
    "grapple": "wrestle the thief down", "cast": "cast a ward over the door", "resist": "resist the whispering",
    "tame": "calm the horse down", "ride": "gallop after the courier", "drive": "drive through the gap",
    "sail": "sail her through the reef",
}  # fmt: skip
"""An intent for each activity, which leaves no doubt of it."""

SKILLS: dict[Family | None, str] = {
    "body": "Athletics", "hands": "Crafts", "stealth": "Stealth", "wits": "Notice", "talk": "Contacts",
    "fight": "Fight", "spirit": "Will", "vehicle": "Drive", None: "Resources",
}  # fmt: skip
"""A skill of each family, and one of none."""

PEOPLE: dict[str, tuple[Json, Json]] = {
    "one, and several": ({"name": "Cynere"}, {"name": "Gate Guards", "importance": "nameless"}),
    "several, and one": ({"name": "The Reavers", "group": True}, {"name": "Og", "importance": "named"}),
    "she, and he": ({"name": "Captain Varga", "pronouns": "she/her"}, {"name": "Ross", "pronouns": "he/him"}),
    "they, and a swarm": ({"name": "Landon", "pronouns": "they/them"}, {"name": "Lantern Boys", "importance": "swarm"}),
    "one, and a beast": ({"name": "Landon"}, {"name": "Grey Wolf", "importance": "nameless"}),
    "one, and a thing": ({"name": "Landon"}, {"name": "Security System"}),
    "one, and who knows what": ({"name": "Landon"}, {"name": "The Grinning Tooth"}),
}
"""Who acts and who opposes."""

DRAFT, IN_PLAY = COMPANIES["one and many"].aspect, "Smoke Under the Ceiling"


def family_of(name: str) -> Family:
    """The family of an activity; one has its own name."""
    found: dict[str, Family] = {activity: known.family for activity, known in verb_file().deeds.items()}
    return (found | {each: each for each in FAMILIES})[name]


@cache
def cards_of(file: str) -> tuple[Card, ...]:
    """The cards of a file, as TOML has them."""
    text = (files("narrator.deck") / "cards" / f"{file}.toml").read_text("utf-8")
    return tuple(map(Card.read, tomllib.loads(text)["cards"]))


@cache
def all_cards() -> tuple[Card, ...]:
    """The cards of every file."""
    return tuple(card for file in ("any", *FAMILIES) for card in cards_of(file))


def roll(ruleset: str = "five-actions", **more: Any) -> Request:
    """A request of somebody alone, who fails in what they do."""
    action = {"type": "overcome", "actor": "Cynere", "outcome": "fail"}
    return Request.read({"ruleset": ruleset, "scene": more.pop("scene", {}), "action": action | more})


def ruling_of(request: Request) -> Ruling:
    """What the deck deals by."""
    return rule(request, packaged_ruleset(request.ruleset))


def dealt(ruling: Ruling, *own: Json) -> Iterator[Match]:
    """Every card that the deck has, with these of a table's own, for whatever wants words here."""
    deck = Deck([DeckFile.model_validate({"cards": list(own)})])
    for slot in ruling.slots:
        yield from deck.deal(slot, ruling, 0)


def places(people: str, intent: str) -> Iterator[Ruling]:
    """For every form and kind of slot, to either side, whatever became of the goal, with and without a draft: one row
    that has it, with these people and this intent; for harm, one for each track. And all kinds of words without a roll.
    """
    actor, opponent = PEOPLE[people]
    hurt = {"consequences": [{"severity": each} for each in LEVELS]}
    characters = [{"side": "pc", "importance": "pc", **actor}, {"side": "opposition", **hurt, **opponent}]
    for told in asked():
        for track in ("physical", "mental") if told["action"]["type"] == "attack" else (None,):
            told = _renamed(told, {"Cynere": actor["name"], "Gate Guards": opponent["name"]})
            told["action"] |= {"intent": intent, "attack": {**told["action"]["attack"], "track": track}}
            aspects = [*told["scene"]["aspects"], {"name": IN_PLAY}]
            told["scene"] |= {"frame": "conflict", "characters": characters, "aspects": aspects}
            yield ruling_of(Request.read(told))
    ruleset = packaged_ruleset("five-actions")
    scene = Scene.read({"characters": characters, "aspects": [{"name": IN_PLAY}]})
    for kind in WORD_KINDS:
        request = request_for(scene, kind, actor["name"], ruleset=ruleset.name, per_slot=3, deal=0)
        yield without_roll(request, ruleset)


@cache
def asked() -> tuple[Json, ...]:
    """Requests for one and many, of which each has a slot that no other before it has."""
    found, asked = set[tuple[Any, ...]](), list[Json]()
    for row in ROWS:
        for told in row.requests(COMPANIES["one and many"], seed=1):
            in_play = [each["name"] for each in told["scene"]["aspects"]]
            new = {
                (offer.form, slot.kind, offer.to, branch.goal, slot.draft is None)
                for branch in narrator.resolve(told).branches
                for slot in branch.slots
                for offer in slot.forms
                if slot.draft not in in_play  # whoever names a new aspect like one that is there gets other words
            } - found
            if new:
                found |= new
                asked.append(told)
    return tuple(asked)


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(each, names) for key, each in value.items()}
    return names.get(value, value) if isinstance(value, str) else value
