"""The worked examples of documents 001, 002 and 004, by the numbers and words that stand there."""

import pytest

import narrator
from tests.rules.build import Json, forms_of, resolved, shown

MEAN_STREETS = "Mean Streets of Three Bridges"

NAKA = {"name": "Naka", "side": "pc", "importance": "pc", "skills": {"Agility": 1}, "fate_points": 1}
HUNTER = {"name": "Bounty Hunter", "side": "hunters", "importance": "named", "skills": {"Agility": 0}}


def flight(*invocations: Json) -> Json:
    """002: Naka flees from the bounty hunter; she rolls -2, he rolls +2."""
    against = {"kind": "active", "by": "Bounty Hunter", "skill": "Agility", "roll": {"dice": [1, 1, 0, 0]}}
    action = {
        "type": "overcome",
        "actor": "Naka",
        "skill": "Agility",
        "roll": {"dice": [-1, -1, 0, 0]},
        "invocations": list(invocations),
        "opposition": against,
    }
    scene = {"aspects": [{"name": MEAN_STREETS}], "characters": [NAKA, HUNTER]}
    return {"ruleset": "aspect-difficulty", "scene": scene, "action": action}


REROLL = {"aspect": MEAN_STREETS, "use": "reroll", "pay": "fate_point", "dice": [1, 1, 1, -1]}


def test_naka_is_caught_by_three_shifts() -> None:
    """002: -2 and an Agility of +1 are -1; +2 and an Agility of 0 are 2; the hunter wins by 3."""
    answer = resolved(flight())

    assert (
        answer["roll"]["total"],
        answer["roll"]["ladder"],
        answer["opposition"]["total"],
        answer["opposition"]["ladder"],
        answer["shifts"],
        answer["outcome"],
    ) == (-1, "Poor", 2, "Fair", -3, "fail")


def test_naka_rolls_again_and_escapes_by_one_shift() -> None:
    """002: she pays a fate point for the streets, rolls +2, and has 3 against his 2; the first throw is kept."""
    answer = resolved(flight(REROLL))

    assert (
        answer["roll"]["total"],
        answer["opposition"]["total"],
        answer["shifts"],
        answer["outcome"],
        shown(answer),
    ) == (3, 2, 1, "succeed", ["[succeed] ✓"])
    assert (
        answer["roll"]["dice"],
        answer["roll"]["rolled"],
        answer["roll"]["invoked"],
    ) == ([1, 1, 1, -1], [-1, -1, 0, 0], 0)


def test_naka_could_only_have_made_it_by_rolling_again() -> None:
    """002: two more would still be a failure by one; of all throws those of +1 and more bring her to a tie at least."""
    offers = {(each.use, each.pay): each for each in narrator.reach(flight()) if each.side == "actor"}
    again = offers["reroll", "fate_point"].outcomes

    assert {("bonus", "fate_point"), ("reroll", "fate_point")} == set(offers)
    assert (offers["bonus", "fate_point"].outcome, offers["bonus", "fate_point"].shifts) == ("fail", -1)
    assert again == {"fail": (50, 81), "tie": (16, 81), "succeed": (14, 81), "succeed_with_style": (1, 81)}


def test_nakas_fate_point_is_spent() -> None:
    """002: she pays for it, so that it is gone when the choice is entered."""
    scene = narrator.apply(flight(REROLL), {"branch": "succeed"})

    assert [each.fate_points for each in scene.characters if each.name == "Naka"] == [0]


TOME = "Ancient Tome in a Forgotten Tongue"

DOLORES: Json = {
    "ruleset": "aspect-difficulty",
    "scene": {"aspects": [{"name": TOME}], "characters": [{"name": "Dolores", "side": "pc", "importance": "pc"}]},
    "action": {
        "type": "overcome",
        "actor": "Dolores",
        "skill": "Insight",
        "roll": {"dice": [1, 0, 0, 0]},
        "opposition": {"kind": "aspects", "hindering": [TOME]},
    },
}


def test_dolores_cannot_read_the_tome() -> None:
    """002: one aspect makes it 2; a 1 without any Insight is not enough, and things get worse."""
    answer = resolved(DOLORES)

    assert (
        answer["roll"]["skill"],
        answer["roll"]["total"],
        answer["opposition"]["total"],
        answer["shifts"],
        answer["outcome"],
        [slot["kind"] for branch in answer["branches"] for slot in branch["slots"]],
        answer["notices"],
    ) == (0, 1, 2, -1, "fail", ["serious_cost"], [])


def coppermane(scene: Json | None = None, /, total: int = 0, against: int = 1, **action: object) -> Json:
    """A roll of Coppermane that the document tells without numbers."""
    people = [
        {"name": "Lee", "side": "pc", "importance": "pc"},
        {"name": "Kim", "side": "pc", "importance": "pc"},
        {"name": "Thug", "side": "thugs"},
        {"name": "Boss", "side": "thugs"},
    ]
    request = {
        "ruleset": "coppermane",
        "scene": {"characters": people, **(scene or {})},
        "action": {
            "type": "overcome",
            "actor": "Lee",
            "roll": {"total": total},
            "opposition": {"kind": "passive", "rating": against},
            **action,
        },
    }
    return resolved(request)


def test_the_door_stays_locked_or_something_vital_is_dropped() -> None:
    """001, overcome, fail: simply fail, or succeed, but drop something vital, or suffer harm."""
    answer = coppermane(total=0)

    assert [branch["goal"] for branch in answer["branches"]] == ["not_attained", "attained"]
    assert {"loss", "consequence"} <= {form["form"] for form in forms_of(answer, "serious_cost")}


def test_one_friend_is_rescued_but_not_the_other() -> None:
    """001, overcome, tie: the goal is attained, with a complication, a tough choice, or some other twist."""
    answer = coppermane(total=1)

    assert [form["form"] for form in forms_of(answer, "minor_cost")] == ["complication", "tough_choice", "twist"]


def test_rough_terrain_serves_others_too() -> None:
    """001, create, fail: it is not created, or it is, and an opponent gets to invoke it for free."""
    answer = coppermane(type="create_advantage", aspect="Rough Terrain")

    assert shown(answer) == [
        "[no_aspect] ✗",
        '[aspect_for_opposition] ✗ → *aspect "Rough Terrain": situation_aspect(Boss,Thug 1 free)',
    ]


def test_two_invocations_may_stack_on_one_roll_as_a_big_advantage() -> None:
    """001, create, style: usually the same aspect is not invoked twice on a roll; two free invocations may be."""
    scene = {"aspects": [{"name": "In My Sights", "free_invocations": {"Lee": 2}}]}
    twice = [{"aspect": "In My Sights", "use": "bonus", "pay": "free"}] * 2

    answer = coppermane(scene, total=0, against=4, invocations=twice)

    assert (answer["roll"]["invoked"], answer["roll"]["total"], answer["outcome"]) == (4, 4, "tie")


def test_who_defends_another_becomes_the_target() -> None:
    """001, defend: one may defend against an attack on someone else, and then takes any bad results."""
    against = {"kind": "defend", "by": "Boss", "roll": {"total": 0}}

    answer = coppermane(type="attack", target="Thug", total=2, opposition=against)

    assert shown(answer) == ["[hit] ✓ → +hit(Boss 2)"]


@pytest.mark.parametrize(
    ("shifts", "outcome"),
    [
        (-1, "fail"),
        (0, "tie"),
        (1, "succeed"),
        (2, "succeed"),
        (3, "succeed_with_style"),
        (6, "succeed_with_style"),
        (7, "epic_success"),
    ],
    ids=lambda each: each if isinstance(each, str) else f"{each:+d}",
)
def test_the_outcomes_begin_where_the_document_says(shifts: int, outcome: str) -> None:
    """001: less, equal, greater, at least three greater; an epic success is by 7 or more."""
    assert outcome == coppermane(total=1 + shifts)["outcome"]


def test_a_player_rolls_against_a_difficulty_of_two() -> None:
    """004, opposed checks: the GM sets a static difficulty, for example +2, for the PC to roll against."""
    request = {
        "ruleset": "base-actions",
        "action": {
            "type": "overcome",
            "actor": "Lee",
            "roll": {"total": 2},
            "opposition": {"kind": "passive", "rating": 2},
        },
    }

    answer = resolved(request)

    assert (answer["outcome"], [branch["id"] for branch in answer["branches"]]) == ("tie", ["fail", "minor_cost"])


@pytest.mark.parametrize(
    ("net", "outcome"),
    [(-1, "fail"), (0, "tie"), (1, "succeed"), (2, "succeed"), (3, "succeed_with_style")],
    ids=lambda each: each if isinstance(each, str) else f"{each:+d}",
)
def test_the_columns_of_the_table_begin_where_it_says(net: int, outcome: str) -> None:
    """004: up to -1, 0, 1 and 2, and 3 or more."""
    against = {"kind": "active", "by": "Guard", "roll": {"total": 2}}
    request = {
        "ruleset": "base-actions",
        "action": {"type": "overcome", "actor": "Lee", "roll": {"total": 2 + net}, "opposition": against},
    }

    assert outcome == resolved(request)["outcome"]
