"""Weight: who outweighs whom, where, and the dice that it turns ("Weight" of document 003)."""

from itertools import product

import pytest

import narrator
from tests.rules.build import Json, resolved
from tests.rules.conflict.battle import battle, defends, foe, foes, hero

Dice = list[int]
LOW = [-1, 0, -1, 0]
"""Dice on which each one that is turned can be seen."""
ONE = [1, 0, -1, 0]
TWO = [1, 0, 1, 0]
TURNED = [LOW, ONE, TWO]


def dice_of(request: Json) -> tuple[Dice | None, Dice | None]:
    """The dice that count, the actor's and the opposition's."""
    answer = resolved(request)
    return answer["roll"].get("dice"), answer["opposition"].get("dice")


def told(request: Json) -> tuple[int | None, int | None]:
    """How many dice weight turned as the answer tells it, the actor's and the opposition's."""
    answer = resolved(request)
    return answer["roll"].get("weight"), answer["opposition"].get("weight")


def turns(request: Json) -> tuple[int, int]:
    """How many dice of each side are other than they were thrown, all of them thrown low."""
    ours, theirs = dice_of(request)
    return TURNED.index(ours or LOW), TURNED.index(theirs or LOW)


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
def test_twice_the_weight_turns_one_die_and_four_times_two(
    ours: int, theirs: int, attacker: int, defender: int
) -> None:
    """Only whoever attacks turns two, in an attack and in the defence against one; a side of no weight has none."""
    attack = fight(ours, theirs)
    against = {"kind": "active", "by": "Xan", "roll": {"dice": LOW}}
    defend = fight(theirs, ours, type="defend", target=None, opposition=against)

    for request, expected in ((attack, (attacker, defender)), (defend, (defender, attacker))):
        assert expected == turns(request)
        assert tuple(number or None for number in expected) == told(request)


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

    found = [dice_of(fight(weight, 1, roll={"dice": list(dice)}))[0] for dice in throws]

    assert [lowest_turned(dice, number) for dice in throws] == found


def test_a_turned_throw_tells_what_was_thrown() -> None:
    """`rolled` are the faces that lay there, `dice` those that count, and the total is made of these."""
    roll = resolved(fight(2, 1, roll={"dice": [0, -1, 0, 1]}, skill="Quick"))["roll"]

    assert roll == {
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
    assert told(request) == (None, None)
    assert told(fight(4, 1, opposition={"kind": "defend", "roll": {"total": 1}})) == (2, None)


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

    assert (dice, 0) == turns(fight(4, 1, weight_matters=matters, **asked[action]))


@pytest.mark.parametrize("ruleset", ["five-actions", "coppermane", "base-actions"])
@pytest.mark.parametrize("matters", [None, True])
def test_weight_belongs_to_war_of_ashes(matters: bool | None, ruleset: str) -> None:
    """No other ruleset turns dice, asked or not."""
    assert dice_of({**fight(9, 1, weight_matters=matters), "ruleset": ruleset}) == (LOW, LOW)


# Who, and where.


def there(people: str) -> list[Json]:
    """People in few words: of each the name, side, zone if in one, weight if not one, and `out` if taken out."""
    found = []
    for name, side, *more in (each.split() for each in people.split(", ") if each):
        weight = next((int(each) for each in more if each.isdigit()), 1)
        zone = next((each for each in more if each.istitle()), None)
        found.append({"name": name, "side": side, "zone": zone, "weight": weight, "taken_out": "out" in more})
    return found


def meets(opposition: Json) -> Json:
    """Ann overcomes this opposition, where weight matters."""
    thrown = {"roll": {"dice": LOW}} if opposition["kind"] == "active" else {}
    return {"type": "overcome", "target": None, "weight_matters": True, "opposition": opposition | thrown}


CHARGE = {"maneuver": "charge"}
CROWD = "Ann a, Xan b, Yve c, Zed c"


@pytest.mark.parametrize(
    ("people", "action", "expected"),
    [
        pytest.param("Ann a, Xan b", {}, (0, 0), id="one against one"),
        pytest.param("Ann a, Bea a, Xan b", {}, (1, 0), id="an ally beside her"),
        pytest.param("Ann a, Bea a 3, Xan b", {}, (2, 0), id="weights are summed"),
        pytest.param("Ann a, Bea a, Xan b, Yve b", {}, (0, 0), id="two against two"),
        pytest.param("Ann a, Bea a, Xan b, Yve b out", {}, (1, 0), id="who is taken out weighs nothing"),
        pytest.param("Ann a Hall, Bea a Yard, Xan b Hall", {}, (0, 0), id="an ally elsewhere is none"),
        pytest.param("Ann a Hall, Xan b Hall, Yve b Yard", {}, (0, 0), id="a foe elsewhere is none"),
        pytest.param("Ann a Hall 9, Xan b Yard", {}, (0, 0), id="foes in different zones do not weigh"),
        pytest.param("Ann a Hall, Bea a Yard 9, Xan b Yard", {}, (0, 0), id="nor do those who stand beside them"),
        pytest.param("Ann a Hall, Bea a, Xan b Hall", {}, (0, 0), id="no zone is not the same as a zone"),
        pytest.param("Ann a, Xan b, Zed c 9", {}, (0, 0), id="a third side does not weigh against a foe that is named"),
        pytest.param("Ann a, Xan b, Yve b, Zed c", {"target": "Zed"}, (0, 0), id="nor for it"),
        pytest.param(
            "Ann a, Xan b, Yve c 4", {"opposition": defends(LOW, by="Yve")}, (0, 1), id="who stands in is the opponent"
        ),
        pytest.param("Ann a, Xan b 0, Yve b", {}, (0, 0), id="something tiny beside a foe"),
        pytest.param("Ann a 4, Xan b 0", {}, (0, 0), id="a lone tiny thing is no party"),
        pytest.param("", {}, (0, 0), id="nobody listed weighs one each"),
        pytest.param("", {"helpers": ["Bea"]}, (1, 0), id="helpers who are not listed weigh one as well"),
        pytest.param("", {"opposition": defends(LOW, helpers=["Yve"])}, (0, 1), id="so do the opposition's"),
        pytest.param("Ann a, Xan b", CHARGE, (1, 0), id="a charge: twice her weight against one"),
        pytest.param("Ann a 2, Xan b", CHARGE, (2, 0), id="a charge: twice two against one"),
        pytest.param("Ann a, Xan b 2", CHARGE, (0, 0), id="a charge: no longer outweighed"),
        pytest.param("Ann a, Xan b 4", CHARGE, (0, 1), id="a charge: still outweighed"),
        pytest.param(
            "Ann a Hall, Bea a Hall 9, Xan b Yard", CHARGE, (1, 0), id="a charge: whom she leaves does not count"
        ),
        pytest.param(
            "Ann a Hall, Bea a Yard 2, Xan b Yard", CHARGE, (2, 0), id="a charge: whom she joins counts, undoubled"
        ),
        pytest.param(
            "Ann a Hall, Xan b Yard, Yve b Yard", CHARGE, (0, 0), id="a charge: with the target's friends there"
        ),
        pytest.param("Ann a Hall, Xan b Yard, Yve b Hall 9", CHARGE, (1, 0), id="a charge: not with its friends here"),
        pytest.param(
            CROWD, meets({"kind": "active", "by": "Xan"}), (0, 0), id="an opponent who is named: that one's side"
        ),
        pytest.param(
            CROWD, meets({"kind": "active", "by": "Yve"}), (0, 1), id="an opponent who is named: the heavier side"
        ),
        pytest.param(CROWD, meets({"kind": "active"}), (0, 1), id="no opponent named: all others"),
        pytest.param(
            "Ann a 5, Xan b, Yve c",
            meets({"kind": "passive", "rating": 0}),
            (1, 0),
            id="passive opposition: all others",
        ),
    ],
)
def test_weight_is_that_of_both_sides_where_they_meet(people: str, action: Json, expected: tuple[int, int]) -> None:
    """Summed over the actor's zone: the actor's side against the opponent's, or all others where there is none. A
    charge doubles one's own weight, in both sides' rolls, where it ends: in the target's zone.
    """
    plain = {"type": "attack", "target": "Xan", "roll": {"dice": LOW}, "opposition": defends(LOW)}

    assert expected == turns(battle({"characters": there(people)}, **(plain | action)))


# The worked examples.


def guards_attack(number: int, dice: Dice) -> Json:
    """So many city guards in Deliah's zone, one of whom attacks her."""
    scene = {"characters": [hero("Deliah"), *foes("Guard", number)]}
    return battle(
        scene, type="attack", actor="Guard 1", target="Deliah", roll={"dice": dice}, opposition=defends([0, 0, 0, 0])
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

    found = [olivias_dice()]
    for lizardman in ("Lizardman 1", "Lizardman 2"):
        scene = take_out(scene, "Rolf", lizardman)
        found.append(olivias_dice())

    assert found == [(LOW, LOW), (LOW, LOW), (ONE, LOW)]


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
    people = [hero(speaker, weight=weights[speaker]), foe(listener, weight=weights[listener])]
    attack = {"type": "attack", "actor": speaker, "target": listener, "attack": {"track": "mental", "melee": False}}

    request = battle({"characters": people}, **attack, roll={"dice": LOW}, opposition=defends(LOW))

    assert expected == turns(request)
