"""A scripted model that writes cards: as many as are wanted, of the forms that are, and others for each prompt."""

import json
import random
from pathlib import Path
from typing import Any
from zlib import crc32

from narrator.rules.json_text import Json
from tests.scripted_server import Reply, Step, Wire, suggestions

NOTES = Path(__file__).parents[2] / "examples" / "notes.md"

WHO = """
    ferryman widow clerk salter diver bailiff piper cooper sexton smuggler netmaker pilot
""".split()  # noqa: SIM905
WHAT = """
    lantern ledger anchor coffin kettle ladder mooring barrel shutter oar banner bucket
""".split()  # noqa: SIM905
DOES = """
    drags lifts hides breaks sells paints hurls empties ropes burns follows carries
""".split()  # noqa: SIM905
WHERE = """
    chimney stair attic pan jetty mudbank causeway belfry slipway cellar gutter gable
""".split()  # noqa: SIM905
HOW = """
    slowly proudly wearily backwards laughing barefoot silently hurriedly twice weeping soaked grinning
""".split()  # noqa: SIM905


LUCK = 0
"""With it all cards of the first two calls pass."""


def asked_of(wire: Wire) -> Json:
    """What the prompt of a request says, as data."""
    body = wire.received.body
    content = (body.get("messages") or body.get("input"))[-1]["content"]
    data: Json = json.loads(content)
    return data


def card(form: Json, chance: random.Random, about: str = "Greywater") -> Json:
    """A card of a form that is wanted, with words by chance."""
    who, what, does, where, how = (chance.choice(words) for words in (WHO, WHAT, DOES, WHERE, HOW))
    other, thing, place = chance.choice(WHO), chance.choice(WHAT), chance.choice(WHERE)
    return {
        "form": form["form"],
        "activities": [chance.choice(["body", "stealth", "wits", "talk", "fight"])],
        "about": [about],
        "name": f"{other.title()} and {thing.title()} by the {place.title()}" if "name" in form else None,
        "detail": f"A {who} {does} the {what} {how} to the {where}, the {other} keeps the {thing} by the {place}, "
        "and {actor} has|have to pass.",
    }


def cards_for(data: Json) -> list[Json]:
    """The cards that a prompt gets: always the same for the same prompt."""
    chance = random.Random(crc32(json.dumps(data).encode()) + LUCK)
    return [card(form, chance) for form in data["wanted"] for _ in range(form["how_many"])]


def writes(wire: Wire) -> None:
    """A step that writes what is wanted."""
    Reply(suggestions(*cards_for(asked_of(wire))), pieces=200)(wire)


def saying(*cards: Any) -> Step:
    """A step that writes these cards, whatever is wanted."""
    return Reply(json.dumps({"suggestions": cards}), pieces=200)
