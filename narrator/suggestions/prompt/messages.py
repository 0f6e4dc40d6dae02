"""The chat messages of a prompt: its parts, a line for each special case, and the row and scene as JSON data."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

from narrator.resources import PromptPart, prompt_notes, prompt_part
from narrator.rules.chances.likely_rows import own_slot
from narrator.rules.request.action import Request
from narrator.rules.request.scene import GM, Character, Scene
from narrator.rules.resolve.resolution import FormOffer, Slot
from narrator.suggestions.prompt.commission import Commission
from narrator.suggestions.prompt.relevance import Relevance, clipped, fitting, json_line, present
from narrator.validation.safety import sayable, unsafe

LEVELS: Final = ("mild", "moderate", "severe")
"""The levels of consequences that a prompt has a line for. For other levels it gives their order."""

FEW: Final = 6
"""The most recipients outside the told scene, and the most zones of a path."""

ABOUT = {"roll": "what_happened", "prepare": "what_is_tried", "word": "about"}
"""The field of the data that says what to write about, by the brief's purpose."""

INTENT: Final = 600
"""Characters of an intent, or of the text to write about. More would make the prompt too long."""

MOST: Final = {
    "summary": 600,
    "tone": 300,
    "facts": 700,
    "said_lately": 400,
    "aspects_in_play": 500,
    "characters": 600,
    "also_here": 120,
}
"""Characters of each part of a scene, written as JSON. Lines and veils have no limit: the model gets all of them."""

OF_ONE, OF_OTHERS = 160, 60
"""Characters of a character's aspects, and as many of the consequences: for those involved, and for others."""


def messages(commission: Commission) -> tuple[tuple[str, str], ...]:
    """Return chat messages for a brief: pairs of role and content.

    Users' text goes into the JSON data, never into an instruction. Characters that models use for their own marks are
    escaped there. Names to choose from are also values of the schema.
    """
    system, *asked = parts(commission)
    user = "\n\n".join([*(each.text for each in asked), json_line(_data(commission))])
    return ("system", system.text), ("user", user)


def parts(commission: Commission) -> tuple[PromptPart, ...]:
    """Return the parts of a brief's prompt, in order. The first is the system message, the same for all."""
    # Without a roll, the slot is named like the kind of words.
    kinds = dict.fromkeys(slot.id if slot.kind == "word" else slot.kind for slot, _ in commission.wanted)
    cases = chain(_of_goals(commission), _of_slots(commission), _of_forms(commission), _of_people(commission))
    said = prompt_notes().part(frozenset(cases))
    return (
        *(prompt_part(name) for name in ("system", commission.purpose, *kinds)),
        *([said] if said.text else []),
        *([prompt_part("repair")] if commission.refused else []),
    )


def _offers(commission: Commission) -> Iterator[FormOffer]:
    return (offer for slot, _ in commission.wanted for offer in slot.forms)


def _of_goals(commission: Commission) -> Iterator[str]:
    if commission.purpose == "word":
        return
    action = commission.ruleset.actions[commission.resolution.action.type]
    goals = {branch.goal for slot, _ in commission.wanted for branch in commission.carriers(slot)}
    decided = {"attained", "not_attained"}
    kind = "attack" if action.is_attack else "defense" if action.is_defense else "goal"
    yield from (f"{kind if goal in decided else 'goal'}_{goal}" for goal in goals)
    yield from (f"goal_{offer.goal}" for offer in _offers(commission) if offer.goal)


def _of_slots(commission: Commission) -> Iterator[str]:
    action = commission.resolution.action
    is_secret = any(offer.secret for offer in _offers(commission))
    if commission.purpose != "word" and "discover" in f"{action.type} {action.variant}" and not is_secret:
        yield "found_out"
    if any(len(commission.carriers(slot)) > 1 for slot, _ in commission.wanted):
        yield "several_branches"
    # Before a roll, slots of different outcomes are never together.
    places = [
        (commission.ruling(slot).resolution.outcome, branch.id)
        for slot, _ in commission.wanted
        for branch in commission.carriers(slot)
    ]
    if len(set(places)) < len(places):
        yield "together"
    for slot, _ in commission.wanted:
        if slot.draft is not None:
            is_won = all(branch.goal == "attained" for branch in commission.carriers(slot))
            yield "meant_fleeting" if slot.kind != "aspect" else "meant" if is_won else "meant_turned"
        elif slot.kind == "aspect":
            yield "unnamed"


def _of_forms(commission: Commission) -> Iterator[str]:
    for offer in _offers(commission):
        form = commission.ruleset.forms[offer.form]
        if offer.secret:
            yield "secret"
        if form.on is not None and offer.on is None:
            yield "revealed"
        if form.does is not None:
            yield "done"
        if offer.severities:
            yield "severities"
        yield from (f"severity_{level}" if level in LEVELS else "levels" for level in offer.levels if level)


def _of_people(commission: Commission) -> Iterator[str]:
    named: set[str | None] = {name for offer in _offers(commission) for name in offer.to or ()}
    if commission.purpose != "word":
        named |= {commission.resolution.action.actor, commission.resolution.opposition.by}
    if GM in named:
        yield "gm"
    people = commission.request.scene.characters
    if not all(each.pronouns or each.group or each.importance == "swarm" for each in people):
        yield "no_pronouns"
    if any(each.called or unsafe(each.name) for each in people):
        yield "called"


def _data(commission: Commission) -> dict[str, Any]:
    """Return a brief as JSON data, without empty fields."""
    scene = scene_data(commission.request.scene, Relevance(commission.rulings[0]))
    told = frozenset((*(each["name"] for each in scene.get("characters", ())), *scene.get("also_here", ())))
    forms = {offer.form: commission.ruleset.forms[offer.form] for offer in _offers(commission)}
    data = {
        "wanted": [_wanted(commission, slot, how_many, told) for slot, how_many in commission.wanted],
        "forms": {name: present({"is": form.brief, "name": form.name}) for name, form in forms.items()},
        ABOUT[commission.purpose]: _word(commission.request) if commission.purpose == "word" else _action(commission),
        "scene": scene,
        "already_said": list(commission.already_said),
        "refused": [{"code": each.code, "message": each.message} for each in commission.refused],
    }
    return {name: value for name, value in data.items() if value}


def _wanted(commission: Commission, slot: Slot, how_many: int, told: frozenset[str]) -> dict[str, Any]:
    outcome = commission.ruling(slot).resolution.outcome
    plain_id, carriers = own_slot(outcome, slot.id), commission.carriers(slot)
    return present(
        {
            "slot": slot.id,
            "kind": slot.kind if plain_id != slot.kind and slot.kind != "word" else None,
            "is": commission.ruleset.about_slot(plain_id),
            "if": outcome if commission.purpose == "prepare" else None,
            "how_many": how_many,
            "goal": carriers[0].goal if len(carriers) == 1 else None,
            "branches": [{"choice": each.label, "goal": each.goal} for each in carriers] if len(carriers) > 1 else [],
            "meant": slot.draft,
            "forms": [_form(offer, commission, told) for offer in slot.forms],
        }
    )


def _form(offer: FormOffer, commission: Commission, told: frozenset[str]) -> dict[str, Any]:
    """Return a form as data. Of many recipients, it names those in the told scene. The schema has all."""
    ruleset = commission.ruleset
    is_known = set(offer.levels) <= {*LEVELS, None}
    to = offer.to or ()
    return present(
        {
            "form": offer.form,
            "to": [name for name in to if name in told] or list(to[:FEW]),
            "how_bad": offer.severity,
            "severities": list(offer.severities or ()),
            "levels": [] if is_known else list(ruleset.sheet.consequences),
            "on": offer.on,
            "goal": offer.goal,
            "for_the_gm_alone": offer.secret,
        }
    )


def _action(commission: Commission) -> dict[str, Any]:
    told, row, ruleset = commission.request.action, commission.resolution, commission.ruleset
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
            "outcome": row.outcome if commission.purpose == "roll" else None,
        }
    )


def _word(request: Request) -> dict[str, Any]:
    action = request.action
    character = action.actor if action.actor != GM else None
    return present({"character": character, "aspect": action.aspect, "text": clipped(action.intent, INTENT)})


def scene_data(scene: Scene, relevance: Relevance, room: int = 1) -> dict[str, Any]:
    """Return a scene as data, within `room` times the usual space. Everyone involved is told, however long."""
    return present(
        {
            "summary": clipped(scene.summary, MOST["summary"] * room),
            "tone": clipped(scene.tone, MOST["tone"] * room),
            "language": scene.language,
            "frame": scene.frame,
            "contest": _contest(scene),
            "facts": _texts(scene.facts, MOST["facts"] * room, relevance),
            "aspects_in_play": _aspects(scene, MOST["aspects_in_play"] * room, relevance),
            **_people(scene, room, relevance),
            "said_lately": _texts(scene.recent, MOST["said_lately"] * room, relevance),
            "never_touch": [*scene.lines, *scene.veils],
        }
    )


def _contest(scene: Scene) -> dict[str, Any] | None:
    """Return the sides of a contest and their victories, since a twist affects all of them."""
    if scene.contest is None:
        return None
    return present(scene.contest.model_dump(mode="json", include={"sides", "victories", "to"}))


def _texts(texts: Sequence[str], most: int, relevance: Relevance) -> list[str]:
    return fitting((texts[place] for place in relevance.order(texts)), most)


def _aspects(scene: Scene, most: int, relevance: Relevance) -> list[str | dict[str, str]]:
    """Return the aspects in play that are not in a character's own list, each with its bearer."""
    of_zones = ((name, zone.name) for zone in scene.zones for name in zone.aspects)
    named = [*dict.fromkeys((*of_zones, *((each.name, each.on) for each in scene.aspects)))]
    order = relevance.order([f"{name} {on or ''}" for name, on in named])
    ordered = (named[place] for place in order)
    return fitting((name if on is None else {"name": name, "on": on} for name, on in ordered), most)


def _people(scene: Scene, room: int, relevance: Relevance) -> dict[str, Any]:
    """Return the characters: those involved first. Those without room have only their names."""
    names = {each.name for each in relevance.involved}
    others = [each for each in scene.characters if each.name not in names]
    # `order` prefers the last text, but the first characters matter most: hence reversed.
    read = [" ".join((each.name, *each.aspects, each.zone or "")) for each in reversed(others)]
    ordered = [others[-1 - place] for place in relevance.order(read)]
    first = [_person(each, relevance, OF_ONE) for each in relevance.involved]
    left = MOST["characters"] * room - sum(len(json_line(each)) + 1 for each in first)
    told = [*first, *fitting((_person(each, relevance, OF_OTHERS * room) for each in ordered), left)]
    whole = {each["name"] for each in told}
    also = fitting((each.name for each in ordered if each.name not in whole), MOST["also_here"])
    return {"characters": told, "also_here": also}


def _person(character: Character, relevance: Relevance, most: int) -> dict[str, Any]:
    aspects = [character.aspects[place] for place in relevance.order(character.aspects)]
    consequences = [level.name for level in character.consequences or () if level.name]
    is_called = character.called or unsafe(character.name)
    is_many = character.importance == "swarm" if character.group is None else character.group
    return present(
        {
            "name": character.name,
            "called": sayable(character.called or character.name) if is_called else None,
            "pronouns": character.pronouns,
            "several": is_many or None,
            "side": character.side,
            "aspects": fitting(aspects, most),
            "consequences": fitting(consequences, most),
            "zone": character.zone,
            "taken_out": character.is_out or None,
        }
    )
