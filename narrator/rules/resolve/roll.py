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
"""What forgoing one's action adds to each defend ("Defend in Challenges, Contests, and Conflicts")."""


@dataclass(frozen=True)
class Side:
    """One of the two sides of a roll: where it stands in the request, and its place among a seed's throws."""

    field: str
    place: int


ACTOR = Side("action", 0)
OPPOSITION = Side("action.opposition", 1)


def needs_seed(request: Request) -> bool:
    """Say whether any throw of a request was left to us."""
    action, against = request.action, request.action.opposition
    return action.outcome is None and any(
        (isinstance(side, Rolled) and side.roll is None)
        or any(each.use == "reroll" and each.dice is None for each in side.invocations)
        for side in (action, against)
    )


@dataclass(frozen=True)
class Rolling:
    """What both sides' rolls are made with: the seed, who there is, how they help, and what they can pay with."""

    seed: int | None
    cast: Cast
    teamwork: Teamwork
    skills: tuple[str, ...]
    purse: Purse


def roll(
    rolled: Rolled, side: Side, by: str, rolling: Rolling, *, defends: bool, turned: int
) -> tuple[RollResult, tuple[str, ...]]:
    """Make one side's total, and what there is to say of it, or raise `bad_dice` where faces and seed are missing, or
    weight would turn dice of which only the sum is told.

    Args:
        by: Who rolls, and invokes where an invocation names nobody.
        defends: Whether this is a defend, so that full defence adds to it.
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
        message = "weight turns dice here: the four faces are wanted"
        raise RequestError("bad_dice", f"{side.field}.roll.sum", message)
    invoked = invoke(rolled.invocations, side, by, rolling.purse, rolls=True)
    dice = first
    for number, invocation in enumerate(rolled.invocations):
        if invocation.use == "reroll":
            field = f"{side.field}.invocations.{number}.dice"
            # The sides take turns in the throws of a seed: first both rolls, then each invocation's.
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
        notices += (f"Full defence of {by} adds nothing: this roll is no defend.",)
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
    """Pay for a side's invocations in order, and return what those used as a bonus add; a reroll wants dice."""
    for number, invocation in enumerate(invocations):
        field = f"{side.field}.invocations.{number}"
        if invocation.use == "reroll" and not rolls:
            message = "there are no dice here to roll again; use it as a bonus"
            raise RequestError("bad_invocation", f"{field}.use", message, ["bonus"])
        purse.pay(invocation, invocation.by or by, side.field, field)
    return BONUS * sum(invocation.use == "bonus" for invocation in invocations)


def _faces(told: Faces | None, place: int, field: str, seed: int | None) -> Faces:
    if told is not None:
        return told
    if seed is None:
        raise RequestError("bad_dice", field, "the faces rolled are wanted here, or the request's seed")
    return throw_number(place, seed)


def _teamwork(rolled: Rolled, by: str, rolling: Rolling) -> tuple[int, int, tuple[str, ...]]:
    """The leader's rating, what the others add, and who adds nothing (Fate Core SRD, "Teamwork")."""

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
        idle += (f"All who help add {most} at most: {leader} leads, and has no more of {quoted(rolled.skill or '')}.",)
    led = (f"{leader} leads the team of {by}: theirs is the highest rating.",) if leader != by else ()
    return whole(leader), helped, (*led, *idle)
