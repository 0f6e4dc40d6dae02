"""What the Fate Core SRD says, as `fate-core` has it; typed here, not read."""

from tests.deeds import Deed
from tests.rules.build import DEFENDED, FAIL, STANDS_IN, STYLE, SUCCEED, TIE, ask, resolved, shown
from tests.rulesets.cells import (
    ATTACK,
    BOOST_FOR_THE_OPPONENT,
    EXISTING_ASPECT,
    FATE_CORE_SECTIONS,
    FATE_CORE_SKILLS,
    NEW_ASPECT,
    WHERE_ATTACKS_BELONG,
    Rows,
    cells,
    create,
    defended,
    forfeiting,
)

DOCUMENT = "Fate Core System"

SECTIONS = FATE_CORE_SECTIONS

SKILLS = FATE_CORE_SKILLS

DEEDS: tuple[Deed, ...] = (
    Deed("overcome", (None,), ("passive", "active")),  # "Can I Defend Against Overcome Actions?"
    Deed(
        "create_advantage",
        (None, "new_aspect", "existing_aspect"),
        ("passive", "active", "defend"),
        ("defend", "passive"),
    ),
    Deed("attack", (None,), (), ("defend", "passive")),
    Deed("defend", (None,), ("active", "passive")),
)

# "Overcome", "Serious Cost vs. Minor Cost": opposed or not, and in whatever scene.
OVERCOME: Rows = {
    FAIL: [
        "[fail] ✗",
        "[serious_cost] ✓ → *serious_cost: new_opposition, consequence(Ann mild 0 free), "
        "opposition_advantage(@opp 1 free), complication",
    ],
    TIE: [
        "[minor_cost] ✓ → *minor_cost: story_detail, stress(Ann 1 mental,physical), opposition_boost(@opp 1 free), "
        "close_call, lesser_version(◐), complication",
    ],
    SUCCEED: ["[succeed] ✓"],
    STYLE: ["[boost] ✓ → *boost: boost(Ann 1 free), story_detail"],
}

TABLE = [
    *cells(OVERCOME, type="overcome"),
    # "Create an Advantage", "Defend", "Creating Advantages in a Contest".
    *forfeiting(create(NEW_ASPECT, variant="new_aspect")),
    *forfeiting(create(NEW_ASPECT, variant="new_aspect", aspect="Sand in the Eyes")),
    *forfeiting(create(EXISTING_ASPECT, variant="existing_aspect", aspect="Rough Terrain")),
    # Of an aspect of the scene itself, whoever is close enough to get in the way ("Create an Advantage", the golems).
    *forfeiting(cells(defended(NEW_ASPECT), [STANDS_IN], type="create_advantage", variant="new_aspect")),
    *forfeiting(
        cells(
            defended(EXISTING_ASPECT),
            [STANDS_IN],
            type="create_advantage",
            variant="existing_aspect",
            aspect="Rough Terrain",
        )
    ),
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


def test_a_golem_defends_against_a_cluttered_floor() -> None:
    """Cynere's Athletics, Great (+4) and +1, against a golem's Fair (+2): an aspect with two free invocations."""
    action = {
        "type": "create_advantage",
        "actor": "Cynere",
        "skill": "Athletics",
        "aspect": "Cluttered Floor",
        "roll": {"dice": [0, 1, 0, 0]},
        "opposition": {"kind": "defend", "by": "Golem", "roll": {"total": 2}},
    }
    cynere = {"name": "Cynere", "side": "pc", "skills": {"Athletics": 4}}
    people = {"characters": [cynere, {"name": "Golem", "side": "temple"}]}

    answer = resolved(ask(people, request={"ruleset": "fate-core"}, **action))

    assert (answer["roll"]["total"], answer["outcome"]) == (5, "succeed_with_style")
    assert shown(answer) == ['[aspect] ✓ → *aspect "Cluttered Floor": situation_aspect(Cynere 2 free)']
