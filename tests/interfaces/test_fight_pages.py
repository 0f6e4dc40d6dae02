"""Pages of a fight by the advanced conflict: swarms, weight, roars and maneuvers, as the table reads them."""

import re
from pathlib import Path
from shlex import split

import pytest

from narrator.rules.json_text import Json
from tests.interfaces.running import kept, lines, made, page, said

SCENE: Json = {
    "frame": "conflict",
    "zones": [{"name": "Ice Bridge", "adjacent": ["Gatehouse"]}, {"name": "Gatehouse", "adjacent": ["Ice Bridge"]}],
    "characters": [
        {"name": "Iva", "side": "pc", "importance": "pc", "zone": "Ice Bridge", "skills": {"Forceful": 3}},
        {"name": "Orm", "side": "pc", "importance": "pc", "zone": "Ice Bridge", "skills": {"Flashy": 2}},
        {
            "name": "Kuld Pack",
            "side": "kuld",
            "importance": "swarm",
            "zone": "Ice Bridge",
            "weight": 4,
            "skills": {"Forceful": 2},
            "stress": {"physical": {"boxes": [1, 2, 3]}},
        },
        {"name": "Shaman", "side": "kuld", "importance": "named", "zone": "Gatehouse", "skills": {"Clever": 3}},
    ],
}
"""Two of weight 1 against a swarm of weight 4 on the bridge; its shaman stands at the gate."""


@pytest.fixture
def fight(tmp_path: Path) -> str:
    """The file of the scene."""
    return kept(tmp_path, "fight.json", {"ruleset": "war-of-ashes", "scene": SCENE})


def acting(fight: str, call: str, action: str, *options: str, by: str = "Kuld Pack") -> tuple[str, ...]:
    """Iva does something to the swarm, or somebody else, who got 0."""
    against = ("--by", by, "--against", "0") if by else ()
    return (call, action, "--scene", fight, "--actor", "Iva", "--skill", "Forceful", *against, *options)


OUTWEIGHED = {
    "attack --total 2": "harm",
    "attack --succeed --shifts 2": "harm",
    "overcome --maneuver push --total 2": "moved",
    "overcome --maneuver pull --total 4": "moved",
}


@pytest.mark.parametrize("typed", OUTWEIGHED)
def test_what_a_swarm_is_proof_against_is_no_goal_attained(fight: str, typed: str) -> None:
    """A swarm that outweighs its foes is neither hurt nor moved: every choice says so, and why, of the swarm alone."""
    told = said(page(*acting(fight, "resolve", *typed.split())))
    choices = re.split(r" (?=[a-z]  ?[A-Z][a-z])", told)[1:]

    assert "goal is attained" not in told
    assert [choice for choice in choices if OUTWEIGHED[typed] not in choice] == []
    assert "Kuld Pack: a swarm that outweighs its foes" in told
    assert "Iva: a swarm" not in told


def test_what_strikes_the_whole_zone_hurts_a_swarm(tmp_path: Path) -> None:
    """Then the page has the hit, and nothing of a swarm that is proof against it."""
    attack = {"type": "attack", "actor": "Iva", "target": "Kuld Pack", "outcome": "succeed", "shifts": 2}
    action = {**attack, "attack": {"whole_zone": True}}
    file = kept(tmp_path, "zone.json", {"ruleset": "war-of-ashes", "scene": SCENE, "action": action})

    told = said(page("resolve", file))
    assert ("Kuld Pack: a physical hit, 2 shifts" in told, "outweighs" in told) == (True, False)


@pytest.mark.parametrize("weight", [1, 2, 4])
def test_dice_that_weight_turned_are_told(tmp_path: Path, weight: int) -> None:
    """Beside the faces that count: which side it was, and how many; where none were turned, nothing."""
    people = [{**each, "weight": weight} if each["name"] == "Kuld Pack" else each for each in SCENE["characters"]]
    people = [each for each in people if each["name"] != "Orm"]
    file = kept(tmp_path, "w.json", {"ruleset": "war-of-ashes", "scene": SCENE | {"characters": people}})
    attack = ("attack", "--scene", file, "--actor", "Kuld Pack", "--target", "Iva", "--dice", "----", "--against", "0")
    ours, theirs = lines(page("resolve", *attack))[1:3]

    assert ("weight turned 1 die to +" in ours) == (weight == 2)
    assert ("weight turned 2 dice to +" in ours) == (weight == 4)
    assert ("weight" in ours, "weight" in theirs) == (weight > 1, False)
    assert ours.split()[:4] == ["+"] * (weight // 2) + ["-"] * (4 - weight // 2)


def test_dice_that_were_rolled_again_are_told(fight: str) -> None:
    """Else nobody knows why the faces are others than those on the table."""
    options = ("--invoke", "Old Feud=reroll", "--dice", "++++", "--seed", "3")
    roll = ("resolve", "overcome", "--against", "2", "--skill", "Lore=1")

    assert "rolled again" in lines(page(*roll, *options))[1]
    assert "rolled again" not in page(*roll, "--dice", "++++")


def test_who_is_disarmed_or_driven_back_is_named(tmp_path: Path) -> None:
    """A maneuver in place of a boost says whom it befalls, with words and without."""
    attack = {"type": "attack", "actor": "Iva", "target": "Shaman", "outcome": "succeed_with_style", "shifts": 4}
    action = {**attack, "attack": {"heavy_weapon": True}}
    file = kept(tmp_path, "blow.json", {"ruleset": "war-of-ashes", "scene": SCENE, "action": action})
    told = said(page("resolve", file))
    befalls = ("Knockback (Shaman)", "Disarm (Shaman)", "Footwork (Iva)")

    assert [each for each in befalls if each not in told] == []


PAGES = [
    "attack --total 4",
    "overcome --maneuver full_attack --fail",
    "overcome --maneuver push --style",
    "create_advantage --maneuver full_defense --style",
    "create_advantage --variant roar --tie",
    "overcome --variant movement --path 'Ice Bridge' --path Gatehouse --tie",
]


@pytest.mark.parametrize("typed", PAGES)
@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_each_number_stands_there_once_and_no_line_is_too_wide(
    fight: str, monkeypatch: pytest.MonkeyPatch, typed: str, columns: int
) -> None:
    """On any window, for every kind of page: what may be chosen is counted through, and nothing is cut off."""
    monkeypatch.setenv("COLUMNS", str(columns))
    by = "Kuld Pack" if "attack --total" in typed or "push" in typed or "defense" in typed else ""
    asked = acting(fight, "suggest", *split(typed), "--seed", "1", by=by)
    told = page(*asked)
    numbers = [int(found) for found in re.findall(r"^     (\d+) [A-Z]", told, re.MULTILINE)]

    assert numbers == list(range(1, len(made(*asked)["suggestions"]) + 1))
    assert [line for line in told.splitlines() if len(line) > min(columns, 100) or line != line.rstrip()] == []
