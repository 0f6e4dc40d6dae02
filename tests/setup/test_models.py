"""`narrator models` finds whoever serves on this machine, tries a model, and names it where that went well."""

import json
from pathlib import Path

import pytest

from narrator import config
from narrator.setup import loopback
from tests.interfaces.running import Ended, refusal, run, said
from tests.scripted_server import JSON, PROSE, Reply, ScriptedServer, Step, Wire, answer, error, suggestions
from tests.setup.asking import THREE, headers, late, listing, models, port_of

TERMINAL = "\x1b[31m\nevil\u202e[bold]\x7f\x9b2J"


@pytest.mark.parametrize("usual", loopback.USUAL, ids=lambda each: each.name)
def test_a_server_at_any_port_is_named_by_what_it_says_of_itself(usual: loopback.Usual, here: Path) -> None:
    """With its address and its models, the first of which is tried."""
    with ScriptedServer(listing("tiny", "other", owner=usual.owner), THREE, anywhere=True) as server:
        found = models(server)

    assert (found.code, found.err) == (0, "")
    assert f"{usual.name}: answers at {server.base_url}\n           tiny\n           other\n" in found.out
    assert "openai:tiny: 3 of 10 suggestions accepted" in found.out
    assert [each.path for each in server.requests] == ["/v1/models", "/v1/chat/completions"]


@pytest.mark.parametrize("usual", loopback.USUAL, ids=lambda each: each.name)
def test_a_server_that_says_nothing_of_itself_is_named_by_its_port(
    usual: loopback.Usual, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And one without a model comes with how that server gets one."""
    with ScriptedServer(listing(owner=None), anywhere=True) as server:
        at = tuple(
            each._replace(port=int(port_of(server)) if each.name == usual.name else 9) for each in loopback.USUAL
        )
        monkeypatch.setattr(loopback, "USUAL", at)
        found = run("models")

    assert found.code == 1
    assert (
        f"{usual.name}: answers at {server.base_url}, but has no model\n         to use it: {usual.cure}" in found.out
    )


MUTE = "no model was found"
WRONG: dict[str, tuple[list[Step], str]] = {
    "a key is demanded": ([error(401)], "a model server: asks for a key at"),
    "this is not allowed": ([error(403)], "a model server: asks for a key at"),
    "there is no such address": ([error(404)], "gives no list of models (HTTP 404)"),
    "it is a web page": ([answer("<html>", kind="text/html")], "gives no list of models (HTTP 200)"),
    "it points elsewhere": ([error(307, Location="http://127.0.0.1:9/v1/models")], "list of models (HTTP 307)"),
    "it is no list": ([answer('{"data": {"a": 1}}')], "gives no list of models (HTTP 200)"),
    "it never ends": ([lambda wire: _endless(wire)], "gives no list of models (HTTP 200)"),
    "it never begins": ([late], "says nothing in"),
    "it hangs up": ([Wire.reset], "says nothing in"),
    "it nests without end": ([answer("[" * 100_000)], "gives no list of models (HTTP 200)"),
    "a number has no end": ([answer('{"data": ' + "9" * 5_000 + "}")], "list of models (HTTP 200)"),
    "it is compressed": ([answer("x" * 50, 200, JSON, **{"Content-Encoding": "gzip"})], "list of models (HTTP 200)"),
    "nothing is pulled": ([answer('{"object": "list", "data": null}')], "but has no model"),
    "models have no names": ([answer('{"data": [7, {"id": ""}, {"id": 7}, {}, null]}')], "but has no model"),
    "it writes prose": ([listing("tiny"), Reply(PROSE)], "openai:tiny: 0 of 10 suggestions accepted"),
    "it writes what is refused": (
        [listing("tiny"), Reply(suggestions({"slot": "no", "form": "loss", "detail": "A dog barks."}))],
        "1 refused, most as unknown_slot",
    ),
    "the model is not loaded": ([listing("tiny"), *[error(500)] * 3], "the server is at fault (HTTP 500)"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_server_is_said(wrong: str, here: Path) -> None:
    """Whatever it answers: in a line, with a cure, and nothing is raised."""
    steps, words = WRONG[wrong]
    with ScriptedServer(*steps, anywhere=True) as server:
        found = models(server)

    assert found.code == 1
    assert words in said(found.out)
    assert "cure: " in found.out


def _endless(wire: Wire) -> None:
    for _ in range(800):
        wire.raw(b" " * 65_536)


def test_no_more_is_read_than_a_list_may_have(here: Path) -> None:
    """Of fifty megabytes, most are not waited for."""
    with ScriptedServer(_endless, anywhere=True) as server:
        models(server)
        server.requests[0].done.wait()

    assert server.requests[0].hung_up


def test_where_nobody_answers_it_says_what_was_looked_for(here: Path) -> None:
    """And how each is started."""
    found = run("models")

    assert found.code == 1
    assert MUTE in found.out
    assert all(f"{each.name}, port {each.port}: {each.cure}" in found.out for each in loopback.USUAL)


def test_three_that_were_accepted_can_be_read_and_none_of_the_deck(here: Path) -> None:
    """The object for programs has the same."""
    with ScriptedServer(listing("text-embed", "tiny"), THREE, anywhere=True) as server:
        found = models(server, "--json")
    trial = found.json["items"][-1]

    assert (trial["check"], trial["state"], len(trial["more"])) == ("trial", "ok", 3)
    assert server.requests[1].model == "tiny"


def test_the_model_that_is_named_is_tried(here: Path) -> None:
    """And one that nobody serves is refused, with those there are."""
    with ScriptedServer(listing("tiny", "large"), THREE, listing("tiny"), anywhere=True) as server:
        found = models(server, "large")
        refused = refusal("models", "huge", "--port", port_of(server))

    assert "openai:large: 3 of 10" in found.out
    assert "MODEL: no server on this machine has a model with this name (allowed: tiny)" in refused


def test_a_key_is_neither_sent_nor_shown(here: Path, keyed: str) -> None:
    """That there is one is said, and what an evening and a scene's cards would cost."""
    with ScriptedServer(listing("tiny"), THREE, anywhere=True) as server:
        found = models(server)

    assert "OPENAI_API_KEY set; its model was not asked. It would need:" in found.out
    assert "40 rolls of an evening: about " in found.out
    assert "30 cards of a scene (stage): about " in found.out
    assert keyed not in found.out + found.err + headers(server)
    assert "authorization" not in headers(server)


TABLE = '# mine\r\nmodel = "old"\r\n\r\n[sources.other]\r\nmodel = "x" # no end of line'


def _write(name: str, model: str = "tiny", owner: str = "library") -> Ended:
    with ScriptedServer(listing(model, owner=owner), THREE, anywhere=True) as server:
        return models(server, "--write", name)


def test_a_name_is_written_behind_what_stands_there(here: Path) -> None:
    """Which stays byte for byte; the name can be asked then."""
    file = here / "config.toml"
    file.write_bytes(TABLE.encode())
    with ScriptedServer(listing("tiny"), THREE, THREE, anywhere=True) as server:
        found = models(server, "--write", "mine", "--manner", "together")
        asked = run("suggest", "examples/cynere.json", "--source", "mine", "--timeout", "60", "--json")

    assert "narrator suggest ... --source mine" in found.out
    assert file.read_bytes().startswith(TABLE.encode())
    told = config.read_config({"NARRATOR_CONFIG": str(here)}).sources
    assert told["mine"] == config.NamedSource(model="tiny", base_url=server.base_url, manner="together")
    assert told.keys() == {"other", "mine"}
    assert {each["source"] for each in asked.json["suggestions"]} == {"openai:tiny"}


def test_a_name_is_written_where_there_is_no_file_yet(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor a folder."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(here / "new"))

    assert _write("Größe").code == 0
    assert config.read_config({"NARRATOR_CONFIG": str(here / "new")}).sources.keys() == {"Größe"}


REFUSED: dict[str, tuple[str, str | bytes, str]] = {
    "deck": ("deck", TABLE, "--write: deck always means narrator's own deck"),
    "a bad name": ("my model", TABLE, "--write: the name of a source must be"),
    "a name with an escape": ("\x1b[31m", TABLE, "--write: the name of a source must be"),
    "no name": ("", TABLE, "--write: the name of a source must be"),
    "a name that is there": ("other", TABLE, "--write: config.toml has a source other already"),
    "a file that is no TOML": ("mine", "model = ", "config.toml:1: this is not TOML"),
    "a file with an unknown field": ("mine", "modle = 'x'", "config.toml:1: modle: no such field"),
    "a file that is no text": ("mine", b"\xff\xfe", "config.toml:1: this is not UTF-8"),
    "a table in one line": ("mine", "sources = {}", "config.toml: no table can be added at its end"),
    "a file that is full": ("mine", "#" * 63_999, "no table can be added at its end"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_name_that_cannot_be_written_is_refused_before_anybody_is_asked(what: str, here: Path) -> None:
    """With the field and the cure; the file is as it was."""
    name, before, words = REFUSED[what]
    data = before if isinstance(before, bytes) else before.encode()
    (here / "config.toml").write_bytes(data)

    assert words in refusal("models", "--write", name)
    assert (here / "config.toml").read_bytes() == data


def test_a_model_that_did_badly_gets_no_name(here: Path) -> None:
    """And it is said why."""
    with ScriptedServer(listing("tiny"), Reply(PROSE), anywhere=True) as server:
        found = models(server, "--write", "mine")

    assert found.code == 1
    assert "mine was not saved, because no suggestion was accepted" in found.out
    assert not (here / "config.toml").exists()


@pytest.mark.parametrize("name", [TERMINAL, 'a"b\\c\'\'\'"""', "half \ud83d", "\x00", "[x]\n[sources.evil]"])
def test_the_name_of_a_model_may_be_anything(name: str, here: Path) -> None:
    """It steers no terminal, breaks no line, and is written as what it is."""
    found = _write("mine", name)
    told = config.read_config({"NARRATOR_CONFIG": str(here)}).sources

    assert found.code == 0
    assert not {"\x1b", "\x7f", "\x9b", "\u202e", "\x00"} & {*found.out}
    assert told.keys() == {"mine"}
    assert told["mine"].model == name.encode("utf-8", "replace").decode()
    assert (here / "config.toml").read_text("utf-8").replace("\n", "").isprintable()


@pytest.mark.parametrize("name", ["sk-proj-0123456789abcdef", "http://elsewhere.example/v1"])
def test_what_can_be_no_model_is_refused(name: str, here: Path) -> None:
    """A key where a name was meant is not repeated."""
    with ScriptedServer(listing(name), anywhere=True) as server:
        told = refusal("models", "--port", port_of(server))

    assert "bad_request: model: this is " in told
    assert name not in told
    assert len(server.requests) == 1


@pytest.mark.engine
def test_a_real_server_is_found_and_tried(engine: str, here: Path) -> None:
    """Held to its shape, a random model writes what is refused or accepted, and nothing else."""
    found = run("models", "--port", engine.rpartition(":")[2].partition("/")[0], "--json")
    server, trial = json.loads(found.out)["items"]

    assert (server["check"], server["more"]) == ("llama.cpp", ["nonsense"])
    assert " of 10 suggestions accepted" in trial["text"]


def test_a_port_that_is_named_is_answered_for(here: Path) -> None:
    """Also where nobody is there."""
    assert "nobody answers at http://127.0.0.1:9/v1" in said(run("models", "--port", "9").out)
