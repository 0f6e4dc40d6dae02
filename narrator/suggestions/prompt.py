"""Words the prompt: its pages, and this row and scene as JSON data."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from narrator.rules.action import Request
from narrator.rules.invoking import aspects_in_play
from narrator.rules.resolution import FormOffer, Resolution, Slot
from narrator.rules.ruleset import Ruleset
from narrator.shipped import page
from narrator.validation.safety import sayable, unsafe
from narrator.validation.verdict import Rejection

LATEST = 20
"""How many facts, recent sayings, aspects and people a prompt tells: enough for a scene, and short."""

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"')
_MARKS: Final = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>|[]"}
"""What chat templates of models write their own marks with, such as `<|im_start|>` and `[INST]`."""


def messages(
    request: Request,
    resolution: Resolution,
    ruleset: Ruleset,
    wanted: Sequence[tuple[Slot, int]],
    *,
    already_said: tuple[str, ...],
    refused: tuple[Rejection, ...],
) -> tuple[tuple[str, str], ...]:
    """
    Return chat messages, each its role and its content, that ask for what a brief of these fields wants.

    What users wrote goes into the JSON as data and into no instruction, and what a model's own marks are written with
    is escaped there; names that may be chosen also stand in the schema, as the values they are.
    """
    pages = [page(kind) for kind in dict.fromkeys(slot.kind for slot, _ in wanted)]
    data: dict[str, Any] = {
        "wanted": [_wanted(slot, how_many, resolution, ruleset) for slot, how_many in wanted],
        "what_happened": _what_happened(request, resolution),
        "scene": _scene(request),
    }
    if already_said:
        data["already_said"] = list(already_said)
    if refused:
        pages.append(page("repair"))
        data["refused"] = [{"code": each.code, "message": each.message} for each in refused]
    return (("system", page("system")), ("user", "\n\n".join([*pages, as_data(data)])))


def as_data(data: dict[str, Any]) -> str:
    """
    Write what users wrote as the JSON data of a prompt, with what a model's own marks are written with escaped.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _STRING.sub(lambda string: string[0].translate(_MARKS), text)


def _wanted(slot: Slot, how_many: int, resolution: Resolution, ruleset: Ruleset) -> dict[str, Any]:
    carried_by = [branch for branch in resolution.branches if slot.id in [each.id for each in branch.slots]]
    return _present(
        {
            "slot": slot.id,
            "how_many": how_many,
            "branches": [{"choice": branch.label, "goal": branch.goal} for branch in carried_by],
            "meant": slot.draft,
            "forms": [_form(offer, ruleset) for offer in slot.forms],
        }
    )


def _form(offer: FormOffer, ruleset: Ruleset) -> dict[str, Any]:
    form = ruleset.forms[offer.form]
    return _present(
        {
            "form": offer.form,
            "is": form.brief,
            "name": form.name,
            "to": list(offer.to or ()),
            "severity": offer.severity,
            "on": offer.on,
            "for_the_gm_alone": offer.secret,
        }
    )


def _what_happened(request: Request, resolution: Resolution) -> dict[str, Any]:
    action = request.action
    return _present(
        {
            "actor": action.actor,
            "action": resolution.action.type,
            "variant": resolution.action.variant,
            "skill": action.skill,
            "intent": action.intent,
            "aspect": action.aspect,
            "target": action.target,
            "opposed_by": resolution.opposition.by,
            "outcome": resolution.outcome,
            "shifts": resolution.shifts,
        }
    )


def _scene(request: Request) -> dict[str, Any]:
    scene = request.scene
    people = [
        _present(
            {
                "name": each.name,
                "called": sayable(each.called or each.name) if unsafe(each.name) else None,
                "side": each.side,
                "aspects": list(each.aspects),
                "zone": each.zone,
            }
        )
        for each in scene.characters[:LATEST]
    ]
    return _present(
        {
            "summary": scene.summary,
            "tone": scene.tone,
            "language": scene.language,
            "frame": scene.frame,
            "facts": list(scene.facts[-LATEST:]),
            "aspects_in_play": list(dict.fromkeys(name for name, _ in aspects_in_play(scene)))[:LATEST],
            "characters": people,
            "said_lately": list(scene.recent[-LATEST:]),
            "never_touch": [*scene.lines, *scene.veils],
        }
    )


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", [], ())}
