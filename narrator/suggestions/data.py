"""Tells what is wanted, what happened and the scene as JSON data: the one part of a prompt that users' words are in."""

from typing import TYPE_CHECKING, Any, Final

from narrator.rules.preparing import own_slot
from narrator.rules.resolution import FormOffer, Slot
from narrator.rules.scene import GM
from narrator.suggestions.memory import remembered
from narrator.suggestions.notes import LEVELS
from narrator.suggestions.relevance import Relevance
from narrator.suggestions.telling import clipped, present

if TYPE_CHECKING:
    from narrator.rules.action import Request
    from narrator.suggestions.brief import Brief

FEW: Final = 6
"""Names of people of whom nothing else is told, and zones of a path."""

ABOUT = {"roll": "what_happened", "prepare": "what_is_tried", "word": "about"}
"""What the data calls what the words are about, by the brief's purpose."""

INTENT: Final = 600
"""Characters of what is tried, or of what words are to be about: more would be a long prompt."""


def data_of(brief: "Brief") -> dict[str, Any]:
    """Tell a brief as JSON data. What is not there is left out."""
    scene = remembered(brief.request.scene, Relevance(brief.rulings[0]))
    told = frozenset(each["name"] for each in scene.get("characters", ()))
    data = {
        "wanted": [_wanted(brief, slot, how_many, told) for slot, how_many in brief.wanted],
        ABOUT[brief.purpose]: _word(brief.request) if brief.purpose == "word" else _action(brief),
        "scene": scene,
        "already_said": list(brief.already_said),
        "refused": [{"code": each.code, "message": each.message} for each in brief.refused],
    }
    return {name: value for name, value in data.items() if value}


def _wanted(brief: "Brief", slot: Slot, how_many: int, told: frozenset[str]) -> dict[str, Any]:
    ruling = brief.ruling(slot)
    outcome = ruling.resolution.outcome
    plain_id = own_slot(outcome, slot.id)
    branches = ruling.carriers(slot) if brief.purpose != "word" else ()
    return present(
        {
            "slot": slot.id,
            "kind": slot.kind if plain_id != slot.kind and slot.kind != "word" else None,
            "is": brief.ruleset.about_slot(plain_id),
            "if": outcome if brief.purpose == "prepare" else None,
            "how_many": how_many,
            "branches": [{"choice": branch.label, "goal": branch.goal} for branch in branches],
            "meant": slot.draft,
            "forms": [_form(offer, brief, told) for offer in slot.forms],
        }
    )


def _form(offer: FormOffer, brief: "Brief", told: frozenset[str]) -> dict[str, Any]:
    """Tell a form. Of a crowd to whom it may go it names those whom the scene tells of; the schema has them all."""
    ruleset = brief.ruleset
    form = ruleset.forms[offer.form]
    is_known = set(offer.levels) <= {*LEVELS, None}
    to = offer.to or ()
    return present(
        {
            "form": offer.form,
            "is": form.brief,
            "name": form.name,
            "to": [name for name in to if name in told] or list(to[:FEW]),
            "severity": offer.severity,
            "severities": list(offer.severities or ()),
            "levels": [] if is_known else list(ruleset.sheet.consequences),
            "on": offer.on,
            "goal": offer.goal,
            "for_the_gm_alone": offer.secret,
        }
    )


def _action(brief: "Brief") -> dict[str, Any]:
    told, row, ruleset = brief.request.action, brief.resolution, brief.ruleset
    variant, maneuver = row.action.variant, row.action.maneuver
    return present(
        {
            "actor": told.actor,
            "action": row.action.type,
            "variant": variant,
            "variant_means": ruleset.actions[row.action.type].variant(variant).brief,
            "maneuver": maneuver,
            "maneuver_means": ruleset.maneuvers[maneuver].brief if maneuver else None,
            "skill": told.skill,
            "intent": clipped(told.intent, INTENT),
            "aspect": told.aspect,
            "target": told.target,
            "opposed_by": row.opposition.by if row.opposition.by != told.target else None,
            "path": [*(told.path or ())[:FEW]],
            "outcome": row.outcome if brief.purpose == "roll" else None,
        }
    )


def _word(request: "Request") -> dict[str, Any]:
    action = request.action
    character = action.actor if action.actor != GM else None
    return present({"character": character, "aspect": action.aspect, "text": clipped(action.intent, INTENT)})
