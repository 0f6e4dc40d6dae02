"""The command line for those who have no file: the one-liner, tables, chances and completion."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import narrator
from narrator.interfaces.cli import app

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
CYNERE = ROOT / "examples" / "cynere.json"

BRIBE = ("overcome", "--actor", "Cynere", "--skill", "Resources=1", "--against", "2", "--intent", "bribe the guards")


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code, and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The object that was printed."""
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def _at_80_columns(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this machine counts: an empty config folder, 80 columns, and the repository for relative paths."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(ROOT)


def run(*words: str, given: str = "") -> Ended:
    """Run the command line here; what is no orderly end is raised."""
    result = CliRunner().invoke(app, list(words), input=given, prog_name="narrator")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ended(result.exit_code, result.stdout, result.stderr)


def lines(text: str) -> list[str]:
    """Its lines, without blanks around them."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def test_the_line_of_the_manual_gives_the_costs_of_a_tie() -> None:
    """Roll, totals, outcome, and three minor costs of different forms, out of the deck."""
    ended = run("suggest", *BRIBE, "--dice", "+ 0 0 0", "--seed", "7", "--json")
    answer = ended.json
    resolution = answer["resolution"]

    assert (ended.code, ended.err) == (0, "")
    assert tuple(resolution["action"][key] for key in ("type", "actor", "skill")) == ("overcome", "Cynere", "Resources")
    assert (
        resolution["roll"]["dice"],
        resolution["roll"]["skill"],
        resolution["roll"]["total"],
        resolution["opposition"]["total"],
        resolution["outcome"],
    ) == ([1, 0, 0, 0], 1, 2, 2, "tie")
    assert len({each["form"] for each in answer["suggestions"]}) == 3


def test_the_line_of_the_manual_as_a_page() -> None:
    """Who, what for, both totals and the outcome stand on the first four lines."""
    ended = run("suggest", *BRIBE, "--dice", "+ 0 0 0")

    assert lines(ended.out)[:4] == [
        "CYNERE  bribe the guards   Overcome, Resources",
        "+ 0 0 0   Resources +1  = 2 Fair",
        "passive                 = 2 Fair",
        "TIE",
    ]


FACES = [
    ("+ 0 0 0", [1, 0, 0, 0]),
    ("+000", [1, 0, 0, 0]),
    ("+,0,0,-", [1, 0, 0, -1]),
    ("1 0 -1 +1", [1, 0, -1, 1]),
    ("----", [-1, -1, -1, -1]),
    ("  + - 0 +  ", [1, -1, 0, 1]),
]


@pytest.mark.parametrize(("typed", "dice"), FACES, ids=[repr(typed) for typed, _ in FACES])
def test_dice_are_typed_as_they_lie(typed: str, dice: list[int]) -> None:
    """Signs or numbers, with blanks or commas or without."""
    assert dice == run("resolve", "overcome", f"--dice={typed}", "--json").json["roll"]["dice"]


@pytest.mark.parametrize("total", [-3, 0, 2, 11])
def test_a_total_may_be_told(total: int) -> None:
    """The skill is in it already; a negative one is typed like any other."""
    roll = run("resolve", *BRIBE, "--total", str(total), "--json").json["roll"]

    assert (total, False) == (roll["total"], "dice" in roll)


RATINGS = [("Fair", 2), ("fair", 2), ("GOOD", 3), ("Terrible", -2), ("+3", 3), ("-1", -1), ("0", 0), ("12", 12)]


@pytest.mark.parametrize(("typed", "rating"), RATINGS, ids=[typed for typed, _ in RATINGS])
def test_ratings_are_numbers_or_names_of_the_ladder(typed: str, rating: int) -> None:
    """For the opposition and for the skill, in any case of letters."""
    answer = run("resolve", "overcome", f"--against={typed}", f"--skill=Will={typed}", "--dice", "0000", "--json").json

    assert (rating, rating) == (answer["opposition"]["total"], answer["roll"]["skill"])


def test_with_nothing_told_it_rolls_and_names_the_seed() -> None:
    """An action alone is enough, and the seed that was drawn throws the same dice again."""
    first = run("suggest", "overcome", "--json").json
    seed = first["resolution"]["seed"]
    again = run("suggest", "overcome", "--seed", str(seed), "--json").json

    assert (first["resolution"]["opposition"]["total"], first["resolution"]["roll"]["skill"]) == (1, 0)
    assert first["resolution"] == again["resolution"]


def test_a_page_of_a_roll_names_the_seed_that_was_drawn() -> None:
    """Who wants the same roll again, for a check or the next page, reads on the page how."""
    page = run("resolve", "overcome").out

    assert "seed" in page


def test_a_target_and_an_aspect_are_told_by_options() -> None:
    """An attack on somebody, and an aspect that is used."""
    hit = run("resolve", "attack", "--target", "Wolf", "--total", "3", "--json").json
    used = run("resolve", "caa", "--variant", "existing_aspect", "--aspect", "Fog", "--total", "3", "--json").json

    assert hit["branches"][0]["grants"][0]["to"] == ["Wolf"]
    assert [(each["on"], each["amount"]) for each in used["branches"][0]["grants"]] == [("Fog", 1)]


@pytest.mark.parametrize("ruleset", ["five-actions", "coppermane", "base-actions", "war-of-ashes", "aspect-difficulty"])
@pytest.mark.parametrize("call", ["resolve", "suggest", "odds"])
def test_the_one_liner_works_in_every_ruleset(call: str, ruleset: str) -> None:
    """Overcome is in all of them, and needs no file in any."""
    ended = run(call, "overcome", "--ruleset", ruleset)

    assert (ended.code, ended.err) == (0, "")


REFUSED = [
    (("--dice", "+ 0 0"), "bad_dice: --dice:"),
    (("--dice", "+ 0 0 0 0"), "bad_dice: --dice:"),
    (("--dice", "a b c d"), "bad_dice: --dice:"),
    (("--dice", ""), "bad_dice: --dice:"),
    (("--dice", "2 0 0 0"), "bad_dice: --dice:"),
    (("--dice", "++++", "--total", "3"), "bad_dice: "),
    (("--against", "hard"), "bad_request: --against:"),
    (("--against", "2.5"), "bad_request: --against:"),
    (("--against", ""), "bad_request: --against:"),
    (("--skill", "Will=lots"), "bad_request: --skill:"),
    (("--skill", "=1"), "bad_request: "),
    (("--variant", "sideways"), "unknown_variant: "),
    (("--ruleset", "fudge"), "unknown_ruleset: "),
    (("--ruleset", "nowhere.toml"), "bad_ruleset: nowhere.toml: "),
    (("--actor", "Ann", "--target", "Ann"), "bad_request: "),
    (("--actor", "A" * 201), "bad_request: "),
]


@pytest.mark.parametrize(("options", "start"), REFUSED, ids=[" ".join(options)[:40] for options, _ in REFUSED])
def test_what_cannot_be_is_refused_in_one_line(options: tuple[str, ...], start: str) -> None:
    """Exit code 1, and one line that names the option; with `--json` the error object in its place."""
    ended = run("resolve", "overcome", *options)
    told = run("resolve", "overcome", *options, "--json")

    assert (ended.code, ended.out, len(ended.err.splitlines())) == (1, "", 1)
    assert (f"narrator: {start}", True) == (f"narrator: {start}", ended.err.startswith(f"narrator: {start}"))
    assert (1, start.split(":")[0]) == (told.code, told.json["error"]["code"])


def test_a_refusal_speaks_of_what_was_typed() -> None:
    """Who typed options is told of options, and not of fields of a request that nobody wrote."""
    said = [
        run("resolve", "overcome", *options).err
        for options in (("--actor", "Ann", "--target", "Ann"), ("--dice", "++++", "--total", "3"), ("--skill", "=1"))
    ]

    assert [line for line in said if "scene." in line or "action." in line] == []


def test_an_attack_wants_a_target() -> None:
    """The message says so, in one line."""
    ended = run("resolve", "attack", "--total", "3")

    assert (ended.code, len(ended.err.splitlines()), "target" in ended.err) == (1, 1, True)


WRONG_USAGE = [
    (("resolve", "overcom", "--actor", "Ann"), "overcome"),
    (("resolve", "overcom"), "overcome"),
    (("resolve", "nofile.json"), "nofile.json"),
    (("resolve", "examples/cynere.json", "--actor", "Ann"), "not with a file"),
    (("resolve", "examples/cynere.json", "--dice", "0000"), "not with a file"),
    (("resolve", "overcome", "--total", "many"), "many"),
    (("resolve", "overcome", "--colour", "red"), "--colour"),
    (("odds", "overcome", "--total", "3"), "--total"),
    (("table",), "action"),
    (("schema", "nonsense"), "nonsense"),
    (("nonsense",), "nonsense"),
]


@pytest.mark.parametrize(("words", "told"), WRONG_USAGE, ids=[" ".join(words) for words, _ in WRONG_USAGE])
def test_wrong_usage_ends_with_2_and_says_what_is_wrong(words: tuple[str, ...], told: str) -> None:
    """Nothing goes to standard output, and the message has the word that is wrong, or the one that was meant."""
    ended = run(*words)

    assert (ended.code, ended.out) == (2, "")
    assert (told, True) == (told, told in " ".join(ended.err.replace("│", " ").split()))


@pytest.mark.parametrize("typed", ["Overcome", "create advantage", "create-advantage", "CAA"])
def test_an_action_may_be_typed_as_pages_print_it(typed: str) -> None:
    """Capitals, blanks and hyphens do not matter to whoever reads the table."""
    assert run("resolve", typed, "--total", "3").code == 0
    assert run("table", typed).code == 0


def test_an_unknown_action_of_a_table_is_refused_with_those_there_are() -> None:
    """One line, exit code 1."""
    ended = run("table", "discover", "--ruleset", "coppermane")

    assert (ended.code, ended.out, len(ended.err.splitlines())) == (1, "", 1)
    assert "attack, create_advantage, defend, overcome" in ended.err


NONSENSE = ["\x1b[31mred\x07", "x\x00y", "🎲\na" * 50, "\u202eevil", "[bold]%s{0}[/bold]/../x"]


@pytest.mark.parametrize("text", NONSENSE, ids=[ascii(text)[:24] for text in NONSENSE])
@pytest.mark.parametrize("option", ["--actor", "--skill", "--intent", "--aspect", "--target", "--dice", "--against"])
def test_nonsense_is_printed_or_refused_and_never_steers_the_terminal(option: str, text: str) -> None:
    """Whatever is typed, there is a page or one line, and no byte of it that moves a cursor."""
    ended = run("resolve", "overcome", f"{option}={text}", "--seed", "1")

    assert ended.code in (0, 1)
    assert ended.code == 0 or len(ended.err.splitlines()) == 1
    assert [char for char in ended.out + ended.err if not (char.isprintable() or char == "\n")] == []


PAGES = {
    "resolve-tie": ("resolve", *BRIBE, "--dice", "+ 0 0 0"),
    "resolve-fail-coppermane": ("resolve", *BRIBE, "--total", "1", "--ruleset", "coppermane"),
    "resolve-attack": ("resolve", "attack", "--actor", "Rolf", "--target", "Pirate", "--against", "1", "--total", "4"),
    "resolve-file": ("resolve", "examples/cynere.json"),
    "odds-passive": ("odds", "overcome", "--actor", "Cynere", "--skill", "Resources=1", "--against", "2"),
    "odds-file": ("odds", "examples/cynere.json"),
    "reach-file": ("reach", "examples/cynere.json"),
    "table-overcome": ("table", "overcome"),
    "table-create-coppermane": ("table", "create_advantage", "--ruleset", "coppermane"),
    "table-attack-war-of-ashes": ("table", "attack", "--ruleset", "war-of-ashes"),
    "table-parley": ("table", "parley", "--ruleset", "examples/harbour-nights.toml"),
    "rulesets": ("rulesets",),
}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_looks_as_it_did(page: str, golden: Callable[[str, str], None]) -> None:
    """At 80 columns, to the letter: `tests/golden/` holds each page as a person has read and approved it."""
    ended = run(*PAGES[page])

    assert (ended.code, ended.err) == (0, "")
    golden(f"{page}.txt", ended.out)


@pytest.mark.parametrize("page", PAGES)
def test_no_line_of_a_page_is_wider_than_the_terminal(page: str) -> None:
    """Nor does one end in blanks."""
    approved = (GOLDEN / f"{page}.txt").read_text("utf-8")

    assert [line for line in approved.splitlines() if len(line) > 80 or line != line.rstrip()] == []


def test_the_tables_as_json_are_those_of_the_call() -> None:
    """What `--json` prints is what Python gets."""
    printed = run("table", "overcome", "--ruleset", "base-actions", "--json").json

    assert narrator.table("base-actions", "overcome").as_json() == printed


def test_the_rulesets_as_json_are_their_names() -> None:
    """Sorted, the five that come with it."""
    assert run("rulesets", "--json").json == {
        "rulesets": ["aspect-difficulty", "base-actions", "coppermane", "five-actions", "war-of-ashes"]
    }


def test_odds_and_reach_as_json_are_those_of_the_call() -> None:
    """Of a file, they are what Python gets for the same request."""
    request = json.loads(CYNERE.read_text("utf-8"))

    assert narrator.odds(request).as_json() == run("odds", str(CYNERE), "--json").json
    assert [each.as_json() for each in narrator.reach(request)] == run("reach", str(CYNERE), "--json").json["reach"]


def test_a_request_may_come_on_standard_input() -> None:
    """A hyphen, or nothing at all, reads it from there."""
    request = CYNERE.read_text("utf-8")
    of_file = run("resolve", str(CYNERE)).out

    assert (of_file, of_file) == (run("resolve", "-", given=request).out, run("resolve", given=request).out)


def completions(words: str, config: Path) -> list[str]:
    """What a shell would offer for the last word."""
    typed = words.split(" ")
    shell = {"_NARRATOR_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(typed) - 1)}
    script = "import sys; sys.argv[0] = 'narrator'; from narrator.interfaces.cli import app; app(prog_name='narrator')"
    ended = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **shell, "NARRATOR_CONFIG": str(config)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.stderr == ""
    return ended.stdout.split()


COMPLETED = [
    ("narrator suggest ov", ["overcome"]),
    ("narrator table d", ["defend", "discover"]),
    ("narrator odds par", ["parley"]),
    ("narrator suggest overcome --ruleset b", ["base-actions"]),
    ("narrator table overcome --ruleset ha", ["harbour-nights"]),
    ("narrator res", ["resolve"]),
]


@pytest.mark.parametrize(("words", "offered"), COMPLETED, ids=[words for words, _ in COMPLETED])
def test_a_shell_completes_actions_and_rulesets(words: str, offered: list[str], tmp_path: Path) -> None:
    """Those of the user's own rulesets too."""
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "harbour-nights.toml").write_text((ROOT / "examples" / "harbour-nights.toml").read_text("utf-8"), "utf-8")

    assert offered == completions(words, tmp_path)


def test_a_broken_ruleset_does_not_break_completion(tmp_path: Path) -> None:
    """No shell prints a traceback into the line that is being typed."""
    folder = tmp_path / "rulesets"
    folder.mkdir()
    (folder / "broken.toml").write_text("name = \n", "utf-8")

    assert completions("narrator suggest over", tmp_path) == ["overcome"]
