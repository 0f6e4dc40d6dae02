"""Opposition: what may oppose an action, who defends, and the total to beat ("Opposition")."""

from narrator.errors import NarratorError, quoted
from narrator.rules import ladder
from narrator.rules.action import Active, Aspects, Movement, Passive, Request, Roar, UnseenZone
from narrator.rules.cast import Cast
from narrator.rules.conflict.zones import movement_rating, unseen_zone_rating
from narrator.rules.declared import ActionSpec, ManeuverSpec
from narrator.rules.invoking import Purse
from narrator.rules.resolution import OppositionResult
from narrator.rules.rolling import ACTOR, OPPOSITION, Rolling, invoke, roll
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import GM

PER_ASPECT = 2
"""What each aspect that hinders adds (Actions, with difficulty from aspects, "Opposition")."""


def check_kind(
    request: Request, spec: ActionSpec, variant: str | None = None, maneuver: ManeuverSpec | None = None
) -> None:
    """
    Refuse opposition that the action does not know.

    Raises:
        NarratorError: `bad_opposition`; `bad_request` where the action is always on somebody and nobody is named.
    """
    action, against = request.action, request.action.opposition
    by = against.by if isinstance(against, Active) else None
    if spec.is_attack and action.target is None and by is None:
        message = f"{action.type} is always on somebody: name the target"
        raise NarratorError("bad_request", "action.target", message)
    on_target = action.target is not None or spec.is_attack
    allowed = (on_target and spec.opposition_on_target) or spec.opposition or ()
    if variant in spec.opposition_of:
        allowed = spec.opposition_of[variant]
    if maneuver is not None and maneuver.opposition is not None:
        allowed = maneuver.opposition
    if against.kind not in allowed:
        where = " on a character" if on_target and spec.opposition_on_target else ""
        message = f"{action.type}{where} is not opposed by {against.kind}"
        raise NarratorError("bad_opposition", "action.opposition.kind", message, allowed)


def defender_of(request: Request, spec: ActionSpec) -> str | None:
    """
    Name who defends: by rolling a defend, or, passive or not, as the target of what is always defended.
    """
    action, against = request.action, request.action.opposition
    by = against.by if isinstance(against, Active) else None
    if against.kind == "defend" or (spec.opposition_on_target is not None and action.target is not None):
        return by or action.target
    return None


def attacked_one(request: Request, spec: ActionSpec) -> str | None:
    """
    Name whoever is attacked: the defender of an attack, or the actor of a defence.
    """
    if spec.is_defense:
        return request.action.actor
    return defender_of(request, spec) if spec.is_attack else None


def rolling_opponent(request: Request) -> str | None:
    """
    Name who rolls against the actor, or None.
    """
    against = request.action.opposition
    return (against.by or request.action.target) if isinstance(against, Active) else None


def invoker_of(request: Request, defender: str | None) -> str:
    """
    Name whose invocations are those of the opposition that name nobody: who rolls or defends, else the GM.
    """
    return rolling_opponent(request) or defender or GM


def opponents_of(request: Request, cast: Cast) -> tuple[str, ...]:
    """
    Name the opponent: who rolls against the actor, else everyone on another side.
    """
    rolling = rolling_opponent(request)
    return (rolling,) if rolling is not None else cast.opposition(request.action.actor)


def spend(request: Request, ruleset: Ruleset, cast: Cast) -> Purse:
    """
    Pay for all invocations of a request, and return what is left.

    Raises:
        NarratorError: As paying does.
    """
    action, spec = request.action, ruleset.actions[request.action.type]
    purse = Purse.of(request.scene, cast, attacked=attacked_one(request, spec))
    invoke(action.invocations, ACTOR, action.actor, purse, rolls=True)
    by = invoker_of(request, defender_of(request, spec))
    invoke(action.opposition.invocations, OPPOSITION, by, purse, rolls=True)
    return purse


def oppose(
    request: Request, defender: str | None, rolling: Rolling, turned: int
) -> tuple[OppositionResult, tuple[str, ...]]:
    """
    Find the total to beat, and what there is to say of it.
    """
    against = request.action.opposition
    if isinstance(against, Active):
        by = invoker_of(request, defender)
        defends = against.kind == "defend"
        rolled, told = roll(against, OPPOSITION, by, rolling, defends=defends, turned=turned)
        return OppositionResult(kind=against.kind, by=rolling_opponent(request), **dict(rolled)), told
    notices: tuple[str, ...] = ()
    match against:
        case Passive() | Roar():
            rating = against.rating
        case Aspects():
            rating = PER_ASPECT * _hindering(against.hindering, rolling.purse)
            if not rating:
                notices = ("No aspect hinders this: it may not be worth a roll.",)
        case Movement():
            rating = movement_rating(request, against)
        case UnseenZone():
            _hindering(against.hindering, rolling.purse)
            rating = unseen_zone_rating(against)
    invoked = invoke(against.invocations, OPPOSITION, invoker_of(request, defender), rolling.purse)
    total = rating + invoked
    return OppositionResult(kind=against.kind, invoked=invoked, total=total, ladder=ladder.name(total)), notices


def _hindering(names: tuple[str, ...], purse: Purse) -> int:
    """
    Count the aspects that hinder, each once.
    """
    known = sorted({name for name, _ in purse.aspects})
    for place, name in enumerate(names):
        if name not in known:
            field = f"action.opposition.hindering.{place}"
            raise NarratorError("unknown_aspect", field, f"{quoted(name)} is not in play", known)
    return len(set(names))
