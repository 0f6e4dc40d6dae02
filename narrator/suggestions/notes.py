"""Which special cases a brief has: a prompt says a line of `prompts/notes.toml` of each, and of no other."""

from collections.abc import Collection, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Final

from narrator.rules.resolution import FormOffer
from narrator.rules.scene import GM
from narrator.validation.safety import unsafe

if TYPE_CHECKING:
    from narrator.suggestions.brief import Brief

LEVELS: Final = ("mild", "moderate", "severe")
"""The levels of consequences that a line tells of; of others a prompt tells the order."""


def cases(brief: "Brief") -> frozenset[str]:
    """Return the keys of the lines that a brief needs."""
    return frozenset(chain(_of_goals(brief), _of_slots(brief), _of_forms(brief), _of_people(brief)))


def _offers(brief: "Brief") -> Iterator[FormOffer]:
    return (offer for slot, _ in brief.wanted for offer in slot.forms)


def _of_goals(brief: "Brief") -> Iterator[str]:
    if brief.purpose == "word":
        return
    action = brief.ruleset.actions[brief.resolution.action.type]
    goals = {branch.goal for slot, _ in brief.wanted for branch in brief.ruling(slot).carriers(slot)}
    decided = {"attained", "not_attained"}
    kind = "attack" if action.is_attack else "defense" if action.is_defense else "goal"
    yield from (f"{kind if goal in decided else 'goal'}_{goal}" for goal in goals)
    yield from (f"goal_{offer.goal}" for offer in _offers(brief) if offer.goal)


def _of_slots(brief: "Brief") -> Iterator[str]:
    rulings = [(slot, brief.ruling(slot)) for slot, _ in brief.wanted]
    carried = [(ruling.resolution.outcome, ruling.carriers(slot)) for slot, ruling in rulings]
    if any(len(branches) > 1 for _, branches in carried):
        yield "several_branches"
    places = [(outcome, branch.id) for outcome, branches in carried for branch in branches]
    if len(set(places)) < len(places):
        yield "together"
    for slot, how_many in brief.wanted:
        if how_many > 1 and len(slot.forms) > 1:
            yield "forms_differ"
        if slot.draft is not None:
            yield "meant" if slot.kind == "aspect" else "meant_fleeting"
        elif slot.kind == "aspect":
            yield "unnamed"


def _of_forms(brief: "Brief") -> Iterator[str]:
    for offer in _offers(brief):
        form = brief.ruleset.forms[offer.form]
        if offer.secret:
            yield "secret"
        if form.on is not None and offer.on is None:
            yield "revealed"
        if form.does is not None:
            yield "done"
        if offer.severities:
            yield "severities"
        yield from (f"severity_{level}" if level in LEVELS else "levels" for level in offer.levels if level)


def _of_people(brief: "Brief") -> Iterator[str]:
    if any(GM in named for named in _named(brief)):
        yield "gm"
    people = brief.request.scene.characters
    if not people or not all(each.pronouns for each in people):
        yield "no_pronouns"
    if any(each.called or unsafe(each.name) for each in people):
        yield "called"


def _named(brief: "Brief") -> Iterator[Collection[str | None]]:
    yield from (offer.to or () for offer in _offers(brief))
    if brief.purpose != "word":
        yield brief.resolution.action.actor, brief.resolution.opposition.by
