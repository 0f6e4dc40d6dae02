"""The table of `fate-accelerated`, every cell, against what the Fate Accelerated SRD says; typed here, not read."""

import pytest

import narrator
from narrator.render import words
from tests.deeds import Deed
from tests.rules.build import (
    ANN,
    DEFEND,
    DEFENDED,
    FAIL,
    FAIL_BY_3_OR_MORE,
    FAIL_BY_LESS_THAN_3,
    FRAMES,
    STANDS_IN,
    STYLE,
    SUCCEED,
    TIE,
    UNDEFENDED,
    XAN,
    Cell,
    Json,
    Landing,
    ask,
    resolved,
    wrong,
)

RULESET = "fate-accelerated"

SKILLS = "Careful Clever Flashy Forceful Quick Sneaky"

STRESS = {"stress": [1, 2, 3]}

DEEDS: tuple[Deed, ...] = (
    Deed("overcome", (None,), ("passive", "active", "defend")),
    Deed(
        "create_advantage",
        (None, "new_aspect", "existing_aspect", "discover_aspect"),
        ("passive", "active", "defend"),
        ("defend", "passive"),
    ),
    Deed("attack", (None,), (), ("defend", "passive")),
    Deed("defend", (None,), ("active", "passive")),
)

ACTORS_BOOST = "*boost: boost(Ann 1 free)"
DEFENDERS_BOOST = "*defender_boost/boost: boost(@defender 1 free)"


def overcome() -> list[Cell]:
    """Overcome: against a defence with style nobody gets it, at no price ("Defend")."""
    alone, on_xan = {"type": "overcome"}, {"type": "overcome", "target": "Xan"}
    defends = (DEFEND, STANDS_IN)
    may_pay = (
        "[fail] ✗",
        "[serious_cost] ✓ → *serious_cost: loss, consequence(Ann mild 0 free), new_opposition, "
        "opposition_advantage(@opp 1 free)",
    )
    won = [
        (
            TIE,
            "[minor_cost] ✓ → *minor_cost: complication, tough_choice, twist, opposition_boost(@opp 1 free), "
            "stress(Ann 1 stress)",
        ),
        (SUCCEED, "[succeed] ✓"),
        (STYLE, f"[boost] ✓ → {ACTORS_BOOST}"),
    ]
    return [
        Cell("overcome", FAIL, may_pay, action=alone),
        Cell("overcome, defended", FAIL_BY_LESS_THAN_3, may_pay, ways=defends, action=on_xan),
        Cell("overcome, defended", FAIL_BY_3_OR_MORE, (f"[fail] ✗ → {DEFENDERS_BOOST}",), ways=defends, action=on_xan),
        *(Cell("overcome", reach, (branch,), action=alone) for reach, branch in won),
        *(Cell("overcome, defended", reach, (branch,), ways=defends, action=on_xan) for reach, branch in won),
    ]


def create(variant: str, aspect: str | None, *, fail: tuple[str, ...], won: list[tuple[Landing, str]]) -> list[Cell]:
    """Create an advantage, alone, against somebody in the way who defends, and on Xan; no scene changes it."""
    name = f"create {variant}{' named' if aspect else ''}"
    alone = {"type": "create_advantage", "variant": variant, "aspect": aspect}
    on_xan = alone | {"target": "Xan"}
    boosted = tuple(f"{branch} → {DEFENDERS_BOOST}" for branch in fail)
    defended = ((name, (STANDS_IN,), alone), (f"{name} on Xan", DEFENDED, on_xan))
    return [
        Cell(name, FAIL, fail, action=alone),
        *(Cell(name, reach, (branch,), action=alone) for reach, branch in won),
        *(Cell(known, FAIL_BY_LESS_THAN_3, fail, ways=ways, action=action) for known, ways, action in defended),
        *(Cell(known, FAIL_BY_3_OR_MORE, boosted, ways=ways, action=action) for known, ways, action in defended),
        *(
            Cell(known, reach, (branch,), ways=ways, action=action)
            for known, ways, action in defended
            for reach, branch in won
        ),
    ]


def create_new_aspect(meant: str | None) -> list[Cell]:
    """A new aspect: oneself or an ally may use it; a tie is a boost."""
    draft = f' "{meant}"' if meant else ""
    slot = f"*aspect{draft}: situation_aspect"
    return create(
        "new_aspect",
        meant,
        fail=("[no_aspect] ✗", f"[aspect_for_opposition] ✗ → {slot}(@opp 1 free)"),
        won=[
            (TIE, f"[boost] ◐ → *boost{draft}: boost(Ann 1 free)"),
            (SUCCEED, f"[aspect] ✓ → {slot}(Ann,Bea 1 free)"),
            (STYLE, f"[aspect] ✓ → {slot}(Ann,Bea 2 free)"),
        ],
    )


def create_discover_aspect(named: str | None) -> list[Cell]:
    """An aspect discovered: a tie is a success; what has its words already wants none."""

    def revealed(who: str, number: int) -> str:
        if named:
            return f"+free_invocations({who} {number} on {named})"
        return f"*aspect: situation_aspect({who} {number} free)"

    return create(
        "discover_aspect",
        named,
        fail=("[no_aspect] ✗", f"[aspect_for_opposition] ✗ → {revealed('@opp', 1)}"),
        won=[
            (TIE, f"[aspect] ✓ → {revealed('Ann,Bea', 1)}"),
            (SUCCEED, f"[aspect] ✓ → {revealed('Ann,Bea', 1)}"),
            (STYLE, f"[aspect] ✓ → {revealed('Ann,Bea', 2)}"),
        ],
    )


def use_existing_aspect() -> list[Cell]:
    """An aspect one knows of: a failure serves nobody, and a tie is as good as a success."""
    once = "[invocation] ✓ → +free_invocations(Ann,Bea 1 on Rough Terrain)"
    twice = "[invocations] ✓ → +free_invocations(Ann,Bea 2 on Rough Terrain)"
    won = [(TIE, once), (SUCCEED, once), (STYLE, twice)]
    return create("existing_aspect", "Rough Terrain", fail=("[nothing] ✗",), won=won)


def attack() -> list[Cell]:
    """Attack: on Xan, who defends, or another for him, in any scene."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("attack", reach, branches, ways=DEFENDED, action={"type": "attack", "target": "Xan"})

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
    """Defend: of a tie and of a success the opponent's action says what happens."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("defend", reach, branches, ways=UNDEFENDED, action={"type": "defend"})

    return [
        cell(FAIL, "[suffer] ✗"),
        cell(TIE, "[as_opponent] ?"),
        cell(SUCCEED, "[as_opponent] ?"),
        cell(STYLE, f"[boost] ✓ → {ACTORS_BOOST}"),
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
    """A row gives the branches, goals, grants, slots and forms that the document has, and no others."""
    assert wrong(RULESET, cell) == []


@pytest.mark.parametrize(
    ("hit", "ways"),
    [
        (3, [(3, []), (1, ["mild"]), (2, ["mild"]), (None, ["moderate"]), (None, ["severe"])]),
        (4, [(2, ["mild"]), (3, ["mild"]), (None, ["moderate"]), (None, ["severe"])]),
        (15, [(3, ["mild", "moderate", "severe"])]),
        (16, []),
    ],
    ids=lambda each: str(each) if isinstance(each, int) else "",
)
def test_a_hit_marks_one_box_of_three(hit: int, ways: list[tuple[int | None, list[str]]]) -> None:
    """One track of boxes 1, 2 and 3, one box a hit, and consequences of 2, 4 and 6 ("What Is Stress?")."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}

    answer = resolved(ask(scene, request={"ruleset": RULESET}, type="attack", target="Xan", roll={"total": hit}))

    found = answer["branches"][0]["grants"][0]
    assert found["track"] == "stress"
    assert ways == [(way.get("stress"), way["consequences"]) for way in found["absorb"]]


def test_the_only_track_is_called_stress_once() -> None:
    """Its name is said where there would be another, so never "stress stress"."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}
    request = ask(scene, request={"ruleset": RULESET}, type="attack", target="Xan", roll={"total": 2})
    tie = narrator.resolve(ask(scene, request={"ruleset": RULESET}, roll={"total": 0}))

    settled = narrator.settle(request, {"branch": "hit", "absorb": {"stress": 2}})

    assert [words.change(each) for each in settled.changes] == ["Xan: stress, marks a box of 2"]
    assert words.state(settled.scene.characters[1]) == "stress 2"
    assert words.mechanics(tie.branches[0].slots[0].forms[-1]) == ("1 stress",)


def test_who_inflicts_a_consequence_has_a_free_invocation_of_it() -> None:
    """Whoever hit gets one ("What Are Consequences?")."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}
    answer = resolved(ask(scene, request={"ruleset": RULESET}, type="attack", target="Xan"))

    hit = answer["branches"][0]["grants"][0]

    assert (hit["free_invocations"], hit["holders"]) == (1, ["Ann"])


@pytest.mark.parametrize("approach", [0, 1, 2], ids=["Mediocre", "Average", "Fair"])
def test_every_helper_adds_1(approach: int) -> None:
    """Each ally that helps gives +1, whatever their approach is rated ("Getting Help")."""
    people = [ANN | {"skills": {"Forceful": 3}}, {"name": "Bea", "side": "pc", "skills": {"Forceful": approach}}, XAN]
    action: Json = {"skill": "Forceful", "helpers": ["Bea"], "roll": {"dice": [0, 0, 0, 0]}}

    answer = resolved(ask({"characters": people}, request={"ruleset": RULESET}, **action))

    assert answer["roll"]["total"] == 4


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame or "no frame")
def test_no_scene_refuses_an_action(frame: str | None) -> None:
    """Of attacks in challenges and contests the document says nothing."""
    answer = resolved(ask({"frame": frame}, request={"ruleset": RULESET}, type="attack", target="Xan"))

    assert answer["outcome"] == "succeed"


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

    assert {"document": "Fate Accelerated Edition", "section": section} == answer["source"]
