"""What happens between rolls, by the Fate Condensed SRD's own examples and rules: a test begins with its section."""

import pytest

from tests.evenings.table import Evening, hurt, npc, pc

WOUNDS = [hurt("mild", "Nasty Bite"), hurt("moderate", "Broken Arm"), hurt("severe", "Crippled Leg")]


def cellar(*, charles: int = 3) -> Evening:
    """Charles meets a ghoul, and a cultist who belongs to it, in a dank cellar."""
    people = [pc("Charles", charles, aspects=["Stubborn"]), pc("Ruth"), npc("Ghoul", aspects=["Hungry for Flesh"])]
    return Evening("fate-condensed", *people, npc("Cultist", "nameless"), gm_fate_points=2, aspects=[{"name": "Slime"}])


@pytest.mark.parametrize(
    ("by", "who", "aspect", "accepted", "left"),
    [
        pytest.param("GM", "Charles", "Stubborn", True, [4, 3, 2], id="accepted it earns a point"),
        pytest.param("GM", "Charles", "Stubborn", False, [2, 3, 2], id="refused it costs a point"),
        pytest.param("Ruth", "Charles", "Stubborn", True, [4, 2, 2], id="a player spends one's own to propose"),
        pytest.param("Charles", "Charles", "Stubborn", True, [4, 3, 2], id="a self-compel costs nothing"),
        pytest.param("GM", "Charles", "Slime", True, [4, 3, 2], id="any aspect that affects one can be compelled"),
        pytest.param("Ruth", "Ghoul", "Hungry for Flesh", False, [3, 2, 1], id="the GM refuses out of the pool"),
    ],
)
def test_compels_a_compel(by: str, who: str, aspect: str, accepted: bool, left: list[int]) -> None:
    """Fate Condensed, "Compels": what Charles, Ruth and the GM have then."""
    evening = cellar().move("compel", who=who, aspect=aspect, by=by, accepted=accepted)
    assert evening.points("Charles", "Ruth", "GM") == left


def test_compels_who_has_no_point_cannot_refuse() -> None:
    """Fate Condensed, "Compels": one is spent from one's own supply, and there is none."""
    refusal = cellar(charles=0).refusal("compel", who="Charles", aspect="Stubborn", by="GM", accepted=False)
    assert refusal == "no_fate_point"


def test_boosts_a_boost_passes_to_an_ally_and_never_outlives_the_scene() -> None:
    """Fate Condensed, "Boosts": it cannot be compelled, either."""
    evening = cellar().move("aspect", name="Distracted", boost=True, free_invocations={"Charles": 1})
    assert evening.refusal("compel", who="Ghoul", aspect="Distracted", by="Ruth", accepted=True) == "bad_request"
    evening.move("pass", aspect="Distracted", from_="Charles", to="Ruth")
    assert evening.scene["aspects"][-1]["free_invocations"] == {"Ruth": 1}
    assert evening.move("end_scene").aspects() == set()


@pytest.mark.parametrize(("pay", "paid"), [("fate_point", 1), ("free", 0)])
def test_hostile_invocations_the_enemy_gets_the_point_and_uses_it_after_the_scene(pay: str, paid: int) -> None:
    """Fate Condensed, "Hostile Invocations": where one was spent: a free invocation pays nobody."""
    evening = cellar().move("aspect", name="Stubborn", on="Charles", free_invocations={"Ghoul": 1})
    invoked = {"aspect": "Stubborn", "on": "Charles", "pay": pay}
    evening.attack("Ghoul", "Charles", 2, absorb={"stress": 2}, invocations=[invoked])
    assert (evening.points("Charles", "GM"), evening.owed("Charles")) == ([3, 2 - paid], [paid])
    assert evening.move("end_scene").points("Charles") == [3 + paid]


def test_hostile_invocations_the_gms_goes_to_the_pool_of_a_later_scene() -> None:
    """Fate Condensed, "Hostile Invocations", "Your Fate Points": two for the heroes, one for its hunger."""
    invoked = {"aspect": "Hungry for Flesh", "on": "Ghoul", "pay": "fate_point"}
    evening = cellar().attack("Ruth", "Ghoul", 2, absorb={"stress": 2}, invocations=[invoked])
    assert (evening.points("Ruth", "GM"), evening.owed("GM")) == ([2, 2], [1])
    assert evening.move("scene", summary="The lair.").points("GM") == [3]


def test_your_fate_points_alice_brings_two_points_to_the_final_confrontation() -> None:
    """Fate Condensed, "Your Fate Points": she conceded after a moderate consequence; four heroes are there."""
    heroes = [pc(name) for name in ("Charles", "Ruth", "Cassandra", "Ethan")]
    evening = Evening("fate-condensed", *heroes, npc("Alice"), gm_fate_points=4).move("conflict")
    evening.attack("Ruth", "Alice", 4, absorb={"consequences": [hurt("moderate", "Burnt")]})
    evening.move("concede", who="Alice").move("end_conflict").move("end_scene")
    assert evening.owed("GM") == [2]
    everyone = [each["name"] for each in heroes] + ["Alice"]
    assert (evening.move("scene", people=everyone).points("GM"), evening.owed("GM")) == ([6], [0])


def test_turn_order_the_heroes_strike_first_and_then_the_cultists_twice() -> None:
    """Fate Condensed, "Turn Order": each names the next, and the last who begins, such as one of their own."""
    evening = Evening("fate-condensed", pc("Cassandra"), pc("Ruth"), npc("Acolyte"), npc("Cultist")).move("conflict")
    for who, acted in (("Cassandra", []), ("Ruth", ["Cassandra"]), ("Acolyte", ["Ruth"]), ("Cultist", [])):
        assert evening.refusal("turn") == "bad_request", "no rating says who is next"
        evening.move("turn", who=who)
        assert [evening.refusal("turn", who=each) for each in acted] == ["bad_request"] * len(acted)
    conflict = evening.move("turn", who="Acolyte").scene["conflict"]
    assert (conflict["turn"], conflict["exchange"]) == ("Acolyte", 2)


@pytest.mark.parametrize("to", [3, 5])
def test_contests_the_first_to_three_victories_wins_or_to_as_many_as_five(to: int) -> None:
    """Fate Condensed, "Contests": one for the highest, two with style if nobody else had it, and a twist for a tie."""
    evening = cellar().move("contest", sides={"Chased": ["Charles"], "Chasing": ["Ghoul"]}, to=to)
    kinds = []
    for efforts in ((4, 1), (2, 2), (1, 2), (3, 2), (5, 2)):
        if not evening.scene["contest"].get("winner"):
            evening.move("exchange", totals=dict(zip(("Chased", "Chasing"), efforts, strict=True)))
            kinds.append("twist" if evening.told("twist") else "won" if evening.told("won") else "")
    assert kinds == ["", "twist", "", *(["won"] if to == 3 else ["", "won"])]
    assert evening.scene["contest"]["victories"] == {"Chased": to, "Chasing": 1}


def test_taking_harm_charles_against_the_ghoul() -> None:
    """Fate Condensed, "Taking Harm": two mark two boxes, five are a moderate and the last box, nine are too many."""
    evening = cellar().move("conflict")
    assert evening.attack("Ghoul", "Charles", 2, absorb={"stress": 2}).marked("Charles") == [1, 1]
    wound = {"stress": 1, "consequences": [hurt("moderate", "Gaping Chest Wound")]}
    assert evening.attack("Ghoul", "Charles", 5, absorb=wound).marked("Charles") == [1, 1, 1]
    assert evening.attack("Ghoul", "Charles", 9, taken_out=True).who("Charles")["taken_out"]


def test_taking_harm_three_boxes_of_a_minor_npc() -> None:
    """Fate Condensed, "Minor NPCs": more shifts than boxes take them out, as they have no consequences."""
    boxes = {"stress": {"boxes": [1, 1, 1], "marked": []}}
    evening = Evening("fate-condensed", npc("Guard Dog", "nameless", stress=boxes))
    assert evening.refusal("hit", who="Guard Dog", shifts=4, absorb={"stress": 3}) == "bad_choice"
    assert evening.move("hit", who="Guard Dog", shifts=4, taken_out=True).who("Guard Dog")["taken_out"]


def test_conceding_the_points_come_with_the_end_of_the_conflict_and_the_boxes_with_the_scenes() -> None:
    """Fate Condensed, "Conceding", "Ending a Conflict": one, and one for a consequence of this conflict."""
    evening = cellar().move("conflict")
    evening.attack("Ghoul", "Charles", 3, absorb={"stress": 1, "consequences": [hurt("mild", "Nasty Bite")]})
    assert (evening.move("concede", who="Charles").points("Charles"), evening.owed("Charles")) == ([3], [2])
    assert (evening.move("end_conflict").points("Charles"), evening.marked("Charles")) == ([5], [1])
    assert evening.move("end_scene", rest=False).marked("Charles") == []


def test_recovering_from_conflicts_a_full_scene_a_full_session_and_a_major_milestone_after_treatment() -> None:
    """Fate Condensed, "Recovering from Conflicts": no minor milestone heals a leg."""
    evening = cellar()
    evening.scene["characters"][0]["consequences"] = WOUNDS
    for each in ("Nasty Bite", "Crippled Leg"):
        evening.move("recover", who="Charles", consequence=each, by="Ruth")
    evening.move("recover", who="Charles", consequence="Broken Arm", by="Ruth", name="Arm in a Cast")
    left = []
    for end in ("end_scene", "end_scene", "end_session", "end_session"):
        evening.move(end).move("milestone", level="minor").move("scene", summary="The next.")
        left.append(len(evening.wounds("Charles")))
    assert (left, [*evening.wounds("Charles")]) == ([3, 2, 2, 1], ["Crippled Leg"])
    assert evening.move("end_scenario").move("milestone", level="major").wounds("Charles") == {}


def test_recovering_from_conflicts_a_major_milestone_starts_what_is_untreated_and_clears_what_is_not() -> None:
    """Fate Condensed, "Major Milestones": what it starts goes with the next; "significant" there is none."""
    worn = [WOUNDS[0], {**WOUNDS[1], "recovering": 1}, WOUNDS[2]]
    evening = Evening("fate-condensed", pc("Charles", consequences=worn))
    assert evening.refusal("milestone", level="significant") == "bad_request"
    wounds = evening.move("milestone", level="major").wounds("Charles")
    assert ({*wounds}, wounds["Nasty Bite"]) == ({"Nasty Bite", "Crippled Leg"}, None)
    assert evening.move("milestone", level="major").wounds("Charles") == {"Nasty Bite": None}


@pytest.mark.parametrize("end", ["end_session", "end_scenario"])
def test_refresh_charles_keeps_five_and_ethan_begins_with_three(end: str) -> None:
    """Fate Condensed, "Refresh": the refresh, 2 and 3, is the least that one begins with."""
    evening = Evening("fate-condensed", pc("Charles", 5, refresh=2), pc("Ethan", 1))
    assert evening.move(end).points("Charles", "Ethan") == [5, 3]


def test_countdowns_a_box_for_each_trigger_until_the_last() -> None:
    """Fate Condensed, "Countdowns": one may mark more than one, and players may not know what it counts."""
    evening = cellar().move("clock", name="The Ritual", boxes=4, secret=True).move("clock", name="The Ritual")
    evening.move("clock", name="The Ritual", tick=3)
    assert evening.scene["clocks"] == [{"name": "The Ritual", "boxes": 4, "ticked": 4, "secret": True}]
