"""What document 000 and the spec say, as `five-actions` has it; typed here, not read."""

import pytest

from narrator.rules.json_text import Json
from tests.deeds import Deed
from tests.rules.build import (
    ANN,
    BASE,
    DEFENDED,
    FAIL,
    FAIL_BY_3_OR_MORE,
    FAIL_BY_LESS_THAN_3,
    STYLE,
    SUCCEED,
    TIE,
    Cell,
    Landing,
    Way,
    ask,
    forms_of,
    resolved,
    shown,
)
from tests.rulesets.cells import (
    ACTORS_BOOST,
    ATTACK,
    ATTACKING,
    BOOST_FOR_THE_OPPONENT,
    DEFENDING,
    EXISTING_ASPECT,
    FATE_CORE_SECTIONS,
    FATE_CORE_SKILLS,
    FORFEIT_IN_A_CONTEST,
    NEW_ASPECT,
    OVERCOME,
    SERIOUS,
    WHERE_ATTACKS_BELONG,
    Rows,
    advantages,
    cells,
    creating,
    defended,
    forfeiting,
)

DOCUMENT = "Fate Core with Discover"

SECTIONS = {
    **FATE_CORE_SECTIONS,
    **FORFEIT_IN_A_CONTEST,
    "discover": "Discover",
    "defended_with_style": "Using Defend",
    "poor_findings": "Discover in Challenges, Contests, and Conflicts",
}

SKILLS = FATE_CORE_SKILLS

DEEDS = (
    Deed("overcome", (None,), ("passive", "active")),
    Deed("discover", (None, "information", "aspect", "new_information"), ("passive", "active")),
    creating("passive", "active"),
    ATTACKING,
    DEFENDING,
)

NOT_IN_A_CHALLENGE = (None, "contest", "contest_under_fire", "conflict")

# Information that is there already: false information stands first, in a challenge or not.
INFORMATION: Rows = {
    FAIL: [
        "[fail] ✗",
        "[serious_cost] ✓ → *serious_cost: false_information(secret), complication, troubling_aspect(@opp 1 free), "
        + SERIOUS,
    ],
    TIE: [
        "[minor_cost] ✓ → *minor_cost: unreliable_information(secret), tipped_off(secret), harder_later(secret), "
        "opposition_boost(@opp 1 free), story_detail"
    ],
    SUCCEED: ["[succeed] ✓"],
    STYLE: [f"[boost] ✓ → {ACTORS_BOOST}"],
}


def discover_aspect(named: str | None) -> list[Cell]:
    """Discover an aspect: where it has its words already no slot asks for them, and free invocations are a grant."""
    on = f" on {named}" if named else ""
    bears = f"({on.strip()})" if named else ""
    revealed = "" if named else " → *aspect: situation_aspect(nobody 0 free)"
    with_style = f" → +free_invocations(Ann 1{on})" if named else " → *aspect: situation_aspect(Ann 1 free)"
    costs = f"worsened_aspect{bears}, troubling_aspect(@opp 1 free), complication, {SERIOUS}"
    rows: Rows = {
        TIE: [
            f"[minor_cost] ✓{revealed} → "
            f"*minor_cost: opposition_free_invocation(@opp 1 free{on}), opposition_boost(@opp 1 free)"
        ],
        SUCCEED: [f"[aspect] ✓{revealed}"],
        STYLE: [f"[aspect] ✓{with_style}"],
    }
    failed: Rows = {FAIL: ["[fail] ✗", f"[serious_cost] ✓{revealed} → *serious_cost: {costs}"]}
    in_a_challenge: Rows = {
        FAIL: ["[fail] ✗", f"[serious_cost] ✓{revealed} → *serious_cost: false_information(secret), {costs}"]
    }
    return [
        *cells(rows, type="discover", variant="aspect", aspect=named),
        *cells(failed, frames=NOT_IN_A_CHALLENGE, type="discover", variant="aspect", aspect=named),
        *cells(in_a_challenge, frames=("challenge",), type="discover", variant="aspect", aspect=named),
    ]


def failed_to_establish(trouble: str) -> list[str]:
    """The branches of new information that was not found."""
    costs = f"false_information(secret), complication, troubling_aspect({trouble}), {SERIOUS}"
    return ["[fail] ✗", f"[serious_cost] ✓ → *serious_cost: {costs}"]


# New information: the opposition gains of the new aspect only where the roll failed by 3 or more.
NEW_INFORMATION: Rows = {
    FAIL_BY_LESS_THAN_3: failed_to_establish("nobody 0 free"),
    FAIL_BY_3_OR_MORE: failed_to_establish("@opp 1 free"),
    TIE: INFORMATION[TIE],
    SUCCEED: ["[succeed] ✓"],
    STYLE: [f"[boost] ✓ → {ACTORS_BOOST}", "[aspect] ✓ → *aspect @draft: situation_aspect(Ann 1 free)"],
}

TABLE = [
    *cells(OVERCOME, type="overcome"),  # which depends on no frame, target or aspect
    *cells(INFORMATION, type="discover", variant="information"),
    *discover_aspect("Silver Gives Them Power"),
    *discover_aspect(None),
    *cells(NEW_INFORMATION, type="discover", variant="new_information"),
    *cells(NEW_INFORMATION, type="discover", variant="new_information", aspect="A Fort Lies Ahead"),
    *forfeiting(advantages(NEW_ASPECT, EXISTING_ASPECT)),
    *cells(defended(ATTACK), DEFENDED, WHERE_ATTACKS_BELONG, type="attack", target="Xan"),
    *cells(BOOST_FOR_THE_OPPONENT, type="defend"),
]


@pytest.mark.parametrize(
    ("kind", "first"), [("discover", "information"), ("create_advantage", "new_aspect"), ("caa", "new_aspect")]
)
@pytest.mark.parametrize("reach", [FAIL, TIE, SUCCEED, STYLE], ids=lambda reach: reach.outcome)
def test_without_a_variant_the_first_is_meant(kind: str, first: str, reach: Landing) -> None:
    """An action without a variant is the one that the contract calls the default; `caa` is taken too."""
    roll = {"total": reach.shifts[0]}
    spelt_out = "create_advantage" if kind == "caa" else kind

    assert resolved(ask(type=spelt_out, variant=first, roll=roll)) == resolved(ask(type=kind, roll=roll))


def test_where_nobody_is_on_another_side_the_game_master_gains() -> None:
    """The reserved name stands in for an opposition of nobody, whether it acts or not."""
    failed, tied = (
        shown(resolved(ask({"characters": [ANN]}, **action)))
        for action in ({"roll": {"total": -1}}, {"type": "defend", "roll": {"total": 0}})
    )

    assert "opposition_advantage(GM 1 free)" in failed[1]
    assert tied == ["[boost_for_opponent] ✓ → *boost: boost(GM 1 free)"]


def edge_of(request: Json) -> object:
    """Whose the edge may be that a serious cost gives."""
    costs = forms_of(resolved(request), "serious_cost")
    return next(form["to"] for form in costs if form["form"] == "opposition_advantage")


def test_everyone_on_any_other_side_is_opposition() -> None:
    """Sides are any words, and every character whose side differs is eligible, in order of the names."""
    others = [{"name": name, "side": side} for name, side in [("Zoe", "wild"), ("Cid", "law"), ("Bea", "pc")]]

    assert edge_of(ask({"characters": [ANN, *others]}, roll={"total": -1})) == ["Cid", "Zoe"]


def test_unlisted_people_oppose_the_actor_and_those_who_help() -> None:
    """In a scene that lists nobody the actor and helpers are one side, and everyone else named is the other."""
    against = {"kind": "active", "by": "Guard", "helpers": ["Dog"], "roll": {"total": 0}}

    request = ask({}, helpers=["Bea"], target="Door", roll={"total": -1}, opposition=against)

    assert edge_of(request) == ["Dog", "Door", "Guard"]


@pytest.mark.parametrize("way", DEFENDED, ids=lambda way: way.name)
def test_a_stylish_defence_is_one_slot_in_every_branch(way: Way) -> None:
    """The defender's boost is the same slot whichever branch is chosen."""
    request = ask(type="create_advantage", target="Xan", roll={"total": BASE - 3}, opposition=way.at(BASE))

    slots = [slot for branch in resolved(request)["branches"] for slot in branch["slots"] if slot["kind"] == "boost"]

    assert len(slots) == 2
    assert slots[0] == slots[1]


def test_a_branch_asked_for_changes_nothing_of_the_row() -> None:
    """Naming a branch asks for words for it alone; the resolution stays whole."""
    whole = resolved(ask(roll={"total": -1}))

    assert whole == resolved(ask(roll={"total": -1}, request={"branch": "serious_cost"}))


def test_who_defends_an_attack_on_nobody_named_takes_the_hit() -> None:
    """An attack needs a target or a `by`: with the latter alone that is who is attacked."""
    against = {"kind": "defend", "by": "Yve", "roll": {"total": 0}}

    assert shown(resolved(ask(type="attack", opposition=against))) == ["[hit] ✓ → +hit(Yve 1)"]
