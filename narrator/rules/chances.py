"""The chances of a roll, exact: before it, and of what could still be done after it."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, Literal

from narrator.rules.action import Active, Invocation, Request, Roll, Rolled
from narrator.rules.cast import cast_of
from narrator.rules.conflict.weight import turn
from narrator.rules.declared import FAIL
from narrator.rules.dice import FACES
from narrator.rules.invoking import BONUS
from narrator.rules.model import Model
from narrator.rules.opposition import spend
from narrator.rules.resolution import Resolution
from narrator.rules.resolving import resolve
from narrator.rules.rolling import ACTOR
from narrator.rules.ruleset import Ruleset

Fraction = tuple[int, int]
"""Numerator and denominator, as counted: over 81 faces, or 6561 where both sides roll."""

FLAT = (0, 0, 0, 0)

FAR = 2
"""Steps of the ladder between skill and opposition that tell ("How Hard Should Skill Rolls Be?")."""


class InvocationOdds(Model):
    """
    What the chances would be with one more invocation of the actor.
    """

    aspect: str
    on: str | None = None
    pay: str
    use: str
    outcomes: dict[str, Fraction]


class Odds(Model):
    """
    The chance of each outcome before the roll, what each invocation on offer would make of it, and the
    book's advice for passive opposition.
    """

    outcomes: dict[str, Fraction]
    invocations: tuple[InvocationOdds, ...]
    advice: str | None = None


class Reach(Model):
    """
    What one more invocation of the actor would make of a roll: an outcome, or for a reroll the chances.
    """

    aspect: str
    on: str | None = None
    pay: str
    use: str
    outcome: str | None = None
    shifts: int | None = None
    outcomes: dict[str, Fraction] | None = None


def odds(request: Request, ruleset: Ruleset) -> Odds:
    """
    Count the chances over all faces. Dice that the actor has rolled already do not count; what is told of
    the opposition does.

    Raises:
        NarratorError: As `resolve`.
    """
    action, against = request.action, request.action.opposition
    we_roll = action.roll is None or action.roll.total is None
    they_roll = isinstance(against, Active) and _is_open(against)
    unrolled = _unrolled(request, we_roll, they_roll)

    resolution = resolve(unrolled, ruleset)
    outcomes = _outcomes(resolution, ruleset, we_roll, they_roll)
    with_bonus = _outcomes(resolution, ruleset, we_roll, they_roll, bonus=BONUS)
    return Odds(
        outcomes=outcomes,
        invocations=tuple(
            InvocationOdds(aspect=each.aspect, on=each.on, pay=each.pay, use=each.use, outcomes=with_bonus)
            for each in _offers(unrolled, ruleset, ("bonus",))
        ),
        advice=_advice(resolution),
    )


def reach(request: Request, ruleset: Ruleset) -> tuple[Reach, ...]:
    """
    Say what each invocation still on offer would make of a roll.

    Raises:
        NarratorError: As `resolve`.
    """
    resolution = resolve(request, ruleset)
    shifts = resolution.shifts + BONUS
    made: dict[str, dict[str, Any]] = {
        "bonus": {"outcome": ruleset.outcome(shifts), "shifts": shifts},
        "reroll": {"outcomes": _outcomes(resolution, ruleset, we_roll=True, they_roll=False)},
    }
    is_told = resolution.roll.dice is None
    return tuple(
        Reach(aspect=each.aspect, on=each.on, pay=each.pay, use=each.use, **made[each.use])
        for each in _offers(request, ruleset, ("bonus",) if is_told else ("bonus", "reroll"))
    )


def _offers(request: Request, ruleset: Ruleset, uses: tuple[Literal["bonus", "reroll"], ...]) -> Iterator[Invocation]:
    """
    Every invocation that the actor could still pay for.
    """
    purse = spend(request, ruleset, cast_of(request, ruleset.sheet))
    names = Counter(name for name, _ in purse.aspects)
    boosts = {(aspect.name, aspect.on) for aspect in request.scene.aspects if aspect.boost}
    pays: tuple[Literal["free", "fate_point"], ...] = ("free", "fate_point")
    for key, pay, use in product(purse.aspects, pays, uses):
        if purse.can_pay(key, pay, request.action.actor, ACTOR.field) and not (key in boosts and pay == "fate_point"):
            name, on = key
            yield Invocation(aspect=name, on=on if names[name] > 1 else None, pay=pay, use=use)


def _unrolled(request: Request, we_roll: bool, they_roll: bool) -> Request:
    """
    The request with flat dice for every side that has yet to roll.
    """

    def flat(side: Rolled, rolls: bool) -> dict[str, object]:
        rerolls = tuple(
            each.model_copy(update={"dice": FLAT}) if each.use == "reroll" and (rolls or each.dice is None) else each
            for each in side.invocations
        )
        return {"roll": Roll(dice=FLAT) if rolls or side.roll is None else side.roll, "invocations": rerolls}

    action, against = request.action, request.action.opposition
    if isinstance(against, Active):
        action = action.model_copy(update={"opposition": against.model_copy(update=flat(against, they_roll))})
    action = action.model_copy(update=flat(action, we_roll))
    return request.model_copy(update={"action": action, "branch": None})


def _is_open(side: Rolled) -> bool:
    """
    Whether the faces that count have yet to be thrown.
    """
    rerolls = [each for each in side.invocations if each.use == "reroll"]
    return rerolls[-1].dice is None if rerolls else side.roll is None


def _outcomes(
    resolution: Resolution, ruleset: Ruleset, we_roll: bool, they_roll: bool, bonus: int = 0
) -> dict[str, Fraction]:
    """
    Count the outcomes over the faces of each side that has yet to roll.
    """
    rolls, against = resolution.roll, resolution.opposition
    ours = _dice_sums(rolls.weight or 0) if we_roll else Counter({sum(rolls.dice or ()): 1})
    theirs = _dice_sums(against.weight or 0) if they_roll else Counter({sum(against.dice or ()): 1})
    flat = resolution.shifts - sum(rolls.dice or ()) + sum(against.dice or ())
    counts: Counter[str] = Counter()
    for (our_sum, our_number), (their_sum, their_number) in product(ours.items(), theirs.items()):
        counts[ruleset.outcome(flat + bonus + our_sum - their_sum)] += our_number * their_number
    return {outcome: (counts[outcome], counts.total()) for outcome in (FAIL, *ruleset.outcomes)}


@cache
def _dice_sums(turned: int) -> Counter[int]:
    """
    Count how many of the 81 faces give each sum, when weight turns so many dice.
    """
    return Counter(sum(turn(faces, turned)) for faces in product(FACES, FACES, FACES, FACES))


def _advice(resolution: Resolution) -> str | None:
    """
    What the book tells a GM of passive opposition ("How Hard Should Skill Rolls Be?").
    """
    if resolution.opposition.kind != "passive" or resolution.roll.skill is None:
        return None
    above = resolution.opposition.total - resolution.roll.skill
    if above >= FAR:
        return "Two or more above the skill: a failure is likely, unless aspects are invoked."
    if above <= -FAR:
        return "Two or more below the skill: hardly any need to invoke, and a fair hope of style."
    return (
        "Near the skill: about even, with and without an invocation. If nothing stands out, Average; one reason, Fair."
    )
