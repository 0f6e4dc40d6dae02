"""The table of `fate-core`, every cell, against what the Fate Core SRD says; typed here, not read."""

import pytest

from tests.deeds import Deed
from tests.rules.build import (
    ANN,
    DEFENDED,
    FAIL,
    FAIL_BY_3_OR_MORE,
    FAIL_BY_LESS_THAN_3,
    FRAMES,
    PASSIVE,
    STYLE,
    SUCCEED,
    TIE,
    UNDEFENDED,
    XAN,
    Cell,
    Json,
    Landing,
    Way,
    ask,
    refused,
    resolved,
    wrong,
)

RULESET = "fate-core"

SKILLS = (
    "Athletics Burglary Contacts Crafts Deceive Drive Empathy Fight Investigate Lore Notice Physique Provoke Rapport "
    "Resources Shoot Stealth Will"
)

DEEDS: tuple[Deed, ...] = (
    Deed("overcome", (None,), ("passive", "active")),
    Deed("create_advantage", (None, "new_aspect", "existing_aspect"), ("passive", "active"), ("defend", "passive")),
    Deed("attack", (None,), (), ("defend", "passive")),
    Deed("defend", (None,), ("active", "passive")),
)

NOT_IN_A_CONTEST = (None, "challenge", "conflict")
IN_A_CONTEST = ("contest", "contest_under_fire")
WHERE_ATTACKS_BELONG = (None, "contest_under_fire", "conflict")

ACTORS_BOOST = "*boost: boost(Ann 1 free)"
DEFENDERS_BOOST = "*defender_boost/boost: boost(@defender 1 free)"
FORFEIT = "+forfeit_next_contest_roll(Ann)"


def overcome() -> list[Cell]:
    """Overcome ("Overcome", "Serious Cost vs. Minor Cost"): opposed or not, and in whatever scene."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("overcome", reach, branches, action={"type": "overcome"})

    return [
        cell(
            FAIL,
            "[fail] ✗",
            "[serious_cost] ✓ → *serious_cost: new_opposition, consequence(Ann mild 0 free), "
            "opposition_advantage(@opp 1 free), complication",
        ),
        cell(
            TIE,
            "[minor_cost] ✓ → *minor_cost: story_detail, stress(Ann 1 mental,physical), opposition_boost(@opp 1 free), "
            "close_call, lesser_version(◐), complication",
        ),
        cell(SUCCEED, "[succeed] ✓"),
        cell(STYLE, "[boost] ✓ → *boost: boost(Ann 1 free), story_detail"),
    ]


def create(variant: str, aspect: str | None, *, fail: list[str], won: list[tuple[Landing, str]]) -> list[Cell]:
    """
    Create an advantage, alone and on Xan ("Create an Advantage", "Defend"): who defends with style has a boost, and in
    a contest a failure costs the contest roll ("Creating Advantages in a Contest").
    """
    name = f"create {variant}{' with a draft' if aspect and variant == 'new_aspect' else ''}"
    alone = {"type": "create_advantage", "variant": variant, "aspect": aspect}
    on_xan = alone | {"target": "Xan"}

    def failing(reach: Landing, action: Json, ways: tuple[Way, ...], *more: str) -> list[Cell]:
        known = f"{name} on Xan" if "target" in action else name
        plain = tuple(" → ".join([branch, *more]) for branch in fail)
        forfeited = tuple(f"{branch} → {FORFEIT}" for branch in plain)
        return [
            Cell(known, reach, plain, ways=ways, frames=NOT_IN_A_CONTEST, action=action),
            Cell(known, reach, forfeited, ways=ways, frames=IN_A_CONTEST, action=action),
        ]

    return [
        *failing(FAIL, alone, UNDEFENDED),
        *failing(FAIL_BY_LESS_THAN_3, on_xan, DEFENDED),
        *failing(FAIL_BY_3_OR_MORE, on_xan, DEFENDED, DEFENDERS_BOOST),
        *(Cell(name, reach, (branch,), action=alone) for reach, branch in won),
        *(Cell(f"{name} on Xan", reach, (branch,), ways=DEFENDED, action=on_xan) for reach, branch in won),
    ]


def create_new_aspect(meant: str | None) -> list[Cell]:
    """A new aspect: a tie is a boost in its place."""
    draft = f' "{meant}"' if meant else ""
    return create(
        "new_aspect",
        meant,
        fail=["[no_aspect] ✗", f"[aspect_for_opposition] ✗ → *aspect{draft}: situation_aspect(@opp 1 free)"],
        won=[
            (TIE, f"[boost] ◐ → *boost{draft}: boost(Ann 1 free)"),
            (SUCCEED, f"[aspect] ✓ → *aspect{draft}: situation_aspect(Ann 1 free)"),
            (STYLE, f"[aspect] ✓ → *aspect{draft}: situation_aspect(Ann 2 free)"),
        ],
    )


def use_existing_aspect() -> list[Cell]:
    """An existing aspect: a failure gives somebody else the free invocation, a tie is as good as a success."""
    return create(
        "existing_aspect",
        "Rough Terrain",
        fail=["[invocation_for_opposition] ✗ → +free_invocations(@opp 1 on Rough Terrain)"],
        won=[
            (TIE, "[invocation] ✓ → +free_invocations(Ann 1 on Rough Terrain)"),
            (SUCCEED, "[invocation] ✓ → +free_invocations(Ann 1 on Rough Terrain)"),
            (STYLE, "[invocations] ✓ → +free_invocations(Ann 2 on Rough Terrain)"),
        ],
    )


def attack() -> list[Cell]:
    """Attack: passive or not, it is defended against."""

    def cell(reach: Landing, *branches: str) -> Cell:
        action = {"type": "attack", "target": "Xan"}
        return Cell("attack", reach, branches, ways=DEFENDED, frames=WHERE_ATTACKS_BELONG, action=action)

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
    """Defend: a tie gives the opponent a boost."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("defend", reach, branches, action={"type": "defend"})

    return [
        cell(FAIL, "[suffer] ✗"),
        cell(TIE, "[boost_for_opponent] ✓ → *boost: boost(@opponent 1 free)"),
        cell(SUCCEED, "[safe] ✓"),
        cell(STYLE, f"[boost] ✓ → {ACTORS_BOOST}"),
    ]


TABLE = [
    *overcome(),
    *create_new_aspect(None),
    *create_new_aspect("Sand in the Eyes"),
    *use_existing_aspect(),
    *attack(),
    *defend(),
]


@pytest.mark.parametrize("cell", TABLE, ids=str)
def test_every_cell_gives_what_the_table_says(cell: Cell) -> None:
    """A row gives the branches, goals, grants, slots and forms that the document has, and no others."""
    assert wrong(RULESET, cell) == []


@pytest.mark.parametrize(
    ("hit", "ways"),
    [
        (1, [(1, []), (2, []), (None, ["mild"]), (None, ["moderate"]), (None, ["severe"])]),
        (3, [(1, ["mild"]), (2, ["mild"]), (None, ["moderate"]), (None, ["severe"])]),
        (14, [(2, ["mild", "moderate", "severe"])]),
        (15, []),
    ],
    ids=lambda each: str(each) if isinstance(each, int) else "",
)
@pytest.mark.parametrize("track", ["physical", "mental"])
def test_a_hit_marks_one_box_of_two(track: str, hit: int, ways: list[tuple[int | None, list[str]]]) -> None:
    """Two tracks of boxes 1 and 2, one box a hit, and consequences of 2, 4 and 6 ("Stress", "Consequences")."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}
    action: Json = {"type": "attack", "target": "Xan", "attack": {"track": track}, "roll": {"total": hit}}

    answer = resolved(ask(scene, request={"ruleset": RULESET}, **action))

    absorb = answer["branches"][0]["grants"][0]["absorb"]
    assert ways == [(way.get("stress"), way["consequences"]) for way in absorb]


def test_who_inflicts_a_consequence_has_a_free_invocation_of_it() -> None:
    """The opponent who forced it gets one ("Consequences")."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}
    answer = resolved(ask(scene, request={"ruleset": RULESET}, type="attack", target="Xan"))

    hit = answer["branches"][0]["grants"][0]

    assert (hit["free_invocations"], hit["holders"]) == (1, ["Ann"])


@pytest.mark.parametrize(("skill", "total"), [(0, 0), (1, 1), (3, 1)], ids=["Mediocre", "Average", "Good"])
def test_a_helper_wants_an_average_rating(skill: int, total: int) -> None:
    """Each other one of the team adds 1 with at least Average in the same skill ("Teamwork")."""
    people = [ANN | {"skills": {"Physique": 4}}, {"name": "Bea", "side": "pc", "skills": {"Physique": skill}}, XAN]
    roll = {"dice": [0, 0, 0, 0]}

    answer = resolved(
        ask({"characters": people}, request={"ruleset": RULESET}, skill="Physique", helpers=["Bea"], roll=roll)
    )

    assert 4 + total == answer["roll"]["total"]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame or "no frame")
def test_a_challenge_and_a_contest_have_no_attack(frame: str | None) -> None:
    """In a challenge nobody attacks, and with an attack a contest is over ("Attacks in a Challenge", "… a Contest")."""
    action: Json = {"type": "attack", "target": "Xan", "opposition": PASSIVE.at(0)}
    request = ask({"frame": frame}, request={"ruleset": RULESET}, **action)

    if frame in WHERE_ATTACKS_BELONG:
        assert resolved(request)["outcome"] == "succeed"
    else:
        assert refused(request)[0] == "not_in_frame"


def test_nobody_defends_against_overcoming() -> None:
    """Who is in the way opposes, and gains nothing by it ("Can I Defend Against Overcome Actions?")."""
    request = ask(request={"ruleset": RULESET}, opposition={"kind": "defend", "by": "Xan", "roll": {"total": 0}})

    assert refused(request) == ("bad_opposition", "action.opposition.kind", ["passive", "active"])


@pytest.mark.parametrize(
    ("action", "section"),
    [
        ({"type": "overcome"}, "Overcome"),
        ({"type": "create_advantage"}, "Create an Advantage"),
        ({"type": "attack", "target": "Xan"}, "Attack"),
        ({"type": "defend"}, "Defend"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
@pytest.mark.parametrize("shifts", [-1, 0, 1, 3], ids=lambda shifts: f"{shifts:+d}")
def test_every_row_names_the_section_of_this_document(action: Json, section: str, shifts: int) -> None:
    """Whoever doubts a ruling finds the page."""
    answer = resolved(ask(request={"ruleset": RULESET}, roll={"total": shifts}, **action))

    assert {"document": "Fate Core System", "section": section} == answer["source"]
