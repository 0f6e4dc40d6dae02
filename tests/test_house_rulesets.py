"""House rulesets: TOML of the user's, by path and by name; with new forms and actions, and without a line of Python."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.json_text import Json
from narrator.rules.ruleset.loader import packaged, packaged_ruleset
from tests.interfaces.running import HARBOUR, ROOT, made, refusal, run
from tests.rules.build import ask, forms_of, refused
from tests.scripted_server import Reply, ScriptedServer, suggestions

HEAD = 'name = "ours"\ntitle = "Our house"\nextends = "five-actions"\n'
"""Three lines: what is appended begins on the fourth."""

ROW = """[[rows]]
action = "overcome"
outcome = "fail"
branches = [
  { id = "fail", label = "Fail", goal = "not_attained" },
  { id = "serious_cost", label = "At a cost", goal = "attained", slots = [
    { kind = "serious_cost", forms = ["new_opposition", "consequence"] },
  ] },
]
"""

FORM = """[forms.debt]
kinds = ["serious_cost"]
label = "Owed"
brief = "a favour owed"
name = "the debt"
"""

FAILED = ask({}, request={"ruleset": "ours"}, roll={"total": -1})
PARLEYED = ask({}, request={"ruleset": "harbour-nights"}, type="parley", roll={"total": -1})


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of rulesets in a config folder of the test's own."""
    folder = tmp_path / "config" / "rulesets"
    folder.mkdir(parents=True)
    monkeypatch.setenv("NARRATOR_CONFIG", str(folder.parent))
    return folder


def written(folder: Path, text: str, name: str = "ours") -> Path:
    """Write a ruleset file."""
    path = folder / f"{name}.toml"
    path.write_text(text, "utf-8")
    return path


def house(name: str, extends: str, more: str = "") -> str:
    """The text of a house ruleset."""
    return f'name = "{name}"\ntitle = "{name.title()}"\nextends = "{extends}"\n{more}'


def refusal_of(path: Path) -> tuple[str, str, str]:
    """Load a ruleset that must be refused: code, place and message."""
    with pytest.raises(NarratorError) as caught:
        narrator.load_ruleset(path)
    return caught.value.code, caught.value.field, caught.value.message


def serious_costs(request: Json, **more: Any) -> list[str]:
    """The forms that a failure offers as a serious cost."""
    branches = narrator.resolve(request, **more).branches
    return [form.form for branch in branches for slot in branch.slots for form in slot.forms]


def test_a_ruleset_is_loaded_by_path_and_handed_over(tmp_path: Path) -> None:
    """As text or as a path; a request may then name it, and what it does not state is that of five actions."""
    path = written(tmp_path, HEAD + ROW)

    for given in (path, str(path)):
        ours = narrator.load_ruleset(given)

        assert serious_costs(FAILED, rulesets=[ours]) == ["new_opposition", "consequence"]
        assert narrator.table("five-actions", "attack").rows == narrator.table(ours, "attack").rows


def test_a_house_without_a_title_is_called_by_its_name(tmp_path: Path) -> None:
    """In words, as the source of its rows and where rulesets are listed."""
    path = written(tmp_path, f'name = "harbour-nights"\nextends = "five-actions"\n{ROW}', "harbour-nights")
    ours = narrator.load_ruleset(path)
    found = narrator.resolve(FAILED | {"ruleset": "harbour-nights"}, rulesets=[ours])

    assert (ours.title, found.source.document) == ("Harbour Nights", "Harbour Nights")


def test_a_ruleset_that_was_not_handed_over_is_not_known(tmp_path: Path) -> None:
    """Loading registers nothing."""
    narrator.load_ruleset(written(tmp_path, HEAD + ROW))

    assert refused(FAILED)[:2] == ("unknown_ruleset", "ruleset")


def test_a_house_may_extend_a_house_beside_it(tmp_path: Path) -> None:
    """What a file extends may be a file beside it of that name, which extends one of ours in turn."""
    written(tmp_path, house("base-house", "mid-house"), "top")
    written(tmp_path, house("mid-house", "low-house", FORM), "mid-house")
    written(tmp_path, house("low-house", "coppermane"), "low-house")
    path = written(tmp_path, house("ours", "mid-house", ROW.replace('"consequence"', '"debt"')))

    ours = narrator.load_ruleset(path)

    assert serious_costs(FAILED, rulesets=[ours]) == ["new_opposition", "debt"]
    assert "epic_success" in [row.outcome for row in narrator.table(ours, "overcome").rows]


@pytest.mark.parametrize("above", packaged())
def test_a_house_that_changes_nothing_has_the_tables_of_its_book(tmp_path: Path, above: str) -> None:
    """Each ruleset can be extended, and rows, opposition and sources stay what they are."""
    ours = narrator.load_ruleset(written(tmp_path, house("ours", above)))

    for action in ours.actions:
        book = narrator.table(above, action)
        assert book.model_copy(update={"ruleset": "ours"}) == narrator.table(ours, action)


def test_the_config_folder_holds_rulesets_by_name(config: Path) -> None:
    """A file there is listed, found by its name alone, and may extend its neighbour."""
    written(config, house("low-house", "five-actions", FORM), "low-house")
    written(config, house("ours", "low-house", ROW.replace('"consequence"', '"debt"')))

    assert {"ours", "low-house", "five-actions"} <= set(narrator.rulesets())
    assert serious_costs(FAILED) == ["new_opposition", "debt"]
    assert narrator.table("ours", "overcome").ruleset == "ours"


def test_a_config_folder_that_is_not_there_has_no_rulesets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody has to make one."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path / "nowhere"))

    assert narrator.rulesets() == packaged()


TRAVERSALS = ("../secret", "..", ".", "rulesets/ours", "/etc/passwd", "ours.toml", "..\\secret", "~", "ours\x00")


@pytest.mark.parametrize("name", [*TRAVERSALS, "a" * 200], ids=lambda name: ascii(name)[:20])
def test_a_name_that_is_a_path_leads_nowhere(config: Path, name: str) -> None:
    """The ruleset of a request is a name, whoever sends it: nothing outside the folder is ever opened."""
    written(config.parent, house("secret", "five-actions"), "secret")
    written(config, HEAD + ROW)

    assert refused(FAILED | {"ruleset": name})[:2] == ("unknown_ruleset", "ruleset")


@pytest.mark.parametrize("above", ["../secret", "/etc/passwd", "sub/ours"])
def test_what_is_extended_is_a_name_too(tmp_path: Path, above: str) -> None:
    """A file that names a path to extend is refused by its third line."""
    (tmp_path / "sub").mkdir()
    written(tmp_path, house("../secret", "five-actions"), "secret")
    path = written(tmp_path / "sub", house("ours", above))

    assert ("bad_ruleset", f"{path}:3") == refusal_of(path)[:2]


def test_a_file_bears_the_name_of_its_ruleset(config: Path) -> None:
    """In the config folder a file of another name is refused, with both names."""
    path = written(config, house("theirs", "five-actions"), "ours")

    with pytest.raises(NarratorError, match="theirs") as caught:
        narrator.resolve(FAILED)

    assert ("bad_ruleset", f"{path}:1") == (caught.value.code, caught.value.field)


def test_every_ruleset_that_is_listed_can_be_used(config: Path) -> None:
    """A file whose name could not be asked for is not listed as a ruleset."""
    written(config, house("our house", "five-actions"), "our house")
    written(config, house("ours", "five-actions"))

    listed = narrator.rulesets()

    assert [narrator.table(name, "overcome").ruleset for name in listed] == list(listed)


@pytest.mark.parametrize(
    ("make", "line", "told"),
    [
        (lambda path: None, "", "No such file"),
        (lambda path: path.mkdir(), "", "Is a directory"),
        (lambda path: path.write_bytes(b'name = "ours"\ntitle = "\xff\xfe"'), ":2", "UTF-8"),
    ],
    ids=["not there", "a folder", "not UTF-8"],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, make: Any, line: str, told: str) -> None:
    """Whatever stands in the way, it is `bad_ruleset` with the file, the line where there is one, and the reason."""
    path = tmp_path / "ours.toml"
    make(path)

    code, field, message = refusal_of(path)

    assert ("bad_ruleset", f"{path}{line}", True) == (code, field, told in message)


BROKEN = {
    # what is appended, the line that is named, and a word of the message
    "rows of an action that was removed": (
        '[removes]\nactions = ["attack"]\n[actions.attack]\nlabel = "A"\nsection = "A"\nopposition = ["passive"]\n',
        6,
        "attack",
    ),
    "typo in a key of a form": (FORM.replace("brief", "breif"), 7, "breif"),
    "text for a number": (FORM + 'free_invocations = "one"\n', 9, "whole number"),
    "card for an unknown form": ('[[cards]]\nform = "dept"\ndetail = "Paid, later."\n', 5, "dept"),
    "card with a name too many": ('[[cards]]\nform = "loss"\nname = "X"\ndetail = "Gone."\n', 6, "name"),
    "card without its name": ('[[cards]]\nform = "boost"\ndetail = "Now."\n', 4, "name"),
    "card of the wrong kind": ('[[cards]]\nform = "loss"\nkind = "boost"\ndetail = "Gone."\n', 6, "boost"),
    "removes what is not there": ('[removes]\nactions = ["parley"]\n', 5, "parley"),
    "rider of no form": ('[[riders]]\nid = "r"\nsection = "S"\ndrops_forms = ["dept"]\n', 7, "dept"),
    "a table twice": (f"{FORM}{FORM}", 9, ""),
    "text that does not end": ('[forms.debt]\nlabel = "a\n', 5, ""),
    "an outcome with no rows": ('[outcomes]\nepic = { from = 7, rows_of = "nope" }\n', 5, "nope"),
    "two branches of one name": (ROW.replace('id = "serious_cost"', 'id = "fail"'), 6, "fail"),
    "a rider that drops all branches": (
        '[[riders]]\nid = "r"\nsection = "S"\nactions = ["overcome"]\noutcomes = ["fail"]\n'
        'drops_branches = ["fail", "serious_cost"]\n',
        9,
        "branch",
    ),
    "a rider that drops an unknown branch": (
        '[[riders]]\nid = "r"\nsection = "S"\nactions = ["overcome"]\ndrops_branches = ["sirius_cost"]\n',
        8,
        "sirius_cost",
    ),
    "rows of an unknown variant": (
        '[actions.overcome]\nlabel = "O"\nsection = "O"\nopposition = ["passive"]\n'
        'variants = [{ name = "stunt", special = true, rows_of = "nope" }]\n',
        8,
        "nope",
    ),
    "harm to somebody else than the actor": (
        '[forms.wound]\nkinds = ["serious_cost"]\nlabel = "W"\nbrief = "b"\nto = "opponent"\nharm = "consequence"\n',
        4,
        "actor",
    ),
    "a hit that is no shifts": (
        '[[riders]]\nid = "r"\nsection = "S"\ngrants = [{ type = "hit", to = "opponent", amount = 2 }]\n',
        7,
        "shifts",
    ),
    "a maneuver of no action": ('[maneuvers.push]\naction = "parley"\n', 5, "parley"),
    "weight in no action": ('[weight]\nactions = ["parley"]\none_die = 2\ntwo_dice = 4\n', 5, "parley"),
    "a frame that refuses no action": ('[frames.contest]\nrefuses = ["parley"]\n', 5, "parley"),
    "a tie above a success": ("[outcomes]\ntie = 9\n", 5, "tie"),
}
"""What nothing else that is broken, in tests/rules/test_loading.py and test_sound_rulesets.py, is like."""


@pytest.mark.parametrize(("text", "line", "told"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_named_with_its_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    """Whatever is wrong, the message names file and line, and the word that is wrong."""
    path = written(tmp_path, HEAD + text)

    code, field, message = refusal_of(path)

    assert ("bad_ruleset", f"{path}:{line}") == (code, field)
    assert told in message


def test_a_ring_of_files_is_named_with_its_line(tmp_path: Path) -> None:
    """Files that extend each other in turn are refused by the line that closes the ring."""
    first = written(tmp_path, house("ours", "second"))
    second = written(tmp_path, house("second", "third"), "second")
    third = written(tmp_path, house("third", "ours"), "third")

    code, field, message = refusal_of(first)

    assert code == "bad_ruleset"
    assert field in {f"{path}:3" for path in (first, second, third)}
    assert "extends" in message


def test_a_ring_of_files_that_misname_themselves_ends_too(tmp_path: Path) -> None:
    """A file beside it whose ruleset has another name than the file is refused, ring or not, and at once."""
    first = written(tmp_path, house("ours", "second"))
    written(tmp_path, house("other", "second"), "second")
    script = (
        "import resource, sys, narrator; resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (20, 20))\n"
        "try: narrator.load_ruleset(sys.argv[1])\n"
        "except narrator.NarratorError as error: print(error.code)"
    )

    ended = subprocess.run([sys.executable, "-c", script, str(first)], capture_output=True, text=True, cwd=ROOT)

    assert ended.stdout.strip() == "bad_ruleset"


# The example, used from the command line and asked of a model, as a user without Python would.

PARLEY = ("--actor", "Mirelle", "--skill", "Rapport=2", "--against", "3", "--total", "2", "--ruleset", str(HARBOUR))

DEBT: Json = {"slot": "serious_cost", "form": "debt", "to": "GM", "name": "Owed to the Eel King"}
DEBT |= {"detail": "He smiles with all his teeth and asks for nothing at all, tonight."}
CLERK: Json = {"slot": "serious_cost", "form": "new_opposition", "to": None, "name": "The Harbourmaster's Clerk"}
CLERK |= {"detail": "A thin man with a ledger has been listening from the stairs."}
LAMPS: Json = {"slot": "serious_cost", "form": "opposition_advantage", "to": "GM", "name": "Lamps Along the Quay"}
LAMPS |= {"detail": "The watch has begun its round early, and there is no dark corner left."}


def test_the_example_loads_and_says_what_it_says() -> None:
    """The commented example is a whole ruleset: one more action than its book has, and a form that failing may cost."""
    harbour = narrator.load_ruleset(HARBOUR)

    failed = narrator.resolve(PARLEYED, rulesets=[harbour]).as_json()

    assert {*harbour.actions} - {*packaged_ruleset("five-actions").actions} == {"parley"}
    assert serious_costs(PARLEYED, rulesets=[harbour]) == ["debt", "new_opposition", "opposition_advantage"]
    debt = {"form": "debt", "label": "Owed", "to": ["GM"], "free_invocations": 1}
    assert forms_of(failed, "serious_cost")[0] == debt


def debts(answer: Json) -> list[tuple[str, str, int, str]]:
    """The debts among suggestions: what each is called, whose it is, its free invocations, and who said it."""
    found = [each for each in answer["suggestions"] if each["form"] == "debt"]
    return [(each["name"], each["to"], each["free_invocations"], each["source"]) for each in found]


def test_the_example_is_worded_by_the_deck_from_the_command_line() -> None:
    """A new action of a file resolves, and the file's own cards word its new form."""
    answer = made("suggest", "parley", *PARLEY, "--seed", "4")
    [(name, *mechanics)] = debts(answer)

    assert (answer["resolution"]["ruleset"], answer["resolution"]["outcome"]) == ("harbour-nights", "fail")
    assert f'"{name}"' in HARBOUR.read_text("utf-8")
    assert mechanics == ["GM", 1, "deck"]


def test_the_example_is_asked_of_a_model() -> None:
    """Prompt and schema know the new form, and the check takes what fits and refuses what does not."""
    wrong = {**DEBT, "form": "consequence", "to": "Mirelle"}
    with ScriptedServer(Reply(suggestions(wrong, DEBT, CLERK, LAMPS))) as server:
        answer = made("suggest", "parley", *PARLEY, "--model", "tiny", "--base-url", server.base_url)
    [asked] = [json.dumps(each.body) for each in server.requests]

    assert "a favour that the character now owes to somebody in the harbour" in asked
    assert ('"debt"' in asked, '"consequence"' in asked) == (True, False)
    assert debts(answer) == [(DEBT["name"], "GM", 1, "openai:tiny")]
    assert [each["code"] for each in answer["rejected"]] == ["form_not_allowed"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, None),
        ({"to": None}, None),
        ({"to": "Mirelle"}, "not_eligible"),
        ({"name": None}, "malformed"),
        ({"free_invocations": 2}, "wrong_mechanics"),
        ({"form": "loss", "name": None}, "form_not_allowed"),
    ],
    ids=["fits", "only one it can be for", "for the actor", "without its name", "too many", "not in the row"],
)
def test_the_check_knows_the_new_form(change: Json, code: str | None) -> None:
    """A suggestion of the new form is judged by the declaration in the file."""
    verdict = narrator.check(PARLEYED, DEBT | change, rulesets=[narrator.load_ruleset(HARBOUR)])

    assert code == (verdict.rejected.code if verdict.rejected else None)


def test_a_broken_ruleset_is_one_line_on_the_command_line(tmp_path: Path) -> None:
    """Exit code 1, the file and the line, and no traceback."""
    path = written(tmp_path, HEAD + ROW.replace('"consequence"', '"dept"'))

    line = refusal("table", "overcome", "--ruleset", str(path))

    assert line.startswith(f"narrator: bad_ruleset: {path}:10: ")


def test_one_broken_file_does_not_hide_the_others(config: Path) -> None:
    """The list of rulesets shows those that are whole, and says which is not."""
    written(config, "name = \n", "broken")
    written(config, HEAD)

    ended = run("rulesets")

    assert ("Our house" in ended.out, "five-actions" in ended.out) == (True, True)
    assert "broken.toml:1" in ended.err + ended.out
