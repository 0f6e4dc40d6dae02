"""What document 004 and the spec say, as `base-actions` has it; typed here, not read."""

from narrator.rules.json_text import Json
from tests.deeds import Deed
from tests.rules.build import ACTIVE, DEFENDED, DEFENDS, FAIL, PASSIVE, STYLE, SUCCEED, TIE, Cell
from tests.rulesets.cells import (
    ACTORS_BOOST,
    ATTACK,
    ATTACKING,
    BOOST_FOR_THE_OPPONENT,
    BY_XAN,
    DEFENDING,
    EXISTING_ASPECT,
    FATE_CORE_SECTIONS,
    FATE_CORE_SKILLS,
    FORFEIT_IN_A_CONTEST,
    MINOR,
    NEW_ASPECT,
    SERIOUS,
    WHERE_ATTACKS_BELONG,
    Rows,
    advantages,
    cells,
    creating,
    defended,
    forfeiting,
)

DOCUMENT = "Base Actions"

SECTIONS = {
    **FATE_CORE_SECTIONS,
    **FORFEIT_IN_A_CONTEST,
    "create_advantage": "Create Advantage",
    "thwarted_or_not": "Active Opposition",
}

SKILLS = FATE_CORE_SKILLS

DEEDS = (
    Deed("overcome", (None,), ("passive", "active", "defend")),
    creating("passive", "active", "defend"),
    ATTACKING,
    DEFENDING,
)

OVERCOME: Rows = {
    FAIL: ["[fail] ✗", f"[serious_cost] ✓ → *serious_cost: {SERIOUS}"],
    TIE: ["[fail] ✗", f"[minor_cost] ✓ → *minor_cost: {MINOR}"],
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


def create(rows: Rows, **named: str | None) -> list[Cell]:
    """Create an advantage: alone against a rating, mere opposition or a defend, and on Xan, who defends."""
    action: Json = {"type": "create_advantage", **named}
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
    *forfeiting(advantages(TIED_NEW_ASPECT, TIED_EXISTING_ASPECT, made=create)),
    *cells(defended(ATTACK), DEFENDED, WHERE_ATTACKS_BELONG, type="attack", target="Xan"),
    # A tie fails; what the attacker rolled is no mere opposition, so that its boosts stay.
    *cells(BOOST_FOR_THE_OPPONENT | {TIE: ["[boost_for_opponent] ✗ → *boost: boost(@opponent 1 free)"]}, type="defend"),
]
