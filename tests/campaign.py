"""A long campaign: two hundred facts, the people and places of a town, and an evening of rolls, always the same."""

from collections.abc import Iterator
from random import Random

from narrator.rules.json_text import Json

HEROES = ("Ysolde Marr", "Brother Anselm", "Tam Quickfinger", "Dame Ottoline Vey")
TOWN = (
    "Captain Ilse Varga", "The Tallow Guild", "Old Maren", "Baron Hask", "Sister Perpetua", "The Rat Catchers",
    "Ferryman Doyle", "Magistrate Quill", "The Drowned Choir", "Iron Tooth", "Widow Sable", "Lamplighter Finn",
)  # fmt: skip
PLACES = (
    "South Gate", "Salt Market", "Bell Tower", "Chandlers' Row", "Drowned Chapel", "Ferry Landing", "Customs House",
    "Governor's Stair", "Old Cistern", "Tannery",
)  # fmt: skip
THINGS = (
    "the sealed ledger", "a silver whistle", "the bronze key", "the plague cart", "a forged pardon", "the tide tables",
    "the governor's seal", "a box of black candles", "the bell rope", "a debt of nine crowns", "the ferry chain",
)  # fmt: skip
DEEDS = (
    "{who} hid {thing} at the {place}.",
    "Nobody crosses the {place} at night since {who} sold {thing}.",
    "{who} owes {other} for {thing}.",
    "The {place} belongs to {who}, whatever {other} says.",
    "{other} saw {who} burn {thing} behind the {place}.",
    "{who} has not been to the {place} since the flood.",
    "{hero} swore to {who} never to speak of {thing}.",
    "{hero} gave {thing} to {other}, who keeps it under the {place}.",
)
INTENTS = (
    "talk {who} into handing over {thing}",
    "slip past {who} into the {place}",
    "find out who took {thing} from the {place}",
    "hold the stairs of the {place} against {who}",
    "get {thing} out of the {place} before dawn",
)
ACTIONS: tuple[Json, ...] = (
    {"type": "overcome", "outcome": "fail"},
    {"type": "overcome", "outcome": "tie"},
    {"type": "overcome", "outcome": "succeed_with_style"},
    {"type": "discover", "outcome": "fail"},
    {"type": "discover", "outcome": "tie"},
    {"type": "discover", "variant": "aspect", "outcome": "fail"},
    {"type": "create_advantage", "outcome": "fail"},
    {"type": "create_advantage", "outcome": "succeed"},
)


def _filled(line: str, chance: Random) -> str:
    who, other = chance.sample(TOWN, 2)
    parts = {"hero": chance.choice(HEROES), "thing": chance.choice(THINGS), "place": chance.choice(PLACES)}
    return line.format(who=who, other=other, **parts)


def facts(number: int, seed: int = 14) -> list[str]:
    """So many facts of the campaign, the newest last, no two alike."""
    chance = Random(seed)
    found: dict[str, None] = {}
    while len(found) < number:
        found[_filled(chance.choice(DEEDS), chance)] = None
    return [*found]


def evening(rolls: int = 40, told: int = 200, seed: int = 14) -> Iterator[Json]:
    """The requests of an evening: each roll adds a fact, and what was said lately grows."""
    chance = Random(seed)
    known = facts(told + rolls)
    lately: list[str] = []
    zones = [{"name": place, "adjacent": PLACES, "aspects": [f"{place} after Dark"]} for place in PLACES]
    for roll in range(rolls):
        who = chance.choice(TOWN)
        people: list[Json] = [
            {"name": name, "side": "pc" if name in HEROES else "town", "zone": chance.choice(PLACES)}
            | {"importance": "pc" if name in HEROES else "named", "aspects": [f"{name.split()[-1]} Has Seen Worse"]}
            for name in (*HEROES, *TOWN)
        ]
        scene: Json = {
            "summary": "The fourth winter of the flood, and the governor's men are at the gates.",
            "facts": known[: told + roll],
            "recent": lately[-20:],
            "aspects": [{"name": f"Thaw Night {number}"} for number in range(12)],
            "zones": zones,
            "characters": people,
            "tone": "low fantasy intrigue",
            "lines": ["harm to children", "spiders"],
            "veils": ["torture"],
        }
        intent = chance.choice(INTENTS).format(who=who, thing=chance.choice(THINGS), place=chance.choice(PLACES))
        action = {**ACTIONS[roll % len(ACTIONS)], "actor": chance.choice(HEROES), "intent": intent}
        yield {"scene": scene, "action": {**action, "opposition": {"by": who}}, "seed": roll}
        lately.append(_filled("{other} looks away from {who}, and says nothing of {thing}.", chance))
