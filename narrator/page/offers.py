"""What could still be invoked on a roll, and what each invocation would make of it."""

import json
from typing import NamedTuple

from narrator.api import rolls
from narrator.campaign.records import Page
from narrator.page.table import Table
from narrator.render import phrases
from narrator.rules.chances.chances import Reach
from narrator.rules.request.action import Invocation
from narrator.rules.ruleset.row import FAIL

_MOST_OFFERS = 3
"""Invocations that are shown at once; the others are a tap away."""


class Offer(NamedTuple):
    """What one aspect would make of the roll."""

    aspect: str
    side: str
    note: str
    is_free: bool
    value: str
    """The invocation, as JSON, for 2 more."""
    again: str
    """The same for another roll; empty: there are no dice to roll again."""
    chance: str


def used(page: Page) -> list[tuple[str, int, Invocation]]:
    """The invocations that are on a roll already: the side, which of its own, and what."""
    action = page.request.action
    sides = (("actor", action.invocations), ("opposition", action.opposition.invocations))
    return [(side, place, each) for side, told in sides for place, each in enumerate(told)]


def offers(table: Table, page: Page) -> list[tuple[str, list[Offer]]]:
    """What could still be invoked: first what is near the actor, then, under a word each, what else there is, and what
    whoever opposes could invoke. Of a told outcome nothing: what was invoked is in it.
    """
    if page.request.action.outcome is not None:
        return []
    asked = page.request.model_copy(update={"scene": table.scene_for(page)})
    found: dict[tuple[str, ...], dict[str, Reach]] = {}
    for each in rolls.reach(asked, rulesets=table.campaign.rulesets):
        key = (each.side, each.aspect, each.on or "", each.pay, each.held_by or "")
        found.setdefault(key, {})[each.use] = each
    free = {(side, aspect, on) for side, aspect, on, pay, held_by in found if pay == "free" and not held_by}
    # Nobody pays for what they have for nothing.
    kept = [uses for (*of, pay, _), uses in found.items() if pay == "free" or tuple(of) not in free]
    ours = [each for each in kept if _one(each).side == "actor"]
    theirs = [each for each in kept if each not in ours]
    near = sorted((each for each in ours if _one(each).is_near), key=lambda each: _one(each).pay != "free")[
        :_MOST_OFFERS
    ]
    by = next((f"{_one(each).by} may invoke" for each in theirs), "")
    parts = [("", near), ("More", [each for each in ours if each not in near]), (by, theirs)]
    return [(name, [_offer(page.request.action.actor, each) for each in some]) for name, some in parts if some]


def _one(uses: dict[str, Reach]) -> Reach:
    return next(iter(uses.values()))


def _offer(actor: str, uses: dict[str, Reach]) -> Offer:
    """Say what one aspect would make of the roll, by 2 more and by another roll."""
    one = _one(uses)
    bonus, again = uses.get("bonus"), uses.get("reroll")
    price = "free" if one.pay == "free" else "1 point"
    price = f"{price} if {one.held_by} passes it on" if one.held_by else price
    whose = "" if one.side == "actor" else actor
    made = "roll again" if bonus is None else _makes(bonus.outcome or "", bonus.shifts, whose)
    return Offer(
        aspect=one.aspect,
        side=one.side,
        note=f"{price}, {made}",
        is_free=one.pay == "free",
        value="" if bonus is None else _json(bonus.invocation),
        again="" if again is None else _json(again.invocation),
        chance="" if again is None else phrases.chance(again.outcomes or {}, of_failing=one.side != "actor"),
    )


def _makes(outcome: str, shifts: int | None, whose: str = "") -> str:
    """Say what an invocation would make of a roll; `whose`, where it is one against them.

    >>> _makes("tie", 0), _makes("succeed", 1), _makes("succeed_with_style", 5), _makes("fail", -1)
    ('makes it a tie', 'then succeeds by 1', 'then by 5, with style', 'still fails by 1')
    >>> _makes("fail", -1, "Cynere")
    'then Cynere fails by 1'
    """
    if outcome == "tie":
        return "makes it a tie"
    by = f"by {abs(shifts)}" if shifts else ""
    told = {FAIL: f"fails {by}", "succeed": f"succeeds {by}", "succeed_with_style": f"{by}, with style"}
    then = "still" if outcome == FAIL and not whose else f"then {whose}".strip()
    return f"{then} {told.get(outcome, phrases.outcome(outcome, shifts))}".strip()


def _json(told: Invocation) -> str:
    return json.dumps(told.as_json())
