"""Absorbing a hit with several boxes, as it is typed, where the ruleset lets a hit mark them."""

from pathlib import Path

import pytest

from tests.interfaces.running import kept, made, page, refusal, said
from tests.rules.build import ANN, XAN


def hit_by(shifts: int, folder: Path, says: str, **sheet: object) -> str:
    """The file of a page on which Ann hits Xan, and which says how Xan may absorb it."""
    fight = {"ruleset": "fate-condensed", "scene": {"characters": [ANN, XAN | {"importance": "named"} | sheet]}}
    scene, file = kept(folder, "fight.json", fight), str(folder / "page.json")
    outcome = "--style" if shifts > 2 else "--succeed"
    attack = ("attack", "--actor", "Ann", "--target", "Xan", outcome, "--shifts", str(shifts))
    printed = page("suggest", *attack, "--scene", scene, "--save", file)
    assert says in said(printed)
    return file


def absorbing(*typed: str) -> list[str]:
    """The options that say so."""
    return [word for text in typed for word in ("--absorb", text)]


@pytest.fixture
def hit(tmp_path: Path) -> str:
    """A hit of 2 on three boxes of 1."""
    return hit_by(2, tmp_path, "absorbed by boxes 1 and 1; or mild;")


@pytest.fixture
def hard_hit(tmp_path: Path) -> str:
    """A hit of 5 on boxes of 1 to 4."""
    return hit_by(5, tmp_path, "absorbed by boxes 3 and 2;", stress={"physical": {"boxes": [1, 2, 3, 4]}})


@pytest.mark.parametrize("typed", [["2"], ["1", "1"], ["box 1", "stress 1"]], ids=" and ".join)
def test_boxes_are_typed_one_by_one_or_by_their_sum(hit: str, typed: list[str]) -> None:
    """`--absorb` takes either, and each box is marked."""
    options = absorbing(*typed)

    assert made("settle", hit, "h", *options)["scene"]["characters"][1]["stress"]["physical"]["marked"] == [1, 1]
    assert "Xan: physical stress, marks boxes of 1 and 1" in said(page("settle", hit, "h", *options))


@pytest.mark.parametrize("typed", [["1"], ["1", "1", "1"], ["3"]], ids=" and ".join)
def test_boxes_too_few_or_to_spare_are_refused(hit: str, typed: list[str]) -> None:
    """What is no way to absorb the hit is told with the ways there are."""
    line = refusal("settle", hit, "h", *absorbing(*typed))

    assert line.startswith("narrator: bad_choice: --absorb: ")
    assert "boxes 1 and 1" in line


MARKED = {
    "1 and 4": [1, 4],
    "4 and 1": [1, 4],
    "2 and 3": [2, 3],
    "5": [2, 3],
    "stress 5": [2, 3],
    "box 3 and mild=Limp": [3],
    "1 and 2 and mild=Limp": [1, 2],
}


@pytest.mark.parametrize("typed", MARKED)
def test_a_box_typed_is_the_box_that_is_marked(hard_hit: str, typed: str) -> None:
    """Of boxes that come to the same sum those are marked that were typed; a sum alone leaves them to the ruleset."""
    settled = made("settle", hard_hit, "h", *absorbing(*typed.split(" and ")))

    assert sorted(settled["scene"]["characters"][1]["stress"]["physical"]["marked"]) == MARKED[typed]


MISSING = {"box 5": "boxes 4 and 1", "3 and 3": "boxes 4 and 2", "5 and 1": "boxes 4 and 2"}


@pytest.mark.parametrize("typed", MISSING)
def test_a_box_that_is_not_there_is_refused(hard_hit: str, typed: str) -> None:
    """However well its value would go into the sum; told is what comes to the same."""
    line = refusal("settle", hard_hit, "h", *absorbing(*typed.split(" and ")))

    assert line.startswith("narrator: bad_choice: --absorb: ")
    assert MISSING[typed] in line
