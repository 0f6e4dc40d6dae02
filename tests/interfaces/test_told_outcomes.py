"""An outcome typed alone, for whoever rolled at the table: no dice, no skill, no sheet."""

import shlex
from typing import Any

import pytest

from narrator.rules.loading import packaged
from tests.interfaces.running import lines, made, page, refusal, said

SNEAK = ("overcome", "--actor", "Cynere", "--intent", "sneak past the watch")

OUTCOMES = [
    (("--fail",), "fail", None),
    (("--tie",), "tie", None),
    (("--succeed",), "succeed", None),
    (("--style",), "succeed_with_style", None),
    (("--outcome", "fail"), "fail", None),
    (("--outcome", "succeed_with_style"), "succeed_with_style", None),
    (("--outcome", "epic_success", "--ruleset", "coppermane"), "epic_success", None),
    (("--fail", "--shifts", "2"), "fail", -2),
    (("--fail", "--shifts=-2"), "fail", -2),
    (("--tie", "--shifts", "0"), "tie", 0),
    (("--succeed", "--shifts", "2"), "succeed", 2),
    (("--style", "--shifts", "5"), "succeed_with_style", 5),
]


@pytest.mark.parametrize(("options", "outcome", "shifts"), OUTCOMES, ids=[" ".join(each[0]) for each in OUTCOMES])
def test_an_outcome_alone_is_enough(options: tuple[str, ...], outcome: str, shifts: int | None) -> None:
    """It is taken as it was told, with nothing rolled and nothing rated; a failure by two may be typed as 2."""
    found = made("resolve", *SNEAK, *options)

    assert (found["outcome"], found.get("shifts")) == (outcome, shifts)
    assert "roll" not in found
    assert "total" not in found["opposition"]


def test_the_page_of_a_told_failure_has_its_costs_and_no_dice() -> None:
    """Who, what for and the outcome; then the costs, each with its number. No skill and no opposition is made up."""
    told = page("suggest", *SNEAK, "--fail", "--deal", "1")

    assert lines(told)[:2] == ["CYNERE  sneak past the watch   Overcome", "FAIL"]
    assert [line[:2] for line in lines(told) if line[0].isdigit()] == ["1 ", "2 ", "3 "]
    assert [word for word in ("skill", "passive", "told", "seed") if word in told.partition("  f  ")[0]] == []
    assert "note:" not in told


@pytest.mark.parametrize("options", [("--fail",), ("--tie",), ("--succeed",), ("--style",)], ids=lambda each: each[0])
@pytest.mark.parametrize("ruleset", packaged())
def test_an_outcome_alone_is_enough_in_every_ruleset(ruleset: str, options: tuple[str, ...]) -> None:
    """Whatever opposes an action there, nobody has to say so."""
    assert made("suggest", *SNEAK, *options, "--ruleset", ruleset)["resolution"]["ruleset"] == ruleset


@pytest.mark.parametrize("outcome", ["--fail", "--tie", "--succeed", "--style"])
def test_an_outcome_alone_is_enough_for_a_roar(outcome: str) -> None:
    """Nor in a variant that only its own difficulty opposes."""
    told = ("caa", "--variant", "roar", "--skill", "Forceful", "--ruleset", "war-of-ashes", outcome)

    assert made("resolve", *told)["action"]["variant"] == "roar"


@pytest.mark.parametrize("typed", ["epic_success", "epic success", "Epic-Success"])
def test_an_outcome_may_be_typed_as_pages_print_it(typed: str) -> None:
    """Capitals, blanks and hyphens do not matter."""
    assert made("resolve", *SNEAK, "--outcome", typed, "--ruleset", "coppermane")["outcome"] == "epic_success"


ROLLS: list[tuple[str, ...]] = [("--dice", "0000"), ("--total", "3")]
ALONE: list[tuple[str, ...]] = [("--fail",), ("--tie",), ("--succeed",), ("--style",), ("--outcome", "tie")]
TWO = [(*one, *other) for place, one in enumerate(ALONE) for other in (*ROLLS, *ALONE[place + 1 :])]


@pytest.mark.parametrize("options", TWO, ids=" ".join)
def test_what_came_of_it_is_told_once(options: tuple[str, ...]) -> None:
    """Two outcomes, or an outcome beside what was rolled, are refused; the line names both."""
    said = refusal("resolve", *SNEAK, *options)

    assert said.startswith("narrator: bad_dice: --")
    assert [option for option in options if option.startswith("--") and option not in said] == []


WRONG: list[tuple[tuple[str, ...], str]] = [
    (("--shifts", "2"), "bad_request: --shifts: "),
    (("--shifts", "2", "--dice", "0000"), "bad_request: --shifts: "),
    (("--tie", "--shifts", "1"), "bad_request: --shifts: "),
    (("--succeed", "--shifts", "0"), "bad_request: --shifts: "),
    (("--style", "--shifts", "2"), "bad_request: --shifts: "),
    (("--fail", "--succeed"), "bad_dice: --succeed: --fail and --succeed tell one roll: type one of them"),
    (("--total", "2", "--tie"), "bad_dice: --tie: --total and --tie tell one roll: type one of them"),
    (("--succeed", "--shifts=-1"), "bad_request: --shifts: "),
    (("--outcome", "triumph"), "bad_request: --outcome: "),
    (("--outcome", "epic_success"), "bad_request: --outcome: "),
]


@pytest.mark.parametrize(("options", "start"), WRONG, ids=[" ".join(options) for options, _ in WRONG])
def test_what_does_not_go_together_is_refused_by_its_option(options: tuple[str, ...], start: str) -> None:
    """Shifts without an outcome, shifts that make another one, and an outcome that the ruleset does not have."""
    assert refusal("resolve", *SNEAK, *options).startswith(f"narrator: {start}")


def test_an_unknown_outcome_is_refused_with_those_there_are() -> None:
    """The ruleset's own, and the one that was most likely meant."""
    said = refusal("resolve", *SNEAK, "--outcome", "suceed")

    assert "did you mean succeed" in said
    assert "fail, tie, succeed, succeed_with_style" in said


def test_a_hit_wants_its_shifts() -> None:
    """Where somebody is hit by so many shifts, an outcome alone is not enough, and the line says which option is."""
    struck = ("attack", "--actor", "Cynere", "--target", "Wolf")

    assert refusal("resolve", *struck, "--succeed").startswith("narrator: bad_request: --shifts: ")
    assert made("resolve", *struck, "--succeed", "--shifts", "2")["branches"][0]["grants"][0]["amount"] == 2


OPPONENTS: list[tuple[tuple[str, ...], Any]] = [
    (("overcome", "--by", "Gate Guards"), "Gate Guards"),
    (("caa", "--target", "Captain"), "Captain"),
    (("attack", "--target", "Wolf"), "Wolf"),
    (("defend", "--by", "Wolf"), "Wolf"),
]


@pytest.mark.parametrize(("words", "opponent"), OPPONENTS, ids=[" ".join(words) for words, _ in OPPONENTS])
def test_who_opposed_may_be_named(words: tuple[str, ...], opponent: str) -> None:
    """The page says whom it was against, though nothing was rolled."""
    assert lines(page("resolve", *words, "--actor", "Cynere", "--fail"))[1:3] == [f"against {opponent}", "FAIL"]


@pytest.mark.parametrize("options", [("--fail",), ("--fail", "--shifts", "1")], ids=" ".join)
@pytest.mark.parametrize("call", ["odds", "reach"])
def test_there_are_no_chances_of_what_is_told(call: str, options: tuple[str, ...]) -> None:
    """The chances are of a roll, and what is invoked after an outcome changes nothing: one line says so."""
    told = refusal(call, *SNEAK, *options, "--scene", "examples/cynere.json")

    assert told.startswith("narrator: bad_request: --fail: ")


def test_nothing_is_in_reach_on_the_page_of_what_is_told() -> None:
    """With shifts or without, though the scene has aspects that might be invoked."""
    for options in (("--fail",), ("--fail", "--shifts", "1")):
        assert "in reach" not in page("resolve", *SNEAK, *options, "--scene", "examples/cynere.json")


@pytest.mark.parametrize(
    ("words", "typed"),
    [
        (("--by", "Wolf Pack", "--fail", "--shifts", "3"), ("--actor 'Wolf Pack'", "--shifts 3")),
        (("--by", "Wolf Pack", "--dice", "----", "--against", "0"), ("--actor 'Wolf Pack'", "--shifts 4")),
        (("--target", "Wolf", "--fail"), ("--actor Wolf", "--shifts SHIFTS")),
        (("--against", "2", "--total", "1"), ("--actor GM", "--shifts 1")),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("call", ["resolve", "suggest"])
def test_a_defence_that_fails_says_how_the_hit_is_typed(
    call: str, words: tuple[str, ...], typed: tuple[str, str]
) -> None:
    """The hit is the attack's: the page has the line for it, with who struck and by how much; and that line works."""
    by, shifts = typed
    line = f"narrator suggest attack {by} --target Cynere --succeed {shifts}"

    assert line in said(page(call, "defend", "--actor", "Cynere", *words))
    assert "A hit" in page(*shlex.split(line.replace("SHIFTS", "2"))[1:])


@pytest.mark.parametrize("words", [("defend", "--tie"), ("overcome", "--fail"), ("attack", "--fail")], ids=" ".join)
def test_nothing_is_said_of_a_hit_where_there_is_none(words: tuple[str, ...]) -> None:
    """Neither where a defence held, nor where another action failed."""
    assert "narrator suggest attack" not in said(page("resolve", *words, "--actor", "Cynere", "--target", "Wolf"))
