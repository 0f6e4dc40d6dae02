"""The table of `fate-condensed`, every cell, against what the Fate Condensed SRD says; typed here, not read."""

import pytest

import narrator
from tests.deeds import Deed
from tests.rules.build import (
    ANN,
    DEFEND,
    FAIL,
    FAIL_BY_3_OR_MORE,
    FAIL_BY_LESS_THAN_3,
    FRAMES,
    PASSIVE,
    STANDS_IN,
    STYLE,
    SUCCEED,
    TIE,
    UNDEFENDED,
    XAN,
    Case,
    Cell,
    Json,
    Landing,
    Way,
    ask,
    cases,
    refused,
    resolved,
    shown,
)

RULESET = "fate-condensed"

SKILLS = (
    "Academics Athletics Burglary Contacts Crafts Deceive Drive Empathy Fight Investigate Lore Notice Physique Provoke "
    "Rapport Resources Shoot Stealth Will"
)

STRESS = {"physical": [1, 1, 1], "mental": [1, 1, 1]}
BOXES_PER_HIT = 12  # any number: a track has no more

DEEDS: tuple[Deed, ...] = (
    Deed("overcome", (None,), ("passive", "defend")),
    Deed(
        "create_advantage",
        (None, "new_aspect", "existing_aspect", "discover_aspect"),
        ("passive", "defend"),
        ("defend", "passive"),
    ),
    Deed("attack", (None,), (), ("defend",)),
    Deed("defend", (None,), ("active", "passive")),
)

ACTORS_BOOST = "*boost: boost(Ann 1 free)"
DEFENDERS_BOOST = "*defender_boost/boost: boost(@defender 1 free)"

NOBODY: tuple[Way, ...] = (PASSIVE,)
ROLLED: tuple[Way, ...] = (DEFEND, STANDS_IN)


def done(name: str, action: Json, fail: tuple[str, ...], won: list[tuple[Landing, tuple[str, ...]]]) -> list[Cell]:
    """
    Something done alone and on Xan: against a difficulty, and against a defence, where 3 shifts give a boost.
    """
    on_xan = action | {"target": "Xan"}
    boosted = tuple(f"{branch} → {DEFENDERS_BOOST}" for branch in fail)
    undefended = ((name, NOBODY, action), (f"{name} on Xan", NOBODY, on_xan))
    defended = ((f"{name} in the way", (STANDS_IN,), action), (f"{name} on Xan", ROLLED, on_xan))
    return [
        *(Cell(known, FAIL, fail, ways=ways, action=what) for known, ways, what in undefended),
        *(Cell(known, FAIL_BY_LESS_THAN_3, fail, ways=ways, action=what) for known, ways, what in defended),
        *(Cell(known, FAIL_BY_3_OR_MORE, boosted, ways=ways, action=what) for known, ways, what in defended),
        *(
            Cell(known, reach, branches, ways=ways, action=what)
            for known, ways, what in (*undefended, *defended)
            for reach, branches in won
        ),
    ]


def overcome() -> list[Cell]:
    """Overcome: a tie is a success at a minor cost, or a failure with a boost."""
    return done(
        "overcome",
        {"type": "overcome"},
        ("[fail] ✗", "[serious_cost] ✓ → *serious_cost: complication, new_opposition, consequence(Ann mild 0 free)"),
        [
            (
                TIE,
                (
                    "[minor_cost] ✓ → *minor_cost: story_detail, stress(Ann 1 mental,physical), "
                    "opposition_boost(@opp 1 free), lesser_version(◐)",
                    f"[boost] ✗ → {ACTORS_BOOST}",
                ),
            ),
            (SUCCEED, ("[succeed] ✓",)),
            (STYLE, (f"[boost] ✓ → {ACTORS_BOOST}",)),
        ],
    )


def create_new_aspect(meant: str | None) -> list[Cell]:
    """A new aspect: where it serves the enemy it is created all the same, at a cost; a tie is a boost and no aspect."""
    draft = f' "{meant}"' if meant else ""
    slot = f"*aspect{draft}: situation_aspect"
    return done(
        f"create a new aspect{draft}",
        {"type": "create_advantage", "variant": "new_aspect", "aspect": meant},
        ("[no_aspect] ✗", f"[aspect_for_opposition] ◐ → {slot}(@opp 1 free)"),
        [
            (TIE, (f"[boost] ✗ → *boost{draft}: boost(Ann 1 free)",)),
            (SUCCEED, (f"[aspect] ✓ → {slot}(Ann 1 free)",)),
            (STYLE, (f"[aspect] ✓ → {slot}(Ann 2 free)",)),
        ],
    )


def use_known_aspect() -> list[Cell]:
    """A known aspect: a failure serves the enemy, and a tie is as good as a success."""
    return done(
        "use a known aspect",
        {"type": "create_advantage", "variant": "existing_aspect", "aspect": "Rough Terrain"},
        ("[invocation_for_opposition] ✗ → +free_invocations(@opp 1 on Rough Terrain)",),
        [
            (TIE, ("[invocation] ✓ → +free_invocations(Ann 1 on Rough Terrain)",)),
            (SUCCEED, ("[invocation] ✓ → +free_invocations(Ann 1 on Rough Terrain)",)),
            (STYLE, ("[invocations] ✓ → +free_invocations(Ann 2 on Rough Terrain)",)),
        ],
    )


def discover_unknown_aspect(named: str | None) -> list[Cell]:
    """An unknown aspect: of a failure the enemy may reveal it; of a tie it stays unknown, and there is a boost."""

    def revealed(who: str, number: int) -> str:
        if named:
            return f"+free_invocations({who} {number} on {named})"
        return f"*aspect: situation_aspect({who} {number} free)"

    return done(
        f"discover an unknown aspect{' named' if named else ''}",
        {"type": "create_advantage", "variant": "discover_aspect", "aspect": named},
        ("[unknown] ✗", f"[aspect_for_opposition] ✗ → {revealed('@opp', 1)}"),
        [
            (TIE, (f"[boost] ✗ → {ACTORS_BOOST}",)),
            (SUCCEED, (f"[aspect] ✓ → {revealed('Ann', 1)}",)),
            (STYLE, (f"[aspect] ✓ → {revealed('Ann', 2)}",)),
        ],
    )


def attack() -> list[Cell]:
    """Attack: on Xan, who rolls to defend, or another for him."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("attack", reach, branches, ways=ROLLED, action={"type": "attack", "target": "Xan"})

    return [
        cell(FAIL_BY_LESS_THAN_3, "[no_harm] ✗"),
        cell(FAIL_BY_3_OR_MORE, f"[no_harm] ✗ → {DEFENDERS_BOOST}"),
        cell(TIE, f"[boost] ✗ → {ACTORS_BOOST}"),
        cell(SUCCEED, "[hit] ✓ → +hit(@defender @shifts)"),
        cell(
            STYLE,
            "[hit] ✓ → +hit(@defender @shifts)",
            f"[hit_and_boost] ✓ → +hit(@defender @shifts-1) → {ACTORS_BOOST}",
        ),
    ]


def defend() -> list[Cell]:
    """Defend: of a tie the opposed action says what happens."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("defend", reach, branches, ways=UNDEFENDED, action={"type": "defend"})

    return [
        cell(FAIL, "[suffer] ✗"),
        cell(TIE, "[as_opponent] ?"),
        cell(SUCCEED, "[safe] ✓"),
        cell(STYLE, f"[boost] ✓ → {ACTORS_BOOST}"),
    ]


TABLE = [
    *overcome(),
    *create_new_aspect(None),
    *create_new_aspect("Sand in the Eyes"),
    *use_known_aspect(),
    *discover_unknown_aspect(None),
    *discover_unknown_aspect("Loose Roof Tiles"),
    *attack(),
    *defend(),
]


@pytest.mark.parametrize("case", cases(RULESET, TABLE), ids=str)
def test_every_cell_gives_what_the_table_says(case: Case) -> None:
    """A row gives the branches, goals, grants, slots and forms that the document has, and no others."""
    answer = resolved(case.request)

    assert (case.outcome, case.branches) == (answer["outcome"], shown(answer))


@pytest.mark.parametrize(
    ("hit", "ways"),
    [
        (1, [(1, []), (None, ["mild"]), (None, ["moderate"]), (None, ["severe"])]),
        (3, [(3, []), (1, ["mild"]), (None, ["moderate"]), (None, ["severe"])]),
        (5, [(3, ["mild"]), (1, ["moderate"]), (None, ["severe"]), (None, ["mild", "moderate"])]),
        (15, [(3, ["mild", "moderate", "severe"])]),
        (16, []),
    ],
    ids=lambda each: str(each) if isinstance(each, int) else "",
)
@pytest.mark.parametrize("track", ["physical", "mental"])
def test_a_hit_marks_any_of_three_boxes(track: str, hit: int, ways: list[tuple[int | None, list[str]]]) -> None:
    """Two tracks of three one-point boxes, and consequences of 2, 4 and 6 ("Stress", "Consequences")."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}
    action = attacking(hit) | {"attack": {"track": track}}

    answer = resolved(ask(scene, request={"ruleset": RULESET}, **action))

    absorb = answer["branches"][0]["grants"][0]["absorb"]
    assert ways == [(way.get("stress"), way["consequences"]) for way in absorb]


def attacking(hit: int) -> Json:
    """Ann attacks Xan, who rolls 0, for a hit of so many shifts."""
    return {
        "type": "attack",
        "target": "Xan",
        "roll": {"total": hit},
        "opposition": {"kind": "defend", "roll": {"total": 0}},
    }


@pytest.mark.parametrize("told", [{"stress": 2}, {"stress": 2, "boxes": [1, 1]}], ids=["the sum", "the way"])
def test_two_shifts_mark_two_boxes(told: Json) -> None:
    """Charles marks the first two of three boxes for a hit of two shifts ("Taking Harm")."""
    charles = {"name": "Charles", "side": "pc", "importance": "pc"}
    ghoul = {"name": "Ghoul", "side": "foes", "skills": {"Fight": 2}}
    action = {
        "type": "attack",
        "actor": "Ghoul",
        "target": "Charles",
        "skill": "Fight",
        "roll": {"dice": [0, 0, 1, 1]},
        "opposition": {"kind": "defend", "roll": {"total": 2}},
    }
    request = ask({"characters": [charles, ghoul]}, request={"ruleset": RULESET}, **action)

    settled = narrator.settle(request, {"branch": "hit", "absorb": told}).as_json()

    assert settled["scene"]["characters"][0]["stress"]["physical"] == {"boxes": [1, 1, 1], "marked": [1, 1]}


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
    ("told", "marked", "allowed"),
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
def test_boxes_that_cannot_be_marked_are_refused(told: Json, marked: list[int], allowed: list[str]) -> None:
    """They must be free and come to the sum; what is told then is what would be right."""
    with pytest.raises(narrator.NarratorError) as caught:
        absorbing(5, told, *marked)

    assert (caught.value.code, caught.value.field) == ("bad_choice", "absorb.boxes")
    assert set(allowed) <= set(caught.value.allowed or ())


def test_no_more_boxes_are_marked_than_a_hit_may() -> None:
    """Where a ruleset lets a hit mark one, two of the same sum are refused, and the one is taken."""
    xan = XAN | {"importance": "named", "stress": {"physical": {"boxes": [1, 2, 3]}}}
    request = ask({"characters": [ANN, xan]}, request={"ruleset": "fate-core"}, **attacking(3))

    with pytest.raises(narrator.NarratorError) as caught:
        narrator.settle(request, {"branch": "hit", "absorb": {"boxes": [1, 2]}})
    settled = narrator.settle(request, {"branch": "hit", "absorb": {"boxes": [3]}}).as_json()

    assert (caught.value.field, caught.value.allowed) == ("absorb.boxes", ("box 3",))
    assert settled["scene"]["characters"][1]["stress"]["physical"]["marked"] == [3]


def test_who_inflicts_a_consequence_has_a_free_invocation_of_it() -> None:
    """Whoever created the consequence gets one ("Consequences")."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}
    answer = resolved(ask(scene, request={"ruleset": RULESET}, **attacking(2)))

    hit = answer["branches"][0]["grants"][0]

    assert (hit["free_invocations"], hit["holders"]) == (1, ["Ann"])


@pytest.mark.parametrize(("skill", "adds"), [(0, 0), (1, 1), (3, 1)], ids=["Mediocre", "Average", "Good"])
def test_a_helper_wants_an_average_rating(skill: int, adds: int) -> None:
    """Each other one of the team adds 1 with at least Average in that skill ("Teamwork")."""
    people = [ANN | {"skills": {"Physique": 4}}, {"name": "Bea", "side": "pc", "skills": {"Physique": skill}}, XAN]
    action: Json = {"skill": "Physique", "helpers": ["Bea"], "roll": {"dice": [0, 0, 0, 0]}}

    answer = resolved(ask({"characters": people}, request={"ruleset": RULESET}, **action))

    assert 4 + adds == answer["roll"]["total"]


@pytest.mark.parametrize(
    ("action", "allowed"),
    [
        pytest.param({"type": "overcome", "opposition": {"kind": "active"}}, ["passive", "defend"], id="overcome"),
        pytest.param(
            {"type": "create_advantage", "opposition": {"kind": "active"}}, ["passive", "defend"], id="create"
        ),
        pytest.param(
            {"type": "attack", "target": "Xan", "opposition": {"kind": "passive", "rating": 0}}, ["defend"], id="attack"
        ),
    ],
)
def test_who_is_in_the_way_defends(action: Json, allowed: list[str]) -> None:
    """There is no active opposition beside the defend action ("For Veterans"), and an enemy attacked always rolls."""
    request = ask(request={"ruleset": RULESET}, **action)

    assert refused(request) == ("bad_opposition", "action.opposition.kind", allowed)


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame or "no frame")
@pytest.mark.parametrize(("shifts", "variant"), [(-1, "new_aspect"), (-1, "discover_aspect"), (0, "new_aspect")])
def test_a_failed_advantage_in_a_contest_costs_something(frame: str | None, shifts: int, variant: str) -> None:
    """A forfeited roll, or a free invocation for the other side ("Creating Advantages in a Contest")."""
    action: Json = {"type": "create_advantage", "variant": variant, "roll": {"total": shifts}}

    answer = resolved(ask({"frame": frame}, request={"ruleset": RULESET}, **action))

    said = [notice for notice in answer["notices"] if "forfeit" in notice and "free invocation" in notice]
    assert len(said) == (shifts < 0 and frame in ("contest", "contest_under_fire"))


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame or "no frame")
def test_no_scene_refuses_an_action(frame: str | None) -> None:
    """Of attacks in challenges and contests the document says nothing."""
    answer = resolved(ask({"frame": frame}, request={"ruleset": RULESET}, **attacking(1)))

    assert answer["outcome"] == "succeed"


@pytest.mark.parametrize(
    ("action", "section"),
    [
        ({"type": "overcome"}, "Overcome"),
        ({"type": "create_advantage"}, "Create an Advantage"),
        ({"type": "attack", "target": "Xan", "opposition": {"kind": "defend", "roll": {"total": 0}}}, "Attack"),
        ({"type": "defend"}, "Defend"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
@pytest.mark.parametrize("shifts", [-1, 0, 1, 3], ids=lambda shifts: f"{shifts:+d}")
def test_every_row_names_the_section_of_this_document(action: Json, section: str, shifts: int) -> None:
    """Whoever doubts a ruling finds the page."""
    answer = resolved(ask(request={"ruleset": RULESET}, roll={"total": shifts}, **action))

    assert {"document": "Fate Condensed", "section": section} == answer["source"]
