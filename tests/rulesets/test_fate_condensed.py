"""What the Fate Condensed SRD says, as `fate-condensed` has it; typed here, not read."""

from dataclasses import replace
from typing import Any

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.deeds import Deed
from tests.rules.build import (
    ANN,
    DEFEND,
    DEFENDS,
    FAIL,
    PASSIVE,
    STANDS_IN,
    STYLE,
    SUCCEED,
    TIE,
    XAN,
    Cell,
    ask,
    resolved,
)
from tests.rulesets.cells import (
    ACTORS_BOOST,
    ALSO_DISCOVERED,
    ATTACK,
    BOOST_FOR_THE_OPPONENT,
    DEFENDING,
    EXISTING_ASPECT,
    EXISTING_ASPECT_FOR_ALLIES,
    FATE_CORE_SECTIONS,
    FORFEIT,
    IN_A_CONTEST,
    NEW_ASPECT_FOR_ALLIES,
    NOT_IN_A_CONTEST,
    WHERE_ATTACKS_BELONG,
    Rows,
    advantages,
    cells,
    creating,
    defended,
    revealed,
)

RULESET = "fate-condensed"

DOCUMENT = "Fate Condensed"

SECTIONS = FATE_CORE_SECTIONS | {"contest_forfeit_or_cost": "Creating Advantages in a Contest"}

SKILLS = (
    "Academics Athletics Burglary Contacts Crafts Deceive Drive Empathy Fight Investigate Lore Notice Physique Provoke "
    "Rapport Resources Shoot Stealth Will"
)

STRESS = {"physical": [1, 1, 1], "mental": [1, 1, 1]}
BOXES_PER_HIT = 12  # any number: a track has no more

# There is no active opposition beside the defend action ("For Veterans"), and an enemy attacked always rolls.
DEEDS = (
    Deed("overcome", (None,), ("passive", "defend")),
    creating("passive", "defend", variants=ALSO_DISCOVERED),
    Deed("attack", (None,), (), ("defend",)),
    DEFENDING,
)

# A tie is a success at a minor cost, or a failure with a boost.
OVERCOME: Rows = {
    FAIL: ["[fail] ✗", "[serious_cost] ✓ → *serious_cost: complication, new_opposition, consequence(Ann mild 0 free)"],
    TIE: [
        "[minor_cost] ✓ → *minor_cost: story_detail, stress(Ann 1 mental,physical), opposition_boost(@opp 1 free), "
        "lesser_version(◐)",
        f"[boost] ✗ → {ACTORS_BOOST}",
    ],
    SUCCEED: ["[succeed] ✓"],
    STYLE: [f"[boost] ✓ → {ACTORS_BOOST}"],
}

# Where a new aspect serves the enemy it is created all the same, at a cost; a tie is a boost and no aspect.
OWN_NEW_ASPECT = NEW_ASPECT_FOR_ALLIES | {
    FAIL: ["[no_aspect] ✗", "[aspect_for_opposition] ◐ → *aspect @draft: situation_aspect(@opp 1 free)"],
    TIE: ["[boost] ✗ → *boost @draft: boost(Ann 1 free)"],
}


KNOWN_ASPECT = EXISTING_ASPECT_FOR_ALLIES | {FAIL: EXISTING_ASPECT[FAIL]}


def unknown_aspect(named: str | None) -> Rows:
    """An unknown aspect: of a failure the enemy may reveal it; of a tie it stays unknown, and there is a boost."""
    return {
        FAIL: ["[unknown] ✗", f"[aspect_for_opposition] ✗ → {revealed('@opp', 1, named)}"],
        TIE: [f"[boost] ✗ → {ACTORS_BOOST}"],
        SUCCEED: [f"[aspect] ✓ → {revealed('Ann,Bea', 1, named)}"],
        STYLE: [f"[aspect] ✓ → {revealed('Ann,Bea', 2, named)}"],
    }


def done(rows: Rows, **action: Any) -> list[Cell]:
    """Something done alone and on Xan: against a difficulty, and against a defence, where 3 shifts give a boost."""
    return [
        *cells(rows, [PASSIVE], **action),
        *cells(rows, [PASSIVE], target="Xan", **action),
        *cells(defended(rows), [STANDS_IN], **action),
        *cells(defended(rows), DEFENDS, target="Xan", **action),
    ]


def create(rows: Rows, **named: str | None) -> list[Cell]:
    """Create an advantage, as anything that is done. Failed in a contest, it costs the roll of the contest, or the
    other side has a free invocation for it: it is never merely failed ("Creating Advantages in a Contest").
    """
    cost = next(each for each in rows[FAIL] if "_for_opposition] " in each)
    forfeit = f"[forfeit] ✗ → {FORFEIT}"
    return [
        replace(cell, frames=frames)
        for frames, there in ((NOT_IN_A_CONTEST, rows), (IN_A_CONTEST, rows | {FAIL: [forfeit, cost]}))
        for cell in done(there, type="create_advantage", **named)
    ]


TABLE = [
    *done(OVERCOME, type="overcome"),
    *advantages(OWN_NEW_ASPECT, KNOWN_ASPECT, unknown_aspect, made=create),
    # A challenge is of overcome actions; in a contest no side harms another, but a threat may attack ("Contests").
    *cells(defended(ATTACK), DEFENDS, WHERE_ATTACKS_BELONG, type="attack", target="Xan"),
    *cells(BOOST_FOR_THE_OPPONENT | {TIE: ["[as_opponent] ?"]}, type="defend"),
]

# Two tracks of three one-point boxes, and consequences of 2, 4 and 6 ("Stress", "Consequences").
HITS = {
    1: [(1, []), (None, ["mild"]), (None, ["moderate"]), (None, ["severe"])],
    3: [(3, []), (1, ["mild"]), (None, ["moderate"]), (None, ["severe"])],
    5: [(3, ["mild"]), (1, ["moderate"]), (None, ["severe"]), (None, ["mild", "moderate"])],
    15: [(3, ["mild", "moderate", "severe"])],
    16: [],
}

# Each other one of the team adds 1 with at least Average in that skill ("Teamwork").
HELPS = {0: 0, 1: 1, 3: 1}


@pytest.mark.parametrize("kind", ["action", "opposition"])
@pytest.mark.parametrize(("leader", "helpers", "adds"), [(1, 3, 1), (2, 1, 1), (2, 3, 2), (3, 3, 3), (0, 2, 0)])
def test_a_team_adds_no_more_than_its_leader_is_rated(kind: str, leader: int, helpers: int, adds: int) -> None:
    """Of more who help the others add nothing, and the table is told so ("Teamwork")."""
    helping = [{"name": f"Helper {number}", "skills": {"Fight": min(leader, 1)}} for number in range(helpers)]
    side = {"action": "pc", "opposition": "foes"}[kind]
    people = [
        ANN | {"skills": {"Fight": leader}},
        XAN | {"side": "foes", "skills": {"Fight": leader}},
        *(each | {"side": side} for each in helping),
    ]
    team = {"skill": "Fight", "helpers": [each["name"] for each in helping], "roll": {"dice": [0, 0, 0, 0]}}
    passive = {"kind": "passive", "rating": 0}
    done: dict[str, Json] = {
        "action": {**team, "opposition": passive},
        "opposition": {"opposition": {"kind": "defend", "by": "Xan", **team}},
    }

    answer = resolved(ask({"characters": people}, request={"ruleset": RULESET}, **done[kind]))

    assert answer["roll" if kind == "action" else "opposition"]["bonus"] == adds
    assert any("at most" in each for each in answer["notices"]) == (leader > 0 and adds < helpers)


def attacking(hit: int) -> Json:
    """Ann attacks Xan, who rolls 0, for a hit of so many shifts."""
    return {"type": "attack", "target": "Xan", "roll": {"total": hit}, "opposition": DEFEND.at(0)}


def absorbing(hit: int, told: Json, *marked: int) -> Json:
    """Xan's physical track of 1, 2, 3, 4 and these marked, after a hit absorbed so."""
    track = {"boxes": [1, 2, 3, 4], "marked": list(marked)}
    xan = XAN | {"importance": "named", "stress": {"physical": track}}
    request = ask({"characters": [ANN, xan]}, request={"ruleset": RULESET}, **attacking(hit))
    settled = narrator.settle(request, {"branch": "hit", "absorb": told}).as_json()
    after: Json = settled["scene"]["characters"][1]["stress"]["physical"]
    return after


@pytest.mark.parametrize(
    ("told", "marked"),
    [
        ({"stress": 5}, [2, 3]),
        ({"stress": 5, "boxes": [2, 3]}, [2, 3]),
        ({"stress": 5, "boxes": [3, 2]}, [2, 3]),
        ({"stress": 5, "boxes": [1, 4]}, [1, 4]),
        ({"boxes": [4, 1]}, [1, 4]),
        ({"boxes": [2, 4]}, [2, 4]),
        ({"boxes": [3], "consequences": [{"severity": "mild", "name": "Limp"}]}, [3]),
    ],
    ids=str,
)
def test_the_table_says_which_boxes_are_marked(told: Json, marked: list[int]) -> None:
    """Told boxes are those, in any order, and their sum need not be told; of a sum alone the lowest are marked."""
    assert sorted(absorbing(5, told)["marked"]) == marked


@pytest.mark.parametrize(
    ("told", "marked", "right"),
    [
        pytest.param({"boxes": [5]}, [], ["boxes 4 and 1", "boxes 3 and 2"], id="no such box"),
        pytest.param({"boxes": [4, 1]}, [4], ["boxes 3 and 2"], id="a box that is marked"),
        pytest.param({"stress": 6, "boxes": [3, 3]}, [1], ["boxes 4 and 2"], id="a box twice"),
        pytest.param({"stress": 5, "boxes": [4, 2]}, [], ["boxes 4 and 1", "boxes 3 and 2"], id="another sum"),
        pytest.param({"stress": 5, "boxes": []}, [], ["boxes 4 and 1", "boxes 3 and 2"], id="a sum of no boxes"),
        pytest.param(
            {"boxes": [1, 2]},
            [3],
            ["severe", "boxes 4 and 1", "boxes 4 and 2", "box 4 + mild", "boxes 2 and 1 + mild"],
            id="too little",
        ),
    ],
)
def test_boxes_that_cannot_be_marked_are_refused(told: Json, marked: list[int], right: list[str]) -> None:
    """They must be free and come to the sum; what is told then is what would be right."""
    with pytest.raises(narrator.NarratorError) as caught:
        absorbing(5, told, *marked)

    assert (caught.value.code, caught.value.field) == ("bad_choice", "choice.absorb.boxes")
    assert set(right) <= set(caught.value.message.partition("possible: ")[2].split("; "))


def test_no_more_boxes_are_marked_than_a_hit_may() -> None:
    """Where a ruleset lets a hit mark one, two of the same sum are refused, and the one is taken."""
    xan = XAN | {"importance": "named", "stress": {"physical": {"boxes": [1, 2, 3]}}}
    request = ask({"characters": [ANN, xan]}, request={"ruleset": "fate-core"}, **attacking(3))

    with pytest.raises(narrator.NarratorError) as caught:
        narrator.settle(request, {"branch": "hit", "absorb": {"boxes": [1, 2]}})
    settled = narrator.settle(request, {"branch": "hit", "absorb": {"boxes": [3]}}).as_json()

    assert (caught.value.field, caught.value.message.endswith("possible: box 3")) == ("choice.absorb.boxes", True)
    assert settled["scene"]["characters"][1]["stress"]["physical"]["marked"] == [3]


def test_whoever_forfeits_is_reminded_at_the_next_roll_of_the_contest() -> None:
    """A forfeit that is chosen stands in the scene; the other price leaves the roll."""
    marked = {}
    for branch, words in (("forfeit", []), ("aspect_for_opposition", [WORDS])):
        action: Json = {"type": "create_advantage", "roll": {"total": -1}}
        request = ask({"frame": "contest", "characters": [ANN, XAN]}, request={"ruleset": RULESET}, **action)
        settled = narrator.settle(request, {"branch": branch, "suggestions": words})
        marked[branch] = settled.scene.characters[0].forfeits_next_contest_roll

    assert marked == {"forfeit": True, "aspect_for_opposition": False}


WORDS: Json = {
    "slot": "aspect",
    "form": "situation_aspect",
    "to": "Xan",
    "name": "Doors Thrown Wide",
    "detail": "Both doors stand open now, and the hall lies clear.",
}
