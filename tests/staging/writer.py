"""A scripted model that writes cards for a scene: as many as are wanted, of the forms that are."""

import json
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from narrator.rules.json_text import Json
from tests.deck_making.writer import DOES, HOW, WHAT, WHERE, WHO, asked_of
from tests.scripted_server import Reply, Step, Wire, suggestions

TABLE: Json = json.loads((Path(__file__).parents[2] / "examples" / "table.json").read_text("utf-8"))
SCENE: Json = TABLE["scene"]
SNEAK: Json = {"type": "overcome", "actor": "Cynere", "skill": "Stealth", "outcome": "fail", "shifts": -1}
SNEAK |= {"intent": "slip in behind the last cart", "opposition": {"kind": "passive", "rating": 2}}


LUCK = 1
"""With it all cards pass."""


def cards_for(wanted: list[Json], seed: int = LUCK) -> list[Json]:
    """Cards of the forms that are wanted, no two alike."""
    chance, number = Random(seed), count()
    return [_card(form, chance, next(number)) for form in wanted for _ in range(form["how_many"])]


def writes(wire: Wire) -> None:
    """A step that writes what is wanted."""
    Reply(suggestions(*cards_for(asked_of(wire)["wanted"])), pieces=200)(wire)


def slowly(pause: float) -> Step:
    """The same, with a pause before every piece."""
    return lambda wire: Reply(suggestions(*cards_for(asked_of(wire)["wanted"])), pieces=200, pause=pause)(wire)


def saying(*cards: Any) -> Step:
    """A step that writes these cards, whatever is wanted."""
    return Reply(suggestions(*cards), pieces=200)


def _card(form: Json, chance: Random, number: int) -> Json:
    who, other = WHO[number % len(WHO)], chance.choice(WHO)
    what, does, where, how = (chance.choice(words) for words in (WHAT, DOES, WHERE, HOW))
    to = "{to}" if "severities" in form else "{actor}"
    told = {
        "form": form["form"],
        "activities": [],
        "name": f"{who.title()} and {what.title()} by the {where.title()}" if "name" in form else None,
        "detail": f"A {who} {does} the {what} {how} to the {where}, the {other} looks round at {to}.",
    }
    harm = {"severity": form.get("severities", [None])[0], "track": "physical"}
    return told | (harm if "severities" in form else {})
