"""`narrator doctor` says what is wrong, each thing with its cure, whatever else is."""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

import narrator
from narrator.rules.json_text import Json
from narrator.setup import model_checks, table_checks
from tests.interfaces.running import run, said
from tests.scripted_server import PROSE, Reply, ScriptedServer, Step, Wire, answer, error, rate_limited, unauthorized
from tests.server.running import Serving
from tests.setup.asking import KEY, headers, late, listing, port_of

PROXY = "http://me:hunter2secret@proxy.example:3128"
TOKEN = "t" * 43
KEPT = Reply('{"bird": "owl"}')


def doctor(*words: str) -> tuple[int, str, list[Json]]:
    """How it ended, what it said in one line, and the findings for programs."""
    told = run("doctor", "--port", "9", *words, "--json")
    shown = run("doctor", "--port", "9", *words)
    assert (shown.code, shown.err) == (told.code, "")
    return told.code, said(shown.out), told.json["items"]


def of(check: str, items: list[Json]) -> list[Json]:
    """The findings of one check."""
    return [each for each in items if each["check"] == check]


def test_where_nothing_is_set_up_nothing_is_wrong(here: Path) -> None:
    """The deck needs no model, and a command line no server."""
    code, told, items = doctor()

    assert code == 0
    assert {each["check"] for each in items} == {
        "settings",
        "decks",
        "campaign",
        "server",
        "token",
        "origin",
        "proxy",
        "model",
    }
    assert {each["state"] for each in items} == {"ok", "not used"}
    assert "no model is set: the deck writes" in told


def _file(name: str, text: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")

    return make


def _token(mode: int) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / "token").write_text(TOKEN, "ascii")
        (folder / "token").chmod(mode)

    return make


def _later(folder: Path) -> None:
    narrator.open_campaign(folder / "harbour.narrator")
    with closing(sqlite3.connect(folder / "harbour.narrator")) as db, db:
        db.execute("UPDATE campaign SET version = 99")


def _torn(folder: Path) -> None:
    narrator.open_campaign(folder / "harbour.narrator")
    file = folder / "harbour.narrator"
    data = file.read_bytes()
    file.write_bytes(data[:4_096] + b"\xff" * (len(data) - 4_096))


FILES: dict[str, tuple[Callable[[Path], None], tuple[str, ...], str, str]] = {
    "config.toml is broken": (_file("config.toml", "\nmodel ="), (), "settings", "config.toml:2: this is not TOML"),
    "config.toml has a slip": (_file("config.toml", "modle = 'x'"), (), "settings", "did you mean model"),
    "a ruleset is broken": (_file("rulesets/mine.toml", "name = 3"), (), "ruleset mine", "mine.toml:1"),
    "a deck is broken": (_file("decks/mine.toml", "[[cards]]\nx = 1"), (), "decks", "mine.toml:"),
    "there is no such campaign": (lambda _: None, ("harbour",), "campaign", "harbour.narrator does not exist"),
    "a campaign is none": (
        _file("harbour.narrator", "notes" * 99),
        ("harbour",),
        "campaign",
        "not a campaign of narrator",
    ),
    "a campaign is empty": (_file("harbour.narrator", ""), ("harbour",), "campaign", "its contents are lost"),
    "a campaign is damaged": (_torn, ("harbour",), "campaign", "damaged"),
    "a campaign is of a later version": (_later, ("harbour",), "campaign", "has version 99"),
    "what is named is no campaign": (lambda _: None, ("../x",), "campaign", "a campaign's name has letters"),
    "the token is too short": (_file("token", "short"), (), "token", "cure: delete the file"),
    "others may read the token": (_token(0o644), (), "token", "other users can read"),
    "the origin has a path": (
        lambda _: None,
        ("--origin", "https://mygame.example/"),
        "origin",
        "--origin is not an origin",
    ),
    "the origin is no address": (lambda _: None, ("--origin", "mygame.example"), "origin", "--origin is not an origin"),
    "the origin steers": (lambda _: None, ("--origin", "https://a\x1b[31m"), "origin", "--origin is not an origin"),
    "the page is by https": (lambda _: None, ("--origin", "https://mygame.example"), "origin", "mixed content"),
    "the page is elsewhere": (lambda _: None, ("--origin", "http://192.168.1.5:30000"), "origin", "serve --lan"),
    "the page is another's": (
        lambda _: None,
        ("--origin", "http://localhost:30000"),
        "origin",
        "only its own page may",
    ),
}


@pytest.mark.parametrize("what", FILES)
def test_what_is_wrong_here_is_said(what: str, here: Path) -> None:
    """With a cure, and nothing else is said to be wrong."""
    make, words, check, expected = FILES[what]
    make(here)
    code, told, items = doctor(*words)

    assert code == 1
    assert expected in told
    assert {each["check"] for each in items if each["state"] == "wrong"} <= {
        check,
        *(("model",) * (check == "settings")),
    }
    assert all(each["cure"] for each in items if each["state"] == "wrong")
    assert "\x1b" not in told


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_page_of_narrator_itself_may_ask(host: str, here: Path) -> None:
    """By either name of this machine."""
    assert doctor("--origin", f"http://{host}:9")[0] == 0


def test_a_campaign_that_somebody_keeps_is_not_waited_for(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is told all the same."""
    monkeypatch.setattr(table_checks, "LOCKED", 0.05)
    narrator.open_campaign(here / "harbour.narrator")
    assert doctor("harbour")[0] == 0
    with closing(sqlite3.connect(here / "harbour.narrator")) as db:
        db.execute("BEGIN IMMEDIATE")
        code, told, items = doctor("harbour")

    assert (code, len(of("model", items))) == (1, 1)
    assert "somebody else is writing in this campaign" in told


def test_a_folder_that_may_not_be_written_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A campaign needs a journal beside it."""
    narrator.open_campaign(here / "harbour.narrator")
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != here)

    assert f"{here} is not a folder that you can write in" in doctor("harbour")[1]


@pytest.mark.parametrize("name", ["HTTP_PROXY", "all_proxy"])
def test_a_proxy_is_told_of_and_not_shown(name: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless this machine is spared."""
    monkeypatch.setenv(name, PROXY)
    code, told, items = doctor()
    monkeypatch.setenv("no_proxy", "localhost, 127.0.0.1")

    assert (code, of("proxy", items)[0]["state"]) == (0, "warning")
    assert "hunter2secret" not in told
    assert of("proxy", doctor()[2])[0]["state"] == "ok"


def test_a_check_that_fails_by_surprise_ends_no_other(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says is not repeated: that may be anything."""

    def fails() -> Iterator[tuple[str, str]]:
        yield "ok", "so far"
        raise OSError(KEY)

    monkeypatch.setattr(table_checks, "proxy", fails)
    code, told, items = doctor()

    assert (code, len(of("proxy", items)), len(of("model", items))) == (1, 2, 1)
    assert "the check itself failed (OSError)" in told
    assert KEY not in told


def test_the_server_that_runs_takes_the_token(here: Path) -> None:
    """One of another data folder does not, and is told from other programs."""
    other = here / "other"
    other.mkdir()
    with Serving(other) as server:
        first = run("doctor", "--port", str(server.port))
        (here / "token").write_text(TOKEN, "ascii")
        (here / "token").chmod(0o600)
        second = run("doctor", "--port", str(server.port))
        (here / "token").write_text(server.token, "ascii")
        third = run("doctor", "--port", str(server.port))

    assert "there is no token for programs yet" in first.out
    assert f"narrator answers at 127.0.0.1:{server.port}" in first.out
    assert (second.code, "its data folder is another" in said(second.out)) == (1, True)
    assert (third.code, "the server accepts it" in third.out) == (0, True)


def test_another_program_at_the_port_is_not_shown_the_token(here: Path) -> None:
    """Also where it says that it is well."""
    _token(0o600)(here)
    with ScriptedServer(*[answer('{"status": "ok"}')] * 9, anywhere=True) as server:
        found = run("doctor", "--port", port_of(server))

    assert found.code == 1
    assert "another program answers at" in found.out
    assert TOKEN not in headers(server) + found.out


@contextmanager
def named(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, path: str = "/v1") -> Iterator[None]:
    """A model of this server is the one that the environment names, with a key for it."""
    with monkeypatch.context() as patch, ExitStack():
        for name, value in {"MODEL": "tiny", "BASE_URL": f"http://{server.address}{path}", "API_KEY": KEY[8:]}.items():
            patch.setenv(f"NARRATOR_{name}", value)
        yield


NONE = error(404)
MODELS: dict[str, tuple[list[Step], str, str]] = {
    "the key is refused": ([unauthorized], "(HTTP 401)", "cure: put this server's key into"),
    "the key has no leave": ([error(403)], "(HTTP 403)", "use another model or another key"),
    "it is not served": ([NONE, NONE, listing("other", "more")], "(HTTP 404)", "that it has: other, more"),
    "its list repeats the key": ([NONE, NONE, listing(KEY[8:], "more")], "(HTTP 404)", "that it has: more"),
    "none is served": ([NONE, NONE, listing()], "(HTTP 404)", "that it has: none yet"),
    "the address is wrong": ([NONE] * 3, "(HTTP 404)", "most end in /v1, such as http://127.0.0.1:"),
    "it points elsewhere": (
        [error(307, Location="http://127.0.0.1:9/")],
        "(HTTP 307)",
        "the address that it points to",
    ),
    "there is too much": ([rate_limited(0)] * 2, "(HTTP 429)", "look at your account's quota"),
    "the server is at fault": (
        [error(500, **{"Retry-After": "0"})] * 2,
        "(HTTP 500)",
        "read the server's own messages",
    ),
    "it hangs up": ([Wire.reset], "the connection broke off", "check that the server runs"),
    "it says nothing": ([late], "no answer in 60 seconds", "check that the server runs"),
}


@pytest.mark.parametrize("what", MODELS)
def test_what_is_wrong_with_the_model_is_said(what: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no key is shown, whatever the server repeats."""
    steps, words, cure = MODELS[what]
    with ScriptedServer(*steps, anywhere=True) as server, named(server, monkeypatch):
        found = run("doctor", "--port", "9")

    assert found.code == 1
    assert words in said(found.out)
    assert cure in said(found.out)
    assert KEY[8:] not in found.out + found.err


def test_where_nobody_answers_that_is_said(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the host that was told."""
    monkeypatch.setenv("NARRATOR_MODEL", "tiny")
    monkeypatch.setenv("NARRATOR_BASE_URL", "http://127.0.0.1:9/v1")

    assert "tiny at 127.0.0.1:9: nobody answers at 127.0.0.1:9 cure: check that the server runs" in doctor()[1]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ('model = "http://127.0.0.1/v1"', "this is an address, not a model"),
        ('model = "x"\nbase_url = "ftp://x"', "this is not an address"),
        (
            '[sources.far]\nmodel = "x"\napi_key_env = "NO_SUCH_KEY"',
            "sources.far.api_key_env: the environment variable",
        ),
        ('[sources.far]\nmodel = "x"\nkind = "nobody"', "sources.far.kind: there is no such kind"),
        (
            'model = "x"\nbase_url = "http://127.0.0.1:9/v1"\napi_key_env = "NO_SUCH_KEY"',
            "names in config.toml is not set",
        ),
    ],
)
def test_settings_of_a_model_that_cannot_be_are_said(settings: str, words: str, here: Path) -> None:
    """Those of named sources too, which are not asked."""
    _file("config.toml", settings)(here)
    code, told, _ = doctor()

    assert code == 1
    assert words in told


@pytest.mark.parametrize("text", [PROSE, "{}", '{"bird": "gull"}', '[{"bird": "owl"}]', "", "x" * 9_000])
def test_a_model_that_keeps_to_no_schema_is_told_of(text: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That is not wrong: narrator checks all the same."""
    with ScriptedServer(Reply(text), anywhere=True) as server, named(server, monkeypatch):
        found = run("doctor", "--port", "9", "--json")

    last = of("model", found.json["items"])[-1]
    assert (found.code, last["state"]) == (0, "warning")
    assert "narrator still checks every suggestion" in last["text"]


def test_a_model_that_keeps_to_its_schema_is_well(here: Path, keyed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One question was sent, with the key for this server and no other."""
    monkeypatch.setattr(model_checks, "SOON", 1e9)
    with ScriptedServer(KEPT, anywhere=True) as server, named(server, monkeypatch):
        found = run("doctor", "--port", "9", "--json")

    assert [each["state"] for each in of("model", found.json["items"])] == ["ok", "ok"]
    assert [each.path for each in server.requests] == ["/v1/chat/completions"]
    assert "bird" not in json.dumps(server.requests[0].body["messages"])
    assert keyed not in headers(server) + found.out


def test_a_model_that_lets_wait_is_told_of(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is slow, and not wrong."""
    monkeypatch.setattr(model_checks, "SOON", -1.0)
    with ScriptedServer(KEPT, anywhere=True) as server, named(server, monkeypatch):
        found = run("doctor", "--port", "9", "--json")

    first, _ = of("model", found.json["items"])
    assert (found.code, first["state"]) == (0, "warning")
    assert "find words before the roll" in first["cure"]


@pytest.mark.engine
def test_a_real_server_keeps_to_the_schema(engine: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which a random model does only where it is held to it."""
    monkeypatch.setenv("NARRATOR_MODEL", "nonsense")
    monkeypatch.setenv("NARRATOR_BASE_URL", engine)

    assert "its answer follows the schema that narrator sent" in doctor()[1]


def test_a_folder_of_campaigns_that_is_none_is_named(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anybody begins one there."""
    (here / "file").write_text("", "utf-8")
    monkeypatch.setenv("NARRATOR_DATA", str(here / "file"))

    code, told, _ = doctor()

    assert code == 1
    assert "file is not a folder that you can write in" in told
