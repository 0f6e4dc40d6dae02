"""Zones: moving through them and seeing into them ("Movement on the Battlefield", "Zone Aspects" of document 003)."""

import pytest

from tests.rules.build import (
    Json,
    ask,
    refused,
    resolved,
    shown,
)
from tests.rules.conflict.battle import battle, foe, hero, zone
from tests.rulesets.test_war_of_ashes import MINOR

LAND = [
    zone("Icy Field", "Boulders", aspects=("Icy",)),
    zone("Boulders", "Icy Field", "Pass", aspects=("Boulders", "Steep")),
    zone("Pass", "Boulders", "Camp", aspects=("Icy",)),
    zone("Camp", "Pass"),
]


@pytest.mark.parametrize(
    ("path", "hindering", "difficulty"),
    [
        pytest.param(["Camp", "Pass"], [], 0, id="one zone, nothing in the way"),
        pytest.param(["Camp", "Pass"], ["Icy"], 2, id="the zone entered hinders"),
        pytest.param(["Pass", "Camp"], ["Icy"], 2, id="the zone left hinders"),
        pytest.param(["Icy Field", "Boulders"], ["Icy", "Boulders"], 4, id="both hinder"),
        pytest.param(["Icy Field", "Boulders"], ["Icy", "Boulders", "Steep"], 6, id="two aspects of one zone"),
        pytest.param(["Icy Field", "Boulders", "Pass"], [], 2, id="two zones"),
        pytest.param(["Icy Field", "Boulders", "Pass"], ["Steep"], 4, id="the zone passed hinders"),
        pytest.param(["Icy Field", "Boulders", "Pass"], ["Icy", "Icy"], 6, id="an aspect that two zones have"),
        pytest.param(["Icy Field", "Boulders", "Pass", "Camp"], [], 4, id="three zones"),
        pytest.param(["Icy Field", "Boulders", "Pass", "Camp"], ["Icy", "Boulders", "Steep", "Icy"], 12, id="all"),
    ],
)
def test_a_way_is_as_hard_as_its_zones_and_aspects(path: list[str], hindering: list[str], difficulty: int) -> None:
    """Two for each zone beyond the first and two for each adverse aspect on the path."""
    scene = {"characters": [hero("Ann"), foe("Xan")], "zones": LAND}
    against = {"kind": "movement", "hindering": hindering}

    told = resolved(battle(scene, variant="movement", path=path, opposition=against))["opposition"]

    assert (difficulty, "movement") == (told["total"], told["kind"])


def test_an_aspect_of_the_scene_on_a_zone_is_the_zones() -> None:
    """What stands in the scene with a zone as its bearer hinders like the zone's own."""
    scene = {"zones": LAND, "aspects": [{"name": "Caltrops", "on": "Camp"}]}
    against = {"kind": "movement", "hindering": ["Caltrops"]}

    assert (
        resolved(battle(scene, variant="movement", path=["Pass", "Camp"], opposition=against))["opposition"]["total"]
        == 2
    )


# The worked examples.

MOUNTAINS = [
    zone("Avalanche", "Rockfall", aspects=("Avalanche!",)),
    zone("Rockfall", "Avalanche", "Tundra Plain", aspects=("Falling Rock",)),
    zone("Tundra Plain", "Rockfall", aspects=("Tundra",)),
]


def test_rolf_digs_himself_out_of_the_avalanche() -> None:
    """Two for the extra zone and four for two adverse aspects make a difficulty of six."""
    scene = {"characters": [hero("Rolf", zone="Avalanche"), foe("Orc")], "zones": MOUNTAINS}
    against = {"kind": "movement", "hindering": ["Avalanche!", "Falling Rock"]}
    path = ["Avalanche", "Rockfall", "Tundra Plain"]

    answer = resolved(battle(scene, actor="Rolf", variant="movement", path=path, roll={"total": 7}, opposition=against))

    assert (
        answer["opposition"]["total"],
        answer["opposition"]["ladder"],
        shown(answer),
    ) == (6, "Fantastic", ["[moved] ✓ → +move(Rolf 2 on Tundra Plain)"])


def test_olivia_runs_from_the_ice_to_the_boulders() -> None:
    """Both zones have an adverse aspect: her difficulty is Great (+4)."""
    zones = [zone("Open", "Rocks", aspects=("Icy",)), zone("Rocks", "Open", aspects=("Boulders",))]
    scene = {"characters": [hero("Olivia", zone="Open"), foe("Archers")], "zones": zones}
    against = {"kind": "movement", "hindering": ["Icy", "Boulders"]}

    told = resolved(battle(scene, actor="Olivia", variant="movement", path=["Open", "Rocks"], opposition=against))

    assert (told["opposition"]["total"], told["opposition"]["ladder"]) == (4, "Great")


def test_rolf_ties_with_the_bandits_on_the_narrow_path() -> None:
    """He may stay, or move at a minor cost, of which a boost for the bandits is one."""
    zones = [zone("Path", "Slope", aspects=("Narrow Mountain Path",)), zone("Slope", "Path")]
    scene = {"characters": [hero("Rolf", zone="Path"), foe("Bandits", zone="Slope")], "zones": zones}
    against = {"kind": "active", "by": "Bandits", "roll": {"dice": [1, 1, 1, 0]}}

    answer = resolved(
        battle(
            scene,
            actor="Rolf",
            variant="movement",
            path=["Path", "Slope"],
            skill="Forceful",
            bonus=1,
            roll={"dice": [1, 1, 0, 0]},
            opposition=against,
        )
    )

    minor = MINOR.replace("Ann", "Rolf").replace("@opp", "Bandits")
    assert ["[stay] ✗", f"[minor_cost] ✓ → {minor} → +move(Rolf 1 on Slope)"] == [
        " → ".join([line.split(" → ")[0], *sorted(line.split(" → ")[1:])]) for line in shown(answer)
    ]


def test_the_bandit_invokes_the_cliff_edge_against_deliah() -> None:
    """Active opposition to a move may invoke adverse terrain, two for each invocation."""
    zones = [zone("Edge", "Path", aspects=("Gaping Cliff Edge",)), zone("Path", "Edge")]
    scene = {
        "characters": [hero("Deliah", zone="Edge"), foe("Bandit", zone="Edge")],
        "zones": zones,
        "aspects": [{"name": "Gaping Cliff Edge", "on": "Edge", "free_invocations": {"*": 1}}],
    }
    invocations = [{"aspect": "Gaping Cliff Edge", "pay": "free"}]
    against = {"kind": "active", "by": "Bandit", "roll": {"dice": [1, 0, 0, 0]}, "invocations": invocations}

    told = resolved(battle(scene, actor="Deliah", variant="movement", path=["Edge", "Path"], opposition=against))

    assert (told["opposition"]["total"], told["opposition"]["invoked"]) == (3, 2)


def fog(distance: int, **action: object) -> Json:
    """Olivia peers into the fog, so many zones off."""
    zones = [zone("Here", "There"), zone("There", "Here", "Beyond", aspects=("Fog",)), zone("Beyond", "There")]
    scene = {"characters": [hero("Olivia", zone="Here"), hero("Rolf", zone="Here"), foe("Orc")], "zones": zones}
    against = {"kind": "unseen_zone", "base": 1, "distance": distance, "hindering": ["Fog"]}
    return battle(scene, actor="Olivia", type="create_advantage", variant="unseen_zone", opposition=against, **action)


def test_olivia_looks_into_the_fog_from_two_zones_away() -> None:
    """One, two for the fog and two for the distance are five; a zone nearer, a four succeeds against three."""
    far, near = resolved(fog(2)), resolved(fog(1, roll={"total": 4}))

    assert (
        far["opposition"]["total"],
        near["opposition"]["total"],
        near["opposition"]["ladder"],
        near["shifts"],
    ) == (5, 3, "Good", 1)
    assert shown(near) == ["[aspect] ✓ → *aspect: situation_aspect(Olivia,Rolf 1 free)"]


@pytest.mark.parametrize(
    ("base", "distance", "hindering", "total"),
    [(1, 1, [], 1), (2, 1, [], 2), (2, 3, [], 6), (1, 1, ["Fog", "Dusk"], 5), (2, 4, ["Fog"], 10)],
)
def test_an_unseen_zone_is_rated(base: int, distance: int, hindering: list[str], total: int) -> None:
    """The base, two for each aspect that hides it, and two for each zone between."""
    scene = {"aspects": [{"name": "Fog"}, {"name": "Dusk"}]}
    against = {"kind": "unseen_zone", "base": base, "distance": distance, "hindering": hindering}
    request = battle(scene, type="create_advantage", variant="unseen_zone", opposition=against)

    assert total == resolved(request)["opposition"]["total"]


# Free invocations on zone aspects.


@pytest.mark.parametrize("side", ["actor", "opposition"])
def test_a_zone_aspect_set_before_play_is_for_whoever_takes_it_first(side: str) -> None:
    """The holder `*` lets either side invoke it free."""
    scene = {
        "characters": [hero("Ann"), foe("Xan")],
        "zones": [zone("Camp", aspects=("Open Fire",))],
        "aspects": [{"name": "Open Fire", "on": "Camp", "free_invocations": {"*": 1}}],
    }
    invocations = [{"aspect": "Open Fire", "pay": "free"}]
    ours = {"invocations": invocations} if side == "actor" else {}
    theirs = {"invocations": invocations} if side == "opposition" else {}
    against = {"kind": "active", "by": "Xan", "roll": {"total": 0}, **theirs}

    answer = resolved(battle(scene, opposition=against, **ours))

    assert (2 if ours else 0, 2 if theirs else 0) == (answer["roll"]["invoked"], answer["opposition"]["invoked"])


def test_a_zone_aspect_that_is_a_plain_word_holds_no_free_invocation() -> None:
    """To hold one it must stand among the scene's aspects with the zone as bearer."""
    scene = {"characters": [hero("Ann"), foe("Xan")], "zones": [zone("Camp", aspects=("Open Fire",))]}
    request = battle(scene, invocations=[{"aspect": "Open Fire", "pay": "free"}])

    assert refused(request)[0] == "no_free_invocation"


# What is refused.

MOVE = {"variant": "movement", "path": ["Camp", "Pass"], "opposition": {"kind": "movement"}}
SEE = {"type": "create_advantage", "variant": "unseen_zone"}


@pytest.mark.parametrize(
    ("action", "code", "field", "allowed"),
    [
        pytest.param(MOVE | {"path": None}, "bad_request", "action.path", None, id="no path"),
        pytest.param(MOVE | {"path": ["Camp"]}, "bad_request", "action.path", None, id="a path of one zone"),
        pytest.param(
            MOVE | {"path": None, "opposition": {"kind": "active", "by": "Xan", "roll": {"total": 0}}},
            "bad_request",
            "action.path",
            None,
            id="no path past somebody",
        ),
        pytest.param(
            MOVE | {"path": ["Camp", "Moon"]},
            "unknown_zone",
            "action.path.1",
            ["Icy Field", "Boulders", "Pass", "Camp"],
            id="a zone that is not there",
        ),
        pytest.param(
            MOVE | {"opposition": {"kind": "movement", "hindering": ["Steep"]}},
            "unknown_aspect",
            "action.opposition.hindering.0",
            ["Icy"],
            id="an aspect of another zone",
        ),
        pytest.param(
            MOVE | {"opposition": {"kind": "movement", "hindering": ["Icy", "Icy"]}},
            "unknown_aspect",
            "action.opposition.hindering.1",
            None,
            id="an aspect more often than it is there",
        ),
        pytest.param(
            SEE | {"opposition": {"kind": "unseen_zone", "hindering": ["Snow"]}},
            "unknown_aspect",
            "action.opposition.hindering.0",
            ["Boulders", "Icy", "Steep"],
            id="what hides it is not in play",
        ),
        pytest.param(
            SEE | {"opposition": {"kind": "unseen_zone", "base": 3}},
            "bad_request",
            "action.opposition.base",
            None,
            id="a base of three",
        ),
        pytest.param(
            SEE | {"opposition": {"kind": "unseen_zone", "base": True}},
            "bad_request",
            "action.opposition.base",
            None,
            id="a base that is no number",
        ),
    ],
)
def test_a_way_that_cannot_be_judged_is_refused(action: Json, code: str, field: str, allowed: list[str] | None) -> None:
    """The error names the field and what would have been right."""
    scene = {"characters": [hero("Ann"), foe("Xan")], "zones": LAND}

    assert (code, field, allowed) == refused(battle(scene, **action))


@pytest.mark.parametrize("ruleset", ["five-actions", "coppermane", "base-actions", "aspect-difficulty"])
@pytest.mark.parametrize("action", [MOVE, SEE | {"opposition": {"kind": "unseen_zone"}}], ids=["moving", "seeing"])
def test_zones_belong_to_war_of_ashes(action: Json, ruleset: str) -> None:
    """Other rulesets know neither variant."""
    expected = "unsupported_action" if (ruleset, "type" in action) == ("aspect-difficulty", True) else "unknown_variant"

    assert expected == refused(ask(request={"ruleset": ruleset}, **action))[0]
