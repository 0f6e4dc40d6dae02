"""The worked examples of documents 001 and 002, by the numbers and words that stand there."""

import narrator
from narrator.rules.json_text import Json
from tests.rules.build import resolved, shown

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

    assert (answer["roll"]["total"], answer["roll"]["ladder"]) == (-1, "Poor")
    assert (answer["opposition"]["total"], answer["opposition"]["ladder"]) == (2, "Fair")
    assert (answer["shifts"], answer["outcome"]) == (-3, "fail")


def test_naka_rolls_again_and_escapes_by_one_shift() -> None:
    """002: she pays a fate point for the streets, rolls +2, and has 3 against his 2; the first throw is kept."""
    answer = resolved(flight(REROLL))
    scene = narrator.apply(flight(REROLL), {"branch": "succeed"})
    roll = answer["roll"]

    assert (roll["total"], answer["opposition"]["total"], answer["shifts"]) == (3, 2, 1)
    assert shown(answer) == ["[succeed] ✓"]
    assert (roll["dice"], roll["rolled"], roll["invoked"]) == ([1, 1, 1, -1], [-1, -1, 0, 0], 0)
    assert [each.fate_points for each in scene.characters if each.name == "Naka"] == [0]


def test_naka_could_only_have_made_it_by_rolling_again() -> None:
    """002: two more would still be a failure by one; of all throws those of +1 and more bring her to a tie at least."""
    offers = {(each.use, each.pay): each for each in narrator.reach(flight()) if each.side == "actor"}
    again = offers["reroll", "fate_point"].outcomes

    assert {("bonus", "fate_point"), ("reroll", "fate_point")} == set(offers)
    assert (offers["bonus", "fate_point"].outcome, offers["bonus", "fate_point"].shifts) == ("fail", -1)
    assert again == {"fail": (50, 81), "tie": (16, 81), "succeed": (14, 81), "succeed_with_style": (1, 81)}


def test_dolores_cannot_read_the_tome() -> None:
    """002: one aspect makes it 2; a 1 without any Insight is not enough, and things get worse."""
    tome = "Ancient Tome in a Forgotten Tongue"
    against = {"kind": "aspects", "hindering": [tome]}
    dolores = {"actor": "Dolores", "skill": "Insight", "roll": {"dice": [1, 0, 0, 0]}}
    scene = {"aspects": [{"name": tome}], "characters": [{"name": "Dolores", "side": "pc", "importance": "pc"}]}
    action = {"type": "overcome", **dolores, "opposition": against}
    answer = resolved({"ruleset": "aspect-difficulty", "scene": scene, "action": action})

    assert (answer["roll"]["skill"], answer["roll"]["total"], answer["opposition"]["total"]) == (0, 1, 2)
    assert (answer["shifts"], answer["outcome"], answer["notices"]) == (-1, "fail", [])
    assert [slot["kind"] for branch in answer["branches"] for slot in branch["slots"]] == ["serious_cost"]


def test_two_invocations_may_stack_on_one_roll_as_a_big_advantage() -> None:
    """001: usually the same aspect is not invoked twice on a roll; two free invocations may be."""
    lee = {"name": "Lee", "side": "pc", "importance": "pc"}
    scene = {"aspects": [{"name": "In My Sights", "free_invocations": {"Lee": 2}}], "characters": [lee]}
    twice = [{"aspect": "In My Sights", "use": "bonus", "pay": "free"}] * 2
    action = {"type": "overcome", "actor": "Lee", "roll": {"total": 0}, "invocations": twice}
    opposition = {"kind": "passive", "rating": 4}

    answer = resolved({"ruleset": "coppermane", "scene": scene, "action": {**action, "opposition": opposition}})

    assert (answer["roll"]["invoked"], answer["roll"]["total"], answer["outcome"]) == (4, 4, "tie")
