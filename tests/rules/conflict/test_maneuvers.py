"""Maneuvers: what is refused of them, and the worked examples ("Maneuvers" of document 003)."""

import pytest

from narrator.rules.json_text import Json
from tests.rules.build import ask, refused, resolved, shown
from tests.rules.conflict.battle import OTHERS, battle, defends, foe, hero

MANEUVERS = {
    "overcome": {"push", "pull", "full_attack"},
    "create_advantage": {"full_defense"},
    "attack": {"charge"},
    "defend": set(),
    "movement": set(),
    "roar": set(),
    "discover_aspect": set(),
}
"""Those of each action, and of the variants that are of another kind than their action."""


@pytest.mark.parametrize(
    ("deed", "maneuver"),
    [
        pytest.param(deed, maneuver, id=f"{maneuver} in {deed}")
        for deed, known in MANEUVERS.items()
        for maneuver in sorted(set().union(*MANEUVERS.values(), {"somersault"}) - known)
    ],
)
def test_a_maneuver_out_of_its_place_is_refused(deed: str, maneuver: str) -> None:
    """It is an unknown variant, and the error says which maneuvers the action has."""
    others: dict[str, Json] = {
        "movement": {"type": "overcome", "variant": "movement", "path": ["A", "B"]},
        "roar": {"type": "create_advantage", "variant": "roar"},
        "discover_aspect": {"type": "create_advantage", "variant": "discover_aspect"},
    }
    action = others.get(deed, {"type": deed})

    code, field, known = refused(battle(None, **action, target="Xan", maneuver=maneuver))

    assert ("unknown_variant", "action.maneuver", MANEUVERS[deed]) == (code, field, set(known or []))


@pytest.mark.parametrize("ruleset", OTHERS)
def test_no_other_ruleset_knows_maneuvers(ruleset: str) -> None:
    """Not even by name."""
    assert refused(ask(request={"ruleset": ruleset}, maneuver="push"))[:2] == ("unknown_variant", "action.maneuver")


BY_XAN = {"kind": "active", "by": "Xan", "roll": {"total": 1}}


@pytest.mark.parametrize(
    ("action", "allowed"),
    [
        ({"maneuver": "push", "opposition": {"kind": "passive", "rating": 1}}, ["active", "defend"]),
        ({"maneuver": "pull", "opposition": {"kind": "passive", "rating": 1}}, ["active", "defend"]),
        ({"maneuver": "pull", "opposition": {"kind": "movement"}}, ["active", "defend"]),
        ({"maneuver": "full_attack", "opposition": BY_XAN}, ["passive"]),
        ({"maneuver": "full_attack", "opposition": {"kind": "roar"}}, ["passive"]),
        ({"type": "attack", "target": "Xan", "maneuver": "charge", "opposition": BY_XAN}, ["defend", "passive"]),
    ],
    ids=["push", "pull", "pull over terrain", "full attack", "full attack by roaring", "charge"],
)
def test_a_maneuver_takes_its_own_opposition(action: Json, allowed: list[str]) -> None:
    """Push and pull are opposed, a full attack is not."""
    assert ("bad_opposition", "action.opposition.kind", allowed) == refused(battle(None, **action))


# The worked examples.


def test_rolf_charges_and_the_pirates_defend_with_style() -> None:
    """Two boosts for the pirates, and one stress for Rolf."""
    people = [hero("Rolf", zone="Deck"), foe("Pirate Sailors", zone="Foredeck", weight=2)]
    attack = {"type": "attack", "maneuver": "charge", "actor": "Rolf", "target": "Pirate Sailors", "skill": "Forceful"}
    thrown = {"roll": {"dice": [-1, 0, 0, 0]}, "opposition": defends([1, 1, 0, 0], bonus=1)}
    answer = resolved(battle({"characters": people}, **attack, **thrown))
    boost = "boost: boost(Pirate Sailors 1 free)"

    assert (answer["shifts"], answer["outcome"], answer["roll"]["dice"]) == (-4, "fail", [-1, 0, 0, 0])
    assert shown(answer) == [f"[no_harm] ✗ → *charge_boost/{boost} → *defender_boost/{boost} → +stress(Rolf 1)"]


def test_ntombi_commits_to_a_full_attack_on_the_grizzly() -> None:
    """Flashy against two: her next attack is lethal, and the grizzly is in range."""
    people = [hero("Ntombi", skills={"Flashy": 3}), foe("Grizzly", importance="named")]
    flashy = {"actor": "Ntombi", "maneuver": "full_attack", "skill": "Flashy", "roll": {"dice": [0, 0, 0, 0]}}
    request = battle({"characters": people}, **flashy, opposition={"kind": "passive", "rating": 2})

    assert shown(resolved(request)) == [
        "[succeed] ✓ → *exposed/boost: boost(Grizzly 1 free) → +lethal_next_attack(Ntombi)"
    ]
