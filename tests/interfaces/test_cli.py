"""The command line: pages, JSON, exit codes, and one line for whatever is wrong."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.interfaces import running
from tests.interfaces.running import Ended
from tests.leaping import DEADLINE
from tests.scripted_server import Reply, ScriptedServer, suggestions

ROOT = Path(__file__).parents[2]
CYNERE = json.loads((ROOT / "examples" / "cynere.json").read_text("utf-8"))
ACTION = CYNERE["action"]
COLUMNS = 80


def run(*arguments: str, stdin: str | bytes | Json = b"") -> Ended:
    """Run `narrator` with these arguments in this process, for it takes a second to start one."""
    return running.run(*arguments, given=json.dumps(stdin) if isinstance(stdin, dict) else stdin)


def started(*arguments: str, stdin: Json | None = None, **variables: str) -> Ended:
    """Start `narrator` as a command, with these variables besides."""
    command = [sys.executable, "-m", "narrator", *arguments]
    around = {**os.environ, "PYTHONIOENCODING": "utf-8", **variables}
    given = json.dumps(stdin).encode()
    ran = subprocess.run(command, input=given, env=around, capture_output=True, check=False, timeout=DEADLINE)
    return Ended(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def page(ran: Ended) -> str:
    """The page of a command that went well: plain, no wider than the terminal, without blanks at its lines' ends."""
    assert (ran.code, ran.err) == (0, "")
    text = ran.out
    assert [line for line in text.splitlines() if len(line) > COLUMNS or line != line.rstrip()] == []
    assert "\x1b" not in text
    return text


def one_line(ran: Ended) -> str:
    """The line in which a command tells that a request is refused."""
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    return ran.err.rstrip("\n")


def asked(**more: Any) -> Json:
    """The example with other parts of its action."""
    return {**CYNERE, "action": {**ACTION, **more}}


@pytest.mark.parametrize("command", ["suggest", "settle", "check"])
def test_a_flag_asks_for_no_value(command: str) -> None:
    """The help names none beside it, so that nobody types one: only the library's own flag is as the library has it."""
    told = [line for line in run(command, "--help").out.splitlines() if "bool" in line.casefold()]

    assert [line for line in told if "--help" not in line] == []


def test_demo(golden: Callable[[str, str], None]) -> None:
    """The demo shows the main job as it was last agreed on."""
    golden("demo.txt", page(started("demo")))


CHARGE = {"type": "attack", "actor": "Cynere", "target": "Gate Guards", "opposition": {"kind": "passive", "rating": 0}}
OUTCOMES: dict[str, Json] = {
    "fail": CYNERE,
    "tie": asked(roll={"dice": [1, 1, 0, 0]}),
    "succeed": asked(roll={"total": 5}, invocations=[{"aspect": "Torchlit Gate"}]) | {"per_slot": 1},
    "succeed_with_style": CYNERE | {"action": CHARGE | {"skill": "Fight", "roll": {"total": 4}}},
    "epic_success": CYNERE | {"ruleset": "coppermane", "action": CHARGE | {"roll": {"total": 7}}},
}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_resolve_pages(outcome: str, golden: Callable[[str, str], None]) -> None:
    """The page of each kind of outcome reads as it was last agreed on."""
    request = OUTCOMES[outcome]
    expected = "succeed_with_style" if outcome == "succeed" else outcome
    assert expected == narrator.resolve(request).outcome
    golden(f"page-{outcome}.txt", page(run("resolve", "-", stdin=request)))


@pytest.mark.parametrize("arguments", [(), ("-",), ("examples/cynere.json",)], ids=["none", "-", "FILE"])
def test_resolve_json_is_the_exact_object(arguments: tuple[str, ...]) -> None:
    """With `--json` comes what the call gives in Python, from a file and from standard input."""
    ran = run("resolve", "--json", *arguments, stdin=CYNERE)
    assert (ran.code, ran.err) == (0, "")
    assert narrator.resolve(CYNERE).as_json() == ran.json


def test_suggest_by_a_seed() -> None:
    """`--seed` decides the dice that were not told and what the deck deals; nothing is sent."""
    request = asked(roll=None)
    ran = run("suggest", "-", "--json", "--seed", "12", stdin=request)
    assert (ran.code, ran.err) == (0, "")
    assert narrator.suggest(request | {"seed": 12}, source="deck").as_json() == ran.json


ITEM = {"slot": "serious_cost", "form": "new_opposition", "name": "The Night Clerk", "detail": "He writes."}


@pytest.mark.parametrize("model", ["tiny", "\x1b[31mtiny"], ids=["plain", "steering"])
def test_suggest_by_a_model(model: str) -> None:
    """`--model` and `--base-url` ask that server; the page tells whose words they are and what they cost, in print."""
    with ScriptedServer(Reply(suggestions(ITEM)), Reply("")) as server:
        text = page(run("suggest", "-", "--model", model, "--base-url", server.base_url, stdin=CYNERE))
    told = (model.strip("\x1b"), "The Night Clerk", "2 calls")
    assert [each for each in told if each not in text] == []
    assert len(server.requests) == 2


@pytest.mark.parametrize("model", ["tiny", "\x1b[31m[/b] [bold red]"], ids=["plain", "markup"])
def test_suggest_with_nobody_there(model: str) -> None:
    """A model that cannot be reached is a note on the page, whatever it is called, and no failure."""
    text = page(run("suggest", "-", "--model", model, "--base-url", "http://127.0.0.1:1/v1", stdin=CYNERE))
    assert "nobody answers" in text
    assert "SOMEBODY NEW" in text


def test_check_tells_the_verdict() -> None:
    """A suggestion that is refused is an answer, not a failure; with `--json` it is the exact object."""
    file = str(ROOT / "examples" / "refused.json")
    told = json.loads(Path(file).read_text("utf-8"))
    assert page(run("check", file)).startswith("REFUSED: form_not_allowed\n")
    ran = run("check", file, "--json")
    verdict = narrator.check(told["request"], told["candidate"])
    assert (0, verdict.as_json()) == (ran.code, ran.json)


MACROS: dict[str, tuple[Any, int, str]] = {
    "a call": ({"call": "resolve", "request": CYNERE}, 0, "outcome"),
    "an unknown call": ({"call": "sing", "request": CYNERE}, 1, "error"),
    "no JSON": (b"\xff{", 1, "error"),
    "nothing": (b"", 1, "error"),
    "too much": (" " * 1_000_000 + "{}", 1, "error"),
}


@pytest.mark.parametrize(("payload", "code", "part"), MACROS.values(), ids=MACROS)
def test_vtt_answers_in_json(payload: Any, code: int, part: str) -> None:
    """A macro gets one JSON object on one line, an error too, and nothing beside it."""
    ran = run("vtt", "-", stdin=payload)
    assert (code, "", 1) == (ran.code, ran.err, ran.out.count("\n"))
    assert part in ran.json
    assert run("vtt", "nowhere.json").json["error"]["code"] == "bad_request"


def test_a_refused_request_is_one_line() -> None:
    """On stderr, with code, field and message, and what would have been right; with `--json` it is the error object."""
    request = asked(actor="Cyner")
    line = one_line(run("resolve", "-", stdin=request))
    assert line.startswith("narrator: unknown_character: request.action.actor: ")
    assert "Cynere, Gate Guards, GM" in line
    assert run("resolve", "-", "--json", stdin=request).json["error"]["allowed"] == ["Cynere", "Gate Guards", "GM"]
    assert one_line(run("suggest", "-", stdin=b"\xff" + b"[" * 100_000)).startswith("narrator: bad_request")


STEERING = {*map(chr, range(32)), *map(chr, range(127, 160)), "\u202e"} - {"\n"}


def test_errors_do_not_steer_the_terminal() -> None:
    """No name that a file has does, in the line that tells what is wrong."""
    assert set() == STEERING & set(one_line(run("resolve", stdin=CYNERE | {"Ev\x1b[31mil\x9b2J\u202e\x07\x00\r\n": 1})))


@pytest.mark.parametrize("arguments", [("resolve",), ("resolve", "--json")], ids=["page", "json"])
def test_letters_that_the_output_cannot_take(arguments: tuple[str, ...]) -> None:
    """Where the output takes ASCII alone, as through some pipes, the rest is replaced or escaped; nothing breaks."""
    request = asked(intent="Жанна")
    ran = started(*arguments, stdin=request, PYTHONIOENCODING="ascii")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.isascii()
    if "--json" in arguments:
        assert narrator.resolve(request).as_json() == ran.json


def on_a_terminal(*arguments: str) -> str:
    """What a command writes to a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "narrator", *arguments]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                data = os.read(ours, 65_536)
            except OSError:  # how Linux tells that the other end is closed
                break
            if not data:
                break
            written += data
        process.wait(DEADLINE)
    os.close(ours)
    return written.decode()


def test_colour_on_a_terminal() -> None:
    """A terminal gets colours; the pages above, which go into a pipe, have none."""
    text = on_a_terminal("demo")
    assert "\x1b[" in text
    assert "REFUSED" in text


TYPED = ["suggest", "deck check", "deck make --model tiny --yes", "eval --model deck --out j", "eval --out j --grades"]


@pytest.mark.parametrize("words", TYPED)
def test_what_is_too_large_is_refused_and_never_cut(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads it: half a file says something else than the whole."""
    monkeypatch.chdir(tmp_path)
    page(run("eval", str(ROOT / "examples" / "cynere.json"), "--model", "deck", "--out", "j"))
    with open("large.jsonl", "wb") as file:
        file.truncate(50_000_001)

    assert "large.jsonl: this is larger than" in running.refusal(*words.split(), "large.jsonl")


def test_no_file_on_a_terminal_is_wrong_usage() -> None:
    """Without a file the command does not sit there waiting for somebody to type JSON."""
    assert "standard input" in " ".join(on_a_terminal("resolve").split())


CUT = """
import os, socket

def refuse(*_, **__):
    with open(os.environ["TRIED"], "a") as tried:
        tried.write("tried\\n")
    raise OSError("the network is cut")

socket.socket.connect = socket.socket.connect_ex = socket.socket.sendto = socket.socket.sendmsg = refuse
socket.getaddrinfo = socket.gethostbyname = socket.create_connection = refuse
"""


def test_nothing_is_sent_unasked(tmp_path: Path) -> None:
    """With the network cut, and a key of OpenAI's lying about, all works, and no connection is even tried."""
    (tmp_path / "sitecustomize.py").write_text(CUT)
    tried = tmp_path / "tried"
    ran = started("demo", PYTHONPATH=str(tmp_path), TRIED=str(tried), OPENAI_API_KEY="sk-of-the-user")
    assert "nothing sent" in page(ran)
    assert not tried.exists()


def test_a_reader_that_leaves_is_no_fault() -> None:
    """Where nobody reads on, as behind `head`, the command ends without a traceback."""
    command = [sys.executable, "-m", "narrator", "demo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read()
        process.wait(DEADLINE)
    assert b"Traceback" not in told
    assert b"Exception" not in told
