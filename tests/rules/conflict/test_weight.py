"""Weight: who outweighs whom, where, and the dice that it turns ("Weight" of document 003)."""

from itertools import product

import pytest

import narrator
from tests.rules.build import Json, ask, resolved
from tests.rules.conflict.battle import battle, defends, foe, foes, hero

Dice = list[int]
LOW = [-1, 0, -1, 0]
"""Dice on which each one that is turned can be seen."""
ONE = [1, 0, -1, 0]
TWO = [1, 0, 1, 0]
TURNED = {0: LOW, 1: ONE, 2: TWO}


def dice_of(request: Json) -> tuple[Dice | None, Dice | None]:
    """The dice that count, the actor's and the opposition's."""
    answer = resolved(request)
    return answer["roll"].get("dice"), answer["opposition"].get("dice")


def turned(request: Json) -> tuple[int | None, int | None]:
    """How many dice weight turned, the actor's and the opposition's."""
    answer = resolved(request)
    return answer["roll"].get("weight"), answer["opposition"].get("weight")


def fight(ours: int, theirs: int, **action: object) -> Json:
    """Ann, who weighs so much, attacks Xan, who weighs so much, and both throw low."""
    scene = {"characters": [hero("Ann", weight=ours), foe("Xan", weight=theirs)]}
    plain = {"type": "attack", "target": "Xan", "roll": {"dice": LOW}, "opposition": defends(LOW)}
    return battle(scene, **(plain | action))


# How much.


@pytest.mark.parametrize(
    ("ours", "theirs", "attacker", "defender"),
    [
        (1, 1, 0, 0),
        (3, 2, 0, 0),
        (2, 1, 1, 0),
        (3, 1, 1, 0),
        (7, 2, 1, 0),
        (4, 1, 2, 0),
        (5, 1, 2, 0),
        (8, 2, 2, 0),
        (100, 1, 2, 0),
        (2, 3, 0, 0),
        (1, 2, 0, 1),
        (3, 6, 0, 1),
        (1, 4, 0, 1),
        (1, 100, 0, 1),
        (0, 5, 0, 0),
        (5, 0, 0, 0),
        (0, 0, 0, 0),
    ],
)
@pytest.mark.parametrize("action", ["attack", "defend"])
def test_twice_the_weight_turns_one_die_and_four_times_two(
    action: str, ours: int, theirs: int, attacker: int, defender: int
) -> None:
    """Only whoever attacks turns two, in an attack and in the defence against one; a side of no weight has none."""
    attacks = fight(ours, theirs)
    against = {"kind": "active", "by": "Xan", "roll": {"dice": LOW}}
    defend = fight(theirs, ours, type="defend", target=None, opposition=against)
    request, expected = (
        (attacks, (TURNED[attacker], TURNED[defender]))
        if action == "attack"
        else (defend, (TURNED[defender], TURNED[attacker]))
    )

    assert expected == dice_of(request)
    assert tuple(
        number or None for number in ((attacker, defender) if action == "attack" else (defender, attacker))
    ) == (turned(request))


def lowest_turned(dice: tuple[int, ...], number: int) -> Dice:
    """Turn the lowest, the leftmost of them, one after the other."""
    left = list(dice)
    for _ in range(number):
        left[left.index(min(left))] = 1
    return left


@pytest.mark.parametrize(("number", "weight"), [(0, 1), (1, 2), (2, 4)])
def test_the_lowest_dice_are_turned_leftmost_first(number: int, weight: int) -> None:
    """Of all eighty-one throws."""
    throws = list(product((-1, 0, 1), repeat=4))

    told = [dice_of(fight(weight, 1, roll={"dice": list(dice)}))[0] for dice in throws]

    assert [lowest_turned(dice, number) for dice in throws] == told


def test_a_turned_throw_tells_what_was_thrown() -> None:
    """`rolled` are the faces that lay there, `dice` those that count, and the total is made of these."""
    told = resolved(fight(2, 1, roll={"dice": [0, -1, 0, 1]}, skill="Quick"))["roll"]

    assert told == {
        "dice": [0, 1, 0, 1],
        "rolled": [0, -1, 0, 1],
        "weight": 1,
        "skill": 0,
        "bonus": 0,
        "invoked": 0,
        "total": 2,
        "ladder": "Fair",
    }


@pytest.mark.parametrize(("weight", "dice"), [(2, [0, 1, 0, 0]), (4, [1, 1, 0, 0])])
def test_weight_turns_what_lies_there_after_all_rerolls(weight: int, dice: Dice) -> None:
    """A reroll throws all four again, and only then are dice turned."""
    request = fight(weight, 1, roll={"dice": [-1, -1, -1, -1]})
    request["scene"]["aspects"] = [{"name": "Mud", "free_invocations": {"Ann": 2}}]
    request["action"]["invocations"] = [
        {"aspect": "Mud", "use": "reroll", "dice": [-1, -1, -1, 1]},
        {"aspect": "Mud", "use": "reroll", "dice": [0, -1, 0, 0]},
    ]

    assert (dice, [-1, -1, -1, -1]) == (dice_of(request)[0], resolved(request)["roll"]["rolled"])


@pytest.mark.parametrize("side", ["actor", "opposition"])
def test_a_told_total_has_no_weight(side: str) -> None:
    """What the table tells as a total has all in it; the other side's dice are turned all the same."""
    if side == "actor":
        request = fight(4, 1, roll={"total": 1})
        assert dice_of(request) == (None, LOW)
        assert resolved(request)["roll"]["total"] == 1
    else:
        request = fight(1, 4, opposition={"kind": "defend", "roll": {"total": 1}})
        assert dice_of(request) == (LOW, None)
        assert resolved(request)["opposition"]["total"] == 1
    assert turned(request) == (None, None)
    assert turned(fight(4, 1, opposition={"kind": "defend", "roll": {"total": 1}})) == (2, None)


# When.


@pytest.mark.parametrize(
    ("action", "matters", "dice"),
    [
        ("attack", None, 2),
        ("attack", True, 2),
        ("attack", False, 0),
        ("defend", None, 1),
        ("defend", True, 1),
        ("defend", False, 0),
        ("overcome", None, 0),
        ("overcome", True, 1),
        ("overcome", False, 0),
        ("create_advantage", None, 0),
        ("create_advantage", True, 1),
        ("create_advantage", False, 0),
        ("movement", None, 0),
        ("movement", True, 1),
        ("push", None, 0),
        ("push", True, 1),
        ("charge", None, 2),
        ("charge", False, 0),
    ],
)
def test_weight_counts_where_it_is_the_habit_or_is_asked_for(action: str, matters: bool | None, dice: int) -> None:
    """Always when attacking and defending, elsewhere only when it matters; the GM can switch it off."""
    against = {"kind": "active", "by": "Xan", "roll": {"dice": LOW}}
    asked: dict[str, Json] = {
        "attack": {},
        "defend": {"type": "defend", "target": None, "opposition": against},
        "overcome": {"type": "overcome", "target": None, "opposition": against},
        "create_advantage": {"type": "create_advantage", "target": None, "opposition": against},
        "movement": {"type": "overcome", "variant": "movement", "path": ["A", "B"], "target": None}
        | {"opposition": against},
        "push": {"type": "overcome", "maneuver": "push", "opposition": against},
        "charge": {"maneuver": "charge"},
    }

    assert (TURNED[dice], LOW) == dice_of(fight(4, 1, weight_matters=matters, **asked[action]))


@pytest.mark.parametrize("ruleset", ["five-actions", "coppermane", "base-actions"])
@pytest.mark.parametrize("matters", [None, True])
def test_weight_belongs_to_war_of_ashes(matters: bool | None, ruleset: str) -> None:
    """No other ruleset turns dice, asked or not."""
    assert dice_of({**fight(9, 1, weight_matters=matters), "ruleset": ruleset}) == (LOW, LOW)


# Who, and where.


def at(name: str, side: str, place: str | None = None, weight: int = 1, **more: object) -> Json:
    """Somebody of a side, in a zone, of some weight."""
    return {"name": name, "side": side, "zone": place, "weight": weight, **more}


@pytest.mark.parametrize(
    ("people", "action", "expected"),
    [
        pytest.param([at("Ann", "a"), at("Xan", "b")], {}, (0, 0), id="one against one"),
        pytest.param([at("Ann", "a"), at("Bea", "a"), at("Xan", "b")], {}, (1, 0), id="an ally beside her"),
        pytest.param([at("Ann", "a"), at("Bea", "a", weight=3), at("Xan", "b")], {}, (2, 0), id="weights are summed"),
        pytest.param(
            [at("Ann", "a"), at("Bea", "a"), at("Xan", "b"), at("Yve", "b")], {}, (0, 0), id="two against two"
        ),
        pytest.param(
            [at("Ann", "a"), at("Bea", "a"), at("Xan", "b"), at("Yve", "b", taken_out=True)],
            {},
            (1, 0),
            id="who is taken out weighs nothing",
        ),
        pytest.param(
            [at("Ann", "a", "Hall"), at("Bea", "a", "Yard"), at("Xan", "b", "Hall")],
            {},
            (0, 0),
            id="an ally elsewhere is none",
        ),
        pytest.param(
            [at("Ann", "a", "Hall"), at("Xan", "b", "Hall"), at("Yve", "b", "Yard")],
            {},
            (0, 0),
            id="a foe elsewhere is none",
        ),
        pytest.param(
            [at("Ann", "a", "Hall", 9), at("Xan", "b", "Yard")], {}, (0, 0), id="foes in different zones do not weigh"
        ),
        pytest.param(
            [at("Ann", "a", "Hall"), at("Bea", "a", "Yard", 9), at("Xan", "b", "Yard")],
            {},
            (0, 0),
            id="nor do those who stand beside them",
        ),
        pytest.param(
            [at("Ann", "a", "Hall"), at("Bea", "a"), at("Xan", "b", "Hall")],
            {},
            (0, 0),
            id="no zone is not the same as a zone",
        ),
        pytest.param(
            [at("Ann", "a"), at("Xan", "b"), at("Zed", "c", weight=9)],
            {},
            (0, 0),
            id="a third side does not weigh against a foe that is named",
        ),
        pytest.param(
            [at("Ann", "a"), at("Xan", "b"), at("Yve", "b"), at("Zed", "c")],
            {"target": "Zed"},
            (0, 0),
            id="nor for it",
        ),
        pytest.param(
            [at("Ann", "a"), at("Xan", "b"), at("Yve", "c", weight=4)],
            {"opposition": defends(LOW, by="Yve")},
            (0, 1),
            id="who stands in is the opponent",
        ),
        pytest.param(
            [at("Ann", "a"), at("Xan", "b", weight=0), at("Yve", "b")],
            {},
            (0, 0),
            id="something tiny beside a foe",
        ),
        pytest.param(
            [at("Ann", "a", weight=4), at("Xan", "b", weight=0)], {}, (0, 0), id="a lone tiny thing is no party"
        ),
        pytest.param([], {}, (0, 0), id="nobody listed weighs one each"),
        pytest.param([], {"helpers": ["Bea"]}, (1, 0), id="helpers who are not listed weigh one as well"),
        pytest.param(
            [],
            {"opposition": defends(LOW, helpers=["Yve"])},
            (0, 1),
            id="so do the opposition's",
        ),
    ],
)
def test_weight_is_that_of_both_sides_where_they_meet(
    people: list[Json], action: Json, expected: tuple[int, int]
) -> None:
    """Summed over the actor's zone: the actor's side against the opponent's."""
    plain = {"type": "attack", "target": "Xan", "roll": {"dice": LOW}, "opposition": defends(LOW)}

    assert (TURNED[expected[0]], TURNED[expected[1]]) == dice_of(battle({"characters": people}, **(plain | action)))


def crowd() -> Json:
    """Ann alone, Xan alone, and two of a third side."""
    people = [at("Ann", "a"), at("Xan", "b"), at("Yve", "c"), at("Zed", "c")]
    return {"characters": people}


@pytest.mark.parametrize(
    ("opposition", "expected"),
    [
        pytest.param({"kind": "active", "by": "Xan"}, (0, 0), id="named: that one's side"),
        pytest.param({"kind": "active", "by": "Yve"}, (0, 1), id="named: the heavier side"),
        pytest.param({"kind": "active"}, (0, 1), id="not named: all others"),
    ],
)
def test_with_no_opponent_named_all_others_weigh(opposition: Json, expected: tuple[int, int]) -> None:
    """One against one is even; one against three is not."""
    request = battle(crowd(), weight_matters=True, roll={"dice": LOW}, opposition=opposition | {"roll": {"dice": LOW}})

    assert (TURNED[expected[0]], TURNED[expected[1]]) == dice_of(request)


def test_against_passive_opposition_all_others_weigh() -> None:
    """Ann and four allies outweigh two of different sides, and nobody else rolls."""
    people = [at("Ann", "a", weight=5), at("Xan", "b"), at("Yve", "c")]
    request = battle({"characters": people}, weight_matters=True, roll={"dice": LOW})

    assert dice_of(request) == (ONE, None)


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        pytest.param([at("Ann", "a"), at("Xan", "b")], (1, 0), id="twice her weight against one"),
        pytest.param([at("Ann", "a", weight=2), at("Xan", "b")], (2, 0), id="twice two against one"),
        pytest.param([at("Ann", "a"), at("Xan", "b", weight=2)], (0, 0), id="no longer outweighed"),
        pytest.param([at("Ann", "a"), at("Xan", "b", weight=4)], (0, 1), id="still outweighed"),
        pytest.param(
            [at("Ann", "a", "Hall"), at("Bea", "a", "Hall", 9), at("Xan", "b", "Yard")],
            (1, 0),
            id="whom she leaves does not count",
        ),
        pytest.param(
            [at("Ann", "a", "Hall"), at("Bea", "a", "Yard", 2), at("Xan", "b", "Yard")],
            (2, 0),
            id="whom she joins counts, undoubled",
        ),
        pytest.param(
            [at("Ann", "a", "Hall"), at("Xan", "b", "Yard"), at("Yve", "b", "Yard")],
            (0, 0),
            id="with the target's friends there",
        ),
        pytest.param(
            [at("Ann", "a", "Hall"), at("Xan", "b", "Yard"), at("Yve", "b", "Hall", 9)],
            (1, 0),
            id="not with its friends here",
        ),
    ],
)
def test_a_charge_doubles_ones_own_weight_where_it_ends(people: list[Json], expected: tuple[int, int]) -> None:
    """In both sides' rolls, and it counts in the target's zone."""
    action = {"type": "attack", "maneuver": "charge", "target": "Xan", "roll": {"dice": LOW}}
    request = battle({"characters": people}, **action, opposition=defends(LOW))

    assert (TURNED[expected[0]], TURNED[expected[1]]) == dice_of(request)


# The worked examples.


def guards_attack(number: int, dice: Dice) -> Json:
    """So many city guards in Deliah's zone, one of whom attacks her."""
    scene = {"characters": [hero("Deliah"), *foes("Guard", number)]}
    return battle(
        scene,
        type="attack",
        actor="Guard 1",
        target="Deliah",
        roll={"dice": dice},
        opposition=defends([0, 0, 0, 0]),
    )


@pytest.mark.parametrize(
    ("guards", "rolled", "dice", "weight"),
    [
        pytest.param(2, [0, 0, -1, 1], [0, 0, 1, 1], 1, id="two guards outweigh her two to one"),
        pytest.param(1, [0, 0, -1, 1], [0, 0, -1, 1], None, id="by himself the guard no longer does"),
        pytest.param(5, [0, -1, 1, -1], [0, 1, 1, 1], 2, id="five to one is at least four to one"),
    ],
)
def test_deliah_and_the_city_guards(guards: int, rolled: Dice, dice: Dice, weight: int | None) -> None:
    """The guards' dice are turned as the document tells it, and Deliah's are not."""
    answer = resolved(guards_attack(guards, rolled))

    assert (dice, rolled, weight, [0, 0, 0, 0]) == (
        answer["roll"]["dice"],
        answer["roll"]["rolled"],
        answer["roll"].get("weight"),
        answer["opposition"]["dice"],
    )


def take_out(scene: Json, actor: str, target: str) -> Json:
    """The scene after an attack that the target did not survive."""
    request = battle(
        scene,
        type="attack",
        actor=actor,
        target=target,
        roll={"total": 2},
        opposition={"kind": "defend", "roll": {"total": 0}},
    )
    return narrator.apply(request, {"branch": "hit"}).as_json()


def test_deliah_takes_one_guard_out_and_is_no_longer_outweighed() -> None:
    """Over three steps: two to one, one to one, and five to one when four more guards come."""
    scene: Json = {"characters": [hero("Deliah"), *foes("Guard", 2)]}
    attack = {"type": "attack", "actor": "Guard 1", "target": "Deliah", "opposition": defends()}
    first = dice_of(battle(scene, **attack, roll={"dice": [0, 0, -1, 1]}))[0]
    scene = take_out(scene, "Deliah", "Guard 2")
    second = dice_of(battle(scene, **attack, roll={"dice": [0, 0, -1, 1]}))[0]
    scene["characters"] += foes("Another Guard", 4)
    third = dice_of(battle(scene, **attack, roll={"dice": [0, -1, 1, -1]}))[0]

    assert (first, second, third) == ([0, 0, 1, 1], [0, 0, -1, 1], [0, 1, 1, 1])


def test_three_heroes_and_a_mercenary_against_four_lizardmen() -> None:
    """Equal at first; once Rolf has taken two out, the next player's turn has the benefit of a die."""
    party = [hero("Rolf"), hero("Olivia"), hero("Deliah"), {"name": "Mercenary", "side": "pc"}]
    scene: Json = {"characters": [*party, *foes("Lizardman", 4)]}

    def olivias_dice() -> tuple[Dice | None, Dice | None]:
        attack = {"type": "attack", "actor": "Olivia", "target": "Lizardman 3", "roll": {"dice": LOW}}
        return dice_of(battle(scene, **attack, opposition=defends(LOW)))

    told = [olivias_dice()]
    for lizardman in ("Lizardman 1", "Lizardman 2"):
        scene = take_out(scene, "Rolf", lizardman)
        told.append(olivias_dice())

    assert told == [(LOW, LOW), (LOW, LOW), (ONE, LOW)]


def test_rolf_charges_two_pirates_and_nobody_is_outweighed() -> None:
    """He doubles his weight: two against two; without the charge they would outweigh him."""
    people = [hero("Rolf", zone="Deck"), *foes("Pirate", 2, zone="Foredeck")]
    charge = {"type": "attack", "actor": "Rolf", "maneuver": "charge", "target": "Pirate 1", "roll": {"dice": LOW}}
    beside = [people[0] | {"zone": "Foredeck"}, *people[1:]]

    assert dice_of(battle({"characters": people}, **charge, opposition=defends(LOW))) == (LOW, LOW)
    assert dice_of(battle({"characters": beside}, **(charge | {"maneuver": None}), opposition=defends(LOW))) == (
        LOW,
        ONE,
    )


@pytest.mark.parametrize(("matters", "dice"), [(None, LOW), (True, ONE)], ids=["toppling the wall", "the battle cry"])
def test_rolf_among_his_allies_against_the_goblins(matters: bool | None, dice: Dice) -> None:
    """Toppling a wall he acts alone; a battle cry is the more credible for those around him."""
    party = [hero("Rolf"), hero("Olivia"), hero("Deliah"), {"name": "Mercenary", "side": "pc"}]
    scene = {"characters": [*party, foe("Goblin Horde", weight=2)]}
    create = {"type": "create_advantage", "actor": "Rolf", "target": "Goblin Horde", "roll": {"dice": LOW}}

    assert dice == dice_of(battle(scene, **create, weight_matters=matters, opposition=defends(LOW)))[0]


COURT = {"Monarch": 8, "High Houselord": 4, "Houselord": 2, "Commoners": 1}
DEBATE = {"Academician": 4, "Professor": 2, "Graduate Student": 1, "Commoner": 0}


@pytest.mark.parametrize(
    ("weights", "speaker", "listener", "expected"),
    [
        (COURT, "Monarch", "High Houselord", (1, 0)),
        (COURT, "Monarch", "Houselord", (2, 0)),
        (COURT, "Monarch", "Commoners", (2, 0)),
        (COURT, "Houselord", "Commoners", (1, 0)),
        (COURT, "Commoners", "Monarch", (0, 1)),
        (COURT, "Houselord", "High Houselord", (0, 1)),
        (DEBATE, "Academician", "Graduate Student", (2, 0)),
        (DEBATE, "Academician", "Professor", (1, 0)),
        (DEBATE, "Professor", "Graduate Student", (1, 0)),
        (DEBATE, "Graduate Student", "Academician", (0, 1)),
        (DEBATE, "Academician", "Commoner", (0, 0)),
        (DEBATE, "Commoner", "Graduate Student", (0, 0)),
    ],
)
def test_rank_weighs_in_a_social_conflict(
    weights: dict[str, int], speaker: str, listener: str, expected: tuple[int, int]
) -> None:
    """At the Royal Court and in a scholarly debate the GM's weights count; who weighs nothing is no party to it."""
    people = [at(speaker, "a", weight=weights[speaker]), at(listener, "b", weight=weights[listener])]
    attack = {"type": "attack", "actor": speaker, "target": listener, "attack": {"track": "mental", "melee": False}}

    assert (TURNED[expected[0]], TURNED[expected[1]]) == dice_of(
        battle({"characters": people}, **attack, roll={"dice": LOW}, opposition=defends(LOW))
    )


def test_the_others_of_a_scene_without_zones_weigh_against_each_other() -> None:
    """Characters without a zone stand together."""
    request = ask({"characters": [at("Ann", "a"), at("Bea", "a"), at("Xan", "b")]}, request={"ruleset": "war-of-ashes"})
    request["action"] |= {"type": "attack", "target": "Xan", "roll": {"dice": LOW}, "opposition": defends(LOW)}

    assert dice_of(request) == (ONE, LOW)
