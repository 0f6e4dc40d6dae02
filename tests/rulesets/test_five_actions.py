"""The table of `five-actions`, every cell, against what document 000 and the spec say; typed here, not read."""

import pytest

from tests.deeds import Deed
from tests.rules.build import (
    ANN,
    BASE,
    DEFENDED,
    FAIL,
    FAIL_BY_3_OR_MORE,
    FAIL_BY_LESS_THAN_3,
    FRAMES,
    PASSIVE,
    STYLE,
    SUCCEED,
    TIE,
    Cell,
    Json,
    Landing,
    Way,
    ask,
    cases,
    resolved,
    shown,
    wrong,
)

RULESET = "five-actions"

SKILLS = (
    "Athletics Burglary Contacts Crafts Deceive Drive Empathy Fight Investigate Lore Notice Physique Provoke Rapport "
    "Resources Shoot Stealth Will"
)

DEEDS: tuple[Deed, ...] = (
    Deed("overcome", (None,), ("passive", "active")),
    Deed("discover", (None, "information", "aspect", "new_information"), ("passive", "active")),
    Deed("create_advantage", (None, "new_aspect", "existing_aspect"), ("passive", "active"), ("defend", "passive")),
    Deed("attack", (None,), (), ("defend", "passive")),
    Deed("defend", (None,), ("active", "passive")),
)

Frames = tuple[str | None, ...]

NOT_IN_A_CONTEST = (None, "challenge", "conflict")
IN_A_CONTEST = ("contest", "contest_under_fire")
NOT_IN_A_CHALLENGE = (None, "contest", "contest_under_fire", "conflict")
WHERE_ATTACKS_BELONG = (None, "contest_under_fire", "conflict")

# What costs have alike.

SERIOUS = "new_opposition, consequence(Ann mild 0 free), opposition_advantage(@opp 1 free)"

MINOR_INFORMATION = (
    "*minor_cost: unreliable_information(secret), tipped_off(secret), harder_later(secret), "
    "opposition_boost(@opp 1 free), story_detail"
)

ACTORS_BOOST = "*boost: boost(Ann 1 free)"
DEFENDERS_BOOST = "*defender_boost/boost: boost(@defender 1 free)"
FORFEIT = "+forfeit_next_contest_roll(Ann)"


def overcome() -> list[Cell]:
    """Overcome: nothing about it depends on frame, target or aspect."""

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("overcome", reach, branches, action={"type": "overcome"})

    return [
        cell(FAIL, "[fail] ✗", f"[serious_cost] ✓ → *serious_cost: {SERIOUS}"),
        cell(
            TIE,
            "[minor_cost] ✓ → *minor_cost: story_detail, stress(Ann 1 mental,physical), opposition_boost(@opp 1 free), "
            "close_call, lesser_version(◐)",
        ),
        cell(SUCCEED, "[succeed] ✓"),
        cell(STYLE, f"[boost] ✓ → {ACTORS_BOOST}"),
    ]


def discover_information() -> list[Cell]:
    """Discover information that is there already: false information stands first, in a challenge or not."""
    action = {"type": "discover", "variant": "information"}

    def cell(reach: Landing, *branches: str) -> Cell:
        return Cell("discover information", reach, branches, action=action)

    return [
        cell(
            FAIL,
            "[fail] ✗",
            "[serious_cost] ✓ → *serious_cost: false_information(secret), complication, troubling_aspect(@opp 1 free), "
            + SERIOUS,
        ),
        cell(TIE, f"[minor_cost] ✓ → {MINOR_INFORMATION}"),
        cell(SUCCEED, "[succeed] ✓"),
        cell(STYLE, f"[boost] ✓ → {ACTORS_BOOST}"),
    ]


def discover_aspect(named: str | None) -> list[Cell]:
    """Discover an aspect: where it has its words already no slot asks for them, and free invocations are a grant."""
    action = {"type": "discover", "variant": "aspect", "aspect": named}
    on = f" on {named}" if named else ""
    bears = f"({on.strip()})" if named else ""
    revealed = "" if named else " → *aspect: situation_aspect(nobody 0 free)"
    with_style = f" → +free_invocations(Ann 1{on})" if named else " → *aspect: situation_aspect(Ann 1 free)"
    costs = f"worsened_aspect{bears}, troubling_aspect(@opp 1 free), complication, {SERIOUS}"

    def cell(reach: Landing, *branches: str, frames: Frames = FRAMES) -> Cell:
        name = f"discover aspect {'named' if named else 'unnamed'}"
        return Cell(name, reach, branches, action=action, frames=frames)

    return [
        cell(
            FAIL,
            "[fail] ✗",
            f"[serious_cost] ✓{revealed} → *serious_cost: {costs}",
            frames=NOT_IN_A_CHALLENGE,
        ),
        cell(
            FAIL,
            "[fail] ✗",
            f"[serious_cost] ✓{revealed} → *serious_cost: false_information(secret), {costs}",
            frames=("challenge",),
        ),
        cell(
            TIE,
            f"[minor_cost] ✓{revealed} → "
            f"*minor_cost: opposition_free_invocation(@opp 1 free{on}), opposition_boost(@opp 1 free)",
        ),
        cell(SUCCEED, f"[aspect] ✓{revealed}"),
        cell(STYLE, f"[aspect] ✓{with_style}"),
    ]


def discover_new_information(meant: str | None) -> list[Cell]:
    """Establish new information: the opposition gains of the new aspect only where the roll failed by 3 or more."""
    draft = f' "{meant}"' if meant else ""

    def cell(reach: Landing, *branches: str) -> Cell:
        name = f"discover new information{' as an aspect with a draft' if meant else ''}"
        return Cell(name, reach, branches, action={"type": "discover", "variant": "new_information", "aspect": meant})

    def costs(trouble: str) -> str:
        return f"*serious_cost: false_information(secret), complication, troubling_aspect({trouble}), {SERIOUS}"

    return [
        cell(FAIL_BY_LESS_THAN_3, "[fail] ✗", f"[serious_cost] ✓ → {costs('nobody 0 free')}"),
        cell(FAIL_BY_3_OR_MORE, "[fail] ✗", f"[serious_cost] ✓ → {costs('@opp 1 free')}"),
        cell(TIE, f"[minor_cost] ✓ → {MINOR_INFORMATION}"),
        cell(SUCCEED, "[succeed] ✓"),
        cell(
            STYLE,
            f"[boost] ✓ → {ACTORS_BOOST}",
            f"[aspect] ✓ → *aspect{draft}: situation_aspect(Ann 1 free)",
        ),
    ]


def create(variant: str, aspect: str | None, *, fail: list[str], won: list[tuple[Landing, str]]) -> list[Cell]:
    """
    Create an advantage, alone and on Xan: what a failure costs besides depends on the frame, and on a character also
    on how far it failed.
    """
    name = f"create {variant}{' with a draft' if aspect and variant == 'new_aspect' else ''}"
    action = {"type": "create_advantage", "variant": variant, "aspect": aspect}

    def failing(*more: str) -> tuple[str, ...]:
        return tuple(" → ".join([branch, *more]) for branch in fail)

    def alone(reach: Landing, branches: tuple[str, ...], frames: Frames = FRAMES) -> Cell:
        return Cell(name, reach, branches, frames=frames, action=action)

    def on_xan(reach: Landing, branches: tuple[str, ...], frames: Frames = FRAMES) -> Cell:
        on_him = action | {"target": "Xan"}
        return Cell(f"{name} on Xan", reach, branches, ways=DEFENDED, frames=frames, action=on_him)

    return [
        alone(FAIL, failing(), frames=NOT_IN_A_CONTEST),
        alone(FAIL, failing(FORFEIT), frames=IN_A_CONTEST),
        on_xan(FAIL_BY_LESS_THAN_3, failing(), frames=NOT_IN_A_CONTEST),
        on_xan(FAIL_BY_LESS_THAN_3, failing(FORFEIT), frames=IN_A_CONTEST),
        on_xan(FAIL_BY_3_OR_MORE, failing(DEFENDERS_BOOST), frames=NOT_IN_A_CONTEST),
        on_xan(FAIL_BY_3_OR_MORE, failing(DEFENDERS_BOOST, FORFEIT), frames=IN_A_CONTEST),
        *(alone(reach, (branch,)) for reach, branch in won),
        *(on_xan(reach, (branch,)) for reach, branch in won),
    ]


def create_new_aspect(meant: str | None) -> list[Cell]:
    """Create a new aspect: what the player calls it is the draft, also of the boost that stands in for it."""
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
    """Use an existing aspect: nothing wants words, and a failure always serves the opposition."""
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
    """Attack: on Xan, who defends, or another for him; passive or not it is defended."""

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
    """Defend: on a tie the boost is for who attacked; where nobody rolled, for anyone who opposes."""

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
    *discover_information(),
    *discover_aspect("Silver Gives Them Power"),
    *discover_aspect(None),
    *discover_new_information(None),
    *discover_new_information("A Fort Lies Ahead"),
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


@pytest.mark.parametrize(
    ("kind", "first"),
    [("discover", "information"), ("create_advantage", "new_aspect"), ("caa", "new_aspect")],
)
@pytest.mark.parametrize("reach", [FAIL, TIE, SUCCEED, STYLE], ids=lambda reach: reach.outcome)
def test_without_a_variant_the_first_is_meant(kind: str, first: str, reach: Landing) -> None:
    """An action without a variant is the one that the contract calls the default; `caa` is taken too."""
    roll = {"total": reach.shifts[0]}
    spelt_out = "create_advantage" if kind == "caa" else kind

    assert resolved(ask(type=spelt_out, variant=first, roll=roll)) == resolved(ask(type=kind, roll=roll))


@pytest.mark.parametrize(
    ("action", "section"),
    [
        ({"type": "overcome"}, "Overcome"),
        ({"type": "discover"}, "Discover"),
        ({"type": "create_advantage"}, "Create an Advantage"),
        ({"type": "attack", "target": "Xan"}, "Attack"),
        ({"type": "defend"}, "Defend"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_row_names_the_section_it_is_from(action: Json, section: str) -> None:
    """Whoever doubts a ruling finds the page."""
    assert {"document": "Fate Core with Discover", "section": section} == resolved(ask(**action))["source"]


@pytest.mark.parametrize(
    ("action", "branch"),
    [
        pytest.param(
            {"type": "overcome", "roll": {"total": -1}},
            "[serious_cost] ✓ → *serious_cost: new_opposition, consequence(Ann mild 0 free), "
            "opposition_advantage(GM 1 free)",
            id="serious cost",
        ),
        pytest.param(
            {"type": "create_advantage", "variant": "existing_aspect", "aspect": "Fog", "roll": {"total": -1}},
            "[invocation_for_opposition] ✗ → +free_invocations(GM 1 on Fog)",
            id="free invocation",
        ),
        pytest.param(
            {"type": "defend", "roll": {"total": 0}},
            "[boost_for_opponent] ✓ → *boost: boost(GM 1 free)",
            id="boost",
        ),
    ],
)
def test_where_nobody_is_on_another_side_the_game_master_gains(action: Json, branch: str) -> None:
    """The reserved name stands in for an opposition of nobody."""
    scene = {"aspects": [{"name": "Fog"}], "characters": [ANN]}

    assert branch in shown(resolved(ask(scene, **action)))


def test_everyone_on_any_other_side_is_opposition() -> None:
    """Sides are any words, and every character whose side differs is eligible, in order of the names."""
    others = [{"name": name, "side": side} for name, side in [("Zoe", "wild"), ("Cid", "law"), ("Bea", "pc")]]

    answer = resolved(ask({"characters": [ANN, *others]}, roll={"total": -1}))

    assert answer["branches"][1]["slots"][0]["forms"][2]["to"] == ["Cid", "Zoe"]


def test_unlisted_people_oppose_the_actor_and_those_who_help() -> None:
    """In a scene that lists nobody the actor and helpers are one side, and everyone else named is the other."""
    against = {"kind": "active", "by": "Guard", "helpers": ["Dog"], "roll": {"total": 0}}

    answer = resolved(ask({}, helpers=["Bea"], target="Door", roll={"total": -1}, opposition=against))

    assert answer["branches"][1]["slots"][0]["forms"][2]["to"] == ["Dog", "Door", "Guard"]


@pytest.mark.parametrize("way", DEFENDED, ids=lambda way: way.name)
def test_a_stylish_defence_is_one_slot_in_every_branch(way: Way) -> None:
    """The defender's boost is the same slot whichever branch is chosen."""
    request = ask(type="create_advantage", target="Xan", roll={"total": BASE - 3}, opposition=way.at(BASE))

    slots = [slot for branch in resolved(request)["branches"] for slot in branch["slots"] if slot["kind"] == "boost"]

    assert len(slots) == 2
    assert slots[0] == slots[1]


def test_every_label_has_words() -> None:
    """Branches and forms are called something at the table."""
    unlabelled = [
        (case.id, each)
        for case in cases(RULESET, TABLE)
        for branch in resolved(case.request)["branches"]
        for each in (branch, *(form for slot in branch["slots"] for form in slot["forms"]))
        if not each["label"].strip() or "{" in each["label"]
    ]

    assert unlabelled == []


def test_a_branch_asked_for_changes_nothing_of_the_row() -> None:
    """Naming a branch asks for words for it alone; the resolution stays whole."""
    whole = resolved(ask(roll={"total": -1}))

    assert whole == resolved(ask(roll={"total": -1}, request={"branch": "serious_cost"}))


def test_a_passive_attack_has_a_defender_too() -> None:
    """A target that rolls nothing still takes the hit, and still defends with style."""
    hit = resolved(ask(type="attack", target="Yve", roll={"total": 1}, opposition=PASSIVE.at(0)))
    missed = resolved(ask(type="attack", target="Yve", roll={"total": -3}, opposition=PASSIVE.at(0)))

    assert shown(hit) == ["[hit] ✓ → +hit(Yve 1)"]
    assert shown(missed) == ["[no_harm] ✗ → *defender_boost/boost: boost(Yve 1 free)"]


def test_who_defends_an_attack_on_nobody_named_takes_the_hit() -> None:
    """An attack needs a target or a `by`: with the latter alone that is who is attacked."""
    against = {"kind": "defend", "by": "Yve", "roll": {"total": 0}}

    assert shown(resolved(ask(type="attack", opposition=against))) == ["[hit] ✓ → +hit(Yve 1)"]
