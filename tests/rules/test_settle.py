"""Settle: the next scene, every change in it named once, and its revision counted."""

from collections import Counter
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.documents import stress_of
from tests.rules.build import loaded
from tests.rules.test_aftermath import PUSH, choose, discover, roaring, say, scene, strike, turn
from tests.rules.test_apply_properties import LEVELS, Chosen, plays

PLAIN = ("taken_out", "fate_points", "legend_points", "zone", "roar", "owed")
"""Changes of a field of that name."""


def settled(request: Json, choice: Json) -> tuple[Json, list[Json]]:
    """The scene after a choice, and what changed."""
    told = narrator.settle(request, choice).as_json()
    return told["scene"], told["changes"]


SECRET_RUMOUR = """
name = "house"
title = "House"
extends = "five-actions"

[forms.false_information]
kinds = ["serious_cost"]
label = "Not true"
brief = "what was learned is false"
name = "what they take for true"
becomes = "BECOMES"
secret = true
"""


@pytest.mark.parametrize("becomes", ["fact", "aspect", "boost"])
def test_a_change_that_tells_a_secret_says_so(becomes: str, tmp_path: Path) -> None:
    """What a secret's name has become in the scene is marked, in the object and in its text, and nothing else is."""
    house = loaded(tmp_path, SECRET_RUMOUR.replace("BECOMES", becomes))
    fog = {"aspects": [{"name": "Fog", "free_invocations": {"Ann": 1}}], "characters": [{"name": "Ann", "side": "pc"}]}
    request = turn(fog, "house", type="discover", roll={"total": -3}, invocations=[{"aspect": "Fog"}])
    words = {"slot": "serious_cost", "form": "false_information", "name": "The Ferry Is Safe", "detail": "It leaks."}
    told = narrator.settle(request, choose("serious_cost", words), rulesets=[house]).as_json()
    secret = {each["type"]: each["text"] for each in told["changes"] if each.get("secret")}

    assert [each["text"] for each in told["changes"] if not each.get("secret")] == [
        "Ann: no free invocation of Fog is left"
    ]
    assert [*secret] == [becomes]
    assert secret[becomes].startswith("(for the GM alone) New")


# Whatever was asked and chosen.


def before_of(request: Json) -> Json:
    """The scene of a request, with the ruleset's sheet for those who have one and told none."""
    told = narrator.Request.read(request).scene.as_json()
    for somebody in told["characters"]:
        has_one = somebody["importance"] in ("pc", "named")
        stress = stress_of(somebody, request["ruleset"])
        somebody["stress"] = {track: {"marked": [], **boxes} for track, boxes in stress.items()}
        somebody.setdefault(
            "consequences", [{"severity": each, "taken_here": False} for each in LEVELS] if has_one else []
        )
    return told


def enter(here: Json, change: Json) -> None:
    """Write one change into a scene, where what it was before must stand."""
    kind, who, on = change["type"], change.get("who"), change.get("on")
    old, new = change.get("before"), change.get("after")
    assert old != new
    people = {each["name"]: each for each in here["characters"]}
    if kind == "stress":
        assert people[who]["stress"].get(on) == old
        people[who]["stress"][on] = new
    elif kind == "consequence":
        level = next(each for each in people[who]["consequences"] if (each["severity"], each.get("name")) == (on, old))
        put(level, "name", new)
    elif kind in (*PLAIN, "mark"):
        field = on if kind == "mark" else "fate_points_owed" if kind == "owed" else kind
        assert people[who].get(field) == old
        put(people[who], field, new)
    elif kind == "fact":
        here["facts"].append(new)
    elif kind == "free_invocations":
        for each in here["aspects"]:
            # A boost of which nobody is told is for whoever takes it first.
            if each["name"] == on and each["boost"] and not each["free_invocations"]:
                each["free_invocations"]["*"] = 1
        same = [each for each in here["aspects"] if each["name"] == on and each["free_invocations"].get(who, 0) == old]
        same[0]["free_invocations"][who] = new
    elif isinstance(old or new, str):
        bearer = next(each for each in (*here["characters"], *here["zones"]) if each["name"] == who)
        bearer["aspects"][bearer["aspects"].index(old)] = new
    else:
        here["aspects"] = [each for each in here["aspects"] if each != old] + ([new] if new else [])


def put(holder: Json, key: Any, value: Any) -> None:
    """Set a field, or leave it out where nothing stands in it."""
    holder.pop(key, None)
    if value is not None:
        holder[key] = value


def shown(here: Json) -> Json:
    """A scene to compare: what was said lately and the revision aside, aspects and levels in any order."""
    told = {key: value for key, value in deepcopy(here).items() if key not in ("recent", "revision", "aspects")}
    for somebody in told["characters"]:
        # How long a consequence is there, and whether the conflict inflicted it, is told with its name.
        levels = ((each["severity"], each.get("name")) for each in somebody["consequences"])
        somebody["consequences"] = sorted(map(str, levels))
    aspects = [
        each | {"free_invocations": sorted(Counter({k: n for k, n in each["free_invocations"].items() if n}).items())}
        for each in here["aspects"]
    ]
    return told | {"aspects": sorted(str(sorted(each.items())) for each in aspects)}


@given(play=plays())
def test_the_changes_lead_from_the_scene_before_to_the_scene_after(play: tuple[Json, Chosen, Json]) -> None:
    """All that differs is told, once and in one line, from what it was to what it is; the scene is that of apply."""
    request, chosen, told = play
    after, changes = settled(request, chosen.choice)

    assert after == told
    assert [each["text"] for each in changes if len(each["text"].strip().splitlines()) != 1] == []

    bearings = Counter(each["name"] for each in request["scene"]["aspects"])
    assume(max(bearings.values(), default=0) < 2)  # whose of two aspects of one name changed is not told
    here = before_of(request)
    for change in changes:
        enter(here, change)

    assert shown(here) == shown(after)


# By hand.


def one(type_: str, who: str | None = None, on: str | None = None, before: Any = None, after: Any = None) -> Json:
    """A change, without its text."""
    told = {"type": type_, "who": who, "on": on, "before": before, "after": after}
    return {key: value for key, value in told.items() if value is not None}


def aspect(name: str, on: str | None = None, *, boost: bool = False, roar: bool = False, **free: int) -> Json:
    """A scene aspect as a scene's JSON has it."""
    told = {"name": name, "free_invocations": free, "boost": boost, "roar": roar, "each_attack": False}
    told["lasting"] = False
    return told | ({"on": on} if on else {})


FIRE: Json = {"aspects": [{"name": "Fire", "free_invocations": {"Ann": 2}}]}
TRACK = {"boxes": [1, 2]}
UNHURT = TRACK | {"marked": []}
GAP = aspect("Gap", boost=True, Ann=1)
OFF_BALANCE = aspect("Caught Off Balance", boost=True, Ann=1)
ROAR = roaring(3)

CHANGES: dict[str, tuple[Json, Json, list[Json]]] = {
    # what is asked, what is chosen, and what changes by it
    "aspect": (
        turn(type="create_advantage", roll={"total": 1}),
        choose("aspect", say("aspect", "situation_aspect", to="Ann")),
        [one("aspect", on="Shattered Lantern", after=aspect("Shattered Lantern", Ann=1))],
    ),
    "aspect, reworded": (
        discover(scene({"aspects": ["Oak Door"]}), roll={"total": -1}, aspect="Oak Door"),
        choose("serious_cost", say("serious_cost", "worsened_aspect")),
        [one("aspect", "Ann", "Door On Fire", "Oak Door", "Door On Fire")],
    ),
    "free_invocations, spent": (
        turn(scene(**FIRE), invocations=[{"aspect": "Fire"}], roll={"total": 0}),
        {"branch": "succeed"},
        [one("free_invocations", "Ann", "Fire", 2, 1)],
    ),
    "free_invocations, gained": (
        turn(scene(**FIRE), type="create_advantage", variant="existing_aspect", aspect="Fire", roll={"total": 1}),
        {"branch": "invocation", "grants": [{"index": 0, "to": "Bea"}]},
        [one("free_invocations", "Bea", "Fire", 0, 1)],
    ),
    "boost, gained": (
        turn(roll={"total": 3}),
        choose("boost", say("boost", "boost")),
        [one("boost", on="Caught Off Balance", after=OFF_BALANCE)],
    ),
    "boost, used": (
        turn(scene(aspects=[GAP]), invocations=[{"aspect": "Gap"}], roll={"total": -1}),
        {"branch": "succeed"},
        [one("boost", on="Gap", before=GAP)],
    ),
    "boost, used, and made more of": (
        turn(
            scene(aspects=[GAP]),
            type="create_advantage",
            variant="existing_aspect",
            aspect="Gap",
            invocations=[{"aspect": "Gap"}],
            roll={"total": 0},
        ),
        {"branch": "invocation", "grants": [{"index": 0, "to": "Ann"}]},
        [one("boost", on="Gap", before=GAP), one("aspect", on="Gap", after=aspect("Gap", Ann=1))],
    ),
    "stress": (
        strike(2),
        {"branch": "hit", "absorb": {"stress": 2}},
        [one("stress", "Xan", "physical", UNHURT, TRACK | {"marked": [2]})],
    ),
    "consequence": (
        strike(2),
        {"branch": "hit", "absorb": {"consequences": [{"severity": "mild", "name": "Cut Lip"}]}},
        [
            one("consequence", "Xan", "mild", after="Cut Lip"),
            one("aspect", "Xan", "Cut Lip", after=aspect("Cut Lip", "Xan", Ann=1)),
        ],
    ),
    "taken_out": (strike(2), {"branch": "hit", "taken_out": True}, [one("taken_out", "Xan", before=False, after=True)]),
    "fate_points": (
        turn(scene(**FIRE), invocations=[{"aspect": "Fire", "pay": "fate_point"}], roll={"total": 0}),
        {"branch": "succeed"},
        [one("fate_points", "Ann", before=2, after=1)],
    ),
    "legend_points": (
        turn(scene({"legend_points": 0}), "coppermane", roll={"total": 7}),
        choose("boost", say("boost", "boost")),
        [one("legend_points", "Ann", before=0, after=1), one("boost", on="Caught Off Balance", after=OFF_BALANCE)],
    ),
    "zone": (
        turn(**PUSH),
        {"branch": "succeed", "grants": [{"index": 0, "on": "Hall"}]},
        [one("zone", "Xan", before="Yard", after="Hall")],
    ),
    "roar, begun": (
        ROAR,
        choose("aspect", say("aspect", "situation_aspect", to="Ann")),
        [
            one("roar", "Ann", after="Careful"),
            one("aspect", "Ann", "Shattered Lantern", after=aspect("Shattered Lantern", "Ann", roar=True, Ann=1)),
        ],
    ),
    "roar, over": (
        turn(scene({"roar": "Careful"}, aspects=[aspect("Fury", "Ann", roar=True, Ann=1)]), skill="Quick"),
        {"branch": "succeed"},
        [one("roar", "Ann", before="Careful"), one("aspect", "Ann", "Fury", aspect("Fury", "Ann", roar=True, Ann=1))],
    ),
    "mark": (
        turn(scene(frame="contest"), type="create_advantage", roll={"total": -1}),
        {"branch": "no_aspect"},
        [one("mark", "Ann", "forfeits_next_contest_roll", before=False, after=True)],
    ),
    "mark, used up": (
        turn(scene({"lethal_next_attack": True}), type="attack", target="Xan", roll={"total": -1}),
        {"branch": "no_harm"},
        [
            one("stress", "Ann", "physical", UNHURT, TRACK | {"marked": [1]}),
            one("mark", "Ann", "lethal_next_attack", before=True, after=False),
        ],
    ),
    "fact": (
        turn(roll={"total": -1}),
        choose("serious_cost", say("serious_cost", "new_opposition")),
        [one("fact", after="Watch Captain: Rain runs down the old stones.")],
    ),
    "nothing": (turn(), {"branch": "succeed"}, []),
}


@pytest.mark.parametrize(("request_", "choice", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_changed_is_told(request_: Json, choice: Json, expected: list[Json]) -> None:
    """Each with whom it concerns, what of theirs, and what stood and stands there; nothing else is."""
    _, changes = settled(request_, choice)

    def known(change: Json) -> tuple[str, ...]:
        return change["type"], str(change.get("on"))

    without_text = [{key: value for key, value in change.items() if key != "text"} for change in changes]
    assert sorted(without_text, key=known) == sorted(expected, key=known)


def test_a_name_of_two_lines_is_told_in_one() -> None:
    """What a text holds was written by others."""
    here = scene()
    here["characters"][2]["name"] = "Xan\nthe \u2028Bold"
    changes = settled(strike(2, here, target="Xan\nthe \u2028Bold"), {"branch": "hit", "taken_out": True})[1]

    assert [len(change["text"].splitlines()) for change in changes] == [1]


# Revisions.


@pytest.mark.parametrize(
    ("revision", "expected"), [(None, None), (None, 0), (0, None), (0, 0), (1, 1), (41, None), (41, 41)]
)
def test_each_time_a_scene_is_settled_is_counted(revision: int | None, expected: int | None) -> None:
    """From none, also where nothing else changed; where no revision is expected any will do."""
    request = turn(scene() if revision is None else scene(revision=revision))

    assert narrator.settle(request, {"branch": "succeed"}, expected).scene.revision == (revision or 0) + 1


@pytest.mark.parametrize(
    ("revision", "expected", "code"),
    [
        (None, 1, "stale_scene"),
        (7, 6, "stale_scene"),
        (7, 8, "stale_scene"),
        (1, True, "bad_request"),
        (1, "1", "bad_request"),
        (1, 1.0, "bad_request"),
        (1, -1, "bad_request"),
    ],
)
def test_another_revision_is_refused(revision: int | None, expected: Any, code: str) -> None:
    """Somebody settled something meanwhile; what is no revision is a mistake of its own."""
    request = turn(scene() if revision is None else scene(revision=revision))

    with pytest.raises(NarratorError) as caught:
        narrator.settle(request, {"branch": "succeed"}, expected)

    assert caught.value.code == code


@pytest.mark.parametrize("branch", ["fail", "serious_cost"])
def test_what_was_offered_for_several_branches_is_settled_in_each(branch: str) -> None:
    """The check judges it as it did when it was suggested, and not by the goal of one branch alone."""
    action = {"type": "overcome", "actor": "Ann", "intent": "get the door open", "outcome": "fail", "shifts": -3}
    opposed = {"opposition": {"kind": "defend", "by": "Ben"}}
    request = {"ruleset": "base-actions", "scene": {}, "action": action | opposed}
    words = {"slot": "defender_boost", "form": "boost", "name": "Off Balance"}
    words |= {"detail": "Ann gets the door open, and Ben laughs."}
    cost = {"slot": "serious_cost", "form": "new_opposition", "name": "Watchman"}
    cost |= {"detail": "Somebody has heard it, and comes to look."}
    wanted = {slot.id for each in narrator.resolve(request).branches if each.id == branch for slot in each.slots}
    chosen = [each for each in (words, cost) if each["slot"] in wanted]

    assert narrator.check(request, words).accepted is not None
    assert narrator.check({**request, "branch": "fail"}, words).accepted is None
    assert narrator.settle(request, {"branch": branch, "suggestions": chosen}).changes
