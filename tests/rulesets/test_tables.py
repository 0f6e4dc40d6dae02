"""What the test of every packaged ruleset has typed of its document is what `resolve` gives.

Each failure says what the document's test has, what the TOML gives, in which line, and what to edit.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Any

import pytest

from narrator.rules.json_text import Json
from narrator.rules.ruleset.loader import lineage, packaged, packaged_file, packaged_files, packaged_ruleset
from narrator.rules.ruleset.row import FAIL
from narrator.rules.ruleset.ruleset_file import Origins, Part
from tests.documents import (
    ATTACKS_IN,
    BOXES_PER_HIT,
    CONSEQUENCES,
    DEEDS,
    INFLICTED,
    OUTCOMES,
    STRESS,
    Told,
    told,
    told_in,
)
from tests.rules.build import ANN, DEFEND, FRAMES, XAN, Case, ask, cases, refused, resolved, shown, wrong

every_ruleset = pytest.mark.parametrize("ruleset", packaged())


def of_each(what: Told) -> pytest.MarkDecorator:
    """Each ruleset with each thing that its test tells, if it tells any, and what it says of it."""
    every = [(ruleset, *each) for ruleset in packaged() for each in told(ruleset, what, {}).items()]
    ids = [f"{ruleset} {of}" for ruleset, of, _ in every]
    return pytest.mark.parametrize(("ruleset", "of", "expected"), every, ids=ids)


def place(ruleset: str, part: Part) -> str:
    """The file and the line of a part of a ruleset, which may stand in one that it extends."""
    return f"narrator/rules/rulesets/{Origins(lineage(packaged_file(ruleset))).place(part)}"


def cure(ruleset: str, *lines: str) -> None:
    """Fail with these lines, and what to do."""
    typed = f"{told_in(ruleset)} (what documents share is in cells.py beside it)"
    what = f"Edit {typed} or the TOML, whichever is not as the document has it; then run `make pages`."
    pytest.fail("\n".join([f"{ruleset}: {lines[0]}", *lines[1:], what]), pytrace=False)


def in_full(ruleset: str, case: Case, answer: Json) -> list[str]:
    """One case of a table in full: what was done, what its document says comes of it, and what does."""
    whole, action = packaged_ruleset(ruleset), answer["action"]
    row = whole.row(action["type"], action.get("variant"), answer["outcome"], action.get("maneuver"))
    shifts = None if row.outcome == FAIL else whole.least(row.outcome)
    meeting = [each for each in whole.riders if each.meets(row, {answer["outcome"]}, shifts, whole.maneuvers)]
    riders = [each.id for each in meeting if each.maneuvers is None or action.get("maneuver") in each.maneuvers]
    says, gives = case.branches, shown(answer)
    return [
        case.id,
        f"  {told_in(ruleset)} says: {case.outcome}",
        *(f"    {line}" for line in says if line not in gives),
        f"  {place(ruleset, ('rows', row.key))} gives: {answer['outcome']}",
        *(f"    {line}" for line in gives if line not in says),
        *(["  the same branches, in another order"] if sorted(says) == sorted(gives) else []),
        *(f"  rider {each} may change it: {place(ruleset, ('riders', each))}" for each in riders),
    ]


@pytest.mark.every_case
@every_ruleset
def test_every_cell_gives_what_the_table_says(ruleset: str) -> None:
    """A row gives the branches, goals, grants, slots and forms that the document has, and no others."""
    found = wrong(ruleset, told(ruleset, "TABLE"))
    if found:
        cure(ruleset, *in_full(ruleset, *found[0]), f"  ({len(found)} cases of the table are not as it says)")


@pytest.mark.every_case
@every_ruleset
def test_the_table_has_every_cell(ruleset: str) -> None:
    """Of whatever the document lets one do, each variant and maneuver has a cell for every outcome that there is."""
    usual = {action: spec.all_variants[0] for action, spec in packaged_ruleset(ruleset).actions.items()}

    def key(action: Any, outcome: str) -> tuple[str | None, ...]:
        return (action["type"], action.get("variant") or usual[action["type"]], action.get("maneuver"), outcome)

    requests = [cases(ruleset, [cell])[0].request for cell in told(ruleset, "TABLE")]
    told_of = {key(each["action"], resolved(each)["outcome"]) for each in requests}
    wanted = {
        key({"type": deed.type, "variant": variant, "maneuver": maneuver}, outcome)
        for deed in DEEDS[ruleset]
        for variant in deed.variants
        for maneuver in deed.maneuvers
        for outcome in (FAIL, *OUTCOMES[ruleset])
    }
    missing = sorted(" ".join(filter(None, each)) for each in wanted - told_of)
    if missing:
        cure(ruleset, f"TABLE says nothing of what DEEDS lets one do; it lacks: {', '.join(missing)}")


@pytest.mark.every_case
@every_ruleset
def test_a_ruleset_has_the_skills_outcomes_and_sheet_of_its_document(ruleset: str) -> None:
    """No more of them and no fewer."""
    whole = packaged_ruleset(ruleset)
    boxes, marked = whole.sheet.boxes_per_hit, BOXES_PER_HIT[ruleset]
    is_any = boxes == "any" and marked >= max(map(len, STRESS[ruleset].values()))
    had: dict[Told, tuple[Any, Any]] = {
        "SKILLS": (sorted(told(ruleset, "SKILLS").split()), sorted(whole.skills)),
        "OUTCOMES": (OUTCOMES[ruleset], {name: whole.least(name) for name in whole.outcomes}),
        "DOCUMENT": (told(ruleset, "DOCUMENT"), whole.title),
        "STRESS": ([*STRESS[ruleset].items()], [(track, [*each]) for track, each in whole.sheet.stress.items()]),
        "CONSEQUENCES": ([*CONSEQUENCES[ruleset].items()], [*whole.sheet.consequences.items()]),
        "INFLICTED": (INFLICTED[ruleset], whole.inflicted_consequence_invocations),
        "BOXES_PER_HIT": (marked, marked if is_any else boxes),
    }
    for what, (says, gives) in had.items():
        if says != gives:
            cure(ruleset, f"{what} says {says}", f"  the TOML gives {gives}")


@pytest.mark.every_case
@every_ruleset
def test_one_may_do_what_the_document_lets_one_do(ruleset: str) -> None:
    """Its actions, their variants and maneuvers, and what may oppose them, and no others."""
    whole, deeds = packaged_ruleset(ruleset), DEEDS[ruleset]
    assert {deed.type for deed in deeds} == {*whole.actions}, f"{ruleset}: DEEDS or the TOML has an action too many"
    for action, spec in whole.actions.items():
        mine = [deed for deed in deeds if deed.type == action]
        alone = chain(spec.opposition or (), *(each.opposition or () for each in spec.variants))
        had: dict[str, tuple[Iterable[str | None], Iterable[str | None]]] = {
            "variants": (chain(*(deed.variants for deed in mine)), (each.name for each in spec.variants)),
            "opposition": (chain(*(deed.alone for deed in mine)), alone),
            "opposition on a target": (chain(*(deed.on_target for deed in mine)), spec.opposition_on_target or ()),
        }
        for what, (typed, found) in had.items():
            says, gives = {*typed} - {None}, {*found}
            if says != gives:
                stands = f"  {place(ruleset, ('actions', action))} gives {gives or 'none'}"
                cure(ruleset, f"DEEDS says of {action}, {what}: {says or 'none'}", stands)
    maneuvers = {*chain(*(deed.maneuvers for deed in deeds))} - {None}
    assert maneuvers == {*whole.maneuvers}, f"{ruleset}: DEEDS or the TOML has a maneuver too many"


@pytest.mark.every_case
@every_ruleset
def test_every_row_and_rider_names_its_section(ruleset: str) -> None:
    """Whoever doubts a ruling finds the page, also for rows that are those of another document."""
    whole, document, sections = packaged_ruleset(ruleset), told(ruleset, "DOCUMENT"), told(ruleset, "SECTIONS")
    of = {rider.id: each.file.title for each in lineage(packaged_file(ruleset)) for rider in each.file.riders}
    parts: list[tuple[Part, list[str], tuple[str, str]]] = [
        (("riders", rider.id), [rider.id], (of[rider.id], rider.section)) for rider in whole.riders
    ]
    for row in whole.rows:
        names = [name for name in (row.maneuver, row.variant, row.action) if name]
        keys = [key for name in names for key in (f"{name} {row.outcome}", name)]
        parts.append((("rows", row.key), keys, (whole.source(row).document, whole.source(row).section)))
    for part, keys, gives in parts:
        key = next((key for key in keys if key in sections), keys[-1])
        says = sections.get(key, "nothing")
        if (says if isinstance(says, tuple) else (document, says)) != gives:
            stands = f"{place(ruleset, part)} says {gives[1] if gives[0] == document else gives}"
            cure(ruleset, f'SECTIONS says of "{key}": {says}', f"  {stands}")


@pytest.mark.every_case
@every_ruleset
def test_what_may_be_done_is_told_to_whoever_words_it(ruleset: str) -> None:
    """Every variant, maneuver and slot of a rider has a brief."""
    whole = packaged_ruleset(ruleset)
    parts: list[tuple[Part, str, str | None]] = [
        *((("actions", name), each.name, each.brief) for name, spec in whole.actions.items() for each in spec.variants),
        *((("maneuvers", name), name, spec.brief) for name, spec in whole.maneuvers.items()),
        *((("riders", rider.id), slot.name, slot.brief) for rider in whole.riders for slot in rider.slots),
    ]
    for part, name, brief in parts:
        if not (brief or "").strip():
            cure(ruleset, f"no `brief` says what {name} is to whoever words it: {place(ruleset, part)}")


def test_a_form_is_the_same_in_every_ruleset() -> None:
    """Cards and the reference know it by its name alone."""
    at: dict[str, str] = {}
    for ruleset in packaged_files():
        for name in packaged_file(ruleset).file.forms:
            here = place(ruleset, ("forms", name))
            if at.setdefault(name, here) != here:
                pytest.fail(f"{here}: form {name} is at {at[name]} already: declare it once", pytrace=False)


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame or "no frame")
@every_ruleset
def test_attacks_belong_where_the_document_has_them(ruleset: str, frame: str | None) -> None:
    """In a frame in which its table has no attack, one is refused; where it has none at all, by another name."""
    where = ATTACKS_IN[ruleset]
    request = ask({"frame": frame}, request={"ruleset": ruleset}, type="attack", target="Xan", opposition=DEFEND.at(0))

    if frame in where:
        assert resolved(request)["outcome"] == "succeed"
    else:
        assert refused(request)[0] == ("not_in_frame" if where else "unsupported_action")


@pytest.mark.every_case
@of_each("HITS")
def test_a_hit_is_absorbed_as_the_document_says(ruleset: str, of: int, expected: list[Any]) -> None:
    """On each track: the ways to take a hit of so many shifts, by the stress that is marked and the consequences."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}
    for track in STRESS[ruleset]:
        action = {"type": "attack", "target": "Xan", "attack": {"track": track}, "opposition": DEFEND.at(0)}

        answer = resolved(ask(scene, request={"ruleset": ruleset}, **action, roll={"total": of}))

        hit = answer["branches"][0]["grants"][0]
        gives = [(way.get("stress"), way["consequences"]) for way in hit["absorb"]]
        if (track, expected) != (hit["track"], gives):
            cure(ruleset, f"HITS says of {of} shifts: {expected}", f"  on {hit['track']} narrator gives {gives}")


@pytest.mark.every_case
@of_each("HELPS")
def test_a_helper_adds_what_the_document_says(ruleset: str, of: int, expected: int) -> None:
    """Whoever helps with a skill of that rating adds so much to the total of who acts."""
    skill = told(ruleset, "SKILLS").split()[0]
    people = [ANN | {"skills": {skill: 4}}, {"name": "Bea", "side": "pc", "skills": {skill: of}}, XAN]
    action: Json = {"skill": skill, "helpers": ["Bea"], "roll": {"dice": [0, 0, 0, 0]}}

    answer = resolved(ask({"characters": people}, request={"ruleset": ruleset}, **action))

    if (gives := answer["roll"]["total"] - 4) != expected:
        cure(ruleset, f"HELPS says of a helper with {of}: {expected}", f"  narrator adds {gives}")
