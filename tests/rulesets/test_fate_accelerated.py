"""What the Fate Accelerated SRD says, as `fate-accelerated` has it; typed here, not read."""

import narrator
from narrator.render import change_phrases, phrases
from tests.deeds import Deed
from tests.rules.build import ANN, DEFENDED, DEFENDS, FAIL, FAIL_BY_3_OR_MORE, STYLE, SUCCEED, TIE, XAN, ask
from tests.rulesets.cells import (
    ACTORS_BOOST,
    ALSO_DISCOVERED,
    APPROACHES,
    AS_THE_OPPONENT_DOES,
    ATTACK,
    ATTACKING,
    DEFENDERS_BOOST,
    DEFENDING,
    EXISTING_ASPECT_FOR_ALLIES,
    FATE_CORE_SECTIONS,
    NEW_ASPECT_FOR_ALLIES,
    SERIOUS_OR_LOSS,
    Rows,
    advantages,
    cells,
    creating,
    defended,
    discover_for_allies,
    in_the_way,
)

RULESET = "fate-accelerated"

DOCUMENT = "Fate Accelerated Edition"

SECTIONS = FATE_CORE_SECTIONS | {"denied_with_style": "Defend"}

SKILLS = APPROACHES

STRESS = {"stress": [1, 2, 3]}

DEEDS = (
    Deed("overcome", (None,), ("passive", "active", "defend")),
    creating("passive", "active", "defend", variants=ALSO_DISCOVERED),
    ATTACKING,
    DEFENDING,
)

OVERCOME: Rows = {
    FAIL: ["[fail] ✗", f"[serious_cost] ✓ → *serious_cost: {SERIOUS_OR_LOSS}"],
    TIE: [
        "[minor_cost] ✓ → *minor_cost: complication, tough_choice, twist, opposition_boost(@opp 1 free), "
        "stress(Ann 1 stress)"
    ],
    SUCCEED: ["[succeed] ✓"],
    STYLE: [f"[boost] ✓ → {ACTORS_BOOST}"],
}

# Against a defence with style nobody gets it, at no price ("Defend").
OVERCOME_DEFENDED = defended(OVERCOME) | {FAIL_BY_3_OR_MORE: [f"[fail] ✗ → {DEFENDERS_BOOST}"]}


# An advantage is created also against somebody in the way who defends; no scene changes it.
ADVANTAGES = (NEW_ASPECT_FOR_ALLIES, EXISTING_ASPECT_FOR_ALLIES, discover_for_allies)

TABLE = [
    *cells(OVERCOME, type="overcome"),
    *cells(OVERCOME_DEFENDED, DEFENDS, type="overcome", target="Xan"),
    *advantages(*ADVANTAGES),
    *advantages(*ADVANTAGES, made=in_the_way),
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

    assert [change_phrases.change(each) for each in settled.changes] == ["Xan: stress, marks a box of 2"]
    assert phrases.state(settled.scene.characters[1]) == "stress 2"
    assert phrases.mechanics(tie.branches[0].slots[0].forms[-1]) == ("1 stress",)
