"""Fills a table row: its branches, grants and slots for this scene and its people."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf

from narrator.errors import quoted
from narrator.rules.request.action import Active
from narrator.rules.resolve.harm import (
    lowest_free_consequence,
    tracks_with_a_free_box,
    ways_to_absorb,
    with_words_for_harm,
)
from narrator.rules.resolve.opposition import opposing_side, rolling_opponent
from narrator.rules.resolve.resolution import Branch, FormOffer, Grant, Slot
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.resolve.weight import Balance, is_swarm_outweighing
from narrator.rules.ruleset.declarations import Rider
from narrator.rules.ruleset.row import FAIL, BranchSpec, FormUse, GrantSpec, Harm, RowSpec, SlotSpec, Who


@dataclass(frozen=True, eq=False)
class Encounter(Ruling):
    """A ruling before its row is filled, with the defender and both sides' weight."""

    defender: str | None
    balance: Balance

    @cached_property
    def opposition(self) -> tuple[str, ...]:
        """The opposition side."""
        return opposing_side(self.request, self.cast, self.defender)

    def who(self, who: Who) -> tuple[str, ...]:
        """Return the names for a role, sorted. The opponent is who rolls against the actor, or else the other side."""
        action, roller = self.request.action, rolling_opponent(self.request)
        opponents = (roller,) if roller is not None else self.opposition
        match who:
            case "actor":
                return (action.actor,)
            case "actor_or_ally":
                return tuple(sorted((action.actor, *self.cast.allies(action.actor))))
            case "opposition":
                return self.opposition
            case "opponent":
                return opponents
            case "defender":
                return (self.defender,) if self.defender else opponents
            case "target":
                return (action.target,) if action.target else opponents

    @property
    def meets_swarm(self) -> bool:
        """Whether the defender is a swarm that outweighs its foes ("Swarms")."""
        return is_swarm_outweighing(self.cast[self.who("defender")[0]], self.balance.theirs, self.balance.ours)


def fill_row(row: RowSpec, encounter: Encounter) -> tuple[tuple[Branch, ...], tuple[str, ...]]:
    """Return the branches of a row, as changed by the riders that apply, and the notices."""
    fitting = tuple(rider for rider in encounter.ruleset.riders if _fits(rider, encounter))
    shifts = inf if encounter.resolution.shifts is None else encounter.resolution.shifts
    riders = tuple(rider for rider in fitting if rider.shifts_to is None or shifts <= rider.shifts_to)
    dropped = {name for rider in riders for name in rider.drops_branches}
    specs = (spec for spec in row.branches if spec.id not in dropped and _is_there(spec, encounter))
    branches = tuple(_branch(spec, riders, encounter) for spec in specs)
    notices = (*(rider.notice for rider in riders if rider.notice), *_left_open(row, fitting, encounter))
    return with_words_for_harm(branches, encounter.ruleset, encounter.actor.name), notices


def _is_there(spec: BranchSpec, encounter: Encounter) -> bool:
    if spec.frames is not None and encounter.request.scene.frame not in spec.frames:
        return False
    if spec.if_free is not None:
        return _can_take(spec.if_free, encounter)
    return spec.unless_free is None or not _can_take(spec.unless_free, encounter)


def _can_take(harm: Harm, encounter: Encounter) -> bool:
    if harm == "consequence":
        return lowest_free_consequence(encounter.actor, encounter.ruleset.sheet) is not None
    return bool(tracks_with_a_free_box(encounter.actor))


def _fits(rider: Rider, encounter: Encounter) -> bool:
    """Whether a rider applies, apart from its limit on shifts."""
    request = encounter.request
    return (
        (rider.actions is None or request.action.type in rider.actions)
        and (rider.maneuvers is None or request.action.maneuver in rider.maneuvers)
        and (rider.outcomes is None or encounter.resolution.outcome in rider.outcomes)
        and (rider.frames is None or request.scene.frame in rider.frames)
        and (rider.opposition is None or request.action.opposition.kind in rider.opposition)
        and (rider.defended is None or rider.defended == (encounter.defender is not None))
    )


def _left_open(row: RowSpec, riders: tuple[Rider, ...], encounter: Encounter) -> Iterator[str]:
    """Yield notices about rules that depend on shifts, if the request gives a failure without them."""
    if encounter.resolution.shifts is not None or encounter.resolution.outcome != FAIL:
        return
    for rider in riders:
        if rider.shifts_to is not None:
            yield f"Failed by {-rider.shifts_to} or more? Give the shifts: more rules apply then ({rider.section})."
    slots = (slot for branch in row.branches for slot in branch.slots)
    for use in (use for slot in slots for use in slot.forms):
        if use.failed_by is not None:
            label = encounter.ruleset.forms[use.form].label
            yield f"Failed by {use.failed_by} or more? Give the shifts: {quoted(label)} has a free invocation then."


def _branch(spec: BranchSpec, riders: tuple[Rider, ...], encounter: Encounter) -> Branch:
    grants = [*spec.grants, *(grant for rider in riders for grant in rider.grants)]
    dropped = {kind for rider in riders for kind in rider.drops_slots}
    kept = [slot for slot in spec.slots if slot.kind not in dropped]
    slots = [*kept, *(slot for rider in riders for slot in rider.slots)]
    revealed = [slot for slot in slots if slot.discovered and encounter.request.action.aspect is not None]
    fallen = [grant for grant in grants if _is_swarm_proof(grant, encounter)]
    return Branch(
        id=spec.id,
        label=spec.label if len(kept) == len(spec.slots) else spec.bare_label or spec.label,
        goal=spec.goal,
        grants=(
            *(_grant(grant, encounter) for grant in grants if grant not in fallen),
            *_roars_lost(encounter),
            *(grant for slot in revealed for grant in _invocations_on_it(slot, encounter)),
        ),
        falls_away=tuple(Grant(type=grant.type, to=encounter.who(grant.to)) for grant in fallen) or None,
        slots=tuple(_slot(slot, riders, encounter) for slot in slots if slot not in revealed),
    )


def _grant(spec: GrantSpec, encounter: Encounter) -> Grant:
    action = encounter.request.action
    to = encounter.who(spec.to)
    match spec.type:
        case "hit":
            return _hit(spec, to, encounter)
        case "roar":
            rules, skill = encounter.ruleset.roar, encounter.resolution.action.skill
            return Grant(type="roar", to=to, approaches=rules.held_to(skill) if rules and skill else None)
    path = action.path or ()
    amount = len(path) - 1 if spec.amount == "path" else spec.amount if isinstance(spec.amount, int) else None
    on = {"aspect": action.aspect, "path": path[-1] if path else None, None: None}[spec.on]
    return Grant(type=spec.type, to=to, amount=amount, on=on)


def _hit(spec: GrantSpec, to: tuple[str, ...], encounter: Encounter) -> Grant:
    """Return a hit and each way to absorb it. If the sheet is not known, return only the hit."""
    assert encounter.resolution.shifts is not None, "a hit without shifts was refused"
    hit = encounter.resolution.shifts - (1 if spec.amount == "shifts - 1" else 0)
    target = encounter.cast[to[0]]
    is_lethal = encounter.request.action.attack.lethal or encounter.actor.lethal_next_attack
    track = None if is_lethal else encounter.track
    is_told = target.importance != "unknown"
    absorb = ways_to_absorb(hit, target, track, encounter.ruleset.sheet) if is_told else None
    free = encounter.ruleset.inflicted_consequence_invocations
    # Nobody gets free invocations for their own consequence.
    gives = free > 0 and to != (encounter.actor.name,) and any(way.consequences for way in absorb or ())
    return Grant(
        type="hit",
        to=to,
        amount=hit,
        track=track,
        absorb=absorb,
        free_invocations=free if gives else None,
        holders=(encounter.actor.name,) if gives else None,
    )


def _is_swarm_proof(spec: GrantSpec, encounter: Encounter) -> bool:
    """Whether this has no effect on a swarm that outweighs its foes ("Swarms")."""
    hits = spec.type == "hit" and not encounter.request.action.attack.whole_zone
    moves = spec.type in ("move", "may_move") and spec.on is None
    return (hits or moves) and encounter.meets_swarm


def _roars_lost(encounter: Encounter) -> Iterator[Grant]:
    action, rules = encounter.request.action, encounter.ruleset.roar
    rollers = [(action.actor, action.skill)]
    if isinstance(action.opposition, Active) and (roller := rolling_opponent(encounter.request)) is not None:
        rollers.append((roller, action.opposition.skill))
    for name, skill in rollers:
        if rules is not None and rules.ends(encounter.cast[name], skill):
            yield Grant(type="loses_roar", to=(name,))


def _invocations_on_it(slot: SlotSpec, encounter: Encounter) -> Iterator[Grant]:
    """Yield the free invocations of a revealed aspect that already has its words."""
    for use in slot.forms:
        offer = _offer(use, encounter)
        if offer and offer.free_invocations:
            aspect = encounter.request.action.aspect
            yield Grant(type="free_invocations", to=offer.to or (), amount=offer.free_invocations, on=aspect)


def _slot(spec: SlotSpec, riders: tuple[Rider, ...], encounter: Encounter) -> Slot:
    dropped = {form for rider in riders for form in rider.drops_forms}
    uses = [use for use in spec.forms if use.form not in dropped]
    for first in (rider.first_form for rider in riders if rider.first_form):
        if first.kind == spec.kind:
            uses = [FormUse(form=first.form), *(use for use in uses if use.form != first.form)]
    offers = (_offer(use, encounter) for use in uses)
    return Slot(
        id=spec.name,
        kind=spec.kind,
        draft=encounter.request.action.aspect if spec.kind == "aspect" or spec.stands_in else None,
        forms=tuple(offer for offer in offers if offer is not None),
    )


def _offer(use: FormUse, encounter: Encounter) -> FormOffer | None:
    """Return what a form gives here, or None if it can't be offered."""
    form = encounter.ruleset.forms[use.form]
    if not all(getattr(encounter.request.action.attack, need) for need in form.needs):
        return None
    if form.does == "moves" and form.to == "defender" and encounter.meets_swarm:
        return None
    free = use.free_invocations if use.free_invocations is not None else form.free_invocations
    shifts = encounter.resolution.shifts
    if use.failed_by is not None and (shifts is None or shifts > -use.failed_by):
        free = 0
    who = use.to or form.to
    to = encounter.who(who) if who else None
    severity = amount = tracks = None
    if form.harm == "consequence":
        severity = lowest_free_consequence(encounter.actor, encounter.ruleset.sheet)
        if severity is None:
            return None
    elif form.harm == "stress":
        amount, tracks = 1, tracks_with_a_free_box(encounter.actor)
        if not tracks:
            return None
    elif free == 0:
        to = ()
    return FormOffer(
        form=use.form,
        label=form.label.replace("{actor}", encounter.actor.name),
        to=to,
        holders=encounter.who(use.holders) if use.holders else None,
        free_invocations=free,
        severity=severity,
        amount=amount,
        tracks=tracks,
        on=encounter.request.action.aspect if form.on == "aspect" else None,
        goal=form.goal,
        secret=form.secret or None,
    )
