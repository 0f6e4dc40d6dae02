"""An outcome typed alone, for whoever rolled at the table: no dice, no skill, no sheet."""

from shlex import split

import pytest

from tests.interfaces.running import lines, made, page, refusal, said

SNEAK = ("overcome", "--actor", "Cynere", "--intent", "sneak past the watch")

OUTCOMES: dict[str, tuple[str, int | None]] = {
    "--fail": ("fail", None),
    "--tie": ("tie", None),
    "--succeed": ("succeed", None),
    "--style": ("succeed_with_style", None),
    "--outcome succeed_with_style": ("succeed_with_style", None),
    "--outcome Epic-Success --ruleset coppermane": ("epic_success", None),
    "--fail --shifts 2": ("fail", -2),
    "--fail --shifts=-2": ("fail", -2),
    "--tie --shifts 0": ("tie", 0),
    "--style --shifts 5": ("succeed_with_style", 5),
}


@pytest.mark.parametrize("typed", OUTCOMES)
def test_an_outcome_alone_is_enough(typed: str) -> None:
    """It is taken as it was told, with nothing rolled and nothing rated; a failure by two may be typed as 2."""
    found = made("resolve", *SNEAK, *typed.split())

    assert (found["outcome"], found.get("shifts")) == OUTCOMES[typed]
    assert "roll" not in found
    assert "total" not in found["opposition"]


def test_the_page_of_a_told_failure_has_its_costs_and_no_dice() -> None:
    """Who, what for and the outcome; then the costs, each with its number. No skill and no opposition is made up."""
    told = page("suggest", *SNEAK, "--fail", "--deal", "1")

    assert lines(told)[:2] == ["CYNERE  sneak past the watch   Overcome", "FAIL"]
    assert [line[:2] for line in lines(told) if line[0].isdigit()] == ["1 ", "2 ", "3 "]
    assert [word for word in ("skill", "passive", "told", "seed") if word in told.partition("  f  ")[0]] == []
    assert "note:" not in told


ALONE = ["--fail", "--tie", "--succeed", "--style", "--outcome tie"]
TWO = [
    f"{one} {other}"
    for at, one in enumerate(ALONE)
    for other in ("--dice 0000", "--sum 1", "--total 3", *ALONE[at + 1 :])
]


@pytest.mark.parametrize("typed", TWO)
def test_what_came_of_it_is_told_once(typed: str) -> None:
    """Two outcomes, or an outcome beside what was rolled, are refused; the line names both."""
    told = refusal("resolve", *SNEAK, *typed.split())

    assert told.startswith("narrator: bad_dice: --")
    assert [option for option in typed.split() if option.startswith("--") and option not in told] == []


WRONG = {
    "--shifts 2": "bad_request: --shifts: ",
    "--shifts 2 --dice 0000": "bad_request: --shifts: ",
    "--shifts 2 --sum 1": "bad_request: --shifts: ",
    "--tie --shifts 1": "bad_request: --shifts: ",
    "--style --shifts 2": "bad_request: --shifts: ",
    "--succeed --shifts=-1": "bad_request: --shifts: ",
    "--total 2 --tie": "bad_dice: --tie: --total and --tie give the same roll: use one of them",
    "--outcome epic_success": "bad_request: --outcome: ",
}


@pytest.mark.parametrize("typed", WRONG)
def test_what_does_not_go_together_is_refused_by_its_option(typed: str) -> None:
    """Shifts without an outcome, shifts that make another one, and an outcome that the ruleset does not have."""
    assert refusal("resolve", *SNEAK, *typed.split()).startswith(f"narrator: {WRONG[typed]}")


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


@pytest.mark.parametrize("options", [("--fail",), ("--fail", "--shifts", "1")], ids=" ".join)
def test_there_are_no_chances_of_what_is_told(options: tuple[str, ...]) -> None:
    """The chances are of a roll, and what is invoked after an outcome changes nothing: one line or the page says so."""
    told = (*SNEAK, *options, "--scene", "examples/cynere.json")

    for call in ("odds", "reach"):
        assert refusal(call, *told).startswith("narrator: bad_request: --fail: ")
    assert "in reach" not in page("resolve", *told)


DEFENCES = {
    "--by 'Wolf Pack' --fail --shifts 3": ("--actor 'Wolf Pack'", "--shifts 3"),
    "--by 'Wolf Pack' --dice ---- --against 0": ("--actor 'Wolf Pack'", "--shifts 4"),
    "--target Wolf --fail": ("--actor Wolf", "--shifts SHIFTS"),
    "--against 2 --total 1": ("--actor GM", "--shifts 1"),
}


@pytest.mark.parametrize("words", DEFENCES)
def test_a_defence_that_fails_says_how_the_hit_is_typed(words: str) -> None:
    """The hit is the attack's: the page has the line for it, with who struck and by how much; and that line works."""
    by, shifts = DEFENCES[words]
    line = f"narrator suggest attack {by} --target Cynere --succeed {shifts}"

    for call in ("resolve", "suggest"):
        assert line in said(page(call, "defend", "--actor", "Cynere", *split(words)))
    assert "A hit" in page(*split(line.replace("SHIFTS", "2"))[1:])


@pytest.mark.parametrize("words", ["defend --tie", "overcome --fail", "attack --fail"])
def test_nothing_is_said_of_a_hit_where_there_is_none(words: str) -> None:
    """Neither where a defence held, nor where another action failed."""
    typed = (*words.split(), "--actor", "Cynere", "--target", "Wolf")

    assert "narrator suggest attack" not in said(page("resolve", *typed))
