"""The table of `base-actions`, every cell, against what document 004 and the spec say; typed here, not read."""

import pytest

from tests.deeds import Deed
from tests.rules.build import (
    ACTIVE,
    DEFEND,
    DEFENDED,
    FAIL,
    FAIL_BY_3_OR_MORE,
    FAIL_BY_LESS_THAN_3,
    FRAMES,
    PASSIVE,
    STANDS_IN,
    STYLE,
    SUCCEED,
    TIE,
    Cell,
    Json,
    Landing,
    Way,
    ask,
    resolved,
    wrong,
)

RULESET = "base-actions"

SKILLS = (
    "Athletics Burglary Contacts Crafts Deceive Drive Empathy Fight Investigate Lore Notice Physique Provoke Rapport "
    "Resources Shoot Stealth Will"
)

DEEDS: tuple[Deed, ...] = (
    Deed("overcome", (None,), ("passive", "active", "defend")),
    Deed(
        "create_advantage",
        (None, "new_aspect", "existing_aspect"),
        ("passive", "active", "defend"),
        ("defend", "passive"),
    ),
    Deed("attack", (None,), (), ("defend", "passive")),
    Deed("defend", (None,), ("active", "passive")),
)

NOT_IN_A_CONTEST = (None, "challenge", "conflict")
IN_A_CONTEST = ("contest", "contest_under_fire")
WHERE_ATTACKS_BELONG = (None, "contest_under_fire", "conflict")

SERIOUS = "new_opposition, consequence(Ann mild 0 free), opposition_advantage(@opp 1 free)"
MINOR = "story_detail, stress(Ann 1 mental,physical), opposition_boost(@opp 1 free), close_call, lesser_version(◐)"
MINOR_WITHOUT_BOOST = "story_detail, stress(Ann 1 mental,physical), close_call, lesser_version(◐)"
ACTORS_BOOST = "*boost: boost(Ann 1 free)"
DEFENDERS_BOOST = "*defender_boost/boost: boost(@defender 1 free)"
FORFEIT = "+forfeit_next_contest_roll(Ann)"

DEFENDS = (DEFEND, STANDS_IN)


def overcome() -> list[Cell]:
    """Overcome: passive, against a defend, and against mere opposition, which gives no boost to either side."""
    may_pay = ("[fail] ✗", f"[serious_cost] ✓ → *serious_cost: {SERIOUS}")
    at_a_price = ("[fail] ✗", f"[minor_cost] ✓ → *minor_cost: {MINOR}")
    without_boost = ("[fail] ✗", f"[minor_cost] ✓ → *minor_cost: {MINOR_WITHOUT_BOOST}")
    stylish = ("[boost] ✓ → *boost: boost(Ann 1 free), story_detail",)
    defended = tuple(f"{branch} → {DEFENDERS_BOOST}" for branch in may_pay)

    def cell(reach: Landing, branches: tuple[str, ...], *ways: Way) -> Cell:
        return Cell("overcome", reach, branches, ways=ways, action={"type": "overcome", "target": "Xan"})

    return [
        cell(FAIL, may_pay, PASSIVE, ACTIVE),
        cell(FAIL_BY_LESS_THAN_3, may_pay, *DEFENDS),
        cell(FAIL_BY_3_OR_MORE, defended, *DEFENDS),
        cell(TIE, at_a_price, PASSIVE, *DEFENDS),
        cell(TIE, without_boost, ACTIVE),
        cell(SUCCEED, ("[succeed] ✓",), PASSIVE, ACTIVE, *DEFENDS),
        cell(STYLE, stylish, PASSIVE, *DEFENDS),
        cell(STYLE, ("[boost] ✓",), ACTIVE),
    ]


def create(
    variant: str,
    aspect: str | None,
    *,
    fail: tuple[str, ...],
    tie: tuple[str, str],
    won: list[tuple[Landing, str]],
) -> list[Cell]:
    """
    Create an advantage: alone against a rating, mere opposition or a defend, and on Xan, who defends.

    The two branches of a tie are the one with its boost, and the one that mere opposition leaves.
    """
    name = f"create {variant}{' with a draft' if aspect and variant == 'new_aspect' else ''}"
    alone = {"type": "create_advantage", "variant": variant, "aspect": aspect}
    by_xan = Way("defend by Xan", {"kind": "defend", "by": "Xan"}, defender="Xan", opponent="Xan")
    tie_with_boost, tie_without = tie

    def failing(reach: Landing, action: Json, ways: tuple[Way, ...], *more: str) -> list[Cell]:
        def branches(*besides: str) -> tuple[str, ...]:
            return tuple(" → ".join([branch, *more, *besides]) for branch in fail)

        known = name if ACTIVE in ways else f"{name}{' on Xan' if 'target' in action else ''}, defended"
        return [
            Cell(known, reach, branches(), ways=ways, frames=NOT_IN_A_CONTEST, action=action),
            Cell(known, reach, branches(FORFEIT), ways=ways, frames=IN_A_CONTEST, action=action),
        ]

    def defended(action: Json, *ways: Way) -> list[Cell]:
        known = f"{name}{' on Xan' if 'target' in action else ''}, defended"
        return [
            *failing(FAIL_BY_LESS_THAN_3, action, ways),
            *failing(FAIL_BY_3_OR_MORE, action, ways, DEFENDERS_BOOST),
            Cell(known, TIE, (tie_with_boost,), ways=ways, action=action),
            *(Cell(known, reach, (branch,), ways=ways, action=action) for reach, branch in won),
        ]

    return [
        *failing(FAIL, alone, (PASSIVE, ACTIVE)),
        Cell(name, TIE, (tie_without,), ways=(ACTIVE,), action=alone),
        Cell(name, TIE, (tie_with_boost,), ways=(PASSIVE,), action=alone),
        *(Cell(name, reach, (branch,), action=alone) for reach, branch in won),
        *defended(alone, by_xan),
        *defended(alone | {"target": "Xan"}, *DEFENDED),
    ]


def create_new_aspect(meant: str | None) -> list[Cell]:
    """Add a new aspect: a tie fails, but with a boost."""
    draft = f' "{meant}"' if meant else ""
    return create(
        "new_aspect",
        meant,
        fail=("[no_aspect] ✗", f"[aspect_for_opposition] ✗ → *aspect{draft}: situation_aspect(@opp 1 free)"),
        tie=(f"[boost] ✗ → *boost{draft}: boost(Ann 1 free)", "[boost] ✗"),
        won=[
            (SUCCEED, f"[aspect] ✓ → *aspect{draft}: situation_aspect(Ann 1 free)"),
            (STYLE, f"[aspect] ✓ → *aspect{draft}: situation_aspect(Ann 2 free)"),
        ],
    )


def use_existing_aspect() -> list[Cell]:
    """Invoke an existing aspect: a tie gives a boost of its own words, not the aspect's."""
    return create(
        "existing_aspect",
        "Rough Terrain",
        fail=("[invocation_for_opposition] ✗ → +free_invocations(@opp 1 on Rough Terrain)",),
        tie=(f"[boost] ✗ → {ACTORS_BOOST}", "[boost] ✗"),
        won=[
            (SUCCEED, "[invocation] ✓ → +free_invocations(Ann 1 on Rough Terrain)"),
            (STYLE, "[invocations] ✓ → +free_invocations(Ann 2 on Rough Terrain)"),
        ],
    )


def attack() -> list[Cell]:
    """Attack: on Xan, who defends, or another for him."""

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
    """Defend: a tie fails; what the attacker rolled is no mere opposition, so that its boosts stay."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("defend", reach, branches, action={"type": "defend"})

    return [
        cell(FAIL, "[suffer] ✗"),
        cell(TIE, "[boost_for_opponent] ✗ → *boost: boost(@opponent 1 free)"),
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
    """A row gives the branches, goals, grants, slots and forms that document and spec have, and no others."""
    assert wrong(RULESET, cell) == []


@pytest.mark.parametrize("kind", ["overcome", "create_advantage"])
@pytest.mark.parametrize("shifts", [-8, -3, -1, 0, 1, 2, 3, 8], ids=lambda shifts: f"{shifts:+d}")
def test_mere_opposition_gives_a_boost_to_nobody(kind: str, shifts: int) -> None:
    """Whatever the roll, under active opposition no slot and no form is a boost, in no frame."""
    answers = [
        resolved(
            ask(
                {"frame": frame},
                request={"ruleset": RULESET},
                type=kind,
                roll={"total": shifts},
                opposition={"kind": "active", "by": "Xan", "roll": {"total": 0}},
            )
        )
        for frame in FRAMES
    ]

    assert [
        form["form"]
        for answer in answers
        for branch in answer["branches"]
        for slot in branch["slots"]
        for form in slot["forms"]
        if "boost" in (slot["kind"], form["form"], form["form"].removeprefix("opposition_"))
    ] == []


@pytest.mark.parametrize(
    ("action", "section"),
    [
        ({"type": "overcome"}, "Overcome"),
        ({"type": "create_advantage"}, "Create Advantage"),
        ({"type": "attack", "target": "Xan"}, "Attack"),
        ({"type": "defend"}, "Defend"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
@pytest.mark.parametrize("shifts", [-1, 0, 1, 3], ids=lambda shifts: f"{shifts:+d}")
def test_every_row_names_the_section_of_this_document(action: Json, section: str, shifts: int) -> None:
    """Whoever doubts a ruling finds the page, also for rows that are those of five actions."""
    answer = resolved(ask(request={"ruleset": RULESET}, roll={"total": shifts}, **action))

    assert {"document": "Base Actions", "section": section} == answer["source"]
