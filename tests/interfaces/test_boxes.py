"""Absorbing a hit with several boxes, as it is typed, where the ruleset lets a hit mark them."""

from pathlib import Path

import pytest

from tests.interfaces.running import kept, made, page, refusal, said
from tests.rules.build import ANN, XAN


@pytest.fixture
def hit(tmp_path: Path) -> str:
    """The file of a page on which Ann hits Xan by 2."""
    fight = {"ruleset": "fate-condensed", "scene": {"characters": [ANN, XAN | {"importance": "named"}]}}
    scene, file = kept(tmp_path, "fight.json", fight), str(tmp_path / "page.json")
    attack = ("attack", "--actor", "Ann", "--target", "Xan", "--succeed", "--shifts", "2")
    printed = page("suggest", *attack, "--scene", scene, "--save", file)
    assert "absorbed by boxes 1 and 1; or mild;" in said(printed)
    return file


@pytest.mark.parametrize("typed", [["2"], ["1", "1"], ["box 1", "stress 1"]], ids=" and ".join)
def test_boxes_are_typed_one_by_one_or_by_their_sum(hit: str, typed: list[str]) -> None:
    """`--absorb` takes either, and each box is marked."""
    options = [word for text in typed for word in ("--absorb", text)]

    assert made("settle", hit, "h", *options)["scene"]["characters"][1]["stress"]["physical"]["marked"] == [1, 1]
    assert "Xan: physical stress, marks boxes of 1 and 1" in said(page("settle", hit, "h", *options))


@pytest.mark.parametrize("typed", [["1"], ["1", "1", "1"], ["3"]], ids=" and ".join)
def test_boxes_too_few_or_to_spare_are_refused(hit: str, typed: list[str]) -> None:
    """What is no way to absorb the hit is told with the ways there are."""
    line = refusal("settle", hit, "h", *(word for text in typed for word in ("--absorb", text)))

    assert line.startswith("narrator: bad_choice: --absorb: ")
    assert "boxes 1 and 1" in line
