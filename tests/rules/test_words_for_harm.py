"""The slot that a hit brings: words for a consequence, whoever takes it, and how they come into the scene."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from tests.documents import BOXES_PER_HIT, INFLICTED, STRESS
from tests.rules.build import LEVELS, ask, forms_of, loaded, resolved
from tests.rules.test_harm import every_way
from tests.rules.test_inflicted import held, strike
from tests.rules.test_loading import HEAD, refusal_of

ATTACKED = [name for name in packaged() if "attack" in packaged_ruleset(name).actions]

LIP: Json = {"slot": "consequence", "form": "inflicted_consequence", "severity": "mild", "name": "Split Lip"}
LIP |= {"detail": "Blood runs down to the chin."}
ARM: Json = LIP | {"severity": "moderate", "name": "Broken Arm", "detail": "It hangs at a wrong angle."}


def struck(shifts: int, ruleset: str = "five-actions", **xan: Any) -> Json:
    """Ann hits Xan, of whom this is told."""
    request = strike(shifts, ruleset)
    request["scene"]["characters"][2] |= xan
    return request


def slots(answer: Json) -> dict[str, list[str]]:
    """The ids of the slots of each branch, in order."""
    return {branch["id"]: [slot["id"] for slot in branch["slots"]] for branch in answer["branches"]}


def settled(request: Json, *suggestions: Json, branch: str = "hit", **chosen: Any) -> narrator.Scene:
    """The scene after a hit, with these words."""
    return narrator.apply(request, {"branch": branch, "suggestions": list(suggestions), **chosen})


def refusal(request: Json, *suggestions: Json, **chosen: Any) -> tuple[str, str]:
    """The code and the field of a choice that does not fit."""
    with pytest.raises(NarratorError) as caught:
        settled(request, *suggestions, **chosen)
    return caught.value.code, caught.value.field.removeprefix("choice.")


def expected(hits: dict[str, int], boxes: list[int], free: list[str], most: int) -> tuple[set[str], list[str]]:
    """By counting every way: the branches whose hit a consequence may absorb, and all those levels."""
    found = {
        branch: {level for _, chosen in every_way(hit, boxes, free, most) for level in chosen}
        for branch, hit in hits.items()
    }
    levels = set[str]().union(*found.values())
    return {branch for branch, some in found.items() if some}, sorted(levels, key=lambda level: LEVELS[level])


@pytest.mark.parametrize("ruleset", ATTACKED)
@pytest.mark.parametrize("taken", [(), ("mild",), ("mild", "moderate"), ("mild", "moderate", "severe")])
def test_a_hit_that_a_consequence_may_absorb_brings_the_slot(ruleset: str, taken: tuple[str, ...]) -> None:
    """Last in each such branch and in no other, with the levels of all of them, for whoever is hit."""
    free = [level for level in LEVELS if level not in taken]
    track, boxes = next(iter(STRESS[ruleset].items()))
    for shifts, marks in product(range(1, 16), (0, len(boxes))):
        levels = [{"severity": each, "name": "Old" if each in taken else None} for each in LEVELS]
        stress = {track: {"boxes": boxes, "marked": boxes[:marks]}}
        answer = resolved(struck(shifts, ruleset, consequences=levels, stress=stress))
        hits = {
            branch["id"]: grant["amount"]
            for branch in answer["branches"]
            for grant in branch["grants"]
            if grant["type"] == "hit"
        }
        wounding, severities = expected(hits, boxes[marks:], free, BOXES_PER_HIT[ruleset])

        assert {branch for branch, ids in slots(answer).items() if "consequence" in ids} == wounding
        assert all("consequence" not in ids[:-1] for ids in slots(answer).values())
        if wounding:
            label = packaged_ruleset(ruleset).forms["inflicted_consequence"].label
            free_each = INFLICTED[ruleset]
            offer = {"to": ["Xan"], "holders": ["Ann"], "free_invocations": free_each, "severities": severities}
            assert forms_of(answer, "consequence") == [{"form": "inflicted_consequence", "label": label, **offer}]


def test_one_slot_for_all_branches() -> None:
    """With the levels of any: the lighter hit of the other branch needs no severe one alone."""
    levels = [{"severity": "mild"}, {"severity": "moderate"}]
    answer = narrator.resolve(struck(3, stress={}, consequences=levels))

    assert slots(answer.as_json()) == {"hit": ["consequence"], "hit_and_boost": ["boost", "consequence"]}
    assert [slot.id for slot in answer.slots()] == ["consequence", "boost"]
    assert {offer.severities for slot in answer.slots() for offer in slot.forms} == {None, ("mild", "moderate")}


HURTS_NOBODY: dict[str, Json] = {
    "stress alone": {"consequences": []},
    "nobody has a sheet": {"importance": "nameless"},
    "nobody told it": {"importance": "unknown"},
    "all is taken": {"consequences": [{"severity": "mild", "name": "Old"}]},
}


@pytest.mark.parametrize("somebody", HURTS_NOBODY.values(), ids=HURTS_NOBODY)
def test_without_such_a_way_there_is_no_slot(somebody: Json) -> None:
    """A hit that stress alone absorbs, one that takes out, and one that is the table's to write down."""
    assert slots(resolved(struck(2, **somebody))) == {"hit": []}


def test_a_lethal_hit_is_worded() -> None:
    """No stress absorbs it: then any level it may take is one for words."""
    (offer,) = forms_of(resolved(strike(1, attack={"lethal": True})), "consequence")

    assert offer["severities"] == ["mild", "moderate", "severe"]


def test_a_swarm_that_is_proof_takes_none() -> None:
    """Where the hit falls away, there is nothing to word."""
    people = [
        {"name": "Ann", "side": "pc", "importance": "pc"},
        {"name": "Rats", "side": "foes", "importance": "swarm", "weight": 4, "consequences": [{"severity": "mild"}]},
    ]
    attack = {"type": "attack", "target": "Rats", "roll": {"dice": [1, 1, 1, 1]}}
    request = ask({"characters": people, "frame": "conflict"}, request={"ruleset": "war-of-ashes"}, **attack)
    answer = resolved(request)

    assert [branch for branch in answer["branches"] if "falls_away" in branch]
    assert all("consequence" not in ids for ids in slots(answer).values())


@pytest.mark.parametrize("number", [0, 2])
def test_the_free_invocations_are_the_rulesets(tmp_path: Path, number: int) -> None:
    """A house may give more of them, or none."""
    ours = loaded(tmp_path, f"{HEAD}inflicted_consequence_invocations = {number}\n")
    answer = narrator.resolve(strike(2, "house"), rulesets=[ours]).as_json()
    (offer,) = forms_of(answer, "consequence")

    assert (offer["free_invocations"], offer["holders"]) == (number, ["Ann"])


def test_who_strikes_themself_gains_nothing() -> None:
    """Harm to oneself is worded as any other, and nobody inflicted it."""
    request = strike(2, target="Ann", opposition={"kind": "passive", "rating": 0})
    (offer,) = forms_of(resolved(request), "consequence")

    assert (offer["to"], offer["free_invocations"], "holders" in offer) == (["Ann"], 0, False)
    scene = settled(request, LIP, absorb={"consequences": ["mild"]})
    assert [level.name for level in scene.characters[0].consequences or ()] == ["Split Lip", None, None]
    assert held(scene) == []


SEVERITIES: dict[str, tuple[str | None, str | None]] = {
    "the mildest": (None, "mild"),
    "mild": ("mild", "mild"),
    "moderate": ("moderate", "moderate"),
    "not in reach": ("severe", None),
    "none at all": ("grave", None),
}


@pytest.mark.parametrize(("claimed", "given"), SEVERITIES.values(), ids=SEVERITIES)
def test_words_name_the_level_that_they_are_for(claimed: str | None, given: str | None) -> None:
    """One of the form's; left out it is the mildest, and another is refused with those that are."""
    request = struck(2, consequences=[{"severity": "mild"}, {"severity": "moderate"}])
    verdict = narrator.check(request, LIP | {"severity": claimed})

    if given is not None:
        assert verdict.accepted is not None
        mechanics = (verdict.accepted.severity, verdict.accepted.free_invocations, verdict.accepted.holders)
        assert (verdict.accepted.to, *mechanics) == ("Xan", given, 1, ("Ann",))
        assert narrator.check(request, verdict.accepted).accepted == verdict.accepted
    else:
        assert verdict.rejected is not None
        assert (verdict.rejected.code, verdict.rejected.field) == ("wrong_mechanics", "severity")
        assert "mild, moderate" in verdict.rejected.message


def test_words_name_the_consequence_of_their_level() -> None:
    """That which has no name; another beside it keeps its own, and the attacker has a free invocation of each."""
    absorb = {"consequences": [{"severity": "mild", "name": "Cut Ear"}, "moderate"]}
    scene = settled(strike(6), ARM, absorb=absorb)
    assert scene == settled(strike(6), ARM, absorb=absorb, holder="Ann")
    taken = {level.severity: level.name for level in scene.characters[2].consequences or ()}

    assert taken == {"mild": "Cut Ear", "moderate": "Broken Arm", "severe": None}
    assert held(scene) == [("Cut Ear", "Xan", {"Ann": 1}), ("Broken Arm", "Xan", {"Ann": 1})]
    assert scene.recent[-2:] == ("Broken Arm", "It hangs at a wrong angle.")


@pytest.mark.parametrize(
    "chosen",
    [
        {"absorb": {"stress": 2}},
        {"taken_out": True},
        {"absorb": {"consequences": [{"severity": "mild", "name": "Cut Ear"}]}},
    ],
    ids=["stress", "taken out", "words of one's own"],
)
def test_the_slot_may_be_left_empty(chosen: Json) -> None:
    """Whoever is hit takes stress, goes down, or says it in their own words; and the boost is wanted as ever."""
    boost = {"slot": "boost", "form": "boost", "name": "Off Balance", "detail": "Xan reels back a step."}
    for request, words, branch in ((strike(2), [], "hit"), (strike(3), [boost], "hit_and_boost")):
        assert settled(request, *words, branch=branch, **chosen).revision == 1
    assert refusal(strike(3), branch="hit_and_boost", **chosen) == ("bad_choice", "suggestions")


MISFITS: dict[str, tuple[list[Json], Json, str]] = {
    "of another level": ([ARM], {"absorb": {"consequences": ["mild"]}}, "suggestions.0.severity"),
    "of one that has its name": (
        [LIP],
        {"absorb": {"consequences": [{"severity": "mild", "name": "Cut Ear"}]}},
        "suggestions.0.severity",
    ),
    "with stress alone": ([LIP], {"absorb": {"stress": 2}}, "suggestions.0.severity"),
    "with nobody left to bear it": ([LIP], {"taken_out": True}, "suggestions.0.severity"),
    "two for one slot": ([LIP, ARM], {"absorb": {"consequences": ["mild", "moderate"]}}, "suggestions"),
    "one level without words": (
        [LIP],
        {"absorb": {"consequences": ["mild", "moderate"]}},
        "absorb.consequences.1.name",
    ),
    "no words at all": ([], {"absorb": {"consequences": ["mild"]}}, "absorb.consequences.0.name"),
    "another holder": ([LIP], {"absorb": {"consequences": ["mild"]}, "holder": "Bea"}, "holder"),
}


@pytest.mark.parametrize(("words", "chosen", "field"), MISFITS.values(), ids=MISFITS)
def test_what_does_not_fit_is_refused(words: list[Json], chosen: Json, field: str) -> None:
    """Words without a consequence, a consequence without words, and what nothing asks for."""
    shifts = 6 if len(chosen.get("absorb", {}).get("consequences", [])) > 1 else 2

    assert refusal(strike(shifts), *words, **chosen) == ("bad_choice", field)


@pytest.mark.parametrize(
    "rider", ['slots = [{ kind = "consequence", forms = ["inflicted_consequence"] }]', 'drops_slots = ["consequence"]']
)
def test_no_row_names_the_slot(tmp_path: Path, rider: str) -> None:
    """A hit brings it by itself."""
    error = refusal_of(tmp_path, f'{HEAD}[[riders]]\nid = "more"\nsection = "Here"\n{rider}\n')

    assert "aspect" in str(error)


SCAR = '[forms.scar]\nkinds = ["consequence"]\nlabel = "Scar"\nbrief = "a scar"\nname = "it"\nharm = "consequence"\n'
NO_SCARS = [
    SCAR.replace('["consequence"]', '["consequence", "boost"]'),
    SCAR + 'to = "actor"\n',
    SCAR.replace('harm = "consequence"', 'harm = "stress"'),
]


@pytest.mark.parametrize("form", NO_SCARS, ids=["for another slot too", "of the actor", "that is stress"])
def test_a_form_for_it_is_a_consequence_of_whoever_is_hit(tmp_path: Path, form: str) -> None:
    """A house that declares another is told where it is none; else it is offered as well."""
    refusal_of(tmp_path, HEAD + form)

    answer = narrator.resolve(strike(2, "house"), rulesets=[loaded(tmp_path, HEAD + SCAR)]).as_json()
    assert [each["form"] for each in forms_of(answer, "consequence")] == ["inflicted_consequence", "scar"]


@pytest.mark.parametrize(("second", "field"), [("cut ear", "absorb.consequences.1.name"), ("Cut Lip", None)])
def test_two_consequences_taken_at_once_are_called_differently(second: str, field: str | None) -> None:
    """Two aspects of one name on one character could not be told apart."""
    levels = [{"severity": "mild", "name": "Cut Ear"}, {"severity": "moderate", "name": second}]
    if field:
        assert refusal(strike(6), absorb={"consequences": levels}) == ("bad_choice", field)
    else:
        assert len(held(settled(strike(6), absorb={"consequences": levels}))) == 2
