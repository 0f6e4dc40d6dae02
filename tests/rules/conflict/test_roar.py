"""Roar: what it gives, what it holds one to, and what ends it ("Roar Phase" of document 003)."""

import pytest

from narrator.rules.json_text import Json
from tests.rules.build import ask, refused, resolved, shown
from tests.rules.conflict.battle import FIGHTING, RULESET, battle, foe, hero
from tests.rulesets.test_war_of_ashes import RING

HELD_TO = {approach: held.split() for approach, held in RING.items()}

PEOPLE = [hero("Ann"), hero("Bea"), foe("Xan"), foe("Yve")]


def roar(actor: Json | None = None, /, **action: object) -> Json:
    """Ann roars with Careful."""
    scene = {"characters": [PEOPLE[0] | (actor or {}), *PEOPLE[1:]]}
    plain = {"type": "create_advantage", "variant": "roar", "skill": "Careful", "opposition": {"kind": "roar"}}
    return battle(scene, **(plain | action))


def at_a_cost(level: str) -> str:
    """The branch of a roar that failed, at this consequence."""
    consequence = f"*serious_cost: consequence(Ann {level} 1 free for Xan,Yve)"
    roars = "+roar(Ann Careful Clever Sneaky)"
    return f"[roar_at_cost] ✓ → *aspect: situation_aspect(Ann,Bea 1 free) → {consequence} → {roars}"


MILD_TAKEN = {"severity": "mild", "name": "Old"}


@pytest.mark.parametrize(
    ("actor", "branch"),
    [
        pytest.param(
            {"consequences": [MILD_TAKEN, {"severity": "moderate"}, {"severity": "severe"}]},
            at_a_cost("moderate"),
            id="the lowest level that is free",
        ),
        pytest.param({"consequences": [MILD_TAKEN]}, "[fail] ✗", id="no level is free"),
        pytest.param({"consequences": []}, "[fail] ✗", id="no level at all"),
        pytest.param({"importance": "nameless"}, "[fail] ✗", id="a minor character"),
        pytest.param({"importance": "swarm"}, "[fail] ✗", id="a swarm"),
        pytest.param(
            {"importance": "nameless", "consequences": [{"severity": "mild"}]},
            at_a_cost("mild"),
            id="a minor character who can take one",
        ),
    ],
)
def test_who_can_take_no_consequence_simply_fails(actor: Json, branch: str) -> None:
    """Nobody roars at a cost that they cannot pay."""
    assert [branch] == shown(resolved(roar(actor, roll={"total": 0})))


@pytest.mark.parametrize("total", [2, 3, 5], ids=["tie", "succeed", "style"])
def test_a_minor_character_may_roar_who_does_not_fail(total: int) -> None:
    """Only the consequence is beyond them."""
    told = resolved(roar({"importance": "nameless", "consequences": []}, roll={"total": total}))["branches"]

    assert [grant["type"] for branch in told for grant in branch["grants"]] == ["roar"]


def test_a_roar_is_made_against_no_less_than_two() -> None:
    """The base difficulty is two; the GM may set a higher one, and no lower."""
    assert refused(roar(opposition={"kind": "roar", "rating": 1}))[:2] == ("bad_request", "action.opposition.rating")


# Losing it.


def lost(request: Json) -> list[list[str]]:
    """Who loses the roar, in each branch."""
    return [
        sorted(name for grant in branch["grants"] if grant["type"] == "loses_roar" for name in grant["to"])
        for branch in resolved(request)["branches"]
    ]


@pytest.mark.parametrize("used", HELD_TO)
@pytest.mark.parametrize("approach", HELD_TO)
def test_any_other_approach_ends_a_roar_on_every_branch(approach: str, used: str) -> None:
    """Of the actor, and as well of whoever rolls against the actor."""
    ended = used not in HELD_TO[approach]
    acts = {"characters": [hero("Ann", roar=approach), foe("Xan")]}
    opposes = {"characters": [hero("Ann"), foe("Xan", roar=approach)]}
    against = {"kind": "active", "by": "Xan", "skill": used, "roll": {"total": 2}}

    assert [["Ann"] if ended else []] * 2 == lost(battle(acts, skill=used, roll={"total": -1}))
    assert [["Xan"] if ended else []] * 2 == lost(battle(opposes, opposition=against))


@pytest.mark.parametrize(
    ("action", "who"),
    [
        pytest.param(
            {"type": "attack", "target": "Xan", "roll": {"total": 5}}, ["Ann", "Xan"], id="attack and defence"
        ),
        pytest.param({"type": "overcome", "roll": {"total": 2}}, ["Ann", "Xan"], id="a tie"),
        pytest.param({"type": "overcome", "variant": "movement", "path": ["A", "B"]}, ["Ann", "Xan"], id="moving"),
        pytest.param({"type": "create_advantage", "roll": {"total": -1}}, ["Ann", "Xan"], id="a failed advantage"),
        pytest.param({"type": "defend", "roll": {"total": 2}}, ["Ann", "Xan"], id="defending"),
        pytest.param({"type": "overcome", "skill": None}, ["Xan"], id="no approach named"),
    ],
)
def test_both_who_roll_may_lose_their_roar(action: Json, who: list[str]) -> None:
    """Whatever the action, the outcome and the branch, and also where a total is told."""
    people = {"characters": [hero("Ann", roar="Careful"), foe("Xan", roar="Careful")]}
    kind = "defend" if action["type"] == "attack" else "active"
    against = {"kind": kind, "by": "Xan", "skill": "Forceful", "roll": {"total": 2}}
    found = lost(battle(people, **({"skill": "Forceful", "opposition": against} | action)))

    assert found
    assert [who] * len(found) == found


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ({"type": "attack"}, "defend"),
        *(({"maneuver": maneuver}, kind) for maneuver in ("push", "pull") for kind in ("active", "defend")),
    ],
    ids=str,
)
def test_a_target_that_rolls_may_lose_the_roar(action: Json, kind: str) -> None:
    """As any roller does, by another approach alone; also where nobody is named as rolling."""
    people = {"characters": [hero("Ann"), foe("Xan", roar="Careful")]}

    for skill, who in (("Forceful", ["Xan"]), ("Clever", [])):
        against = {"kind": kind, "skill": skill, "roll": {"total": 0}}
        assert lost(battle(people, target="Xan", **action, opposition=against)) == [who], skill


def test_who_only_stands_by_keeps_the_roar() -> None:
    """A target of passive opposition rolls nothing, helpers do not either."""
    people = {"characters": [hero("Ann"), hero("Bea", roar="Careful"), foe("Xan", roar="Careful")]}
    action = {"type": "attack", "target": "Xan", "skill": "Forceful", "helpers": ["Bea"]}

    assert lost(battle(people, **action, opposition={"kind": "passive", "rating": 0})) == [[]]


@pytest.mark.parametrize(("importance", "ends"), [("nameless", True), ("swarm", True), ("named", False), ("pc", False)])
def test_a_minor_character_loses_it_by_what_it_is_bad_at(importance: str, ends: bool) -> None:
    """Even by an approach that the wheel allows; those who count are held to the wheel alone."""
    people = {"characters": [hero("Ann") | {"importance": importance, "roar": "Careful", "bad_at": ["Sneaky"]}]}

    assert [["Ann"] if ends else []] == lost(battle(people, skill="Sneaky"))


@pytest.mark.parametrize("ruleset", [name for name in FIGHTING if name != RULESET])
def test_no_other_ruleset_knows_roars(ruleset: str) -> None:
    """A roar in the scene is nothing to them, and the variant is unknown."""
    people = {"characters": [hero("Ann", roar="Careful")]}

    assert lost(ask(people, request={"ruleset": ruleset}, skill="Forceful")) == [[]]
    assert refused({**roar(), "ruleset": ruleset})[:2] == ("unknown_variant", "action.variant")


# The worked examples.


def test_olivia_fails_to_be_intensely_focused() -> None:
    """The aspect, a mild consequence with one free invocation for the GM, and three approaches."""
    focused = {"variant": "roar", "skill": "Careful", "aspect": "Intensely Focused", "opposition": {"kind": "roar"}}
    people = {"characters": [hero("Olivia", skills={"Careful": 3})]}
    thrown = {"roll": {"dice": [-1, -1, 0, 0]}}
    answer = resolved(battle(people, type="create_advantage", actor="Olivia", **focused, **thrown))

    assert (answer["roll"]["total"], answer["opposition"]["total"], answer["outcome"]) == (1, 2, "fail")
    assert shown(answer) == [
        '[roar_at_cost] ✓ → *aspect "Intensely Focused": situation_aspect(Olivia 1 free) → '
        "*serious_cost: consequence(Olivia mild 1 free for GM) → +roar(Olivia Careful Clever Sneaky)"
    ]


SKILLED = ["Appraising Goods", "Negotiating Contracts", "Avoiding a Straight Answer"]
BAD_AT = ["Physical Activity", "Admitting He's Wrong"]
SIDONIUS = foe("Sidonius", skills=dict.fromkeys(SKILLED, 2) | dict.fromkeys(BAD_AT, -2), bad_at=BAD_AT)


@pytest.mark.parametrize("used", [*SKILLED, *BAD_AT])
def test_sidonius_keeps_beating_around_the_bush(used: str) -> None:
    """He roars with what he is skilled at, and loses it by what he is bad at."""
    people = {"characters": [hero("Olivia"), SIDONIUS | {"roar": "Avoiding a Straight Answer"}]}
    against = {"kind": "active", "by": "Sidonius", "skill": used, "roll": {"dice": [0, 0, 0, 0]}}

    found = lost(battle(people, actor="Olivia", roll={"total": 9}, opposition=against))

    assert [["Sidonius"] if used in BAD_AT else []] == found


def test_sidonius_roars_with_a_flowery_opening_speech() -> None:
    """What is no approach has no neighbours: he is held to it alone, which only what he is bad at ends."""
    speech = {"type": "create_advantage", "variant": "roar", "skill": "Avoiding a Straight Answer"}
    against = {"roll": {"total": 3}, "opposition": {"kind": "roar"}}
    [branch] = resolved(battle({"characters": [SIDONIUS]}, actor="Sidonius", **speech, **against))["branches"]

    assert branch["grants"] == [{"type": "roar", "to": ["Sidonius"], "approaches": ["Avoiding a Straight Answer"]}]
