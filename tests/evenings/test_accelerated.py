"""Fate Accelerated SRD, played between the rolls: each test begins with the sections that it proves."""

import pytest

from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.evenings.table import Evening, hurt, npc, pc

# "Example Characters", and mooks of "Bad Guys".
RETH = pc("Reth", skills={"Careful": 2, "Quick": 2}, aspects=["Steel Assassins Want Me Dead"])
VOLTAIRE = pc("Voltaire", skills={"Careful": 1, "Quick": 2}, aspects=["*Yawn*"])
ABIGAIL = pc("Abigail", skills={"Careful": 0, "Quick": 1}, aspects=["Cast Now, Ask Questions Later"])
STENDAHL = npc("Von Stendahl", skills={"Careful": 3, "Quick": 0}, aspects=["Leader of Spies"])
ASSASSIN = npc("Steel Assassin", "nameless", stress={"stress": {"boxes": [1]}})
BULLY = npc("Bully", "nameless", aspects=["Cowardly Without Backup"])


def evening(*people: Json, **scene: object) -> Evening:
    """Begin an evening by this ruleset."""
    return Evening("fate-accelerated", *people, **scene)


def fight(*people: Json, **scene: object) -> Evening:
    """Begin it with a fight."""
    return evening(*people, **scene).move("conflict", kind="physical")


def test_challenges_are_told_whole_when_the_last_task_is_done() -> None:
    """ "Challenges": the ship in the storm has three tasks, one of them found on the way."""
    ship = evening(RETH, ABIGAIL).move("challenge", tasks=[{"name": "Calm Passengers"}, {"name": "Mend Rigging"}])
    ship.move("task", name="Calm Passengers", outcome="succeed").move("challenge", tasks=[{"name": "Keep Heading"}])
    ship.move("task", name="Mend Rigging", outcome="fail").move("task", name="Keep Heading", outcome="tie")
    noted = {each["name"]: each["outcome"] for each in ship.scene["challenge"]["tasks"]}
    assert noted == {"Calm Passengers": "succeed", "Mend Rigging": "fail", "Keep Heading": "tie"}
    assert all(name in str(ship.changes) for name in noted)


def race(**first: Json) -> Evening:
    """A chase of two ships, and its first exchange."""
    chase = evening(VOLTAIRE, STENDAHL).move("contest", sides={"Skimmer": ["Voltaire"], "Navy": ["Von Stendahl"]})
    return chase.move("exchange", **first)


@pytest.mark.parametrize(
    ("told", "skimmer", "navy", "marked", "twists"),
    [
        ("totals", 3, 2, [1, 0], 0),
        ("totals", 2, 4, [0, 1], 0),
        ("totals", 4, 1, [2, 0], 0),  # in style: three above the other ("Outcomes")
        ("shifts", 4, 3, [2, 0], 0),  # though the other has style as well: of that nothing is said
        ("totals", 2, 2, [0, 0], 1),
    ],
)
def test_contests_mark_victories(told: str, skimmer: int, navy: int, marked: list[int], twists: int) -> None:
    """ "Contests": the highest marks one victory, in style two; a tie marks none and is a twist."""
    chase = race(**{told: {"Skimmer": skimmer, "Navy": navy}})
    victories = chase.scene["contest"].get("victories", {})
    assert ([victories.get(side, 0) for side in ("Skimmer", "Navy")], len(chase.told("twist"))) == (marked, twists)


def test_contests_are_won_by_the_first_with_three_victories() -> None:
    """ "Contests": after a twist, which is a new situation aspect, two in style and one more; nobody rolls on."""
    chase = race(totals={"Skimmer": 2, "Navy": 2}).move("aspect", name="Sudden Storm")
    chase.move("exchange", totals={"Skimmer": 5, "Navy": 1})
    assert (chase.aspects(), chase.told("won")) == ({"Sudden Storm"}, [])
    chase.move("exchange", totals={"Skimmer": 2, "Navy": 1})
    assert (chase.scene["contest"]["winner"], len(chase.told("won"))) == ("Skimmer", 1)
    assert chase.refusal("exchange", totals={"Skimmer": 1, "Navy": 0}) == "not_in_frame"


def test_determine_turn_order() -> None:
    """ "Determine Turn Order": a physical conflict goes by Quick, a mental one by Careful, highest first."""
    people = (RETH, VOLTAIRE, ABIGAIL, STENDAHL)
    order = {kind: evening(*people).move("conflict", kind=kind).scene["conflict"] for kind in ("physical", "mental")}
    assert order["physical"]["order"] == ["Reth", "Voltaire", "Abigail", "Von Stendahl"]
    assert order["mental"]["order"] == ["Von Stendahl", "Reth", "Voltaire", "Abigail"]


def test_exchanges_and_zones() -> None:
    """ "Exchanges", "Setting the Scene": all in turn but who is out, then anew; the next zone is no action away."""
    rooms = [{"name": "Living Room", "adjacent": ["Kitchen"]}, {"name": "Kitchen", "adjacent": ["Living Room"]}]
    house = fight(RETH, ABIGAIL, BULLY, zones=rooms).move("change", who="Reth", set={"zone": "Kitchen"})
    assert (house.who("Reth")["zone"], house.scene["conflict"]["turn"]) == ("Kitchen", "Reth")
    house.move("turn", who="Abigail").move("hit", who="Bully", shifts=1, by="Reth").move("turn", who="Reth")
    assert (house.scene["conflict"]["turn"], house.scene["conflict"]["exchange"]) == ("Reth", 2)


def test_stress_and_consequences_absorb_a_hit() -> None:
    """ "What Is Stress?", "What Are Consequences?": 4 is box 2 and a Sprained Ankle, free once for an ally too."""
    ankle: Json = {"stress": 2, "consequences": [hurt("mild", "Sprained Ankle")]}
    brawl = fight(RETH, STENDAHL, BULLY).move("hit", who="Reth", shifts=4, by="Von Stendahl", absorb=ankle)
    brawl.move("pass", aspect="Sprained Ankle", on="Reth", from_="Von Stendahl", to="Bully")
    assert [each["free_invocations"] for each in brawl.scene["aspects"]] == [{"Bully": 1}]
    assert brawl.refusal("hit", who="Reth", shifts=2, absorb={"stress": 2}) == "bad_choice", "it is checked"
    assert brawl.refusal("hit", who="Reth", shifts=2, absorb={"stress": 1}) == "bad_choice", "one box a hit"
    assert brawl.move("hit", who="Reth", shifts=2, absorb={"stress": 3}).marked("Reth", "stress") == [2, 3]


def test_taken_out_is_out_for_the_scene() -> None:
    """ "Bad Guys", "What Happens When I Get Taken Out?": the Bully by any hit, the Assassin by the second."""
    fray = fight(RETH, ASSASSIN, BULLY).move("hit", who="Bully", shifts=1)
    fray.move("hit", who="Steel Assassin", shifts=1, absorb={"stress": 1})
    assert [fray.who(name).get("taken_out", False) for name in ("Bully", "Steel Assassin")] == [True, False]
    fray.move("hit", who="Steel Assassin", shifts=1).move("hit", who="Reth", shifts=2, taken_out=True)
    act: Json = {"type": "overcome", "actor": "Reth", "roll": {"total": 1}}
    act["opposition"] = {"kind": "passive", "rating": 0}
    with pytest.raises(NarratorError):
        fray.roll({"branch": "succeed"}, **act)
    fray.move("end_conflict").move("scene", summary="Later, in a cell.").roll({"branch": "succeed"}, **act)
    assert [each["name"] for each in fray.scene["characters"]] == ["Reth"]


def test_giving_in_pays_for_this_conflict() -> None:
    """ "Giving In": one fate point, and one for each consequence taken in this conflict, not for an older one."""
    old: Json = {"consequences": [hurt("moderate", "Bitten"), {"severity": "mild"}]}
    jacket: Json = {"consequences": [hurt("mild", "Torn Jacket")]}
    deck = fight(VOLTAIRE | old, STENDAHL).move("hit", who="Voltaire", shifts=2, by="Von Stendahl", absorb=jacket)
    assert deck.move("concede", who="Voltaire").owed("Voltaire") == [2]
    deck.move("end_conflict").move("end_scene")
    assert (deck.points("Voltaire"), deck.owed("Voltaire"), {*deck.wounds("Voltaire")}) == ([5], [0], {"Bitten"})


def hurt_in_a_fight(severity: str) -> Evening:
    """Reth, hit in the first session's fight, which is over."""
    taken: Json = {"stress": 3, "consequences": [hurt(severity, "Painful Broken Leg")]}
    shifts = {"mild": 5, "moderate": 7, "severe": 9}[severity]
    return fight(RETH, BULLY).move("hit", who="Reth", shifts=shifts, by="Bully", absorb=taken).move("end_conflict")


@pytest.mark.parametrize(
    ("severity", "not_yet", "then"),
    [
        ("mild", ["end_scene"], "end_scene"),  # the first gave no chance to rest
        ("moderate", ["end_scene", "end_session", "end_scene"], "end_session"),
        ("severe", ["end_scene", "end_session", "end_session", "end_session"], "end_scenario"),
    ],
)
def test_recovering_is_a_matter_of_time(severity: str, not_yet: list[str], then: str) -> None:
    """ "Getting Better—Recovering from Stress and Consequences": stress with any scene, none by a roll."""
    leg = hurt_in_a_fight(severity)
    assert leg.refusal("recover", who="Reth", consequence="Painful Broken Leg", by="Reth") == "unsupported_action"
    assert leg.marked("Reth", "stress") == [3]
    for end in not_yet:
        leg.move(end, **({"rest": False} if end == "end_scene" else {}))
        assert (leg.marked("Reth", "stress"), {*leg.wounds("Reth")}) == ([], {"Painful Broken Leg"})
        leg.move("scene", summary="Another place.")
    assert (leg.move(then).wounds("Reth"), leg.aspects()) == ({}, set()), "with the Bully's free invocation"


def test_refresh_is_a_floor_for_the_next_session() -> None:
    """ "Aspects & Fate Points": five with a refresh of 2 stay five, one with a refresh of 3 is three."""
    rich, poor = RETH | {"fate_points": 5, "refresh": 2}, ABIGAIL | {"fate_points": 1}
    night = evening(rich, poor, away=[VOLTAIRE | {"fate_points": 0}]).move("end_session")
    assert night.points("Reth", "Abigail", "Voltaire") == [5, 3, 3]
    assert night.move("scene", summary="A week later.").move("end_scenario").points("Reth") == [5]


def test_kinds_of_aspects_last_differently() -> None:
    """ "What Kinds of Aspects Are There?": a situation's usually goes with the scene, an unused boost always."""
    boost: Json = {"name": "In My Sights", "boost": True, "free_invocations": {"Reth": 1}}
    over = evening(RETH, aspects=[{"name": "On Fire"}, {"name": "Bright Sunlight", "lasting": True}, boost])
    assert over.move("end_scene").aspects() == {"Bright Sunlight"}


def paid(aspect: str, on: str) -> list[Json]:
    """A fate point for an aspect."""
    return [{"aspect": aspect, "on": on, "use": "bonus", "pay": "fate_point"}]


def test_pvp_gives_the_point_to_the_other_player_when_the_scene_is_over() -> None:
    """ "PVP (Player versus player)": for a character aspect of theirs that was invoked against them."""
    duel = fight(RETH, VOLTAIRE | {"side": "pirates"})
    duel.attack("Reth", "Voltaire", 2, absorb={"stress": 2}, invocations=paid("*Yawn*", "Voltaire"))
    assert (duel.points("Reth", "Voltaire"), duel.owed("Voltaire")) == ([2, 3], [1])
    duel.move("end_conflict").move("end_scene")
    assert (duel.points("Reth", "Voltaire"), duel.owed("Voltaire")) == ([2, 4], [0])


def test_pvp_is_the_only_time_and_the_gm_has_no_more_than_the_pool() -> None:
    """ "PVP (Player versus player)", "How Many Fate Points Does the GM Get?": invoking gives neither side any."""
    mauled = fight(RETH, npc("Zombie", aspects=["Sluggish"]), gm_fate_points=1)
    mauled.attack("Reth", "Zombie", 2, absorb={"stress": 2}, invocations=paid("Sluggish", "Zombie"))
    assert (mauled.points("Reth", "GM"), mauled.owed("GM")) == ([2, 1], [0])
    want: Json = {"invocations": paid("Steel Assassins Want Me Dead", "Reth")}
    mauled.attack("Zombie", "Reth", 2, absorb={"stress": 2}, **want)
    assert (mauled.points("Reth", "GM"), mauled.owed("Reth")) == ([2, 0], [0])
    with pytest.raises(NarratorError, match="fate point"):
        mauled.attack("Zombie", "Reth", 3, absorb={"stress": 3}, **want)


def test_compelling_aspects_pays_who_agrees_and_costs_who_refuses() -> None:
    """ "Compelling Aspects": the Princess of Alaria stays and gains one, or pays one; with none she cannot refuse."""
    castle = evening(pc("Alaria", aspects=["Princess of Alaria"], points=1), gm_fate_points=1)
    compel: Json = {"who": "Alaria", "aspect": "Princess of Alaria"}
    assert castle.move("compel", **compel, accepted=True).points("Alaria", "GM") == [2, 1], "not out of the pool"
    castle.move("compel", **compel, accepted=False).move("compel", **compel, accepted=False)
    assert (castle.points("Alaria"), castle.refusal("compel", **compel, accepted=False)) == ([0], "no_fate_point")
    assert castle.move("compel", **compel, by="Alaria", accepted=True).points("Alaria") == [1], "a self-compel"


def test_compelling_aspects_is_an_offer() -> None:
    """ "Compelling Aspects": who compels offers each a point, which they take if they agree, and else it stays."""
    school = evening(RETH, ABIGAIL, VOLTAIRE, aspects=[{"name": "Strange Luck"}])
    school.move("compel", who=["Abigail", "Voltaire"], aspect="Strange Luck", by="Reth", accepted=True)
    assert school.points("Reth", "Abigail", "Voltaire") == [1, 4, 4]
    school.move("compel", who="Voltaire", aspect="Strange Luck", by="Reth", accepted=False)
    assert school.points("Reth", "Voltaire") == [1, 3]


def test_the_gms_points_are_one_a_pc_and_what_npcs_bring() -> None:
    """ "How Many Fate Points Does the GM Get?": nothing is left over; a compel pays now, giving in next scene."""
    start = evening(RETH, ABIGAIL, STENDAHL, BULLY, gm_fate_points=5).move("scene", summary="The yard.")
    assert start.points("GM") == [2]
    start.move("compel", who="Bully", aspect="Cowardly Without Backup", by="Reth", accepted=True).move("conflict")
    assert start.points("GM", "Reth") == [3, 2]
    monocle: Json = {"consequences": [hurt("mild", "Broken Monocle")]}
    start.move("hit", who="Von Stendahl", shifts=2, absorb=monocle).move("concede", who="Von Stendahl")
    assert (start.points("GM"), start.owed("GM")) == ([3], [2])
    start.move("end_conflict").move("scene", summary="The roof.", people=["Reth"])
    assert (start.points("GM"), start.owed("GM")) == ([3], [0]), "one PC is there"


@pytest.mark.parametrize(("level", "kept"), [("minor", {"Blinded"}), ("significant", set()), ("major", set())])
def test_milestones_clear_what_has_been_there_two_sessions(level: str, kept: set[str]) -> None:
    """ "Minor Milestones", "Significant Milestones", "Major Milestones": moderate; severe too; as those below."""
    bears = [hurt("moderate", "Cracked Ribs", recovering=1), hurt("severe", "Blinded", recovering=1)]
    grown = evening(RETH | {"consequences": bears}, ABIGAIL | {"consequences": bears[:1]})
    assert {*grown.move("milestone", level=level, who="Reth").wounds("Reth")} == kept
    assert {*grown.wounds("Abigail")} == {"Cracked Ribs"}
    assert grown.move("milestone", level=level).wounds("Abigail") == {}, "nobody named is everybody"


def test_milestones_leave_what_was_taken_in_this_session() -> None:
    """ "Minor Milestones": a moderate consequence must have been around for two sessions."""
    fresh = hurt_in_a_fight("moderate").move("end_scene").move("milestone", level="minor")
    assert {*fresh.wounds("Reth")} == {"Painful Broken Leg"}
