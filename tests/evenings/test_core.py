"""What happens between rolls, by the Fate Core SRD's own examples and rules: a test begins with its section."""

import pytest

from tests.evenings.table import Evening, hurt, npc, pc

BOXES = {"physical": {"boxes": [1, 2, 3, 4], "marked": [1, 3]}, "mental": {"boxes": [1, 2], "marked": []}}
HEROES = ["Landon", "Zird", "Cynere"]
BEGUN = {"minor": ["Exhausted"], "significant": ["Exhausted", "Shame"], "major": ["Exhausted", "Shame"]}
GOAT = "The Manners of a Goat"
FACE = {"aspect": "Not the Face!", "on": "Zird", "pay": "fate_point"}


def warehouse() -> Evening:
    """Og and his friend wait in the warehouse for the three who break in."""
    return Evening(
        "fate-core",
        npc("Og", skills={"Athletics": 2, "Fight": 6}),
        pc("Landon", skills={"Athletics": 3}, aspects=[GOAT], stress=BOXES),
        pc("Zird", skills={"Notice": 1, "Lore": 4}, aspects=["Not the Face!"]),
        pc("Cynere", skills={"Notice": 3, "Athletics": 4}, aspects=["Tempted by Shiny Things"]),
        npc("Thug", "nameless", skills={"Fight": 2}, aspects=["Violent Criminal"]),
        gm_fate_points=3,
        aspects=[{"name": "Heavy Crates"}, {"name": "On Fire"}],
    )


@pytest.mark.parametrize(
    ("by", "who", "aspect", "accepted", "left"),
    [
        pytest.param("GM", "Landon", GOAT, True, [4, 3, 3, 3], id="who takes the complication receives a point"),
        pytest.param("GM", "Landon", GOAT, False, [2, 3, 3, 3], id="who prevents it pays a point"),
        pytest.param("Zird", "Landon", GOAT, True, [4, 2, 3, 3], id="a player pays a point to propose another's"),
        pytest.param("Zird", "Landon", GOAT, False, [2, 2, 3, 3], id="it is the proposal that costs"),
        pytest.param("Landon", "Landon", GOAT, True, [4, 3, 3, 3], id="one's own is proposed for free"),
        pytest.param(
            "GM", HEROES, "On Fire", True, [4, 4, 4, 3], id="Situation Aspects: each whom it affects receives one"
        ),
        pytest.param(
            "Zird", ["Og", "Thug"], "On Fire", True, [3, 1, 3, 5], id="Multiple Targets: one point compels one"
        ),
        pytest.param("Zird", "Thug", "Violent Criminal", True, [3, 2, 3, 4], id="the GM's take it as heroes do"),
        pytest.param("Zird", "Thug", "Violent Criminal", False, [3, 2, 3, 2], id="the GM's prevent it out of the pool"),
    ],
)
def test_compelling_aspects(by: str, who: list[str] | str, aspect: str, accepted: bool, left: list[int]) -> None:
    """Fate Core, "Compelling Aspects": what Landon, Zird, Cynere and the GM have after a compel."""
    evening = warehouse().move("compel", who=who, aspect=aspect, by=by, accepted=accepted)
    assert evening.points(*HEROES, "GM") == left


def test_compelling_aspects_who_has_none_neither_prevents_nor_proposes() -> None:
    """Fate Core, "Compelling Aspects": nothing is written where it cannot be paid; one point is too little for two."""
    evening = Evening("fate-core", pc("Landon", 0, aspects=[GOAT]), pc("Zird", 1), npc("Og"), npc("Thug"))
    evening.move("aspect", name="On Fire")
    assert evening.refusal("compel", who="Landon", aspect=GOAT, by="GM", accepted=False) == "no_fate_point"
    assert evening.refusal("compel", who="Zird", aspect="On Fire", by="Landon", accepted=True) == "no_fate_point"
    assert evening.refusal("compel", who=["Og", "Thug"], aspect="On Fire", by="Zird", accepted=True) == "no_fate_point"
    assert evening.points("Landon", "Zird") == [0, 1]


@pytest.mark.parametrize(
    ("pay", "aspect", "on", "owed"),
    [
        pytest.param("fate_point", "Not the Face!", "Zird", 1, id="whose aspect it is gains the point"),
        pytest.param("fate_point", "Hemmed In", "Zird", 1, id="an advantage on a character is theirs"),
        pytest.param("fate_point", "Winded", "Zird", 1, id="a consequence is theirs"),
        pytest.param("free", "Hemmed In", "Zird", 0, id="what is free pays nobody"),
        pytest.param("fate_point", "On Fire", None, 0, id="an aspect of the scene is nobody's"),
    ],
)
def test_invoking_aspects(pay: str, aspect: str, on: str | None, owed: int) -> None:
    """Fate Core, "Invoking Aspects", "Earning Fate Points": it is spent at once, and may be used after the scene."""
    evening = warehouse().move("aspect", name="Hemmed In", on="Zird", free_invocations={"Thug": 1})
    evening.scene["characters"][2]["consequences"] = [hurt("mild", "Winded")]
    invoked = {"aspect": aspect, "on": on, "pay": pay}
    evening.attack("Thug", "Zird", 2, absorb={"stress": 2}, invocations=[invoked])
    assert (evening.points("GM", "Zird"), evening.owed("Zird")) == ([3 if pay == "free" else 2, 3], [owed])
    assert evening.move("end_scene").points("Zird") == [3 + owed]


@pytest.mark.parametrize(("end", "left"), [("session", [5, 3, 2]), ("scenario", [3, 3, 2])], ids=str)
def test_refresh_a_session_keeps_what_is_more_and_a_scenario_resets_it(end: str, left: list[int]) -> None:
    """Fate Core, "Refresh": five, one and none of refreshes 3, 3 and 2; who is away begins anew as well."""
    evening = Evening("fate-core", pc("Landon", 5), pc("Zird", 1), pc("Cynere", 0, refresh=2))
    assert evening.move("leave", who="Cynere").move(f"end_{end}").points(*HEROES) == left


def test_the_gm_and_fate_points_the_pool_is_one_for_each_hero_who_is_there() -> None:
    """Fate Core, "The GM and Fate Points": what is left and what was paid against a thug are not carried."""
    invoked = {"aspect": "Violent Criminal", "pay": "fate_point"}
    evening = warehouse().attack("Cynere", "Thug", 2, invocations=[invoked], taken_out=True)
    assert evening.points("Cynere", "GM") == [2, 3]
    assert evening.move("scene", summary="The climax.").points("GM") == [3]
    assert evening.move("scene", summary="Zird is elsewhere.", people=["Landon", "Cynere", "Og"]).points("GM") == [2]


def test_the_gm_and_fate_points_three_points_of_a_concession_go_to_the_next_scene() -> None:
    """Fate Core, "The GM and Fate Points": Barathar concedes with two consequences of this conflict."""
    evening = warehouse().move("enter", character=npc("Barathar")).move("conflict", kind="physical")
    evening.attack("Cynere", "Barathar", 2, absorb={"consequences": [hurt("mild", "Winded")]})
    evening.attack("Cynere", "Barathar", 4, absorb={"consequences": [hurt("moderate", "Deep Cut")]})
    assert (evening.move("concede", who="Barathar").points("GM"), evening.owed("GM")) == ([3], [3])
    assert (evening.move("end_conflict").move("scene").points("GM"), evening.owed("GM")) == ([6], [0])


def test_challenges_the_ritual_at_the_inn_is_told_after_its_last_roll() -> None:
    """Fate Core, "Challenges": Crafts ties, Rapport fails, Lore succeeds; how it turns out is said at last."""
    skills = {"Securing the Inn": "Crafts", "Calming the Locals": "Rapport", "The Ritual": "Lore"}
    tasks = [{"name": name, "skill": skill, "difficulty": 3} for name, skill in skills.items()]
    evening = warehouse().move("challenge", tasks=tasks)
    whole = []
    for name, outcome in zip(skills, ("tie", "fail", "succeed"), strict=True):
        evening.move("task", name=name, outcome=outcome)
        whole.append(all(each in " ".join(told["text"] for told in evening.told("task")) for each in skills))
    assert whole == [False, False, True]
    assert [each["outcome"] for each in evening.scene["challenge"]["tasks"]] == ["tie", "fail", "succeed"]


def test_challenges_an_unused_boost_may_be_kept_for_the_next_scene() -> None:
    """Fate Core, "Challenges": where the one leads directly to the other; what nobody keeps goes."""
    evening = warehouse()
    for boost in ("Hasty Work", "Momentum"):
        evening.move("aspect", name=boost, boost=True, free_invocations={"Zird": 1})
    assert evening.move("end_scene", keep=["Hasty Work"]).aspects() == {"Hasty Work"}


def test_contests_cynere_outruns_the_spell_of_teran() -> None:
    """Fate Core, "Contests": 1 to 3; 5 to 2 with style; a tie at 3; 8 to 4 with style; so four victories to one."""
    evening = Evening("fate-core", pc("Cynere"), npc("Teran"), aspects=[{"name": "Muddy Ground"}])
    evening.move("contest", sides={"Cynere": ["Cynere"], "Teran": ["Teran"]})
    tally = []
    for hers, his in ((1, 3), (5, 2), (3, 3), (8, 4)):
        evening.move("exchange", totals={"Cynere": hers, "Teran": his})
        victories = evening.scene["contest"]["victories"]
        tally.append((victories.get("Cynere", 0), victories.get("Teran", 0), bool(evening.told("twist"))))
    assert tally == [(0, 1, False), (2, 1, False), (2, 1, True), (4, 1, False)]
    assert evening.scene["contest"]["winner"] == "Cynere"
    assert evening.refusal("exchange", totals={"Cynere": 0, "Teran": 1}) == "not_in_frame"


def test_contests_against_the_environment_the_most_shifts_win() -> None:
    """Fate Core, "Contests": style counts two only where nobody else had it; a forfeit makes no progress."""
    evening = Evening("fate-core", pc("Cynere"), npc("Teran"))
    evening.move("contest", sides={"Cynere": ["Cynere"], "Teran": ["Teran"]})
    evening.move("exchange", shifts={"Cynere": 4, "Teran": 3}).move("exchange", totals={"Cynere": None, "Teran": -1})
    assert evening.scene["contest"]["victories"] == {"Cynere": 1, "Teran": 1}
    assert evening.move("exchange", shifts={"Cynere": 0, "Teran": 3}).scene["contest"]["winner"] == "Teran"


def test_turn_order_notice_leads_and_athletics_parts_those_without() -> None:
    """Fate Core, "Turn Order": Cynere by Notice 3, Zird by 1, Landon and Og by Athletics 3 and 2; or as told."""
    conflict = warehouse().move("leave", who="Thug").move("conflict", kind="physical").scene["conflict"]
    assert conflict["order"] == ["Cynere", "Zird", "Landon", "Og"]
    told = ["Cynere", "Og", "Thug", "Zird", "Landon"]
    assert warehouse().move("conflict", order=told).scene["conflict"]["order"] == told


def test_turn_order_a_mental_one_goes_by_empathy_then_rapport_then_will() -> None:
    """Fate Core, "Turn Order": each of the three decides where those before it tie."""
    skills = [{"Will": 4}, {"Will": 3, "Rapport": 1}, {"Empathy": 1}, {"Rapport": 1, "Will": 4}]
    people = [pc(name, skills=each) for name, each in zip("ABCD", skills, strict=True)]
    order = Evening("fate-core", *people).move("conflict", kind="mental").scene["conflict"]["order"]
    assert order == ["C", "D", "B", "A"]


def test_turn_order_everyone_has_a_turn_and_then_a_new_exchange_starts() -> None:
    """Fate Core, "The Exchange", "Conceding the Conflict": whoever concedes is out of it."""
    evening = warehouse().move("leave", who="Thug").move("conflict", kind="physical").move("concede", who="Landon")
    seen = []
    for _ in range(3):
        conflict = evening.move("turn").scene["conflict"]
        seen.append((conflict["turn"], conflict["exchange"]))
    assert seen == [("Zird", 1), ("Og", 1), ("Cynere", 2)]


def test_stress_goes_to_a_higher_box_and_is_cleared_after_the_conflict() -> None:
    """Fate Core, "Stress": three shifts, with 1 and 3 checked, and 2 too small; then, a minute to breathe or none."""
    evening = warehouse().move("conflict", kind="physical")
    assert evening.refusal("hit", who="Landon", shifts=3, by="Og", absorb={"stress": 2}) == "bad_choice"
    assert evening.move("hit", who="Landon", shifts=3, by="Og", absorb={"stress": 4}).marked("Landon") == [1, 3, 4]
    assert evening.move("end_conflict").marked("Landon") == []
    assert warehouse().move("conflict").move("end_scene", rest=False).marked("Landon") == [1, 3]


def test_conceding_the_conflict_landon_is_owed_three_and_has_them_when_it_is_over() -> None:
    """Fate Core, "Conceding the Conflict": one for that, two for the mild and the moderate that he took."""
    evening = landon_gives_in(warehouse())
    assert (evening.points("Landon"), evening.owed("Landon"), len(evening.told("conceded"))) == ([3], [3], 1)
    assert evening.refusal("concede", who="Landon") == "bad_request"
    assert (evening.move("end_conflict").points("Landon"), evening.owed("Landon")) == ([6], [0])


def test_conceding_the_conflict_a_consequence_of_an_earlier_conflict_gives_nothing() -> None:
    """Fate Core, "Conceding the Conflict": those count that were sustained in this one."""
    evening = landon_gives_in(warehouse()).move("scene", summary="The next fight.").move("conflict")
    assert evening.move("concede", who="Landon").owed("Landon") == [1]


def test_ending_a_conflict_who_receives_what_after_the_warehouse() -> None:
    """Fate Core, "Ending a Conflict": Landon three; Zird two, for his face; Cynere, who won, none for her wound."""
    evening = landon_gives_in(warehouse())
    for shifts in (1, 2):
        evening.attack("Thug", "Zird", shifts, absorb={"stress": shifts}, invocations=[FACE])
    evening.attack("Og", "Cynere", 6, absorb={"consequences": [hurt("severe", "Nearly Gutted")]})
    evening.move("concede", who="Og").move("end_conflict")
    assert evening.points("Landon", "Zird", "Cynere", "GM") == [6, 5, 3, 1]
    assert (evening.marked("Zird"), evening.wounds("Cynere")) == ([], {"Nearly Gutted": None})


def test_transitioning_to_a_contest_the_points_wait_where_it_turns_into_a_chase() -> None:
    """Fate Core, "Transitioning to a Contest or Challenge": points come when it is known who gets away."""
    evening = landon_gives_in(warehouse())
    evening.move("aspect", name="Head Start", boost=True, free_invocations={"Cynere": 1})
    evening.move("end_conflict", then="contest").move("contest", sides={"Heroes": ["Cynere"], "Guardians": ["Og"]})
    assert (evening.points("Landon"), evening.owed("Landon"), evening.marked("Landon")) == ([3], [3], [1, 3])
    assert "Head Start" in evening.aspects()
    for _ in range(2):
        evening.move("exchange", shifts={"Heroes": 3, "Guardians": 2})
    assert (evening.move("end_conflict").points("Landon"), evening.marked("Landon")) == ([6], [])


def test_recovering_nearly_gutted_is_bandaged_and_gone_after_the_next_whole_scenario() -> None:
    """Fate Core, "Recovering from a Consequence": moderate ones need a whole session, mild ones a whole scene."""
    evening = warehouse()
    told = [hurt("mild", "Winded"), hurt("moderate", "Deep Cut"), hurt("severe", "Nearly Gutted")]
    evening.scene["characters"][3]["consequences"] = told
    evening.move("recover", who="Cynere", consequence="Nearly Gutted", by="Zird", name="Bandaged")
    assert evening.wounds("Cynere").keys() == {"Winded", "Deep Cut", "Bandaged"}
    for each in ("Winded", "Deep Cut"):
        evening.move("recover", who="Cynere", consequence=each, by="Zird")
    assert evening.refusal("recover", who="Cynere", consequence="Deep Cut", by="Zird") == "bad_request"
    left = []
    for end in ("end_scene", "end_scene", "end_session", "end_session", "end_scenario", "end_scenario"):
        evening.move(end).move("scene", summary="The next.")
        left.append(sorted(evening.wounds("Cynere")))
    assert left[:4] == [["Bandaged", "Deep Cut", "Winded"], *2 * [["Bandaged", "Deep Cut"]], ["Bandaged"]]
    assert left[4:] == [["Bandaged"], []]


@pytest.mark.parametrize(("level", "begun"), BEGUN.items(), ids=BEGUN)
def test_milestones_start_what_has_not_yet_started(level: str, begun: list[str]) -> None:
    """Fate Core, "Minor Milestones", "Significant Milestones", "Major Milestones": nobody rolls."""
    worn = [hurt("mild", "Winded"), hurt("moderate", "Exhausted"), hurt("severe", "Shame")]
    evening = Evening("fate-core", pc("Cynere", consequences=worn), npc("Og", consequences=worn))
    evening.move("end_scenario").move("milestone", level=level)
    assert [name for name, ends in evening.wounds("Cynere").items() if ends] == begun
    evening.move("scene", summary="A new one.").move("end_scenario")
    assert sorted(evening.wounds("Cynere")) == sorted({"Winded", "Exhausted", "Shame"} - {*begun})
    assert set(evening.wounds("Og").values()) == {None}


def test_situation_aspects_they_last_for_a_scene_and_game_aspects_never_go() -> None:
    """Fate Core, "Situation Aspects", "Game Aspects": what still makes sense is kept."""
    evening = warehouse().move("aspect", name="The Rising Cult", lasting=True)
    evening.move("aspect", name="Hemmed In", on="Og", free_invocations={"Landon": 1})
    assert evening.move("end_scene", keep=["Heavy Crates"]).aspects() == {"Heavy Crates", "The Rising Cult"}


def test_teamwork_zird_and_cynere_hand_three_invocations_to_landon() -> None:
    """Fate Core, "Teamwork": one by the fireworks, two by glancing hits, for a +6 against Tremendor."""
    evening = Evening("fate-core", pc("Landon"), pc("Zird"), pc("Cynere"), npc("Tremendor"))
    evening.move("aspect", name="Flashy Distraction", free_invocations={"Zird": 1, "Cynere": 2})
    evening.move("pass", aspect="Flashy Distraction", from_="Zird", to="Landon")
    evening.move("pass", aspect="Flashy Distraction", from_="Cynere", to="Landon", number=2)
    assert evening.scene["aspects"][0]["free_invocations"] == {"Landon": 3}
    evening.attack("Landon", "Tremendor", 7, invocations=3 * [{"aspect": "Flashy Distraction"}], taken_out=True)


@pytest.mark.parametrize(("boxes", "enough"), [([], 1), ([1], 2), ([1, 2], 3)], ids=["Average", "Fair", "Good"])
def test_nameless_npcs_a_hit_that_is_enough(boxes: list[int], enough: int) -> None:
    """Fate Core, "Nameless NPCs": one more than the boxes, which take physical and mental hits alike."""
    tracks = {"stress": {"boxes": boxes, "marked": []}} if boxes else {}
    evening = Evening("fate-core", npc("Thug", "nameless", stress=tracks))
    if boxes:
        evening.move("hit", who="Thug", shifts=enough - 1, absorb={"stress": enough - 1})
        assert evening.marked("Thug", "stress") == [enough - 1]
    assert evening.move("hit", who="Thug", shifts=enough, taken_out=True).who("Thug")["taken_out"]


def landon_gives_in(evening: Evening) -> Evening:
    """Og's attacks leave a mild and a moderate consequence, and Landon concedes."""
    evening.move("conflict", kind="physical")
    evening.attack("Og", "Landon", 2, absorb={"consequences": [hurt("mild", "Bruised Ribs")]})
    evening.attack("Og", "Landon", 4, absorb={"consequences": [hurt("moderate", "Deep Cut")]})
    return evening.move("concede", who="Landon")
