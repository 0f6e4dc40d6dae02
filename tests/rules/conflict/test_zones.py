"""Zones: moving through them and seeing into them ("Movement on the Battlefield", "Zone Aspects" of document 003)."""

import pytest

from narrator.rules.json_text import Json
from tests.documents import DEEDS
from tests.rules.build import ask, refused, resolved
from tests.rules.conflict.battle import OTHERS, battle, foe, hero, zone

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
    told = resolved(battle(scene, variant="movement", path=["Pass", "Camp"], opposition=against))

    assert told["opposition"]["total"] == 2


@pytest.mark.parametrize(
    ("base", "distance", "hindering", "total"),
    [
        (1, 1, [], 1),
        (2, 1, [], 2),
        (2, 3, [], 6),
        (1, 1, ["Fog", "Dusk"], 5),
        (2, 4, ["Fog"], 10),
        pytest.param(1, 2, ["Fog"], 5, id="Olivia looks into the fog from two zones away"),
        pytest.param(1, 1, ["Fog"], 3, id="Olivia looks into the fog beside her"),
    ],
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
    request = battle(scene, opposition={"kind": "active", "by": "Xan", "roll": {"total": 0}})
    of = request["action"] if side == "actor" else request["action"]["opposition"]
    of["invocations"] = [{"aspect": "Open Fire", "pay": "free"}]
    answer = resolved(request)

    assert {"actor": answer["roll"]["invoked"], "opposition": answer["opposition"]["invoked"]} == {
        "actor": 0,
        "opposition": 0,
        side: 2,
    }


def test_a_zone_aspect_that_is_a_plain_word_holds_no_free_invocation() -> None:
    """To hold one it must stand among the scene's aspects with the zone as bearer."""
    scene = {"characters": [hero("Ann"), foe("Xan")], "zones": [zone("Camp", aspects=("Open Fire",))]}
    request = battle(scene, invocations=[{"aspect": "Open Fire", "pay": "free"}])

    assert refused(request)[0] == "no_free_invocation"


# What is refused.

MOVE: Json = {"variant": "movement", "path": ["Camp", "Pass"], "opposition": {"kind": "movement"}}
BLOCKED: Json = {"variant": "movement", "opposition": {"kind": "active", "by": "Xan", "roll": {"total": 0}}}
ZONES = [each["name"] for each in LAND]


def moving(*hindering: str) -> Json:
    """Move from the camp to the pass, with these in the way."""
    return MOVE | {"opposition": {"kind": "movement", "hindering": [*hindering]}}


def seeing(**told: object) -> Json:
    """Look into a zone that is not seen."""
    return {"type": "create_advantage", "variant": "unseen_zone", "opposition": {"kind": "unseen_zone", **told}}


HINDERING = "action.opposition.hindering"


@pytest.mark.parametrize(
    ("action", "refusal"),
    [
        pytest.param(MOVE | {"path": None}, ("bad_request", "action.path", None), id="no path"),
        pytest.param(MOVE | {"path": ["Camp"]}, ("bad_request", "action.path", None), id="a path of one zone"),
        pytest.param(BLOCKED, ("bad_request", "action.path", None), id="no path past somebody"),
        pytest.param(
            MOVE | {"path": ["Camp", "Moon"]}, ("unknown_zone", "action.path.1", ZONES), id="a zone that is not there"
        ),
        pytest.param(moving("Steep"), ("unknown_aspect", f"{HINDERING}.0", ["Icy"]), id="an aspect of another zone"),
        pytest.param(
            moving("Icy", "Icy"), ("unknown_aspect", f"{HINDERING}.1", None), id="an aspect more often than it is there"
        ),
        pytest.param(
            seeing(hindering=["Snow"]),
            ("unknown_aspect", f"{HINDERING}.0", ["Boulders", "Icy", "Steep"]),
            id="what hides it is not in play",
        ),
        pytest.param(seeing(base=3), ("bad_request", "action.opposition.base", None), id="a base of three"),
        pytest.param(seeing(base=True), ("bad_request", "action.opposition.base", None), id="a base that is no number"),
    ],
)
def test_a_way_that_cannot_be_judged_is_refused(action: Json, refusal: tuple[str, str, list[str] | None]) -> None:
    """The error names the field and what would have been right."""
    assert refusal == refused(battle({"characters": [hero("Ann"), foe("Xan")], "zones": LAND}, **action))


@pytest.mark.parametrize("ruleset", OTHERS)
@pytest.mark.parametrize("action", [MOVE, seeing()], ids=["moving", "seeing"])
def test_zones_belong_to_war_of_ashes(action: Json, ruleset: str) -> None:
    """Other rulesets know neither variant."""
    has_it = action.get("type", "overcome") in {deed.type for deed in DEEDS[ruleset]}
    code, *_ = refused(ask(request={"ruleset": ruleset}, **action))

    assert code == ("unknown_variant" if has_it else "unsupported_action")
