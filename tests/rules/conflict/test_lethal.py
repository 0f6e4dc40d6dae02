"""Lethal attacks: they go past the stress track ("Lethal Attacks" of document 003)."""

from itertools import combinations

import pytest

from tests.rules.build import LEVELS, Json, ask, resolved
from tests.rules.conflict.battle import battle, defends, foe, hero

Way = tuple[int | None, tuple[str, ...]]


def absorbed(request: Json) -> list[list[Way]]:
    """The ways to buy off each hit of a resolution: those with stress first, then by what the consequences absorb."""
    return [
        sorted(
            ((way.get("stress"), tuple(way["consequences"])) for way in grant["absorb"]),
            key=lambda way: (way[0] is None, sum(LEVELS[level] for level in way[1])),
        )
        for branch in resolved(request)["branches"]
        for grant in branch["grants"]
        if grant["type"] == "hit"
    ]


def strike(hit: int, target: Json | None = None, attacker: Json | None = None, **attack: object) -> Json:
    """Ann strikes Xan, a named foe, by so many shifts."""
    people = [hero("Ann", **(attacker or {})), foe("Xan", **({"importance": "named"} | (target or {})))]
    told = {"type": "attack", "target": "Xan", "roll": {"total": hit}, "attack": attack}
    return battle({"characters": people}, **told, opposition={"kind": "defend", "roll": {"total": 0}})


def minimal(hit: int, free: list[str]) -> set[Way]:
    """Every set of free consequences that covers a hit and from which none can be left away."""

    def covers(chosen: tuple[str, ...]) -> bool:
        return sum(LEVELS[level] for level in chosen) >= hit

    every = [chosen for size in range(1, len(free) + 1) for chosen in combinations(free, size)]
    return {
        (None, chosen)
        for chosen in every
        if covers(chosen) and not any(covers(chosen[:place] + chosen[place + 1 :]) for place in range(len(chosen)))
    }


@pytest.mark.parametrize("hit", range(1, 14))
@pytest.mark.parametrize("how", ["attack", "next attack", "both"])
def test_a_lethal_hit_is_bought_off_with_consequences_alone(how: str, hit: int) -> None:
    """Every way from which nothing can be left away, and no stress box in any; twelve is the most one can take."""
    attacker = {"lethal_next_attack": how != "attack"}
    told = absorbed(strike(hit, attacker=attacker, lethal=how != "next attack"))

    for place, ways in enumerate(told):  # a hit in style may be less by one
        assert minimal(hit - place, list(LEVELS)) == set(ways)
        assert len(ways) == len(set(ways))


def test_an_ordinary_hit_may_be_stress() -> None:
    """The same hit, not lethal."""
    assert absorbed(strike(2)) == [[(2, ()), (None, ("mild",)), (None, ("moderate",)), (None, ("severe",))]]


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


@pytest.mark.parametrize("track", ["physical", "mental"])
def test_a_lethal_attack_passes_any_track(track: str) -> None:
    """A debate may be as deadly."""
    assert absorbed(strike(1, lethal=True, track=track)) == [
        [(None, ("mild",)), (None, ("moderate",)), (None, ("severe",))]
    ]


def test_only_the_attackers_own_next_attack_is_lethal() -> None:
    """That the target has committed to one means nothing here."""
    assert absorbed(strike(1)) == absorbed(strike(1, {"lethal_next_attack": True}))


@pytest.mark.parametrize("ruleset", ["five-actions", "coppermane", "base-actions"])
def test_an_attack_is_lethal_in_every_ruleset_that_says_so(ruleset: str) -> None:
    """`attack.lethal` is the GM's word, and the sheet is the same in all."""
    request = strike(1, lethal=True)

    assert absorbed(ask(request["scene"], request={"ruleset": ruleset}, **request["action"])) == [
        [(None, ("mild",)), (None, ("moderate",)), (None, ("severe",))]
    ]


def test_ntombis_next_attack_wounds_the_grizzly() -> None:
    """After her full attack a hit of three leaves a mark: no stress box, but a moderate consequence, or two."""
    people = [hero("Ntombi", lethal_next_attack=True), foe("Grizzly", importance="named")]
    attack = {"type": "attack", "actor": "Ntombi", "target": "Grizzly", "roll": {"total": 3}}

    assert absorbed(battle({"characters": people}, **attack, opposition=defends()))[0] == [
        (None, ("moderate",)),
        (None, ("severe",)),
    ]
