"""What each move refuses: by which code, at which field, and what would have been right; nothing is written then."""

import copy
from collections import Counter
from typing import Any, NamedTuple

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from narrator.rules.moves.all_moves import MOVES
from tests.evenings.table import hurt, npc, pc
from tests.test_allowed import wrong_words

TABLE: Json = {
    "characters": [
        pc("Ann", 1, aspects=["Proud"], consequences=[hurt("mild", "Cut"), hurt("moderate", "Limp", recovering=1)]),
        pc("Bob", 0),
        npc("Orc"),
        npc("Rat", "nameless", taken_out=True),
    ],
    "away": [pc("Cat", 1)],
    "zones": [{"name": "Ford"}, {"name": "Gate", "aspects": ["Narrow"]}],
    "aspects": [
        {"name": "Fog", "free_invocations": {"Ann": 1}},
        {"name": "Pinned", "on": "Orc"},
        {"name": "Spark", "boost": True, "free_invocations": {"Ann": 1}},
    ],
    "gm_fate_points": 0,
    "clocks": [{"name": "Doom", "boxes": 4}],
}
"""A scene of no frame; Rat is out, and Cat is away."""

RACE: Json = {"frame": "contest", "contest": {"sides": {"We": ["Ann"], "They": ["Orc"]}}}
WON: Json = {"frame": "contest", "contest": {**RACE["contest"], "victories": {"We": 3}, "winner": "We"}}
FIGHT: Json = {"frame": "conflict", "conflict": {"order": ["Ann", "Bob", "Orc", "Rat"], "turn": "Ann"}}
LOOSE: Json = {"frame": "conflict", "conflict": {"turn": "Ann", "acted": ["Bob"]}}
RITUAL: Json = {"frame": "challenge", "challenge": {"tasks": [{"name": "Sing"}]}}
SIDES: Json = {"We": ["Ann"], "They": ["Orc"]}
CLERK: Json = {"slot": "serious_cost", "kind": "serious_cost", "name": "The Clerk", "detail": "He.", "source": "given"}


class Case(NamedTuple):
    """A move that is refused."""

    type: str
    why: str
    move: Json
    field: str
    code: str = "bad_request"
    scene: Json = {}
    ruleset: str = "fate-core"


NOBODY = "unknown_character"
CASES = [
    Case("enter", "nobody told", {}, "character"),
    Case("enter", "not away", {"who": "Ann"}, "who", NOBODY),
    Case("enter", "a name twice", {"character": npc("Orc")}, "character.name"),
    Case("enter", "the name of one away", {"character": npc("Cat")}, "character.name"),
    Case("enter", "no such zone", {"character": npc("Elf", zone="Moor")}, "character.zone", "unknown_zone"),
    Case("enter", "no new opposition", {"suggestion": {**CLERK, "form": "loss"}}, "suggestion.form"),
    Case("leave", "nobody", {"who": "Orcc"}, "who", NOBODY),
    Case("leave", "away already", {"who": "Cat"}, "who", NOBODY),
    Case("change", "nothing", {"set": {}}, "set"),
    Case("change", "both", {"who": "Ann", "zone": "Ford", "set": {"name": "X"}}, "zone"),
    Case("change", "no such zone", {"zone": "Moor", "set": {"name": "X"}}, "zone", "unknown_zone"),
    Case("change", "nobody", {"who": "Zed", "set": {"name": "X"}}, "who", NOBODY),
    Case("change", "of another move", {"set": {"characters": []}}, "set.characters"),
    Case("change", "no such field", {"zone": "Ford", "set": {"side": "x"}}, "set.side"),
    Case("change", "a name twice", {"who": "Ann", "set": {"name": "Cat"}}, "set.name"),
    Case("change", "a wrong value", {"who": "Ann", "set": {"fate_points": -1}}, "set.fate_points"),
    Case("aspect", "in play already", {"name": "Fog"}, "name"),
    Case("aspect", "on nobody", {"name": "Wet", "on": "Zed"}, "on", NOBODY),
    Case("aspect", "held by nobody", {"name": "Wet", "free_invocations": {"Zed": 1}}, "free_invocations.Zed", NOBODY),
    Case("drop", "not listed", {"name": "Fogg"}, "name", "unknown_aspect"),
    Case("drop", "only on a sheet", {"name": "Proud"}, "name", "unknown_aspect"),
    Case("drop", "on another", {"name": "Fog", "on": "Orc"}, "on", "unknown_aspect"),
    Case("pass", "from nobody", {"aspect": "Fog", "from": "Zed", "to": "Bob"}, "from", NOBODY),
    Case("pass", "to nobody", {"aspect": "Fog", "from": "Ann", "to": "Cat"}, "to", NOBODY),
    Case("pass", "none held", {"aspect": "Fog", "from": "Bob", "to": "Orc"}, "from", "no_free_invocation"),
    Case("pass", "too few", {"aspect": "Fog", "from": "Ann", "to": "*", "number": 2}, "number", "no_free_invocation"),
    Case("pass", "not listed", {"aspect": "Narrow", "from": "Ann", "to": "*"}, "aspect", "unknown_aspect"),
    Case("compel", "nobody", {"who": "Cat", "aspect": "Fog", "accepted": True}, "who.0", NOBODY),
    Case("compel", "one twice", {"who": ["Ann", "Ann"], "aspect": "Fog", "accepted": True}, "who.1"),
    Case("compel", "not in play", {"who": "Ann", "aspect": "Fogg", "accepted": True}, "aspect", "unknown_aspect"),
    Case("compel", "a boost", {"who": "Ann", "aspect": "Spark", "accepted": True}, "aspect"),
    Case("compel", "oneself", {"who": "Ann", "aspect": "Proud", "by": "Ann", "accepted": False}, "accepted"),
    Case("compel", "refused for nothing", {"who": "Bob", "aspect": "Fog", "accepted": False}, "who", "no_fate_point"),
    Case(
        "compel",
        "one point for two",
        {"who": ["Bob", "Orc"], "aspect": "Fog", "by": "Ann", "accepted": True},
        "by",
        "no_fate_point",
    ),
    Case("pay", "nothing", {"who": "Ann", "points": 0}, "points"),
    Case("pay", "too much", {"who": "Ann", "points": -2}, "who", "no_fate_point"),
    Case("pay", "an empty pool", {"who": "GM", "points": -1}, "who", "no_fate_point"),
    Case("pay", "nobody", {"who": "Zed", "points": 1}, "who", NOBODY),
    Case("hit", "who is out", {"who": "Rat", "shifts": 1}, "who"),
    Case("hit", "by nobody", {"who": "Ann", "shifts": 1, "by": "Zed", "absorb": {"stress": 1}}, "by", NOBODY),
    Case("hit", "no such track", {"who": "Ann", "shifts": 1, "track": "luck", "taken_out": True}, "track"),
    Case("hit", "no such way", {"who": "Ann", "shifts": 9, "absorb": {"stress": 1}}, "absorb", "bad_choice"),
    Case("hit", "no answer", {"who": "Ann", "shifts": 1}, "absorb", "bad_choice"),
    Case("concede", "no conflict", {"who": "Ann"}, "type", "not_in_frame"),
    Case("concede", "who is out", {"who": "Rat"}, "who", scene=FIGHT),
    Case("concede", "who is away", {"who": "Cat"}, "who", NOBODY, scene=FIGHT),
    Case("recover", "no such one", {"who": "Ann", "consequence": "Cutt"}, "consequence", "unknown_aspect"),
    Case("recover", "twice", {"who": "Ann", "consequence": "moderate"}, "consequence"),
    Case(
        "recover",
        "by itself",
        {"who": "Ann", "consequence": "Cut"},
        "type",
        "unsupported_action",
        ruleset="fate-accelerated",
    ),
    Case("clear", "neither", {"who": "Ann"}, "track"),
    Case("clear", "both", {"who": "Ann", "track": "physical", "consequence": "Cut"}, "consequence"),
    Case("clear", "a free level", {"who": "Ann", "consequence": "severe"}, "consequence", "unknown_aspect"),
    Case("clear", "nothing marked", {"who": "Ann", "track": "physical"}, "track"),
    Case("clock", "no boxes", {"name": "Dawn"}, "boxes"),
    Case("clock", "boxes of none", {"name": "Doom", "boxes": 0}, "boxes"),
    Case("contest", "one side", {"sides": {"We": ["Ann"]}}, "sides"),
    Case("contest", "on two sides", {"sides": {"We": ["Ann"], "They": ["Ann"]}}, "sides.They"),
    Case("contest", "nobody", {"sides": {"We": ["Ann"], "They": ["Zed"]}}, "sides.They.0", NOBODY),
    Case("contest", "too long", {"sides": SIDES, "to": 6}, "to", ruleset="fate-condensed"),
    Case("contest", "a conflict goes on", {"sides": SIDES}, "type", scene=FIGHT),
    Case("exchange", "no contest", {"totals": {}}, "type", "not_in_frame"),
    Case("exchange", "won", {"totals": {"We": 1, "They": 0}}, "type", "not_in_frame", WON),
    Case("exchange", "neither", {}, "totals", scene=RACE),
    Case("exchange", "both", {"totals": {"We": 1, "They": 0}, "shifts": {}}, "shifts", scene=RACE),
    Case("exchange", "a side short", {"shifts": {"We": 1}}, "shifts", scene=RACE),
    Case("exchange", "no such side", {"totals": {"We": 1, "Them": 0}}, "totals.Them", scene=RACE),
    Case("challenge", "no task", {"tasks": []}, "tasks"),
    Case("challenge", "a task twice", {"tasks": [{"name": "Sing"}]}, "tasks.0.name", scene=RITUAL),
    Case("challenge", "no outcome", {"tasks": [{"name": "Hum", "outcome": "won"}]}, "tasks.0.outcome"),
    Case("challenge", "the scene is over", {"tasks": [{"name": "Hum"}]}, "type", scene={"ended": "scene"}),
    Case("task", "no challenge", {"name": "Sing", "outcome": "tie"}, "type", "not_in_frame"),
    Case("task", "no such task", {"name": "Sign", "outcome": "tie"}, "name", scene=RITUAL),
    Case("task", "no outcome", {"name": "Sing", "outcome": "won"}, "outcome", scene=RITUAL),
    Case("conflict", "both", {"kind": "mental", "order": ["Ann", "Bob", "Orc"]}, "order"),
    Case("conflict", "one is missing", {"order": ["Ann", "Orc"]}, "order"),
    Case("conflict", "who is out", {"order": ["Ann", "Bob", "Orc", "Rat"]}, "order.3"),
    Case("conflict", "one goes on", {}, "type", scene=FIGHT),
    Case("conflict", "the session is over", {}, "type", scene={"ended": "session"}),
    Case("turn", "no conflict", {}, "type", "not_in_frame"),
    Case("turn", "not the next", {"who": "Orc"}, "who", scene=FIGHT),
    Case("turn", "nobody said", {}, "who", scene=LOOSE, ruleset="fate-condensed"),
    Case("turn", "has acted", {"who": "Bob"}, "who", scene=LOOSE, ruleset="fate-condensed"),
    Case("turn", "nobody", {"who": "Zed"}, "who", NOBODY, FIGHT),
    Case("end_conflict", "no conflict", {}, "type", "not_in_frame"),
    Case("end_conflict", "into what is none", {"then": "conflict"}, "then", scene=FIGHT),
    Case("end_scene", "over", {}, "type", scene={"ended": "scene"}),
    Case("end_scene", "no such aspect", {"keep": ["Fog", "Mist"]}, "keep.1", "unknown_aspect"),
    Case("end_scene", "a boost", {"keep": ["Spark"]}, "keep.0", ruleset="fate-condensed"),
    Case("scene", "nobody", {"people": ["Ann", "Zed"]}, "people.1", NOBODY),
    Case("scene", "one twice", {"people": ["Ann", "Ann"]}, "people.1"),
    Case("scene", "on nobody", {"people": ["Ann"], "aspects": [{"name": "Wet", "on": "Orc"}]}, "aspects.0.on", NOBODY),
    Case("end_session", "over", {}, "type", scene={"ended": "session"}),
    Case("end_session", "a longer one is over", {}, "type", scene={"ended": "scenario"}),
    Case("end_scenario", "over", {}, "type", scene={"ended": "scenario"}),
    Case("end_scenario", "a field of none", {"rest": True}, "rest"),
    Case("milestone", "no such one", {"level": "epic"}, "level"),
    Case("milestone", "not there", {"level": "significant"}, "level", ruleset="fate-condensed"),
    Case("milestone", "nobody", {"level": "minor", "who": ["Cat", "Zed"]}, "who.1", NOBODY),
]


def refusal(scene: Json, move: Json, ruleset: str) -> Json:
    """The error that a move is refused with; empty where it is taken."""
    try:
        narrator.move(scene, move, ruleset)
    except NarratorError as error:
        return dict(error.as_json()["error"])
    return {}


def instead(move: Json, path: str, value: str) -> Json:
    """The same move with another value at a field of it, or another name for a field that there is none of."""
    told = copy.deepcopy(move)
    *above, last = path.split(".")
    part: Any = told
    for key in above:
        part = part[int(key)] if isinstance(part, list) else part.get(key)
    if isinstance(part, str):  # one name, told in place of a list
        return {**told, above[0]: value}
    if isinstance(part, list):
        part[int(last)] = value
    elif path.startswith(("set.", "totals.", "free_invocations.", "rest")):
        part[value] = part.pop(last)
    else:
        part[last] = value
    return told


@pytest.mark.parametrize("case", CASES, ids=[f"{each.type}: {each.why}" for each in CASES])
def test_a_move_that_cannot_be_made_is_refused(case: Case) -> None:
    """By its code and field; what is allowed there instead is not refused like it; the scene is as it was."""
    scene, move = {**TABLE, **case.scene}, {"type": case.type, **case.move}
    before = copy.deepcopy(scene)

    error = refusal(scene, move, case.ruleset)

    assert (error.get("code"), error.get("field")) == (case.code, f"request.move.{case.field}"), error
    assert error["message"]
    assert scene == before
    for allowed in error.get("allowed", ()):
        if case.field == "type":
            assert allowed in MOVES
        else:
            again = refusal(scene, instead(move, case.field, allowed), case.ruleset)
            same = (again.get("code"), again.get("field")) == (error["code"], error["field"])
            assert not (same and "twice" not in again["message"]), f"{allowed} is not taken, either: {again}"
            # Another field of `set` may well want another value.
            assert case.field.startswith("set.") or "must be" not in again.get("message", ""), (
                f"{allowed} is nothing that may stand there"
            )


def test_each_move_is_refused_here() -> None:
    """Each type in two ways at least."""
    number = Counter(each.type for each in CASES)
    assert not {*number} - {*MOVES}
    few = [type_ for type_ in MOVES if number[type_] < 2]
    assert few == [], f"CASES of this file wants two refusals of {', '.join(few)}"


@pytest.mark.parametrize(
    ("scene", "move", "field"),
    [
        ({"characters": [{"name": "Ann"}]}, {"type": "end_scene"}, "scene.characters.0.side"),
        (TABLE, {"type": "dance"}, "move"),
        (TABLE, {"who": "Ann"}, "move"),
    ],
    ids=["the scene is none", "no such move", "no type"],
)
def test_what_is_no_scene_or_no_move_is_refused(scene: Json, move: Json, field: str) -> None:
    """As a bad request, at the part that is wrong."""
    error = refusal(scene, move, "fate-core")
    assert (error["code"], error["field"].startswith(f"request.{field}")) == ("bad_request", True)


def test_a_move_that_is_made_leaves_the_scene_alone() -> None:
    """The next scene is another one: what was handed in is as it was, and so is what other moves made of it."""
    before = copy.deepcopy(TABLE)
    narrator.move(TABLE, {"type": "end_scenario"}, "fate-core")
    assert before == TABLE


@pytest.mark.parametrize(
    ("scene", "move"),
    [
        pytest.param(scene, move, id=why)
        for why, scene, move in (
            ("the giver", {}, {"type": "pass", "aspect": "Fog", "from": "Ann", "to": "Zed"}),
            ("a boost", {}, {"type": "compel", "who": "Ann", "aspect": "Zeal", "accepted": True}),
            ("who is out", FIGHT, {"type": "concede", "who": "Zed"}),
            ("what recovers already", {}, {"type": "recover", "who": "Ann", "consequence": "Zit"}),
            ("whose turn it is not", FIGHT, {"type": "turn", "who": "Zed"}),
        )
    ],
)
def test_what_is_allowed_is_not_refused_at_the_next_look(scene: Json, move: Json) -> None:
    """Whatever `allowed` names would be taken as it stands, in the place of what is refused."""
    payload = {"call": "move", "request": {"scene": {**TABLE, **scene}, "move": move, "ruleset": "fate-core"}}
    assert wrong_words(payload) == [], "take these out of `allowed`"
