"""Words the prompt: its pages, a line for each special case, and behind them this row and scene as JSON data."""

from collections.abc import Collection, Iterator
from itertools import chain

from narrator.rules.resolution import FormOffer
from narrator.rules.scene import GM
from narrator.shipped import Page, notes, page
from narrator.suggestions.commission import Commission
from narrator.suggestions.data import LEVELS, data_of
from narrator.suggestions.telling import written
from narrator.validation.safety import unsafe


def messages(commission: Commission) -> tuple[tuple[str, str], ...]:
    """Return chat messages, each its role and its content, that ask for what a brief wants.

    What users wrote goes into the JSON as data and into no instruction, and what a model's own marks are written with
    is escaped there; names that may be chosen also stand in the schema, as the values they are.
    """
    system, *asked = pages(commission)
    return (
        ("system", system.text),
        ("user", "\n\n".join([*(each.text for each in asked), written(data_of(commission))])),
    )


def pages(commission: Commission) -> tuple[Page, ...]:
    """Return the pages of a brief's prompt, in their order: the first is the system's, and the same for all."""
    # A word that is asked for without a roll is a slot of its own name.
    kinds = dict.fromkeys(slot.id if slot.kind == "word" else slot.kind for slot, _ in commission.wanted)
    said = notes().page(_cases(commission))
    return (
        *(page(name) for name in ("system", commission.purpose, *kinds)),
        *([said] if said.text else []),
        *([page("repair")] if commission.refused else []),
    )


def _cases(commission: Commission) -> frozenset[str]:
    """Return the keys of the lines that a brief needs."""
    return frozenset(chain(_of_goals(commission), _of_slots(commission), _of_forms(commission), _of_people(commission)))


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
    if any(len(commission.carriers(slot)) > 1 for slot, _ in commission.wanted):
        yield "several_branches"
    # Before a roll slots name their outcome, and of two rows no two slots stand together.
    places = [
        (commission.ruling(slot).resolution.outcome, branch.id)
        for slot, _ in commission.wanted
        for branch in commission.carriers(slot)
    ]
    if len(set(places)) < len(places):
        yield "together"
    for slot, how_many in commission.wanted:
        if how_many > 1 and len(slot.forms) > 1:
            yield "forms_differ"
        if slot.draft is not None:
            yield "meant" if slot.kind == "aspect" else "meant_fleeting"
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
    if any(GM in named for named in _named(commission)):
        yield "gm"
    people = commission.request.scene.characters
    if not people or not all(each.pronouns for each in people):
        yield "no_pronouns"
    if any(each.called or unsafe(each.name) for each in people):
        yield "called"


def _named(commission: Commission) -> Iterator[Collection[str | None]]:
    yield from (offer.to or () for offer in _offers(commission))
    if commission.purpose != "word":
        yield commission.resolution.action.actor, commission.resolution.opposition.by
