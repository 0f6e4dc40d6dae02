"""The table of `coppermane`, every cell, against what document 001 and the spec say; typed here, not read."""

import pytest

from narrator import NarratorError
from tests.deeds import Deed
from tests.rules.build import (
    ANN,
    DEFEND,
    DEFENDED,
    FAIL,
    FAIL_BY_LESS_THAN_3,
    FRAMES,
    PASSIVE,
    STANDS_IN,
    SUCCEED,
    TIE,
    UNDEFENDED,
    Cell,
    Json,
    Landing,
    Way,
    ask,
    resolved,
    shown,
    wrong,
)

RULESET = "coppermane"

SKILLS = (
    "Athletics Burglary Contacts Crafts Deceive Drive Empathy Fight Investigate Lore Notice Physique Provoke Rapport "
    "Resources Shoot Stealth Will"
)

DEEDS: tuple[Deed, ...] = (
    Deed("overcome", (None,), ("passive", "active", "defend")),
    Deed(
        "create_advantage",
        (None, "new_aspect", "existing_aspect", "discover_aspect"),
        ("passive", "active"),
        ("defend", "passive"),
    ),
    Deed("attack", (None,), (), ("defend", "passive")),
    Deed("defend", (None,), ("active", "passive")),
)

FAIL_BY_3_TO_6 = Landing("fail", (-3, -6))
FAIL_BY_7_OR_MORE = Landing("fail", (-7, -9))
STYLE = Landing("succeed_with_style", (3, 6))
EPIC = Landing("epic_success", (7, 9))

NOT_IN_A_CONTEST = (None, "challenge", "conflict")
IN_A_CONTEST = ("contest", "contest_under_fire")
WHERE_ATTACKS_BELONG = (None, "contest_under_fire", "conflict")

SERIOUS = "loss, consequence(Ann mild 0 free), new_opposition, opposition_advantage(@opp 1 free)"
MINOR = "complication, tough_choice, twist"
ACTORS_BOOST = "*boost: boost(Ann 1 free)"
DEFENDERS_BOOST = "*defender_boost/boost: boost(@defender 1 free)"
ACTORS_LEGEND = "+legend_points(Ann 1)"
DEFENDERS_LEGEND = "+legend_points(@defender 1)"
FORFEIT = "+forfeit_next_contest_roll(Ann)"


def with_each(branches: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """Every branch, with this besides."""
    return tuple(" → ".join([branch, *more]) for branch in branches)


def overcome() -> list[Cell]:
    """Overcome: whoever is defended against with style does not get it, at no price."""
    alone = {"type": "overcome"}
    on_xan = {"type": "overcome", "target": "Xan"}
    defends = (DEFEND, STANDS_IN)
    may_pay = ("[fail] ✗", f"[serious_cost] ✓ → *serious_cost: {SERIOUS}")
    won = [
        (TIE, (f"[minor_cost] ✓ → *minor_cost: {MINOR}",)),
        (SUCCEED, ("[succeed] ✓",)),
        (STYLE, (f"[boost] ✓ → {ACTORS_BOOST}",)),
        (EPIC, (f"[boost] ✓ → {ACTORS_LEGEND} → {ACTORS_BOOST}",)),
    ]
    return [
        Cell("overcome", FAIL, may_pay, action=alone),
        Cell("overcome, defended", FAIL_BY_LESS_THAN_3, may_pay, ways=defends, action=on_xan),
        Cell("overcome, defended", FAIL_BY_3_TO_6, (f"[fail] ✗ → {DEFENDERS_BOOST}",), ways=defends, action=on_xan),
        Cell(
            "overcome, defended",
            FAIL_BY_7_OR_MORE,
            (f"[fail] ✗ → {DEFENDERS_LEGEND} → {DEFENDERS_BOOST}",),
            ways=defends,
            action=on_xan,
        ),
        *(Cell("overcome", reach, branches, action=alone) for reach, branches in won),
        *(Cell("overcome, defended", reach, branches, ways=defends, action=on_xan) for reach, branches in won),
    ]


def create(
    variant: str, aspect: str | None, *, fail: tuple[str, ...], won: list[tuple[Landing, tuple[str, ...]]]
) -> list[Cell]:
    """Create an advantage, alone and on Xan, who defends: rolling, passively, or with another in his place."""
    name = f"create {variant}{' named' if aspect else ''}"
    alone = {"type": "create_advantage", "variant": variant, "aspect": aspect}
    on_xan = alone | {"target": "Xan"}

    def failing(reach: Landing, action: Json, ways: tuple[Way, ...], *more: str) -> list[Cell]:
        known = f"{name} on Xan" if "target" in action else name
        return [
            Cell(known, reach, with_each(fail, *more), ways=ways, frames=NOT_IN_A_CONTEST, action=action),
            Cell(known, reach, with_each(fail, *more, FORFEIT), ways=ways, frames=IN_A_CONTEST, action=action),
        ]

    return [
        *failing(FAIL, alone, UNDEFENDED),
        *failing(FAIL_BY_LESS_THAN_3, on_xan, DEFENDED),
        *failing(FAIL_BY_3_TO_6, on_xan, DEFENDED, DEFENDERS_BOOST),
        *failing(FAIL_BY_7_OR_MORE, on_xan, DEFENDED, DEFENDERS_BOOST, DEFENDERS_LEGEND),
        *(Cell(name, reach, branches, action=alone) for reach, branches in won),
        *(Cell(f"{name} on Xan", reach, branches, ways=DEFENDED, action=on_xan) for reach, branches in won),
    ]


def create_new_aspect(meant: str | None) -> list[Cell]:
    """Create a new aspect: an ally may use it too; the boost of a tie is the actor's alone."""
    draft = f' "{meant}"' if meant else ""
    slot = f"*aspect{draft}: situation_aspect"
    return create(
        "new_aspect",
        meant,
        fail=("[no_aspect] ✗", f"[aspect_for_opposition] ✗ → {slot}(@opp 1 free)"),
        won=[
            (TIE, (f"[boost] ◐ → *boost{draft}: boost(Ann 1 free)",)),
            (SUCCEED, (f"[aspect] ✓ → {slot}(Ann,Bea 1 free)",)),
            (STYLE, (f"[aspect] ✓ → {slot}(Ann,Bea 2 free)",)),
            (EPIC, (f"[aspect] ✓ → {ACTORS_LEGEND} → {slot}(Ann,Bea 2 free)",)),
        ],
    )


def create_discover_aspect(named: str | None) -> list[Cell]:
    """Discover an aspect: a tie is a success; what has its words already wants none."""

    def revealed(who: str, number: int) -> str:
        if named:
            return f"+free_invocations({who} {number} on {named})"
        return f"*aspect: situation_aspect({who} {number} free)"

    return create(
        "discover_aspect",
        named,
        fail=("[no_aspect] ✗", f"[aspect_for_opposition] ✗ → {revealed('@opp', 1)}"),
        won=[
            (TIE, (f"[aspect] ✓ → {revealed('Ann,Bea', 1)}",)),
            (SUCCEED, (f"[aspect] ✓ → {revealed('Ann,Bea', 1)}",)),
            (STYLE, (f"[aspect] ✓ → {revealed('Ann,Bea', 2)}",)),
            (EPIC, (f"[aspect] ✓ → {ACTORS_LEGEND} → {revealed('Ann,Bea', 2)}",)),
        ],
    )


def use_existing_aspect() -> list[Cell]:
    """Use an existing aspect: a failure serves nobody, and a tie is as good as a success."""
    once = "+free_invocations(Ann,Bea 1 on Rough Terrain)"
    twice = "+free_invocations(Ann,Bea 2 on Rough Terrain)"
    return create(
        "existing_aspect",
        "Rough Terrain",
        fail=("[nothing] ✗",),
        won=[
            (TIE, (f"[invocation] ✓ → {once}",)),
            (SUCCEED, (f"[invocation] ✓ → {once}",)),
            (STYLE, (f"[invocations] ✓ → {twice}",)),
            (EPIC, (f"[invocations] ✓ → {ACTORS_LEGEND} → {twice}",)),
        ],
    )


def attack() -> list[Cell]:
    """Attack: on Xan, who defends, or another for him."""

    def cell(reach: Landing, *branches: str) -> Cell:
        action = {"type": "attack", "target": "Xan"}
        return Cell("attack", reach, branches, ways=DEFENDED, frames=WHERE_ATTACKS_BELONG, action=action)

    stylish = ("[hit] ✓ → +hit(@defender @shifts)", f"[hit_and_boost] ✓ → +hit(@defender @shifts-1) → {ACTORS_BOOST}")
    return [
        cell(FAIL_BY_LESS_THAN_3, "[no_harm] ✗"),
        cell(FAIL_BY_3_TO_6, f"[no_harm] ✗ → {DEFENDERS_BOOST}"),
        cell(FAIL_BY_7_OR_MORE, f"[no_harm] ✗ → {DEFENDERS_LEGEND} → {DEFENDERS_BOOST}"),
        cell(TIE, f"[boost] ✗ → {ACTORS_BOOST}"),
        cell(SUCCEED, "[hit] ✓ → +hit(@defender @shifts)"),
        cell(STYLE, *stylish),
        cell(EPIC, *with_each(stylish, ACTORS_LEGEND)),
    ]


def defend() -> list[Cell]:
    """Defend: on a tie and a success the opponent's own action says what happens."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("defend", reach, branches, action={"type": "defend"})

    return [
        cell(FAIL, "[suffer] ✗"),
        cell(TIE, "[as_opponent] ?"),
        cell(SUCCEED, "[as_opponent] ?"),
        cell(STYLE, f"[boost] ✓ → {ACTORS_BOOST}"),
        cell(EPIC, f"[boost] ✓ → {ACTORS_LEGEND} → {ACTORS_BOOST}"),
    ]


TABLE = [
    *overcome(),
    *create_new_aspect(None),
    *create_new_aspect("Sand in the Eyes"),
    *create_discover_aspect(None),
    *create_discover_aspect("Loose Roof Tiles"),
    *use_existing_aspect(),
    *attack(),
    *defend(),
]


@pytest.mark.parametrize("cell", TABLE, ids=str)
def test_every_cell_gives_what_the_table_says(cell: Cell) -> None:
    """A row gives the branches, goals, grants, slots and forms that document and spec have, and no others."""
    assert wrong(RULESET, cell) == []


@pytest.mark.parametrize(
    ("told", "said"),
    [(6, []), (7, ["An epic success"]), (-6, []), (-7, ["An epic defence"])],
    ids=["style", "epic success", "stylish defence", "epic defence"],
)
def test_an_epic_roll_asks_for_a_telling_that_pushes_what_is_possible(told: int, said: list[str]) -> None:
    """From seven shifts on, on either side, a notice says so; with fewer there is none."""
    action: Json = {"type": "attack", "target": "Xan", "roll": {"total": told}}

    notices = resolved(ask(request={"ruleset": RULESET}, **action))["notices"]

    assert [(start, True) for start in said] == [
        (notice.partition(":")[0], "push what is possible" in notice) for notice in notices
    ]


def test_who_has_no_ally_keeps_the_free_invocation() -> None:
    """Without an ally the list names the actor alone."""
    scene = {"characters": [ANN, {"name": "Xan", "side": "opposition"}]}

    answer = resolved(ask(scene, request={"ruleset": RULESET}, type="create_advantage"))

    assert shown(answer) == ["[aspect] ✓ → *aspect: situation_aspect(Ann 1 free)"]


def test_an_ally_who_acts_makes_the_same_list() -> None:
    """Whoever of a side acts, actor and allies are named in order of their names."""
    answer = resolved(ask(request={"ruleset": RULESET}, type="create_advantage", actor="Bea"))

    assert shown(answer) == ["[aspect] ✓ → *aspect: situation_aspect(Ann,Bea 1 free)"]


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame or "no frame")
def test_attacks_belong_where_there_is_a_fight(frame: str | None) -> None:
    """As in five actions, a challenge has no attack, nor has a contest that is not under fire."""
    request = ask({"frame": frame}, request={"ruleset": RULESET}, type="attack", target="Xan", opposition=PASSIVE.at(0))
    try:
        found = resolved(request)["outcome"]
    except NarratorError as error:
        found = error.code

    assert ("succeed" if frame in WHERE_ATTACKS_BELONG else "not_in_frame") == found


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
@pytest.mark.parametrize("shifts", [-1, 0, 1, 3, 7], ids=lambda shifts: f"{shifts:+d}")
def test_every_row_names_the_section_of_this_document(action: Json, section: str, shifts: int) -> None:
    """Whoever doubts a ruling finds the page, also for rows that are those of five actions."""
    answer = resolved(ask(request={"ruleset": RULESET}, roll={"total": shifts}, **action))

    assert {"document": "Coppermane", "section": section} == answer["source"]
