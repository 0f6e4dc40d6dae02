"""The command line for those who have no file: one line that tells an action."""

from shlex import split
from typing import get_type_hints

import pytest

from narrator.cli.option_groups import TypedAction
from narrator.rules.ruleset.loader import packaged
from tests.interfaces.running import made, page, refusal, run, usage

BRIBE = ("overcome", "--actor", "Cynere", "--skill", "Resources=1", "--against", "2", "--intent", "bribe the guards")


def test_the_line_of_the_manual_gives_the_costs_of_a_tie() -> None:
    """Roll, totals, outcome, and three minor costs of different forms, out of the deck."""
    answer = made("suggest", *BRIBE, "--dice", "+ 0 0 0", "--seed", "7")
    resolution = answer["resolution"]
    roll = resolution["roll"]

    assert tuple(resolution["action"][key] for key in ("type", "actor", "skill")) == ("overcome", "Cynere", "Resources")
    assert (roll["dice"], roll["skill"], roll["total"]) == ([1, 0, 0, 0], 1, 2)
    assert (resolution["opposition"]["total"], resolution["outcome"]) == (2, "tie")
    assert len({each["form"] for each in answer["suggestions"]}) == 3


FACES = {
    "+ 0 0 0": [1, 0, 0, 0],
    "+000": [1, 0, 0, 0],
    "+,0,0,-": [1, 0, 0, -1],
    "1 0 -1 +1": [1, 0, -1, 1],
    "  + - 0 +  ": [1, -1, 0, 1],
    "− 0 + +": [-1, 0, 1, 1],
    "–,0,+,+": [-1, 0, 1, 1],
    "—0+": [-1, -1, 0, 1],
}


@pytest.mark.parametrize("typed", FACES)
def test_dice_are_typed_as_they_lie(typed: str) -> None:
    """Signs or numbers, with blanks or commas or without."""
    assert made("resolve", "overcome", f"--dice={typed}")["roll"]["dice"] == FACES[typed]


@pytest.mark.parametrize("sign", ["-", "−", "–"])
def test_a_number_may_have_the_minus_of_a_note(sign: str) -> None:
    """Whatever a keyboard made of the hyphen, in totals, shifts, ratings and skills."""
    typed = ("overcome", f"--against={sign}1", f"--with=Will {sign}1", f"--skill=Fight={sign}2")
    found = made("resolve", *typed, "--seed", "1")
    told = made("resolve", "overcome", "--fail", f"--shifts={sign}2")

    assert (found["opposition"]["total"], found["roll"]["skill"], told["shifts"]) == (-1, -2, -2)
    assert made("resolve", "overcome", f"--total={sign}1")["roll"]["total"] == -1


@pytest.mark.parametrize(("typed", "rating"), [("Fair", 2), ("GOOD", 3), ("Terrible", -2), ("+3", 3), ("0", 0)])
def test_ratings_are_numbers_or_names_of_the_ladder(typed: str, rating: int) -> None:
    """For the opposition and for the skill, in any case of letters."""
    answer = made("resolve", "overcome", f"--against={typed}", f"--skill=Will={typed}", "--dice", "0000")

    assert (rating, rating) == (answer["opposition"]["total"], answer["roll"]["skill"])


def test_with_nothing_told_it_rolls_and_names_the_seed() -> None:
    """An action alone is enough, and the seed that was drawn throws the same dice again; the page has it too."""
    first = made("suggest", "overcome")["resolution"]

    assert (first["opposition"]["total"], first["roll"]["skill"]) == (1, 0)
    assert made("suggest", "overcome", "--seed", str(first["seed"]))["resolution"] == first
    assert "seed" in page("resolve", "overcome")


@pytest.mark.parametrize("ruleset", packaged())
@pytest.mark.parametrize("call", ["resolve", "suggest", "odds"])
def test_the_one_liner_works_in_every_ruleset(call: str, ruleset: str) -> None:
    """Overcome is in all of them, and needs no file in any."""
    ended = run(call, "overcome", "--ruleset", ruleset)

    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize(("typed", "total"), [("+1", 3), ("1", 3), ("0", 2), ("-4", -2), ("−4", -2)])
def test_what_the_dice_came_to_is_enough(typed: str, total: int) -> None:
    """The page shows it where the faces stand, skills are added to it, and rolling again shows faces in its place."""
    skill = ("resolve", "overcome", "--skill", "Will=2", "--against", "2", f"--sum={typed}")
    shown = f"sum {int(typed.replace('−', '-')):+d} Will +2 = {total} "

    assert made(*skill)["roll"]["total"] == total
    assert shown in " ".join(page(*skill).split())
    again = page(*skill, "--invoke", "Fog=reroll")
    assert ("sum" in again, "rolled again" in again) == (False, True)


REFUSED = {
    "--dice '+ 0 0'": "bad_dice: --dice:",
    "--dice 'a b c d'": "bad_dice: --dice:",
    "--dice ''": "bad_dice: --dice:",
    "--dice ++++ --total 3": "bad_dice: ",
    "--sum 1 --total 3": "bad_dice: --total: ",
    "--sum 5": "bad_request: --sum: ",
    "--against hard": "bad_request: --against:",
    "--against ''": "bad_request: --against:",
    "--skill Will=lots": "bad_request: --skill:",
    "--skill =1": "bad_request: ",
    "--variant sideways": "unknown_variant: ",
    "--ruleset fudge": "unknown_ruleset: ",
    "--ruleset nowhere.toml": "bad_ruleset: nowhere.toml: ",
    "--actor Ann --target Ann": "bad_request: ",
    f"--actor {'A' * 201}": "bad_request: ",
}


@pytest.mark.parametrize("typed", REFUSED, ids=lambda typed: typed[:30])
def test_what_cannot_be_is_refused_in_one_line(typed: str) -> None:
    """It names the option, and no field of a request that nobody wrote; with `--json` it is the error object."""
    line = refusal("resolve", "overcome", *split(typed))
    ended = run("resolve", "overcome", *split(typed), "--json")

    assert line.startswith(f"narrator: {REFUSED[typed]}")
    assert ("scene." in line, "action." in line) == (False, False)
    assert (ended.code, ended.json["error"]["code"]) == (1, REFUSED[typed].split(":")[0])


WRONG_USAGE = {
    "resolve overcom": "overcome",
    "resolve nofile.json": "nofile.json",
    "resolve overcome --scene nofile.json": "nofile.json",
    "resolve overcome --shifts few": "few",
    "resolve overcome --colour red": "--colour",
    "table": "action",
    "schema nonsense": "nonsense",
    "nonsense": "nonsense",
    "sugest overcome": "suggest",
    "suggest overcome --intent bribe the guards": '--intent "bribe the guards"',
    "suggest overcome --dice + 0 0 -": "Put quotes around",
    "suggest overcome --fail 2": "--shifts 2",
    "suggest --fail": "type an action first, such as: narrator suggest overcome",
    "odds": "type an action first, such as: narrator odds overcome",
}


@pytest.mark.parametrize("typed", WRONG_USAGE)
def test_wrong_usage_ends_with_2_and_says_what_is_wrong(typed: str) -> None:
    """Nothing goes to standard output, and the message has the word that is wrong, or the one that was meant."""
    assert WRONG_USAGE[typed] in usage(*typed.split())


@pytest.mark.parametrize("typed", ["existing_aspect", "existing aspect", "Existing-Aspect", "an existing aspect"])
def test_a_variant_may_be_typed_as_pages_print_it(typed: str) -> None:
    """As an action, and a maneuver too; for its table as for a roll."""
    used = made("resolve", "caa", "--variant", typed, "--aspect", "Fog", "--total", "3")
    told = made("resolve", "overcome", "--maneuver", "Full attack", "--ruleset", "war-of-ashes", "--total", "3")

    assert (used["action"]["variant"], told["action"]["maneuver"]) == ("existing_aspect", "full_attack")
    assert page("table", "Create an Advantage", typed) == page("table", "create_advantage", "existing_aspect")


@pytest.mark.parametrize("typed", ["Fate Core", "FATE-CORE", "fate_core"])
def test_a_ruleset_may_be_typed_as_one_says_it(typed: str) -> None:
    """As an action; one that is near to none but one is refused with that."""
    assert made("resolve", "overcome", "--fail", "--ruleset", typed)["ruleset"] == "fate-core"
    assert "did you mean coppermane" in refusal("resolve", "overcome", "--fail", "--ruleset", "coperman")


@pytest.mark.parametrize("typed", ["Overcome", "create advantage", "create-advantage", "CAA"])
def test_an_action_may_be_typed_as_pages_print_it(typed: str) -> None:
    """Capitals, blanks and hyphens do not matter to whoever reads the table."""
    assert run("resolve", typed, "--total", "3").code == 0
    assert run("table", typed).code == 0


def test_an_unknown_action_of_a_table_is_refused_with_those_there_are() -> None:
    """One line, exit code 1."""
    assert "attack, create_advantage, defend, overcome" in refusal("table", "discover", "--ruleset", "coppermane")


def test_an_unknown_variant_of_a_table_is_refused_with_the_one_meant() -> None:
    """As `--variant` is."""
    told = "create_advantage has no variant 'new'; did you mean new_aspect (allowed: new_aspect, existing_aspect)"

    assert f"unknown_variant: request.variant: {told}" in refusal("table", "caa", "new")
    assert f"unknown_variant: --variant: {told}" in refusal("resolve", "caa", "--variant", "new", "--fail")


KINDS = get_type_hints(TypedAction)
TEXTS = [name for name, kind in KINDS.items() if kind in (str | None, list[str] | None) and name != "scene"]

NONSENSE = ["\x1b[31mred\x07", "x\x00y", "🎲\na" * 50, "\u202eevil", "[bold]%s{0}[/bold]/../x"]


@pytest.mark.parametrize("text", NONSENSE, ids=[ascii(text)[:24] for text in NONSENSE])
@pytest.mark.parametrize("option", TEXTS)
def test_nonsense_is_printed_or_refused_and_never_steers_the_terminal(option: str, text: str) -> None:
    """Whatever is typed for any option, there is a page or one line, and no byte of it that moves a cursor."""
    ended = run("resolve", "overcome", f"--{option.rstrip('_').replace('_', '-')}={text}", "--seed", "1")

    assert ended.code in (0, 1)
    assert ended.code == 0 or len(ended.err.splitlines()) == 1
    assert [char for char in ended.out + ended.err if not (char.isprintable() or char == "\n")] == []
