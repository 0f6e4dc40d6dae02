"""House rulesets: TOML of the user's, by path and by name; with new forms and actions, and without a line of Python."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.rules.loading import packaged
from tests.leaping import DEADLINE
from tests.scripted_server import Reply, ScriptedServer, suggestions

Json = dict[str, Any]

ROOT = Path(__file__).parents[1]
HARBOUR = ROOT / "examples" / "harbour-nights.toml"

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

FAILED: Json = {
    "ruleset": "ours",
    "action": {
        "type": "overcome",
        "actor": "Ann",
        "roll": {"total": -1},
        "opposition": {"kind": "passive", "rating": 0},
    },
}


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


def refused(path: Path) -> tuple[str, str, str]:
    """Load a ruleset that must be refused: code, place and message."""
    with pytest.raises(NarratorError) as caught:
        narrator.load_ruleset(path)
    return caught.value.code, caught.value.field, caught.value.message


def serious_costs(request: Json, **more: Any) -> list[str]:
    """The forms that a failure offers as a serious cost."""
    branches = narrator.resolve(request, **more).branches
    return [form.form for branch in branches for slot in branch.slots for form in slot.forms]


def run(*words: str, config: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("NARRATOR_", "OPENAI_"))}
    ours = {"NARRATOR_CONFIG": str(config or "/nowhere"), "COLUMNS": "80", "NO_PROXY": "*", **environment}
    command = [sys.executable, "-m", "narrator", *words]
    return subprocess.run(
        command, cwd=ROOT, env=bare | ours, input="", capture_output=True, text=True, timeout=DEADLINE, check=False
    )


def test_a_ruleset_is_loaded_by_path_and_handed_over(tmp_path: Path) -> None:
    """As text or as a path; a request may then name it, and what it does not state is that of five actions."""
    path = written(tmp_path, HEAD + ROW)

    for given in (path, str(path)):
        ours = narrator.load_ruleset(given)

        assert serious_costs(FAILED, rulesets=[ours]) == ["new_opposition", "consequence"]
        assert narrator.table("five-actions", "attack").rows == narrator.table(ours, "attack").rows


def test_a_row_of_the_house_names_the_house_as_its_source(tmp_path: Path) -> None:
    """A changed row is the house's; all others keep the page of the book."""
    ours = narrator.load_ruleset(written(tmp_path, HEAD + ROW))

    found = {row.outcome: row.source.document for row in narrator.table(ours, "overcome").rows}

    book = "Fate Core with Discover"
    assert {"fail": "Our house", "tie": book, "succeed": book, "succeed_with_style": book} == found


def test_a_house_without_a_title_is_called_by_its_name(tmp_path: Path) -> None:
    """In words, as the source of its rows and where rulesets are listed."""
    path = tmp_path / "harbour-nights.toml"
    path.write_text(f'name = "harbour-nights"\nextends = "five-actions"\n{ROW}', "utf-8")
    ours = narrator.load_ruleset(path)
    found = narrator.resolve(FAILED | {"ruleset": "harbour-nights"}, rulesets=[ours])

    assert (ours.title, found.source.document) == ("Harbour Nights", "Harbour Nights")


def test_a_ruleset_that_was_not_handed_over_is_not_known(tmp_path: Path) -> None:
    """Loading registers nothing."""
    narrator.load_ruleset(written(tmp_path, HEAD + ROW))

    with pytest.raises(NarratorError) as caught:
        narrator.resolve(FAILED)

    assert (caught.value.code, caught.value.field) == ("unknown_ruleset", "request.ruleset")


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


TRAVERSALS = [
    "../secret",
    "..",
    ".",
    "rulesets/ours",
    "/etc/passwd",
    "ours.toml",
    "..\\secret",
    "~",
    "ours\x00",
    "a" * 200,
]


@pytest.mark.parametrize("name", TRAVERSALS, ids=[ascii(name)[:20] for name in TRAVERSALS])
def test_a_name_that_is_a_path_leads_nowhere(config: Path, name: str) -> None:
    """The ruleset of a request is a name, whoever sends it: nothing outside the folder is ever opened."""
    written(config.parent, house("secret", "five-actions"), "secret")
    written(config, HEAD + ROW)

    with pytest.raises(NarratorError) as caught:
        narrator.resolve(FAILED | {"ruleset": name})

    assert (caught.value.code, caught.value.field) == ("unknown_ruleset", "request.ruleset")


@pytest.mark.parametrize("above", ["../secret", "/etc/passwd", "sub/ours"])
def test_what_is_extended_is_a_name_too(tmp_path: Path, above: str) -> None:
    """A file that names a path to extend is refused by its third line."""
    (tmp_path / "sub").mkdir()
    written(tmp_path, house("../secret", "five-actions"), "secret")
    path = written(tmp_path / "sub", house("ours", above))

    assert ("bad_ruleset", f"{path}:3") == refused(path)[:2]


def test_a_file_bears_the_name_of_its_ruleset(config: Path) -> None:
    """In the config folder a file of another name is refused, with both names."""
    path = written(config, house("theirs", "five-actions"), "ours")

    with pytest.raises(NarratorError) as caught:
        narrator.resolve(FAILED)

    assert ("bad_ruleset", f"{path}:1") == (caught.value.code, caught.value.field)
    assert "theirs" in caught.value.message


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

    code, field, message = refused(path)

    assert ("bad_ruleset", f"{path}{line}", True) == (code, field, told in message)


BROKEN = [
    pytest.param(
        '[actions.parley]\nlabel = "P"\nsection = "P"\nopposition = ["passive"]\n', 4, "fail", id="missing rows"
    ),
    pytest.param(
        '[actions.parley]\nlabel = "P"\nsection = "P"\nopposition = ["passive"]\n'
        + "".join(ROW.replace("overcome", "parley").replace('"fail"\n', f'"{name}"\n') for name in ("fail", "tie")),
        4,
        "parley succeed",
        id="one row missing",
    ),
    pytest.param(
        '[removes]\nactions = ["attack"]\n[actions.attack]\nlabel = "A"\nsection = "A"\nopposition = ["passive"]\n',
        6,
        "attack",
        id="rows of an action that was removed",
    ),
    pytest.param(f"{ROW}\n{ROW}", 14, "twice", id="row twice"),
    pytest.param(ROW.replace("overcome", "overcom"), 4, "overcom", id="row of no action"),
    pytest.param(ROW.replace('outcome = "fail"', 'outcome = "failure"'), 4, "failure", id="row of no outcome"),
    pytest.param(ROW.replace('"consequence"', '"consequences"'), 10, "consequences", id="unknown form"),
    pytest.param(ROW.replace('"consequence"', '{ form = "dept" }'), 10, "dept", id="unknown form, with a change"),
    pytest.param(ROW.replace('"consequence"', '"close_call"'), 10, "close_call", id="form of the wrong kind"),
    pytest.param(
        FORM + ROW.replace('"consequence"', '"debt"').replace('d = "serious', 'd = "minor'),
        15,
        "minor_cost",
        id="new form in the wrong slot",
    ),
    pytest.param('extnds = "coppermane"\n', 4, "extnds", id="typo in a key of the file"),
    pytest.param(
        ROW.replace("section", "x") + 'sektion = "Overcome"\n', 13, "sektion", id="typo in an optional key of a row"
    ),
    pytest.param(ROW.replace("outcome =", "outcom ="), 6, "outcom", id="typo in a key of a row"),
    pytest.param(ROW.replace('goal = "attained"', 'gaol = "attained"'), 9, "gaol", id="typo in a key of a branch"),
    pytest.param(FORM.replace("brief", "breif"), 7, "breif", id="typo in a key of a form"),
    pytest.param(FORM + "fre_invocations = 1\n", 9, "fre_invocations", id="typo in an optional key of a form"),
    pytest.param(ROW.replace('goal = "attained"', 'goal = "won"'), 9, "goal", id="unknown word"),
    pytest.param(FORM + 'free_invocations = "one"\n', 9, "whole number", id="text for a number"),
    pytest.param('[[cards]]\nform = "dept"\ndetail = "Paid, later."\n', 5, "dept", id="card for an unknown form"),
    pytest.param('[[cards]]\nform = "loss"\nname = "X"\ndetail = "Gone."\n', 6, "name", id="card with a name too many"),
    pytest.param('[[cards]]\nform = "boost"\ndetail = "Now."\n', 4, "name", id="card without its name"),
    pytest.param(
        '[[cards]]\nform = "loss"\nkind = "boost"\ndetail = "Gone."\n', 6, "boost", id="card of the wrong kind"
    ),
    pytest.param('[removes]\nactions = ["parley"]\n', 5, "parley", id="removes what is not there"),
    pytest.param('[[riders]]\nid = "r"\nsection = "S"\nactions = ["parley"]\n', 7, "parley", id="rider of no action"),
    pytest.param('[[riders]]\nid = "r"\nsection = "S"\ndrops_forms = ["dept"]\n', 7, "dept", id="rider of no form"),
    pytest.param("[forms.debt\n", 4, "", id="TOML syntax"),
    pytest.param(f"{FORM}{FORM}", 9, "", id="a table twice"),
    pytest.param('[forms.debt]\nlabel = "a\n', 5, "", id="text that does not end"),
    pytest.param('[outcomes]\nepic = { from = 7, rows_of = "nope" }\n', 5, "nope", id="an outcome with no rows"),
]


@pytest.mark.parametrize(("text", "line", "told"), BROKEN)
def test_what_is_broken_is_named_with_its_line(tmp_path: Path, text: str, line: int, told: str) -> None:
    """Whatever is wrong, the message names file and line, and the word that is wrong."""
    path = written(tmp_path, HEAD + text)

    code, field, message = refused(path)

    assert ("bad_ruleset", f"{path}:{line}") == (code, field)
    assert told in message


@pytest.mark.parametrize(
    ("name", "above", "told"),
    [("ours", "ours", "ours"), ("ours", "six-actions", "six-actions")],
    ids=["itself", "unknown"],
)
def test_what_cannot_be_extended_is_named_with_its_line(tmp_path: Path, name: str, above: str, told: str) -> None:
    """The third line names what is unknown, or itself."""
    path = written(tmp_path, house(name, above))

    code, field, message = refused(path)

    assert ("bad_ruleset", f"{path}:3", True) == (code, field, told in message)


def test_what_is_unknown_is_met_with_what_is_known(tmp_path: Path) -> None:
    """A slip in `extends` is answered with the rulesets that there are."""
    message = refused(written(tmp_path, house("ours", "five-action")))[2]

    assert [name for name in packaged() if name not in message] == []


def test_a_ring_of_files_is_named_with_its_line(tmp_path: Path) -> None:
    """Files that extend each other in turn are refused by the line that closes the ring."""
    first = written(tmp_path, house("ours", "second"))
    second = written(tmp_path, house("second", "third"), "second")
    third = written(tmp_path, house("third", "ours"), "third")

    code, field, message = refused(first)

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


INCOMPLETE = [
    pytest.param(ROW[: ROW.index("branches")] + "branches = []\n", id="a row without branches"),
    pytest.param(ROW.replace('["new_opposition", "consequence"]', "[]"), id="a slot without forms"),
    pytest.param(ROW.replace('id = "serious_cost"', 'id = "fail"'), id="two branches of one name"),
    pytest.param(
        '[[riders]]\nid = "r"\nsection = "S"\nactions = ["overcome"]\noutcomes = ["fail"]\n'
        'drops_branches = ["fail", "serious_cost"]\n',
        id="a rider that drops all branches",
    ),
    pytest.param(
        '[[riders]]\nid = "r"\nsection = "S"\nactions = ["overcome"]\ndrops_branches = ["sirius_cost"]\n',
        id="a rider that drops an unknown branch",
    ),
    pytest.param(
        '[actions.overcome]\nlabel = "O"\nsection = "O"\nopposition = ["passive"]\n'
        'variants = [{ name = "stunt", special = true, rows_of = "nope" }]\n',
        id="rows of an unknown variant",
    ),
    pytest.param(
        '[forms.wound]\nkinds = ["serious_cost"]\nlabel = "W"\nbrief = "b"\nto = "opponent"\nharm = "consequence"\n',
        id="harm to somebody else than the actor",
    ),
    pytest.param(
        '[[riders]]\nid = "r"\nsection = "S"\ngrants = [{ type = "hit", to = "opponent", amount = 2 }]\n',
        id="a hit that is no shifts",
    ),
    pytest.param('[maneuvers.push]\naction = "parley"\n', id="a maneuver of no action"),
    pytest.param('[weight]\nactions = ["parley"]\none_die = 2\ntwo_dice = 4\n', id="weight in no action"),
    pytest.param('[frames.contest]\nrefuses = ["parley"]\n', id="a frame that refuses no action"),
    pytest.param("[outcomes]\ntie = 9\n", id="a tie above a success"),
]


@pytest.mark.parametrize("text", INCOMPLETE)
def test_what_could_not_be_resolved_is_refused_when_it_is_loaded(tmp_path: Path, text: str) -> None:
    """A name that means nothing, or a row that leaves nothing to choose, is a broken file, not a surprise in play."""
    assert refused(written(tmp_path, HEAD + text))[0] == "bad_ruleset"


# The example, used from the command line and asked of a model, as a user without Python would.

PARLEY = ("--actor", "Mirelle", "--skill", "Rapport=2", "--against", "3", "--total", "2", "--ruleset", str(HARBOUR))

WORDS = (
    {
        "slot": "serious_cost",
        "form": "debt",
        "to": "GM",
        "name": "Owed to the Eel King",
        "detail": "He smiles with all his teeth and asks for nothing at all, tonight.",
    },
    {
        "slot": "serious_cost",
        "form": "new_opposition",
        "to": None,
        "name": "The Harbourmaster's Clerk",
        "detail": "A thin man with a ledger has been listening from the stairs.",
    },
    {
        "slot": "serious_cost",
        "form": "opposition_advantage",
        "to": "GM",
        "name": "Lamps Along the Quay",
        "detail": "The watch has begun its round early, and there is no dark corner left.",
    },
)


def test_the_example_loads_and_says_what_it_says() -> None:
    """The commented example is a whole ruleset: five actions, one more of them, and a form that a failure may cost."""
    harbour = narrator.load_ruleset(HARBOUR)

    parley = FAILED | {"ruleset": "harbour-nights", "action": FAILED["action"] | {"type": "parley"}}
    failed = narrator.resolve(parley, rulesets=[harbour]).as_json()

    assert sorted(harbour.actions) == ["attack", "create_advantage", "defend", "discover", "overcome", "parley"]
    assert serious_costs(parley, rulesets=[harbour]) == ["debt", "new_opposition", "opposition_advantage"]
    assert failed["branches"][1]["slots"][0]["forms"][0] == {
        "form": "debt",
        "label": "Owed",
        "to": ["GM"],
        "free_invocations": 1,
    }


def test_the_example_is_worded_by_the_deck_from_the_command_line() -> None:
    """A new action of a file resolves, and the file's own cards word its new form."""
    cards = {"One Favour, No Questions", "Marked in the Black Ledger", "Guest of the Rope-Walk Widow"}

    ended = run("suggest", "parley", *PARLEY, "--seed", "4", "--json")
    answer = json.loads(ended.stdout)
    debts = [each for each in answer["suggestions"] if each["form"] == "debt"]

    assert (ended.returncode, ended.stderr.strip()) == (0, "")
    assert (answer["resolution"]["ruleset"], answer["resolution"]["outcome"]) == ("harbour-nights", "fail")
    assert [(each["name"] in cards, each["to"], each["free_invocations"], each["source"]) for each in debts] == [
        (True, "GM", 1, "deck")
    ]


def test_the_example_reads_well_as_a_page() -> None:
    """The page has the labels of the file."""
    ended = run("suggest", "parley", *PARLEY, "--seed", "4")

    assert ended.returncode == 0
    assert [words in ended.stdout for words in ("FAIL BY 1", "They agree, at a serious cost", "OWED  ")] == [True] * 3


def test_the_table_of_the_example_is_shown() -> None:
    """The new action has its page."""
    ended = run("table", "parley", "--ruleset", str(HARBOUR))

    assert (ended.returncode, "They turn away" in ended.stdout, "Owed" in ended.stdout) == (0, True, True)


def test_the_example_is_asked_of_a_model() -> None:
    """Prompt and schema know the new form, and the check takes what fits and refuses what does not."""
    wrong = {**WORDS[0], "form": "consequence", "to": "Mirelle"}
    with ScriptedServer(Reply(suggestions(wrong, *WORDS))) as server:
        ended = run("suggest", "parley", *PARLEY, "--json", "--model", "tiny", "--base-url", server.base_url)
    answer = json.loads(ended.stdout)
    asked = server.requests[0].body
    assert isinstance(asked, dict)
    prompt, schema = json.dumps(asked["messages"]), json.dumps(asked["response_format"])

    assert (ended.returncode, len(server.requests)) == (0, 1)
    assert "a favour that the character now owes to somebody in the harbour" in prompt
    assert ('"debt"' in schema, '"consequence"' in schema) == (True, False)
    assert [
        (each["form"], each["to"], each["free_invocations"], each["source"])
        for each in answer["suggestions"]
        if each["form"] == "debt"
    ] == [("debt", "GM", 1, "openai:tiny")]
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
    harbour = narrator.load_ruleset(HARBOUR)
    request = FAILED | {"ruleset": "harbour-nights", "action": FAILED["action"] | {"type": "parley"}}

    verdict = narrator.check(request, {**WORDS[0], **change}, rulesets=[harbour])

    assert code == (verdict.rejected.code if verdict.rejected else None)


def test_the_example_is_known_by_name_in_the_config_folder(config: Path) -> None:
    """Copied there, it needs no path."""
    written(config, HARBOUR.read_text("utf-8"), "harbour-nights")

    ended = run("table", "parley", "--ruleset", "harbour-nights", config=config.parent)

    assert (ended.returncode, "They turn away" in ended.stdout) == (0, True)


def test_a_broken_ruleset_is_one_line_on_the_command_line(tmp_path: Path) -> None:
    """Exit code 1, the file and the line, and no traceback."""
    path = written(tmp_path, HEAD + ROW.replace('"consequence"', '"dept"'))

    ended = run("table", "overcome", "--ruleset", str(path))

    assert (ended.returncode, ended.stdout) == (1, "")
    assert [line.startswith(f"narrator: bad_ruleset: {path}:10: ") for line in ended.stderr.splitlines()] == [True]


def test_one_broken_file_does_not_hide_the_others(config: Path) -> None:
    """The list of rulesets shows those that are whole, and says which is not."""
    written(config, "name = \n", "broken")
    written(config, HEAD)

    ended = run("rulesets", config=config.parent)

    assert ("Our house" in ended.stdout, "five-actions" in ended.stdout) == (True, True)
    assert "broken.toml:1" in ended.stderr + ended.stdout
