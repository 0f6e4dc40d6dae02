"""Maneuvers: those declared before the roll and those in place of a boost ("Maneuvers" of document 003)."""

import pytest

from tests.rules.build import (
    DEFENDED,
    SCENE,
    Json,
    Way,
    ask,
    forms_of,
    refused,
    resolved,
    shown,
)
from tests.rules.conflict.battle import battle, defends, foe, hero


@pytest.mark.parametrize("maneuver", ["push", "pull"])
def test_a_forced_move_leaves_open_where_it_goes(maneuver: str) -> None:
    """The table says so when it chooses; the amount is one zone each."""
    against = {"kind": "active", "by": "Xan", "roll": {"total": 0}}

    assert resolved(battle(None, maneuver=maneuver, opposition=against))["branches"][0]["grants"] == [
        {"type": "move", "to": ["Xan"], "amount": 1},
        {"type": "may_move" if maneuver == "push" else "move", "to": ["Ann"], "amount": 1},
    ]


# In place of a boost.


@pytest.mark.parametrize(
    ("attack", "forms"),
    [
        (None, ["boost", "disarm", "footwork"]),
        ({}, ["boost", "disarm", "footwork"]),
        ({"melee": True, "heavy_weapon": True}, ["boost", "knockback", "disarm", "footwork"]),
        ({"melee": False}, ["boost"]),
        ({"melee": False, "heavy_weapon": True}, ["boost"]),
    ],
    ids=["unsaid", "hand to hand", "with a heavy weapon", "from afar", "a heavy thing thrown"],
)
@pytest.mark.parametrize("way", DEFENDED, ids=lambda way: way.name)
def test_a_maneuver_may_stand_in_for_the_boost_of_a_stylish_attack(
    way: Way, attack: Json | None, forms: list[str]
) -> None:
    """Offered only where the weapon allows it, and on whoever defended."""
    request = battle(None, type="attack", target="Xan", attack=attack, roll={"total": 5}, opposition=way.at(1))
    offered = forms_of(resolved(request), "boost")
    to = {"boost": ["Ann"], "footwork": ["Ann"], "knockback": [way.defender], "disarm": [way.defender]}

    assert [(form, to[form]) for form in forms] == [(form["form"], form["to"]) for form in offered]
    assert [{"form", "label", "to"}] * (len(forms) - 1) == [set(form) for form in offered[1:]]


@pytest.mark.parametrize(
    "action",
    [
        pytest.param({"type": "attack", "target": "Xan", "roll": {"total": 0}}, id="a tied attack"),
        pytest.param({"type": "overcome", "roll": {"total": 5}}, id="another action in style"),
        pytest.param({"type": "overcome", "maneuver": "full_attack", "roll": {"total": 5}}, id="a full attack"),
    ],
)
def test_no_other_boost_can_be_a_maneuver(action: Json) -> None:
    """It takes an attack that succeeds with style."""
    request = battle(None, **action, attack={"heavy_weapon": True})

    assert [form["form"] for form in forms_of(resolved(request), "boost")] == ["boost"]


def test_the_defenders_boost_is_a_boost() -> None:
    """Who defends with style, or is charged in vain, gets no maneuver."""
    answer = resolved(
        battle(None, type="attack", maneuver="charge", target="Xan", roll={"total": -3}, attack={"heavy_weapon": True})
    )

    assert [[f["form"] for f in forms_of(answer, s)] for s in ("charge_boost", "defender_boost")] == [["boost"]] * 2


@pytest.mark.parametrize("ruleset", ["five-actions", "coppermane", "base-actions"])
def test_other_rulesets_have_the_boost_alone(ruleset: str) -> None:
    """And a failed attack costs nothing there."""
    attack = {"type": "attack", "target": "Xan", "attack": {"heavy_weapon": True}}
    style = resolved(ask(request={"ruleset": ruleset}, **attack, roll={"total": 4}))
    failed = resolved(ask(request={"ruleset": ruleset}, **attack, roll={"total": -1}))

    assert [form["form"] for form in forms_of(style, "boost")] == ["boost"]
    assert shown(failed) == ["[no_harm] ✗"]


# What is refused.

MANEUVERS = {
    "overcome": ["push", "pull", "full_attack"],
    "create_advantage": ["full_defense"],
    "attack": ["charge"],
    "defend": [],
}


@pytest.mark.parametrize("maneuver", ["push", "pull", "charge", "full_attack", "full_defense", "somersault"])
@pytest.mark.parametrize(
    ("action", "allowed"),
    [
        *(pytest.param({"type": name}, allowed, id=name) for name, allowed in MANEUVERS.items()),
        pytest.param({"type": "overcome", "variant": "movement", "path": ["A", "B"]}, [], id="movement"),
        pytest.param({"type": "create_advantage", "variant": "roar"}, [], id="roar"),
        pytest.param({"type": "create_advantage", "variant": "discover_aspect"}, [], id="discover"),
    ],
)
def test_a_maneuver_out_of_its_place_is_refused(action: Json, allowed: list[str], maneuver: str) -> None:
    """It is an unknown variant, and the error says which maneuvers the action has."""
    if maneuver in allowed:
        return
    request = battle(None, **action, target="Xan", maneuver=maneuver)

    code, field, known = refused(request)

    assert ("unknown_variant", "action.maneuver", sorted(allowed)) == (code, field, sorted(known or []))


@pytest.mark.parametrize("ruleset", ["five-actions", "coppermane", "base-actions", "aspect-difficulty"])
def test_no_other_ruleset_knows_maneuvers(ruleset: str) -> None:
    """Not even by name."""
    assert refused(ask(request={"ruleset": ruleset}, maneuver="push"))[:2] == ("unknown_variant", "action.maneuver")


@pytest.mark.parametrize(
    ("action", "allowed"),
    [
        ({"maneuver": "push", "opposition": {"kind": "passive", "rating": 1}}, ["active", "defend"]),
        ({"maneuver": "pull", "opposition": {"kind": "passive", "rating": 1}}, ["active", "defend"]),
        ({"maneuver": "pull", "opposition": {"kind": "movement"}}, ["active", "defend"]),
        ({"maneuver": "full_attack", "opposition": {"kind": "active", "roll": {"total": 1}}}, ["passive"]),
        ({"maneuver": "full_attack", "opposition": {"kind": "roar"}}, ["passive"]),
        (
            {"type": "attack", "target": "Xan", "maneuver": "charge", "opposition": {"kind": "active"}},
            ["defend", "passive"],
        ),
    ],
    ids=["push", "pull", "pull over terrain", "full attack", "full attack by roaring", "charge"],
)
def test_a_maneuver_takes_its_own_opposition(action: Json, allowed: list[str]) -> None:
    """Push and pull are opposed, a full attack is not."""
    if action["opposition"]["kind"] == "active":
        action = action | {"opposition": {"kind": "active", "by": "Xan", "roll": {"total": 1}}}

    assert ("bad_opposition", "action.opposition.kind", allowed) == refused(battle(None, **action))


def test_a_charge_is_on_somebody() -> None:
    """As every attack."""
    request = battle(None, type="attack", maneuver="charge", opposition={"kind": "passive", "rating": 1})

    assert refused(request)[:2] == ("bad_request", "action.target")


# The worked examples.


def test_rolf_charges_and_the_pirates_defend_with_style() -> None:
    """Two boosts for the pirates, and one stress for Rolf."""
    people = [hero("Rolf", zone="Deck"), foe("Pirate Sailors", zone="Foredeck", weight=2)]
    attack = {"type": "attack", "maneuver": "charge", "actor": "Rolf", "target": "Pirate Sailors", "skill": "Forceful"}
    request = battle(
        {"characters": people}, **attack, roll={"dice": [-1, 0, 0, 0]}, opposition=defends([1, 1, 0, 0], bonus=1)
    )
    answer = resolved(request)

    assert (answer["shifts"], answer["outcome"], answer["roll"]["dice"]) == (-4, "fail", [-1, 0, 0, 0])
    assert [
        {
            "id": branch["id"],
            "grants": branch["grants"],
            "boosts": {slot["id"]: slot["forms"][0]["to"] for slot in branch["slots"]},
        }
        for branch in answer["branches"]
    ] == [
        {
            "id": "no_harm",
            "grants": [{"type": "stress", "to": ["Rolf"], "amount": 1}],
            "boosts": {"charge_boost": ["Pirate Sailors"], "defender_boost": ["Pirate Sailors"]},
        }
    ]


def test_ntombi_commits_to_a_full_attack_on_the_grizzly() -> None:
    """Flashy against two: her next attack is lethal, and the grizzly is in range."""
    people = [hero("Ntombi", skills={"Flashy": 3}), foe("Grizzly", importance="named")]
    request = battle(
        {"characters": people},
        actor="Ntombi",
        maneuver="full_attack",
        skill="Flashy",
        roll={"dice": [0, 0, 0, 0]},
        opposition={"kind": "passive", "rating": 2},
    )

    assert [
        " → ".join([line.split(" → ")[0], *sorted(line.split(" → ")[1:])]) for line in shown(resolved(request))
    ] == ["[succeed] ✓ → *exposed/boost: boost(Grizzly 1 free) → +lethal_next_attack(Ntombi)"]


def test_deliah_may_step_away_from_the_crocodile() -> None:
    """In style she may take footwork in place of the boost, and her hit is one less."""
    people = [hero("Deliah", zone="Water's Edge"), foe("Crocodile", importance="named", zone="Water's Edge")]
    attack = {"type": "attack", "actor": "Deliah", "target": "Crocodile"}
    answer = resolved(battle({"characters": people}, **attack, roll={"total": 4}, opposition=defends()))

    assert [(grant["to"], grant["amount"]) for branch in answer["branches"] for grant in branch["grants"]] == [
        (["Crocodile"], 4),
        (["Crocodile"], 3),
    ]
    assert {"form": "footwork", "to": ["Deliah"]} in [
        {key: form.get(key) for key in ("form", "to")} for form in forms_of(answer, "boost")
    ]


def test_nobody_is_listed_and_a_charge_still_doubles() -> None:
    """Each one named weighs one: twice one against one turns a die."""
    assert SCENE["characters"]
    answer = resolved(
        battle({}, type="attack", maneuver="charge", target="Xan", roll={"dice": [0, 0, 0, 0]}, opposition=defends())
    )

    assert (answer["roll"]["dice"], answer["opposition"]["dice"]) == ([1, 0, 0, 0], [0, 0, 0, 0])
