"""Rolls: from faces, skill, help and invocations to a total ("When to Roll the Dice")."""

from dataclasses import dataclass

from narrator.errors import RequestError, quoted
from narrator.rules.request.action import Invocation, Request, Rolled
from narrator.rules.resolve import ladder
from narrator.rules.resolve.cast import Cast, look_up, rating
from narrator.rules.resolve.dice import Faces, throw_number, turn_up
from narrator.rules.resolve.invocations import BONUS, Purse
from narrator.rules.resolve.resolution import RollResult
from narrator.rules.ruleset.declarations import Teamwork

FULL_DEFENSE_BONUS = 2
"""What full defence adds to each defend ("Defend in Challenges, Contests, and Conflicts")."""


@dataclass(frozen=True)
class Side:
    """One side of a roll: its field in the request and its place among a seed's throws."""

    field: str
    place: int


ACTOR = Side("action", 0)
OPPOSITION = Side("action.opposition", 1)


def needs_seed(request: Request) -> bool:
    """Return whether narrator must throw any dice for a request."""
    action, against = request.action, request.action.opposition
    return action.outcome is None and any(
        (isinstance(side, Rolled) and side.roll is None)
        or any(each.use == "reroll" and each.dice is None for each in side.invocations)
        for side in (action, against)
    )


@dataclass(frozen=True)
class Rolling:
    """What both sides' rolls need: seed, cast, rules for helping, and means to pay."""

    seed: int | None
    cast: Cast
    teamwork: Teamwork
    skills: tuple[str, ...]
    purse: Purse


def roll(
    rolled: Rolled, side: Side, by: str, rolling: Rolling, *, defends: bool, turned: int
) -> tuple[RollResult, tuple[str, ...]]:
    """Return one side's total and any notices.

    Raise `bad_dice` if both faces and seed are missing, or if weight turns dice but the request gives only their sum.

    Args:
        by: Who rolls. Also the invoker, if an invocation names none.
        defends: Whether this is a defend, to which full defence is added.
        turned: How many dice weight turns, after all rerolls.
    """
    if rolled.roll is not None and rolled.roll.total is not None:
        invoked = invoke(rolled.invocations, side, by, rolling.purse)
        total = rolled.roll.total + invoked
        return RollResult(bonus=0, invoked=invoked, total=total, ladder=ladder.name(total)), ()
    told, first = (rolled.roll.sum, rolled.roll.dice) if rolled.roll else (None, None)
    if told is None:
        first = _faces(first, side.place, f"{side.field}.roll", rolling.seed)
    elif turned and not any(each.use == "reroll" for each in rolled.invocations):
        message = "weight turns dice here: give the four faces instead"
        raise RequestError("bad_dice", f"{side.field}.roll.sum", message)
    invoked = invoke(rolled.invocations, side, by, rolling.purse, rolls=True)
    dice = first
    for number, invocation in enumerate(rolled.invocations):
        if invocation.use == "reroll":
            field = f"{side.field}.invocations.{number}.dice"
            # The two sides take turns in a seed's throws: first both rolls, then each reroll.
            dice = _faces(invocation.dice, side.place + 2 * (number + 1), field, rolling.seed)
    dice = turn_up(dice, turned) if dice is not None else None
    notices = tuple(
        notice
        for field, name in (("skill", rolled.skill), ("attribute", rolled.attribute))
        for notice in look_up(name, f"{side.field}.{field}", rolling.cast, rolling.skills)
    )
    skill, help_, idle = _teamwork(rolled, by, rolling)
    notices += idle
    if rolled.full_defense and not defends:
        notices += (f"Full defence of {by} adds nothing, because this roll is not a defend.",)
    bonus = rolled.bonus + help_ + (FULL_DEFENSE_BONUS if rolled.full_defense and defends else 0)
    total = (sum(dice) if dice is not None else told or 0) + skill + bonus + invoked
    result = RollResult(
        dice=dice,
        rolled=first,
        sum=told if dice is None else None,
        weight=turned or None,
        skill=skill,
        bonus=bonus,
        invoked=invoked,
        total=total,
        ladder=ladder.name(total),
    )
    return result, notices


def invoke(invocations: tuple[Invocation, ...], side: Side, by: str, purse: Purse, *, rolls: bool = False) -> int:
    """Pay for a side's invocations in order. Return the sum of the bonuses. Refuse rerolls unless the side `rolls`."""
    for number, invocation in enumerate(invocations):
        field = f"{side.field}.invocations.{number}"
        if invocation.use == "reroll" and not rolls:
            message = "there are no dice to reroll here: use it as a bonus"
            raise RequestError("bad_invocation", f"{field}.use", message, ["bonus"])
        purse.pay(invocation, invocation.by or by, side.field, field)
    return BONUS * sum(invocation.use == "bonus" for invocation in invocations)


def _faces(told: Faces | None, place: int, field: str, seed: int | None) -> Faces:
    if told is not None:
        return told
    if seed is None:
        raise RequestError("bad_dice", field, "this is required: give the faces here, or a seed in the request")
    return throw_number(place, seed)


def _teamwork(rolled: Rolled, by: str, rolling: Rolling) -> tuple[int, int, tuple[str, ...]]:
    """Return the leader's rating, what the others add, and notices (Fate Core SRD, "Teamwork")."""

    def skill(name: str) -> int:
        return rating(rolling.cast[name], rolled.skill)

    def whole(name: str) -> int:
        return skill(name) + rating(rolling.cast[name], rolled.attribute)

    team = tuple(dict.fromkeys((by, *rolled.helpers)))
    leader = max(team, key=whole)
    others = [name for name in team if name != leader]
    least = rolling.teamwork.least
    able = [name for name in others if least is None or skill(name) >= least]
    idle = tuple(
        f"{name} adds nothing: {quoted(rolled.skill or 'the skill')} is below {ladder.name(least or 0)}."
        for name in others
        if name not in able
    )
    helped = len(able)
    if rolling.teamwork.most == "leader" and helped > (most := max(0, skill(leader))):
        helped = most
        idle += (
            f"The helpers add at most {most}, the rating of the leader, {leader}, in {quoted(rolled.skill or '')}.",
        )
    led = (f"{leader} leads the team of {by} with the highest rating.",) if leader != by else ()
    return whole(leader), helped, (*led, *idle)
