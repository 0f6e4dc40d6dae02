"""Odds and reach against every face of every die, counted here, and against resolving again."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json

Faces = tuple[int, int, int, int]

THROWS: list[Faces] = list(product((-1, 0, 1), (-1, 0, 1), (-1, 0, 1), (-1, 0, 1)))

STARTS = {"fail": -99, "tie": 0, "succeed": 1, "succeed_with_style": 3}
EPIC = STARTS | {"epic_success": 7}
"""The fewest shifts of each outcome."""


def outcome(shifts: int, starts: Mapping[str, int]) -> str:
    """Name an outcome by its shifts."""
    return max((name for name, start in starts.items() if shifts >= start), key=lambda name: starts[name])


def turned(dice: Faces, number: int) -> int:
    """The sum of four dice of which weight replaces so many, the lowest, by a +."""
    return sum(sorted(dice)[number:]) + number


def counted(shifts: Iterable[int], starts: Mapping[str, int] = STARTS) -> dict[str, tuple[int, int]]:
    """The chances, as counted, of each outcome."""
    found = Counter(outcome(each, starts) for each in shifts)
    return {name: (found[name], found.total()) for name in starts}


def one_side(ahead: int, weight: int = 0, starts: Mapping[str, int] = STARTS) -> dict[str, tuple[int, int]]:
    """The chances where the actor alone rolls, and is so far ahead before the dice."""
    return counted((ahead + turned(dice, weight) for dice in THROWS), starts)


def both_sides(
    ahead: int, ours: int = 0, theirs: int = 0, starts: Mapping[str, int] = STARTS
) -> dict[str, tuple[int, int]]:
    """The chances where both roll, each with so many dice turned by weight."""
    return counted(
        (ahead + turned(our, ours) - turned(their, theirs) for our, their in product(THROWS, THROWS)), starts
    )


SCENE: Json = {
    "aspects": [
        {"name": "Wet Slates", "free_invocations": {"Ann": 1}},
        {"name": "Off Balance", "boost": True, "free_invocations": {"Ann": 1}},
        {"name": "Night Bells"},
        {"name": "High Ground", "free_invocations": {"*": 1}},
        {"name": "Lantern Smoke", "free_invocations": {"Xan": 2}},
    ],
    "characters": [
        {"name": "Ann", "side": "pc", "importance": "pc", "skills": {"Fight": 2, "Daring": 1}, "fate_points": 1},
        {"name": "Bea", "side": "pc", "importance": "pc", "skills": {"Fight": 1}},
        {"name": "Xan", "side": "opposition", "skills": {"Fight": 1}},
    ],
}


def request(ruleset: str = "five-actions", scene: Json | None = None, **action: Any) -> Json:
    """Ann overcomes a passive 2 by Fight, with nothing rolled, but for what is given."""
    plain = {"type": "overcome", "actor": "Ann", "skill": "Fight", "opposition": {"kind": "passive", "rating": 2}}
    return {"ruleset": ruleset, "scene": SCENE if scene is None else scene, "action": {**plain, **action}}


def chances(asked: Json) -> dict[str, tuple[int, int]]:
    """What narrator counts."""
    return narrator.odds(asked).outcomes


@pytest.mark.parametrize("rating", range(-7, 10), ids=lambda rating: f"{rating:+d}")
def test_against_a_rating_the_chances_are_those_of_81_throws(rating: int) -> None:
    """From certain style to certain failure, each count is the number of throws, unreduced."""
    asked = request(opposition={"kind": "passive", "rating": rating})

    assert one_side(2 - rating) == chances(asked)


@pytest.mark.parametrize("against", [-4, 0, 1, 3, 6], ids=lambda skill: f"{skill:+d}")
def test_against_a_roll_the_chances_are_those_of_all_throws_of_both(against: int) -> None:
    """Where both sides roll, all 6561 pairs of throws are counted."""
    scene = {**SCENE, "characters": [*SCENE["characters"], {"name": "Zed", "side": "x", "skills": {"Will": against}}]}
    asked = request(scene=scene, opposition={"kind": "active", "by": "Zed", "skill": "Will"})

    assert both_sides(2 - against) == chances(asked)


ADDED = [
    pytest.param({"bonus": 3}, 3, id="bonus"),
    pytest.param({"bonus": -2}, -2, id="negative bonus"),
    pytest.param({"attribute": "Daring"}, 1, id="attribute"),
    pytest.param({"helpers": ["Bea"]}, 1, id="teamwork"),
    pytest.param({"skill": None}, -2, id="no skill"),
    pytest.param({"invocations": [{"aspect": "Wet Slates"}]}, 2, id="invocation"),
    pytest.param({"invocations": [{"aspect": "Wet Slates"}, {"aspect": "Off Balance"}]}, 4, id="two invocations"),
    pytest.param({"invocations": [{"aspect": "Wet Slates", "use": "reroll"}]}, 0, id="a reroll is one more throw"),
    pytest.param({"roll": {"dice": [1, 1, 1, 1]}}, 0, id="dice that lie already do not count"),
    pytest.param(
        {
            "roll": {"dice": [1, 1, 1, 1]},
            "invocations": [{"aspect": "Wet Slates", "use": "reroll", "dice": [1, 1, 1, 1]}],
        },
        0,
        id="nor does a reroll that lies already",
    ),
    pytest.param({"roll": {"sum": 4}}, 0, id="nor does their sum"),
    pytest.param({"full_defense": True}, 0, id="full defence, on no defend"),
    pytest.param({"type": "defend", "full_defense": True}, 2, id="full defence"),
    pytest.param(
        {"opposition": {"kind": "passive", "rating": 2, "invocations": [{"aspect": "Lantern Smoke", "by": "Xan"}]}},
        -2,
        id="the opposition invokes",
    ),
]


@pytest.mark.parametrize(("more", "ahead"), ADDED)
def test_what_is_added_shifts_the_chances(more: Json, ahead: int) -> None:
    """Bonuses, help and invocations of either side count as they do in a roll."""
    assert one_side(ahead) == chances(request(**more))


def by_xan(**told: Any) -> Json:
    """A request in which Xan opposes Ann by Fight, but for what is told."""
    return request(opposition={"kind": "active", "by": "Xan", "skill": "Fight", **told})


def again(*dice: int) -> Json:
    """Xan rolls again, with these faces where they lie already."""
    reroll = {"aspect": "Lantern Smoke", "use": "reroll", **({"dice": list(dice)} if dice else {})}
    return {"invocations": [reroll]}


ONES: Json = {"roll": {"dice": [1, 1, 1, 1]}}

TOLD_OF_THEM = [
    pytest.param({"roll": {"total": 3}}, -1, id="total"),
    pytest.param({"roll": {"dice": [1, 1, 0, 0]}}, -1, id="dice"),
    pytest.param({"roll": {"sum": 2}}, -1, id="sum"),
    pytest.param({"roll": {"sum": 4}} | again(0, 0, 0, -1), 2, id="sum, and dice rolled again"),
    pytest.param({"roll": {"dice": [1, 1, 0, 0]}, "bonus": 1}, -2, id="dice and a bonus"),
    pytest.param({"roll": {"total": 3}, "invocations": [{"aspect": "Lantern Smoke"}]}, -3, id="total, invoked"),
    pytest.param(ONES | again(0, 0, 0, -1), 2, id="dice rolled again"),
    pytest.param(again(1, 1, 0, 0), -1, id="dice rolled again, whatever came first"),
]


@pytest.mark.parametrize(("told", "ahead"), TOLD_OF_THEM)
def test_what_is_told_of_the_opposition_counts(told: Json, ahead: int) -> None:
    """Where the opposition's result lies on the table, only the actor's 81 throws are counted."""
    assert one_side(ahead) == chances(by_xan(**told))


def test_a_reroll_that_the_opposition_has_yet_to_throw_is_a_throw() -> None:
    """Its first dice lie there, but do not count any more."""
    assert both_sides(1) == chances(by_xan(**ONES, **again()) | {"seed": 1})


def test_a_told_total_of_the_actor_leaves_the_rest_to_the_opposition() -> None:
    """Unrolled, its 81 throws are counted; where its total is told too, all is certain, out of one."""
    against = {"kind": "active", "by": "Xan", "skill": "Fight"}
    ours = request(roll={"total": 3}, opposition=against)
    both = request(roll={"total": 3}, opposition=against | {"roll": {"total": 1}})

    assert counted(3 - 1 - sum(dice) for dice in THROWS) == chances(ours)
    assert counted([2]) == chances(both)


@pytest.mark.parametrize("rating", [-6, -5, -1, 2], ids=lambda rating: f"{rating:+d}")
def test_an_epic_success_is_an_outcome_of_its_own(rating: int) -> None:
    """In Coppermane the chances are of five outcomes."""
    asked = request("coppermane", opposition={"kind": "passive", "rating": rating})

    assert one_side(2 - rating, starts=EPIC) == chances(asked)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_chances_against_aspects(number: int) -> None:
    """With difficulty from aspects each is two."""
    hindering = ["Wet Slates", "Night Bells", "High Ground"][:number]
    asked = request("aspect-difficulty", opposition={"kind": "aspects", "hindering": hindering})

    assert one_side(2 - 2 * number) == chances(asked)


# Weight: of Ann's side against Xan's, and what it turns of the dice of an attack and of a defence.
WEIGHTS = [
    pytest.param(1, 1, (0, 0), (0, 0), id="even"),
    pytest.param(2, 1, (1, 0), (1, 0), id="two to one"),
    pytest.param(4, 1, (2, 0), (1, 0), id="four to one"),
    pytest.param(3, 2, (0, 0), (0, 0), id="three to two"),
    pytest.param(1, 2, (0, 1), (0, 1), id="one to two"),
    pytest.param(1, 4, (0, 1), (0, 2), id="one to four"),
    pytest.param(4, 0, (0, 0), (0, 0), id="nobody to weigh against"),
]


def a_fight(ours: int, theirs: int) -> Json:
    """Ann and Xan, of so much weight each."""
    ann = {"name": "Ann", "side": "pc", "importance": "pc", "skills": {"Forceful": 1}, "weight": ours}
    return {"characters": [ann, {"name": "Xan", "side": "opposition", "weight": theirs}]}


@pytest.mark.parametrize(("ours", "theirs", "attacking", "defending"), WEIGHTS)
def test_weight_turns_dice_of_both_sides(
    ours: int, theirs: int, attacking: tuple[int, int], defending: tuple[int, int]
) -> None:
    """Of each throw the lowest dice count as +: one from two to one, and two from four to one for who attacks."""
    scene = a_fight(ours, theirs)

    def asked(**action: Any) -> Json:
        return request("war-of-ashes", scene, skill="Forceful", **action)

    attack = asked(type="attack", target="Xan", opposition={"kind": "defend"})
    defend = asked(type="defend", opposition={"kind": "active", "by": "Xan"})

    assert both_sides(1, *attacking) == chances(attack)
    assert both_sides(1, *defending) == chances(defend)


@pytest.mark.parametrize(("matters", "dice"), [(None, 0), (False, 0), (True, 1)], ids=["habit", "off", "on"])
def test_weight_counts_elsewhere_only_when_the_request_says_so(matters: bool | None, dice: int) -> None:
    """An overcome is not weighed, unless it is."""
    asked = request("war-of-ashes", a_fight(4, 1), skill="Forceful", weight_matters=matters)

    assert one_side(1 - 2, dice) == chances(asked)


Offer = tuple[str, str, str]


def test_the_odds_with_each_invocation_are_those_of_a_roll_with_two_more() -> None:
    """Each aspect and each way to pay that Ann has is there once, and two more is what it makes of the chances."""
    found = narrator.odds(request()).invocations

    expected: set[Offer] = {
        ("Wet Slates", "free", "bonus"),
        ("Wet Slates", "fate_point", "bonus"),
        ("Off Balance", "free", "bonus"),
        ("Night Bells", "fate_point", "bonus"),
        ("High Ground", "free", "bonus"),
        ("High Ground", "fate_point", "bonus"),
        ("Lantern Smoke", "fate_point", "bonus"),
    }
    assert sorted(expected) == sorted((each.aspect, each.pay, each.use) for each in found)
    assert [one_side(2)] * len(expected) == [each.outcomes for each in found]


def test_the_odds_of_an_invocation_against_a_roll() -> None:
    """With both sides to roll the odds of an invocation are counted over all pairs too."""
    scene = {**SCENE, "aspects": [{"name": "Wet Slates", "free_invocations": {"Ann": 1}}]}
    found = narrator.odds(by_xan() | {"scene": scene})

    assert both_sides(1) == found.outcomes
    assert [both_sides(3)] * 2 == [each.outcomes for each in found.invocations]


BEFORE: dict[str, list[Json]] = {
    "nothing invoked": [],
    "a free one": [{"aspect": "Wet Slates"}],
    "a boost": [{"aspect": "Off Balance"}],
    "anyone's": [{"aspect": "High Ground"}],
    "the last fate point": [{"aspect": "Night Bells", "pay": "fate_point"}],
    "a reroll": [{"aspect": "Wet Slates", "use": "reroll", "dice": [1, 0, 0, 0]}],
    "an aspect free and paid": [
        {"aspect": "Wet Slates"},
        {"aspect": "High Ground"},
        {"aspect": "Wet Slates", "pay": "fate_point"},
    ],
}

ROLLS: dict[str, Json] = {
    "a rating": {"roll": {"dice": [-1, 0, 0, 1]}, "opposition": {"kind": "passive", "rating": 4}},
    "a roll": {
        "roll": {"dice": [-1, 0, 0, 1]},
        "opposition": {"kind": "active", "by": "Xan", "skill": "Fight", "roll": {"dice": [1, 1, 1, 0]}},
    },
    "a told total": {
        "roll": {"dice": [-1, 0, 0, 1]},
        "bonus": 2,
        "opposition": {"kind": "active", "by": "Xan", "roll": {"total": 5}},
    },
    "sums": {
        "roll": {"sum": -1},
        "opposition": {"kind": "active", "by": "Xan", "skill": "Fight", "roll": {"sum": 3}},
    },
    "ours told": {"roll": {"total": 2}, "opposition": {"kind": "passive", "rating": 4}},
}
"""What was told cannot be rolled again, neither before nor now."""


def affordable(asked: Json, more: Json) -> Json | None:
    """Resolve a request with one more invocation; None where it cannot be had."""
    action = asked["action"]
    invocations = [*action.get("invocations", []), more]
    try:
        return narrator.resolve(asked | {"action": action | {"invocations": invocations}}).as_json()
    except NarratorError:
        return None


@pytest.mark.parametrize(
    ("roll", "before"),
    [
        pytest.param(roll, before, id=f"{about}, {then}")
        for about, roll in ROLLS.items()
        for then, before in BEFORE.items()
        if "total" not in roll["roll"] or "dice" not in str(before)
    ],
)
def test_reach_says_what_resolving_again_gives(roll: Json, before: list[Json]) -> None:
    """Each of the actor's that can be had is on offer, no other, with the outcome and shifts that it then has."""
    asked = request(**roll, invocations=before)
    expected: dict[Offer, Any] = {}
    for aspect, pay in product((each["name"] for each in SCENE["aspects"]), ("free", "fate_point")):
        if (again := affordable(asked, {"aspect": aspect, "pay": pay, "use": "bonus"})) is not None:
            expected[aspect, pay, "bonus"] = (again["outcome"], again["shifts"])
        throws = [{"aspect": aspect, "pay": pay, "use": "reroll", "dice": list(dice)} for dice in THROWS]
        if affordable(asked, throws[0]) is not None:
            answers = [affordable(asked, throw) for throw in throws]
            expected[aspect, pay, "reroll"] = counted(answer["shifts"] for answer in answers if answer)

    found = {
        (each.aspect, each.pay, each.use): each.outcomes if each.outcomes is not None else (each.outcome, each.shifts)
        for each in narrator.reach(asked)
        if each.side == "actor"
    }

    assert expected == found


SPENT = [("Wet Slates", "free"), ("Off Balance", "free"), ("High Ground", "free"), ("Night Bells", "fate_point")]
ALL_FREE = {("Wet Slates", "free"), ("Off Balance", "free"), ("High Ground", "free")}
ANOTHER_PAID = {("Wet Slates", "fate_point"), ("High Ground", "fate_point"), ("Lantern Smoke", "fate_point")}


@pytest.mark.parametrize(
    ("purse", "spent", "left"),
    [
        pytest.param({"fate_points": 0}, [], ALL_FREE, id="no fate point"),
        pytest.param({"fate_points": 1}, SPENT, set(), id="all is spent"),
        pytest.param({"fate_points": 2}, SPENT, ANOTHER_PAID, id="one fate point left, and one aspect paid for"),
        pytest.param({}, SPENT, ANOTHER_PAID, id="fate points that nobody counts"),
    ],
)
def test_offers_never_exceed_what_can_be_paid(
    purse: Json, spent: list[tuple[str, str]], left: set[tuple[str, str]]
) -> None:
    """What is spent, held by another or not to be had twice is not on offer; a boost is never paid for."""
    ann = {"name": "Ann", "side": "pc", "importance": "pc", **purse}
    invocations = [{"aspect": name, "pay": pay} for name, pay in spent]
    scene = {**SCENE, "characters": [ann, *SCENE["characters"][1:]]}

    asked = request(scene=scene, roll={"dice": [0, 0, 0, 0]}, invocations=invocations)

    assert left == {(each.aspect, each.pay) for each in narrator.reach(asked)}
    assert left == {(each.aspect, each.pay) for each in narrator.odds(asked).invocations}


def test_an_aspect_of_two_bearers_is_offered_for_each() -> None:
    """Where two aspects share a name, the offer says whose it is."""
    people = [
        {"name": "Ann", "side": "pc", "aspects": ["Drenched"], "fate_points": 1},
        {"name": "Xan", "side": "opposition", "aspects": ["Drenched"]},
    ]
    asked = request(scene={"characters": people}, roll={"dice": [0, 0, 0, 0]})

    assert {"Ann", "Xan"} == {each.on for each in narrator.reach(asked) if each.use == "bonus"}


def test_a_reroll_in_reach_is_weighed() -> None:
    """Dice that weight turns are turned in the throw that a reroll would make, as they are in any other."""
    scene = a_fight(2, 1) | {"aspects": [{"name": "War Cry", "free_invocations": {"Ann": 1}}]}
    nothing: Json = {"roll": {"dice": [0, 0, 0, 0]}}
    attack = {"type": "attack", "target": "Xan", "skill": "Forceful", **nothing}
    asked = request("war-of-ashes", scene, **attack, opposition={"kind": "defend", **nothing})

    rerolls = [each.outcomes for each in narrator.reach(asked) if (each.side, each.use) == ("actor", "reroll")]

    assert rerolls
    assert [one_side(1, 1)] * len(rerolls) == rerolls


def test_reach_wants_the_dice_that_lie() -> None:
    """What was not rolled, and cannot be from a seed, has nothing in reach."""
    with pytest.raises(NarratorError) as caught:
        narrator.reach(request())

    assert (caught.value.code, caught.value.field) == ("bad_dice", "request.action.roll")


ADVICE = {"hard": "a failure is likely", "even": "an invocation may decide it", "easy": "a good chance of style"}
"""A few words of each advice, by which it is known."""


@pytest.mark.parametrize(
    ("above", "kind"),
    [(-5, "easy"), (-2, "easy"), (-1, "even"), (0, "even"), (1, "even"), (2, "hard"), (5, "hard")],
    ids=lambda each: each if isinstance(each, str) else f"{each:+d}",
)
@pytest.mark.parametrize("skill", [0, 2], ids=lambda skill: f"skill {skill}")
def test_advice_goes_by_the_distance_between_skill_and_opposition(above: int, kind: str, skill: int) -> None:
    """Two or more above the skill is hard, two or more below is easy, and in between an invocation decides."""
    scene = {"characters": [{"name": "Ann", "side": "pc", "skills": {"Fight": skill}}]}
    advice = narrator.odds(request(scene=scene, opposition={"kind": "passive", "rating": skill + above})).advice

    assert [kind] == [name for name, words in ADVICE.items() if words in (advice or "")]


@pytest.mark.parametrize(
    ("ruleset", "opposition"),
    [
        ("five-actions", {"kind": "active", "by": "Xan"}),
        ("five-actions", {"kind": "active", "by": "Xan", "roll": {"total": 4}}),
        ("coppermane", {"kind": "defend", "by": "Xan"}),
        ("aspect-difficulty", {"kind": "aspects", "hindering": []}),
    ],
    ids=["active", "active, told", "defend", "aspects"],
)
def test_advice_is_for_passive_opposition_alone(ruleset: str, opposition: Json) -> None:
    """Where somebody rolls, the book says not to worry how hard it is."""
    assert narrator.odds(request(ruleset, opposition=opposition)).advice is None


def test_advice_names_the_rule_of_thumb_where_nothing_stands_out() -> None:
    """Nothing stands out: Average; one reason: Fair."""
    advice = narrator.odds(request(opposition={"kind": "passive", "rating": 1})).advice or ""

    assert ("Average" in advice, "Fair" in advice) == (True, True)


def test_a_crowded_scene_offers_each_aspect_once() -> None:
    """Five hundred aspects are five hundred offers for each price and use."""
    aspects = [{"name": f"Aspect {number}", "free_invocations": {"Ann": 1}} for number in range(500)]
    against = {"kind": "passive", "rating": 1}

    offers = narrator.reach(request(scene={"aspects": aspects}, roll={"dice": [0, 0, 0, 0]}, opposition=against))

    assert len(offers) == 4 * 500
    assert {("succeed", 1)} == {(offer.outcome, offer.shifts) for offer in offers if offer.use == "bonus"}
