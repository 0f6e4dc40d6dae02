"""What document 001 and the spec say, as `coppermane` has it; typed here, not read."""

import pytest

from tests.deeds import Deed
from tests.rules.build import (
    ANN,
    DEFENDED,
    DEFENDS,
    FAIL,
    FAIL_BY_LESS_THAN_3,
    STYLE as STYLE_OR_MORE,
    SUCCEED,
    TIE,
    Json,
    Landing,
    ask,
    resolved,
    shown,
)
from tests.rulesets.cells import (
    ACTORS_BOOST,
    AS_THE_OPPONENT_DOES,
    ATTACK,
    DEFENDERS_BOOST,
    EXISTING_ASPECT_FOR_ALLIES,
    FATE_CORE_SECTIONS,
    FATE_CORE_SKILLS,
    NEW_ASPECT_FOR_ALLIES,
    WHERE_ATTACKS_BELONG,
    Rows,
    cells,
    create,
    defended,
    discover_for_allies,
    forfeiting,
    with_each,
)

RULESET = "coppermane"

DOCUMENT = "Coppermane"

SECTIONS = FATE_CORE_SECTIONS

SKILLS = FATE_CORE_SKILLS

DEEDS: tuple[Deed, ...] = (
    Deed("overcome", (None,), ("passive", "active", "defend")),
    Deed(
        "create_advantage",
        (None, "new_aspect", "existing_aspect", "discover_aspect"),
        ("passive", "active"),
        ("defend", "passive"),
    ),
    Deed("attack", (None,), (), ("defend", "passive")),
    Deed("defend", (None,), ("active", "passive")),
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
        FAIL: [
            "[fail] ✗",
            "[serious_cost] ✓ → *serious_cost: loss, consequence(Ann mild 0 free), new_opposition, "
            "opposition_advantage(@opp 1 free)",
        ],
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

NEW_ASPECT, EXISTING_ASPECT = epic(NEW_ASPECT_FOR_ALLIES), epic(EXISTING_ASPECT_FOR_ALLIES)

TABLE = [
    *cells(OVERCOME, type="overcome"),
    *cells(OVERCOME_DEFENDED, DEFENDS, type="overcome", target="Xan"),
    *forfeiting(create(NEW_ASPECT, DEFENCE, variant="new_aspect")),
    *forfeiting(create(NEW_ASPECT, DEFENCE, variant="new_aspect", aspect="Sand in the Eyes")),
    *forfeiting(create(EXISTING_ASPECT, DEFENCE, variant="existing_aspect", aspect="Rough Terrain")),
    *(
        cell
        for named in (None, "Loose Roof Tiles")
        for cell in forfeiting(
            create(epic(discover_for_allies(named)), DEFENCE, variant="discover_aspect", aspect=named)
        )
    ),
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


def test_who_has_no_ally_keeps_the_free_invocation() -> None:
    """Without an ally the list names the actor alone."""
    scene = {"characters": [ANN, {"name": "Xan", "side": "opposition"}]}

    answer = resolved(ask(scene, request={"ruleset": RULESET}, type="create_advantage"))

    assert shown(answer) == ["[aspect] ✓ → *aspect: situation_aspect(Ann 1 free)"]


def test_an_ally_who_acts_makes_the_same_list() -> None:
    """Whoever of a side acts, actor and allies are named in order of their names."""
    answer = resolved(ask(request={"ruleset": RULESET}, type="create_advantage", actor="Bea"))

    assert shown(answer) == ["[aspect] ✓ → *aspect: situation_aspect(Ann,Bea 1 free)"]
