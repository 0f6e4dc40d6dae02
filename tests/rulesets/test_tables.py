"""What the test of every packaged ruleset has typed of its document is what `resolve` gives."""

from typing import Any

import pytest

from narrator.rules.loading import packaged, packaged_ruleset
from tests.documents import ATTACKS_IN, BOXES_PER_HIT, DEEDS, OUTCOMES, STRESS, Told, told
from tests.rules.build import ANN, DEFEND, FRAMES, XAN, Json, ask, cases, refused, resolved, wrong

every_ruleset = pytest.mark.parametrize("ruleset", packaged())


def of_each(what: Told) -> pytest.MarkDecorator:
    """Each ruleset with each thing that its test tells, if it tells any, and what it says of it."""
    every = [(ruleset, *each) for ruleset in packaged() for each in told(ruleset, what, {}).items()]
    ids = [f"{ruleset} {of}" for ruleset, of, _ in every]
    return pytest.mark.parametrize(("ruleset", "of", "expected"), every, ids=ids)


def one_of_each_cell(ruleset: str) -> list[Json]:
    """A request for each cell of its table."""
    return [cases(ruleset, [cell])[0].request for cell in told(ruleset, "TABLE")]


@pytest.mark.every_case
@every_ruleset
def test_every_cell_gives_what_the_table_says(ruleset: str) -> None:
    """A row gives the branches, goals, grants, slots and forms that the document has, and no others."""
    assert wrong(ruleset, told(ruleset, "TABLE")) == []


@every_ruleset
def test_the_table_has_every_cell(ruleset: str) -> None:
    """Of whatever the document lets one do, each variant and maneuver has a cell for every outcome that there is."""
    requests = [(case["action"], resolved(case)["outcome"]) for case in one_of_each_cell(ruleset)]
    usual = {action: spec.all_variants[0] for action, spec in packaged_ruleset(ruleset).actions.items()}

    def key(action: Any, outcome: str) -> tuple[str | None, ...]:
        return (action["type"], action.get("variant") or usual[action["type"]], action.get("maneuver"), outcome)

    wanted = {
        key({"type": deed.type, "variant": variant, "maneuver": maneuver}, outcome)
        for deed in DEEDS[ruleset]
        for variant in deed.variants
        for maneuver in deed.maneuvers
        for outcome in ("fail", *OUTCOMES[ruleset])
    }
    assert wanted - {key(action, outcome) for action, outcome in requests} == set()


@every_ruleset
def test_a_ruleset_has_the_skills_outcomes_and_sheet_of_its_document(ruleset: str) -> None:
    """No more of them and no fewer."""
    whole = packaged_ruleset(ruleset)

    assert sorted(whole.skills) == sorted(told(ruleset, "SKILLS").split())
    assert {name: whole.least(name) for name in whole.outcomes} == OUTCOMES[ruleset]
    assert {track: [*boxes] for track, boxes in whole.sheet.stress.items()} == STRESS[ruleset]
    assert whole.sheet.boxes_per_hit in (BOXES_PER_HIT[ruleset], "any")


@pytest.mark.every_case
@every_ruleset
def test_every_row_names_its_section(ruleset: str) -> None:
    """Whoever doubts a ruling finds the page, also for rows that are those of another document."""
    document, sections = told(ruleset, "DOCUMENT"), told(ruleset, "SECTIONS")
    for request in one_of_each_cell(ruleset):
        answer = resolved(request)

        done = [request["action"].get(part) for part in ("maneuver", "variant", "type")]
        keys = [key for each in done for key in (f"{each} {answer['outcome']}", each)]
        section = next(sections[key] for key in keys if key in sections)
        assert {"document": document, "section": section} == answer["source"]


@every_ruleset
def test_every_label_has_words(ruleset: str) -> None:
    """Branches and forms are called something at the table."""
    answers = map(resolved, one_of_each_cell(ruleset))
    branches = [branch for answer in answers for branch in answer["branches"]]
    forms = [form for branch in branches for slot in branch["slots"] for form in slot["forms"]]

    assert [each for each in (*branches, *forms) if not each["label"].strip() or "{" in each["label"]] == []


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


@of_each("HITS")
def test_a_hit_is_absorbed_as_the_document_says(ruleset: str, of: int, expected: list[Any]) -> None:
    """On each track: the ways to take a hit of so many shifts, by the stress that is marked and the consequences."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}
    for track in STRESS[ruleset]:
        action = {"type": "attack", "target": "Xan", "attack": {"track": track}, "opposition": DEFEND.at(0)}

        answer = resolved(ask(scene, request={"ruleset": ruleset}, **action, roll={"total": of}))

        hit = answer["branches"][0]["grants"][0]
        assert (track, expected) == (hit["track"], [(way.get("stress"), way["consequences"]) for way in hit["absorb"]])


@of_each("HELPS")
def test_a_helper_adds_what_the_document_says(ruleset: str, of: int, expected: int) -> None:
    """Whoever helps with a skill of that rating adds so much to the total of who acts."""
    skill = told(ruleset, "SKILLS").split()[0]
    people = [ANN | {"skills": {skill: 4}}, {"name": "Bea", "side": "pc", "skills": {skill: of}}, XAN]
    action: Json = {"skill": skill, "helpers": ["Bea"], "roll": {"dice": [0, 0, 0, 0]}}

    answer = resolved(ask({"characters": people}, request={"ruleset": ruleset}, **action))

    assert 4 + expected == answer["roll"]["total"]
