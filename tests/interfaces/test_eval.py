"""`eval`: requests out of files, put to sources that were named; stopped, and gone on with."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from narrator.files.eval_journal import EvalJournal
from narrator.rules.json_text import Json
from tests.evaluation.evaluating import ORDINALS, without_times
from tests.interfaces.running import CYNERE, HARBOUR, kept, made, page, refusal, run, usage
from tests.interfaces.test_cli import STEERING, on_a_terminal
from tests.leaping import DEADLINE
from tests.scripted_server import Reply, ScriptedServer, Step, Wire, suggestions, unauthorized

EXAMPLE: Json = json.loads(CYNERE.read_text("utf-8"))
KEY = "secret-key-of-the-user-42"


def request(number: int) -> Json:
    """One of several requests, told apart by their intents; dice are thrown for it."""
    action = {**EXAMPLE["action"], "intent": f"get past the {ORDINALS[number]} one", "outcome": "fail"}
    return {**EXAMPLE, "action": {name: each for name, each in action.items() if name not in ("roll", "opposition")}}


def reply(wire: Wire) -> None:
    """Say what belongs to the request, whenever it is asked."""
    asked = json.dumps(wire.received.body)
    word = next(each for each in ORDINALS if f"the {each} one" in asked)
    said = {"slot": "serious_cost", "form": "new_opposition", "to": None, "name": f"The {word} Clerk"}
    Reply(suggestions({**said, "detail": f"A {word} man with a large book wants it all in writing."}))(wire)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A server that says the same for the same request, as often as it is asked."""
    with ScriptedServer(*[reply] * 60) as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A folder of five requests, and something that is none."""
    for number in range(5):
        kept(tmp_path, f"{number}.json", request(number))
    (tmp_path / "notes.txt").write_text("no request", "utf-8")
    return str(tmp_path)


def test_sources_stand_side_by_side(server: ScriptedServer, folder: str, tmp_path: Path) -> None:
    """Each has what it said itself, and the deck fills in as the deck; a second run says it again, and asks nobody."""
    words = ("eval", folder, "--model", f"tiny@{server.base_url}", "--model", "deck", "--out", str(tmp_path / "j"))
    found = made(*words)
    tiny, deck = found["columns"]
    asked = len(server.requests)

    assert (found["requests"], tiny["source"], deck["source"]) == (5, f"tiny@{server.address}", "deck")
    assert found["read"] == [{"request": f"{folder}/{number}.json", "deed": "none"} for number in range(5)]
    assert (tiny["wanted"], tiny["at_first"], tiny["from_deck"], tiny["calls"]) == (15, 5, 10, 10)
    assert tiny["refused"] == {"duplicate": 5}
    assert (deck["wanted"], deck["from_deck"], deck["calls"]) == (15, 15, 0)
    assert (tiny["input_tokens_each"], tiny["output_tokens_each"]) == (420, 84)
    assert (made(*words), len(server.requests)) == (found, asked)


def test_a_source_is_asked_again_and_waited_for_as_typed(server: ScriptedServer, folder: str, tmp_path: Path) -> None:
    """Once without repairs, and no journal of that is gone on with at the usual number; never, with no time at all."""
    words = ("eval", folder, "--model", f"tiny@{server.base_url}", "--out")
    once = made(*words, str(tmp_path / "once"), "--repairs", "0")["columns"][0]

    assert (once["calls"], once["after_repair"], len(server.requests)) == (5, 0, 5)
    assert "bad_request: repairs: " in refusal(*words, str(tmp_path / "once"))
    never = made(*words, str(tmp_path / "never"), "--timeout", "0")["columns"][0]
    assert (never["from_deck"], sum(never["failures"].values())) == (15, 5)


@pytest.mark.parametrize("typed", [("--timeout", "-1"), ("--timeout", "nan"), ("--repairs", "11")])
def test_terms_that_are_none_are_refused_before_anything_is_kept(
    typed: tuple[str, str], folder: str, tmp_path: Path
) -> None:
    """By the option that says them."""
    assert f"bad_request: {typed[0]}: " in refusal("eval", folder, *typed, "--out", str(tmp_path / "j"))
    assert not (tmp_path / "j").exists()


def answers(journal: Path) -> list[Json]:
    """What a journal has, but for the times."""
    return [without_times(each) for each in EvalJournal(journal).answers]


FILES: dict[str, Callable[[Path], list[str]]] = {
    "a folder": lambda at: [kept(at, "1.json", request(1)), kept(at, "2.json", request(2))] and [str(at)],
    "several files": lambda at: [kept(at, "1.json", request(1)), kept(at, "2.json", request(2))],
    "a list": lambda at: [kept(at, "all.json", [request(1), request(2)])],  # type: ignore[arg-type]
    "a line each": lambda at: [lines(at, json.dumps(request(1)), "", json.dumps(request(2)))],
    "payloads": lambda at: [lines(at, *(json.dumps({"call": "suggest", "request": request(n)}) for n in (1, 2)))],
}


def lines(at: Path, *told: str) -> str:
    """Write lines into a file, and give its path."""
    (at / "all.jsonl").write_text("\n".join(told), "utf-8")
    return str(at / "all.jsonl")


@pytest.mark.parametrize("files", FILES.values(), ids=FILES)
def test_requests_are_in_files_of_any_kind(files: Callable[[Path], list[str]], tmp_path: Path) -> None:
    """However they are kept, they are the same requests, in their order."""
    (tmp_path / "at").mkdir()
    page("eval", *files(tmp_path / "at"), "--model", "deck", "--out", str(tmp_path / "j"))
    cases = EvalJournal(tmp_path / "j").head.cases

    assert [each.request.action.intent for each in cases] == [request(n)["action"]["intent"] for n in (1, 2)]


def test_a_page_that_was_saved_is_a_request(tmp_path: Path) -> None:
    """What `suggest --save` kept, its house ruleset included."""
    saved = str(tmp_path / "last.json")
    page("suggest", "parley", "--ruleset", str(HARBOUR), "--actor", "Mirelle", "--fail", "--save", saved)

    assert made("eval", saved, "--model", "deck", "--out", str(tmp_path / "j"))["columns"][0]["from_deck"] == 3


WRONG: dict[str, tuple[Callable[[Path], str], str]] = {
    "no JSON": (lambda at: lines(at, json.dumps(request(1)), "certainly!"), "all.jsonl:2: this is not JSON"),
    "no object": (lambda at: kept(at, "a.json", [request(1), 3]), "a.json:2: this must be an object"),  # type: ignore[arg-type]
    "a field": (lambda at: kept(at, "a.json", {**request(1), "per_slots": 3}), "a.json: request.per_slots: "),
    "nothing": (lambda at: lines(at, ""), "there are no requests"),
}


@pytest.mark.parametrize(("file", "why"), WRONG.values(), ids=WRONG)
def test_what_is_no_request_is_told_by_its_place(file: Callable[[Path], str], why: str, tmp_path: Path) -> None:
    """One line with file, place and field; nobody is asked, and no journal begun."""
    assert why in refusal("eval", file(tmp_path), "--model", "deck", "--out", str(tmp_path / "j"))
    assert not (tmp_path / "j").exists()


def test_the_environment_names_a_model_where_nothing_else_does(
    server: ScriptedServer, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stands beside the deck; without one the deck stands alone."""
    alone = made("eval", folder, "--out", str(tmp_path / "alone"))
    monkeypatch.setenv("NARRATOR_MODEL", "tiny")
    monkeypatch.setenv("NARRATOR_BASE_URL", server.base_url)
    both = made("eval", folder, "--out", str(tmp_path / "both"))

    assert [each["source"] for each in alone["columns"]] == ["deck"]
    assert [each["source"] for each in both["columns"]] == ["deck", f"tiny@{server.address}"]


@pytest.mark.parametrize("model", ["tiny", "@org/tiny", "org/tiny@2"])
def test_a_name_with_an_address_is_told_apart(model: str, server: ScriptedServer, folder: str, tmp_path: Path) -> None:
    """Whatever signs the name of a model has, the address begins where one does."""
    made("eval", f"{folder}/1.json", "--model", f"{model}@{server.base_url}", "--out", str(tmp_path / "j"))

    assert {each.model for each in server.requests} == {model}


def test_two_manners_of_one_model_stand_side_by_side(server: ScriptedServer, folder: str, tmp_path: Path) -> None:
    """A manner before a model's name is how that one is asked, and it is another column; one twice would be none."""
    named = f"tiny@{server.base_url}"
    models = ("--model", named, "--model", f"one_by_one:{named}")
    found = made("eval", f"{folder}/1.json", *models, "--out", str(tmp_path / "j"))

    host = server.base_url.removeprefix("http://").removesuffix("/v1")
    assert [each["source"] for each in found["columns"]] == [f"tiny@{host}", f"one_by_one:tiny@{host}"]
    assert len({each.body["messages"][0]["content"] for each in server.requests}) == 2
    assert "deck is named twice" in refusal("eval", folder, "--model", "deck", "--model", "deck")


def test_no_key_is_told_anywhere(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of the environment, not in an address, not one that a server or a model repeats."""
    monkeypatch.setenv("NARRATOR_API_KEY", KEY)
    words = {"slot": "serious_cost", "form": "new_opposition", "name": KEY, "detail": f"It is {KEY}."}
    told = Reply(suggestions(words))
    out, sheet = tmp_path / "j", tmp_path / "s.md"
    with ScriptedServer(unauthorized, *[told] * 20) as server:
        shown = page("eval", folder, "--model", f"tiny@{server.base_url}", "--out", str(out), "--sheet", str(sheet))
        assert KEY in server.requests[0].headers["authorization"]
    with_a_path = refusal("eval", folder, "--model", f"tiny@http://user:{KEY}@127.0.0.1/v1", "--out", str(out))

    assert "unsafe_text" in shown
    assert [text for text in (shown, out.read_text("utf-8"), with_a_path) if KEY in text] == []


def test_hostile_names_steer_no_terminal(server: ScriptedServer, tmp_path: Path) -> None:
    """Neither a model's, nor a file's, nor that of the journal."""
    evil = "ev\x1b[31mil\u202e"
    file = kept(tmp_path, f"{evil}.json", request(1))
    words = ("eval", file, "--model", f"{evil}@{server.base_url}", "--out", str(tmp_path / evil))
    shown = page(*words, "--sheet", str(tmp_path / "s.md"))
    other = refusal("eval", file, "--model", "deck", "--out", str(tmp_path / evil))

    assert set() == STEERING & set(shown + other + (tmp_path / "s.md").read_text("utf-8"))


def test_a_sheet_is_written_graded_and_added_up(server: ScriptedServer, folder: str, tmp_path: Path) -> None:
    """With every box filled, each source has the grades of its own words; nobody is asked for that."""
    out, sheet = str(tmp_path / "j"), tmp_path / "s.md"
    words = ("eval", folder, "--model", f"tiny@{server.base_url}", "--model", "deck", "--out", out)
    page(*words, "--sheet", str(sheet))
    rows = sheet.read_text("utf-8").replace("- [ ]", "- [1]").splitlines()
    sheet.write_text("\n".join(row.replace("[1]", "[2]") if " Clerk**" in row else row for row in rows), "utf-8")
    asked = len(server.requests)
    tiny, deck = (each["graded"] for each in made("eval", "--grades", str(sheet), "--out", out)["columns"])

    assert tiny == {"counts": {"2": 5, "1": 0, "0": 0}, "ungraded": 0, "mean": 2.0}
    assert deck == {"counts": {"2": 0, "1": 15, "0": 0}, "ungraded": 0, "mean": 1.0}
    assert len(server.requests) == asked
    assert "exists already" in refusal(*words, "--sheet", str(sheet))


@pytest.mark.parametrize("sheet", ["nowhere/s.md", "", "j\0"])
def test_a_sheet_that_cannot_be_written_is_told_before_anybody_is_asked(
    sheet: str, server: ScriptedServer, folder: str, tmp_path: Path
) -> None:
    """What was paid for is not lost on a name that was mistyped."""
    words = ("eval", folder, "--model", f"tiny@{server.base_url}", "--out", str(tmp_path / "j"))
    assert "bad_request: --sheet: " in refusal(*words, "--sheet", sheet)
    assert (server.requests, (tmp_path / "j").exists()) == ([], False)


def test_a_sheet_that_came_to_be_meanwhile_is_left_and_the_page_shown(folder: str, tmp_path: Path) -> None:
    """The answers are there, and a second call writes them elsewhere."""
    sheet = tmp_path / "s.md"

    def meanwhile(wire: Wire) -> None:
        sheet.write_text("mine", "utf-8")
        reply(wire)

    with ScriptedServer(meanwhile, *[reply] * 20) as server:
        words = ("eval", folder, "--model", f"tiny@{server.base_url}", "--out", str(tmp_path / "j"))
        ended = run(*words, "--sheet", str(sheet))
    assert (ended.code, sheet.read_text("utf-8")) == (1, "mine")
    assert "bad_request: --sheet: " in ended.err
    assert ended.out.startswith("5 requests")


def test_a_page_of_half_a_run_says_how_much_there_is(folder: str, tmp_path: Path) -> None:
    """Grades may be added up before all is asked."""
    out, sheet = tmp_path / "j", tmp_path / "s.md"
    whole = page("eval", folder, "--model", "deck", "--out", str(out), "--sheet", str(sheet))
    out.write_bytes(b"".join(out.read_bytes().splitlines(keepends=True)[:3]))
    known = {f"`{row}`" for row in _ids(out)}
    sheet.write_text("\n".join(row for row in sheet.read_text("utf-8").splitlines() if known & {*row.split()}), "utf-8")

    assert "2 of 5 answers" in page("eval", "--grades", str(sheet), "--out", str(out))
    assert "answers" not in whole


def _ids(out: Path) -> list[str]:
    journal = EvalJournal(out)
    return [journal.id_of(each.case, said) for each in journal.answers for said in each.own]


WRONG_USAGE = {
    "nothing": "",
    "both": "a.json --grades s.md",
    "a model for grades": "--grades s.md --model deck",
    "a sheet for grades": "--grades s.md --sheet t.md",
    "repairs for grades": "--grades s.md --repairs 2",
}


@pytest.mark.parametrize("typed", WRONG_USAGE.values(), ids=WRONG_USAGE)
def test_what_does_not_go_together_is_wrong_usage(typed: str) -> None:
    """A run wants requests, and a sheet a journal alone."""
    assert "--grades" in usage("eval", *typed.split())


def started(*words: str) -> "subprocess.Popen[bytes]":
    """Start `eval` as a command."""
    command = [sys.executable, "-m", "narrator", "eval", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ})


@pytest.mark.full
@pytest.mark.parametrize("jobs", ["1", "3"])
def test_a_run_that_was_killed_goes_on(jobs: str, folder: str, tmp_path: Path) -> None:
    """Killed while the third request is asked, and started again, it ends as one that nobody killed."""
    cut, whole = tmp_path / "cut", tmp_path / "whole"
    running: list[subprocess.Popen[bytes]] = []

    def kill(wire: Wire) -> None:
        running[0].kill()
        wire.hang()

    steps: list[Step] = [*[reply] * 4, kill, *[reply] * 60]
    with ScriptedServer(*steps) as server:
        words = (folder, "--model", f"tiny@{server.base_url}", "--model", "deck", "--jobs", jobs, "--out")
        running.append(started(*words, str(cut)))
        running[0].communicate(timeout=DEADLINE)
        left = EvalJournal(cut).left
        assert run("eval", *words, str(cut)).code == 0
        asked = len(server.requests)
        whole.write_bytes(cut.read_bytes().splitlines(keepends=True)[0])
        assert run("eval", *words, str(whole)).code == 0

    assert running[0].returncode == -signal.SIGKILL
    assert 0 < len(left) < 10
    assert answers(cut) == answers(whole)
    # Who was answered is not asked again: two calls for each request, and those under way when it was killed.
    assert asked <= 2 * 5 + 2 * int(jobs)


@pytest.mark.full
def test_ctrl_c_says_how_to_go_on(folder: str, tmp_path: Path) -> None:
    """The command ends at once, without a traceback, and keeps what it has."""
    running: list[subprocess.Popen[bytes]] = []

    def interrupt(wire: Wire) -> None:
        running[0].send_signal(signal.SIGINT)
        wire.hang()

    with ScriptedServer(*[reply] * 4, interrupt) as server:
        words = (folder, "--model", f"tiny@{server.base_url}", "--out", str(tmp_path / "j"))
        running.append(started(*words))
        out, err = running[0].communicate(timeout=DEADLINE)

    assert (running[0].returncode, out) == (130, b"")
    assert err.decode().startswith(f"narrator: stopped; 2 of 5 answers are kept in {tmp_path / 'j'}")
    assert len(EvalJournal(tmp_path / "j").answers) == 2


@pytest.mark.full
def test_progress_is_shown_on_a_terminal(folder: str, tmp_path: Path) -> None:
    """How many answers there are, of how many."""
    assert "of 5 answers" in on_a_terminal("eval", folder, "--model", "deck", "--out", str(tmp_path / "j"))


@pytest.mark.parametrize("named", ["m@ftp://x/v1", "m@127.0.0.1:11434/v1", "m@", "m@http://user:pw@host/v1", "x://y"])
def test_an_address_that_is_none_is_no_model(named: str) -> None:
    """It would be asked of somebody else: it is refused, and what stands in it is not repeated."""
    ended = run("eval", str(CYNERE), "--model", named)
    assert (ended.code, ended.out) == (1, "")
    assert "11434/v1 " not in ended.err.replace("http://127.0.0.1:11434/v1", "")
    assert "pw" not in ended.err
