"""What the Fate Accelerated SRD says, as `fate-accelerated` has it; typed here, not read."""

import narrator
from narrator.render import words
from tests.deeds import Deed
from tests.rules.build import (
    ANN,
    DEFENDED,
    DEFENDS,
    FAIL,
    FAIL_BY_3_OR_MORE,
    STANDS_IN,
    STYLE,
    SUCCEED,
    TIE,
    XAN,
    Cell,
    ask,
)
from tests.rulesets.cells import (
    ACTORS_BOOST,
    APPROACHES,
    AS_THE_OPPONENT_DOES,
    ATTACK,
    DEFENDERS_BOOST,
    EXISTING_ASPECT_FOR_ALLIES,
    FATE_CORE_SECTIONS,
    NEW_ASPECT_FOR_ALLIES,
    Rows,
    cells,
    create,
    defended,
    discover_for_allies,
)

RULESET = "fate-accelerated"

DOCUMENT = "Fate Accelerated Edition"

SECTIONS = FATE_CORE_SECTIONS

SKILLS = APPROACHES

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

OVERCOME: Rows = {
    FAIL: [
        "[fail] ✗",
        "[serious_cost] ✓ → *serious_cost: loss, consequence(Ann mild 0 free), new_opposition, "
        "opposition_advantage(@opp 1 free)",
    ],
    TIE: [
        "[minor_cost] ✓ → *minor_cost: complication, tough_choice, twist, opposition_boost(@opp 1 free), "
        "stress(Ann 1 stress)",
    ],
    SUCCEED: ["[succeed] ✓"],
    STYLE: [f"[boost] ✓ → {ACTORS_BOOST}"],
}

# Against a defence with style nobody gets it, at no price ("Defend").
OVERCOME_DEFENDED = defended(OVERCOME) | {FAIL_BY_3_OR_MORE: [f"[fail] ✗ → {DEFENDERS_BOOST}"]}


def create_in_any_scene(rows: Rows, variant: str, aspect: str | None) -> list[Cell]:
    """Create an advantage, also against somebody in the way who defends; no scene changes it."""
    in_the_way = cells(defended(rows), [STANDS_IN], type="create_advantage", variant=variant, aspect=aspect)
    return [*create(rows, variant=variant, aspect=aspect), *in_the_way]


TABLE = [
    *cells(OVERCOME, type="overcome"),
    *cells(OVERCOME_DEFENDED, DEFENDS, type="overcome", target="Xan"),
    *create_in_any_scene(NEW_ASPECT_FOR_ALLIES, "new_aspect", None),
    *create_in_any_scene(NEW_ASPECT_FOR_ALLIES, "new_aspect", "Sand in the Eyes"),
    *create_in_any_scene(discover_for_allies(None), "discover_aspect", None),
    *create_in_any_scene(discover_for_allies("Loose Roof Tiles"), "discover_aspect", "Loose Roof Tiles"),
    *create_in_any_scene(EXISTING_ASPECT_FOR_ALLIES, "existing_aspect", "Rough Terrain"),
    # A challenge is of overcome and create an advantage actions, a contest of overcome actions ("Challenges",
    # "Contests"); of a contest under fire it knows nothing.
    *cells(defended(ATTACK), DEFENDED, (None, "conflict"), type="attack", target="Xan"),
    *cells(AS_THE_OPPONENT_DOES, type="defend"),
]

# One track of boxes 1, 2 and 3, one box a hit, and consequences of 2, 4 and 6 ("What Is Stress?").
HITS = {
    3: [(3, []), (1, ["mild"]), (2, ["mild"]), (None, ["moderate"]), (None, ["severe"])],
    4: [(2, ["mild"]), (3, ["mild"]), (None, ["moderate"]), (None, ["severe"])],
    15: [(3, ["mild", "moderate", "severe"])],
    16: [],
}

# Each ally that helps gives +1, whatever their approach is rated ("Getting Help").
HELPS = {0: 1, 1: 1, 2: 1}


def test_the_only_track_is_called_stress_once() -> None:
    """Its name is said where there would be another, so never "stress stress"."""
    scene = {"characters": [ANN, XAN | {"importance": "named"}]}
    request = ask(scene, request={"ruleset": RULESET}, type="attack", target="Xan", roll={"total": 2})
    tie = narrator.resolve(ask(scene, request={"ruleset": RULESET}, roll={"total": 0}))

    settled = narrator.settle(request, {"branch": "hit", "absorb": {"stress": 2}})

    assert [words.change(each) for each in settled.changes] == ["Xan: stress, marks a box of 2"]
    assert words.state(settled.scene.characters[1]) == "stress 2"
    assert words.mechanics(tie.branches[0].slots[0].forms[-1]) == ("1 stress",)
