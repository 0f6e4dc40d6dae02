"""Lethal attacks: they go past the stress track ("Lethal Attacks" of document 003)."""

import pytest

from narrator.rules.json_text import Json
from tests.rules.build import LEVELS, ask, resolved
from tests.rules.conflict.battle import FIGHTING, battle, foe, hero
from tests.rules.test_harm import Way, every_way


def strike(hit: int, target: Json | None = None, attacker: Json | None = None, **attack: object) -> Json:
    """Ann strikes Xan, a named foe, by so many shifts."""
    people = [hero("Ann", **(attacker or {})), foe("Xan", **({"importance": "named"} | (target or {})))]
    told = {"type": "attack", "target": "Xan", "roll": {"total": hit}, "attack": attack}
    return battle({"characters": people}, **told, opposition={"kind": "defend", "roll": {"total": 0}})


def absorbed(request: Json) -> list[list[Way]]:
    """The ways to buy off the hit of each branch, each in the order of severity."""
    return [
        [(way.get("stress"), tuple(sorted(way["consequences"], key=list(LEVELS).index))) for way in grant["absorb"]]
        for branch in resolved(request)["branches"]
        for grant in branch["grants"]
        if grant["type"] == "hit"
    ]


@pytest.mark.parametrize("hit", range(1, 14))
@pytest.mark.parametrize("how", ["attack", "next attack", "both"])
def test_a_lethal_hit_is_bought_off_with_consequences_alone(how: str, hit: int) -> None:
    """Every way from which nothing can be left away, and no stress box in any; twelve is the most one can take."""
    attacker = {"lethal_next_attack": how != "attack"}
    told = absorbed(strike(hit, attacker=attacker, lethal=how != "next attack"))

    assert told
    for place, ways in enumerate(told):  # a hit in style may be less by one
        assert every_way(hit - place, [], list(LEVELS)) == set(ways)
        assert len(ways) == len(set(ways))


@pytest.mark.parametrize(
    "target",
    [
        pytest.param({"importance": "nameless"}, id="a mere minion"),
        pytest.param({"importance": "swarm"}, id="a swarm"),
        pytest.param({"consequences": []}, id="no consequences"),
        pytest.param({"consequences": [{"severity": "mild", "name": "Old"}]}, id="none free"),
        pytest.param(
            {"importance": "nameless", "stress": {"physical": {"boxes": [1, 2, 3]}}}, id="a minion with stress"
        ),
    ],
)
def test_who_has_no_consequence_is_taken_out(target: Json) -> None:
    """Instant defeat, whatever the stress track."""
    assert absorbed(strike(1, target, lethal=True)) == [[]]


def test_only_the_attackers_own_next_attack_is_lethal() -> None:
    """That the target has committed to one means nothing here."""
    assert absorbed(strike(1)) == absorbed(strike(1, {"lethal_next_attack": True}))


@pytest.mark.parametrize("track", ["physical", "mental"])
@pytest.mark.parametrize("ruleset", FIGHTING)
def test_an_attack_is_lethal_in_every_ruleset_that_says_so(ruleset: str, track: str) -> None:
    """`attack.lethal` is the GM's word, the sheet is the same in all, and a debate may be as deadly."""
    request = strike(1, lethal=True, track=track)
    [ways] = absorbed(ask(request["scene"], request={"ruleset": ruleset}, **request["action"]))

    assert set(ways) == {(None, ("mild",)), (None, ("moderate",)), (None, ("severe",))}
