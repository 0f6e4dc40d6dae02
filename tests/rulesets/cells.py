"""The rows of a document's table made into its cells; and what several documents say alike, for each to name on
purpose.

The rows of something that one does say for each outcome which branches it has, in the notation of tests/rules/build.py.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from tests.deeds import Deed
from tests.rules.build import (
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
    Cell,
    Landing,
    Way,
)

Rows = dict[Landing, list[str]]

NOT_IN_A_CONTEST = (None, "challenge", "conflict")
IN_A_CONTEST = ("contest", "contest_under_fire")
WHERE_ATTACKS_BELONG = (None, "contest_under_fire", "conflict")

ACTORS_BOOST = "*boost: boost(Ann 1 free)"
DEFENDERS_BOOST = "*defender_boost/boost: boost(@defender 1 free)"
FORFEIT = "+forfeit_next_contest_roll(Ann)"

STYLISH_DEFENCE: Mapping[Landing, Iterable[str]] = {FAIL_BY_LESS_THAN_3: (), FAIL_BY_3_OR_MORE: (DEFENDERS_BOOST,)}
"""What a defence that wins by so much gives besides."""


def cells(
    rows: Rows, ways: Iterable[Way] = UNDEFENDED, frames: tuple[str | None, ...] = FRAMES, **action: Any
) -> list[Cell]:
    """Make a cell of each row of an action, opposed in these ways and in these frames."""
    return [Cell(reach, branches, ways, frames, action) for reach, branches in rows.items()]


def with_each(branches: Iterable[str], *more: str) -> list[str]:
    """Every branch, with this besides."""
    return [" → ".join([branch, *more]) for branch in branches]


def defended(rows: Rows, defence: Mapping[Landing, Iterable[str]] = STYLISH_DEFENCE) -> Rows:
    """The same rows against somebody who defends: how far one fails says what the defender has of it."""
    failed = {reach: with_each(rows[FAIL], *more) for reach, more in defence.items()}
    return failed | {reach: branches for reach, branches in rows.items() if reach != FAIL}


def forfeiting(table: Iterable[Cell]) -> list[Cell]:
    """The same cells, in which failing in a contest costs the contest roll besides."""
    return [
        each
        for cell in table
        for each in (
            (
                replace(cell, frames=NOT_IN_A_CONTEST),
                replace(cell, frames=IN_A_CONTEST, branches=with_each(cell.branches, FORFEIT)),
            )
            if cell.reach.outcome == "fail"
            else (cell,)
        )
    ]


def create(rows: Rows, defence: Mapping[Landing, Iterable[str]] = STYLISH_DEFENCE, **action: Any) -> list[Cell]:
    """Create an advantage, alone and on Xan, who defends: rolling, passively, or with another in his place."""
    return [
        *cells(rows, type="create_advantage", **action),
        *cells(defended(rows, defence), DEFENDED, type="create_advantage", target="Xan", **action),
    ]


def in_the_way(rows: Rows, **action: Any) -> list[Cell]:
    """Create an advantage, alone, which somebody who stands in the way defends against."""
    return cells(defended(rows), [STANDS_IN], type="create_advantage", **action)


def advantages(
    new: Rows,
    existing: Rows,
    discovered: Callable[[str | None], Rows] | None = None,
    made: Callable[..., list[Cell]] = create,
) -> list[Cell]:
    """Create an advantage in each variant; what the player calls an aspect that is not in play is its draft."""
    done: list[tuple[Rows, str, str | None]] = [
        (new, "new_aspect", None),
        (new, "new_aspect", "Sand in the Eyes"),
        (existing, "existing_aspect", "Rough Terrain"),
    ]
    if discovered is not None:
        done += [(discovered(named), "discover_aspect", named) for named in (None, "Loose Roof Tiles")]
    return [cell for rows, variant, aspect in done for cell in made(rows, variant=variant, aspect=aspect)]


# What documents have alike.

ATTACKING = Deed("attack", (None,), (), ("defend", "passive"))
DEFENDING = Deed("defend", (None,), ("active", "passive"))


def creating(*alone: str, variants: tuple[str, ...] = ("new_aspect", "existing_aspect")) -> Deed:
    """Create an advantage, alone against these kinds of opposition."""
    return Deed("create_advantage", (None, *variants), alone, ("defend", "passive"))


ALSO_DISCOVERED = ("new_aspect", "existing_aspect", "discover_aspect")

FORFEIT_IN_A_CONTEST = {"contest_forfeit": "Create an Advantage in Challenges, Contests, and Conflicts"}
"""A rule of document 000, which others that tell of contests have too."""

FATE_CORE_SKILLS = (
    "Athletics Burglary Contacts Crafts Deceive Drive Empathy Fight Investigate Lore Notice Physique Provoke Rapport "
    "Resources Shoot Stealth Will"
)
APPROACHES = "Careful Clever Flashy Forceful Quick Sneaky"

FATE_CORE_SECTIONS = {
    "overcome": "Overcome",
    "create_advantage": "Create an Advantage",
    "attack": "Attack",
    "defend": "Defend",
    "defended_with_style": "Defend",
}

BY_XAN = Way("defend by Xan", {"kind": "defend", "by": "Xan"}, defender="Xan", opponent="Xan")

SERIOUS = "new_opposition, consequence(Ann mild 0 free), opposition_advantage(@opp 1 free)"
SERIOUS_OR_LOSS = "loss, consequence(Ann mild 0 free), new_opposition, opposition_advantage(@opp 1 free)"
MINOR = "story_detail, stress(Ann 1 mental,physical), opposition_boost(@opp 1 free), close_call, lesser_version(◐)"

OVERCOME: Rows = {
    FAIL: ["[fail] ✗", f"[serious_cost] ✓ → *serious_cost: {SERIOUS}"],
    TIE: [f"[minor_cost] ✓ → *minor_cost: {MINOR}"],
    SUCCEED: ["[succeed] ✓"],
    STYLE: [f"[boost] ✓ → {ACTORS_BOOST}"],
}

ATTACK: Rows = {
    FAIL: ["[no_harm] ✗"],
    TIE: [f"[boost] ✗ → {ACTORS_BOOST}"],
    SUCCEED: ["[hit] ✓ → +hit(@defender @shifts)"],
    STYLE: ["[hit] ✓ → +hit(@defender @shifts)", f"[hit_and_boost] ✓ → +hit(@defender @shifts-1) → {ACTORS_BOOST}"],
}

BOOST_FOR_THE_OPPONENT: Rows = {
    FAIL: ["[suffer] ✗"],
    TIE: ["[boost_for_opponent] ✓ → *boost: boost(@opponent 1 free)"],
    SUCCEED: ["[safe] ✓"],
    STYLE: [f"[boost] ✓ → {ACTORS_BOOST}"],
}
"""Defend, where a tie gives the opponent a boost."""

AS_THE_OPPONENT_DOES: Rows = BOOST_FOR_THE_OPPONENT | {TIE: ["[as_opponent] ?"], SUCCEED: ["[as_opponent] ?"]}
"""Defend, where of a tie and of a success the opponent's own action says what happens."""

NEW_ASPECT: Rows = {
    FAIL: ["[no_aspect] ✗", "[aspect_for_opposition] ✗ → *aspect @draft: situation_aspect(@opp 1 free)"],
    TIE: ["[boost] ◐ → *boost @draft: boost(Ann 1 free)"],
    SUCCEED: ["[aspect] ✓ → *aspect @draft: situation_aspect(Ann 1 free)"],
    STYLE: ["[aspect] ✓ → *aspect @draft: situation_aspect(Ann 2 free)"],
}
"""A new aspect, for the actor alone: a tie is a boost in its place; what the player calls it is the draft of both."""

EXISTING_ASPECT: Rows = {
    FAIL: ["[invocation_for_opposition] ✗ → +free_invocations(@opp 1 on Rough Terrain)"],
    TIE: ["[invocation] ✓ → +free_invocations(Ann 1 on Rough Terrain)"],
    SUCCEED: ["[invocation] ✓ → +free_invocations(Ann 1 on Rough Terrain)"],
    STYLE: ["[invocations] ✓ → +free_invocations(Ann 2 on Rough Terrain)"],
}
"""An existing aspect, for the actor alone: nothing wants words, and a failure always serves the opposition."""

NEW_ASPECT_FOR_ALLIES: Rows = NEW_ASPECT | {
    SUCCEED: ["[aspect] ✓ → *aspect @draft: situation_aspect(Ann,Bea 1 free)"],
    STYLE: ["[aspect] ✓ → *aspect @draft: situation_aspect(Ann,Bea 2 free)"],
}
"""A new aspect, which an ally may use too; the boost of a tie is the actor's alone."""

EXISTING_ASPECT_FOR_ALLIES: Rows = {
    FAIL: ["[nothing] ✗"],
    TIE: ["[invocation] ✓ → +free_invocations(Ann,Bea 1 on Rough Terrain)"],
    SUCCEED: ["[invocation] ✓ → +free_invocations(Ann,Bea 1 on Rough Terrain)"],
    STYLE: ["[invocations] ✓ → +free_invocations(Ann,Bea 2 on Rough Terrain)"],
}
"""An existing aspect, for the actor or an ally: a failure serves nobody, and a tie is as good as a success."""


def revealed(who: str, number: int, named: str | None) -> str:
    """The free invocations of an aspect that is discovered; one that has its words already wants none."""
    if named:
        return f"+free_invocations({who} {number} on {named})"
    return f"*aspect: situation_aspect({who} {number} free)"


def discover_for_allies(named: str | None) -> Rows:
    """Discover an aspect, for the actor or an ally: a tie is a success."""
    return {
        FAIL: ["[no_aspect] ✗", f"[aspect_for_opposition] ✗ → {revealed('@opp', 1, named)}"],
        TIE: [f"[aspect] ✓ → {revealed('Ann,Bea', 1, named)}"],
        SUCCEED: [f"[aspect] ✓ → {revealed('Ann,Bea', 1, named)}"],
        STYLE: [f"[aspect] ✓ → {revealed('Ann,Bea', 2, named)}"],
    }
