"""The pages beside that of a roll: chances, what is in reach, tables, turn order, scenes, what changed, rulesets."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.console import Console

from narrator.render import words
from narrator.render.terminal import line, print_heading, show, style_of
from narrator.rules.action import Passive, Request
from narrator.rules.chances import Odds, Reach
from narrator.rules.changes import Settled
from narrator.rules.declared import FAIL, BranchSpec, FormUse, GrantSpec, Rider, SlotSpec
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Scene
from narrator.rules.skills import rating
from narrator.rules.table import Table


def print_odds(console: Console, request: Request, odds: Odds) -> None:
    """
    Print the chance of each outcome, and what each invocation would make of it.
    """
    against = request.action.opposition
    rated = f"against {against.rating}" if isinstance(against, Passive) and against.rating is not None else None
    print_heading(console, request, (request.action.skill, request.action.attribute, rated))
    for outcome, (number, everything) in odds.outcomes.items():
        share = f"{number / everything:6.1%}"
        show(
            console,
            line((f"{words.plain(outcome):<20}", "bold"), (share, ""), (f"   {number} of {everything}", "dim")),
            2,
        )
    offers = [
        (words.at_least_a_tie(each.outcomes), each.pay, words.aspect(each.aspect, each.on)) for each in odds.invocations
    ]
    for (chance, pay), aspects in _grouped(offers):
        show(console, line((f"{words.PAYS[pay]}: ", "dim"), (chance, "bold"), (f", with {aspects}", "")), 2)
    if odds.advice:
        show(console, line((odds.advice, "italic")), 2)


def print_reach(console: Console, offers: Iterable[Reach]) -> None:
    """
    Print what each invocation still on offer would make of the roll: a line for each thing it would make, and price.
    """
    made = [
        (each.side, each.by, _made(each), each.use, each.pay, words.aspect(each.aspect, each.on)) for each in offers
    ]
    for (side, by, what, use, pay), aspects in _grouped(sorted(made, key=lambda each: (each[0], each[4] != "free"))):
        whose = "in reach" if side == "actor" else f"in reach of {by}"
        again = ", rolled again" if use == "reroll" else ""
        told = line((f"{whose}, {words.PAYS[pay]}{again}: ", "dim"), (what, "bold"), (f", with {aspects}", ""))
        show(console, told, 2)


def _made(offer: Reach) -> str:
    if offer.outcome is not None:
        return words.outcome(offer.outcome, offer.shifts)
    # Whoever opposes rolls again to make the action fail.
    said = words.at_least_a_tie if offer.side == "actor" else words.a_failure
    return said(offer.outcomes or {})


def _grouped(offers: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], str]]:
    """
    Put those together that differ in their last part alone, the aspect.
    """
    groups: dict[tuple[str, ...], list[str]] = {}
    for *first, aspect in offers:
        groups.setdefault(tuple(first), []).append(aspect)
    yield from ((first, words.together(aspects)) for first, aspects in groups.items())


def print_table(console: Console, table: Table) -> None:
    """
    Print the rows of an action.
    """
    show(console, line((words.plain(table.action).upper(), "bold"), (f"   {table.ruleset}", "dim")))
    if table.opposition:
        show(console, line(("opposed by ", "dim"), (", ".join(table.opposition), "")), 2)
    if table.opposition_on_target:
        show(console, line(("on a character ", "dim"), (", ".join(table.opposition_on_target), "")), 2)
    for (variant, maneuver), rows in groupby(table.rows, key=lambda row: (row.variant, row.maneuver)):
        console.print()
        if variant or maneuver:
            kind = "maneuver " if maneuver else ""
            show(console, line((f"{kind}{words.plain(variant or maneuver or '')}", "bold cyan")), 2)
        for row in rows:
            source = f"   {row.source.document}, {row.source.section}"
            show(console, line((words.plain(row.outcome), style_of(row.outcome)), (source, "dim")), 2)
            for branch in row.branches:
                hits = any(grant.type == "hit" for grant in branch.grants)
                goal = "" if hits else f": {words.GOALS[branch.goal]}"
                show(console, line((f"{branch.label}{_condition(branch)}", "bold"), (f"{goal}.", "")), 4)
                for gives in _gives(branch):
                    show(console, line((gives, "")), 6)
    if table.riders:
        console.print()
        show(console, line(("besides", "bold cyan")), 2)
        _print_riders(console, table.riders)


def print_turn_order(console: Console, scene: Scene, names: Iterable[str], approaches: Sequence[str]) -> None:
    """
    Print who acts when, and the ratings that say so.
    """
    people = {each.name: each for each in scene.characters}
    for place, name in enumerate(names, 1):
        rated = ", ".join(f"{each} {rating(people[name], each):+d}" for each in approaches)
        show(console, line((f"{place:>3} ", "bold cyan"), (name, ""), (f"   {rated}", "dim")))


def print_scene(console: Console, scene: Scene) -> None:
    """
    Print what stands on the table: people with what they have suffered, aspects with who may invoke them.
    """
    for each in scene.characters:
        where = f"   {each.zone}" if each.zone else ""
        told = words.state(each)
        show(console, line((each.name, "bold"), (f"   {each.side}{where}", "dim"), (f"   {told}", "yellow")))
    for aspect in scene.aspects:
        held = ", ".join(f"{holder}: {number}" for holder, number in aspect.free_invocations.items() if number)
        kind = "boost  " if aspect.boost else "aspect "
        free = f"   free invocations: {held}" if held else ""
        name = words.aspect(aspect.name, aspect.on)
        show(console, line((kind, "cyan"), (name, "bold"), (free, "dim")))


def print_changes(console: Console, settled: Settled, said: Iterable[tuple[str, str]]) -> None:
    """
    Print what was chosen, name and detail, and what is different, a line each.
    """
    facts = {change.after for change in settled.changes if change.type == "fact"}
    for name, detail in said:
        if f"{name}: {detail}" in facts:
            continue
        show(console, line((f"{name}  " if name else "", "bold"), (detail, "")), 2)
    for change in settled.changes:
        show(console, line((change.text, "")), 2)
    if not settled.changes:
        show(console, line(("Nothing of the scene changes.", "dim")), 2)


def _print_riders(console: Console, riders: Iterable[Rider]) -> None:
    for rider in riders:
        gives = [*(_grant(grant) for grant in rider.grants), *(_slot(slot) for slot in rider.slots)]
        if rider.first_form:
            gives.append(f"{rider.first_form.form} first among the {words.plain(rider.first_form.kind)}s")
        dropped = (*rider.drops_branches, *rider.drops_slots, *rider.drops_forms)
        if dropped:
            gives.append(f"without {', '.join(words.plain(each) for each in dropped)}")
        if rider.notice:
            gives.append(rider.notice)
        show(console, line((f"{_when(rider)}: ", "bold"), ("; ".join(gives), "")), 4)


def _when(rider: Rider) -> str:
    """
    When a rider applies, in words.
    """
    told = [
        *([" or ".join(words.plain(each) for each in rider.maneuvers)] if rider.maneuvers else []),
        *([" or ".join(words.plain(each) for each in rider.outcomes)] if rider.outcomes else []),
        *([f"in a {' or '.join(words.plain(each) for each in rider.frames)}"] if rider.frames else []),
        *([f"against {' or '.join(rider.opposition)}"] if rider.opposition else []),
        *(["defended" if rider.defended else "not defended"] if rider.defended is not None else []),
        *([_at_most(rider.shifts_to)] if rider.shifts_to is not None else []),
    ]
    return ", ".join(told)


def _at_most(shifts: int) -> str:
    return f"failed by {-shifts} or more" if shifts < 0 else f"at {words.count(shifts, 'shift')} or fewer"


def print_rulesets(console: Console, rulesets: Iterable[Ruleset]) -> None:
    """
    Print each ruleset with its actions and outcomes.
    """
    for ruleset in rulesets:
        show(console, line((ruleset.name, "bold"), (f"   {ruleset.title}", "dim")))
        show(console, line((", ".join(words.plain(action) for action in ruleset.actions), "")), 2)
        show(console, line((", ".join(words.plain(outcome) for outcome in (FAIL, *ruleset.outcomes)), "dim")), 2)


def _condition(branch: BranchSpec) -> str:
    if branch.if_free:
        return f" (where a {branch.if_free} is free)"
    return f" (where no {branch.unless_free} is free)" if branch.unless_free else ""


def _gives(branch: BranchSpec) -> Iterable[str]:
    yield from (_grant(grant) for grant in branch.grants)
    yield from (_slot(slot) for slot in branch.slots)


def _slot(slot: SlotSpec) -> str:
    return f"{words.plain(slot.id or slot.kind)}: {', '.join(_form(use) for use in slot.forms)}"


def _grant(grant: GrantSpec) -> str:
    what = {"shifts": "of the shifts", "shifts - 1": "of the shifts less 1", "path": "to the end of the path"}
    amount = what.get(str(grant.amount), str(grant.amount)) if grant.amount is not None else ""
    return " ".join(part for part in (f"for {words.plain(grant.to)}:", words.plain(grant.type), amount) if part)


def _form(use: FormUse) -> str:
    more = [
        *([f"for {words.plain(use.to)}"] if use.to else []),
        *([f"free invocations: {use.free_invocations}"] if use.free_invocations is not None else []),
        *([f"free invocation where failed by {use.failed_by} or more"] if use.failed_by is not None else []),
    ]
    return f"{use.form} ({'; '.join(more)})" if more else use.form
