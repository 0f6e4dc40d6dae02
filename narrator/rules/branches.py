"""Fills a table row: its branches, grants and slots for this scene and these people."""

from collections.abc import Iterator
from dataclasses import dataclass

from narrator.rules.action import Request
from narrator.rules.cast import Cast
from narrator.rules.harm import lowest_free_consequence, tracks_with_a_free_box, ways_to_absorb
from narrator.rules.resolution import Branch, FormOffer, Grant, Slot
from narrator.rules.ruleset import BranchSpec, FormUse, GrantSpec, Rider, Row, Ruleset, SlotSpec, Who
from narrator.rules.scene import Character


@dataclass(frozen=True)
class Situation:
    """
    All that a row is filled from.
    """

    request: Request
    ruleset: Ruleset
    cast: Cast
    opponents: tuple[str, ...]
    defender: str | None
    shifts: int
    outcome: str

    @property
    def actor(self) -> Character:
        """
        Who acts.
        """
        return self.cast[self.request.action.actor]

    def who(self, who: Who) -> tuple[str, ...]:
        """
        Name those whom a row means, sorted.
        """
        action = self.request.action
        match who:
            case "actor":
                return (action.actor,)
            case "actor_or_ally":
                return tuple(sorted((action.actor, *self.cast.allies(action.actor))))
            case "opposition":
                return self.cast.opposition(action.actor)
            case "opponent":
                return self.opponents
            case "defender":
                return (self.defender,) if self.defender else self.opponents
            case "target":
                return (action.target,) if action.target else self.opponents


def fill(row: Row, situation: Situation) -> tuple[tuple[Branch, ...], tuple[str, ...]]:
    """
    Return the branches of a row as the riders that apply change them, and what those have to say.
    """
    riders = tuple(rider for rider in situation.ruleset.riders.values() if _applies(rider, situation))
    dropped = {name for rider in riders for name in rider.drops_branches}
    branches = tuple(_branch(spec, riders, situation) for spec in row.spec.branches if spec.id not in dropped)
    return branches, tuple(rider.notice for rider in riders if rider.notice)


def _applies(rider: Rider, situation: Situation) -> bool:
    request = situation.request
    return (
        (rider.actions is None or request.action.type in rider.actions)
        and (rider.outcomes is None or situation.outcome in rider.outcomes)
        and (rider.frames is None or request.scene.frame in rider.frames)
        and (rider.opposition is None or request.action.opposition.kind in rider.opposition)
        and (rider.defended is None or rider.defended == (situation.defender is not None))
        and (rider.shifts_to is None or situation.shifts <= rider.shifts_to)
    )


def _branch(spec: BranchSpec, riders: tuple[Rider, ...], situation: Situation) -> Branch:
    grants = [*spec.grants, *(grant for rider in riders for grant in rider.grants)]
    dropped = {kind for rider in riders for kind in rider.drops_slots}
    kept = [slot for slot in spec.slots if slot.kind not in dropped]
    slots = [*kept, *(slot for rider in riders for slot in rider.slots)]
    named = situation.request.action.aspect is not None
    revealed = [slot for slot in slots if slot.discovered and named]
    return Branch(
        id=spec.id,
        label=spec.label,
        goal=spec.goal,
        grants=(
            *(_grant(grant, situation) for grant in grants),
            *(grant for slot in revealed for grant in _invocations_on_it(slot, situation)),
        ),
        slots=tuple(_slot(slot, riders, situation) for slot in slots if slot not in revealed),
    )


def _grant(spec: GrantSpec, situation: Situation) -> Grant:
    to = situation.who(spec.to)
    on = situation.request.action.aspect if spec.on == "aspect" else None
    if spec.type != "hit":
        amount = spec.amount if isinstance(spec.amount, int) else None
        return Grant(type=spec.type, to=to, amount=amount, on=on)
    hit = situation.shifts - (1 if spec.amount == "shifts - 1" else 0)
    track = situation.request.action.attack.track
    absorb = ways_to_absorb(hit, situation.cast[to[0]], track, situation.ruleset.sheet)
    return Grant(type="hit", to=to, amount=hit, absorb=absorb)


def _invocations_on_it(slot: SlotSpec, situation: Situation) -> Iterator[Grant]:
    """
    The row's free invocations of an aspect that is revealed and has its words already.
    """
    for use in slot.uses():
        offer = _offer(use, situation)
        if offer and offer.free_invocations:
            aspect = situation.request.action.aspect
            yield Grant(type="free_invocations", to=offer.to or (), amount=offer.free_invocations, on=aspect)


def _slot(spec: SlotSpec, riders: tuple[Rider, ...], situation: Situation) -> Slot:
    dropped = {form for rider in riders for form in rider.drops_forms}
    uses = [use for use in spec.uses() if use.form not in dropped]
    for first in (rider.first_form for rider in riders if rider.first_form):
        if first.kind == spec.kind:
            uses = [FormUse(form=first.form), *(use for use in uses if use.form != first.form)]
    offers = (_offer(use, situation) for use in uses)
    return Slot(
        id=spec.id or spec.kind,
        kind=spec.kind,
        draft=situation.request.action.aspect if spec.kind == "aspect" or spec.stands_in else None,
        forms=tuple(offer for offer in offers if offer is not None),
    )


def _offer(use: FormUse, situation: Situation) -> FormOffer | None:
    """
    What a form gives here; None where what it takes is not free.
    """
    form = situation.ruleset.forms[use.form]
    free = use.free_invocations if use.free_invocations is not None else form.free_invocations
    if use.failed_by is not None and situation.shifts > -use.failed_by:
        free = 0
    who = use.to or form.to
    to = situation.who(who) if who else None
    severity = amount = tracks = None
    if form.harm == "consequence":
        severity = lowest_free_consequence(situation.actor, situation.ruleset.sheet)
        if severity is None:
            return None
    elif form.harm == "stress":
        amount, tracks = 1, tracks_with_a_free_box(situation.actor)
        if not tracks:
            return None
    elif free == 0:
        to = ()
    return FormOffer(
        form=use.form,
        label=form.label.replace("{actor}", situation.actor.name),
        to=to,
        free_invocations=free,
        severity=severity,
        amount=amount,
        tracks=tracks,
        on=situation.request.action.aspect if form.on == "aspect" else None,
        goal=form.goal,
        secret=form.secret or None,
    )
