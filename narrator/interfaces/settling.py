"""From the letters of a page to a choice: `s2`, and the options that say the rest."""

import re
from dataclasses import dataclass
from typing import Any

from narrator import api, vtt
from narrator.errors import NarratorError, quoted
from narrator.render.labels import labels, pick
from narrator.rules.action import Request
from narrator.rules.choice import Suggestion
from narrator.rules.resolution import Branch
from narrator.rules.ruleset import Ruleset

Json = dict[str, Any]

_TAKEN = re.compile(r"(?:(?:box|stress)\s+)?(\d{1,9})|([^=]+?)\s*=\s*(.+)", re.DOTALL)


@dataclass(frozen=True)
class Told:
    """
    What was typed beside the letters.
    """

    absorb: tuple[str, ...] = ()
    taken_out: bool = False
    to: str | None = None
    holder: str | None = None
    track: str | None = None
    zone: str | None = None


def choice_of(call: vtt.Call, answer: Any, letters: str, told: Told, rulesets: tuple[Ruleset, ...]) -> Json:
    """
    Make the choice that the letters of a saved page mean.

    Args:
        answer: What `--save` kept of the answer; without one there are no suggestions to number.

    Raises:
        NarratorError: `bad_choice`, with what the page offers.
    """
    given = answer.get("suggestions", []) if isinstance(answer, dict) else []
    suggestions = tuple(_suggestion(each, place) for place, each in enumerate(given))
    branch, chosen = pick(letters, labels(api.resolve(call.request, rulesets=rulesets), suggestions))
    choice: Json = {
        "branch": branch.id,
        "suggestions": [each.as_json() for each in chosen],
        "grants": _grants(branch, told),
        "taken_out": told.taken_out,
        "holder": told.holder,
        "track": told.track,
        "zone": None if _moves(branch) else told.zone,
    }
    if told.absorb:
        choice["absorb"] = _absorb(told.absorb)
    return choice


def zones_of(call: vtt.Call) -> list[str]:
    """
    Name the zones of the scene that a call is about.
    """
    return [zone.name for zone in Request.read(call.request).scene.zones]


def _suggestion(given: Any, place: int) -> Suggestion:
    try:
        return Suggestion.model_validate(given, strict=False)
    except ValueError:
        message = "this is no suggestion of ours; save the answer anew"
        raise NarratorError("bad_choice", f"answer.suggestions.{place}", message) from None


def _grants(branch: Branch, told: Told) -> list[Json]:
    """
    Say who gets what leaves a choice, and where a move goes.
    """
    chosen = []
    for index, grant in enumerate(branch.grants):
        to = told.to if len(grant.to) > 1 and told.to is not None else None
        on = told.zone if grant.type == "move" and grant.on is None else None
        if to is not None or on is not None:
            chosen.append({"index": index, "to": to, "on": on})
    return chosen


def _moves(branch: Branch) -> bool:
    return any(grant.type == "move" and grant.on is None for grant in branch.grants)


def _absorb(typed: tuple[str, ...]) -> Json:
    boxes: list[int] = []
    consequences = []
    for text in typed:
        found = _TAKEN.fullmatch(text.strip())
        if found is None:
            message = f'{quoted(text)} is no way to absorb; such as 2, or "mild=Split Lip"'
            raise NarratorError("bad_choice", "--absorb", message)
        if found[1]:
            boxes.append(int(found[1]))
        else:
            consequences.append({"severity": found[2].strip(), "name": found[3].strip()})
    if len(boxes) > 1:
        raise NarratorError("bad_choice", "--absorb", "a hit is absorbed with one box at the most")
    return {"stress": boxes[0] if boxes else None, "consequences": consequences}
