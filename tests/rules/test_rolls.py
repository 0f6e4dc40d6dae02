"""Rolls: the ladder, dice from seeds, what adds to a total, and what invocations cost ("When to Roll the Dice")."""

from itertools import product
from random import Random
from typing import Any

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.rules.build import ANN, BEA, XAN, YVE, ask, resolved

NOTHING = [0, 0, 0, 0]
ONES = [1, 1, 1, 1]
LOW = [0, -1, 0, 0]


def scene(*aspects: Json, ann: Json | None = None, bea: Json | None = None, xan: Json | None = None) -> Json:
    """A scene of three, with what is told of each."""
    people = [ANN | (ann or {}), BEA | (bea or {}), XAN | (xan or {}), YVE]
    return {"aspects": list(aspects), "characters": people}


def fog(**held: int) -> Json:
    """An aspect of the scene, and who holds how many free invocations of it."""
    return {"name": "Fog", "free_invocations": {"*" if who == "anyone" else who: n for who, n in held.items()}}


# The ladder.


LADDER = "Terrible-2 Terrible-1 Terrible Poor Mediocre Average Fair Good Great Superb Fantastic Epic Legendary"


@pytest.mark.parametrize(
    ("rating", "name"), [*enumerate([*LADDER.split(), "Legendary+1"], -4), (-12, "Terrible-10"), (18, "Legendary+10")]
)
def test_every_rating_has_a_name(rating: int, name: str) -> None:
    """Both totals bear their name on the ladder, also off its ends."""
    answer = resolved(ask(roll={"total": rating}, opposition={"kind": "passive", "rating": rating}))

    assert [name, name] == [answer["roll"]["ladder"], answer["opposition"]["ladder"]]


# Dice from seeds.

REROLL = {"aspect": "Fog", "use": "reroll", "pay": "free"}


def rolled_by_seed(seed: int, **told: list[int]) -> dict[str, list[int]]:
    """The four throws of a request that leaves them to a seed, but for those told."""

    def side(roll: str, reroll: str) -> Json:
        again = REROLL | ({"dice": told[reroll]} if reroll in told else {})
        return {"roll": {"dice": told[roll]} if roll in told else None, "invocations": [again]}

    against = {"kind": "active", "by": "Xan", **side("against", "against_again")}
    request = ask(scene(fog(anyone=2)), request={"seed": seed}, opposition=against, **side("first", "again"))
    ours, theirs = (resolved(request)[each] for each in ("roll", "opposition"))
    thrown = {"first": ours["rolled"], "again": ours["dice"]}
    return thrown | {"against": theirs["rolled"], "against_again": theirs["dice"]}


def test_a_seed_always_throws_the_same() -> None:
    """What seed 7 throws is pinned: a game told again by its seeds must come out the same in years."""
    thrown = {"first": [-1, -1, 0, -1], "again": [-1, 0, -1, -1]}
    assert rolled_by_seed(7) == thrown | {"against": [0, 0, -1, 0], "against_again": [0, 1, -1, -1]}


@pytest.mark.parametrize("seed", [0, 7, 12345, 2**53 - 1])
@pytest.mark.parametrize("throw", ["first", "again", "against", "against_again"])
def test_telling_one_throw_changes_no_other(seed: int, throw: str) -> None:
    """Each throw has its place among those of a seed, whichever of the others were made at the table."""
    told = [1, 0, -1, 1]

    assert {**rolled_by_seed(seed), throw: told} == rolled_by_seed(seed, **{throw: told})


def test_a_second_reroll_is_another_throw() -> None:
    """Two rerolls in a row do not fall back to the same faces, whatever was told of the first."""

    def last(*rerolls: Json) -> Any:
        request = ask(scene(fog(Ann=2)), request={"seed": 7}, roll={"dice": NOTHING}, invocations=[*rerolls])
        return resolved(request)["roll"]["dice"]

    assert last(REROLL) != last(REROLL, REROLL)
    assert last(REROLL, REROLL) == last(REROLL | {"dice": ONES}, REROLL)


def test_faces_are_thirds_of_chance() -> None:
    """Each die is one number of `Random.random`, cut in three, in the order of the dice."""
    for seed in range(300):
        chance = Random(seed)
        expected = [int(chance.random() * 3) - 1 for _ in range(4)]

        assert expected == resolved(ask(roll=None, request={"seed": seed}))["roll"]["rolled"]


def test_a_seed_that_is_drawn_is_named() -> None:
    """What narrator rolls of its own accord can be had again: the resolution names the seed."""
    first = resolved(ask(roll=None))

    assert first == resolved(ask(roll=None, request={"seed": first["seed"]}))


def test_no_seed_is_drawn_where_nothing_is_rolled() -> None:
    """Dice told at the table need no seed, and the resolution bears none."""
    assert "seed" not in resolved(ask(roll={"dice": NOTHING}))


# Totals.

SKILLED = {"skills": {"Fight": 3, "Might": 1, "Will": -1}}


@pytest.mark.parametrize(
    ("action", "roll"),
    [
        pytest.param({"roll": {"dice": [1, 1, 0, -1]}}, {"skill": 0, "bonus": 0, "total": 1}, id="dice alone"),
        pytest.param({"skill": "Fight"}, {"skill": 3, "bonus": 0, "total": 3}, id="skill"),
        pytest.param({"skill": "Will"}, {"skill": -1, "bonus": 0, "total": -1}, id="skill below nothing"),
        pytest.param({"skill": "Lore"}, {"skill": 0, "bonus": 0, "total": 0}, id="skill not listed"),
        pytest.param({"skill": "Fight", "attribute": "Might"}, {"skill": 4, "bonus": 0, "total": 4}, id="attribute"),
        pytest.param({"attribute": "Might"}, {"skill": 1, "bonus": 0, "total": 1}, id="attribute alone"),
        pytest.param({"skill": "Fight", "bonus": 2}, {"skill": 3, "bonus": 2, "total": 5}, id="bonus"),
        pytest.param({"skill": "Fight", "bonus": -4}, {"skill": 3, "bonus": -4, "total": -1}, id="malus"),
    ],
)
def test_a_total_is_dice_and_rating_and_bonus(action: Json, roll: Json) -> None:
    """What adds up to a total is told with it, on both sides alike."""
    mine = {"roll": {"dice": NOTHING}, **action}
    ours = resolved(ask(scene(ann=SKILLED), **mine))["roll"]
    theirs = resolved(ask(scene(xan=SKILLED), opposition={"kind": "active", "by": "Xan", **mine}))["opposition"]

    assert [roll, roll] == [{name: side[name] for name in roll} for side in (ours, theirs)]


def test_a_told_total_is_the_total() -> None:
    """Skill, bonus, helpers and full defence are in a total that is told; nothing is added twice."""
    helper = {"skills": {"Fight": 3}}
    beside: dict[str, Any] = {"skill": "Fight", "bonus": 5, "full_defense": True, "roll": {"total": 2}}

    ours = resolved(ask(scene(ann=SKILLED, bea=helper), type="defend", helpers=["Bea"], **beside))["roll"]
    against = {"kind": "defend", "helpers": ["Yve"], **beside}
    theirs = resolved(ask(scene(xan=SKILLED), type="attack", target="Xan", opposition=against))["opposition"]

    assert ours == {"bonus": 0, "invoked": 0, "total": 2, "ladder": "Fair"}
    assert theirs == {"kind": "defend", "by": "Xan", "bonus": 0, "invoked": 0, "total": 2, "ladder": "Fair"}


@pytest.mark.parametrize("by", [None, "GM"])
def test_the_game_master_may_oppose(by: str | None) -> None:
    """`GM` is always known, and rolls where nobody is named; a bonus stands in for a skill."""
    against = {"kind": "active", "by": by, "bonus": 2, "roll": {"dice": ONES}}

    answer = resolved(ask(opposition=against))["opposition"]

    assert (answer["skill"], answer["bonus"], answer["total"]) == (0, 2, 6)


# Full defence.


FULL: Json = {"full_defense": True, "roll": {"dice": NOTHING}}
ON_XAN: Json = {"target": "Xan", "opposition": {"kind": "defend", **FULL}}


@pytest.mark.parametrize(
    ("action", "side", "bonus"),
    [
        pytest.param({"type": "defend", **FULL}, "roll", 2, id="defend"),
        pytest.param(FULL, "roll", 0, id="overcome"),
        pytest.param({"type": "attack", **ON_XAN}, "opposition", 2, id="defend against an attack"),
        pytest.param({"type": "create_advantage", **ON_XAN}, "opposition", 2, id="defend against an advantage"),
        pytest.param({"opposition": {"kind": "active", "by": "Xan", **FULL}}, "opposition", 0, id="active opposition"),
    ],
)
def test_full_defence_adds_two_to_a_defend_alone(action: Json, side: str, bonus: int) -> None:
    """Forgoing one's action is worth +2 on a defend; on any other roll nothing, and a notice says so."""
    answer = resolved(ask(**action))

    assert (bonus, bonus) == (answer[side]["bonus"], answer[side]["total"])
    assert (bonus == 0) == bool(answer["notices"])


# Teamwork.


@pytest.mark.parametrize(
    ("mine", "helpers", "total", "idle"),
    [
        pytest.param(2, {"Bea": 1}, 3, [], id="an average helper adds one"),
        pytest.param(2, {"Bea": 2, "Cid": 1}, 4, [], id="each helper adds one"),
        pytest.param(2, {"Bea": 0}, 2, ["Bea"], id="one below average adds nothing"),
        pytest.param(2, {"Bea": -1, "Cid": 1}, 3, ["Bea"], id="one of two is below"),
        pytest.param(1, {"Bea": 3}, 4, [], id="the best leads and the actor adds one"),
        pytest.param(0, {"Bea": 3}, 3, ["Ann"], id="the best leads and the actor adds nothing"),
        pytest.param(0, {"Bea": 0}, 0, ["Bea"], id="nobody has the skill"),
        pytest.param(2, {}, 2, [], id="nobody helps"),
    ],
)
def test_the_best_leads_and_the_able_add_one(mine: int, helpers: dict[str, int], total: int, idle: list[str]) -> None:
    """Of a team the highest rating counts, each other who is at least Average adds 1, and the idle are named."""
    team = [{"name": name, "side": "pc", "skills": {"Lore": rating}} for name, rating in helpers.items()]
    foes = [each | {"name": f"{each['name']}'s foe", "side": "foe"} for each in team]
    names = [str(each["name"]) for each in team]
    people = [ANN | {"skills": {"Lore": mine}}, XAN | {"side": "foe", "skills": {"Lore": mine}}, *team, *foes]
    roll: Json = {"skill": "Lore", "roll": {"dice": NOTHING}}

    ours = resolved(ask({"characters": people}, helpers=names, **roll))
    against = {"kind": "active", "by": "Xan", "helpers": [f"{name}'s foe" for name in names], **roll}
    theirs = resolved(ask({"characters": people}, opposition=against))

    assert (total, total) == (ours["roll"]["total"], theirs["opposition"]["total"])
    assert idle == [name for name in ["Ann", *names] if f"{name} adds nothing" in "\n".join(ours["notices"])]
    assert len(idle) == sum("adds nothing" in notice for notice in theirs["notices"])


@pytest.mark.parametrize(
    ("ann", "bea", "skill", "bonus"),
    [
        pytest.param((3, 0), (1, 4), 5, 1, id="the highest sum leads"),
        pytest.param((3, 0), (0, 2), 3, 0, id="an attribute alone adds nothing"),
        pytest.param((0, 3), (1, 0), 3, 1, id="a skill of one adds one"),
    ],
)
def test_the_sum_leads_and_the_skill_helps(ann: tuple[int, int], bea: tuple[int, int], skill: int, bonus: int) -> None:
    """Skill and attribute together say who leads; whether another adds 1 is a matter of the skill alone."""
    people = {who: {"skills": {"Lore": lore, "Wits": wits}} for who, (lore, wits) in (("ann", ann), ("bea", bea))}
    request = ask(scene(**people), helpers=["Bea"], skill="Lore", attribute="Wits", roll={"dice": NOTHING})
    roll = resolved(request)["roll"]

    assert (skill, bonus, skill + bonus) == (roll["skill"], roll["bonus"], roll["total"])


# Invocations: what they do.


@pytest.mark.parametrize(
    ("invocations", "dice", "total"),
    [
        pytest.param([], [1, 0, 0, 0], 1, id="none"),
        pytest.param([{}], [1, 0, 0, 0], 3, id="a bonus for free is what is meant"),
        pytest.param([{}, {}, {}], [1, 0, 0, 0], 7, id="any number of free ones of one aspect"),
        pytest.param([{}, {}, {"pay": "fate_point"}], [1, 0, 0, 0], 7, id="one paid one beside the free ones"),
        pytest.param([{"use": "reroll", "dice": ONES}], ONES, 4, id="a reroll of all four"),
        pytest.param([{"use": "reroll", "dice": ONES}, {}], ONES, 6, id="a reroll then a bonus"),
        pytest.param([{}, {"use": "reroll", "dice": ONES}], ONES, 6, id="a bonus is not rolled away"),
        pytest.param([{"use": "reroll", "dice": ONES}, {"use": "reroll", "dice": LOW}], LOW, -1, id="the last reroll"),
    ],
)
def test_an_invocation_is_two_or_a_reroll(invocations: list[Json], dice: list[int], total: int) -> None:
    """A bonus adds 2, a reroll replaces all four faces, and the first throw is still told; on both sides alike."""
    rolled: Json = {"roll": {"dice": [1, 0, 0, 0]}, "invocations": [{"aspect": "Fog", **each} for each in invocations]}
    here = scene(fog(anyone=9))

    ours = resolved(ask(here, **rolled))["roll"]
    theirs = resolved(ask(here, opposition={"kind": "active", "by": "Xan", **rolled}))["opposition"]

    bonuses = 2 * sum("use" not in each for each in invocations)
    for side in (ours, theirs):
        assert ([1, 0, 0, 0], dice, bonuses, total) == (side["rolled"], side["dice"], side["invoked"], side["total"])


@pytest.mark.parametrize("reroll", [{}, {"dice": ONES}, None], ids=["thrown again", "told again", "as it fell"])
def test_a_sum_is_as_good_as_its_faces(reroll: Json | None) -> None:
    """On both sides, for all 81 faces: skill, help and invocations count alike, and as much comes of it."""
    people = {who: {"skills": {"Lore": 2, "Wits": 1}} for who in ("ann", "bea", "xan")}
    invoked: list[Json] = [{"aspect": "Fog"}, *([] if reroll is None else [{**REROLL, **reroll}])]
    more: Json = {"skill": "Lore", "attribute": "Wits", "bonus": 1, "helpers": ["Bea"], "invocations": invoked}

    def answer(ours: Json, theirs: Json) -> Json:
        against = {"kind": "active", "by": "Xan", **more, "helpers": ["Yve"], "roll": theirs}
        return resolved(ask(scene(fog(anyone=9), **people), request={"seed": 7}, **more, roll=ours, opposition=against))

    for place, dice in enumerate(product((-1, 0, 1), repeat=4)):
        other = [*dice[1:], place % 3 - 1]
        by_faces = answer({"dice": [*dice]}, {"dice": other})
        by_sum = answer({"sum": sum(dice)}, {"sum": sum(other)})
        for side, faces in (("roll", dice), ("opposition", other)):
            expected = by_faces.pop(side)
            del expected["rolled"]
            if reroll is None:
                del expected["dice"]
                expected["sum"] = sum(faces)
            assert expected == by_sum.pop(side)
        assert by_faces == by_sum


def test_no_seed_is_drawn_for_a_sum() -> None:
    """What the dice came to is enough to resolve the same again; a reroll that nobody told is thrown."""
    told = ask(scene(fog(anyone=1)), roll={"sum": 1})
    again = ask(scene(fog(anyone=1)), roll={"sum": 1}, invocations=[REROLL])

    assert ("seed" in resolved(told), "seed" in resolved(again)) == (False, True)


def test_passive_opposition_is_invoked_against_too() -> None:
    """Whoever opposes may make a mere rating harder, and the total says so."""
    against = {"kind": "passive", "rating": 1, "invocations": [{"aspect": "Fog"}, {"aspect": "Fog"}]}

    answer = resolved(ask(scene(fog(GM=2)), opposition=against))

    assert answer["opposition"] == {"kind": "passive", "bonus": 0, "invoked": 4, "total": 5, "ladder": "Superb"}
    assert answer["shifts"] == -4


# Invocations: what they cost.

FREE = "no_free_invocation"
POINT = "no_fate_point"
AGAIN = "already_invoked"


def spend(here: Json, ours: list[Json], theirs: list[Json] | None = None) -> str:
    """Invoke on both sides: "paid", or the code with the side and number of what could not be."""
    against = {"kind": "active", "by": "Xan", "roll": {"dice": NOTHING}, "invocations": theirs or []}
    request = ask(here, roll={"dice": NOTHING}, invocations=ours, opposition=against)
    try:
        narrator.resolve(request)
    except narrator.NarratorError as error:
        number = error.field.partition("invocations.")[2].partition(".")[0]
        return f"{error.code} {'theirs' if 'opposition' in error.field else 'ours'} {number}"
    return "paid"


BY_ANN: Json = {"aspect": "Fog", "by": "Ann"}
BY_BEA: Json = {"aspect": "Fog", "by": "Bea"}
BY_XAN: Json = {"aspect": "Fog", "by": "Xan"}
PAID: Json = {"aspect": "Fog", "pay": "fate_point"}
ANOTHER_PAID: Json = {"aspect": "Mud", "pay": "fate_point"}
BOOST: Json = {"name": "Fog", "boost": True, "free_invocations": {"Ann": 1}}
MUD: Json = {"name": "Mud"}


POOR: Json = {"fate_points": 0}

SPENT: dict[str, tuple[Json, list[Json], list[Json], str]] = {
    # the scene, what the actor's side invokes and what the other does, and what comes of it
    "the actor is meant where nobody is named": (scene(fog(Ann=1)), [{"aspect": "Fog"}], [], "paid"),
    "who opposes is meant on the other side": (scene(fog(Xan=1)), [], [{"aspect": "Fog"}], "paid"),
    "one's own is used up": (scene(fog(Ann=1)), [BY_ANN, BY_ANN], [], f"{FREE} ours 1"),
    "another's is not one's own": (scene(fog(Bea=1)), [BY_ANN], [], f"{FREE} ours 0"),
    "the actor's is not the opposition's": (scene(fog(Ann=1)), [], [BY_XAN], f"{FREE} theirs 0"),
    "the actor's side goes first": (scene(fog(anyone=1)), [BY_ANN], [BY_XAN], f"{FREE} theirs 0"),
    "one's own goes before anyone's": (scene(fog(Ann=1, anyone=1)), [BY_ANN], [BY_XAN], "paid"),
    "anyone's is left to who has none of their own": (scene(fog(Ann=1, anyone=1)), [BY_BEA, BY_ANN], [], "paid"),
    "both are used up in order": (scene(fog(Ann=1, anyone=1)), [BY_ANN, BY_ANN, BY_BEA], [], f"{FREE} ours 2"),
    "a boost is used once": (scene(BOOST), [BY_ANN, BY_ANN], [], f"{FREE} ours 1"),
    "a boost of another": (scene(BOOST), [BY_BEA], [], f"{FREE} ours 0"),
    "no fate point": (scene(fog(), ann=POOR), [PAID], [], f"{POINT} ours 0"),
    "a fate point is spent once": (
        scene(fog(), MUD, ann={"fate_points": 1}),
        [PAID, ANOTHER_PAID],
        [],
        f"{POINT} ours 1",
    ),
    "an ally's fate point": (scene(fog(), ann=POOR, bea={"fate_points": 1}), [PAID | {"by": "Bea"}], [], "paid"),
    "an aspect is paid for once on a roll": (scene(fog()), [PAID, PAID], [], f"{AGAIN} ours 1"),
    "by an ally no more than by oneself": (scene(fog()), [PAID, PAID | {"by": "Bea"}], [], f"{AGAIN} ours 1"),
    "a reroll no more": (scene(fog()), [PAID, PAID | {"use": "reroll", "dice": ONES}], [], f"{AGAIN} ours 1"),
    "the other side's roll is another": (scene(fog()), [PAID], [PAID], "paid"),
    "free ones after a paid one": (scene(fog(Ann=2)), [PAID, BY_ANN, BY_ANN], [], "paid"),
    "the opposition pays as well": (scene(fog(), xan=POOR), [], [PAID], f"{POINT} theirs 0"),
    "the GM's points are not tracked": (scene(fog(), xan=POOR), [], [PAID | {"by": "GM"}], "paid"),
}


@pytest.mark.parametrize(("here", "ours", "theirs", "expected"), SPENT.values(), ids=SPENT)
def test_an_invocation_is_paid_for_in_order(here: Json, ours: list[Json], theirs: list[Json], expected: str) -> None:
    """Each is paid with what is left when its turn comes: the actor's side first, one's own before anyone's."""
    assert expected == spend(here, ours, theirs)


def test_a_target_that_rolls_nothing_is_who_invokes() -> None:
    """On a passive attack the defence is the target's, and so are its free invocations."""
    against = {"kind": "passive", "rating": 0, "invocations": [{"aspect": "Fog"}]}

    answer = resolved(ask(scene(fog(Xan=1)), type="attack", target="Xan", opposition=against))

    assert answer["opposition"]["invoked"] == 2


# Invocations: which aspect.

ON_FOE: Json = {"name": "Wary", "on": "Xan", "free_invocations": {"Ann": 1}}
ON_ANN: Json = {"name": "Wary", "on": "Ann"}
OWN: Json = {"name": "Wary", "free_invocations": {"Bea": 1}}


@pytest.mark.parametrize(
    ("aspects", "invocation", "expected"),
    [
        pytest.param([ON_FOE], {}, "paid", id="the only one of its name needs no bearer"),
        pytest.param([ON_FOE], {"on": "Xan"}, "paid", id="nor minds one"),
        pytest.param([ON_FOE, OWN], {"on": "Xan"}, "paid", id="a bearer tells two apart"),
        pytest.param([ON_FOE, OWN], {"by": "Bea"}, "paid", id="without one the scene's own is meant"),
        pytest.param([ON_FOE, OWN], {}, f"{FREE} ours 0", id="and not the other"),
        pytest.param([ON_FOE, ON_ANN], {"on": "Xan"}, "paid", id="one of two bearers"),
        pytest.param([ON_FOE, ON_ANN], {}, "unknown_aspect ours 0", id="two bearers and neither named"),
        pytest.param([ON_FOE], {"on": "Ann"}, "unknown_aspect ours 0", id="on somebody who does not bear it"),
    ],
)
def test_a_bearer_tells_aspects_of_one_name_apart(aspects: list[Json], invocation: Json, expected: str) -> None:
    """Where two aspects share a name `on` says whose is meant; left out it is the scene's own."""
    assert expected == spend(scene(*aspects), [{"aspect": "Wary", **invocation}])


@pytest.mark.parametrize(
    ("bearer", "on"),
    [
        pytest.param({"characters": [ANN | {"aspects": ["Old"]}, XAN]}, "Ann", id="the actor"),
        pytest.param({"characters": [ANN, XAN | {"aspects": ["Old"]}]}, "Xan", id="an opponent"),
        pytest.param(scene(xan={"consequences": [{"severity": "mild", "name": "Old"}]}), "Xan", id="a consequence"),
        pytest.param({"characters": [ANN, XAN], "zones": [{"name": "Yard", "aspects": ["Old"]}]}, "Yard", id="a zone"),
    ],
)
def test_aspects_of_all_bearers_are_in_play(bearer: Json, on: str) -> None:
    """A fate point invokes any; an entry among the scene's aspects is the same one, and no second one of its name."""
    held = {"name": "Old", "on": on, "free_invocations": {"Ann": 1}}
    paid = PAID | {"aspect": "Old"}

    assert spend(bearer, [paid]) == "paid"
    assert spend(bearer, [{"aspect": "Old"}]) == f"{FREE} ours 0"
    assert spend(bearer | {"aspects": [held]}, [{"aspect": "Old"}, paid]) == "paid"
    assert spend(bearer | {"aspects": [held]}, [paid, paid]) == f"{AGAIN} ours 1"


def test_who_is_targeted_rolls_against_the_actor_where_nobody_else_is_named() -> None:
    """Active opposition with a target and no `by` is the target's: its skill, its free invocation."""
    here = scene(fog(Xan=1), xan={"skills": {"Will": 2}})
    against = {"kind": "active", "skill": "Will", "roll": {"dice": NOTHING}, "invocations": [{"aspect": "Fog"}]}

    found = resolved(ask(here, target="Xan", opposition=against))["opposition"]

    assert (found["by"], found["total"]) == ("Xan", 4)
