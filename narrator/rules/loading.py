"""Reads rulesets from TOML, takes in what they extend, and checks that nothing is missing or unknown."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain

from pydantic import ValidationError

from narrator.errors import NarratorError, quoted
from narrator.rules.model import refusal
from narrator.rules.ruleset import FAIL, Row, RowKey, RowSpec, Ruleset, RulesetFile, SlotSpec


def packaged() -> tuple[str, ...]:
    """
    Name the rulesets that come with narrator.
    """
    return tuple(sorted(name for name, file in _packaged_files().items() if file.rows))


@cache
def ruleset(name: str) -> Ruleset:
    """
    Load a packaged ruleset.

    Raises:
        NarratorError: `unknown_ruleset` where there is none of this name.
    """
    if name not in packaged():
        raise NarratorError("unknown_ruleset", "ruleset", f"there is no ruleset {quoted(name)}", packaged())
    return assemble(_packaged_files()[name], _packaged_files())


def parse(text: str, place: str) -> RulesetFile:
    """
    Read the text of one ruleset file; `place` names it in messages.

    Raises:
        NarratorError: `bad_ruleset` with the place in the file.
    """
    try:
        return RulesetFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise NarratorError("bad_ruleset", place, str(error)) from None
    except ValidationError as error:
        found = refusal(error)
        raise NarratorError("bad_ruleset", place, f"{found.field}: {found.message}", found.allowed) from None


def assemble(file: RulesetFile, known: Mapping[str, RulesetFile]) -> Ruleset:
    """
    Make a whole ruleset of a file and all that it extends, and check it.

    Raises:
        NarratorError: `bad_ruleset` for a row that is missing or there twice, a form or slot that is not
            known, or files that extend each other in a ring.
    """
    files_ = tuple(_lineage(file, known))
    sheet = next((each.sheet for each in reversed(files_) if each.sheet), None)
    teamwork = next((each.teamwork for each in reversed(files_) if each.teamwork), None)
    if sheet is None or teamwork is None:
        raise NarratorError("bad_ruleset", file.name, 'sheet and teamwork are missing: extends = "common" has them')
    actions = {name: spec for each in files_ for name, spec in each.actions.items()}
    rows: dict[RowKey, Row] = {}
    for each in files_:
        rows |= _rows(each, {name: spec.section for name, spec in actions.items()})
    whole = Ruleset(
        name=file.name,
        title=file.title,
        outcomes={name: least for each in files_ for name, least in each.outcomes.items()},
        sheet=sheet,
        teamwork=teamwork,
        frames={name: spec for each in files_ for name, spec in each.frames.items()},
        forms={name: spec for each in files_ for name, spec in each.forms.items()},
        actions=actions,
        rows=rows,
        riders=tuple(rider for each in files_ for rider in each.riders),
    )
    for problem in _problems(whole):
        raise NarratorError("bad_ruleset", file.name, problem)
    return whole


def _lineage(file: RulesetFile, known: Mapping[str, RulesetFile]) -> Iterator[RulesetFile]:
    line = [file]
    while (above := line[0].extends) is not None:
        if above not in known:
            raise NarratorError("bad_ruleset", file.name, f"extends {quoted(above)}, which is not known", sorted(known))
        if known[above] in line:
            raise NarratorError("bad_ruleset", file.name, f"extends {quoted(above)}, which extends it in turn")
        line.insert(0, known[above])
    return iter(line)


def _rows(file: RulesetFile, sections: Mapping[str, str]) -> dict[RowKey, Row]:
    rows: dict[RowKey, Row] = {}
    for spec in file.rows:
        key = (spec.action, spec.variant, spec.outcome)
        if key in rows:
            raise NarratorError("bad_ruleset", file.name, f"{_named(key)} stands there twice")
        rows[key] = Row(spec, file.title, spec.section or sections.get(spec.action, spec.action))
    return rows


def _problems(whole: Ruleset) -> Iterator[str]:
    wanted = {
        (action, variant, outcome)
        for action, spec in whole.actions.items()
        for variant in spec.variants or (None,)
        for outcome in (FAIL, *whole.outcomes)
    }
    yield from (f"{_named(key)} has no row" for key in sorted(wanted - whole.rows.keys(), key=_named))
    yield from (f"{_named(key)} is a row of nothing declared" for key in whole.rows.keys() - wanted)
    for action, spec in whole.actions.items():
        if spec.opposition is None and spec.opposition_on_target is None:
            yield f"action {action} says nothing of what opposes it"
    for key, row in whole.rows.items():
        yield from (f"{_named(key)}: {problem}" for problem in _slot_problems(whole, _slots(row.spec)))
    for rider in whole.riders:
        yield from (f"rider {rider.section}: {problem}" for problem in _slot_problems(whole, rider.slots))
        if rider.first_form and rider.first_form.form not in whole.forms:
            yield f"rider {rider.section}: there is no form {quoted(rider.first_form.form)}"


def _slots(spec: RowSpec) -> tuple[SlotSpec, ...]:
    return tuple(chain.from_iterable(branch.slots for branch in spec.branches))


def _slot_problems(whole: Ruleset, slots: tuple[SlotSpec, ...]) -> Iterator[str]:
    for slot in slots:
        for use in slot.uses():
            if use.form not in whole.forms:
                yield f"there is no form {quoted(use.form)}"
            elif slot.kind not in whole.forms[use.form].kinds:
                yield f"form {use.form} is no {slot.kind}"


def _named(key: RowKey) -> str:
    return " ".join(part for part in key if part)


@cache
def _packaged_files() -> Mapping[str, RulesetFile]:
    folder = files("narrator.rules") / "rulesets"
    read = (parse(file.read_text("utf-8"), file.name) for file in folder.iterdir() if file.name.endswith(".toml"))
    return {file.name: file for file in read}
