"""What a resolution tells the table that it may have overlooked, and names that nobody may bear."""

from typing import Any

import pytest

import narrator
from narrator import NarratorError
from tests.rules.build import Json, ask, resolved

PATH = ["Hall", "Yard"]


def conflict(ann: Json, **scene: Any) -> Json:
    """Ann in a hall beside a yard."""
    zones = [{"name": "Hall", "adjacent": ["Yard"]}, {"name": "Yard", "adjacent": ["Hall"], "aspects": ["Mud"]}]
    return {"characters": [{"name": "Ann", "side": "pc", "importance": "pc", **ann}], "zones": zones, **scene}


def notices(request: Json) -> str:
    """All that is told of it, in one text."""
    return "\n".join(resolved(request)["notices"])


def move(ann: Json, hindering: list[str]) -> Json:
    """Ann moves from the hall into the yard."""
    against = {"kind": "movement", "hindering": hindering}
    scene = conflict(ann)
    return ask(scene, request={"ruleset": "war-of-ashes"}, variant="movement", path=PATH, opposition=against)


@pytest.mark.parametrize(("hindering", "is_free"), [([], True), (["Mud"], False)])
def test_a_free_move_is_said_to_be_one(hindering: list[str], is_free: bool) -> None:
    """Into a zone next door with nothing in the way nobody rolls (War of Ashes, "Movement on the Battlefield")."""
    assert ("free move" in notices(move({"zone": "Hall"}, hindering))) == is_free


@pytest.mark.parametrize(("zone", "is_told"), [("Hall", False), ("Yard", True), (None, False)])
def test_a_path_from_elsewhere_is_noticed(zone: str | None, is_told: bool) -> None:
    """It is not judged, as a table may know better; but it is said."""
    assert ("begins in Hall" in notices(move({"zone": zone}, ["Mud"]))) == is_told


@pytest.mark.parametrize(
    ("frame", "forfeits", "is_told"), [("contest", True, True), ("contest", False, False), ("conflict", True, False)]
)
def test_a_forfeited_roll_is_noticed(frame: str, forfeits: bool, is_told: bool) -> None:
    """In a contest, by whoever forfeits it."""
    scene = conflict({"forfeits_next_contest_roll": forfeits}, frame=frame)

    assert ("Ann forfeits this roll" in notices(ask(scene))) == is_told


@pytest.mark.parametrize(
    ("aspect", "variant", "is_told"), [("Mud", None, True), ("Fog", None, False), ("Mud", "existing_aspect", False)]
)
def test_an_aspect_that_is_in_play_already_is_noticed(aspect: str, variant: str | None, is_told: bool) -> None:
    """Where somebody would make one anew that is there, and did not say that they mean to."""
    request = ask(conflict({}), type="create_advantage", aspect=aspect, variant=variant)

    assert ("in play already" in notices(request)) == is_told


def test_a_notice_is_told_once() -> None:
    """Also where two fields ask for it."""
    request = ask(conflict({}), skill="Cooking", attribute="Cooking", roll={"dice": [0, 0, 0, 0]})

    assert len(resolved(request)["notices"]) == 1


@pytest.mark.parametrize("name", ["GM", "*", " ", "\u3000"])
def test_nobody_bears_a_name_that_means_somebody_else(name: str) -> None:
    """The GM, whoever comes first, and no name at all."""
    with pytest.raises(NarratorError) as caught:
        narrator.resolve(ask({"characters": [{"name": "Ann", "side": "pc"}, {"name": name, "side": "x"}]}))

    assert (caught.value.code, caught.value.field) == ("bad_request", "request.scene.characters.1.name")


@pytest.mark.parametrize("opposition", ["active", "passive"])
def test_a_branch_is_called_by_what_it_gives(opposition: str) -> None:
    """Mere opposition leaves no boost, and then no branch has one in its name (Base Actions, "Active Opposition")."""
    against = {"kind": opposition, **({"roll": {"total": 0}} if opposition == "active" else {"rating": 0})}
    style = ask(request={"ruleset": "base-actions"}, roll={"total": 3}, opposition=against)
    (branch,) = resolved(style)["branches"]

    assert ("boost" in branch["label"]) == bool(branch["slots"])


@pytest.mark.parametrize(
    ("track", "lethal", "expected"), [(None, False, "physical"), ("mental", False, "mental"), ("mental", True, None)]
)
def test_a_hit_says_on_which_track_it_is(track: str | None, lethal: bool, expected: str | None) -> None:
    """The first of the sheet where none is told; none where no stress absorbs it."""
    here = {"characters": [{"name": "Ann", "side": "pc"}, {"name": "Xan", "side": "x", "importance": "named"}]}
    hit = ask(here, type="attack", target="Xan", attack={"track": track, "lethal": lethal})
    ((grant,),) = [branch["grants"] for branch in resolved(hit)["branches"]]

    assert grant.get("track") == expected


def test_who_rolls_against_themself_is_noticed() -> None:
    """It is not judged, but nobody meant it."""
    against = {"kind": "active", "by": "Ann", "roll": {"total": 0}}

    assert "Ann rolls against Ann" in notices(ask(conflict({}), opposition=against))


@pytest.mark.parametrize(("bea", "is_told"), [(3, True), (2, False), (1, False)])
def test_whose_skill_counts_is_said_where_a_helper_leads(bea: int, is_told: bool) -> None:
    """Among actor and helpers the highest rating leads, the actor's own where it is as high."""
    people = [
        {"name": "Ann", "side": "pc", "skills": {"Lore": 2}},
        {"name": "Bea", "side": "pc", "skills": {"Lore": bea}},
    ]
    request = ask({"characters": people}, skill="Lore", helpers=["Bea"], roll={"dice": [0, 0, 0, 0]})

    assert ("Bea leads" in notices(request)) == is_told
