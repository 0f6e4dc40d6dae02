"""What stands in the scene once a move was made: the contract's readings by their numbers, a point each."""

from typing import Any

import pytest

from narrator.rules.json_text import Json
from tests.evenings.table import Evening, hurt, npc, pc

MARKED: Json = {"stress": {"physical": {"boxes": [1, 2], "marked": [1]}}}
FIGHT: Json = {"frame": "conflict", "conflict": {"order": ["Orc", "Ann", "Bob"], "turn": "Orc"}}
RACE: Json = {"frame": "contest", "contest": {"sides": {"We": ["Ann"], "They": ["Orc"]}}}
RITUAL: Json = {"frame": "challenge", "challenge": {"tasks": [{"name": "Sing"}, {"name": "Hum", "outcome": "tie"}]}}
FOG: Json = {"aspects": [{"name": "Fog"}], "gm_fate_points": 2}
FORDS: Json = {"zones": [{"name": "Ford", "adjacent": ["Gate"], "aspects": ["Wet"]}, {"name": "Gate"}]}
CORE, CONDENSED, ACCELERATED, WAR = "fate-core", "fate-condensed", "fate-accelerated", "war-of-ashes"
COMPEL: Json = {"move": "compel", "aspect": "Fog", "accepted": True}
FIRE: Json = {"move": "hit", "who": "Ann", "shifts": 2}
CUT, LIMP, GASH = (hurt(*each) for each in (("mild", "Cut"), ("moderate", "Limp"), ("severe", "Gash")))


def worn(*levels: Json) -> Json:
    return {"consequences": [*levels]}


Case = tuple[str, str, Json, Json, Json, Json]
CASES: list[Case] = [
    # reading, ruleset, what Ann and Cat (who is away) have, what the scene has, the move, what is so then
    ("2: carried is 0 where left out", CORE, {}, {**FIGHT, **FOG}, {"move": "concede", "who": "Orc"},
     {"gm_carried": 1}),
    ("2: an uncounted pool takes nothing", CORE, {}, FIGHT, {"move": "concede", "who": "Orc"}, {"gm_carried": None}),
    ("2: not counted, carried stays", CORE, {}, {"gm_carried": 2}, {"move": "scene"},
     {"gm_carried": 2, "gm_fate_points": None}),
    ("3: a scenario is no second session", CONDENSED, {"fate_points": 1}, {"ended": "session"},
     {"move": "end_scenario"}, {"Ann.fate_points": 1, "ended": "scenario"}),
    ("3: a scenario is a session too", CONDENSED, {"fate_points": 1}, {}, {"move": "end_scenario"},
     {"Ann.fate_points": 3}),
    ("3: a session ends the scene first", CORE, {}, FOG, {"move": "end_session"}, {"aspects": [], "ended": "session"}),
    ("4: untold is just taken", ACCELERATED, worn(GASH), {}, {"move": "end_scenario"}, {"Ann.wounds": {}}),
    ("4: the next session's end", ACCELERATED, worn(LIMP), {}, {"move": "end_session"}, {"Ann.wounds": {"Limp": 1}}),
    ("4: in no session this one's", ACCELERATED, worn(LIMP), {"ended": "session"}, {"move": "end_scenario"},
     {"Ann.wounds": {"Limp": None}}),
    ("4: a mild one without rest", ACCELERATED, worn(CUT), {}, {"move": "end_scene", "rest": False},
     {"Ann.wounds": {"Cut": None}}),
    ("4: a mild one with rest", ACCELERATED, worn(CUT), {}, {"move": "end_scene"}, {"Ann.wounds": {}}),
    ("4: no end counts Condensed's severe", CONDENSED, worn({**GASH, "recovering": 1}), {}, {"move": "end_scenario"},
     {"Ann.wounds": {"Gash": 1}}),
    ("5: significant starts severe and moderate", CORE, worn(CUT, LIMP, GASH), {},
     {"move": "milestone", "level": "significant"}, {"Ann.wounds": {"Cut": None, "Limp": 2, "Gash": 2},
                                                     "Cat.wounds": {"Cut": None, "Limp": 2, "Gash": 2}}),
    ("5: only who is told", CORE, worn(LIMP), {}, {"move": "milestone", "level": "minor", "who": "Cat"},
     {"Ann.wounds": {"Limp": None}, "Cat.wounds": {"Limp": 2}}),
    ("5: begun in no session it counts once", CORE, worn(LIMP), {"ended": "session"},
     {"move": "milestone", "level": "minor"}, {"Ann.wounds": {"Limp": 1}}),
    ("6: an end for those away", CORE, {**MARKED, "conceded": True, "taken_out": True}, FIGHT, {"move": "end_scene"},
     {"Cat.marked": [], "Cat.conceded": False, "Cat.taken_out": False, "Ann.conceded": False}),
    ("6: pay to one away", CORE, {}, {}, {"move": "pay", "who": "Cat", "points": -1}, {"Cat.fate_points": 2}),
    ("6: recover of one away", CORE, worn(CUT), {}, {"move": "recover", "who": "Cat", "consequence": "Cut"},
     {"Cat.wounds": {"Cut": 2}}),
    ("6: clear of one away", CORE, MARKED, {}, {"move": "clear", "who": "Cat", "track": "physical"},
     {"Cat.marked": [], "Ann.marked": [1]}),
    ("7: it waits for the contest", CORE, {**MARKED, "fate_points_owed": 2}, FIGHT,
     {"move": "end_conflict", "then": "contest"},
     {"frame": "contest", "conflict": None, "Ann.fate_points_owed": 2, "Ann.marked": [1]}),
    ("7: no rest, no relief", CORE, {**MARKED, "fate_points_owed": 2}, FIGHT, {"move": "end_scene", "rest": False},
     {"Ann.marked": [1], "Ann.fate_points": 5, "frame": None, "conflict": None}),
    ("7: Condensed waits for the scene", CONDENSED, {**MARKED, "fate_points_owed": 1}, FIGHT, {"move": "end_conflict"},
     {"Ann.marked": [1], "Ann.fate_points": 4, "Ann.fate_points_owed": 0}),
    ("8: clocks and legend stay, marks go", CORE, {"legend_points": 2, "disarmed": True, "lethal_next_attack": True},
     {**RACE, "clocks": [{"name": "Doom", "boxes": 2}]}, {"move": "end_scene"},
     {"Ann.legend_points": 2, "Ann.disarmed": False, "Ann.lethal_next_attack": False, "contest": None, "frame": None,
      "clocks": [{"name": "Doom", "boxes": 2, "ticked": 0, "secret": False}]}),
    ("9: War of Ashes recovers as Accelerated", WAR, {**worn(CUT), **MARKED}, FIGHT, {"move": "end_conflict"},
     {"Ann.marked": [], "Ann.wounds": {"Cut": None}}),
    ("10: an NPC who compels is the GM", CORE, {}, FOG, {**COMPEL, "who": "Ann", "by": "Orc"},
     {"Ann.fate_points": 4, "gm_fate_points": 2}),
    ("10: one's own", CORE, {}, FOG, {**COMPEL, "who": "Ann", "by": "Ann"}, {"Ann.fate_points": 4}),
    ("10: one for each of others", CORE, {}, FOG, {**COMPEL, "who": ["Ann", "Bob", "Orc"], "by": "Ann"},
     {"Ann.fate_points": 2, "Bob.fate_points": 4, "gm_fate_points": 3}),
    ("10: refused, the proposer paid", CORE, {}, FOG, {**COMPEL, "who": "Bob", "by": "Ann", "accepted": False},
     {"Ann.fate_points": 2, "Bob.fate_points": 2}),
    ("10: refused, Accelerated's offer costs nothing", ACCELERATED, {}, FOG,
     {**COMPEL, "who": "Bob", "by": "Ann", "accepted": False}, {"Ann.fate_points": 3, "Bob.fate_points": 2}),
    ("11: Core's physical is the usual", CORE, {"skills": {"Notice": 1, "Empathy": 4}}, {}, {"move": "conflict"},
     {"conflict": {"order": ["Orc", "Ann", "Bob"], "turn": "Orc", "exchange": 1, "acted": []}, "frame": "conflict"}),
    ("11: mental", CORE, {"skills": {"Notice": 1, "Empathy": 4}}, {}, {"move": "conflict", "kind": "mental"},
     {"conflict": {"order": ["Ann", "Bob", "Orc"], "turn": "Ann", "exchange": 1, "acted": []}}),
    ("11: elective", CONDENSED, {}, {}, {"move": "conflict"}, {"conflict": {"exchange": 1, "acted": []}}),
    ("11: who is out is not listed", CORE, {"taken_out": True}, {}, {"move": "conflict"},
     {"conflict": {"order": ["Orc", "Bob"], "turn": "Orc", "exchange": 1, "acted": []}}),
    ("11: the last names the next exchange's first", CONDENSED, {},
     {"frame": "conflict", "conflict": {"turn": "Ann", "acted": ["Orc", "Bob"]}}, {"move": "turn", "who": "Ann"},
     {"conflict": {"turn": "Ann", "exchange": 2, "acted": []}}),
    ("13: exchanges are counted", CORE, {}, RACE, {"move": "exchange", "totals": {"We": 4, "They": 1}},
     {"contest.exchange": 2, "contest.victories": {"We": 2}, "contest.to": 3}),
    ("13: Core's style, another has it", CORE, {}, RACE, {"move": "exchange", "shifts": {"We": 4, "They": 3}},
     {"contest.victories": {"We": 1}}),
    ("13: Accelerated's style, whatever others have", ACCELERATED, {}, RACE,
     {"move": "exchange", "shifts": {"We": 4, "They": 3}}, {"contest.victories": {"We": 2}}),
    ("14: the only track", ACCELERATED, {"stress": {"will": {"boxes": [1, 2], "marked": []}}}, {},
     {**FIRE, "absorb": {"stress": 2}}, {"Ann.stress": {"will": {"boxes": [1, 2], "marked": [2]}}}),
    ("14: the smallest boxes", CONDENSED, {"stress": {"physical": {"boxes": [2, 1, 1], "marked": []}}}, {},
     {**FIRE, "absorb": {"stress": 2}}, {"Ann.marked": [1, 1]}),
    ("14: whose it is", CORE, {}, {}, {**FIRE, "by": "GM", "absorb": {"consequences": [CUT]}},
     {"invocations": {"Cut on Ann": {"GM": 1}}}),
    ("16: what stays of a scene", CORE, {"aspects": ["Proud"]},
     {**FORDS, "aspects": [{"name": "Fog"}, {"name": "Oath", "lasting": True}, {"name": "Wet", "on": "Ford"},
                           {"name": "Proud", "on": "Ann", "free_invocations": {"Bob": 1}}, {"name": "Mud"}]},
     {"move": "end_scene", "keep": ["Mud"]},
     {"invocations": {"Oath": {}, "Wet on Ford": {}, "Proud on Ann": {"Bob": 1}, "Mud": {}}}),
    ("16: a zone that is not there is none", CORE, {"zone": "Gate"}, FORDS,
     {"move": "scene", "zones": [{"name": "Hill"}], "frame": "challenge", "summary": "Up."},
     {"Ann.zone": None, "frame": "challenge", "summary": "Up.", "ended": None}),
    ("16: War of Ashes' zones begin anew", WAR, {},
     {**FORDS, "aspects": [{"name": "Wet", "on": "Ford", "free_invocations": {"Ann": 2}}]},
     {"move": "scene", "zones": FORDS["zones"]}, {"invocations": {"Wet on Ford": {"*": 1}}}),
    ("17: a boost is passed whole, to the other side too", CORE, {},
     {"aspects": [{"name": "Gap", "boost": True, "free_invocations": {"Ann": 2, "Orc": 1}}]},
     {"move": "pass", "aspect": "Gap", "from": "Ann", "to": "Orc"}, {"invocations": {"Gap": {"Orc": 3}}}),
    ("18: never below nothing", CORE, {}, {"clocks": [{"name": "Doom", "boxes": 2, "ticked": 1}]},
     {"move": "clock", "name": "Doom", "tick": -5},
     {"clocks": [{"name": "Doom", "boxes": 2, "ticked": 0, "secret": False}]}),
    ("18: a full one that grows", CORE, {}, {"clocks": [{"name": "Doom", "boxes": 2, "ticked": 2}]},
     {"move": "clock", "name": "Doom", "boxes": 4},
     {"clocks": [{"name": "Doom", "boxes": 4, "ticked": 3, "secret": False}]}),
    ("18: more tasks", CORE, {}, RITUAL, {"move": "challenge", "tasks": [{"name": "Bow"}]},
     {"tasks": {"Sing": None, "Hum": "tie", "Bow": None}}),
    ("18: noted again", CORE, {}, RITUAL, {"move": "task", "name": "Hum", "outcome": "fail"},
     {"tasks": {"Sing": None, "Hum": "fail"}}),
    ("19: a zone's name wherever it is one", CORE, {"zone": "Gate"}, FORDS,
     {"move": "change", "zone": "Gate", "set": {"name": "Door"}},
     {"Ann.zone": "Door", "Cat.zone": "Door", "zones.0.adjacent": ["Door"], "zones.1.name": "Door"}),
    ("19: the frame, and a default", CORE, {"refresh": 2}, {"tone": "grim"},
     {"move": "change", "set": {"frame": "challenge", "tone": None}}, {"frame": "challenge", "tone": ""}),
]  # fmt: skip


def at(evening: Evening, path: str) -> Any:
    """What stands at a path: `Ann.zone`, `contest.to`, or a view such as `Ann.wounds`."""
    name, *rest = path.split(".")
    if path == "invocations":
        bearers = ((each, f" on {each['on']}" if each.get("on") else "") for each in evening.scene["aspects"])
        return {each["name"] + bearer: each["free_invocations"] for each, bearer in bearers}
    if path == "tasks":
        return {each["name"]: each.get("outcome") for each in evening.scene["challenge"]["tasks"]}
    if rest in (["wounds"], ["marked"]):
        return getattr(evening, rest[0])(name)
    found: Any = evening.who(name) if name in ("Ann", "Bob", "Cat", "Orc") else evening.scene.get(name)
    for part in rest:
        found = found[int(part)] if isinstance(found, list) else found.get(part)
    return found


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_what_stands_then(case: Case) -> None:
    """As the reading has it."""
    _, ruleset, sheet, scene, move, wanted = case
    people = [pc("Ann", **sheet), pc("Bob"), npc("Orc", skills={"Notice": 2})]
    told = {**move}
    evening = Evening(ruleset, *people, away=[pc("Cat", **sheet)], **scene).move(told.pop("move"), **told)
    assert {path: at(evening, path) for path in wanted} == wanted
