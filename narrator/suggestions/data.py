"""Tells what is wanted, what happened and the scene as JSON data: the one part of a prompt that users' words are in."""

from typing import TYPE_CHECKING, Any

from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.ruleset import Ruleset
from narrator.suggestions.notes import LEVELS, carrying, levels_of
from narrator.validation.safety import sayable, unsafe

if TYPE_CHECKING:
    from narrator.rules.action import Request
    from narrator.suggestions.brief import Brief

LATEST = 20
"""How many facts, recent sayings, aspects and people a prompt tells: enough for a scene, and short."""

ABOUT = {"roll": "what_happened", "ahead": "what_is_tried", "word": "about"}
"""What the data calls what the words are about, by the brief's purpose."""


def data_of(brief: "Brief") -> dict[str, Any]:
    """
    Tell a brief as JSON data. What is not there is left out.
    """
    about = _word(brief.request) if brief.purpose == "word" else _action(brief)
    data = {
        "wanted": [_wanted(brief, slot, how_many) for slot, how_many in brief.wanted],
        ABOUT[brief.purpose]: about,
        "scene": _scene(brief.request),
        "already_said": list(brief.already_said),
        "refused": [{"code": each.code, "message": each.message} for each in brief.refused],
    }
    return {name: value for name, value in data.items() if value}


def _wanted(brief: "Brief", slot: Slot, how_many: int) -> dict[str, Any]:
    row = brief.row(slot)
    is_ahead = brief.purpose == "ahead"
    plain_id = slot.id.removeprefix(f"{row.outcome}.") if is_ahead else slot.id
    branches = carrying(brief, slot) if brief.purpose != "word" else ()
    return _present(
        {
            "slot": slot.id,
            "kind": slot.kind if plain_id != slot.kind and slot.kind != "word" else None,
            "is": brief.ruleset.about_slot(plain_id),
            "if": row.outcome if is_ahead else None,
            "how_many": how_many,
            "branches": [{"choice": branch.label, "goal": branch.goal} for branch in branches],
            "meant": slot.draft,
            "forms": [_form(offer, brief.ruleset) for offer in slot.forms],
        }
    )


def _form(offer: FormOffer, ruleset: Ruleset) -> dict[str, Any]:
    form = ruleset.forms[offer.form]
    is_known = set(levels_of(offer)) <= {*LEVELS}
    return _present(
        {
            "form": offer.form,
            "is": form.brief,
            "name": form.name,
            "to": list(offer.to or ()),
            "severity": offer.severity,
            "levels": [] if is_known else list(ruleset.sheet.consequences),
            "on": offer.on,
            "goal": offer.goal,
            "for_the_gm_alone": offer.secret,
        }
    )


def _action(brief: "Brief") -> dict[str, Any]:
    told, row, ruleset = brief.request.action, brief.resolution, brief.ruleset
    variant, maneuver = row.action.variant, row.action.maneuver
    return _present(
        {
            "actor": told.actor,
            "action": row.action.type,
            "variant": variant,
            "variant_means": ruleset.actions[row.action.type].variant(variant).brief,
            "maneuver": maneuver,
            "maneuver_means": ruleset.maneuvers[maneuver].brief if maneuver else None,
            "skill": told.skill,
            "intent": told.intent,
            "aspect": told.aspect,
            "target": told.target,
            "opposed_by": row.opposition.by if row.opposition.by != told.target else None,
            "path": list(told.path or ()),
            "outcome": row.outcome if brief.purpose == "roll" else None,
        }
    )


def _word(request: "Request") -> dict[str, Any]:
    action = request.action
    character = action.actor if action.actor in [each.name for each in request.scene.characters] else None
    return _present({"character": character, "aspect": action.aspect, "text": action.intent})


def _scene(request: "Request") -> dict[str, Any]:
    scene = request.scene
    people = [
        _present(
            {
                "name": each.name,
                "called": _called(each.name, each.called),
                "pronouns": each.pronouns,
                "several": each.group or (each.group is None and each.importance == "swarm") or None,
                "side": each.side,
                "aspects": list(each.aspects),
                "consequences": [level.name for level in each.consequences or () if level.name],
                "zone": each.zone,
                "taken_out": each.taken_out or None,
            }
        )
        for each in scene.characters[:LATEST]
    ]
    aspects = [(each.name, each.on) for each in scene.aspects]
    aspects += [(name, zone.name) for zone in scene.zones for name in zone.aspects]
    return _present(
        {
            "summary": scene.summary,
            "tone": scene.tone,
            "language": scene.language,
            "frame": scene.frame,
            "facts": list(scene.facts[-LATEST:]),
            "aspects_in_play": [
                name if on is None else {"name": name, "on": on} for name, on in dict.fromkeys(aspects)
            ][:LATEST],
            "characters": people,
            "said_lately": list(scene.recent[-LATEST:]),
            "never_touch": [*scene.lines, *scene.veils],
        }
    )


def _called(name: str, told: str | None) -> str | None:
    return sayable(told or name) if told or unsafe(name) else None


def _present(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, "", [], ())}
