"""Checks that a ruleset is whole: nothing is missing, nothing named that is not there, nothing that breaks in play."""

from collections.abc import Collection, Iterable

from narrator.errors import quoted
from narrator.rules.declared import FAIL, OutcomeSpec, Rider, RowKey, RowSpec, SlotSpec
from narrator.rules.origins import Origins, Written
from narrator.rules.ruleset import Ruleset
from narrator.rules.ruleset_file import Part, RulesetFile


def check_file(written: Written, below: RulesetFile) -> None:
    """
    Check a file by itself and against what it is to be laid over.

    Raises:
        NarratorError: `bad_ruleset` for what stands there twice, and for what is removed and was never there.
    """
    parts = set[Part]()
    for part, path in written.file.parts():
        if part in parts and part[0] in ("rows", "riders"):
            written.refuse(f"{_named(part)} stands there twice", *path)
        parts.add(part)
    for table, name in written.file.removes.missing(below):
        written.refuse(f"removes {quoted(name)}, which is none of the {table} it extends", "removes", table)


def check(whole: Ruleset, origins: Origins) -> None:
    """
    Check a ruleset that all it extends is laid into.

    Raises:
        NarratorError: `bad_ruleset`, with the file and the line.
    """
    _check_outcomes(whole, origins)
    _check_names(whole, origins)
    _check_rows_are_whole(whole, origins)
    for row in whole.rows:
        _check_needs(whole, row, origins)
        _check_hits(whole, row, origins)
        _check_branches(row, origins)
        _check_slots(whole, (slot for branch in row.branches for slot in branch.slots), ("rows", row.key), origins)
    for rider in whole.riders:
        _check_rider(whole, rider, origins)
    _check_cards(whole, origins)


def _check_outcomes(whole: Ruleset, origins: Origins) -> None:
    for name, outcome in whole.outcomes.items():
        if isinstance(outcome, OutcomeSpec) and outcome.rows_of not in whole.outcomes:
            origins.refuse(f"there is no outcome {quoted(outcome.rows_of)}", ("outcomes", name))
    least = [whole.least(name) for name in whole.outcomes]
    if least != sorted(set(least)):
        message = "outcomes want more and more shifts, in the order they stand"
        origins.refuse(message, *(("outcomes", name) for name in reversed(whole.outcomes)))


def _check_names(whole: Ruleset, origins: Origins) -> None:
    """
    Whatever names an action, a variant or a branch elsewhere must name one that there is.
    """

    def known(names: Iterable[str], wanted: Collection[str | None], part: Part) -> None:
        for each in names:
            if each not in wanted:
                there_is = ", ".join(one for one in wanted if one)
                origins.refuse(f"there is no {quoted(each)} here; there is: {there_is}", part, at=(each,))

    for name, action in whole.actions.items():
        known((each.rows_of for each in action.variants if each.rows_of), action.all_variants, ("actions", name))
        if action.opposition is None and action.opposition_on_target is None:
            origins.refuse(f"{name} does not say what opposes it", ("actions", name))
    for name, maneuver in whole.maneuvers.items():
        known((maneuver.action,), whole.actions, ("maneuvers", name))
    for frame, spec in whole.frames.items():
        known(spec.refuses, whole.actions, ("frames", frame))
    if whole.weight is not None:
        known(whole.weight.actions, whole.actions, ("weight", None))
    branches = {branch.id for row in whole.rows for branch in row.branches}
    for rider in whole.riders:
        part = ("riders", rider.id)
        known(rider.actions or (), whole.actions, part)
        known(rider.maneuvers or (), whole.maneuvers, part)
        known(rider.outcomes or (), (FAIL, *whole.outcomes), part)
        known((*([rider.first_form.form] if rider.first_form else []), *rider.drops_forms), whole.forms, part)
        known(rider.drops_branches, branches, part)


def _check_rows_are_whole(whole: Ruleset, origins: Origins) -> None:
    """
    Every outcome of every action and variant has its row, and there is no other.
    """
    outcomes = (FAIL, *(name for name, each in whole.outcomes.items() if isinstance(each, int)))
    of_variants: dict[RowKey, None] = {
        (action, variant, None, outcome): None
        for action, spec in whole.actions.items()
        for variant in spec.all_variants
        if spec.variant(variant).rows_of is None
        for outcome in outcomes
    }
    of_maneuvers = {(spec.action, None, name, each) for name, spec in whole.maneuvers.items() for each in outcomes}
    for key in (each for each in of_variants if each not in whole.by_key):
        part = ("outcomes", key[-1])
        message = f"{_named(('rows', key))} has no row"
        origins.refuse(message, ("actions", key[0]), *([part] if key[-1] != FAIL else []))
    for row in whole.rows:
        if row.key not in of_variants.keys() | of_maneuvers:
            message = f"{_named(('rows', row.key))} is no action, variant and outcome declared here"
            origins.refuse(message, ("rows", row.key))


def _check_needs(whole: Ruleset, row: RowSpec, origins: Origins) -> None:
    """
    What a grant is on must be something that the action has to name.
    """
    spec = whole.actions[row.action]
    sharing = (each for each in spec.variants if row.variant and each.rows_of == row.variant)
    for variant in (spec.variant(row.variant), *sharing):
        for branch in row.branches:
            for grant in branch.grants:
                if grant.wants is not None and grant.wants not in variant.needs:
                    name = _named(("rows", row.key))
                    message = f"{branch.id} grants {grant.type} by the {grant.wants}, which {name} does not need"
                    origins.refuse(message, ("rows", row.key), ("actions", row.action), at=(branch.id,))


def _check_hits(whole: Ruleset, row: RowSpec, origins: Origins) -> None:
    """
    A hit is of so many shifts, and of one person, whose sheet says how to absorb it.
    """
    part = ("rows", row.key)
    one = ("actor", "defender", "target") if whole.actions[row.action].is_attack else ("actor",)
    for branch in row.branches:
        for grant in (each for each in branch.grants if each.type == "hit"):
            if row.outcome == FAIL or whole.least(row.outcome) < 1:
                origins.refuse(f"{_named(part)} has no shifts to hit with", part, at=(branch.id,))
            if grant.to not in one:
                message = f"a hit of {_named(part)} is for {' or '.join(one)}, not for {grant.to}"
                origins.refuse(message, part, at=(branch.id,))


def _check_branches(row: RowSpec, origins: Origins) -> None:
    part = ("rows", row.key)
    ids = [branch.id for branch in row.branches]
    if not ids:
        origins.refuse("a row wants at least one branch", part, at=("branches",))
    for branch in row.branches:
        if ids.count(branch.id) > 1:
            origins.refuse(f"two branches are called {quoted(branch.id)}", part, at=(branch.id,))
        slots = [slot.id or slot.kind for slot in branch.slots]
        for slot in slots:
            if slots.count(slot) > 1:
                origins.refuse(f"two slots of {branch.id} are called {quoted(slot)}", part, at=(slot,))


def _check_slots(whole: Ruleset, slots: Iterable[SlotSpec], part: Part, origins: Origins) -> None:
    for slot in slots:
        if not slot.forms:
            origins.refuse(f"a {slot.kind} slot wants at least one form", part, at=("forms",))
        for use in slot.forms:
            if use.form not in whole.forms:
                known = ", ".join(name for name, form in whole.forms.items() if slot.kind in form.kinds)
                message = f"there is no form {quoted(use.form)}; for a {slot.kind} there is: {known}"
                origins.refuse(message, part, at=(use.form,))
            if slot.kind not in whole.forms[use.form].kinds:
                kinds = ", ".join(whole.forms[use.form].kinds)
                message = f"form {use.form} is for {kinds}, not for a {slot.kind}"
                origins.refuse(message, part, ("forms", use.form), at=(use.form,))


def _check_rider(whole: Ruleset, rider: Rider, origins: Origins) -> None:
    part = ("riders", rider.id)
    _check_slots(whole, rider.slots, part, origins)
    for grant in rider.grants:
        if grant.type == "hit":
            origins.refuse("a rider grants no hit: not every row has shifts for it", part, at=("grants",))
        if grant.wants is not None:
            message = f"a rider grants nothing by the {grant.wants}: not every row has one"
            origins.refuse(message, part, at=("grants",))
    for row in whole.rows:
        ids = {branch.id for branch in row.branches}
        if ids <= set(rider.drops_branches) and row.action in (rider.actions or (row.action,)):
            message = f"this leaves {_named(('rows', row.key))} no branch"
            origins.refuse(message, part, ("rows", row.key), at=tuple(sorted(ids)))


def _check_cards(whole: Ruleset, origins: Origins) -> None:
    for card in whole.cards:
        part = ("cards", card.id)
        form = whole.forms.get(card.form)
        if form is None:
            origins.refuse(f"there is no form {quoted(card.form)}", part, at=(card.form,))
        if (problem := card.misfit(form)) is not None:
            is_named = card.kind is None or card.kind in form.kinds
            origins.refuse(problem, part, at=("name" if is_named else "kind",))


def _named(part: Part) -> str:
    """
    Call a row or a rider by what names it.
    """
    name = part[1]
    return " ".join(each for each in name if each) if isinstance(name, tuple) else str(name)
