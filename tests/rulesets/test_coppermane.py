"""What document 001 and the spec say, as `coppermane` has it; typed here, not read."""

import pytest

from narrator.rules.json_text import Json
from tests.deeds import Deed
from tests.rules.build import (
    DEFENDED,
    DEFENDS,
    FAIL,
    FAIL_BY_LESS_THAN_3,
    STYLE as STYLE_OR_MORE,
    SUCCEED,
    TIE,
    Cell,
    Landing,
    ask,
    resolved,
)
from tests.rulesets.cells import (
    ACTORS_BOOST,
    ALSO_DISCOVERED,
    AS_THE_OPPONENT_DOES,
    ATTACK,
    ATTACKING,
    DEFENDERS_BOOST,
    DEFENDING,
    EXISTING_ASPECT_FOR_ALLIES,
    FATE_CORE_SECTIONS,
    FATE_CORE_SKILLS,
    FORFEIT_IN_A_CONTEST,
    NEW_ASPECT_FOR_ALLIES,
    SERIOUS_OR_LOSS,
    WHERE_ATTACKS_BELONG,
    Rows,
    advantages,
    cells,
    create,
    creating,
    defended,
    discover_for_allies,
    forfeiting,
    with_each,
)

RULESET = "coppermane"

DOCUMENT = "Coppermane"

SECTIONS = {
    **FATE_CORE_SECTIONS,
    **FORFEIT_IN_A_CONTEST,
    "denied_with_style": "Defend",
    "epic_success": "Outcomes",
    "epic_defense": "Outcomes",
}

SKILLS = FATE_CORE_SKILLS

DEEDS = (
    Deed("overcome", (None,), ("passive", "active", "defend")),
    creating("passive", "active", variants=ALSO_DISCOVERED),
    ATTACKING,
    DEFENDING,
)

FAIL_BY_3_TO_6 = Landing("fail", (-3, -6))
FAIL_BY_7_OR_MORE = Landing("fail", (-7, -9))
STYLE = Landing("succeed_with_style", (3, 6))
OUTCOMES = {"tie": 0, "succeed": 1, "succeed_with_style": 3, "epic_success": 7}

EPIC = Landing("epic_success", (7, 9))

DEFENDERS_LEGEND = "+legend_points(@defender 1)"

# An epic defence, by seven or more, gives a legend point besides.
DEFENCE = {
    FAIL_BY_LESS_THAN_3: (),
    FAIL_BY_3_TO_6: (DEFENDERS_BOOST,),
    FAIL_BY_7_OR_MORE: (DEFENDERS_BOOST, DEFENDERS_LEGEND),
}


def epic(rows: Rows) -> Rows:
    """The same rows, in which a success by seven or more is one with style, and a legend point besides."""
    stylish = rows[STYLE_OR_MORE]
    others = {reach: branches for reach, branches in rows.items() if reach != STYLE_OR_MORE}
    return others | {STYLE: stylish, EPIC: with_each(stylish, "+legend_points(Ann 1)")}


OVERCOME = epic(
    {
        FAIL: ["[fail] ✗", f"[serious_cost] ✓ → *serious_cost: {SERIOUS_OR_LOSS}"],
        TIE: ["[minor_cost] ✓ → *minor_cost: complication, tough_choice, twist"],
        SUCCEED: ["[succeed] ✓"],
        STYLE_OR_MORE: [f"[boost] ✓ → {ACTORS_BOOST}"],
    }
)

# Whoever is defended against with style does not get it, at no price.
OVERCOME_DEFENDED = defended(OVERCOME, DEFENCE) | {
    FAIL_BY_3_TO_6: [f"[fail] ✗ → {DEFENDERS_BOOST}"],
    FAIL_BY_7_OR_MORE: [f"[fail] ✗ → {DEFENDERS_LEGEND} → {DEFENDERS_BOOST}"],
}


def create_epic(rows: Rows, **action: str | None) -> list[Cell]:
    """Create an advantage, which may be epic, and so may the defence."""
    return create(epic(rows), DEFENCE, **action)


TABLE = [
    *cells(OVERCOME, type="overcome"),
    *cells(OVERCOME_DEFENDED, DEFENDS, type="overcome", target="Xan"),
    *forfeiting(advantages(NEW_ASPECT_FOR_ALLIES, EXISTING_ASPECT_FOR_ALLIES, discover_for_allies, made=create_epic)),
    *cells(defended(epic(ATTACK), DEFENCE), DEFENDED, WHERE_ATTACKS_BELONG, type="attack", target="Xan"),
    *cells(epic(AS_THE_OPPONENT_DOES), type="defend"),
]


@pytest.mark.parametrize(
    ("told", "said"),
    [(6, []), (7, ["An epic success"]), (-6, []), (-7, ["An epic defence"])],
    ids=["style", "epic success", "stylish defence", "epic defence"],
)
def test_an_epic_roll_asks_for_a_telling_that_pushes_what_is_possible(told: int, said: list[str]) -> None:
    """From seven shifts on, on either side, a notice says so; with fewer there is none."""
    action: Json = {"type": "attack", "target": "Xan", "roll": {"total": told}}

    notices = resolved(ask(request={"ruleset": RULESET}, **action))["notices"]

    assert [(start, True) for start in said] == [
        (notice.partition(":")[0], "push what is possible" in notice) for notice in notices
    ]
