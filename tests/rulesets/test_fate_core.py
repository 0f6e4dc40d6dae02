"""What the Fate Core SRD says, as `fate-core` has it; typed here, not read."""

from tests.deeds import Deed
from tests.rules.build import DEFENDED, FAIL, STYLE, SUCCEED, TIE
from tests.rulesets.cells import (
    ATTACK,
    ATTACKING,
    BOOST_FOR_THE_OPPONENT,
    DEFENDING,
    EXISTING_ASPECT,
    FATE_CORE_SECTIONS,
    FATE_CORE_SKILLS,
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
    in_the_way,
)

DOCUMENT = "Fate Core System"

SECTIONS = FATE_CORE_SECTIONS | {"contest_forfeit": "Creating Advantages in a Contest"}

SKILLS = FATE_CORE_SKILLS

DEEDS = (
    Deed("overcome", (None,), ("passive", "active")),  # "Can I Defend Against Overcome Actions?"
    creating("passive", "active", "defend"),
    ATTACKING,
    DEFENDING,
)

# "Overcome", "Serious Cost vs. Minor Cost": opposed or not, and in whatever scene.
OVERCOME: Rows = {
    FAIL: ["[fail] ✗", f"[serious_cost] ✓ → *serious_cost: {SERIOUS}, complication"],
    TIE: [f"[minor_cost] ✓ → *minor_cost: {MINOR}, complication"],
    SUCCEED: ["[succeed] ✓"],
    STYLE: ["[boost] ✓ → *boost: boost(Ann 1 free), story_detail"],
}

TABLE = [
    *cells(OVERCOME, type="overcome"),
    # "Create an Advantage", "Defend", "Creating Advantages in a Contest".
    *forfeiting(advantages(NEW_ASPECT, EXISTING_ASPECT)),
    # Of an aspect of the scene itself, whoever is close enough to get in the way ("Create an Advantage", the golems).
    *forfeiting(advantages(NEW_ASPECT, EXISTING_ASPECT, made=in_the_way)),
    # "Attacks in a Challenge", "Attacks in a Contest".
    *cells(defended(ATTACK), DEFENDED, WHERE_ATTACKS_BELONG, type="attack", target="Xan"),
    *cells(BOOST_FOR_THE_OPPONENT, type="defend"),
]

# Two tracks of boxes 1 and 2, one box a hit, and consequences of 2, 4 and 6 ("Stress", "Consequences").
HITS = {
    1: [(1, []), (2, []), (None, ["mild"]), (None, ["moderate"]), (None, ["severe"])],
    3: [(1, ["mild"]), (2, ["mild"]), (None, ["moderate"]), (None, ["severe"])],
    14: [(2, ["mild", "moderate", "severe"])],
    15: [],
}

# Each other one of the team adds 1 with at least Average in the same skill ("Teamwork").
HELPS = {0: 0, 1: 1, 3: 1}
