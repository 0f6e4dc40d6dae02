"""Rolls: the ladder, dice from seeds, what adds to a total, and what invocations cost ("When to Roll the Dice")."""

from random import Random
from typing import Any

import pytest

import narrator
from tests.rules.build import ANN, BEA, SCENE, XAN, YVE, Json, ask, refused, resolved

NOTHING = [0, 0, 0, 0]
ONES = [1, 1, 1, 1]


def scene(*aspects: Json, ann: Json | None = None, bea: Json | None = None, xan: Json | None = None) -> Json:
    """A scene of three, with what is told of each."""
    people = [ANN | (ann or {}), BEA | (bea or {}), XAN | (xan or {}), YVE]
    return {"aspects": list(aspects), "characters": people}


def fog(**held: int) -> Json:
    """An aspect of the scene, and who holds how many free invocations of it."""
    return {"name": "Fog", "free_invocations": {"*" if who == "anyone" else who: n for who, n in held.items()}}


# The ladder.


@pytest.mark.parametrize(
    ("rating", "name"),
    [
        (-12, "Terrible-10"),
        (-4, "Terrible-2"),
        (-3, "Terrible-1"),
        (-2, "Terrible"),
        (-1, "Poor"),
        (0, "Mediocre"),
        (1, "Average"),
        (2, "Fair"),
        (3, "Good"),
        (4, "Great"),
        (5, "Superb"),
        (6, "Fantastic"),
        (7, "Epic"),
        (8, "Legendary"),
        (9, "Legendary+1"),
        (18, "Legendary+10"),
    ],
)
def test_every_rating_has_a_name(rating: int, name: str) -> None:
    """Both totals bear their name on the ladder, also off its ends."""
    answer = resolved(ask(roll={"total": rating}, opposition={"kind": "passive", "rating": rating}))

    assert [name, name] == [answer["roll"]["ladder"], answer["opposition"]["ladder"]]


@pytest.mark.parametrize(
    ("shifts", "outcome"),
    [
        (-30, "fail"),
        (-3, "fail"),
        (-1, "fail"),
        (0, "tie"),
        (1, "succeed"),
        (2, "succeed"),
        (3, "succeed_with_style"),
        (7, "succeed_with_style"),
        (30, "succeed_with_style"),
    ],
)
@pytest.mark.parametrize("against", [-3, 0, 4])
def test_the_outcome_follows_from_the_shifts(shifts: int, outcome: str, against: int) -> None:
    """Total minus opposition decides, wherever on the ladder the two are."""
    answer = resolved(ask(roll={"total": against + shifts}, opposition={"kind": "passive", "rating": against}))

    assert (shifts, outcome) == (answer["shifts"], answer["outcome"])


# Dice from seeds.

REROLL = {"aspect": "Fog", "use": "reroll", "pay": "free"}


def rolled_by_seed(seed: int, **told: list[int]) -> dict[str, list[int]]:
    """The four throws of a request that leaves them to a seed, but for those told."""

    def side(roll: str, reroll: str) -> Json:
        return {
            **({"roll": {"dice": told[roll]}} if roll in told else {"roll": None}),
            "invocations": [REROLL | ({"dice": told[reroll]} if reroll in told else {})],
        }

    against = {"kind": "active", "by": "Xan", **side("against", "against_again")}
    here = scene(fog(anyone=2))
    answer = resolved(ask(here, request={"seed": seed}, opposition=against, **side("first", "again")))
    return {
        "first": answer["roll"]["rolled"],
        "again": answer["roll"]["dice"],
        "against": answer["opposition"]["rolled"],
        "against_again": answer["opposition"]["dice"],
    }


def test_a_seed_always_throws_the_same() -> None:
    """What seed 7 throws is pinned: a game told again by its seeds must come out the same in years."""
    assert rolled_by_seed(7) == {
        "first": [-1, -1, 0, -1],
        "against": [0, 0, -1, 0],
        "again": [-1, 0, -1, -1],
        "against_again": [0, 1, -1, -1],
    }


@pytest.mark.parametrize("seed", [0, 7, 12345, 2**53 - 1])
@pytest.mark.parametrize("throw", ["first", "again", "against", "against_again"])
def test_telling_one_throw_changes_no_other(seed: int, throw: str) -> None:
    """Each throw has its place among those of a seed, whichever of the others were made at the table."""
    told = [1, 0, -1, 1]

    assert {**rolled_by_seed(seed), throw: told} == rolled_by_seed(seed, **{throw: told})


def test_a_second_reroll_is_another_throw() -> None:
    """Two rerolls in a row do not fall back to the same faces, whatever was told of the first."""

    def last(*rerolls: Json) -> list[int]:
        here = scene(fog(Ann=2))
        answer: list[int] = resolved(ask(here, request={"seed": 7}, roll={"dice": NOTHING}, invocations=list(rerolls)))[
            "roll"
        ]["dice"]
        return answer

    assert last(REROLL) != last(REROLL, REROLL)
    assert last(REROLL, REROLL) == last(REROLL | {"dice": ONES}, REROLL)


def test_faces_are_thirds_of_chance() -> None:
    """Each die is one number of `Random.random`, cut in three, in the order of the dice."""
    for seed in range(300):
        chance = Random(seed)
        expected = [int(chance.random() * 3) - 1 for _ in range(4)]

        assert expected == resolved(ask(roll=None, request={"seed": seed}))["roll"]["rolled"]


def test_dice_come_from_random_random_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only `Random.random` keeps its sequence between versions of Python, so nothing else is asked of it."""

    class OnlyRandom:
        def __init__(self, seed: int) -> None:
            self.random = Random(seed).random

    expected = rolled_by_seed(7)
    monkeypatch.setattr("narrator.rules.dice.Random", OnlyRandom)

    assert expected == rolled_by_seed(7)


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


def test_an_invocation_adds_to_a_told_total() -> None:
    """A bonus that is invoked after the total was told counts; nothing says what was rolled."""
    request = ask(scene(fog(Ann=2)), roll={"total": 2}, invocations=[{"aspect": "Fog"}, {"aspect": "Fog"}])

    assert resolved(request)["roll"] == {"bonus": 0, "invoked": 4, "total": 6, "ladder": "Fantastic"}


def test_a_passive_rating_has_no_dice() -> None:
    """Where nothing was rolled the opposition has neither dice nor skill."""
    answer = resolved(ask(opposition={"kind": "passive", "rating": 3}))["opposition"]

    assert answer == {"kind": "passive", "bonus": 0, "invoked": 0, "total": 3, "ladder": "Good"}


@pytest.mark.parametrize("by", [None, "GM"])
def test_the_game_master_may_oppose(by: str | None) -> None:
    """`GM` is always known, and rolls where nobody is named; a bonus stands in for a skill."""
    against = {"kind": "active", "by": by, "bonus": 2, "roll": {"dice": ONES}}

    answer = resolved(ask(opposition=against))["opposition"]

    assert (answer["skill"], answer["bonus"], answer["total"]) == (0, 2, 6)


# Full defence.


@pytest.mark.parametrize(
    ("action", "side", "bonus"),
    [
        pytest.param({"type": "defend", "full_defense": True}, "roll", 2, id="defend"),
        pytest.param({"type": "overcome", "full_defense": True}, "roll", 0, id="overcome"),
        pytest.param(
            {"type": "attack", "target": "Xan", "opposition": {"kind": "defend", "full_defense": True}},
            "opposition",
            2,
            id="defend against an attack",
        ),
        pytest.param(
            {"type": "create_advantage", "target": "Xan", "opposition": {"kind": "defend", "full_defense": True}},
            "opposition",
            2,
            id="defend against an advantage",
        ),
        pytest.param(
            {"type": "overcome", "opposition": {"kind": "active", "by": "Xan", "full_defense": True}},
            "opposition",
            0,
            id="active opposition",
        ),
    ],
)
def test_full_defence_adds_two_to_a_defend_alone(action: Json, side: str, bonus: int) -> None:
    """Forgoing one's action is worth +2 on a defend; on any other roll nothing, and a notice says so."""
    request = ask(**({"roll": {"dice": NOTHING}} | action))
    if action.get("opposition"):
        request["action"]["opposition"] = action["opposition"] | {"roll": {"dice": NOTHING}}

    answer = resolved(request)

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
    people = {
        who: {"skills": dict(zip(("Lore", "Wits"), each, strict=True))} for who, each in (("ann", ann), ("bea", bea))
    }

    roll = resolved(ask(scene(**people), helpers=["Bea"], skill="Lore", attribute="Wits", roll={"dice": NOTHING}))[
        "roll"
    ]

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
        pytest.param(
            [{"use": "reroll", "dice": ONES}, {"use": "reroll", "dice": [0, -1, 0, 0]}],
            [0, -1, 0, 0],
            -1,
            id="the last reroll counts",
        ),
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


def test_passive_opposition_is_invoked_against_too() -> None:
    """Whoever opposes may make a mere rating harder, and the total says so."""
    against = {"kind": "passive", "rating": 1, "invocations": [{"aspect": "Fog"}, {"aspect": "Fog"}]}

    answer = resolved(ask(scene(fog(GM=2)), opposition=against))

    assert (
        answer["opposition"]["invoked"],
        answer["opposition"]["total"],
        answer["opposition"]["ladder"],
        answer["shifts"],
    ) == (4, 5, "Superb", -4)


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


@pytest.mark.parametrize(
    ("here", "ours", "theirs", "expected"),
    [
        pytest.param(scene(fog(Ann=1)), [BY_ANN], [], "paid", id="one's own"),
        pytest.param(scene(fog(Ann=1)), [{"aspect": "Fog"}], [], "paid", id="the actor is meant where nobody is named"),
        pytest.param(scene(fog(Xan=1)), [], [{"aspect": "Fog"}], "paid", id="who opposes is meant on the other side"),
        pytest.param(scene(fog(Ann=1)), [BY_ANN, BY_ANN], [], f"{FREE} ours 1", id="one's own is used up"),
        pytest.param(scene(fog(Bea=1)), [BY_ANN], [], f"{FREE} ours 0", id="another's is not one's own"),
        pytest.param(scene(fog(Bea=1)), [BY_BEA], [], "paid", id="an ally invokes on the actor's roll"),
        pytest.param(scene(fog(Ann=1)), [], [BY_XAN], f"{FREE} theirs 0", id="the actor's is not the opposition's"),
        pytest.param(scene(fog(anyone=1)), [BY_ANN], [], "paid", id="anyone's"),
        pytest.param(scene(fog(anyone=1)), [BY_ANN], [BY_XAN], f"{FREE} theirs 0", id="the actor's side goes first"),
        pytest.param(scene(fog(Ann=1, anyone=1)), [BY_ANN], [BY_XAN], "paid", id="one's own goes before anyone's"),
        pytest.param(
            scene(fog(Ann=1, anyone=1)),
            [BY_BEA, BY_ANN],
            [],
            "paid",
            id="anyone's is left to who has none of their own",
        ),
        pytest.param(
            scene(fog(Ann=1, anyone=1)), [BY_ANN, BY_ANN, BY_BEA], [], f"{FREE} ours 2", id="both are used up in order"
        ),
        pytest.param(scene(BOOST), [BY_ANN], [], "paid", id="a boost"),
        pytest.param(scene(BOOST), [BY_ANN, BY_ANN], [], f"{FREE} ours 1", id="a boost is used once"),
        pytest.param(scene(BOOST), [BY_BEA], [], f"{FREE} ours 0", id="a boost of another"),
        pytest.param(scene(fog(), ann={"fate_points": 1}), [PAID], [], "paid", id="a fate point"),
        pytest.param(scene(fog(), ann={"fate_points": 0}), [PAID], [], f"{POINT} ours 0", id="no fate point"),
        pytest.param(scene(fog()), [PAID], [], "paid", id="fate points that nobody tracks"),
        pytest.param(
            scene(fog(), MUD, ann={"fate_points": 1}),
            [PAID, ANOTHER_PAID],
            [],
            f"{POINT} ours 1",
            id="a fate point is spent once",
        ),
        pytest.param(
            scene(fog(), MUD, ann={"fate_points": 2}),
            [PAID, ANOTHER_PAID],
            [],
            "paid",
            id="two aspects, two fate points",
        ),
        pytest.param(
            scene(fog(), ann={"fate_points": 0}, bea={"fate_points": 1}),
            [PAID | {"by": "Bea"}],
            [],
            "paid",
            id="an ally's fate point",
        ),
        pytest.param(scene(fog()), [PAID, PAID], [], f"{AGAIN} ours 1", id="an aspect is paid for once on a roll"),
        pytest.param(
            scene(fog()), [PAID, PAID | {"by": "Bea"}], [], f"{AGAIN} ours 1", id="by an ally no more than by oneself"
        ),
        pytest.param(
            scene(fog()), [PAID, PAID | {"use": "reroll", "dice": ONES}], [], f"{AGAIN} ours 1", id="a reroll no more"
        ),
        pytest.param(scene(fog()), [PAID], [PAID], "paid", id="the other side's roll is another"),
        pytest.param(scene(fog(Ann=2)), [PAID, BY_ANN, BY_ANN], [], "paid", id="free ones after a paid one"),
        pytest.param(
            scene(fog(), xan={"fate_points": 0}), [], [PAID], f"{POINT} theirs 0", id="the opposition pays as well"
        ),
        pytest.param(
            scene(fog(), xan={"fate_points": 0}),
            [],
            [PAID | {"by": "GM"}],
            "paid",
            id="the GM's points are not tracked",
        ),
    ],
)
def test_an_invocation_is_paid_for_in_order(here: Json, ours: list[Json], theirs: list[Json], expected: str) -> None:
    """Each is paid with what is left when its turn comes: the actor's side first, one's own before anyone's."""
    assert expected == spend(here, ours, theirs)


def test_a_target_that_rolls_nothing_is_who_invokes() -> None:
    """On a passive attack the defence is the target's, and so are its free invocations."""
    against = {"kind": "passive", "rating": 0, "invocations": [{"aspect": "Fog"}]}

    answer = resolved(ask(scene(fog(Xan=1)), type="attack", target="Xan", opposition=against))

    assert answer["opposition"]["invoked"] == 2


# Invocations: which aspect.

ON_XAN: Json = {"name": "Wary", "on": "Xan", "free_invocations": {"Ann": 1}}
ON_ANN: Json = {"name": "Wary", "on": "Ann"}
OWN: Json = {"name": "Wary", "free_invocations": {"Bea": 1}}


@pytest.mark.parametrize(
    ("aspects", "invocation", "expected"),
    [
        pytest.param([ON_XAN], {}, "paid", id="the only one of its name needs no bearer"),
        pytest.param([ON_XAN], {"on": "Xan"}, "paid", id="nor minds one"),
        pytest.param([ON_XAN, OWN], {"on": "Xan"}, "paid", id="a bearer tells two apart"),
        pytest.param([ON_XAN, OWN], {"by": "Bea"}, "paid", id="without one the scene's own is meant"),
        pytest.param([ON_XAN, OWN], {}, f"{FREE} ours 0", id="and not the other"),
        pytest.param([ON_XAN, ON_ANN], {"on": "Xan"}, "paid", id="one of two bearers"),
        pytest.param([ON_XAN, ON_ANN], {}, "unknown_aspect ours 0", id="two bearers and neither named"),
        pytest.param([ON_XAN], {"on": "Ann"}, "unknown_aspect ours 0", id="on somebody who does not bear it"),
    ],
)
def test_a_bearer_tells_aspects_of_one_name_apart(aspects: list[Json], invocation: Json, expected: str) -> None:
    """Where two aspects share a name `on` says whose is meant; left out it is the scene's own."""
    assert expected == spend(scene(*aspects), [{"aspect": "Wary", **invocation}])


@pytest.mark.parametrize(
    ("here", "aspect"),
    [
        pytest.param({"aspects": [{"name": "Fog"}], "characters": [ANN, XAN]}, "Fog", id="the scene's own"),
        pytest.param({"zones": [{"name": "Yard", "aspects": ["Mud"]}], "characters": [ANN, XAN]}, "Mud", id="a zone's"),
        pytest.param({"characters": [ANN | {"aspects": ["Bold"]}, XAN]}, "Bold", id="the actor's"),
        pytest.param({"characters": [ANN, XAN | {"aspects": ["Old"]}]}, "Old", id="an opponent's"),
        pytest.param(
            {"characters": [ANN, XAN | {"consequences": [{"severity": "mild", "name": "Limp"}]}]},
            "Limp",
            id="a consequence",
        ),
    ],
)
def test_aspects_of_all_bearers_are_in_play(here: Json, aspect: str) -> None:
    """A fate point invokes any aspect of the scene, a zone, a character, or one of its consequences."""
    assert spend(here, [{"aspect": aspect, "pay": "fate_point"}]) == "paid"


@pytest.mark.parametrize(
    ("bearer", "on"),
    [
        pytest.param({"characters": [ANN, XAN | {"aspects": ["Old"]}]}, "Xan", id="a character"),
        pytest.param(
            {"characters": [ANN, XAN | {"consequences": [{"severity": "mild", "name": "Old"}]}]},
            "Xan",
            id="a consequence",
        ),
        pytest.param({"characters": [ANN, XAN], "zones": [{"name": "Yard", "aspects": ["Old"]}]}, "Yard", id="a zone"),
    ],
)
def test_free_invocations_on_a_bearers_aspect_stand_in_the_scene(bearer: Json, on: str) -> None:
    """The entry among the scene's aspects is the bearer's aspect, not a second one of its name."""
    held = {"name": "Old", "on": on, "free_invocations": {"Ann": 1}}

    assert spend(bearer, [{"aspect": "Old"}]) == f"{FREE} ours 0"
    assert spend(bearer | {"aspects": [held]}, [{"aspect": "Old"}, PAID | {"aspect": "Old"}]) == "paid"
    assert spend(bearer | {"aspects": [held]}, [PAID | {"aspect": "Old"}] * 2) == f"{AGAIN} ours 1"


def test_an_unpaid_invocation_refuses_the_whole_roll() -> None:
    """A request is resolved whole or not at all, and the first that cannot be paid is named."""
    request = ask(SCENE, invocations=[{"aspect": "Rough Terrain"}, {"aspect": "Nowhere"}])

    assert refused(request)[0] == FREE


def test_who_is_targeted_rolls_against_the_actor_where_nobody_else_is_named() -> None:
    """Active opposition with a target and no `by` is the target's: its skill, its free invocation."""
    scene = {
        "aspects": [{"name": "Thick Fog", "free_invocations": {"Xan": 1}}],
        "characters": [
            {"name": "Ann", "side": "pc", "importance": "pc"},
            {"name": "Xan", "side": "opposition", "skills": {"Will": 2}},
        ],
    }
    against = {
        "kind": "active",
        "skill": "Will",
        "roll": {"dice": [0, 0, 0, 0]},
        "invocations": [{"aspect": "Thick Fog"}],
    }
    action = {"type": "overcome", "actor": "Ann", "target": "Xan", "roll": {"total": 0}, "opposition": against}

    found = narrator.resolve({"scene": scene, "action": action})

    assert (found.opposition.by, found.opposition.total) == ("Xan", 4)
