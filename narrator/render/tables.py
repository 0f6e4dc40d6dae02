"""The page of a table: what each row of an action gives, before anybody is named."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from narrator.render import words
from narrator.render.lines import BLANK, Line, line
from narrator.render.rolls import ROLES
from narrator.rules.declared import Rider
from narrator.rules.resolution import Grant
from narrator.rules.row import BranchSpec, FormSpec, FormUse, GrantSpec, SlotSpec
from narrator.rules.table import Table

Forms = Mapping[str, FormSpec]

HITS = {"shifts": "of the shifts", "shifts - 1": "of the shifts less 1"}
NAMED = {"aspect": "the aspect", "path": "the end of the path"}
"""What an action names, where nobody has named it yet."""


def table(found: Table, forms: Forms) -> Iterator[Line]:
    """Say the rows of an action.

    Args:
        forms: Those of its ruleset, by their names.
    """
    yield line((words.plain(found.action).upper(), "strong"), (f"   {found.ruleset}", "dim"))
    for how, opposed in (("opposed by ", found.opposition), ("on a character ", found.opposition_on_target)):
        if opposed:
            yield line((how, "dim"), ", ".join(map(words.plain, opposed)), indent=2)
    for (variant, maneuver), rows in groupby(found.rows, key=lambda row: (row.variant, row.maneuver)):
        yield BLANK
        if variant or maneuver:
            kind = "maneuver " if maneuver else ""
            yield line((f"{kind}{words.plain(variant or maneuver or '')}", "key"), indent=2)
        for row in rows:
            source = f"   {row.source.document}, {row.source.section}"
            yield line((words.plain(row.outcome), ROLES.get(row.outcome, "good")), (source, "dim"), indent=2)
            for branch in row.branches:
                hits = any(grant.type == "hit" for grant in branch.grants)
                goal = "" if hits else f": {words.GOALS[branch.goal]}"
                yield line((f"{branch.label}{_condition(branch)}", "strong"), f"{goal}.", indent=4)
                for gives in (*map(_grant, branch.grants), *(_slot(slot, forms) for slot in branch.slots)):
                    yield line(gives, indent=6)
    if found.riders:
        yield BLANK
        yield line(("besides", "key"), indent=2)
        yield from (_rider(rider, forms) for rider in found.riders)


def _rider(rider: Rider, forms: Forms) -> Line:
    gives = [*map(_grant, rider.grants), *(_slot(slot, forms) for slot in rider.slots)]
    if rider.first_form:
        gives.append(f"{_label(rider.first_form.form, forms)} first among the {words.plain(rider.first_form.kind)}s")
    dropped = [*map(words.plain, (*rider.drops_branches, *rider.drops_slots))]
    dropped += [_label(form, forms) for form in rider.drops_forms]
    if dropped:
        gives.append(f"without {', '.join(dropped)}")
    if rider.notice:
        gives.append(rider.notice)
    return line((f"{_when(rider)}: ", "strong"), "; ".join(gives), indent=4)


def _when(rider: Rider) -> str:
    told = [
        *([words.either(map(words.plain, each)) for each in (rider.maneuvers, rider.outcomes) if each]),
        *([f"in a {words.either(map(words.plain, rider.frames))}"] if rider.frames else []),
        *([f"against {words.either(map(words.plain, rider.opposition))}"] if rider.opposition else []),
        *(["defended" if rider.defended else "not defended"] if rider.defended is not None else []),
        *([_at_most(rider.shifts_to)] if rider.shifts_to is not None else []),
    ]
    return ", ".join(told) or "always"


def _at_most(shifts: int) -> str:
    return f"failed by {-shifts} or more" if shifts < 0 else f"at {words.count(shifts, 'shift')} or fewer"


def _condition(branch: BranchSpec) -> str:
    if branch.frames:
        return f" (in a {words.either(map(words.plain, branch.frames))})"
    if branch.if_free:
        return f" (where a {branch.if_free} is free)"
    return f" (where no {branch.unless_free} is free)" if branch.unless_free else ""


def _grant(spec: GrantSpec) -> str:
    who = words.plain(spec.to)
    if spec.type == "hit":
        return f"{who}: a hit {HITS[str(spec.amount)]}"
    if spec.amount == "path":
        return f"{who}: moves to {NAMED['path']}"
    amount = spec.amount if isinstance(spec.amount, int) else None
    return words.grant(Grant(type=spec.type, to=(who,), amount=amount, on=NAMED[spec.on] if spec.on else None))


def _slot(slot: SlotSpec, forms: Forms) -> str:
    return f"{words.plain(slot.name)}: {'; '.join(_form(use, forms) for use in slot.forms)}"


def _form(use: FormUse, forms: Forms) -> str:
    free = words.count(use.free_invocations, "free invocation") if use.free_invocations else "no free invocation"
    told = [
        *([words.plain(use.to)] if use.to else []),
        *([free] if use.free_invocations is not None else []),
        *([f"a free invocation where failed by {use.failed_by} or more"] if use.failed_by is not None else []),
    ]
    return f"{_label(use.form, forms)} ({'; '.join(told)})" if told else _label(use.form, forms)


def _label(form: str, forms: Forms) -> str:
    return forms[form].label.replace("{actor}", "the actor")
