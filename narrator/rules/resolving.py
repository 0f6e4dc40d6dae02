"""Resolves a request: from a roll to its outcome and the row of the table ("The Four Outcomes", "The Five Actions")."""

from narrator.errors import NarratorError
from narrator.rules.action import Request
from narrator.rules.branches import Situation, fill
from narrator.rules.cast import cast_of
from narrator.rules.conflict.weight import is_swarm_outweighing, weigh
from narrator.rules.conflict.zones import path_of
from narrator.rules.invoking import Purse
from narrator.rules.opposition import attacked_one, check_kind, defender_of, opponents_of, oppose, rolling_opponent
from narrator.rules.resolution import ActionTaken, Resolution, Source
from narrator.rules.rolling import ACTOR, Rolling, roll
from narrator.rules.ruleset import Ruleset


def resolve(request: Request, ruleset: Ruleset) -> Resolution:
    """
    Find the outcome of an action and the row of its table. Pure: the same request gives the same resolution.

    Shifts are the actor's total minus the opposition's, in ladder steps.

    Args:
        request: With every roll told, or with the seed to roll from.

        ruleset: The tables to look in.

    Raises:
        NarratorError: With the field that is wrong, and what would have been right.
    """
    action = request.action
    spec = ruleset.action(action.type)
    variant = ruleset.variant(action.type, action.variant)
    maneuver = ruleset.maneuver(action.type, variant, action.maneuver)
    _check_frame(request, ruleset)
    cast = cast_of(request, ruleset.sheet)
    purse = Purse.of(request.scene, cast, attacked=attacked_one(request, spec))
    if variant == "existing_aspect":
        _check_aspect(request, purse)
    if variant == "movement":
        path_of(request)
    check_kind(request, spec, variant, maneuver)
    defender = defender_of(request, spec)
    opponents = opponents_of(request, cast)
    balance = weigh(request, ruleset, cast, defender or rolling_opponent(request))
    rolling = Rolling(request.seed, cast, ruleset.teamwork, purse)
    rolled, notices = roll(action, ACTOR, action.actor, rolling, defends=spec.is_defense, turned=balance.our_dice)
    opposition, more_notices = oppose(request, defender, rolling, balance.their_dice)
    shifts = rolled.total - opposition.total
    outcome = ruleset.outcome(shifts)
    row = ruleset.row(action.type, variant, outcome, action.maneuver)
    situation = Situation(
        request=request,
        ruleset=ruleset,
        cast=cast,
        opponents=opponents,
        defender=defender,
        balance=balance,
        shifts=shifts,
        outcome=outcome,
    )
    _check_swarm(situation, variant)
    branches, still_more_notices = fill(row, situation)
    if request.branch is not None and request.branch not in [branch.id for branch in branches]:
        known = [branch.id for branch in branches]
        raise NarratorError("unknown_branch", "branch", f"{outcome} on {action.type} has no such branch", known)
    return Resolution(
        ruleset=ruleset.name,
        source=Source(document=row.document, section=row.section),
        action=ActionTaken(
            type=action.type,
            variant=variant,
            actor=action.actor,
            skill=action.skill,
            attribute=action.attribute,
            target=action.target,
            aspect=action.aspect,
            maneuver=action.maneuver,
            path=action.path,
        ),
        seed=request.seed,
        roll=rolled,
        opposition=opposition,
        shifts=shifts,
        outcome=outcome,
        branches=branches,
        notices=(*notices, *more_notices, *still_more_notices),
    )


def _check_swarm(situation: Situation, variant: str | None) -> None:
    """
    Nobody blocks a swarm that outweighs them ("Swarms").
    """
    against = situation.request.action.opposition.kind
    actor_is_one = is_swarm_outweighing(situation.actor, situation.balance.ours, situation.balance.theirs)
    if variant == "movement" and against == "active" and actor_is_one:
        message = "nobody can block a swarm that outweighs them"
        raise NarratorError("bad_opposition", "action.opposition.kind", message, ["movement"])


def _check_frame(request: Request, ruleset: Ruleset) -> None:
    frame = request.scene.frame
    if frame and frame in ruleset.frames and request.action.type in ruleset.frames[frame].refuses:
        allowed = sorted(ruleset.actions.keys() - set(ruleset.frames[frame].refuses))
        raise NarratorError("not_in_frame", "action.type", f"{request.action.type} has no place in a {frame}", allowed)


def _check_aspect(request: Request, purse: Purse) -> None:
    known = sorted({name for name, _ in purse.aspects})
    if request.action.aspect not in known:
        wanted = "name the aspect that is used, one in play"
        raise NarratorError("unknown_aspect", "action.aspect", wanted, known)
