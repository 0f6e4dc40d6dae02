"""Swarms: what hurts them and what moves them, while they outweigh their foes ("Swarms" of document 003)."""

import pytest

from narrator.rules.json_text import Json
from tests.rules.build import refused, resolved, shown
from tests.rules.conflict.battle import battle, foe, hero, zone


def against(swarm: int, heroes: int = 1, **action: object) -> Json:
    """So many heroes attack a swarm of this weight, with a heavy weapon and in style."""
    people = [hero("Ann", weight=heroes), foe("Bats", importance="swarm", weight=swarm)]
    plain = {"type": "attack", "target": "Bats", "roll": {"total": 4}, "attack": {"heavy_weapon": True}}
    opposition = {"kind": "defend", "roll": {"total": 0}}
    return battle({"characters": people}, **({**plain, "opposition": opposition} | action))


HURT = [
    "[hit] ✓ → +hit(Bats 4)",
    "[hit_and_boost] ✓ → *boost: boost(Ann 1 free), knockback(Bats), disarm(Bats), footwork(Ann) → +hit(Bats 3)",
]
NOT_HURT = ["[hit] ✓", "[hit_and_boost] ✓ → *boost: boost(Ann 1 free), disarm(Bats), footwork(Ann)"]


@pytest.mark.parametrize(
    ("swarm", "heroes", "hurt"),
    [
        (1, 1, True),
        (2, 1, False),
        (4, 1, False),
        (2, 2, True),
        (4, 2, False),
        (4, 3, False),
        (4, 4, True),
        (2, 3, True),
        (1, 0, False),
        (0, 1, True),
    ],
)
def test_a_swarm_that_outweighs_its_foe_is_not_hurt(swarm: int, heroes: int, hurt: bool) -> None:
    """Any greater total is enough; the branches stay, but hit and knockback fall away."""
    assert (HURT if hurt else NOT_HURT) == shown(resolved(against(swarm, heroes)))


def test_what_strikes_the_whole_zone_hurts_it() -> None:
    """But does not knock it back: nothing makes it go anywhere."""
    expected = [HURT[0], HURT[1].replace(" knockback(Bats),", "")]

    assert expected == shown(resolved(against(4, attack={"heavy_weapon": True, "whole_zone": True})))


@pytest.mark.parametrize("importance", ["pc", "named", "nameless"])
def test_only_a_swarm_is_beyond_hurt(importance: str) -> None:
    """A troll of weight four is hit like anybody, here one that nothing absorbs a hit for."""
    request = against(4)
    request["scene"]["characters"][1] |= {"importance": importance, "stress": {}, "consequences": []}

    assert shown(resolved(request)) == HURT


@pytest.mark.parametrize(
    ("people", "hurt"),
    [
        pytest.param([foe("More Bats", importance="swarm", weight=4)], False, id="others of its side count"),
        pytest.param([foe("More Bats", importance="swarm", weight=4, zone="Elsewhere")], True, id="not from afar"),
        pytest.param([hero("Bea", weight=3), foe("Orc")], True, id="nor where the heroes are as heavy"),
        pytest.param([{"name": "Wolf", "side": "wild", "weight": 9}], True, id="a third side does not"),
        pytest.param([foe("Orc", weight=4, taken_out=True)], True, id="nor those who are taken out"),
    ],
)
def test_the_sides_weigh_as_always(people: list[Json], hurt: bool) -> None:
    """A small swarm and one hero, and who is there besides."""
    request = against(1)
    request["scene"]["characters"] += people

    assert (HURT if hurt else NOT_HURT) == shown(resolved(request))


def test_a_swarm_has_no_sheet() -> None:
    """What hurts it takes it out."""
    assert [grant["absorb"] for b in resolved(against(1))["branches"] for grant in b["grants"]] == [[], []]


def test_who_stands_in_for_a_swarm_is_hit() -> None:
    """The one who defends is the target throughout."""
    request = against(4, opposition={"kind": "defend", "by": "Orc", "roll": {"total": 0}})
    request["scene"]["characters"].append(foe("Orc"))

    assert [line.replace("Bats", "Orc") for line in HURT] == shown(resolved(request))


# Opposed movement.


@pytest.mark.parametrize("maneuver", ["push", "pull"])
@pytest.mark.parametrize(("swarm", "goes"), [(1, True), (2, False)])
def test_a_swarm_that_outweighs_its_foe_is_not_pushed(swarm: int, goes: bool, maneuver: str) -> None:
    """Its forced move falls away, the branch stays."""
    opposition = {"kind": "active", "by": "Bats", "roll": {"total": 0}}
    request = against(swarm, type="overcome", target=None, maneuver=maneuver, roll={"total": 1}, opposition=opposition)
    [branch] = resolved(request)["branches"]

    assert branch["id"] == "succeed"
    assert goes == (["Bats"] in [grant["to"] for grant in branch["grants"]])


@pytest.mark.parametrize(("swarm", "goes"), [(2, True), (3, False)])
def test_a_swarm_that_outweighs_its_foe_is_not_charged_away(swarm: int, goes: bool) -> None:
    """The charge doubles the hero's weight: two against two is no outweighing."""
    branches = resolved(against(swarm, maneuver="charge"))["branches"]
    theirs = [[grant["type"] for grant in branch["grants"] if grant["to"] == ["Bats"]] for branch in branches]

    assert [sorted(each) for each in theirs] == [["hit", "move"] if goes else []] * 2


def flight(swarm: int, **action: object) -> Json:
    """The swarm leaves Ann's zone."""
    zones = [zone("Cave", "Sky"), zone("Sky", "Cave")]
    people = [hero("Ann", zone="Cave"), foe("Bats", importance="swarm", weight=swarm, zone="Cave")]
    against = {"kind": "active", "by": "Ann", "roll": {"total": 0}}
    moves = {"variant": "movement", "path": ["Cave", "Sky"], "opposition": against}
    return battle({"characters": people, "zones": zones}, actor="Bats", **(moves | action))


def test_nobody_blocks_a_swarm_that_outweighs_them() -> None:
    """Terrain may still be in its way, a small swarm can be blocked, and any be opposed in all else."""
    assert refused(flight(2)) == ("bad_opposition", "action.opposition.kind", ["movement"])
    for request in (flight(1), flight(2, opposition={"kind": "movement"})):
        assert shown(resolved(request)) == ["[moved] ✓ → +move(Bats 1 on Sky)"]
    assert shown(resolved(flight(4, variant=None, path=None))) == ["[succeed] ✓"]


@pytest.mark.parametrize("swarms", [2, 3, 5])
def test_swarms_may_work_together(swarms: int) -> None:
    """Huge swarms in one zone give each other a teamwork bonus: each one that helps adds one."""
    names = [f"Locusts {number}" for number in range(1, swarms + 1)]
    people = [hero("Ann"), *(foe(name, importance="swarm", weight=4) for name in names)]
    told = resolved(battle({"characters": people}, actor=names[0], helpers=names[1:], roll={"dice": [0, 0, 0, 0]}))

    assert swarms - 1 == told["roll"]["total"]
