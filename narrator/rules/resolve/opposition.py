"""Opposition: what may oppose an action, who defends, and the total to beat ("Opposition")."""

from collections import Counter
from collections.abc import Sequence

from narrator.errors import RequestError, quoted
from narrator.rules.request.action import (
    Active,
    Aspects,
    Movement,
    Opposition,
    Passive,
    Request,
    Roar,
    UnseenZone,
    Untold,
)
from narrator.rules.request.scene import GM
from narrator.rules.resolve import ladder
from narrator.rules.resolve.cast import Cast
from narrator.rules.resolve.invocations import Purse
from narrator.rules.resolve.resolution import OppositionResult
from narrator.rules.resolve.roll import ACTOR, OPPOSITION, Rolling, invoke, roll
from narrator.rules.ruleset.declarations import ActionSpec, OpposedBy
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.typo import meant

PER_ZONE = 2
"""What each zone beyond the first adds."""

PER_ASPECT = 2
"""What each hindering aspect adds (also in Actions, with difficulty from aspects, "Opposition")."""


def opposed_by(request: Request, ruleset: Ruleset) -> tuple[OpposedBy, ...]:
    """List what may oppose a request's action. Raise `bad_request` if it lacks a target that it always needs."""
    action, spec = request.action, ruleset.action(request.action.type)
    variant = ruleset.variant(action.type, action.variant)
    maneuver = ruleset.maneuver(action.type, variant, action.maneuver)
    if spec.is_attack and action.target is None and said_to_oppose(request) is None:
        raise RequestError("bad_request", "action.target", f"{action.type} always needs a target: name one")
    if maneuver is not None and maneuver.opposition is not None:
        return maneuver.opposition
    if (own := spec.variant(variant).opposition) is not None:
        return own
    return (_is_on_somebody(request, spec) and spec.opposition_on_target) or spec.opposition or ()


def check_kind(request: Request, spec: ActionSpec, allowed: tuple[OpposedBy, ...]) -> None:
    """Refuse opposition that the action does not allow, and a request that gives none."""
    against = request.action.opposition
    if isinstance(against, Untold):
        message = f"this is required: give the kind of opposition, one of {', '.join(allowed)}"
        if against == Untold():
            raise RequestError("bad_request", "action.opposition", message)
        raise RequestError("bad_request", "action.opposition.kind", message, allowed)
    if request.action.outcome is not None and isinstance(against, Passive) and against.rating is None:
        # With a given outcome, opposition without a rating is enough.
        return
    if against.kind not in allowed:
        where = " on a character" if _is_on_somebody(request, spec) and spec.opposition_on_target else ""
        message = f"{request.action.type}{where} can't be opposed by {against.kind}"
        raise RequestError("bad_opposition", "action.opposition.kind", message, allowed)


def completed(request: Request, ruleset: Ruleset) -> Request:
    """Fill in the opposition of a request with an outcome: a defend if possible, or else active or passive."""
    allowed = opposed_by(request, ruleset)
    action, against = request.action, request.action.opposition
    if not isinstance(against, Untold) or action.outcome is None:
        return request
    somebody = against.by or action.target
    told: Opposition = Passive(kind="passive", invocations=against.invocations)
    if somebody is not None and "defend" in allowed:
        told = Active(kind="defend", by=against.by, invocations=against.invocations)
    elif against.by is not None and "active" in allowed:
        told = Active(kind="active", by=against.by, invocations=against.invocations)
    return request.model_copy(update={"action": action.model_copy(update={"opposition": told})})


def check_present(request: Request, spec: ActionSpec, cast: Cast) -> None:
    """Refuse anyone who acts, rolls, helps or is attacked while out (Fate Core SRD, "Getting Taken Out")."""
    action, against = request.action, request.action.opposition
    who = [("action.actor", action.actor), *((f"action.helpers.{i}", name) for i, name in enumerate(action.helpers))]
    if isinstance(against, Active):
        place = "action.opposition.by" if against.by is not None else "action.target"
        who += [(place, rolling_opponent(request) or GM)]
        who += [(f"action.opposition.helpers.{i}", name) for i, name in enumerate(against.helpers)]
    elif spec.is_attack:
        who += [("action.target", action.target or GM)]
    for field, name in who:
        if cast[name].is_out:
            state = "conceded" if cast[name].conceded else "is taken out"
            raise RequestError("bad_request", field, f"{name} {state}", [each.name for each in cast.present])


def _is_on_somebody(request: Request, spec: ActionSpec) -> bool:
    return request.action.target is not None or spec.is_attack


def defender_of(request: Request, spec: ActionSpec) -> str | None:
    """Return who defends, if anyone: whoever rolls a defend, or the target if the action is always defended."""
    action, against = request.action, request.action.opposition
    by = against.by if isinstance(against, Active) else None
    if against.kind == "defend" or (spec.opposition_on_target is not None and action.target is not None):
        return by or action.target
    return None


def attacked_one(request: Request, spec: ActionSpec) -> str | None:
    """Return who is attacked, if anyone: the defender of an attack, or the actor of a defence."""
    if spec.is_defense:
        return request.action.actor
    return defender_of(request, spec) if spec.is_attack else None


def rolling_opponent(request: Request) -> str | None:
    """Return who rolls against the actor, or None."""
    against = request.action.opposition
    return (against.by or request.action.target) if isinstance(against, Active) else None


def said_to_oppose(request: Request) -> str | None:
    """Return the opposition's `by`: who rolls against the actor or is in the way. None if it names nobody."""
    opposition = request.action.opposition
    return opposition.by if isinstance(opposition, Active | Untold) else None


def recipient(request: Request, names: Sequence[str]) -> str | None:
    """Choose who gets the words: the actor, or else the opponent, the target or the first name, if any."""
    action = request.action
    meant = (action.actor, said_to_oppose(request), action.target, *names[:1])
    return next((name for name in meant if name in names), None)


def invoker_of(request: Request, defender: str | None) -> str:
    """Return the default invoker of the opposition: who rolls or defends, or else the GM."""
    return rolling_opponent(request) or defender or GM


def opposing_side(request: Request, cast: Cast, defender: str | None) -> tuple[str, ...]:
    """Return the opposition side: everyone who is not on the actor's side. If an ally rolls or defends against the
    actor, it is that ally alone, so that bystanders gain nothing ("someone else gets the free invoke ... your opponent
    in a conflict", Fate Core with Discover, "Create an Advantage").
    """
    actor = cast[request.action.actor]
    foe = rolling_opponent(request) or defender
    if foe not in (None, actor.name) and cast[foe].side == actor.side:
        return (foe,)
    return cast.opposition(actor.name)


def spend(request: Request, ruleset: Ruleset, cast: Cast) -> Purse:
    """Pay for all invocations of a request. Return what is left."""
    action, spec = request.action, ruleset.actions[request.action.type]
    purse = Purse.of(request.scene, cast, attacked=attacked_one(request, spec))
    invoke(action.invocations, ACTOR, action.actor, purse, rolls=True)
    by = invoker_of(request, defender_of(request, spec))
    invoke(action.opposition.invocations, OPPOSITION, by, purse, rolls=True)
    return purse


def oppose(
    request: Request, defender: str | None, rolling: Rolling, turned: int
) -> tuple[OppositionResult, tuple[str, ...]]:
    """Return the total to beat and any notices."""
    against = request.action.opposition
    if isinstance(against, Active):
        by = invoker_of(request, defender)
        defends = against.kind == "defend"
        rolled, told = roll(against, OPPOSITION, by, rolling, defends=defends, turned=turned)
        return OppositionResult(kind=against.kind, by=rolling_opponent(request), **dict(rolled)), told
    notices: tuple[str, ...] = ()
    rating = 0
    match against:
        case Passive() | Roar():
            if against.rating is None:
                message = "this is required: give a rating on the ladder, such as 2 for Fair"
                raise RequestError("bad_request", "action.opposition.rating", message)
            rating = against.rating
        case Aspects():
            rating = PER_ASPECT * _hindering(against.hindering, rolling.purse)
            if not rating:
                notices = ("No aspect hinders this, so it may not be worth a roll.",)
        case Movement():
            rating = _movement_rating(request, against)
            if not rating:
                notices = (
                    "Nothing is in the way: this is a free move and needs no roll (Movement on the Battlefield).",
                )
        case UnseenZone():
            # From what hides it and how many zones away it is ("Zone Aspects").
            hindering = _hindering(against.hindering, rolling.purse)
            rating = against.base + PER_ASPECT * hindering + PER_ZONE * (against.distance - 1)
    invoked = invoke(against.invocations, OPPOSITION, invoker_of(request, defender), rolling.purse)
    total = rating + invoked
    kind = against.kind or "passive"
    return OppositionResult(kind=kind, bonus=0, invoked=invoked, total=total, ladder=ladder.name(total)), notices


def _hindering(names: tuple[str, ...], purse: Purse) -> int:
    """Count the hindering aspects, each once."""
    known = sorted({name for name, _ in purse.aspects})
    for place, name in enumerate(names):
        if name not in known:
            field = f"action.opposition.hindering.{place}"
            raise RequestError("unknown_aspect", field, f"{quoted(name)} is not in play{meant(name, known)}", known)
    return len(set(names))


def path_of(request: Request) -> tuple[str, ...]:
    """Return the path of a movement, which has at least two zones."""
    path = request.action.path or ()
    if len(path) < 2:
        message = "a movement needs at least two zones: the first, those on the way, the last"
        raise RequestError("bad_request", "action.path", message)
    known = [zone.name for zone in request.scene.zones]
    for place, name in enumerate(path):
        if known and name not in known:
            raise RequestError("unknown_zone", f"action.path.{place}", "the scene has no such zone", known)
    return path


def _movement_rating(request: Request, against: Movement) -> int:
    """Rate a path: 2 for each zone beyond the first and each hindering aspect ("Movement on the Battlefield")."""
    path, scene = path_of(request), request.scene
    on_the_way = {(zone.name, aspect) for zone in scene.zones if zone.name in path for aspect in zone.aspects}
    on_the_way |= {(aspect.on, aspect.name) for aspect in scene.aspects if aspect.on in path}
    left = Counter(name for _, name in on_the_way)  # each as often as a zone has it
    for place, name in enumerate(against.hindering):
        left[name] -= 1
        if scene.zones and left[name] < 0:
            field = f"action.opposition.hindering.{place}"
            message = f"no zone on the path has the aspect {quoted(name)}, or not as often as you list it"
            raise RequestError("unknown_aspect", field, message, sorted(each for each in left if left[each] > 0))
    return PER_ZONE * (len(path) - 2) + PER_ASPECT * len(against.hindering)
