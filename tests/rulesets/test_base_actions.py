"""What document 004 and the spec say, as `base-actions` has it; typed here, not read."""

from tests.deeds import Deed
from tests.rules.build import ACTIVE, DEFENDED, DEFENDS, FAIL, PASSIVE, STYLE, SUCCEED, TIE, Cell, Json, Way
from tests.rulesets.cells import (
    ACTORS_BOOST,
    ATTACK,
    BOOST_FOR_THE_OPPONENT,
    EXISTING_ASPECT,
    FATE_CORE_SECTIONS,
    FATE_CORE_SKILLS,
    NEW_ASPECT,
    WHERE_ATTACKS_BELONG,
    Rows,
    cells,
    defended,
    forfeiting,
)

DOCUMENT = "Base Actions"

SECTIONS = FATE_CORE_SECTIONS | {"create_advantage": "Create Advantage"}

SKILLS = FATE_CORE_SKILLS

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

OVERCOME: Rows = {
    FAIL: [
        "[fail] ✗",
        "[serious_cost] ✓ → *serious_cost: new_opposition, consequence(Ann mild 0 free), "
        "opposition_advantage(@opp 1 free)",
    ],
    TIE: [
        "[fail] ✗",
        "[minor_cost] ✓ → *minor_cost: story_detail, stress(Ann 1 mental,physical), opposition_boost(@opp 1 free), "
        "close_call, lesser_version(◐)",
    ],
    SUCCEED: ["[succeed] ✓"],
    STYLE: ["[boost] ✓ → *boost: boost(Ann 1 free), story_detail"],
}

# Mere opposition, which is no defence, gives a boost to neither side.
MERELY_OPPOSED: Rows = OVERCOME | {
    TIE: [
        "[fail] ✗",
        "[minor_cost] ✓ → *minor_cost: story_detail, stress(Ann 1 mental,physical), close_call, lesser_version(◐)",
    ],
    STYLE: ["[boost] ✓"],
}

BY_XAN = Way("defend by Xan", {"kind": "defend", "by": "Xan"}, defender="Xan", opponent="Xan")


def create(rows: Rows, variant: str, aspect: str | None) -> list[Cell]:
    """Create an advantage: alone against a rating, mere opposition or a defend, and on Xan, who defends."""
    action: Json = {"type": "create_advantage", "variant": variant, "aspect": aspect}
    return [
        *cells(rows, [PASSIVE], **action),
        *cells(rows | {TIE: ["[boost] ✗"]}, [ACTIVE], **action),  # to neither side
        *cells(defended(rows), [BY_XAN], **action),
        *cells(defended(rows), DEFENDED, target="Xan", **action),
    ]


# A tie fails, but with a boost: of an existing aspect with words of its own, not the aspect's.
TIED_NEW_ASPECT = NEW_ASPECT | {TIE: ["[boost] ✗ → *boost @draft: boost(Ann 1 free)"]}
TIED_EXISTING_ASPECT = EXISTING_ASPECT | {TIE: [f"[boost] ✗ → {ACTORS_BOOST}"]}

TABLE = [
    *cells(OVERCOME, [PASSIVE], type="overcome", target="Xan"),
    *cells(MERELY_OPPOSED, [ACTIVE], type="overcome", target="Xan"),
    *cells(defended(OVERCOME), DEFENDS, type="overcome", target="Xan"),
    *forfeiting(create(TIED_NEW_ASPECT, "new_aspect", None)),
    *forfeiting(create(TIED_NEW_ASPECT, "new_aspect", "Sand in the Eyes")),
    *forfeiting(create(TIED_EXISTING_ASPECT, "existing_aspect", "Rough Terrain")),
    *cells(defended(ATTACK), DEFENDED, WHERE_ATTACKS_BELONG, type="attack", target="Xan"),
    # A tie fails; what the attacker rolled is no mere opposition, so that its boosts stay.
    *cells(BOOST_FOR_THE_OPPONENT | {TIE: ["[boost_for_opponent] ✗ → *boost: boost(@opponent 1 free)"]}, type="defend"),
]
