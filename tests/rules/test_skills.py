"""Skills: found whatever their case, refused where they are mistyped, and 0 where nobody has them."""

from itertools import chain
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from tests.documents import DEEDS, SKILLS
from tests.rules.build import ask, refused, resolved

FLAT: Json = {"roll": {"dice": [0, 0, 0, 0]}}

PEOPLE: list[Json] = [
    {"name": "Ann", "side": "pc", "importance": "pc", "skills": {"Fight": 2, "Daring": 1}},
    {"name": "Bea", "side": "pc", "importance": "pc", "skills": {"FIGHT": 1, "Basket Weaving": 3}},
    {"name": "Xan", "side": "opposition", "skills": {"Will": 1}},
]


def rolled(*, listed: bool = True, ruleset: str = "five-actions", **action: Any) -> Json:
    """Ann rolls four blanks by a skill against Xan, who does too."""
    against = {"kind": "active", "by": "Xan", **FLAT} | action.pop("against", {})
    scene = {"characters": PEOPLE if listed else []}
    return ask(scene, request={"ruleset": ruleset}, **{**FLAT, **action, "opposition": against})


def notices(request: Json) -> list[str]:
    """What a resolution has to say beside its table."""
    return list(narrator.resolve(request).notices)


# Whatever the case.


@pytest.mark.parametrize(
    ("action", "side", "total"),
    [
        ({"skill": "fight"}, "roll", 2),
        ({"skill": "FIGHT"}, "roll", 2),
        ({"skill": "Fight", "attribute": "dARING"}, "roll", 3),
        ({"skill": "fight", "helpers": ["Bea"]}, "roll", 3),
        ({"actor": "Bea", "skill": "basket weaving"}, "roll", 3),
        ({"against": {"skill": "wILL"}}, "opposition", 1),
        ({"against": {"attribute": "will"}}, "opposition", 1),
    ],
)
def test_a_skill_is_found_whatever_its_case(action: Json, side: str, total: int) -> None:
    """On the sheets of the actor, the opposition and those who help; there is nothing to say of it."""
    answer = resolved(rolled(**action))

    assert (answer[side]["total"], answer["notices"]) == (total, [])


def test_of_two_skills_that_differ_in_case_the_one_typed_is_meant() -> None:
    """A sheet may have both; each is found as it is written."""
    people = [{"name": "Ann", "side": "pc", "skills": {"Fight": 2, "fight": 5}}]

    for skill, total in (("Fight", 2), ("fight", 5)):
        assert resolved(ask({"characters": people}, **FLAT, skill=skill))["roll"]["total"] == total


ROARER: Json = {"name": "Ann", "side": "pc", "importance": "nameless", "roar": "careful", "bad_at": ["sNEAKY"]}


@pytest.mark.parametrize(("used", "ends"), [("CLEVER", False), ("Careful", False), ("quick", True), ("Sneaky", True)])
def test_a_roar_is_held_and_lost_whatever_the_case(used: str, ends: bool) -> None:
    """The approach roared with, what one is bad at, and what is used are all compared without it."""
    answer = resolved(ask({"characters": [ROARER]}, request={"ruleset": "war-of-ashes"}, skill=used))

    assert ends == any(grant["type"] == "loses_roar" for grant in answer["branches"][0]["grants"])


def test_who_roars_in_small_letters_is_held_to_the_same_approaches() -> None:
    """The ring finds its own."""
    roar = {"type": "create_advantage", "variant": "roar", "opposition": {"kind": "roar"}, "roll": {"total": 3}}
    answer = resolved(ask({"characters": PEOPLE}, request={"ruleset": "war-of-ashes"}, skill="careful", **roar))

    assert answer["branches"][0]["grants"][0]["approaches"] == ["Careful", "Clever", "Sneaky"]


# Mistyped.

MISTYPED = [
    ("Figth", "Fight"),  # swapped
    ("Fght", "Fight"),  # one missing
    ("Fightt", "Fight"),  # one too many
    ("Fidht", "Fight"),  # one wrong
    ("nOTIC", "Notice"),  # on nobody's sheet, but in the list
    ("Burlgayr", "Burglary"),  # two of eight
    ("Investgaet", "Investigate"),
    ("Basket Waeving", "Basket Weaving"),  # on another's sheet
    ("Baskt Waeving", "Basket Weaving"),
]


@pytest.mark.parametrize(("typed", "meant"), MISTYPED)
@pytest.mark.parametrize(
    ("side", "field"), [("action", "skill"), ("action", "attribute"), ("action.opposition", "skill")]
)
def test_a_mistyped_skill_is_refused_with_the_one_meant(side: str, field: str, typed: str, meant: str) -> None:
    """Within a letter of one on a sheet or in the ruleset's list, two from eight letters on."""
    told: Json = {field: typed}

    code, place, allowed = refused(rolled(**told) if side == "action" else rolled(against=told))

    assert (code, place) == ("bad_request", f"{side}.{field}")
    assert [each.casefold() for each in allowed or ()] == [meant.casefold()]


OF_ITS_OWN: list[tuple[str, Json]] = [
    # Two letters off in a short word is another word.
    *((typed, {"skill": typed}) for typed in ("Fgiht Arts", "Stelaht", "Sotelh", "Xyz", "Provocation", "F")),
    # On no sheet and in no list, but no mistake either.
    ("Cooking", {"attribute": "Cooking"}),
    ("Cooking", {"against": {"skill": "Cooking"}}),
    # Where nobody is listed there is no sheet to look on, so that nothing is mistyped.
    *((typed, {"skill": typed, "listed": False}) for typed in ("Fight", "Figth", "Cooking")),
]


@pytest.mark.parametrize(("typed", "action"), OF_ITS_OWN, ids=str)
def test_what_is_near_to_nothing_is_a_skill_of_its_own(typed: str, action: Json) -> None:
    """It counts 0, and is said to."""
    answer = resolved(rolled(**action))

    assert (answer["roll"]["skill"], answer["opposition"]["skill"]) == (0, 0)
    assert [typed in notice for notice in answer["notices"]] == [True]


# What nobody has.


@pytest.mark.parametrize("known", ["Lore", "lore", "Burglary", "Basket Weaving", "daring"])
@pytest.mark.parametrize("side", ["roll", "opposition"])
def test_a_known_skill_that_somebody_lacks_counts_nothing(side: str, known: str) -> None:
    """In the ruleset's list, or on another's sheet: 0, and nothing need be said of it."""
    answer = resolved(rolled(skill=known, actor="Xan") if side == "roll" else rolled(against={"skill": known}))

    assert (answer[side]["skill"], [each for each in answer["notices"] if known in each]) == (0, [])


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize(
    "told",
    [
        {"roll": {"total": 1}, "against": {"skill": "Wil", "roll": {"total": 0}}},
        {"roll": None, "outcome": "tie", "against": {"skill": "Wil", "roll": None}},
    ],
    ids=["totals", "outcome"],
)
def test_what_is_told_looks_no_skill_up(told: Json, listed: bool) -> None:
    """A skill beside a told total or outcome adds nothing, so that it is nobody's concern how it is written."""
    assert notices(rolled(listed=listed, skill="Figth", attribute="Cooking", **told)) == []


# The lists.


@pytest.mark.parametrize("ruleset", SKILLS)
def test_each_ruleset_knows_its_skills(ruleset: str) -> None:
    """Those of the book: they count 0 where a sheet lacks them, and those of other books are not known."""
    people = [{"name": "Ann", "side": "pc"}, {"name": "Xan", "side": "x"}]
    overcome = DEEDS[ruleset][0]
    against = {"kind": overcome.alone[-1], "by": "Xan", "roll": {"total": 0}}

    def is_known(skill: str) -> bool:
        action = {**FLAT, "skill": skill, "opposition": against}
        try:
            return not notices(ask({"characters": people}, request={"ruleset": ruleset}, **action))
        except NarratorError:
            return False  # it is near one of this book

    assert {skill for skill in chain(*SKILLS.values()) if is_known(skill)} == set(SKILLS[ruleset])


# Turn order.


@pytest.mark.parametrize("given", [{"approach": "Quikc"}, {"approach": "Quick", "ties": ["Carefull"]}])
def test_an_order_by_a_mistyped_approach_says_which_was_meant(given: Json) -> None:
    """The message repeats what was typed, and names what is near."""
    people = [{"name": "Ann", "side": "pc", "skills": {"Quick": 1, "Careful": 1}}]

    with pytest.raises(NarratorError) as caught:
        narrator.turn_order({"characters": people}, **given)

    meant = "Quick" if "ties" not in given else "Careful"
    assert (caught.value.code, f"mean {meant}" in caught.value.message) == ("bad_request", True)
