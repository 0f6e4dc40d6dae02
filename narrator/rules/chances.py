"""The chances of a roll, exact: before it, and of what could still be done after it."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any, Literal

from narrator.errors import NarratorError
from narrator.rules.action import Active, Invocation, Request, Roll, Rolled
from narrator.rules.conflict.weight import turn
from narrator.rules.declared import FAIL
from narrator.rules.dice import FACES
from narrator.rules.invoking import aspects_in_play
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.rules.resolving import resolve
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

    def outcomes(resolution: Resolution) -> dict[str, Fraction]:
        return _outcomes(resolution, ruleset, we_roll, they_roll)

    return Odds(
        outcomes=outcomes(resolution),
        invocations=tuple(
            InvocationOdds(aspect=each.aspect, on=each.on, pay=each.pay, use=each.use, outcomes=outcomes(more))
            for each, more in _offers(unrolled, ruleset, ("bonus",))
        ),
        advice=_advice(resolution),
    )


def reach(request: Request, ruleset: Ruleset) -> tuple[Reach, ...]:
    """
    Say what each invocation still on offer would make of a roll.

    Raises:
        NarratorError: As `resolve`.
    """
    resolve(request, ruleset)  # for what it may raise: without any offer nothing else would resolve it

    def reached(each: Invocation, resolution: Resolution) -> Reach:
        if each.use == "bonus":
            made: dict[str, Any] = {"outcome": resolution.outcome, "shifts": resolution.shifts}
        else:
            made = {"outcomes": _outcomes(resolution, ruleset, we_roll=True, they_roll=False)}
        return Reach(aspect=each.aspect, on=each.on, pay=each.pay, use=each.use, **made)

    return tuple(reached(each, more) for each, more in _offers(request, ruleset, ("bonus", "reroll")))


def _offers(
    request: Request, ruleset: Ruleset, uses: tuple[Literal["bonus", "reroll"], ...]
) -> Iterator[tuple[Invocation, Resolution]]:
    """
    Every invocation that the actor could add, and what the request then resolves to: else it is not on offer.
    """
    in_play = aspects_in_play(request.scene)
    names = Counter(name for name, _ in in_play)
    boosts = {aspect.name for aspect in request.scene.aspects if aspect.boost}
    pays: tuple[Literal["free", "fate_point"], ...] = ("free", "fate_point")
    for (name, on), pay, use in product(in_play, pays, uses):
        if name in boosts and pay == "fate_point":
            continue
        dice = FLAT if use == "reroll" else None
        offer = Invocation(aspect=name, on=on if names[name] > 1 else None, pay=pay, use=use, dice=dice)
        action = request.action.model_copy(update={"invocations": (*request.action.invocations, offer)})
        more = request.model_copy(update={"action": action, "branch": None})
        try:
            yield offer, resolve(more, ruleset)
        except NarratorError:
            continue


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


def _outcomes(resolution: Resolution, ruleset: Ruleset, we_roll: bool, they_roll: bool) -> dict[str, Fraction]:
    """
    Count the outcomes over the faces of each side that has yet to roll.
    """
    rolls, against = resolution.roll, resolution.opposition
    ours = _dice_sums(rolls.weight or 0) if we_roll else Counter({sum(rolls.dice or ()): 1})
    theirs = _dice_sums(against.weight or 0) if they_roll else Counter({sum(against.dice or ()): 1})
    flat = resolution.shifts - sum(rolls.dice or ()) + sum(against.dice or ())
    counts: Counter[str] = Counter()
    for (our_sum, our_number), (their_sum, their_number) in product(ours.items(), theirs.items()):
        counts[ruleset.outcome(flat + our_sum - their_sum)] += our_number * their_number
    return {outcome: (counts[outcome], counts.total()) for outcome in (FAIL, *ruleset.outcomes)}


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
