"""Weight: who outweighs whom, where, and the dice that it turns ("Weight" of document 003)."""

from itertools import product

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.rules.build import refused, resolved
from tests.rules.conflict.battle import FIGHTING, RULESET, battle, defends, foe, foes, hero

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

    assert {key: roll[key] for key in ("dice", "rolled", "weight", "total")} == {
        "dice": [0, 1, 0, 1],
        "rolled": [0, -1, 0, 1],
        "weight": 1,
        "total": 2,
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


@pytest.mark.parametrize("weight", [2, 4])
def test_weight_wants_faces_to_turn(weight: int) -> None:
    """A sum is refused where weight turns dice of that side, unless all four are rolled again."""
    ours = fight(weight, 1, roll={"sum": -2})
    theirs = fight(1, weight, opposition={"kind": "defend", "roll": {"sum": -2}})

    assert refused(ours) == ("bad_dice", "action.roll.sum", None)
    assert refused(theirs) == ("bad_dice", "action.opposition.roll.sum", None)
    assert (resolved(fight(1, weight, roll={"sum": -2}))["roll"]["sum"], narrator.odds(ours).outcomes["fail"][1]) == (
        -2,
        81,
    )

    ours["scene"]["aspects"] = [{"name": "Mud", "free_invocations": {"Ann": 1}}]
    ours["action"]["invocations"] = [{"aspect": "Mud", "use": "reroll", "dice": LOW}]
    roll = resolved(ours)["roll"]
    assert (roll["dice"], roll["weight"], roll.keys() & {"sum", "rolled"}) == (TURNED[weight // 2], weight // 2, set())


def test_a_told_total_has_no_weight() -> None:
    """What the table tells as a total has all in it; the other side's dice are turned all the same."""
    ours, theirs = fight(4, 1, roll={"total": 1}), fight(1, 4, opposition={"kind": "defend", "roll": {"total": 1}})

    assert (dice_of(ours), resolved(ours)["roll"]["total"]) == ((None, LOW), 1)
    assert (dice_of(theirs), resolved(theirs)["opposition"]["total"]) == ((LOW, None), 1)
    assert told(ours) == told(theirs) == (None, None)
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
    against = {"opposition": {"kind": "active", "by": "Xan", "roll": {"dice": LOW}}}
    asked: dict[str, Json] = {
        "attack": {},
        "movement": {"type": "overcome", "variant": "movement", "path": ["A", "B"], "target": None} | against,
        "push": {"type": "overcome", "maneuver": "push"} | against,
        "charge": {"maneuver": "charge"},
    }
    deed = asked.get(action, {"type": action, "target": None} | against)

    assert (dice, 0) == turns(fight(4, 1, weight_matters=matters, **deed))


@pytest.mark.parametrize("ruleset", [name for name in FIGHTING if name != RULESET])
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
        pytest.param("", CHARGE, (1, 0), id="nobody listed, and a charge doubles"),
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


def test_deliah_takes_one_guard_out_and_is_no_longer_outweighed() -> None:
    """Over three steps: two to one, one to one, and five to one when four more guards come."""
    scene: Json = {"characters": [hero("Deliah"), *foes("Guard", 2)]}
    attack = {"type": "attack", "actor": "Guard 1", "target": "Deliah", "opposition": defends()}
    hers = attack | {"actor": "Deliah", "target": "Guard 2", "roll": {"total": 2}}
    first = dice_of(battle(scene, **attack, roll={"dice": [0, 0, -1, 1]}))
    scene = narrator.apply(battle(scene, **hers), {"branch": "hit"}).as_json()
    second = dice_of(battle(scene, **attack, roll={"dice": [0, 0, -1, 1]}))
    scene["characters"] += foes("Another Guard", 4)
    third = dice_of(battle(scene, **attack, roll={"dice": [0, -1, 1, -1]}))

    assert [theirs for _, theirs in (first, second, third)] == [[0, 0, 0, 0]] * 3
    assert [ours for ours, _ in (first, second, third)] == [[0, 0, 1, 1], [0, 0, -1, 1], [0, 1, 1, 1]]


DEBATE = {"Academician": 4, "Graduate Student": 1, "Commoner": 0}


@pytest.mark.parametrize(
    ("speaker", "listener", "expected"),
    [
        ("Academician", "Graduate Student", (2, 0)),
        ("Graduate Student", "Academician", (0, 1)),
        ("Academician", "Commoner", (0, 0)),
        ("Commoner", "Graduate Student", (0, 0)),
    ],
)
def test_rank_weighs_in_a_scholarly_debate(speaker: str, listener: str, expected: tuple[int, int]) -> None:
    """In a social conflict the GM's weights count; who weighs nothing is no party to it."""
    people = [hero(speaker, weight=DEBATE[speaker]), foe(listener, weight=DEBATE[listener])]
    attack = {"type": "attack", "actor": speaker, "target": listener, "attack": {"track": "mental", "melee": False}}

    assert expected == turns(battle({"characters": people}, **attack, roll={"dice": LOW}, opposition=defends(LOW)))
