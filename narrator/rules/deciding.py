"""What decides an action: both sides' totals, or the outcome that the table tells."""

from dataclasses import dataclass

from narrator.errors import NarratorError, quoted
from narrator.rules.action import Active, Request
from narrator.rules.conflict.weight import Balance
from narrator.rules.near import meant
from narrator.rules.opposition import invoker_of, oppose, rolling_opponent
from narrator.rules.resolution import OppositionResult, RollResult
from narrator.rules.rolling import ACTOR, OPPOSITION, Rolling, invoke, roll
from narrator.rules.row import FAIL, RowSpec
from narrator.rules.ruleset import Ruleset


@dataclass(frozen=True)
class Decision:
    """The outcome and what it comes from; `shifts` are the actor's total minus the opposition's, None where not
    told.
    """

    outcome: str
    shifts: int | None
    roll: RollResult | None
    opposition: OppositionResult
    notices: tuple[str, ...] = ()


def decide(
    request: Request, ruleset: Ruleset, rolling: Rolling, *, defender: str | None, defends: bool, balance: Balance
) -> Decision:
    """Find the outcome of an action, and pay for all invocations.

    Args:
        defender: Who defends, or None.
        defends: Whether the action itself is a defend.
        balance: How many dice weight turns on either side.

    Raises:
        NarratorError: `bad_request` for an outcome that the ruleset does not have or that does not go with what
            stands beside it, and what rolling and invoking raise.
    """
    action = request.action
    if action.outcome is not None:
        return _told(request, ruleset, rolling, defender, action.outcome)
    if action.shifts is not None:
        message = "shifts are told with an outcome; what was rolled stands in roll"
        raise NarratorError("bad_request", "action.shifts", message)
    rolled, notices = roll(action, ACTOR, action.actor, rolling, defends=defends, turned=balance.our_dice)
    opposition, more_notices = oppose(request, defender, rolling, balance.their_dice)
    assert opposition.total is not None, "what is rolled against has a total"
    shifts = rolled.total - opposition.total
    return Decision(ruleset.outcome(shifts), shifts, rolled, opposition, (*notices, *more_notices))


def check_hit(row: RowSpec, request: Request) -> None:
    """Refuse an outcome without shifts where somebody is hit by so many.

    Raises:
        NarratorError: `bad_request`.
    """
    hits = any(grant.type == "hit" for branch in row.branches for grant in branch.grants)
    if hits and request.action.outcome is not None and request.action.shifts is None:
        message = "this is required here: the hit is of as many shifts"
        raise NarratorError("bad_request", "action.shifts", message)


def _told(request: Request, ruleset: Ruleset, rolling: Rolling, defender: str | None, outcome: str) -> Decision:
    """Take the outcome as it was told. Invocations are paid, and add nothing: they are in it already."""
    action, against = request.action, request.action.opposition
    known = (FAIL, *ruleset.outcomes)
    if outcome not in known:
        message = f"{quoted(outcome)} is no outcome here{meant(outcome, known)}"
        raise NarratorError("bad_request", "action.outcome", message, known)
    if action.roll is not None:
        raise NarratorError("bad_request", "action.outcome", "give the roll or its outcome, not both")
    right = outcome if action.shifts is None else ruleset.outcome(action.shifts)
    if right != outcome and (outcome != "succeed" or (action.shifts or 0) < ruleset.least(outcome)):
        message = f"{action.shifts} shifts are not {outcome} but {right}; a failure by two is -2"
        raise NarratorError("bad_request", "action.shifts", message)
    taken = f"A success by {action.shifts} is taken as {right.replace('_', ' ')}."
    invoke(action.invocations, ACTOR, action.actor, rolling.purse, rolls=True)
    invoker, rolls = invoker_of(request, defender), isinstance(against, Active)
    invoke(against.invocations, OPPOSITION, invoker, rolling.purse, rolls=rolls)
    opposition = OppositionResult(kind=against.kind or "passive", by=rolling_opponent(request))
    return Decision(right, action.shifts, None, opposition, (taken,) if right != outcome else ())
