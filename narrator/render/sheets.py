"""The sheets beside the page of a roll: chances, what is in reach, tables, rulesets."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from rich.console import Console

from narrator.render.terminal import GOALS, OUTCOMES, line, show
from narrator.rules.action import Request
from narrator.rules.chances import Fraction, Odds, Reach
from narrator.rules.declared import FAIL, BranchSpec, FormUse, GrantSpec, Rider, SlotSpec
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Character, Scene
from narrator.rules.table import Table

STATES = ("lethal_next_attack", "forfeits_next_contest_roll", "disarmed", "taken_out")
"""What may be true of a character until something ends it."""

PAYS = {"free": "free", "fate_point": "a fate point"}


def print_odds(console: Console, request: Request, odds: Odds) -> None:
    """
    Print the chance of each outcome, and what each invocation would make of it.
    """
    action = request.action
    heading = ", ".join(word for word in (_words(action.type).capitalize(), action.skill, action.attribute) if word)
    show(
        console,
        line(
            (action.actor.upper(), "bold"),
            (f"  {action.intent}" if action.intent else "", ""),
            (f"   {heading}", "dim"),
        ),
    )
    for outcome, (number, everything) in odds.outcomes.items():
        share = f"{number / everything:6.1%}"
        show(console, line((f"{_words(outcome):<20}", "bold"), (share, ""), (f"   {number} of {everything}", "dim")), 2)
    for each in odds.invocations:
        what = f"with {_aspect(each.aspect, each.on)}, {PAYS[each.pay]}: "
        show(console, line((what, ""), (f"{_at_least_a_tie(each.outcomes)} to tie or better", "bold")), 2)
    if odds.advice:
        show(console, line((odds.advice, "italic")), 2)


def print_reach(console: Console, offers: Iterable[Reach]) -> None:
    """
    Print what each invocation still on offer would make of the roll: a line for each aspect and price.
    """
    for (aspect, on, pay), group in groupby(offers, key=lambda each: (each.aspect, each.on, each.pay)):
        made = "; ".join(
            _outcome(each.outcome, each.shifts or 0)
            if each.outcome is not None
            else f"rolled again: {_at_least_a_tie(each.outcomes or {})} to tie or better"
            for each in group
        )
        show(console, line(("in reach: ", "dim"), (f"{_aspect(aspect, on)}, {PAYS[pay]}: ", ""), (made, "bold")), 2)


def print_table(console: Console, table: Table) -> None:
    """
    Print the rows of an action.
    """
    show(console, line((_words(table.action).upper(), "bold"), (f"   {table.ruleset}", "dim")))
    if table.opposition:
        show(console, line(("opposed by ", "dim"), (", ".join(table.opposition), "")), 2)
    if table.opposition_on_target:
        show(console, line(("on a character ", "dim"), (", ".join(table.opposition_on_target), "")), 2)
    for variant, rows in groupby(table.rows, key=lambda row: row.variant or row.maneuver):
        console.print()
        if variant:
            show(console, line((_words(variant), "bold cyan")), 2)
        for row in rows:
            source = f"   {row.source.document}, {row.source.section}"
            show(console, line((_words(row.outcome), OUTCOMES.get(row.outcome, ("", "bold"))[1]), (source, "dim")), 2)
            for branch in row.branches:
                label = f"{branch.label}{_condition(branch)}: "
                show(console, line((label, "bold"), (f"{GOALS[branch.goal]}.", "")), 4)
                for gives in _gives(branch):
                    show(console, line((gives, "")), 6)
    if table.riders:
        console.print()
        show(console, line(("besides", "bold cyan")), 2)
        _print_riders(console, table.riders)


def print_turn_order(console: Console, names: Iterable[str]) -> None:
    """
    Print who acts when.
    """
    for place, name in enumerate(names, 1):
        show(console, line((f"{place:>3} ", "bold cyan"), (name, "")))


def print_scene(console: Console, scene: Scene) -> None:
    """
    Print what stands on the table: people with what they have suffered, aspects with who may invoke them.
    """
    for each in scene.characters:
        where = f"   {each.zone}" if each.zone else ""
        show(console, line((each.name, "bold"), (f"   {each.side}{where}", "dim"), (f"   {_state(each)}", "yellow")))
    for aspect in scene.aspects:
        held = ", ".join(f"{holder}: {number}" for holder, number in aspect.free_invocations.items() if number)
        kind = "boost  " if aspect.boost else "aspect "
        free = f"   free invocations: {held}" if held else ""
        show(console, line((kind, "cyan"), (_aspect(aspect.name, aspect.on), "bold"), (free, "dim")))


def _state(character: Character) -> str:
    """
    What has befallen somebody, in one line.
    """
    stress = ((track, each.marked) for track, each in (character.stress or {}).items() if each.marked)
    told = [
        *(f"{track} stress {', '.join(map(str, marked))}" for track, marked in stress),
        *(f"{level.severity}: {level.name}" for level in character.consequences or () if level.name),
        *([f"fate points: {character.fate_points}"] if character.fate_points is not None else []),
        *([f"roars: {character.roar}"] if character.roar else []),
        *(_words(name) for name in STATES if getattr(character, name)),
    ]
    return "; ".join(told)


def _print_riders(console: Console, riders: Iterable[Rider]) -> None:
    for rider in riders:
        gives = [*(_grant(grant) for grant in rider.grants), *(_slot(slot) for slot in rider.slots)]
        if rider.first_form:
            gives.append(f"{rider.first_form.form} first among the {_words(rider.first_form.kind)}s")
        dropped = (*rider.drops_branches, *rider.drops_slots, *rider.drops_forms)
        if dropped:
            gives.append(f"without {', '.join(_words(each) for each in dropped)}")
        if rider.notice:
            gives.append(rider.notice)
        show(console, line((f"{_when(rider)}: ", "bold"), ("; ".join(gives), "")), 4)


def _when(rider: Rider) -> str:
    """
    When a rider applies, in words.
    """
    told = [
        *([" or ".join(_words(each) for each in rider.maneuvers)] if rider.maneuvers else []),
        *([" or ".join(_words(each) for each in rider.outcomes)] if rider.outcomes else []),
        *([f"in a {' or '.join(_words(each) for each in rider.frames)}"] if rider.frames else []),
        *([f"against {' or '.join(rider.opposition)}"] if rider.opposition else []),
        *(["defended" if rider.defended else "not defended"] if rider.defended is not None else []),
        *([f"at {rider.shifts_to} shifts or fewer"] if rider.shifts_to is not None else []),
    ]
    return ", ".join(told)


def print_rulesets(console: Console, rulesets: Iterable[Ruleset]) -> None:
    """
    Print each ruleset with its actions and outcomes.
    """
    for ruleset in rulesets:
        show(console, line((ruleset.name, "bold"), (f"   {ruleset.title}", "dim")))
        show(console, line((", ".join(_words(action) for action in ruleset.actions), "")), 2)
        show(console, line((", ".join(_words(outcome) for outcome in (FAIL, *ruleset.outcomes)), "dim")), 2)


def _condition(branch: BranchSpec) -> str:
    if branch.if_free:
        return f" (where a {branch.if_free} is free)"
    return f" (where no {branch.unless_free} is free)" if branch.unless_free else ""


def _gives(branch: BranchSpec) -> Iterable[str]:
    yield from (_grant(grant) for grant in branch.grants)
    yield from (_slot(slot) for slot in branch.slots)


def _slot(slot: SlotSpec) -> str:
    return f"{_words(slot.id or slot.kind)}: {', '.join(_form(use) for use in slot.forms)}"


def _grant(grant: GrantSpec) -> str:
    what = {"shifts": "of the shifts", "shifts - 1": "of the shifts less 1", "path": "to the end of the path"}
    amount = what.get(str(grant.amount), str(grant.amount)) if grant.amount is not None else ""
    return " ".join(part for part in (f"for {_words(grant.to)}:", _words(grant.type), amount) if part)


def _form(use: FormUse) -> str:
    more = [
        *([f"for {_words(use.to)}"] if use.to else []),
        *([f"free invocations: {use.free_invocations}"] if use.free_invocations is not None else []),
        *([f"free invocation where failed by {use.failed_by} or more"] if use.failed_by is not None else []),
    ]
    return f"{use.form} ({'; '.join(more)})" if more else use.form


def _at_least_a_tie(outcomes: Mapping[str, Fraction]) -> str:
    everything = next(iter(outcomes.values()), (0, 1))[1]
    number = sum(count for outcome, (count, _) in outcomes.items() if outcome != FAIL)
    return f"{number} of {everything}"


def _outcome(outcome: str, shifts: int) -> str:
    words = OUTCOMES.get(outcome, (f"{_words(outcome)} by {{}}", ""))[0]
    return words.format(abs(shifts)).lower()


def _aspect(name: str, on: str | None) -> str:
    return f"{name} (on {on})" if on else name


def _words(name: str) -> str:
    return name.replace("_", " ")
