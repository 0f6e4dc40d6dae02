"""Apply: what each form and each grant leaves in the scene, and each choice that does not fit."""

import json
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.api import settlement
from narrator.rules.json_text import Json
from tests.rules.build import ask, refused, resolved

RULESET = "war-of-ashes"

WORDS = {
    "boost": "Caught Off Balance",
    "situation_aspect": "Shattered Lantern",
    "opposition_boost": "Winded For A Moment",
    "opposition_advantage": "Seen At The Gate",
    "troubling_aspect": "Bells Are Ringing",
    "worsened_aspect": "Door On Fire",
    "new_opposition": "Watch Captain",
    "consequence": "Twisted Ankle",
}
"""A name for each form that makes something."""

DETAIL = "Rain runs down the old stones."

DETAILS = {
    "aspect": "Glass lies all about.",
    "charge_boost": "Feet slide in the wet grass.",
    "defender_boost": "A shield swings high.",
    "exposed": "The cloak flaps wide.",
}
"""What is said in a slot that stands beside another."""


def say(slot: str, form: str, **more: Any) -> Json:
    """Words for a slot, in this form."""
    name = {"name": WORDS[form]} if form in WORDS else {}
    return {"slot": slot, "form": form, "detail": DETAILS.get(slot, DETAIL), **name, **more}


def choose(branch: str, *suggestions: Json | str, **more: Any) -> Json:
    """The choice of a branch, with these words."""
    return {"branch": branch, "suggestions": [*suggestions], **more}


def scene(ann: Json | None = None, xan: Json | None = None, **more: Any) -> Json:
    """Ann and Bea against Xan and Yve, in a yard between a hall and a tower; Ann and the foe Xan have sheets."""
    zones = [
        {"name": "Yard", "adjacent": ["Hall", "Tower"], "aspects": ["Mud"]},
        {"name": "Hall", "adjacent": ["Yard"]},
        {"name": "Tower", "adjacent": ["Yard"]},
    ]
    people = [
        {"name": "Ann", "side": "pc", "importance": "pc", "fate_points": 2, "zone": "Yard", **(ann or {})},
        {"name": "Bea", "side": "pc", "importance": "pc", "fate_points": 1, "zone": "Yard"},
        {"name": "Xan", "side": "foes", "importance": "named", "fate_points": 1, "zone": "Yard", **(xan or {})},
        {"name": "Yve", "side": "foes", "zone": "Yard"},
    ]
    return {"characters": people, "zones": zones, **more}


def turn(here: Json | None = None, /, ruleset: str = RULESET, **action: Any) -> Json:
    """Ann does something in that yard."""
    return ask(here or scene(), request={"ruleset": ruleset}, **action)


def chosen(request: Json, choice: Json) -> Json:
    """The scene that a choice leads to, in which one can go on; the request is left as it was."""
    before = deepcopy(request)
    told = narrator.apply(request, choice).as_json()

    assert before == request
    narrator.resolve({**request, "scene": told, "action": {**PLAIN, "actor": request["action"]["actor"]}})
    return told


def after(request: Json, branch: str, *suggestions: Json, **more: Any) -> Json:
    """The scene that the choice of a branch with these words leads to."""
    return chosen(request, choose(branch, *suggestions, **more))


PLAIN: Json = {"type": "overcome", "opposition": {"kind": "active", "roll": {"total": 0}}, "roll": {"total": 1}}


def who(told: Json, name: str) -> Json:
    """Somebody's page."""
    return next(each for each in told["characters"] if each["name"] == name)


def held(free: Json, on: str | None = None, boost: bool = False) -> Json:
    """How an aspect stands in the scene: who holds how many free invocations, its bearer, whether it is a boost."""
    return {"on": on, "free": free, "boost": boost}


def aspect(told: Json, name: str) -> Json | None:
    """An aspect of the scene; None where it does not stand there."""
    found = [
        held(each["free_invocations"], each.get("on"), each["boost"])
        for each in told["aspects"]
        if each["name"] == name
    ]
    assert len(found) <= 1
    return found[0] if found else None


def marked(told: Json, name: str) -> Json:
    """The boxes marked, by track, where there are any."""
    return {track: boxes["marked"] for track, boxes in who(told, name)["stress"].items() if boxes["marked"]}


def hurts(told: Json, name: str) -> Json:
    """The consequences taken, by level."""
    return {each["severity"]: each["name"] for each in who(told, name)["consequences"] if "name" in each}


FAILED: Json = {"roll": {"total": -1}}
MISSED: Json = FAILED | {"type": "attack", "target": "Xan"}
TIED: Json = {"roll": {"total": 0}}
STYLISH: Json = {"roll": {"total": 3}}
ADVANTAGE: Json = {"type": "create_advantage"}
BOOSTED = [say("boost", "boost")]


# Form by form.


@pytest.mark.parametrize(
    ("action", "choice", "expected"),
    [
        pytest.param(
            FAILED,
            choose("serious_cost", say("serious_cost", "opposition_advantage", to="Yve")),
            {"Seen At The Gate": held({"Yve": 1})},
            id="opposition_advantage",
        ),
        pytest.param(
            TIED,
            choose("minor_cost", say("minor_cost", "opposition_boost", to="Xan")),
            {"Winded For A Moment": held({"Xan": 1}, boost=True)},
            id="opposition_boost",
        ),
        pytest.param(
            STYLISH,
            choose("boost", say("boost", "boost")),
            {"Caught Off Balance": held({"Ann": 1}, boost=True)},
            id="boost",
        ),
        pytest.param(
            ADVANTAGE | {"target": "Xan"},
            choose("aspect", say("aspect", "situation_aspect", to="Ann")),
            {"Shattered Lantern": held({"Ann": 1}, on="Xan")},
            id="situation_aspect, on a character",
        ),
        pytest.param(
            {"type": "attack", "target": "Xan", "roll": {"total": -3}, "maneuver": "charge"},
            choose("no_harm", say("charge_boost", "boost"), say("defender_boost", "boost", name="Wide Open")),
            {"Caught Off Balance": held({"Xan": 1}, boost=True), "Wide Open": held({"Xan": 1}, boost=True)},
            id="two boosts for the defender",
        ),
        pytest.param(
            {"maneuver": "full_attack", "roll": {"total": 3}},
            choose("boost", say("exposed", "boost", to="Yve"), say("boost", "boost", name="Wide Open")),
            {"Caught Off Balance": held({"Yve": 1}, boost=True), "Wide Open": held({"Ann": 1}, boost=True)},
            id="exposed",
        ),
    ],
)
def test_a_form_leaves_its_aspects(action: Json, choice: Json, expected: Json) -> None:
    """What a name names stands in the scene with its bearer and holder, and nothing else does."""
    told = chosen(turn(**action), choice)

    assert expected == {each["name"]: aspect(told, each["name"]) for each in told["aspects"]}


def test_somebody_new_is_a_fact() -> None:
    """The new opposition is written down with who it is, and is no aspect."""
    told = after(turn(roll={"total": -1}), "serious_cost", say("serious_cost", "new_opposition"))

    assert ([f"Watch Captain: {DETAIL}"], []) == (told["facts"], told["aspects"])


def test_what_was_said_is_not_to_be_said_again() -> None:
    """Names and details of what was chosen are recent from now on."""
    told = after(turn(scene(recent=["Old News"]), roll={"total": 3}), "boost", say("boost", "boost"))

    assert told["recent"] == ["Old News", "Caught Off Balance", DETAIL]


# Grant by grant.


def strike(hit: int, here: Json | None = None, **action: Any) -> Json:
    """Ann hits Xan by so many shifts."""
    plain = {"type": "attack", "target": "Xan", "roll": {"total": hit}}
    against = {"kind": "defend", "roll": {"total": 0}}
    return turn(here, **(plain | {"opposition": against} | action))


def test_a_hit_not_bought_off_takes_out() -> None:
    """Who is taken out weighs, opposes and gains nothing any more."""
    told = after(strike(1), "hit", taken_out=True)
    then = resolved({"ruleset": RULESET, "scene": told, "action": {**PLAIN, "actor": "Ann", "roll": {"total": -1}}})
    costs = then["branches"][1]["slots"][0]["forms"]

    assert [who(told, name)["taken_out"] for name in ("Xan", "Yve")] == [True, False]
    assert next(form["to"] for form in costs if form["form"] == "opposition_advantage") == ["Yve"]


MARKED = {"stress": {"physical": {"boxes": [1, 2, 3], "marked": [1]}}}
COST = choose("minor_cost", say("minor_cost", "stress"))


@pytest.mark.parametrize(
    ("ann", "action", "choice", "expected"),
    [
        ({}, TIED, COST, {"physical": [1]}),
        ({}, TIED | {"attack": {"track": "mental"}}, COST, {"mental": [1]}),
        ({}, TIED | {"attack": {"track": "mental"}}, COST | {"track": "physical"}, {"physical": [1]}),
        ({}, TIED | {"attack": {"track": "wealth"}}, COST, {"mental": [1]}),
        ({}, MISSED, choose("no_harm"), {"physical": [1]}),
        ({}, MISSED, choose("no_harm", track="mental"), {"mental": [1]}),
        (MARKED, MISSED, choose("no_harm"), {"physical": [1, 2]}),
    ],
    ids=[
        "a cost",
        "on the attack's track",
        "as chosen",
        "the first track",
        "a failed attack",
        "its track chosen",
        "the lowest",
    ],
)
def test_stress_marks_one_box(ann: Json, action: Json, choice: Json, expected: Json) -> None:
    """The lowest that is free on the track chosen, else on that of the attack, else on the first; the actor's alone."""
    told = chosen(turn(scene(ann), **action), choice)

    assert (expected, {}) == (marked(told, "Ann"), marked(told, "Xan"))


@pytest.mark.parametrize(
    ("aspects", "bearer", "expected"),
    [
        pytest.param([{"name": "Fire"}], None, held({"Ann": 1}), id="the scene's"),
        pytest.param(
            [{"name": "Fire", "free_invocations": {"Ann": 2, "Xan": 1}}],
            None,
            held({"Ann": 3, "Xan": 1}),
            id="one that has some",
        ),
        pytest.param([], "zone", held({"Ann": 1}, on="Yard"), id="a zone's"),
        pytest.param([], "Xan", held({"Ann": 1}, on="Xan"), id="a character's"),
        pytest.param([], "harm", held({"Ann": 1}, on="Xan"), id="a consequence"),
    ],
)
def test_a_free_invocation_stands_with_its_aspect(aspects: list[Json], bearer: str | None, expected: Json) -> None:
    """Wherever the aspect is, its free invocations stand in the scene under its name and bearer."""
    here = scene(
        xan={"aspects": ["Fire"] if bearer == "Xan" else []}
        | ({"consequences": [{"severity": "mild", "name": "Fire"}]} if bearer == "harm" else {}),
        aspects=aspects,
    )
    here["zones"][0]["aspects"] += ["Fire"] if bearer == "zone" else []
    request = turn(here, type="create_advantage", variant="existing_aspect", aspect="Fire", roll={"total": 1})
    told = after(request, "invocation", grants=[{"index": 0, "to": "Ann"}])

    assert expected == aspect(told, "Fire")


PUSH: Json = {"maneuver": "push", "opposition": {"kind": "active", "by": "Xan", "roll": {"total": 0}}}
PULL = PUSH | {"maneuver": "pull"}
MOVE: Json = {"variant": "movement", "path": ["Yard", "Tower"], "opposition": {"kind": "movement"}}


def pushed(*zones: str | None) -> Json:
    """The choice of zones for the two who go, told of each or of one."""
    return choose("succeed", grants=[{"index": place, "on": zone} for place, zone in enumerate(zones) if zone])


FOLLOWED = choose("succeed", grants=[{"index": 0, "on": "Hall"}, {"index": 1}])


@pytest.mark.parametrize(
    ("action", "choice", "places"),
    [
        pytest.param(MOVE, choose("moved"), ("Tower", "Yard"), id="a movement ends where its path does"),
        pytest.param(MOVE | TIED, choose("stay"), ("Yard", "Yard"), id="who stays does not move"),
        pytest.param(PUSH, pushed("Hall"), ("Yard", "Hall"), id="a push alone"),
        pytest.param(PUSH, FOLLOWED, ("Hall", "Hall"), id="a push, and who pushes follows"),
        pytest.param(PUSH, pushed("Hall", "Hall"), ("Hall", "Hall"), id="a push, and the same zone said twice"),
        pytest.param(PULL, pushed("Hall"), ("Hall", "Hall"), id="a pull moves both"),
        pytest.param(PULL, pushed(None, "Tower"), ("Tower", "Tower"), id="a pull, told of the other"),
    ],
)
def test_a_move_ends_where_it_goes(action: Json, choice: Json, places: tuple[str, str]) -> None:
    """Who moves stands in that zone, everybody else where they were."""
    told = chosen(turn(**action), choice)

    assert (*places, "Yard", "Yard") == tuple(who(told, name)["zone"] for name in ("Ann", "Xan", "Bea", "Yve"))


def test_where_one_way_is_open_it_need_not_be_told() -> None:
    """From the hall there is only the yard."""
    here = scene({"zone": "Hall"}, {"zone": "Hall"})
    told = after(turn(here, **PUSH), "succeed")

    assert (who(told, "Ann")["zone"], who(told, "Xan")["zone"]) == ("Hall", "Yard")


@pytest.mark.parametrize(
    ("total", "branch", "more", "places"),
    [
        (-1, "no_harm", {"suggestions": [say("charge_boost", "boost")]}, ("Hall", "Hall")),
        (0, "boost", {"suggestions": [say("boost", "boost")]}, ("Hall", "Hall")),
        (1, "hit", {"absorb": {"stress": 1}}, ("Hall", "Hall")),
        (3, "hit", {"taken_out": True}, ("Yard", "Yard")),
    ],
    ids=["fail", "tie", "succeed", "style"],
)
def test_a_charge_ends_beside_the_target(total: int, branch: str, more: Json, places: tuple[str, str]) -> None:
    """The run-in is part of it; in style both end one zone back."""
    here = scene({"zone": "Yard"}, {"zone": "Hall"})
    request = strike(total, here, maneuver="charge")
    told = narrator.apply(request, {"branch": branch, **more}).as_json()

    assert places == (who(told, "Ann")["zone"], who(told, "Xan")["zone"])


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("knockback", {"Ann": "Yard", "Xan": "Hall", "disarmed": False}),
        ("footwork", {"Ann": "Hall", "Xan": "Yard", "disarmed": False}),
        ("disarm", {"Ann": "Yard", "Xan": "Yard", "disarmed": True}),
    ],
)
def test_a_maneuver_in_place_of_a_boost(form: str, expected: Json) -> None:
    """Knocked back, one zone on, or disarmed; and no boost is written down."""
    goes = {} if form == "disarm" else {"zone": "Hall"}
    request = strike(3, attack={"heavy_weapon": True})
    told = after(request, "hit_and_boost", say("boost", form), absorb={"stress": 2}, **goes)
    xan = who(told, "Xan")

    assert expected == {"Ann": who(told, "Ann")["zone"], "Xan": xan["zone"], "disarmed": xan["disarmed"]}
    assert [each["name"] for each in told["aspects"] if each["boost"]] == []


# Roar.


def roaring(total: int, here: Json | None = None) -> Json:
    """Ann roars with Careful."""
    action: Json = {"type": "create_advantage", "variant": "roar", "skill": "Careful", "roll": {"total": total}}
    return turn(here, **action, opposition={"kind": "roar"})


def test_a_roar_begins_and_ends() -> None:
    """The approach and the aspect stand on the character; both go when another approach is used, and not before."""
    begun = after(roaring(3), "aspect", say("aspect", "situation_aspect", to="Ann"))
    kept = after(turn(begun, skill="Sneaky"), "succeed")
    ended = after(turn(begun, skill="Quick"), "succeed")

    assert [
        (who(told, "Ann").get("roar"), (aspect(told, "Shattered Lantern") or {"on": None})["on"])
        for told in (begun, kept, ended)
    ] == [("Careful", "Ann"), ("Careful", "Ann"), (None, None)]


def test_a_roar_ends_for_who_rolls_against_the_actor() -> None:
    """Xan defends with an approach that the roar does not allow; another's roar stays."""
    roar_aspects = [
        {"name": f"{name}'s Rage", "on": name, "roar": True, "free_invocations": {name: 1}} for name in ("Ann", "Xan")
    ]
    here = scene({"roar": "Flashy"}, {"roar": "Flashy"}, aspects=roar_aspects)
    against = {"kind": "active", "by": "Xan", "skill": "Quick", "roll": {"total": 0}}
    told = after(turn(here, skill="Clever", opposition=against), "succeed")

    assert (who(told, "Ann").get("roar"), who(told, "Xan").get("roar")) == ("Flashy", None)
    assert [each["name"] for each in told["aspects"]] == ["Ann's Rage"]


def test_a_roar_at_a_cost_gives_the_opposition_a_free_invocation() -> None:
    """On the consequence, for the one of them who is named; the actor has the aspect and roars."""
    words = [say("aspect", "situation_aspect", to="Ann"), say("serious_cost", "consequence")]
    told = after(roaring(0), "roar_at_cost", *words, holder="Yve")

    assert held({"Yve": 1}, on="Ann") == aspect(told, "Twisted Ankle")
    assert (hurts(told, "Ann"), who(told, "Ann")["roar"]) == ({"mild": "Twisted Ankle"}, "Careful")
    assert aspect(told, "Shattered Lantern") == held({"Ann": 1}, on="Ann")


def test_the_only_holder_need_not_be_named() -> None:
    """Where nobody opposes it is the GM."""
    here = {"characters": [{"name": "Ann", "side": "pc", "importance": "pc"}]}
    words = [say("aspect", "situation_aspect"), say("serious_cost", "consequence")]
    told = after(roaring(0, here), "roar_at_cost", *words)

    assert aspect(told, "Twisted Ankle") == held({"GM": 1}, on="Ann")


# Flags and points.


def test_a_lethal_attack_is_promised_and_used_up() -> None:
    """By the next attack of the one who has it, hit or miss; by nothing else."""
    begun = after(turn(maneuver="full_attack"), "succeed", say("exposed", "boost", to="Xan"))
    waited = after(turn(begun), "succeed")
    another = after(strike(1, waited, actor="Bea"), "hit", absorb={"stress": 1})
    missed = after(strike(0, another), "boost", say("boost", "boost", name="Wide Open"))

    found = [who(told, "Ann")["lethal_next_attack"] for told in (begun, waited, another, missed)]
    assert found == [True, True, True, False]


@pytest.mark.parametrize("frame", ["contest", "contest_under_fire"])
def test_a_forfeited_roll_is_remembered_until_the_next(frame: str) -> None:
    """Of the actor alone."""
    begun = after(turn(scene(frame=frame), type="create_advantage", roll={"total": -1}), "no_aspect")
    others = after(turn(begun, actor="Bea"), "succeed")
    over = after(turn(others), "succeed")

    assert [who(told, "Ann")["forfeits_next_contest_roll"] for told in (begun, others, over)] == [True, True, False]


@pytest.mark.parametrize(("points", "expected"), [(None, None), (0, 1), (4, 5)])
def test_legend_points_come_back_where_they_are_counted(points: int | None, expected: int | None) -> None:
    """An epic success of Coppermane; in defence too, of who won by seven."""
    counting = {"legend_points": points} if points is not None else {}
    here = scene(counting, counting)
    won = after(turn(here, "coppermane", roll={"total": 7}), "boost", *BOOSTED)
    defence = after(strike(-7, here) | {"ruleset": "coppermane"}, "no_harm", say("defender_boost", "boost"))

    for told, winner, other in ((won, "Ann", "Xan"), (defence, "Xan", "Ann")):
        assert (expected, points) == (who(told, winner).get("legend_points"), who(told, other).get("legend_points"))


# Full defence.


def defended(aspect_name: str | None = None) -> Json:
    """The scene in which Ann defends fully."""
    action: Json = {"type": "create_advantage", "maneuver": "full_defense", "aspect": aspect_name}
    return after(turn(**action), "full_defense")


FULL: Json = {"aspect": "Full Defense", "pay": "free"}


def attacked(*invocations: Json) -> Json:
    """Xan attacks Ann, who defends with these, and misses."""
    against = {"kind": "defend", "roll": {"total": 0}, "invocations": [*invocations]}
    return {"type": "attack", "actor": "Xan", "target": "Ann", "opposition": against}


@pytest.mark.parametrize(("named", "expected"), [(None, "Full Defense"), ("Wall of Steel", "Wall of Steel")])
def test_a_full_defence_is_an_aspect_of_its_own(named: str | None, expected: str) -> None:
    """With one free invocation of the one who defends."""
    assert aspect(defended(named), expected) == held({"Ann": 1}, on="Ann")


def test_a_full_defence_is_there_against_each_attack() -> None:
    """It is invoked free against one attack after another."""
    here = defended()
    for _ in range(3):
        request = turn(here, **attacked(FULL))
        assert resolved(request)["opposition"]["invoked"] == 2
        here = after(request, "no_harm")
        assert aspect(here, "Full Defense") == held({"Ann": 1}, on="Ann")


OPPOSES: Json = {"kind": "active", "by": "Ann", "roll": {"total": 0}}


@pytest.mark.parametrize(
    ("action", "field"),
    [
        (attacked(FULL, FULL), "action.opposition.invocations.1"),
        ({"actor": "Xan", "opposition": OPPOSES | {"invocations": [FULL]}}, "action.opposition.invocations.0"),
        ({"type": "attack", "target": "Xan", "invocations": [FULL]}, "action.invocations.0"),
    ],
    ids=["twice against an attack", "in the way", "in an attack of one's own"],
)
def test_a_full_defence_helps_once_against_an_attack_and_nothing_else(action: Json, field: str) -> None:
    """It is no free invocation of any other kind."""
    assert refused(turn(defended(), **action))[:2] == ("no_free_invocation", f"{field}.aspect")


@pytest.mark.parametrize(
    ("action", "branch", "stays"),
    [
        pytest.param({}, "succeed", False, id="any action ends it"),
        pytest.param({"actor": "Bea"}, "succeed", True, id="not another's"),
        pytest.param(
            {"type": "defend", "opposition": OPPOSES | {"by": "Xan"}}, "as_opponent", True, id="not defending"
        ),
        pytest.param({"actor": "Xan", "opposition": OPPOSES}, "succeed", True, id="not opposing, which is no action"),
        pytest.param({"actor": "Bea", "helpers": ["Ann"]}, "succeed", True, id="not helping"),
    ],
)
def test_a_full_defence_ends_with_the_next_action(action: Json, branch: str, stays: bool) -> None:
    """Of the one who has it."""
    assert stays == (aspect(after(turn(defended(), **action), branch), "Full Defense") is not None)


# What was paid.


def test_both_sides_pay_for_what_they_invoke() -> None:
    """Free invocations and fate points, of actor and opposition, whoever invokes."""
    aspects = [
        {"name": "Fire", "free_invocations": {"Ann": 2, "*": 1, "Xan": 1}},
        {"name": "Mud", "on": "Yard", "free_invocations": {"*": 1}},
    ]
    ours = [
        {"aspect": "Fire", "pay": "free"},
        {"aspect": "Fire", "pay": "fate_point"},
        {"aspect": "Fire", "pay": "free", "by": "Bea"},
    ]
    theirs = [
        {"aspect": "Fire", "pay": "free"},
        {"aspect": "Mud", "pay": "free"},
        {"aspect": "Mud", "pay": "fate_point"},
    ]
    against = {"kind": "active", "by": "Xan", "roll": {"total": 0}, "invocations": theirs}
    told = after(turn(scene(aspects=aspects), invocations=ours, opposition=against), "succeed")

    assert {name: who(told, name)["fate_points"] for name in ("Ann", "Bea", "Xan")} == {"Ann": 1, "Bea": 1, "Xan": 0}
    assert (aspect(told, "Fire"), aspect(told, "Mud")) == (held({"Ann": 1}), held({}, on="Yard"))


def test_aspects_of_one_name_pay_apart() -> None:
    """The bearer says which."""
    aspects = [{"name": "Fire", "on": on, "free_invocations": {"Ann": 1}} for on in (None, "Hall", "Xan")]
    invocations = [{"aspect": "Fire", "pay": "free", "on": "Hall"}]
    told = after(turn(scene(aspects=aspects), roll={"total": 0}, invocations=invocations), "succeed")

    assert [(each.get("on"), each["free_invocations"]) for each in told["aspects"]] == [
        (None, {"Ann": 1}),
        ("Hall", {}),
        ("Xan", {"Ann": 1}),
    ]


# What is discovered, and what turns for the worse.


def discover(here: Json | None = None, **action: Any) -> Json:
    """Ann discovers an aspect by the rules of document 000."""
    return turn(here, "five-actions", **({"type": "discover", "variant": "aspect"} | action))


@pytest.mark.parametrize(
    ("total", "branch", "cost", "free"),
    [
        pytest.param(1, "aspect", None, {}, id="succeed"),
        pytest.param(3, "aspect", None, {"Ann": 1}, id="style"),
        pytest.param(0, "minor_cost", "opposition_boost", {}, id="at a minor cost"),
        pytest.param(0, "minor_cost", "opposition_free_invocation", {"Xan": 1}, id="at the cost of an invocation"),
    ],
)
@pytest.mark.parametrize("named", [True, False], ids=["named", "worded"])
def test_what_is_discovered_is_in_play(named: bool, total: int, branch: str, cost: str | None, free: Json) -> None:
    """Named in the request or worded afterwards, the aspect is there, with the free invocations of row and cost."""
    words = [] if named else [say("aspect", "situation_aspect", **({"to": "Ann"} if "Ann" in free else {}))]
    words += [say("minor_cost", cost, to="Xan")] if cost else []
    told = after(discover(roll={"total": total}, aspect="Secret Door" if named else None), branch, *words)

    assert held(free) == aspect(told, "Secret Door" if named else "Shattered Lantern")


@pytest.mark.parametrize("bearer", ["scene", "scene, with invocations", "zone", "character", "consequence", "nowhere"])
def test_an_aspect_that_turns_for_the_worse_is_reworded(bearer: str) -> None:
    """Wherever it stands, the new wording stands in place of the old one, with what was held on it."""
    held = {"Ann": 1} if bearer == "scene, with invocations" else {}
    here = scene(
        xan={"aspects": ["Oak Door"] if bearer == "character" else []}
        | ({"consequences": [{"severity": "mild", "name": "Oak Door"}]} if bearer == "consequence" else {}),
        aspects=[{"name": "Oak Door", "free_invocations": held}] if bearer.startswith("scene") else [],
    )
    here["zones"][0]["aspects"] += ["Oak Door"] if bearer == "zone" else []
    request = discover(here, roll={"total": -1}, aspect="Oak Door")
    told = after(request, "serious_cost", say("serious_cost", "worsened_aspect"))
    text = json.dumps({key: value for key, value in told.items() if key != "recent"})

    assert ("Oak Door" in text, text.count("Door On Fire")) == (False, 1)
    assert held == (aspect(told, "Door On Fire") or {"free": {}})["free"]


def test_what_is_discovered_and_turns_for_the_worse_is_one_aspect() -> None:
    """Where the request named none, the worse wording takes the place of the one just revealed."""
    told = after(
        discover(roll={"total": -1}),
        "serious_cost",
        say("aspect", "situation_aspect"),
        say("serious_cost", "worsened_aspect"),
    )

    assert [each["name"] for each in told["aspects"]] == ["Door On Fire"]


# What does not fit.

HIT = {"type": "attack", "target": "Xan", "roll": {"total": 2}}
STYLE = {"type": "attack", "target": "Xan", "roll": {"total": 4}}
EXISTING = {"type": "create_advantage", "variant": "existing_aspect", "aspect": "Mud"}
ROAR = {"type": "create_advantage", "variant": "roar", "skill": "Careful", "opposition": {"kind": "roar"}}

ZONES = ["Yard", "Hall", "Tower"]
ROAR_WORDS = [say("aspect", "situation_aspect", to="Ann"), say("serious_cost", "consequence")]


@dataclass(frozen=True)
class Misfit:
    """A choice that does not fit what was done, its wrong field, and what would have fitted, where that is listed."""

    action: Json
    choice: Json
    field: str
    allowed: list[str] | None = None


MISFITS = {
    "another outcome's branch": Misfit(FAILED, choose("succeed"), "branch", ["fail", "serious_cost"]),
    "no words for a slot": Misfit(FAILED, choose("serious_cost"), "suggestions", []),
    "words for a slot of another branch": Misfit(
        FAILED, choose("fail", say("serious_cost", "consequence")), "suggestions.0.slot"
    ),
    "words twice": Misfit(
        STYLISH, choose("boost", *BOOSTED, say("boost", "boost", name="Wide Open", detail="Mud.")), "suggestions", []
    ),
    "a form that is not offered": Misfit(
        FAILED, choose("serious_cost", say("serious_cost", "close_call")), "suggestions.0.form"
    ),
    "an advantage for the wrong side": Misfit(
        FAILED, choose("serious_cost", say("serious_cost", "opposition_advantage", to="Ann")), "suggestions.0.to"
    ),
    "another level than the row's": Misfit(
        FAILED, choose("serious_cost", say("serious_cost", "consequence", severity="severe")), "suggestions.0.severity"
    ),
    "words that are in play": Misfit(STYLISH, choose("boost", say("boost", "boost", name="Mud")), "suggestions.0.name"),
    "a suggestion that is none": Misfit(STYLISH, choose("boost", "a boost"), "suggestions.0"),
    "too little to cover the hit": Misfit(HIT, choose("hit", absorb={"stress": 1}), "absorb", []),
    "more than the hit wants": Misfit(
        HIT, choose("hit", absorb={"stress": 2, "consequences": [{"severity": "mild", "name": "Cut"}]}), "absorb", []
    ),
    "a box that is not there": Misfit(HIT, choose("hit", absorb={"stress": 7}), "absorb", []),
    "nothing at all": Misfit(HIT, choose("hit", absorb={}), "absorb", []),
    "no hit to buy off": Misfit({}, choose("succeed", absorb={"stress": 1}), "absorb", []),
    "who gains is not said": Misfit(EXISTING, choose("invocation"), "grants.0.to", ["Ann", "Bea"]),
    "who gains is not eligible": Misfit(
        EXISTING, choose("invocation", grants=[{"index": 0, "to": "Xan"}]), "grants.0.to", ["Ann", "Bea"]
    ),
    "a grant that is not there": Misfit(
        EXISTING, choose("invocation", grants=[{"index": 1, "to": "Ann"}]), "grants.0.index", []
    ),
    "where it goes is not said": Misfit(PUSH, choose("succeed"), "grants.0.on", ["Hall", "Tower"]),
    "a zone that is not there": Misfit(PUSH, pushed("Moon"), "grants.0.on", ZONES),
    "a zone that is not there, told by whoever follows": Misfit(PUSH, pushed(None, "Moon"), "grants.0.on", ZONES),
    "two who go to two zones": Misfit(PUSH, pushed("Hall", "Tower"), "grants.1.on", ["Hall"]),
    "where the blow drives somebody is not said": Misfit(
        STYLE | {"attack": {"heavy_weapon": True}},
        choose("hit_and_boost", say("boost", "knockback"), taken_out=True),
        "zone",
        ["Hall", "Tower"],
    ),
    "footwork to nowhere": Misfit(
        STYLE, choose("hit_and_boost", say("boost", "footwork"), zone="Moon", taken_out=True), "zone", ZONES
    ),
    "a maneuver that does not apply": Misfit(
        STYLE, choose("hit_and_boost", say("boost", "knockback"), zone="Hall"), "suggestions.0.form"
    ),
    "a track without a free box": Misfit(
        TIED, choose("minor_cost", say("minor_cost", "stress"), track="wealth"), "track", ["mental", "physical"]
    ),
    "the holder is not said": Misfit(ROAR, choose("roar_at_cost", *ROAR_WORDS), "holder", ["Xan", "Yve"]),
    "the holder is not eligible": Misfit(
        ROAR, choose("roar_at_cost", *ROAR_WORDS, holder="Bea"), "holder", ["Xan", "Yve"]
    ),
    "a movement to where no path leads": Misfit(
        MOVE, choose("moved", grants=[{"index": 0, "on": "Hall"}]), "grants.0.on", ["Tower"]
    ),
    "a movement to a zone that is not there": Misfit(
        MOVE, choose("moved", grants=[{"index": 0, "on": "Moon"}]), "grants.0.on", ["Tower"]
    ),
    "a pull that parts them": Misfit(PULL, pushed("Hall", "Tower"), "grants.1.on", ["Hall"]),
    "a grant chosen twice": Misfit(
        PUSH, choose("succeed", grants=[{"index": 0, "on": zone} for zone in ("Hall", "Tower")]), "grants.1.index", []
    ),
    "a hit that goes to a zone": Misfit(
        HIT, choose("hit", absorb={"stress": 2}, grants=[{"index": 0, "on": "Moon"}]), "grants.0.on", []
    ),
    "stress on a track that the sheet does not have": Misfit(
        MISSED, choose("no_harm", track="wealth"), "track", ["physical", "mental"]
    ),
    "a holder of nothing": Misfit({}, choose("succeed", holder="Xan"), "holder", []),
    "a zone for nobody": Misfit({}, choose("succeed", zone="Hall"), "zone", []),
    "a track for nothing": Misfit({}, choose("succeed", track="mental"), "track", []),
}


TOLD_WITHOUT_READING = {
    "another outcome's branch": choose("succeed", *BOOSTED),
    "words without end": choose("serious_cost", *[say("serious_cost", "consequence")] * 500),
    "words of no shape": choose("serious_cost", *[{"detail": 7}] * 500),
    "no words for a slot": choose("serious_cost"),
    "words for a slot of another branch": choose("fail", say("serious_cost", "consequence")),
    "words for another slot": choose("serious_cost", say("boost", "boost")),
    "a grant that is not there": choose(
        "serious_cost", say("serious_cost", "consequence"), grants=[{"index": 0, "to": "Xan"}]
    ),
}


@pytest.mark.parametrize("choice", TOLD_WITHOUT_READING.values(), ids=TOLD_WITHOUT_READING)
def test_what_needs_no_reading_is_told_before_anything_is_read(choice: Json, monkeypatch: pytest.MonkeyPatch) -> None:
    """Branch, slots and grants are looked at first: no word of a choice that fits none of them is judged."""
    monkeypatch.setattr(settlement, "checker", None)

    assert wrong(turn(**FAILED), choice).code == "bad_choice"


@pytest.mark.parametrize("misfit", MISFITS.values(), ids=MISFITS)
def test_a_choice_that_does_not_fit_is_refused(misfit: Misfit) -> None:
    """As `bad_choice`, with the field and what would have fitted; nothing is done, or passed over in silence."""
    error = wrong(turn(**misfit.action), misfit.choice)

    assert ("bad_choice", f"choice.{misfit.field}".rstrip(".")) == (error.code, error.field)
    if misfit.allowed is not None:
        assert sorted(misfit.allowed) == sorted(error.allowed or ())


def wrong(request: Json, choice: Json) -> NarratorError:
    """The error that a choice is refused with; the request and the choice are left as they were."""
    before = deepcopy((request, choice))

    with pytest.raises(NarratorError) as caught:
        narrator.apply(request, choice)

    assert before == (request, choice)
    assert caught.value.as_json() == narrator.vtt.run({"call": "apply", "request": request, "choice": choice})
    return caught.value


@pytest.mark.parametrize(
    ("choice", "field"),
    [
        ({}, "branch"),
        ({"branch": 1}, "branch"),
        ({"branch": "succeed", "dice": []}, "dice"),
        ({"branch": "succeed", "grants": [{"to": "Ann"}]}, "grants.0.index"),
    ],
)
def test_what_is_no_choice_is_a_bad_request(choice: Json, field: str) -> None:
    """Its shape is judged before anything else, and its fields are named as in any other error of a choice."""
    error = wrong(turn(), choice)

    assert ("bad_request", f"choice.{field}") == (error.code, error.field)


def test_a_choice_wants_the_dice_that_were_rolled() -> None:
    """Neither dice nor a seed: the row is not known."""
    error = wrong(turn(roll=None), {"branch": "succeed"})

    assert (error.code, error.field) == ("bad_dice", "request.action.roll")


def test_the_scene_of_nobody_keeps_the_words_alone() -> None:
    """Where no characters are listed nobody has a sheet, and aspects are all that is written."""
    request = ask({}, request={"ruleset": RULESET}, **(HIT | {"roll": {"total": 3}}))
    told = after(request, "hit_and_boost", say("boost", "boost"))

    assert (told["characters"], aspect(told, "Caught Off Balance")) == ([], held({"Ann": 1}, boost=True))


def test_what_a_scene_tells_otherwise_stays() -> None:
    """Summary, frame, facts, tone, language, lines and veils, and who is not concerned."""
    here = scene(
        summary="Night.", frame="conflict", facts=["It rains."], tone="grim", language="en", lines=["x"], veils=["y"]
    )
    told = after(strike(1, here), "hit", absorb={"stress": 1})

    kept = ("summary", "frame", "facts", "tone", "language", "lines", "veils")
    assert {key: here[key] for key in kept} == {key: told[key] for key in kept}
    assert {"name": "Yve", "side": "foes", "zone": "Yard"}.items() <= who(told, "Yve").items()


def test_a_full_scene_has_no_room_and_says_so() -> None:
    """Where a scene can hold no more of something, the choice does not fit, and nothing is forgotten for it."""
    here = {"aspects": [{"name": f"Aspect {number}"} for number in range(500)]}
    error = wrong(ask(here, **ADVANTAGE), choose("aspect", say("aspect", "situation_aspect")))

    assert (error.code, error.field) == ("bad_choice", "choice")


@pytest.mark.parametrize("harm", [{"taken_out": True}, {"absorb": {"stress": 2}}], ids=str)
def test_harm_from_a_defence_is_met_with_where_its_hit_stands(harm: Json) -> None:
    """A defence that fails has no hit of its own: whoever enters one is told that it is the attack's."""
    told: Json = {"type": "defend", "roll": None, "outcome": "fail", "opposition": {"kind": "active", "by": "Xan"}}
    error = wrong(turn(**told), choose("suffer", **harm))

    assert (error.code, error.field) == ("bad_choice", f"choice.{next(iter(harm))}")
    assert "belongs to the attack" in error.message
