"""The exact chances before a roll, and what invocations could still change after it."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, Literal

from narrator.errors import RequestError, quoted
from narrator.rules.model import Model
from narrator.rules.request.action import Active, Aspects, Invocation, Movement, Request, Roll, Rolled, UnseenZone
from narrator.rules.request.scene import GM
from narrator.rules.resolve.dice import FACES, turn_up
from narrator.rules.resolve.invocations import BONUS
from narrator.rules.resolve.opposition import defender_of, rolling_opponent, spend
from narrator.rules.resolve.resolution import Parts, Resolution
from narrator.rules.resolve.resolver import rule
from narrator.rules.resolve.roll import ACTOR, OPPOSITION
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.declarations import RollSide
from narrator.rules.ruleset.row import FAIL
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.typo import meant

Chance = tuple[int, int]
"""Numerator and denominator: of 81 throws, or of 6561 if both sides roll."""

FLAT = (0, 0, 0, 0)

PAYS: tuple[Literal["free", "fate_point"], ...] = ("free", "fate_point")
USES: tuple[Literal["bonus", "reroll"], ...] = ("bonus", "reroll")

FAR = 2
"""The least difference between skill and opposition that the advice calls big ("How Hard Should Skill Rolls Be?")."""


class InvocationOdds(Model):
    """The chances with one more invocation by the actor."""

    aspect: str
    """The aspect to invoke."""
    on: str | None = None
    """Its bearer, if several aspects have this name."""
    pay: str
    """`free` or `fate_point`."""
    use: str
    """`bonus`, the only use before a roll."""
    outcomes: dict[str, Chance]
    """The chance of each outcome with it, such as [50, 81]."""


class Odds(Model):
    """The chance of each outcome before the roll, also with each possible invocation, and the book's advice on passive
    opposition.
    """

    outcomes: dict[str, Chance]
    """The chance of each outcome by name: [21, 81] means 21 of 81 equally likely throws."""
    invocations: tuple[InvocationOdds, ...]
    """The chances with one more invocation by the actor."""
    advice: str | None = None
    """What the book says about the distance between skill and rating. Omitted if it says nothing."""


class Reach(Model):
    """The result of one more invocation: an outcome, or for a reroll the chances."""

    side: RollSide
    """The side whose total it changes."""
    by: str
    """Who invokes: the one who rolls or defends on that side."""
    held_by: str | None = None
    """The ally who has the free invocation and must agree to pass it on. `invocation` takes it from them. Omitted if
    there is none."""
    aspect: str
    """The aspect to invoke."""
    on: str | None = None
    """Its bearer, if several aspects have this name."""
    bearer: str | None = None
    """The character who bears it. Omitted if it belongs to the scene or a zone."""
    pay: str
    """`free` or `fate_point`."""
    use: str
    """`bonus` or `reroll`."""
    invocation: Invocation
    """Add this, unchanged, to `action.invocations` or `action.opposition.invocations`."""
    outcome: str | None = None
    """The outcome with it. Omitted for a reroll."""
    shifts: int | None = None
    """The shifts with it. Omitted for a reroll."""
    outcomes: dict[str, Chance] | None = None
    """For a reroll: the chance of each outcome, as in `odds`."""

    @property
    def is_near(self) -> bool:
        """False if it costs a fate point and another character bears the aspect."""
        return self.pay == "free" or self.bearer in (None, self.by)


class Reaches(Model):
    """The result of the call `reach`."""

    reach: tuple[Reach, ...]
    """All invocations that are still possible, the actor's first. On each side, those that cost a fate point for an
    aspect of somebody else come last."""


def odds(request: Request, ruleset: Ruleset) -> Odds:
    """Count the chances over all throws. Ignores the actor's dice, but uses the opposition's if told."""
    ruling, we_roll, they_roll = _before(request, ruleset)
    resolution = ruling.resolution
    outcomes = _outcomes(resolution, ruleset, we_roll, they_roll)
    with_bonus = _outcomes(resolution, ruleset, we_roll, they_roll, bonus=BONUS)
    return Odds(
        outcomes=outcomes,
        invocations=tuple(
            InvocationOdds(aspect=each.aspect, on=each.on, pay=each.pay, use=each.use, outcomes=with_bonus)
            for each in _offers(ruling)
            if (each.side, each.use, each.held_by) == ("actor", "bonus", None)
        ),
        advice=_advice(resolution),
    )


def likeliest(request: Request, ruleset: Ruleset, threshold: float) -> dict[str, tuple[int, Chance]]:
    """Find the outcomes with at least this chance. Give each with its likeliest shifts (the fewest, if several are
    equally likely) and its chance.

    Args:
        threshold: From 0 to 1. Impossible outcomes are never included.
    """
    ruling, we_roll, they_roll = _before(request, ruleset)
    counts = _shifts(ruling.resolution, we_roll, they_roll)
    found: dict[str, list[int]] = {}
    for shifts in sorted(counts, key=lambda shifts: (-counts[shifts], abs(shifts))):
        found.setdefault(ruleset.outcome(shifts), []).append(shifts)
    chances = {outcome: (sum(counts[each] for each in found[outcome]), counts.total()) for outcome in found}
    return {
        outcome: (found[outcome][0], chances[outcome])
        for outcome in (FAIL, *ruleset.outcomes)
        if outcome in found and chances[outcome][0] >= threshold * chances[outcome][1]
    }


def reach(ruling: Ruling, by: str | None = None, limit: int | None = None) -> tuple[Reach, ...]:
    """List what each invocation that is still possible would change: the actor's first, then the opposition's. On each
    side, near ones come first. `by` and `limit` are as in the call.

    Raises:
        NarratorError: `bad_request` if the outcome was told, `unknown_character` if `by` is not in the scene.
    """
    if ruling.request.action.outcome is not None:
        raise RequestError(
            "bad_request", "action.outcome", "a told outcome already includes all invocations; give a roll instead"
        )
    resolution, ruleset = ruling.resolution, ruling.ruleset
    rolled = {"actor": resolution.roll is not None and resolution.roll.fell is not None}
    rolled["opposition"] = resolution.opposition.fell is not None
    if by is not None and by not in (known := (*ruling.cast.characters, GM)):
        raise RequestError("unknown_character", "by", f"nobody here is called {quoted(by)}{meant(by, known)}", known)
    shifts = resolution.shifts
    assert shifts is not None, "a roll has shifts"

    @cache
    def made(side: RollSide, use: str) -> dict[str, Any]:
        ours = side == "actor"
        if use == "bonus":
            then = shifts + (BONUS if ours else -BONUS)
            return {"outcome": ruleset.outcome(then), "shifts": then}
        return {"outcomes": _outcomes(resolution, ruleset, we_roll=ours, they_roll=not ours)}

    offers = (
        each.model_copy(update=made(each.side, each.use))
        for each in _offers(ruling)
        if (each.use == "bonus" or rolled[each.side]) and by in (None, each.by, each.held_by)
    )
    return tuple(sorted(offers, key=lambda each: (each.side, not each.is_near)))[:limit]


def _before(request: Request, ruleset: Ruleset) -> tuple[Ruling, bool, bool]:
    """The ruling before the roll, with dice of 0, and whether the actor and the opposition have yet to roll."""
    action, against = request.action, request.action.opposition
    if action.outcome is not None:
        raise RequestError("bad_request", "action.outcome", "a told outcome leaves nothing to count; omit it")
    we_roll = action.roll is None or action.roll.total is None
    they_roll = isinstance(against, Active) and _is_open(against)
    return rule(_unrolled(request, we_roll, they_roll), ruleset), we_roll, they_roll


def _offers(ruling: Ruling) -> Iterator[Reach]:
    """All invocations that a side could still pay for or get from an ally, without their results."""
    request, cast = ruling.request, ruling.cast
    purse = spend(request, ruling.ruleset, cast)
    names = Counter(name for name, _ in purse.aspects)
    against = request.action.opposition
    hindering = against.hindering if isinstance(against, Aspects | Movement | UnseenZone) else ()
    actor, opponent = request.action.actor, rolling_opponent(request)
    opponent = opponent or defender_of(request, ruling.ruleset.actions[request.action.type])
    sides: tuple[tuple[RollSide, str, str | None], ...] = (
        ("actor", ACTOR.field, actor),
        ("opposition", OPPOSITION.field, opponent),
    )
    for (side, field, by), key in product(sides, purse.aspects):
        (name, bearer), held = key, +purse.free.get(key, Counter())
        # The actor cannot use an aspect that hinders.
        if by is None or (side == "actor" and name in hindering):
            continue
        allies = (held.keys() - {actor, opponent}) & {*cast.allies(by)}
        ways = [(pay, None) for pay in PAYS if purse.can_pay(key, pay, by, field)]
        for (pay, ally), use in product([*ways, *((PAYS[0], ally) for ally in sorted(allies))], USES):
            payer = ally or (by if side == "opposition" else None)
            on = bearer if names[name] > 1 else None
            yield Reach(
                side=side,
                by=by,
                held_by=ally,
                aspect=name,
                on=on,
                bearer=bearer if bearer in cast.characters else None,
                pay=pay,
                use=use,
                invocation=Invocation(aspect=name, on=on, pay=pay, use=use, by=payer),
            )


def _unrolled(request: Request, we_roll: bool, they_roll: bool) -> Request:
    """The request with dice of 0 for every side that has yet to roll."""

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
    """Whether the dice that count have yet to be thrown."""
    rerolls = [each for each in side.invocations if each.use == "reroll"]
    return rerolls[-1].dice is None if rerolls else side.roll is None


def _outcomes(
    resolution: Resolution, ruleset: Ruleset, we_roll: bool, they_roll: bool, bonus: int = 0
) -> dict[str, Chance]:
    """Count the outcomes over all throws of the sides that have yet to roll."""
    counts: Counter[str] = Counter()
    for shifts, number in _shifts(resolution, we_roll, they_roll).items():
        counts[ruleset.outcome(shifts + bonus)] += number
    return {outcome: (counts[outcome], counts.total()) for outcome in (FAIL, *ruleset.outcomes)}


def _shifts(resolution: Resolution, we_roll: bool, they_roll: bool) -> Counter[int]:
    """Count the shifts over all throws of the sides that have yet to roll."""
    rolls, against = resolution.roll or Parts(), resolution.opposition
    assert resolution.shifts is not None, "without shifts there is nothing to count"
    ours = _dice_sums(rolls.weight or 0) if we_roll else Counter({rolls.fell or 0: 1})
    theirs = _dice_sums(against.weight or 0) if they_roll else Counter({against.fell or 0: 1})
    flat = resolution.shifts - (rolls.fell or 0) + (against.fell or 0)
    counts: Counter[int] = Counter()
    for (our_sum, our_number), (their_sum, their_number) in product(ours.items(), theirs.items()):
        counts[flat + our_sum - their_sum] += our_number * their_number
    return counts


@cache
def _dice_sums(turned: int) -> Counter[int]:
    """Count how many of the 81 throws give each sum, if weight turns so many dice."""
    return Counter(sum(turn_up(faces, turned)) for faces in product(FACES, FACES, FACES, FACES))


def _advice(resolution: Resolution) -> str | None:
    """The book's advice to a GM on passive opposition ("How Hard Should Skill Rolls Be?")."""
    rolls, against = resolution.roll, resolution.opposition
    if against.kind != "passive" or against.total is None or rolls is None or rolls.skill is None or rolls.weight:
        return None
    above = against.total - (rolls.skill + (rolls.bonus or 0) + (rolls.invoked or 0))
    if above >= FAR:
        return "Two or more above the skill: a failure is likely, unless aspects are invoked."
    if above <= -FAR:
        return "Two or more below the skill: little need to invoke, and a good chance of style."
    return "Near the skill: an invocation may decide it. Use Average if nothing stands out, else Fair."
