"""Reads rulesets from TOML, takes in what they extend, and checks that nothing is missing or unknown."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import NoReturn

from narrator.errors import NarratorError, quoted
from narrator.rules import places
from narrator.rules.declared import FAIL, OutcomeSpec, RowSpec, SlotSpec
from narrator.rules.ruleset import Row, RowKey, Ruleset
from narrator.rules.ruleset_file import RulesetFile
from narrator.rules.toml_file import read_toml

SINGLES = ("inflicted_consequence_invocations", "skills", "sheet", "teamwork", "weight", "roar")
"""What of a file is taken whole, not part by part."""


@dataclass(frozen=True)
class Written:
    """
    A ruleset file as it was read: what it declares, its text, and the name to give it in messages.
    """

    file: RulesetFile
    text: str
    place: str

    def refuse(self, problem: str, *path: str | int) -> NoReturn:
        """
        Raise `bad_ruleset` for what stands at this path, naming the line.
        """
        raise NarratorError("bad_ruleset", f"{self.place}:{places.line_of(self.text, path)}", problem)


def packaged() -> tuple[str, ...]:
    """
    Name the rulesets that come with narrator.
    """
    return tuple(sorted(name for name, written in packaged_files().items() if written.file.rows))


@cache
def packaged_ruleset(name: str) -> Ruleset:
    """
    Load a packaged ruleset.

    Raises:
        NarratorError: `unknown_ruleset` where there is none of this name.
    """
    if name not in packaged():
        raise NarratorError("unknown_ruleset", "ruleset", f"there is no ruleset {quoted(name)}", packaged())
    return assemble(packaged_files()[name], packaged_files())


@cache
def packaged_files() -> Mapping[str, Written]:
    """
    Read the files that come with narrator, those too that are only there to be extended.
    """
    folder = files("narrator.rules") / "rulesets"
    found = (parse(file.read_text("utf-8"), file.name) for file in folder.iterdir() if file.name.endswith(".toml"))
    return {written.file.name: written for written in found}


def parse(text: str, place: str) -> Written:
    """
    Read the text of one ruleset file; `place` names it in messages.

    Raises:
        NarratorError: `bad_ruleset` with the file and the line.
    """
    return Written(read_toml(RulesetFile, text, place, "bad_ruleset"), text, place)


def assemble(written: Written, known: Mapping[str, Written]) -> Ruleset:
    """
    Make a whole ruleset of a file and all that it extends, and check it.

    Raises:
        NarratorError: `bad_ruleset` for a row that is missing or there twice, a form or slot that is not
            known, or files that extend each other in a ring; with the file and the line.
    """
    lineage = tuple(_lineage(written, known))
    gathered = _Gathered()
    for each in lineage:
        gathered.take(each)
    whole = gathered.ruleset(written)
    _check_names(whole, gathered)
    _check(whole, gathered)
    for each in lineage:
        _check_cards(whole, each)
    return whole


def _lineage(written: Written, known: Mapping[str, Written]) -> Iterator[Written]:
    line = [written]
    while (above := line[0].file.extends) is not None:
        if above not in known:
            names = ", ".join(sorted(known))
            line[0].refuse(f"extends {quoted(above)}, which is not known: {names}", "extends")
        if above in [each.file.name for each in line]:
            line[0].refuse(f"extends {quoted(above)}, which extends it in turn", "extends")
        line.insert(0, known[above])
    return iter(line)


class _Gathered:
    """
    What a line of files declares together, and where each part of it was written.
    """

    def __init__(self) -> None:
        self._parts: dict[str, dict[str, object]] = {}
        self.written: dict[tuple[str, str], Written] = {}
        self.rows: dict[RowKey, tuple[Written, int]] = {}
        self.removed: dict[str, None] = {}
        self._order: list[Written] = []

    def take(self, written: Written) -> None:
        """
        Take in one file over those before it.
        """
        self._order.append(written)
        file = written.file
        for part, names in file.removes:
            for name in names:
                if self._parts.get(part, {}).pop(name, None) is None:
                    written.refuse(f"removes {quoted(name)}, which is none of the {part} it extends", "removes", part)
        self.removed |= dict.fromkeys(file.removes.actions)
        self.rows = {
            key: row
            for key, row in self.rows.items()
            if key[0] not in file.removes.actions and key[-1] not in file.removes.outcomes
        }
        for part in ("outcomes", "frames", "forms", "actions", "maneuvers"):
            self._put(part, getattr(file, part), written)
        self._put("riders", {rider.id: rider for rider in file.riders}, written)
        for name in SINGLES:
            if getattr(file, name) is not None:
                self._put("singles", {name: getattr(file, name)}, written)
        ours: dict[RowKey, tuple[Written, int]] = {}
        for number, spec in enumerate(file.rows):
            key = _key(spec)
            if key in ours:
                written.refuse(f"{_named(key)} stands there twice", "rows", number)
            ours[key] = (written, number)
        self.rows |= ours

    def ruleset(self, written: Written) -> Ruleset:
        """
        Put it together.
        """
        singles = self._parts.get("singles", {})
        if {"sheet", "teamwork"} - singles.keys():
            written.refuse('there is no sheet and teamwork: extends = "common" brings them', "name")
        names = ("outcomes", "frames", "forms", "actions", "maneuvers", "riders")
        parts = {part: self._parts.get(part, {}) for part in names}
        return Ruleset(
            name=written.file.name,
            title=written.file.title,
            rows={key: self._row(key) for key in self.rows},
            cards=tuple(card for each in self._order for card in each.file.cards),
            **parts,  # type: ignore[arg-type]
            **{"inflicted_consequence_invocations": 0, "skills": (), "weight": None, "roar": None, **singles},  # type: ignore[arg-type]
        )

    def is_later(self, one: Written, other: Written) -> bool:
        """
        Whether a file was taken in after another.
        """
        return self._order.index(one) > self._order.index(other)

    def _put(self, part: str, declared: Mapping[str, object], written: Written) -> None:
        self._parts.setdefault(part, {}).update(declared)
        self.written |= {(part, name): written for name in declared}

    def _row(self, key: RowKey) -> Row:
        """
        A row bears the source of the file that wrote it, or that told anew where its action stands.
        """
        written, number = self.rows[key]
        spec = written.file.rows[number]
        action = self._parts["actions"].get(spec.action)
        section = getattr(action, "section", spec.action)
        by = self.written.get(("actions", spec.action), written)
        if self.is_later(by, written):
            return Row(spec, by.file.title, section)
        return Row(spec, written.file.title, spec.section or section)


def _check(whole: Ruleset, gathered: _Gathered) -> None:
    outcomes = (FAIL, *(name for name, each in whole.outcomes.items() if isinstance(each, int)))
    wanted: dict[RowKey, str] = {
        (action, variant, None, outcome): action
        for action, spec in whole.actions.items()
        for variant in spec.all_variants
        if variant not in spec.rows_of
        for outcome in outcomes
    }
    of_maneuvers: set[RowKey] = {
        (spec.action, None, name, outcome) for name, spec in whole.maneuvers.items() for outcome in outcomes
    }
    for key, action in wanted.items():
        if key not in whole.rows:
            gathered.written["actions", action].refuse(f"{_named(key)} has no row", "actions", action)
    for key, (by, number) in gathered.rows.items():
        if key not in wanted and key not in of_maneuvers:
            by.refuse(f"{_named(key)} is no action, variant and outcome declared here", "rows", number)
        _check_needs(whole, key, gathered)
        _check_hits(whole, key, by, number)
        slots = tuple(chain.from_iterable(branch.slots for branch in whole.rows[key].spec.branches))
        _check_branches(whole.rows[key].spec, by, ("rows", number))
        _check_slots(whole, slots, by, ("rows", number))
    for name, action_spec in whole.actions.items():
        if action_spec.opposition is None and action_spec.opposition_on_target is None:
            gathered.written["actions", name].refuse(f"{name} does not say what opposes it", "actions", name)
    for name, outcome in whole.outcomes.items():
        if isinstance(outcome, OutcomeSpec) and outcome.rows_of not in whole.outcomes:
            gathered.written["outcomes", name].refuse(
                f"there is no outcome {quoted(outcome.rows_of)}", "outcomes", name
            )
    for name, rider in whole.riders.items():
        by = gathered.written["riders", name]
        place = ("riders", [each.id for each in by.file.riders].index(name))
        _check_slots(whole, rider.slots, by, place)
        for grant in rider.grants:
            if grant.type == "hit":
                by.refuse("a rider grants no hit: not every row has shifts for it", *place, "grants")
            if grant.wants is not None:
                by.refuse(f"a rider grants nothing by the {grant.wants}: not every row has one", *place, "grants")
        forms = [rider.first_form.form] if rider.first_form else []
        for form in (*forms, *rider.drops_forms):
            if form not in whole.forms:
                by.refuse(f"there is no form {quoted(form)}", *place, form)
        for named, known in (
            (rider.actions, whole.actions),
            (rider.maneuvers, whole.maneuvers),
            (rider.outcomes, {FAIL: None, **whole.outcomes}),
        ):
            for each in named or ():
                if each not in known:
                    by.refuse(f"there is no {quoted(each)} here; there is: {', '.join(known)}", *place, each)


def _check_needs(whole: Ruleset, key: RowKey, gathered: _Gathered) -> None:
    """
    What a grant is on must be something that the action has to name.
    """
    action, variant, _, _ = key
    by, number = gathered.rows[key]
    declared = gathered.written["actions", action]
    spec = whole.actions[action]
    for named in (variant, *(each for each, other in spec.rows_of.items() if other == variant)):
        needed = spec.needs.get(named or "", ())
        for branch in whole.rows[key].spec.branches:
            for grant in branch.grants:
                wanted = grant.wants
                if wanted is None or wanted in needed:
                    continue
                message = f"{branch.id} grants {grant.type} by the {wanted}, which {_named(key)} does not need"
                if gathered.is_later(declared, by):
                    declared.refuse(message, "actions", action)
                by.refuse(message, "rows", number, branch.id)


def _check_hits(whole: Ruleset, key: RowKey, by: Written, number: int) -> None:
    """
    A hit is of so many shifts, and of one person, whose sheet says how to absorb it.
    """
    action, _, _, outcome = key
    one = ("actor", "defender", "target") if whole.actions[action].is_attack else ("actor",)
    for branch in whole.rows[key].spec.branches:
        for grant in branch.grants:
            if grant.type != "hit":
                continue
            if outcome == FAIL or whole.least(outcome) < 1:
                by.refuse(f"{_named(key)} has no shifts to hit with", "rows", number, branch.id)
            if grant.to not in one:
                known = " or ".join(one)
                by.refuse(f"a hit of {_named(key)} is for {known}, not for {grant.to}", "rows", number, branch.id)


def _check_cards(whole: Ruleset, by: Written) -> None:
    for number, card in enumerate(by.file.cards):
        place = ("cards", number)
        form = whole.forms.get(card.form)
        if form is None:
            by.refuse(f"there is no form {quoted(card.form)}", *place, card.form)
        if card.kind is not None and card.kind not in form.kinds:
            by.refuse(f"form {card.form} is for {', '.join(form.kinds)}, not for a {card.kind}", *place, "kind")
        if (card.name is None) != (form.name is None):
            wanted = "wants a name" if form.name else "takes no name"
            by.refuse(f"form {card.form} {wanted}", *place, "name")


def _check_branches(spec: RowSpec, by: Written, place: tuple[str | int, ...]) -> None:
    ids = [branch.id for branch in spec.branches]
    if not ids:
        by.refuse("a row wants at least one branch", *place, "branches")
    for branch in spec.branches:
        if ids.count(branch.id) > 1:
            by.refuse(f"two branches are called {quoted(branch.id)}", *place, branch.id)
        slots = [slot.id or slot.kind for slot in branch.slots]
        for slot in slots:
            if slots.count(slot) > 1:
                by.refuse(f"two slots of {branch.id} are called {quoted(slot)}", *place, slot)


def _check_names(whole: Ruleset, gathered: _Gathered) -> None:
    """
    Whatever names an action, a variant or a branch elsewhere must name one that there is.
    """

    def known(part: str, name: str, names: Iterable[str], wanted: Collection[str | None]) -> None:
        for each in names:
            if each not in wanted:
                there_is = ", ".join(one for one in wanted if one)
                message = f"there is no {quoted(each)} here; there is: {there_is}"
                gathered.written[part, name].refuse(message, part, name, each)

    for name, action in whole.actions.items():
        named = (*action.rows_of.values(), *action.rows_of, *action.opposition_of, *action.needs)
        known("actions", name, named, action.all_variants)
    for name, maneuver in whole.maneuvers.items():
        known("maneuvers", name, (maneuver.action,), whole.actions)
    for name, frame in whole.frames.items():
        known("frames", name, frame.refuses, (*whole.actions, *gathered.removed))
    if whole.weight is not None:
        known("singles", "weight", whole.weight.actions, whole.actions)
    branches = {branch.id for row in whole.rows.values() for branch in row.spec.branches}
    for name, rider in whole.riders.items():
        known("riders", name, rider.drops_branches, branches)
        for row in whole.rows.values():
            ids = {branch.id for branch in row.spec.branches}
            if ids and ids <= set(rider.drops_branches) and row.spec.action in (rider.actions or (row.spec.action,)):
                message = f"this leaves {_named(_key(row.spec))} no branch"
                gathered.written["riders", name].refuse(message, "riders", name, *sorted(ids))
    least = [spec if isinstance(spec, int) else spec.least for spec in whole.outcomes.values()]
    if least != sorted(set(least)):
        last = list(whole.outcomes)[-1]
        gathered.written["outcomes", last].refuse(
            "outcomes want more and more shifts, in the order they stand", "outcomes"
        )


def _check_slots(whole: Ruleset, slots: tuple[SlotSpec, ...], by: Written, place: tuple[str | int, ...]) -> None:
    for slot in slots:
        if not slot.forms:
            by.refuse(f"a {slot.kind} slot wants at least one form", *place, "forms")
        for use in slot.forms:
            if use.form not in whole.forms:
                known = ", ".join(name for name, form in whole.forms.items() if slot.kind in form.kinds)
                by.refuse(f"there is no form {quoted(use.form)}; for a {slot.kind} there is: {known}", *place, use.form)
            if slot.kind not in whole.forms[use.form].kinds:
                kinds = ", ".join(whole.forms[use.form].kinds)
                by.refuse(f"form {use.form} is for {kinds}, not for a {slot.kind}", *place, use.form)


def _key(spec: RowSpec) -> RowKey:
    return (spec.action, spec.variant, spec.maneuver, spec.outcome)


def _named(key: RowKey) -> str:
    return " ".join(part for part in key if part)
