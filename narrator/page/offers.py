"""The invocations that are still possible on a roll, and what each would change."""

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
"""So many invocations are shown at once. The others are a tap away."""


class Offer(NamedTuple):
    """An aspect that could be invoked, and what it would change."""

    aspect: str
    side: str
    note: str
    is_free: bool
    value: str
    """The invocation for +2, as JSON."""
    again: str
    """The invocation for a reroll, as JSON. Empty if there are no dice to roll again."""
    chance: str


def used(page: Page) -> list[tuple[str, int, Invocation]]:
    """The invocations already made on a roll: the side, the place in its list, and the invocation."""
    action = page.request.action
    sides = (("actor", action.invocations), ("opposition", action.opposition.invocations))
    return [(side, place, each) for side, told in sides for place, each in enumerate(told)]


def offers(table: Table, page: Page) -> list[tuple[str, list[Offer]]]:
    """The invocations that are still possible, in named groups: near the actor, others, and the opponent's. A told
    outcome has none, because it already includes them.
    """
    if page.request.action.outcome is not None:
        return []
    asked = page.request.model_copy(update={"scene": table.scene_for(page)})
    found: dict[tuple[str, ...], dict[str, Reach]] = {}
    for each in rolls.reach(asked, rulesets=table.campaign.rulesets):
        key = (each.side, each.aspect, each.on or "", each.pay, each.held_by or "")
        found.setdefault(key, {})[each.use] = each
    free = {(side, aspect, on) for side, aspect, on, pay, held_by in found if pay == "free" and not held_by}
    # If a free invocation is possible, paying for the same aspect is not offered.
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
    """Describe what one aspect would change, by +2 and by a reroll."""
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
    """Describe the result with an invocation. `whose` names the actor if it is an invocation against them.

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
