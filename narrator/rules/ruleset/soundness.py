"""Checks that a ruleset is complete and that its parts fit together."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement, pairwise

from narrator.errors import quoted
from narrator.rules.ruleset.declarations import ActionSpec, Rider
from narrator.rules.ruleset.row import FAIL, FormSpec, RowKey, RowSpec, SlotSpec
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.ruleset.ruleset_file import Origins, Part, RulesetFile, Where, Written
from narrator.rules.typo import meant

Fault = tuple[str, tuple[Part, ...], Where]
"""The problem, the parts that do not fit together, and the place in the part at fault."""


def check_file(written: Written, below: RulesetFile) -> None:
    """Check a file by itself and against what it extends."""
    parts: dict[Part, Where] = {}
    for part, where in written.file.parts():
        if part in parts and part[0] in ("rows", "riders"):
            name = " ".join(each for each in part[1] if each) if isinstance(part[1], tuple) else part[1]
            written.refuse(f"{name} is declared twice, first at {written.at(*parts[part])}", *where)
        parts[part] = where
    for name, action in written.file.actions.items():
        variants = [each.name for each in action.variants]
        for number, variant in enumerate(variants):
            first = variants.index(variant)
            if first < number:
                first_at = written.at("actions", name, "variants", first, "name")
                problem = f"two variants of {name} are called {variant}, the first at {first_at}"
                written.refuse(problem, "actions", name, "variants", number, "name")
    for what, where in written.file.removes.missing(below):
        written.refuse(f"there is no {what}", "removes", *where)
    shifts = {**below.outcomes, **written.file.outcomes}
    for one, other in pairwise(below.outcomes):
        if shifts[one].least >= shifts[other].least:
            at = other if other in written.file.outcomes else one
            written.refuse(f"{other} needs more shifts than {one}", "outcomes", at)


def check(whole: Ruleset, origins: Origins) -> None:
    """Check a complete ruleset. The first problem is raised with its file and line."""
    for problem, parts, at in _faults(whole):
        origins.refuse(problem, *parts, at=at)


def _faults(whole: Ruleset) -> Iterator[Fault]:
    """Yield all problems. Each check may rely on those before it, because the first problem is raised."""
    yield from _outcomes(whole)
    yield from _names(whole)
    yield from _labels(whole)
    yield from _rows(whole)
    for row in whole.rows:
        yield from _branches(row)
        yield from _slots(whole, (slot for branch in row.branches for slot in branch.slots), ("rows", row.key))
        yield from _needs(whole, row)
        yield from _hits(whole, row)
    for rider in whole.riders:
        yield from _rider(whole, rider)
    for row in whole.rows:
        yield from _meetings(whole, row)
    yield from _cards(whole)


def _outcomes(whole: Ruleset) -> Iterator[Fault]:
    own = [name for name, spec in whole.outcomes.items() if spec.rows_of is None]
    for name, spec in whole.outcomes.items():
        part: Part = ("outcomes", name)
        if name == FAIL:
            yield f"{FAIL} is below all other outcomes and can't have a number: remove it here", (part,), ()
        if spec.rows_of is not None and spec.rows_of not in own:
            hint = meant(spec.rows_of, own)
            yield f"there is no outcome {quoted(spec.rows_of)} with rows of its own{hint}", (part,), ()
    for one, other in pairwise(whole.outcomes):
        if whole.least(one) == whole.least(other):
            yield (
                f"{one} and {other} need the same shifts: give each its own number",
                (("outcomes", one), ("outcomes", other)),
                (),
            )


def _names(whole: Ruleset) -> Iterator[Fault]:
    """Every name of an action, a variant or a branch must refer to an existing one."""

    def unknown(names: Iterable[str], known: Collection[str | None], part: Part) -> Iterator[Fault]:
        there = [each for each in known if each]
        for name in names:
            if name not in there:
                message = f"there is no {quoted(name)} here{meant(name, there)}; known: {', '.join(there)}"
                yield message, (part,), (name,)

    for name, action in whole.actions.items():
        part: Part = ("actions", name)
        own = [each for each in action.all_variants if action.variant(each).rows_of is None]
        yield from unknown((each.rows_of for each in action.variants if each.rows_of), own, part)
        if not action.opposition and not action.opposition_on_target:
            yield f"{name} needs opposition or opposition_on_target: what may oppose it", (part,), ()
    for name, maneuver in whole.maneuvers.items():
        yield from unknown((maneuver.action,), whole.actions, ("maneuvers", name))
    for frame, spec in whole.frames.items():
        yield from unknown(spec.refuses, whole.actions, ("frames", frame))
    if whole.weight is not None:
        yield from unknown(whole.weight.actions, whole.actions, ("weight", None))
    branches = {branch.id for row in whole.rows for branch in row.branches}
    for rider in whole.riders:
        part = ("riders", rider.id)
        yield from unknown(rider.actions or (), whole.actions, part)
        yield from unknown(rider.maneuvers or (), whole.maneuvers, part)
        yield from unknown(rider.outcomes or (), (FAIL, *whole.outcomes), part)
        forms = (*([rider.first_form.form] if rider.first_form else []), *rider.drops_forms)
        yield from unknown(forms, whole.forms, part)
        yield from unknown(rider.drops_branches, branches, part)


def _labels(whole: Ruleset) -> Iterator[Fault]:
    """Every action and form has a label, and no two actions share one."""
    tables: tuple[tuple[str, Mapping[str, ActionSpec | FormSpec]], ...] = (
        ("actions", whole.actions),
        ("forms", whole.forms),
    )
    for table, specs in tables:
        for name, spec in specs.items():
            if not spec.label.strip():
                yield f"the label of {name} is blank: give its name at the table", ((table, name),), ("label",)
    for one, other in combinations(whole.actions, 2):
        if (problem := _alike(one, whole.actions[one].label, other, whole.actions[other].label)) is not None:
            yield problem, (("actions", other), ("actions", one)), ("label",)


def _alike(one: str, label: str, other: str, other_label: str) -> str | None:
    """Return the problem if two things that are shown together have the same label."""
    is_same = label.casefold().strip() == other_label.casefold().strip()
    return f"{other} has the same label as {one}, {quoted(label)}: give each its own" if is_same else None


def _rows(whole: Ruleset) -> Iterator[Fault]:
    """Every outcome of every action and variant has a row, and there are no other rows."""
    outcomes = (FAIL, *(name for name, each in whole.outcomes.items() if each.rows_of is None))
    of_variants: dict[RowKey, None] = {
        (action, variant, None, outcome): None
        for action, spec in whole.actions.items()
        for variant in spec.all_variants
        if spec.variant(variant).rows_of is None
        for outcome in outcomes
    }
    of_maneuvers = {(spec.action, None, name, each) for name, spec in whole.maneuvers.items() for each in outcomes}
    for row in whole.rows:
        if row.key not in of_variants.keys() | of_maneuvers:
            yield f"{row.named} is not an action, variant and outcome with rows of its own", (("rows", row.key),), ()
    for action, variant, _, outcome in (each for each in of_variants if each not in whole.by_key):
        parts: tuple[Part, ...] = (("actions", action), *([("outcomes", outcome)] if outcome != FAIL else []))
        yield f"{' '.join(each for each in (action, variant, outcome) if each)} has no row", parts, ()


def _branches(row: RowSpec) -> Iterator[Fault]:
    part: Part = ("rows", row.key)
    ids = [branch.id for branch in row.branches]
    if all(branch.frames is not None for branch in row.branches):
        yield "a row needs at least one branch without frames", (part,), ("branches",)
    for one, other in combinations(row.branches, 2):
        problem = _alike(one.id, one.label, other.id, other.label)
        if problem is not None and one.id != other.id and one.goes_with(other):
            yield f"{problem}, in {row.named}", (part,), (other.id,)
    for branch in row.branches:
        if not branch.label.strip():
            yield f"the label of {branch.id} is blank: give its name at the table", (part,), (branch.id,)
        if ids.count(branch.id) > 1:
            yield f"two branches are called {quoted(branch.id)}", (part,), (branch.id,)
        names = [slot.name for slot in branch.slots]
        for name in names:
            if names.count(name) > 1:
                yield f"two slots of {branch.id} are called {quoted(name)}", (part,), (name,)


def _slots(whole: Ruleset, slots: Iterable[SlotSpec], part: Part) -> Iterator[Fault]:
    for slot in slots:
        names = [use.form for use in slot.forms]
        if not names:
            yield f"a {slot.kind} slot needs at least one form", (part,), ("forms",)
        for name in names:
            form = whole.forms.get(name)
            if form is None:
                known = ", ".join(each for each, spec in whole.forms.items() if slot.kind in spec.kinds)
                yield f"there is no form {quoted(name)}; for {slot.kind} use one of these: {known}", (part,), (name,)
            elif slot.kind not in form.kinds:
                message = f"form {name} is for {', '.join(form.kinds)}, not for {slot.kind}"
                yield message, (part, ("forms", name)), (name,)
            if names.count(name) > 1:
                yield f"form {name} occurs twice in one slot", (part,), (name,)
        for one, other in combinations(names, 2):
            if (problem := _alike(one, whole.forms[one].label, other, whole.forms[other].label)) is not None:
                yield (
                    f"{problem}, in one {slot.name}",
                    (("forms", other), ("forms", one), part),
                    (other,),
                )


def _needs(whole: Ruleset, row: RowSpec) -> Iterator[Fault]:
    """If a grant uses an aspect or path, the action must require one."""
    spec = whole.actions[row.action]
    sharing = (each for each in spec.variants if row.variant and each.rows_of == row.variant)
    for variant in (spec.variant(row.variant), *sharing):
        for branch in row.branches:
            for grant in branch.grants:
                if grant.wants is not None and grant.wants not in variant.needs:
                    message = f"{branch.id} grants {grant.type} by the {grant.wants}, but {row.named} does not need one"
                    yield message, (("rows", row.key), ("actions", row.action)), (branch.id,)


def _hits(whole: Ruleset, row: RowSpec) -> Iterator[Fault]:
    """A hit needs at least one shift and exactly one person, whose sheet says how to absorb it."""
    part: Part = ("rows", row.key)
    one = ("actor", "defender", "target") if whole.actions[row.action].is_attack else ("actor",)
    shifts = 0 if row.outcome == FAIL else min(map(whole.least, _leading_to(row, whole)))
    for branch in row.branches:
        for grant in (each for each in branch.grants if each.type == "hit"):
            if shifts - (grant.amount == "shifts - 1") < 1:
                yield f"{row.named} has no shifts to hit with", (part,), (branch.id,)
            if grant.to not in one:
                yield f"a hit of {row.named} must be for {' or '.join(one)}, not for {grant.to}", (part,), (branch.id,)


def _leading_to(row: RowSpec, whole: Ruleset) -> set[str]:
    """The outcomes that lead to a row: its own and those that use its rows."""
    return {row.outcome, *(name for name, each in whole.outcomes.items() if each.rows_of == row.outcome)}


def _rider(whole: Ruleset, rider: Rider) -> Iterator[Fault]:
    part: Part = ("riders", rider.id)
    yield from _slots(whole, rider.slots, part)
    first = rider.first_form
    if first is not None and first.kind not in whole.forms[first.form].kinds:
        kinds = ", ".join(whole.forms[first.form].kinds)
        yield f"form {first.form} is for {kinds}, not for {first.kind}", (part,), ("first_form",)
    for grant in rider.grants:
        if grant.type == "hit":
            yield "a rider can't grant a hit, because not every row has shifts for it", (part,), ("grants",)
        if grant.wants is not None:
            yield (
                f"a rider can't grant anything by the {grant.wants}, because not every row has one",
                (part,),
                ("grants",),
            )


def _meetings(whole: Ruleset, row: RowSpec) -> Iterator[Fault]:
    """No two riders may leave a row without a branch, or a slot without a form or a unique name."""
    outcomes = _leading_to(row, whole)
    shifts = None if row.outcome == FAIL else min(map(whole.least, outcomes))
    meeting = [rider for rider in whole.riders if rider.meets(row, outcomes, shifts, whole.maneuvers)]
    for pair in combinations_with_replacement(meeting, 2):
        riders = tuple({rider.id: rider for rider in pair}.values())
        if not riders[0].goes_with(riders[-1]):
            continue
        parts: tuple[Part, ...] = (*(("riders", each.id) for each in reversed(riders)), ("rows", row.key))
        left = [each for each in row.branches if not any(each.id in rider.drops_branches for rider in riders)]
        if all(branch.frames is not None for branch in left):
            yield f"this leaves {row.named} with no branch", parts, ("drops_branches",)
        for branch in left:
            slots = [*branch.slots, *(slot for rider in riders for slot in rider.slots)]
            names = [slot.name for slot in slots]
            for slot in slots:
                if names.count(slot.name) > 1:
                    yield f"{branch.id} of {row.named} then has two slots called {slot.name}", parts, ("slots",)
                if any(rider.empties(slot) for rider in riders):
                    yield f"this leaves {slot.name} of {row.named} with no form", parts, ("drops_forms",)


def _cards(whole: Ruleset) -> Iterator[Fault]:
    for card in whole.cards:
        part: Part = ("cards", card.id)
        form = whole.forms.get(card.form)
        if form is None:
            yield f"there is no form {quoted(card.form)}{meant(card.form, whole.forms)}", (part,), (card.form,)
        elif (problem := card.misfit(form)) is not None:
            yield problem, (part,), ("name" if card.kind is None or card.kind in form.kinds else "kind",)
