"""Harm: what is free on a sheet, and every way to buy off a hit, against counting them all."""

import time
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, strategies as st

from narrator.rules.json_text import Json
from narrator.rules.request.scene import Character
from narrator.rules.resolve.harm import ways_to_absorb
from narrator.rules.resolve.resolution import Absorption
from narrator.rules.ruleset.declarations import Sheet
from tests.rules.build import ANN, LEVELS, XAN, ask, forms_of, resolved
from tests.strategies import sheets

Way = tuple[int | None, tuple[str, ...]]
"""One way to buy off a hit: the sum of the stress boxes, or None, and the consequences in order of severity."""

Taken = tuple[tuple[int, ...], tuple[str, ...]]
"""The same, box by box."""


def sheet(boxes: list[int], *levels: str, marked: list[int] | None = None, taken: list[str] | None = None) -> Json:
    """A sheet with physical boxes and consequence levels; `taken` are levels that are there and not free."""
    return {
        "stress": {"physical": {"boxes": boxes, "marked": marked or []}},
        "consequences": [
            *({"severity": level} for level in levels),
            *({"severity": level, "name": f"Old {level} harm"} for level in taken or []),
        ],
    }


def free_of(character: Json, track: str) -> tuple[list[int], list[str]]:
    """The free boxes of a track and the free consequences of a sheet, each as often as it is there."""
    stress = character["stress"].get(track, {"boxes": [], "marked": []})
    boxes = list(stress["boxes"])
    for marked in stress.get("marked", []):
        boxes.remove(marked)
    return boxes, [each["severity"] for each in character["consequences"] if each.get("name") is None]


def everything_taken(hit: int, boxes: list[int], free: list[str], most: int = 1) -> list[Taken]:
    """Try each choice of so many boxes and any consequences; keep what covers the hit and could not be less."""

    def covers(marked: tuple[int, ...], chosen: tuple[str, ...]) -> bool:
        return sum(marked) + sum(LEVELS[level] for level in chosen) >= hit

    def less(marked: tuple[int, ...], chosen: tuple[str, ...]) -> list[Taken]:
        without_level = [(marked, chosen[:place] + chosen[place + 1 :]) for place in range(len(chosen))]
        return [*((marked[:place] + marked[place + 1 :], chosen) for place in range(len(marked))), *without_level]

    choices: list[Taken] = [
        (marked, tuple(sorted(chosen, key=lambda level: LEVELS[level])))
        for number in range(min(most, len(boxes)) + 1)
        for marked in combinations(sorted(boxes), number)
        for size in range(len(free) + 1)
        for chosen in combinations(free, size)
    ]
    return [taken for taken in choices if covers(*taken) and not any(covers(*each) for each in less(*taken))]


def every_way(hit: int, boxes: list[int], free: list[str], most: int = 1) -> set[Way]:
    """The same as ways: what comes to one sum is one way."""
    return {(sum(marked) or None, chosen) for marked, chosen in everything_taken(hit, boxes, free, most)}


def ways_told(hit: int, character: Json, track: str = "physical") -> list[Way]:
    """The ways that a resolution tells, of a hit on this character."""
    attack: dict[str, Any] = {"type": "attack", "target": "Xan", "roll": {"total": hit}, "attack": {"track": track}}
    answer = resolved(ask({"characters": [ANN, XAN | character]}, **attack))
    absorb = answer["branches"][0]["grants"][0]["absorb"]
    return [(way.get("stress"), tuple(sorted(way["consequences"], key=lambda level: LEVELS[level]))) for way in absorb]


SHEETS = {
    "whole": sheet([1, 2], "mild", "moderate", "severe"),
    "a box marked": sheet([1, 2], "mild", "moderate", "severe", marked=[2]),
    "no box free": sheet([1, 2], "mild", "moderate", "severe", marked=[1, 2]),
    "a level taken": sheet([1, 2], "mild", "severe", taken=["moderate"]),
    "a level twice": sheet([1, 2], "mild", "mild", "moderate"),
    "a level twice and one taken": sheet([1, 2], "mild", "moderate", taken=["mild"]),
    "boxes of one value": sheet([1, 1, 1], "mild"),
    "a long track": sheet([1, 2, 3, 4], "mild", "moderate", "severe"),
    "boxes alone": sheet([1, 2, 3]),
    "consequences alone": sheet([], "mild", "moderate", "severe"),
    "everything taken": sheet([1, 2], marked=[1, 2], taken=["mild", "moderate", "severe"]),
    "nothing at all": sheet([]),
}


@pytest.mark.parametrize("hit", range(1, 16))
@pytest.mark.parametrize("name", SHEETS)
def test_a_hit_lists_every_way_to_buy_it_off_and_no_other(name: str, hit: int) -> None:
    """The list is complete, each way stands there once, and from none can anything be left away."""
    expected = every_way(hit, *free_of(SHEETS[name], "physical"))

    told = ways_told(hit, SHEETS[name])

    assert (expected, len(expected)) == (set(told), len(told))


@pytest.mark.parametrize(
    ("hit", "ways"),
    [
        pytest.param(1, [(1, ()), (2, ()), (None, ("mild",)), (None, ("moderate",)), (None, ("severe",))], id="1"),
        pytest.param(2, [(2, ()), (None, ("mild",)), (None, ("moderate",)), (None, ("severe",))], id="2"),
        pytest.param(14, [(2, ("mild", "moderate", "severe"))], id="14: all there is"),
        pytest.param(15, [], id="15: taken out"),
    ],
)
def test_the_ways_are_those_that_one_would_count_by_hand(hit: int, ways: list[Way]) -> None:
    """A few hits on a whole sheet, counted by hand, so that the brute force is held to something too."""
    assert set(ways) == set(ways_told(hit, SHEETS["whole"]))


@pytest.mark.parametrize(
    ("importance", "hit", "taken_out"),
    [
        ("pc", 14, False),
        ("pc", 15, True),
        ("named", 14, False),
        ("named", 15, True),
        ("nameless", 1, True),
        ("swarm", 1, True),
    ],
)
def test_who_has_no_sheet_told_has_the_rulesets(importance: str, hit: int, taken_out: bool) -> None:
    """A player's or named character has boxes 1 and 2 and one level of each; others have nothing to buy off with."""
    assert taken_out == (ways_told(hit, {"importance": importance}) == [])


def test_half_a_sheet_is_filled_up() -> None:
    """Stress that is told leaves the consequences as the ruleset has them, and the other way about."""
    only_stress = {"importance": "named", "stress": {"physical": {"boxes": [1]}}}
    only_consequences = {"importance": "named", "consequences": [{"severity": "mild"}]}

    assert every_way(5, [1], list(LEVELS)) == set(ways_told(5, only_stress))
    assert every_way(4, [1, 2], ["mild"]) == set(ways_told(4, only_consequences))


def test_a_hit_is_bought_off_with_its_own_track() -> None:
    """A box of another track is no help, and a track that the sheet does not have has no boxes."""
    character = {"stress": {"mental": {"boxes": [5]}}, "consequences": []}

    assert ways_told(3, character, "mental") == [(5, ())]
    assert ways_told(3, character, "physical") == []
    assert ways_told(3, character, "wealth") == []


def test_who_stands_in_takes_the_hit_on_their_own_sheet() -> None:
    """The ways are those of whoever defends, not of whom the attack was aimed at."""
    yve = {"name": "Yve", "side": "opposition", **sheet([], "mild")}
    against = {"kind": "defend", "by": "Yve", "roll": {"total": 0}}
    here = {"characters": [ANN, XAN | sheet([1, 2]), yve]}

    hit = resolved(ask(here, type="attack", target="Xan", opposition=against))["branches"][0]["grants"][0]

    assert (hit["to"], hit["absorb"]) == (["Yve"], [{"consequences": ["mild"]}])


# Several boxes.


def ways_listed(hit: int, character: Json, most: int | str, levels: dict[str, int] = LEVELS) -> tuple[Absorption, ...]:
    """The ways of a hit on this character, where it may mark so many boxes."""
    told = {"importance": ["pc"], "stress": {"physical": [1]}, "boxes_per_hit": most, "consequences": levels}
    whole = Character.model_validate(XAN | character)
    return ways_to_absorb(hit, whole, "physical", Sheet.model_validate(told))


ALL_KINDS = sheet([1, 5, 3, 3, 2, 2], "mild", "severe")


@given(
    character=sheets() | st.sampled_from([*SHEETS.values(), ALL_KINDS]),
    hit=st.integers(1, 20),
    most=st.sampled_from([1, 2, 3, "any"]),
)
def test_a_hit_may_mark_as_many_boxes_as_the_sheet_says(character: Json, hit: int, most: int | str) -> None:
    """Of any sheet: each sum of boxes stands there once with its consequences, and nothing can be left away from it."""
    boxes, free = free_of(character, "physical")
    expected = every_way(hit, boxes, free, len(boxes) if isinstance(most, str) else most)

    told = [(way.stress, way.consequences) for way in ways_listed(hit, character, most)]

    assert (expected, len(expected)) == (set(told), len(told))


@pytest.mark.parametrize("hit", range(1, 20))
def test_a_sum_takes_as_few_boxes_as_can_be_and_leaves_the_highest_free(hit: int) -> None:
    """Of boxes that come to the same sum, and none of them to spare, these are the ones that are marked."""
    boxes, free = free_of(ALL_KINDS, "physical")
    taken = everything_taken(hit, boxes, free, len(boxes))

    for way in ways_listed(hit, ALL_KINDS, "any"):
        same = [marked for marked, chosen in taken if (sum(marked) or None, chosen) == (way.stress, way.consequences)]
        marked = way.boxes or ((way.stress,) if way.stress else ())
        assert min((len(each), sorted(each, reverse=True)) for each in same) == (len(marked), sorted(marked)[::-1])


def test_the_fullest_sheet_is_listed_at_once() -> None:
    """Twelve boxes and twelve levels, no two of one value: thousands of ways, and nobody waits for them."""
    levels = {f"level {value}": value for value in range(2, 26, 2)}
    full = sheet([2**place for place in range(12)], *levels)
    before = time.process_time()

    ways = ways_listed(3000, full, "any", levels)

    assert time.process_time() - before < 5
    assert len({(way.stress, way.consequences) for way in ways}) == len(ways) == 5567


def test_boxes_of_one_value_make_few_ways() -> None:
    """A dozen boxes of 1 are a dozen sums, not thousands of ways."""
    twelve = sheet([1] * 12, "mild", "moderate", "severe")

    assert {(6, ()), (4, ("mild",)), (2, ("moderate",)), (None, ("severe",)), (None, ("mild", "moderate"))} == {
        (way.stress, way.consequences) for way in ways_listed(6, twelve, "any")
    }


# Costs that take what is free.


def costs(total: int, **character: object) -> dict[str, Json]:
    """The forms of a cost for Ann with this sheet: a serious one where she fails, a minor one where she ties."""
    kind = "serious_cost" if total < 0 else "minor_cost"
    answer = resolved(ask({"characters": [ANN | character, XAN]}, roll={"total": total}))
    return {form["form"]: form for form in forms_of(answer, kind)}


def level_of(*consequences: Json) -> str | None:
    """The level of a consequence as a serious cost, where one is offered."""
    severity: str | None = costs(-1, consequences=consequences).get("consequence", {}).get("severity")
    return severity


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        pytest.param({"mild": None, "moderate": None, "severe": None}, "mild", id="all free"),
        pytest.param({"severe": None, "moderate": None, "mild": None}, "mild", id="in any order"),
        pytest.param({"mild": "Limp", "moderate": None, "severe": None}, "moderate", id="mild taken"),
        pytest.param({"mild": "Limp", "moderate": "Burns", "severe": None}, "severe", id="severe alone free"),
        pytest.param({"mild": None, "moderate": "Burns", "severe": None}, "mild", id="one above taken"),
        pytest.param({"severe": None}, "severe", id="one level alone"),
        pytest.param({"mild": "Limp", "moderate": "Burns", "severe": "Blind"}, None, id="none free"),
        pytest.param({}, None, id="none at all"),
    ],
)
def test_a_consequence_is_at_the_lowest_level_that_is_free(levels: dict[str, str | None], expected: str | None) -> None:
    """Nobody chooses the level; where none is free the form is not offered."""
    assert expected == level_of(*({"severity": level, "name": name} for level, name in levels.items()))


def test_a_level_that_stands_twice_is_free_until_both_are_taken() -> None:
    """A character with two mild consequences bears another mild one while only one of them is taken."""
    limp, cut = ({"severity": "mild", "name": name} for name in ("Limp", "Cut"))

    assert level_of(limp, {"severity": "mild"}, {"severity": "moderate"}) == "mild"
    assert level_of(limp, cut, {"severity": "moderate"}) == "moderate"


@pytest.mark.parametrize("importance", ["nameless", "swarm"])
def test_who_has_no_sheet_pays_otherwise(importance: str) -> None:
    """A character without stress and consequences is offered the other forms alone."""
    assert [*costs(-1, importance=importance)] == [form for form in costs(-1) if form != "consequence"]
    assert "stress" not in costs(0, importance=importance)


@pytest.mark.parametrize(
    ("stress", "tracks"),
    [
        pytest.param(None, ["mental", "physical"], id="the ruleset's"),
        pytest.param({"physical": {"boxes": [1, 2], "marked": [1]}}, ["physical"], id="one box left"),
        pytest.param({"physical": {"boxes": [1, 1], "marked": [1]}}, ["physical"], id="one of two alike"),
        pytest.param(
            {"physical": {"boxes": [1, 2], "marked": [1, 2]}, "mental": {"boxes": [1]}}, ["mental"], id="one track full"
        ),
        pytest.param({"wealth": {"boxes": [1]}, "health": {"boxes": [3]}}, ["health", "wealth"], id="any tracks"),
        pytest.param({"physical": {"boxes": [1, 2], "marked": [2, 1]}}, None, id="full"),
        pytest.param({"physical": {"boxes": []}}, None, id="no boxes"),
        pytest.param({}, None, id="no tracks"),
    ],
)
def test_stress_is_offered_on_the_tracks_with_a_free_box(stress: Json | None, tracks: list[str] | None) -> None:
    """The actor marks one stress where there is room for it; where there is none the form is not offered."""
    found = costs(0, stress=stress).get("stress")

    assert tracks == (found and found["tracks"])
    assert found is None or (found["amount"], found["to"]) == (1, ["Ann"])
