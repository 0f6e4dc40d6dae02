"""Resolves a request: from a roll to its outcome and the row of the table ("The Four Outcomes", "The Five Actions")."""

from collections.abc import Iterator
from dataclasses import dataclass

from narrator.errors import RequestError, quoted
from narrator.rules.request.action import Active, Request
from narrator.rules.request.scene import CONTESTS
from narrator.rules.resolve.branches import Encounter, fill_row
from narrator.rules.resolve.cast import Cast, cast_of, spelt_skill
from narrator.rules.resolve.invocations import Purse
from narrator.rules.resolve.opposition import (
    attacked_one,
    check_kind,
    check_present,
    completed,
    defender_of,
    invoker_of,
    oppose,
    opposed_by,
    path_of,
    rolling_opponent,
)
from narrator.rules.resolve.resolution import ActionTaken, OppositionResult, Resolution, RollResult
from narrator.rules.resolve.roll import ACTOR, OPPOSITION, Rolling, invoke, roll
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.resolve.weight import Balance, is_swarm_outweighing, weigh
from narrator.rules.ruleset.declarations import ActionSpec
from narrator.rules.ruleset.row import FAIL, RowSpec
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.typo import meant


@dataclass(frozen=True)
class _Decision:
    """The outcome and its origin, as in the resolution. `shifts` is None if the request gave only an outcome."""

    outcome: str
    shifts: int | None
    roll: RollResult | None
    opposition: OppositionResult
    notices: tuple[str, ...] = ()


def rule(request: Request, ruleset: Ruleset) -> Ruling:
    """Find the outcome of an action and its row of the table. The same request always gives the same ruling.

    Shifts are the actor's total minus the opposition's. If the request gives the outcome, the only shifts are those
    that it gives. The request must contain either all rolls or a seed.
    """
    request = completed(request, ruleset)
    action = request.action
    spec = ruleset.action(action.type)
    variant = ruleset.variant(action.type, action.variant)
    _check_frame(request, ruleset)
    cast = cast_of(request, ruleset.sheet)
    purse = Purse.of(request.scene, cast, attacked=attacked_one(request, spec))
    needs = spec.variant(variant).needs
    if "aspect" in needs:
        _check_aspect(request, purse)
    if "path" in needs:
        path_of(request)
    check_kind(request, spec, opposed_by(request, ruleset))
    check_present(request, spec, cast)
    unmarked = _look_up_track(request, spec, ruleset, cast)
    defender = defender_of(request, spec)
    balance = weigh(request, ruleset, cast, defender or rolling_opponent(request))
    rolling = Rolling(request.seed, cast, ruleset.teamwork, ruleset.skills, purse)
    decision = _decide(request, ruleset, rolling, defender=defender, defends=spec.is_defense, balance=balance)
    row = ruleset.row(action.type, variant, decision.outcome, action.maneuver)
    _check_hit(row, request)
    actor = cast[action.actor]
    skill, attribute = (spelt_skill(each, actor, ruleset.skills) for each in (action.skill, action.attribute))
    done = {name: getattr(action, name) for name in ActionTaken.model_fields}
    resolution = Resolution(
        ruleset=ruleset.name,
        source=ruleset.source(row),
        action=ActionTaken(**{**done, "variant": variant, "skill": skill, "attribute": attribute}),
        seed=request.seed,
        branches=(),
        **vars(decision),
    )
    encounter = Encounter(request, ruleset, cast, resolution, defender, balance)
    if "path" in needs:
        _check_swarm(encounter)
    branches, notices = fill_row(row, encounter)
    known = [branch.id for branch in branches]
    if request.branch not in (None, *known):
        message = f"{resolution.outcome} on {action.type} has no such branch"
        raise RequestError("unknown_branch", "branch", message, known)
    told = (*decision.notices, *_reminders(encounter, purse), *unmarked, *notices)
    found = {"branches": branches, "notices": tuple(dict.fromkeys(told))}
    return Ruling(request, ruleset, cast, resolution.model_copy(update=found))


def _decide(
    request: Request, ruleset: Ruleset, rolling: Rolling, *, defender: str | None, defends: bool, balance: Balance
) -> _Decision:
    """Find the outcome of an action and pay for all invocations. The action itself may be a defend (`defends`)."""
    action = request.action
    if action.outcome is not None:
        return _told(request, ruleset, rolling, defender, action.outcome)
    if action.shifts is not None:
        message = "shifts need an outcome: give one, or give the total in roll"
        raise RequestError("bad_request", "action.shifts", message)
    rolled, notices = roll(action, ACTOR, action.actor, rolling, defends=defends, turned=balance.our_dice)
    opposition, more_notices = oppose(request, defender, rolling, balance.their_dice)
    assert opposition.total is not None, "opposition to a roll has a total"
    shifts = rolled.total - opposition.total
    return _Decision(ruleset.outcome(shifts), shifts, rolled, opposition, (*notices, *more_notices))


def _told(request: Request, ruleset: Ruleset, rolling: Rolling, defender: str | None, outcome: str) -> _Decision:
    """Use the outcome from the request. Invocations are paid for but add nothing, because it includes them."""
    action, against = request.action, request.action.opposition
    if action.roll is not None:
        raise RequestError("bad_request", "action.outcome", "give the roll or its outcome, not both")
    known = (FAIL, *ruleset.outcomes)
    if outcome not in known:
        message = f"{quoted(outcome)} is not an outcome here{meant(outcome, known)}"
        raise RequestError("bad_request", "action.outcome", message, known)
    right = outcome if action.shifts is None else ruleset.outcome(action.shifts)
    if right != outcome and (outcome != "succeed" or (action.shifts or 0) < ruleset.least(outcome)):
        message = f"{action.shifts} shifts mean {right}, not {outcome}; a failure by two is -2"
        raise RequestError("bad_request", "action.shifts", message)
    taken = f"A success by {action.shifts} counts as {right.replace('_', ' ')}."
    invoke(action.invocations, ACTOR, action.actor, rolling.purse, rolls=True)
    invoker, rolls = invoker_of(request, defender), isinstance(against, Active)
    invoke(against.invocations, OPPOSITION, invoker, rolling.purse, rolls=rolls)
    opposition = OppositionResult(kind=against.kind or "passive", by=rolling_opponent(request))
    return _Decision(right, action.shifts, None, opposition, (taken,) if right != outcome else ())


def _check_hit(row: RowSpec, request: Request) -> None:
    """Refuse an outcome without shifts if somebody is hit."""
    hits = any(grant.type == "hit" for branch in row.branches for grant in branch.grants)
    if hits and request.action.outcome is not None and request.action.shifts is None:
        raise RequestError("bad_request", "action.shifts", "this is required here: it is the size of the hit")


def _check_swarm(encounter: Encounter) -> None:
    """Refuse active opposition to a swarm that outweighs its opponents ("Swarms")."""
    against = encounter.request.action.opposition.kind
    if against == "active" and is_swarm_outweighing(encounter.actor, encounter.balance.ours, encounter.balance.theirs):
        message = "nobody can block a swarm that outweighs them"
        others = [kind for kind in opposed_by(encounter.request, encounter.ruleset) if kind != "active"]
        raise RequestError("bad_opposition", "action.opposition.kind", message, others)


def _reminders(ruling: Ruling, purse: Purse) -> Iterator[str]:
    """Yield reminders for the table, such as a forfeited roll or a path that begins elsewhere."""
    request, actor = ruling.request, ruling.actor
    if actor.forfeits_next_contest_roll and request.scene.frame in CONTESTS:
        yield f"{actor.name} forfeits this roll of the contest."
    conflict, is_defense = request.scene.conflict, ruling.ruleset.actions[request.action.type].is_defense
    if conflict is not None and conflict.turn not in (None, actor.name) and not is_defense:
        yield f"It is the turn of {conflict.turn}, not of {actor.name}."
    if rolling_opponent(request) == actor.name:
        yield f"{actor.name} rolls against {actor.name}. Did you mean somebody else?"
    path = request.action.path
    if path and actor.zone is not None and actor.zone != path[0]:
        yield f"{actor.name} is in {actor.zone}, but the path begins in {path[0]}."
    aspect = request.action.aspect
    using = [each.name for each in ruling.ruleset.actions[request.action.type].variants if "aspect" in each.needs]
    if request.action.variant is None and using and aspect in {name for name, _ in purse.aspects}:
        yield f"{quoted(aspect or '')} is in play already: the variant {using[0]} uses it."


def _look_up_track(request: Request, spec: ActionSpec, ruleset: Ruleset, cast: Cast) -> tuple[str, ...]:
    """Return a notice if nobody has an attack's track. Refuse a track that looks mistyped."""
    track = request.action.attack.track
    known = {*ruleset.sheet.stress, *(name for each in cast.characters.values() for name in each.stress or {})}
    if track is None or track in known:
        return ()
    if hint := meant(track, known):
        message = f"there is no stress track {quoted(track)} here{hint}"
        raise RequestError("bad_request", "action.attack.track", message, sorted(known))
    return (f"Nobody has a stress track {quoted(track)}, so stress can't absorb this.",) if spec.is_attack else ()


def _check_frame(request: Request, ruleset: Ruleset) -> None:
    frame = request.scene.frame
    if frame and frame in ruleset.frames and request.action.type in ruleset.frames[frame].refuses:
        allowed = sorted(ruleset.actions.keys() - set(ruleset.frames[frame].refuses))
        raise RequestError("not_in_frame", "action.type", f"{request.action.type} is not allowed in a {frame}", allowed)


def _check_aspect(request: Request, purse: Purse) -> None:
    known = sorted({name for name, _ in purse.aspects})
    if request.action.aspect not in known:
        wanted = f"name an aspect that is in play{meant(request.action.aspect or '', known)}"
        raise RequestError("unknown_aspect", "action.aspect", wanted, known)
