"""What a resolution tells the table that it may have overlooked, and names that nobody may bear."""

from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.rules.build import ask, resolved


def conflict(ann: Json, **scene: Any) -> Json:
    """Ann in a hall beside a yard."""
    zones = [{"name": "Hall", "adjacent": ["Yard"]}, {"name": "Yard", "adjacent": ["Hall"], "aspects": ["Mud"]}]
    return {"characters": [{"name": "Ann", "side": "pc", "importance": "pc", **ann}], "zones": zones, **scene}


def move(zone: str | None, hindering: list[str]) -> Json:
    """Ann, who is there, moves from the hall into the yard."""
    against = {"kind": "movement", "hindering": hindering}
    path = ["Hall", "Yard"]
    return ask(
        conflict({"zone": zone}), request={"ruleset": "war-of-ashes"}, variant="movement", path=path, opposition=against
    )


def contest(frame: str, forfeits: bool) -> Json:
    """Ann rolls, after she forfeited a roll or not."""
    return ask(conflict({"forfeits_next_contest_roll": forfeits}, frame=frame))


def advantage(aspect: str, variant: str | None) -> Json:
    """Ann makes or uses an aspect; there is Mud in the yard."""
    return ask(conflict({}), type="create_advantage", aspect=aspect, variant=variant)


def helped(bea: int) -> Json:
    """Bea helps Ann, who is Fair at it."""
    people = [{"name": name, "side": "pc", "skills": {"Lore": lore}} for name, lore in (("Ann", 2), ("Bea", bea))]
    return ask({"characters": people}, skill="Lore", helpers=["Bea"], roll={"dice": [0, 0, 0, 0]})


NOTICED: dict[str, tuple[Json, str, bool]] = {
    # a request, words of a notice, and whether it is told
    # Into a zone next door with nothing in the way nobody rolls (War of Ashes, "Movement on the Battlefield").
    "a free move": (move("Hall", []), "free move", True),
    "a move that is hindered": (move("Hall", ["Mud"]), "free move", False),
    # It is not judged, as a table may know better; but it is said.
    "a path from here": (move("Hall", ["Mud"]), "begins in Hall", False),
    "a path from elsewhere": (move("Yard", ["Mud"]), "begins in Hall", True),
    "a path from nobody knows where": (move(None, ["Mud"]), "begins in Hall", False),
    # In a contest, by whoever forfeits it.
    "a forfeited roll": (contest("contest", True), "Ann forfeits this roll", True),
    "a roll that is not forfeited": (contest("contest", False), "Ann forfeits this roll", False),
    "a forfeited roll, in a conflict": (contest("conflict", True), "Ann forfeits this roll", False),
    # Where somebody would make an aspect anew that is there, and did not say that they mean to.
    "an aspect that is in play": (advantage("Mud", None), "in play already", True),
    "an aspect that is not": (advantage("Fog", None), "in play already", False),
    "an aspect that is meant to be": (advantage("Mud", "existing_aspect"), "in play already", False),
    "a roll against oneself": (
        ask(conflict({}), opposition={"kind": "active", "by": "Ann", "roll": {"total": 0}}),
        "Ann rolls against Ann",
        True,
    ),
    # Among actor and helpers the highest rating leads, the actor's own where it is as high.
    "a helper who leads": (helped(3), "Bea leads", True),
    "a helper who is as good": (helped(2), "Bea leads", False),
    "a helper who is worse": (helped(1), "Bea leads", False),
}


@pytest.mark.parametrize(("request_", "words", "is_told"), NOTICED.values(), ids=NOTICED)
def test_what_a_table_may_have_overlooked_is_noticed(request_: Json, words: str, is_told: bool) -> None:
    """It is said where it is so, and nowhere else."""
    assert (words in "\n".join(resolved(request_)["notices"])) == is_told


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
