"""The tables of `war-of-ashes`, every cell, against what document 003 and the spec say; typed here, not read."""

from collections.abc import Iterable

import pytest

from tests.deeds import Deed
from tests.rules.build import (
    ACTIVE,
    ANN,
    DEFEND,
    DEFENDED,
    FAIL,
    FAIL_BY_3_OR_MORE,
    FAIL_BY_LESS_THAN_3,
    PASSIVE,
    SCENE,
    STANDS_IN,
    STYLE,
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

RULESET = "war-of-ashes"

SKILLS = "Careful Clever Flashy Forceful Quick Sneaky"

DEEDS: tuple[Deed, ...] = (
    Deed("overcome", (None,), ("passive", "active", "defend")),
    Deed("overcome", ("movement",), ("movement", "active")),
    Deed("overcome", (None,), ("active", "defend"), maneuvers=("push", "pull")),
    Deed("overcome", (None,), ("passive",), maneuvers=("full_attack",)),
    Deed(
        "create_advantage",
        (None, "new_aspect", "existing_aspect", "discover_aspect"),
        ("passive", "active"),
        ("defend", "passive"),
    ),
    Deed("create_advantage", (None,), ("passive", "active"), maneuvers=("full_defense",)),
    Deed("create_advantage", ("roar",), ("roar",)),
    Deed("create_advantage", ("unseen_zone",), ("unseen_zone",)),
    Deed("attack", (None,), (), ("defend", "passive"), maneuvers=(None, "charge")),
    Deed("defend", (None,), ("active", "passive")),
)

NOT_IN_A_CONTEST = (None, "challenge", "conflict")
IN_A_CONTEST = ("contest", "contest_under_fire")
WHERE_ATTACKS_BELONG = (None, "contest_under_fire", "conflict")

SERIOUS = "*serious_cost: new_opposition, consequence(Ann mild 0 free), opposition_advantage(@opp 1 free)"
MINOR = (
    "*minor_cost: story_detail, stress(Ann 1 mental,physical), opposition_boost(@opp 1 free), close_call, "
    "lesser_version(◐)"
)
ACTORS_BOOST = "*boost: boost(Ann 1 free)"
DEFENDERS_BOOST = "*defender_boost/boost: boost(@defender 1 free)"
CHARGE_BOOST = "*charge_boost/boost: boost(@defender 1 free)"
EXPOSED = "*exposed/boost: boost(@opp 1 free)"
LETHAL = "+lethal_next_attack(Ann)"
ATTACKERS_STRESS = "+stress(Ann 1)"
FORFEIT = "+forfeit_next_contest_roll(Ann)"

DEFENDS = (DEFEND, STANDS_IN)
BY_XAN = Way("defend by Xan", {"kind": "defend", "by": "Xan"}, defender="Xan", opponent="Xan")


def with_each(branches: tuple[str, ...], *more: str) -> tuple[str, ...]:
    """Every branch, with this besides."""
    return tuple(" → ".join([branch, *more]) for branch in branches)


def overcome() -> list[Cell]:
    """Overcome: the costs of five actions, and no price at all against a stylish defence."""

    def cell(reach: Landing, branches: tuple[str, ...], *ways: Way) -> Cell:
        return Cell("overcome", reach, branches, ways=ways, action={"type": "overcome", "target": "Xan"})

    may_pay = ("[fail] ✗", f"[serious_cost] ✓ → {SERIOUS}")
    every_way = (*UNDEFENDED, *DEFENDS)
    return [
        cell(FAIL, may_pay, *UNDEFENDED),
        cell(FAIL_BY_LESS_THAN_3, may_pay, *DEFENDS),
        cell(FAIL_BY_3_OR_MORE, (f"[fail] ✗ → {DEFENDERS_BOOST}",), *DEFENDS),
        cell(TIE, (f"[minor_cost] ✓ → {MINOR}",), *every_way),
        cell(SUCCEED, ("[succeed] ✓",), *every_way),
        cell(STYLE, (f"[boost] ✓ → {ACTORS_BOOST}",), *every_way),
    ]


def push_or_pull(maneuver: str) -> list[Cell]:
    """Push and pull: overcome, opposed; success moves the opponent, and the mover may follow, or goes along."""
    moves = {
        "push": ("+move(@opponent 1)", "+may_move(Ann 1)"),
        "pull": ("+move(@opponent 1)", "+move(Ann 1)"),
    }[maneuver]

    def cell(reach: Landing, branches: tuple[str, ...], *ways: Way) -> Cell:
        action = {"type": "overcome", "maneuver": maneuver}
        return Cell(maneuver, reach, branches, ways=ways, action=action)

    may_pay = ("[fail] ✗", f"[serious_cost] ✓ → {SERIOUS}")
    return [
        cell(FAIL, may_pay, ACTIVE),
        cell(FAIL_BY_LESS_THAN_3, may_pay, BY_XAN),
        cell(FAIL_BY_3_OR_MORE, (f"[fail] ✗ → {DEFENDERS_BOOST}",), BY_XAN),
        cell(TIE, (f"[minor_cost] ✓ → {MINOR}",), ACTIVE, BY_XAN),
        cell(SUCCEED, with_each(("[succeed] ✓",), *moves), ACTIVE, BY_XAN),
        cell(STYLE, with_each((f"[boost] ✓ → {ACTORS_BOOST}",), *moves), ACTIVE, BY_XAN),
    ]


def full_attack() -> list[Cell]:
    """Full attack: an overcome that exposes the actor whatever comes of it, and makes the next attack lethal."""

    def cell(reach: Landing, *branches: str) -> Cell:
        action = {"type": "overcome", "maneuver": "full_attack"}
        return Cell("full attack", reach, with_each(branches, EXPOSED), ways=(PASSIVE,), action=action)

    return [
        cell(FAIL, "[fail] ✗", f"[serious_cost] ✓ → {SERIOUS}"),
        cell(TIE, f"[minor_cost] ✓ → {MINOR}"),
        cell(SUCCEED, f"[succeed] ✓ → {LETHAL}"),
        cell(STYLE, f"[boost] ✓ → {LETHAL} → {ACTORS_BOOST}"),
    ]


def create(name: str, action: Json, *, fail: tuple[str, ...], won: list[tuple[Landing, str]]) -> list[Cell]:
    """Create an advantage, alone and on Xan, who defends: rolling, passively, or with another in his place."""
    alone = {"type": "create_advantage", **action}
    on_xan = alone | {"target": "Xan"}

    def failing(known: str, reach: Landing, action: Json, ways: tuple[Way, ...], *more: str) -> list[Cell]:
        return [
            Cell(known, reach, with_each(fail, *more), ways=ways, frames=NOT_IN_A_CONTEST, action=action),
            Cell(known, reach, with_each(fail, *more, FORFEIT), ways=ways, frames=IN_A_CONTEST, action=action),
        ]

    return [
        *failing(name, FAIL, alone, UNDEFENDED),
        *failing(f"{name} on Xan", FAIL_BY_LESS_THAN_3, on_xan, DEFENDED),
        *failing(f"{name} on Xan", FAIL_BY_3_OR_MORE, on_xan, DEFENDED, DEFENDERS_BOOST),
        *(Cell(name, reach, (branch,), action=alone) for reach, branch in won),
        *(Cell(f"{name} on Xan", reach, (branch,), ways=DEFENDED, action=on_xan) for reach, branch in won),
    ]


def create_new_aspect(meant: str | None) -> list[Cell]:
    """Create a new aspect: as in Coppermane, for the actor or an ally."""
    draft = f' "{meant}"' if meant else ""
    return create(
        f"create new_aspect{' with a draft' if meant else ''}",
        {"aspect": meant},
        fail=("[no_aspect] ✗", f"[aspect_for_opposition] ✗ → *aspect{draft}: situation_aspect(@opp 1 free)"),
        won=[
            (TIE, f"[boost] ◐ → *boost{draft}: boost(Ann 1 free)"),
            (SUCCEED, f"[aspect] ✓ → *aspect{draft}: situation_aspect(Ann,Bea 1 free)"),
            (STYLE, f"[aspect] ✓ → *aspect{draft}: situation_aspect(Ann,Bea 2 free)"),
        ],
    )


def full_defense() -> list[Cell]:
    """Full defence: success wants no words and gives an invocation against each attack; else as a new aspect."""
    return create(
        "full defense",
        {"maneuver": "full_defense"},
        fail=("[no_aspect] ✗", "[aspect_for_opposition] ✗ → *aspect: situation_aspect(@opp 1 free)"),
        won=[
            (TIE, "[boost] ◐ → *boost: boost(Ann 1 free)"),
            (SUCCEED, "[full_defense] ✓ → +free_invocation_each_attack(Ann 1)"),
            (STYLE, "[full_defense] ✓ → +free_invocation_each_attack(Ann 1)"),
        ],
    )


def create_discover_aspect(named: str | None) -> list[Cell]:
    """Discover an aspect: a tie is a success; what has its words already wants none."""

    def revealed(who: str, number: int) -> str:
        if named:
            return f"+free_invocations({who} {number} on {named})"
        return f"*aspect: situation_aspect({who} {number} free)"

    return create(
        f"create discover_aspect{' named' if named else ''}",
        {"variant": "discover_aspect", "aspect": named},
        fail=("[no_aspect] ✗", f"[aspect_for_opposition] ✗ → {revealed('@opp', 1)}"),
        won=[
            (TIE, f"[aspect] ✓ → {revealed('Ann,Bea', 1)}"),
            (SUCCEED, f"[aspect] ✓ → {revealed('Ann,Bea', 1)}"),
            (STYLE, f"[aspect] ✓ → {revealed('Ann,Bea', 2)}"),
        ],
    )


def use_existing_aspect() -> list[Cell]:
    """Use an existing aspect: a failure serves nobody, and a tie is as good as a success."""
    return create(
        "create existing_aspect",
        {"variant": "existing_aspect", "aspect": "Rough Terrain"},
        fail=("[nothing] ✗",),
        won=[
            (TIE, "[invocation] ✓ → +free_invocations(Ann,Bea 1 on Rough Terrain)"),
            (SUCCEED, "[invocation] ✓ → +free_invocations(Ann,Bea 1 on Rough Terrain)"),
            (STYLE, "[invocations] ✓ → +free_invocations(Ann,Bea 2 on Rough Terrain)"),
        ],
    )


def stylish(*maneuvers: str, moves: tuple[str, ...] = ()) -> tuple[str, ...]:
    """A stylish attack: the whole hit, or one less and a boost, in whose place maneuvers may stand."""
    boost = ", ".join(["*boost: boost(Ann 1 free)", *maneuvers])
    return with_each(
        ("[hit] ✓ → +hit(@defender @shifts)", f"[hit_and_boost] ✓ → +hit(@defender @shifts-1) → {boost}"), *moves
    )


def attack() -> list[Cell]:
    """Attack: a failure costs the attacker one stress; style allows the maneuvers that the strike allows."""

    def cells(name: str, how: Json, *maneuvers: str) -> Iterable[Cell]:
        action = {"type": "attack", "target": "Xan", "attack": how}

        def cell(reach: Landing, *branches: str) -> Cell:
            return Cell(name, reach, branches, ways=DEFENDED, frames=WHERE_ATTACKS_BELONG, action=action)

        return (
            cell(FAIL_BY_LESS_THAN_3, f"[no_harm] ✗ → {ATTACKERS_STRESS}"),
            cell(FAIL_BY_3_OR_MORE, f"[no_harm] ✗ → {ATTACKERS_STRESS} → {DEFENDERS_BOOST}"),
            cell(TIE, f"[boost] ✗ → {ACTORS_BOOST}"),
            cell(SUCCEED, "[hit] ✓ → +hit(@defender @shifts)"),
            cell(STYLE, *stylish(*maneuvers)),
        )

    disarm, footwork, knockback = "disarm(@defender)", "footwork(Ann)", "knockback(@defender)"
    return [
        *cells("attack in melee", {"melee": True}, disarm, footwork),
        *cells("attack, heavy weapon", {"melee": True, "heavy_weapon": True}, knockback, disarm, footwork),
        *cells("attack from afar", {"melee": False}),
        *cells("attack from afar with a heavy weapon", {"melee": False, "heavy_weapon": True}),
    ]


def charge() -> list[Cell]:
    """Charge: a failure gives a boost on top of all else, and style forces the target back and both end there."""
    moves = ("+move(@defender 1)", "+move(Ann 1)")

    def cell(reach: Landing, *branches: str) -> Cell:
        action = {"type": "attack", "target": "Xan", "maneuver": "charge"}
        return Cell("charge", reach, branches, ways=DEFENDED, frames=WHERE_ATTACKS_BELONG, action=action)

    return [
        cell(FAIL_BY_LESS_THAN_3, f"[no_harm] ✗ → {ATTACKERS_STRESS} → {CHARGE_BOOST}"),
        cell(FAIL_BY_3_OR_MORE, f"[no_harm] ✗ → {ATTACKERS_STRESS} → {CHARGE_BOOST} → {DEFENDERS_BOOST}"),
        cell(TIE, f"[boost] ✗ → {ACTORS_BOOST}"),
        cell(SUCCEED, "[hit] ✓ → +hit(@defender @shifts)"),
        cell(STYLE, *stylish("disarm(@defender)", "footwork(Ann)", moves=moves)),
    ]


def defend() -> list[Cell]:
    """Defend: on a tie and a success the opponent's own action says what happens, and nothing is epic."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("defend", reach, branches, action={"type": "defend"})

    return [
        cell(FAIL, "[suffer] ✗"),
        cell(TIE, "[as_opponent] ?"),
        cell(SUCCEED, "[as_opponent] ?"),
        cell(STYLE, f"[boost] ✓ → {ACTORS_BOOST}"),
    ]


def movement_against_somebody() -> list[Cell]:
    """Movement that somebody blocks: moving at a serious cost is always on offer."""
    action = {"type": "overcome", "variant": "movement", "path": ["Cliff Edge", "Mountain Path"]}
    return [
        Cell("movement", Landing(outcome, shifts), branches, ways=(ACTIVE,), action=action)
        for (outcome, branches), shifts in zip(
            movement(1, "Mountain Path").items(), [(-1, -3, -7), (0,), (1, 2), (3, 8)], strict=True
        )
    ]


def movement(zones: int, end: str) -> dict[str, tuple[str, ...]]:
    """The four rows of movement over so many zones."""
    moved = f"+move(Ann {zones} on {end})"
    return {
        "fail": ("[stay] ✗", f"[serious_cost] ✓ → {moved} → {SERIOUS}"),
        "tie": ("[stay] ✗", f"[minor_cost] ✓ → {moved} → {MINOR}"),
        "succeed": (f"[moved] ✓ → {moved}",),
        "succeed_with_style": (f"[boost] ✓ → {moved} → {ACTORS_BOOST}",),
    }


TABLE = [
    *overcome(),
    *push_or_pull("push"),
    *push_or_pull("pull"),
    *full_attack(),
    *create_new_aspect(None),
    *create_new_aspect("Sand in the Eyes"),
    *full_defense(),
    *create_discover_aspect(None),
    *create_discover_aspect("Loose Roof Tiles"),
    *use_existing_aspect(),
    *attack(),
    *charge(),
    *defend(),
    *movement_against_somebody(),
]

SHIFTS = {"fail": (-1, -4), "tie": (0,), "succeed": (1, 2), "succeed_with_style": (3, 8)}


def spelt_out(branches: Iterable[str]) -> list[str]:
    """The branches with the opposition by name, grants and slots in the notation's order."""
    heads = ((head, effects) for head, *effects in (line.replace("@opp", "Xan,Yve").split(" → ") for line in branches))
    return [" → ".join([head, *sorted(effects)]) for head, effects in heads]


def against(difficulty: int, shifts: int, opposition: Json, frame: str | None = None, **action: object) -> Json:
    """Resolve a told total that is so many shifts from a difficulty."""
    scene = SCENE | {"frame": frame}
    told = {"total": difficulty + shifts}
    answer = resolved(ask(scene, request={"ruleset": RULESET}, roll=told, opposition=opposition, **action))
    assert difficulty == answer["opposition"]["total"]
    return answer


@pytest.mark.parametrize("cell", TABLE, ids=str)
def test_every_cell_gives_what_the_table_says(cell: Cell) -> None:
    """A row gives the branches, goals, grants, slots and forms that document and spec have, and no others."""
    assert wrong(RULESET, cell) == []


@pytest.mark.parametrize(
    ("path", "difficulty"),
    [(["Ford", "Far Bank"], 0), (["Ford", "Far Bank", "Wood"], 2), (["Ford", "Far Bank", "Wood", "Hill"], 4)],
    ids=["one zone", "two zones", "three zones"],
)
@pytest.mark.parametrize("outcome", SHIFTS)
def test_movement_goes_to_the_end_of_the_path(path: list[str], difficulty: int, outcome: str) -> None:
    """Against the terrain, each row moves as many zones as the path has steps, and staying is free."""
    expected = spelt_out(movement(len(path) - 1, path[-1])[outcome])

    for shifts in SHIFTS[outcome]:
        answer = against(difficulty, shifts, {"kind": "movement"}, variant="movement", path=path)

        assert (outcome, expected) == (answer["outcome"], shown(answer))


ROAR = "+roar(Ann Careful Clever Sneaky)"
ROARING = "*aspect: situation_aspect(Ann,Bea {} free)"


@pytest.mark.parametrize(
    ("outcome", "branch"),
    [
        (
            "fail",
            f"[roar_at_cost] ✓ → {ROAR} → {ROARING.format(1)} → *serious_cost: consequence(Ann mild 1 free for @opp)",
        ),
        ("tie", f"[roar_at_cost] ✓ → {ROAR} → {ROARING.format(1)} → *boost: boost(@opp 1 free)"),
        ("succeed", f"[aspect] ✓ → {ROAR} → {ROARING.format(1)}"),
        ("succeed_with_style", f"[aspect] ✓ → {ROAR} → {ROARING.format(2)}"),
    ],
    ids=SHIFTS,
)
@pytest.mark.parametrize("rating", [2, 4], ids=["base", "higher"])
def test_every_cell_of_the_roar(outcome: str, branch: str, rating: int) -> None:
    """A roar comes in every row, for the actor or an ally, at a cost where it failed or tied."""
    for shifts in SHIFTS[outcome]:
        opposition: Json = {"kind": "roar", "rating": rating}
        answer = against(rating, shifts, opposition, type="create_advantage", variant="roar", skill="Careful")

        assert (outcome, spelt_out([branch])) == (answer["outcome"], shown(answer))


@pytest.mark.parametrize("frame", IN_A_CONTEST)
def test_a_failed_roar_in_a_contest_also_forfeits(frame: str) -> None:
    """It is still a create-an-advantage that failed, even where it attains its goal."""
    answer = against(2, -1, {"kind": "roar"}, frame, type="create_advantage", variant="roar", skill="Careful")

    assert ["+forfeit_next_contest_roll(Ann)" in branch for branch in shown(answer)] == [True]


@pytest.mark.parametrize(
    "character",
    [
        {"importance": "nameless"},
        {"importance": "swarm"},
        {"importance": "pc", "consequences": []},
        {"importance": "pc", "consequences": [{"severity": "mild", "name": "Hoarse"}]},
    ],
    ids=["nameless", "swarm", "no levels", "all levels taken"],
)
def test_who_can_take_no_consequence_cannot_roar_at_that_cost(character: Json) -> None:
    """A failure is then simply a failure; a tie is what it is for anybody."""
    scene = {"characters": [{"name": "Ann", "side": "pc", **character}, {"name": "Xan", "side": "opposition"}]}
    action = {"type": "create_advantage", "variant": "roar", "skill": "Flashy", "opposition": {"kind": "roar"}}

    failed = resolved(ask(scene, request={"ruleset": RULESET}, roll={"total": 1}, **action))
    tied = resolved(ask(scene, request={"ruleset": RULESET}, roll={"total": 2}, **action))

    assert shown(failed) == ["[fail] ✗"]
    assert [branch["id"] for branch in tied["branches"]] == ["roar_at_cost"]


@pytest.mark.parametrize(
    ("approach", "held"),
    [
        ("Careful", "Careful Clever Sneaky"),
        ("Clever", "Careful Clever Flashy"),
        ("Flashy", "Clever Flashy Forceful"),
        ("Forceful", "Flashy Forceful Quick"),
        ("Quick", "Forceful Quick Sneaky"),
        ("Sneaky", "Careful Quick Sneaky"),
    ],
)
def test_a_roar_is_held_to_an_approach_and_its_neighbours(approach: str, held: str) -> None:
    """The ring is Careful, Clever, Flashy, Forceful, Quick, Sneaky, and closes."""
    answer = against(2, 1, {"kind": "roar"}, type="create_advantage", variant="roar", skill=approach)

    assert spelt_out([f"[aspect] ✓ → +roar(Ann {held}) → {ROARING.format(1)}"]) == shown(answer)


@pytest.mark.parametrize(
    ("outcome", "branches"),
    [
        ("fail", ("[no_aspect] ✗", "[aspect_for_opposition] ✗ → *aspect: situation_aspect(@opp 1 free)")),
        ("tie", ("[boost] ◐ → *boost: boost(Ann 1 free)",)),
        ("succeed", ("[aspect] ✓ → *aspect: situation_aspect(Ann,Bea 1 free)",)),
        ("succeed_with_style", ("[aspect] ✓ → *aspect: situation_aspect(Ann,Bea 2 free)",)),
    ],
    ids=SHIFTS,
)
@pytest.mark.parametrize(
    ("base", "distance", "hindering", "difficulty"),
    [(1, 1, [], 1), (2, 1, [], 2), (1, 2, ["Rough Terrain"], 5), (2, 3, [], 6)],
    ids=["near", "harder", "in rough terrain, far", "farther"],
)
def test_an_unseen_zone_has_the_rows_of_a_new_aspect(
    outcome: str, branches: tuple[str, ...], base: int, distance: int, hindering: list[str], difficulty: int
) -> None:
    """Base, two for each aspect that hides it and two for each zone between make the difficulty."""
    opposition: Json = {"kind": "unseen_zone", "base": base, "distance": distance, "hindering": hindering}

    for shifts in SHIFTS[outcome]:
        answer = against(difficulty, shifts, opposition, type="create_advantage", variant="unseen_zone")

        assert (outcome, spelt_out(branches)) == (answer["outcome"], shown(answer))


@pytest.mark.parametrize("action", ["overcome", "create_advantage", "attack", "defend"])
def test_nothing_is_epic(action: str) -> None:
    """However high a roll, it is a success with style, and nobody gains legend points."""
    target = {"target": "Xan"} if action == "attack" else {}

    answer = resolved(ask(request={"ruleset": RULESET}, type=action, roll={"total": 9}, **target))

    assert (answer["outcome"], answer["notices"]) == ("succeed_with_style", [])
    assert "legend" not in str(shown(answer))


def test_who_is_alone_against_the_world_is_opposed_by_the_game_master() -> None:
    """With nobody on another side, the consequence of a failed roar is for the GM."""
    request = ask(
        {"characters": [ANN]},
        request={"ruleset": RULESET},
        type="create_advantage",
        variant="roar",
        skill="Careful",
        opposition={"kind": "roar"},
    )

    assert resolved(request)["branches"][0]["slots"][1]["forms"][0]["holders"] == ["GM"]
