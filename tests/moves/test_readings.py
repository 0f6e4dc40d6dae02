"""What moves do where documents leave it open: the contract's readings by their numbers, told as changes."""

from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.evenings.table import Evening, hurt, npc, pc

Told = tuple[str, str | None, str | None, Any, Any]


def begun(ruleset: str = "fate-core", **scene: Any) -> Evening:
    """Ann, Bob and an orc; Cat is away."""
    people = [pc("Ann", aspects=["Proud"]), pc("Bob"), npc("Orc", skills={"Notice": 2})]
    return Evening(ruleset, *people, **{"away": [pc("Cat", 1)], **scene})


def told(evening: Evening) -> list[Told]:
    """What the last thing said changed, but for its words."""
    return [tuple(made.get(key) for key in ("type", "who", "on", "before", "after")) for made in evening.changes]  # type: ignore[misc]


RACE: Json = {"frame": "contest", "contest": {"sides": {"We": ["Ann"], "They": ["Orc"]}, "victories": {"We": 1}}}
FIGHT: Json = {"frame": "conflict", "conflict": {"order": ["Orc", "Ann", "Bob"], "turn": "Orc"}}
LOOSE: Json = {"frame": "conflict", "conflict": {"turn": "Ann", "acted": ["Bob"]}}
DOOM: Json = {"name": "Doom", "boxes": 2, "ticked": 1}
FULL: Json = {**DOOM, "ticked": 2}


@pytest.mark.parametrize(
    ("scene", "move", "changes"),
    [
        pytest.param(
            {"gm_fate_points": 2}, {"move": "pay", "who": "Orc", "points": -1}, [("fate_points", "GM", None, 2, 1)],
            id="2: the GM's people pay out of the pool",
        ),
        pytest.param({}, {"move": "pay", "who": "GM", "points": 1}, [], id="2: a pool that is not counted"),
        pytest.param(
            {"aspects": [{"name": "Proud", "on": "Ann", "free_invocations": {"Orc": 2}}]},
            {"move": "drop", "name": "Proud"}, [("free_invocations", "Orc", "Proud", 2, 0)],
            id="1: an entry for one's own aspect tells its free invocations alone",
        ),
        pytest.param(
            FIGHT, {"move": "turn"}, [("turn", None, None, "Orc", "Ann")], id="11: the next in the order",
        ),
        pytest.param(
            {"frame": "conflict", "conflict": {"order": ["Ann", "Gone", "Bob", "Orc"], "turn": "Ann"}},
            {"move": "turn"}, [("turn", None, None, "Ann", "Bob")], id="11: who left is skipped",
        ),
        pytest.param(
            {"frame": "conflict", "conflict": {"order": ["Ann", "Bob"], "turn": "Bob", "acted": ["Ann"]}},
            {"move": "turn"}, [("exchange", None, "conflict", 1, 2), ("turn", None, None, "Bob", "Ann")],
            id="11: past the last the exchange rises",
        ),
        pytest.param(
            LOOSE, {"move": "turn", "who": "Orc"}, [("turn", None, None, "Ann", "Orc")], id="11: who is said",
        ),
        pytest.param(
            RACE, {"move": "exchange", "totals": {"We": None, "They": None}},
            [("exchange", None, "contest", {"We": 1}, {"We": 1})], id="13: nobody rolled",
        ),
        pytest.param(
            RACE, {"move": "exchange", "totals": {"We": 9, "They": None}},
            [("exchange", None, "contest", {"We": 1}, {"We": 2})], id="13: one side alone marks one",
        ),
        pytest.param(
            RACE, {"move": "exchange", "shifts": {"We": 3, "They": None}},
            [("exchange", None, "contest", {"We": 1}, {"We": 3}), ("won", None, None, None, "We")],
            id="13: one side alone by three shifts marks two",
        ),
        pytest.param(
            RACE, {"move": "exchange", "shifts": {"We": -3, "They": -1}},
            [("exchange", None, "contest", {"We": 1}, {"We": 1, "They": 1})], id="13: below nothing one may win",
        ),
        pytest.param(
            RACE, {"move": "exchange", "totals": {"We": 2, "They": 2}},
            [("exchange", None, "contest", {"We": 1}, {"We": 1}), ("twist", None, "contest", None, None)],
            id="13: a tie is a twist",
        ),
        pytest.param(
            {}, {"move": "clock", "name": "Doom", "boxes": 2},
            [("clock", None, "Doom", None, {"name": "Doom", "boxes": 2, "ticked": 0, "secret": False})], id="18: made",
        ),
        pytest.param(
            {"clocks": [DOOM]}, {"move": "clock", "name": "Doom", "tick": 9},
            [("clock", None, "Doom", {**DOOM, "secret": False}, {**FULL, "secret": False})], id="18: never over full",
        ),
        pytest.param(
            {"clocks": [FULL]}, {"move": "clock", "name": "Doom"},
            [("clock", None, "Doom", {**FULL, "secret": False}, None)], id="18: full and ticked again it goes",
        ),
        pytest.param({"clocks": [FULL]}, {"move": "clock", "name": "Doom", "tick": 0}, [], id="18: nothing ticked"),
        pytest.param(
            {}, {"move": "change", "who": "Cat", "set": {"refresh": 2}}, [("field", "Cat", "refresh", 3, 2)],
            id="6, 19: of somebody away",
        ),
        pytest.param(
            {}, {"move": "change", "set": {"tone": "grim"}}, [("field", None, "tone", None, "grim")],
            id="19: a field of the scene",
        ),
        pytest.param(
            {}, {"move": "change", "set": {"gm_fate_points": 3}}, [("field", None, "gm_fate_points", None, 3)],
            id="19: all but a name is a field",
        ),
        pytest.param(
            {"zones": [{"name": "Ford"}]}, {"move": "change", "zone": "Ford", "set": {"aspects": ["Wet"]}},
            [("field", "Ford", "aspects", None, ["Wet"])], id="19: of a zone",
        ),
        pytest.param(
            {}, {"move": "end_session", "scene": False}, [("fate_points", "Cat", None, 1, 3)], id="3: a cliffhanger",
        ),
    ],
)  # fmt: skip
def test_changes_are_told_each_once(scene: Json, move: Json, changes: list[Told]) -> None:
    """Whom each concerns, what of theirs, what it was and is; and nothing else."""
    move = dict(move)

    def without_empty(made: Told) -> Told:
        return (*made[:3], made[3] or None, made[4] or None)

    found = told(begun(**scene).move(move.pop("move"), **move))
    assert [without_empty(each) for each in found] == [without_empty(each) for each in changes]


def test_2_bills_on_one_purse_are_summed() -> None:
    """Two of the GM's people refuse: one point is too few, whatever else comes in; two are enough."""
    compel: Json = {"who": ["Orc", "Rat"], "aspect": "Fog", "accepted": False}
    evening = begun(gm_fate_points=1, aspects=[{"name": "Fog"}]).move("enter", character=npc("Rat", "nameless"))
    assert evening.refusal("compel", **compel) == "no_fate_point"
    assert evening.move("pay", who="GM", points=1).move("compel", **compel).points("GM") == [0]


def test_3_a_cliffhanger_goes_on() -> None:
    """The session ends; scene, frame and trackers do not, and nothing is ended."""
    scene = begun(**FIGHT, aspects=[{"name": "Fog"}]).move("end_session", scene=False).scene
    assert (scene["frame"], scene["aspects"][0]["name"], scene.get("ended")) == ("conflict", "Fog", None)


def test_3_an_end_is_named_until_another_scene() -> None:
    """The scene, then the session, then the scenario; each longer than the one before, and none twice."""
    evening = begun()
    for end in ("scene", "session", "scenario"):
        assert evening.move(f"end_{end}").scene["ended"] == end
        assert evening.refusal(f"end_{end}") == "bad_request"
    assert evening.refusal("end_session") == "bad_request"
    assert evening.move("scene").scene.get("ended") is None


@pytest.mark.parametrize(("severity", "shifts", "left"), [("mild", 2, 1), ("moderate", 4, 2), ("severe", 6, 1)])
def test_4_a_hit_writes_what_recovers(severity: str, shifts: int, left: int) -> None:
    """In Accelerated, with the hit; and `taken_here` where there is a conflict."""
    absorb = {"consequences": [hurt(severity, "Ouch")]}
    fight = begun("fate-accelerated").move("conflict").attack("Orc", "Ann", shifts, absorb=absorb)
    taken = next(each for each in fight.who("Ann")["consequences"] if each.get("name"))
    assert (taken["recovering"], taken["taken_here"]) == (left, True)
    assert not begun().attack("Orc", "Ann", shifts, absorb=absorb).who("Ann")["consequences"][0].get("taken_here")


def test_11_who_enters_is_last_and_who_conceded_is_skipped() -> None:
    """A conflict that runs keeps its order."""
    evening = begun(**FIGHT).move("enter", who="Cat").move("concede", who="Ann")
    assert evening.scene["conflict"]["order"] == ["Orc", "Ann", "Bob", "Cat"]
    assert evening.move("turn").scene["conflict"]["turn"] == "Bob"
    order = narrator.turn_order(evening.scene, "Notice")
    assert "Ann" not in str(order)


def test_12_a_frame_replaces_one_that_runs() -> None:
    """A contest goes, a conflict is ended first, and in a scene that is over there is none."""
    evening = begun(**RACE).move("challenge", tasks=[{"name": "Sing"}])
    assert (evening.scene["frame"], evening.scene.get("contest")) == ("challenge", None)
    assert begun(**FIGHT).refusal("challenge", tasks=[{"name": "Sing"}]) == "bad_request"
    assert begun(ended="scene").refusal("conflict") == "bad_request"


def test_14_a_hit_without_by_gives_nobody_anything() -> None:
    """And `taken_here` is written in a conflict only."""
    evening = begun().move("hit", who="Ann", shifts=2, absorb={"consequences": [hurt("mild", "Burnt")]})
    assert (told(evening), evening.aspects()) == ([("consequence", "Ann", "mild", None, "Burnt")], set())
    assert not any(each.get("taken_here") for each in evening.who("Ann")["consequences"])


def test_15_treated_by_its_level_it_is_renamed_wherever_it_stands() -> None:
    """Its free invocations are there under the new name, and one change tells of the name."""
    evening = begun(aspects=[{"name": "Burnt", "on": "Ann", "free_invocations": {"Orc": 1}}])
    evening.scene["characters"][0]["consequences"] = [hurt("mild", "Burnt")]
    evening.move("recover", who="Ann", consequence="mild", by="Bob", name="Salved")
    assert told(evening) == [
        ("renamed", "Ann", "mild", "Burnt", "Salved"),
        ("recovering", "Ann", "mild", None, 2),
    ]
    assert evening.scene["aspects"][0]["name"] == "Salved"
    assert evening.move("clear", who="Ann", consequence="Salved").aspects() == set()


def test_16_another_scene() -> None:
    """Who is told is there, the rest away; no zone that is not there; no aspect on what is not; the pool is counted."""
    aspects = [{"name": "Pinned", "on": "Orc", "lasting": True}, {"name": "Oath", "lasting": True}]
    evening = begun(gm_fate_points=0, gm_carried=2, zones=[{"name": "Ford"}], aspects=aspects, tone="grim")
    evening.move("change", who="Ann", set={"zone": "Ford"})
    scene = evening.move("scene", summary="The hill.", people=["Ann", "Cat"]).scene
    assert [each["name"] for each in scene["characters"]] == ["Ann", "Cat"]
    assert {each["name"] for each in scene["away"]} == {"Bob", "Orc"}
    assert (evening.who("Ann").get("zone"), evening.aspects(), scene["tone"]) == (None, {"Oath"}, "grim")
    assert (scene["gm_fate_points"], scene.get("gm_carried", 0), scene["summary"]) == (4, 0, "The hill.")


def test_17_a_boost_without_holder_is_anybodys() -> None:
    """And is passed whole."""
    evening = begun().move("aspect", name="Opening", boost=True)
    evening.move("pass", aspect="Opening", from_="*", to="GM")
    assert evening.scene["aspects"][0]["free_invocations"] == {"GM": 1}


def test_19_a_name_changes_wherever_it_is_one() -> None:
    """In trackers, holders and bearers; not in prose, nor in the name of a side."""
    evening = begun(
        summary="Ann waits.", aspects=[{"name": "Fog", "on": "Ann", "free_invocations": {"Ann": 1}}], **RACE
    )
    evening.scene["contest"]["sides"] = {"Ann": ["Ann"], "They": ["Orc"]}
    evening.scene["contest"]["victories"] = {"Ann": 1}
    scene = evening.move("change", who="Ann", set={"name": "Eva"}).scene
    assert (told(evening), scene["summary"]) == ([("renamed", "Eva", None, "Ann", "Eva")], "Ann waits.")
    assert (scene["aspects"][0]["on"], scene["aspects"][0]["free_invocations"]) == ("Eva", {"Eva": 1})
    assert (scene["contest"]["sides"], scene["contest"]["victories"]) == ({"Ann": ["Eva"], "They": ["Orc"]}, {"Ann": 1})


@pytest.mark.parametrize(("quality", "rating", "boxes"), [("average", 1, 0), ("fair", 2, 1), ("good", 3, 2)])
def test_nameless_by_their_quality(quality: str, rating: int, boxes: int) -> None:
    """Out of an accepted suggestion of a new opposition, which is a fact from then."""
    clerk: Json = {"slot": "serious_cost", "kind": "serious_cost", "form": "new_opposition", "source": "given"}
    clerk |= {"name": "The Clerk", "detail": "He writes."}
    evening = begun().move("enter", suggestion=clerk, nameless=quality, skills=["Will"])
    who = evening.who("The Clerk")
    assert (who["side"], who["importance"], who["skills"]) == ("opposition", "nameless", {"Will": rating})
    assert [len(track["boxes"]) for track in who.get("stress", {}).values()] == [boxes] * (2 if boxes else 0)
    assert evening.scene["facts"] == ["The Clerk: He writes."]


def test_who_is_away_or_gave_in_is_in_no_roll() -> None:
    """And the refusal says of who is away that they are."""
    act: Json = {"type": "overcome", "actor": "Cat", "opposition": {"kind": "passive", "rating": 0}}
    with pytest.raises(NarratorError, match="away") as caught:
        begun().roll({"branch": "succeed"}, **act, roll={"total": 1})
    assert caught.value.code == "unknown_character"
    with pytest.raises(NarratorError) as caught:
        begun(**FIGHT).move("concede", who="Ann").roll({}, **{**act, "actor": "Ann"}, roll={"total": 1})
    assert caught.value.code == "bad_request"


def test_a_roll_reminds_of_whose_turn_it_is() -> None:
    """It is resolved all the same."""
    act: Json = {
        "type": "overcome",
        "actor": "Bob",
        "opposition": {"kind": "passive", "rating": 0},
        "roll": {"total": 1},
    }
    found = narrator.resolve({"ruleset": "fate-core", "scene": begun(**FIGHT).scene, "action": act})
    assert any("Orc" in notice for notice in found.notices)


def test_who_conceded_is_out_of_the_conflict_and_no_longer() -> None:
    """ "Conceding the Conflict": they act again in a scene that goes on, and are gone with one that ends by it."""
    fight = begun(**FIGHT).move("concede", who="Orc").move("concede", who="Ann")
    assert fight.refusal("concede", who="Ann") == "bad_request"
    fight.move("end_conflict")
    assert [fight.who(each)["conceded"] for each in ("Ann", "Orc")] == [False, False]

    ended = begun(**FIGHT).move("concede", who="Orc").move("end_scene")
    assert [each["name"] for each in ended.scene["away"]] == ["Cat", "Orc"]


def test_a_fate_point_is_told_with_what_it_was_for() -> None:
    """A channel reads why somebody has one more."""
    paid = begun().move("pay", who="Ann", points=1, why="The best line tonight.")
    assert paid.changes[0]["text"] == "Ann: fate points 3 to 4 (The best line tonight.)"
    assert "Proud" in begun().move("compel", who="Ann", aspect="Proud", accepted=False).changes[0]["text"]


@pytest.mark.parametrize(
    ("move", "fields"),
    [
        ("scene", {"zones": [{"name": "Loft"}, {"name": "Loft"}]}),
        ("change", {"who": "Ann", "set": {"consequences": [{"severity": "huge", "name": "Gone"}]}}),
        ("change", {"set": {"clocks": [DOOM, DOOM]}}),
    ],
)
def test_what_could_not_be_read_again_is_refused(move: str, fields: Json) -> None:
    """Nobody is left with a scene that no call takes."""
    assert begun().refusal(move, **fields) == "bad_request"


def test_somebody_new_wants_no_more_than_a_name() -> None:
    """They are of the opposition's side, and nameless."""
    told = begun().move("enter", name="Wenna", nameless="good").who("Wenna")
    assert (told["side"], told["importance"], set(told["skills"].values())) == ("opposition", "nameless", {3})


def test_a_page_of_another_revision_is_told_so_first() -> None:
    """Whatever else is wrong with it by now: somebody settled something meanwhile."""
    action = {"type": "attack", "actor": "Ann", "target": "Orc", "roll": {"total": 3}, "opposition": {"kind": "defend"}}
    scene = {**begun().scene, "revision": 2}
    scene["characters"] = [{**each, "taken_out": each["name"] == "Orc"} for each in scene["characters"]]
    with pytest.raises(NarratorError) as refused:
        narrator.settle({"scene": scene, "action": action}, {"branch": "hit"}, expect_revision=1)
    assert refused.value.code == "stale_scene"


def test_an_ally_s_aspect_owes_nobody_anything() -> None:
    """A fate point is owed to another side's bearer alone: nobody was harmed by it."""
    friends = begun()
    friends.roll(
        {"branch": "succeed"},
        type="overcome",
        actor="Bob",
        roll={"total": 0},
        opposition={"kind": "passive", "rating": 0},
        invocations=[{"aspect": "Proud", "pay": "fate_point"}],
    )
    assert (friends.points("Ann", "Bob"), friends.owed("Ann")) == ([3, 2], [0])


def test_what_the_gm_carries_is_told() -> None:
    """One of the GM's people who concedes brings the next scene a fate point."""
    fight = begun(**FIGHT, gm_fate_points=2).move("concede", who="Orc")
    assert ("owed", "GM", None, 0, 1) in told(fight)
