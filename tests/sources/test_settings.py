"""The settings: which model is asked, where, and which key goes there."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import NarratorError
from narrator.sources.settings import OPENAI, Settings, from_environment
from narrator.suggestions.prompt.brief import MANNERS
from tests.asking import CYNERE
from tests.leaping import DEADLINE, leap
from tests.scripted_server import ScriptedServer, Wire, error
from tests.sources.asking import opened

OURS, THEIRS = "sk-for-narrator", "sk-for-openai"
LOCAL = "http://127.0.0.1:11434/v1"
OTHER = "https://models.example/v1"


def settings(environment: dict[str, str], config: Path, **given: Any) -> Settings | None:
    """What an environment says, with this config folder."""
    return from_environment({"NARRATOR_CONFIG": str(config), **environment}, **given)


def mistake(make: Callable[..., object], *given: Any, unsaid: str = "s3cret", **more: Any) -> NarratorError:
    """How a mistake of the user's is refused, without a word of what may be a key."""
    with pytest.raises(NarratorError) as caught:
        make(*given, **more)
    assert caught.value.code == "bad_request"
    assert unsaid not in str(caught.value)
    return caught.value


M = {"NARRATOR_MODEL": "m"}
READ: dict[str, tuple[dict[str, str], dict[str, str], Settings | None]] = {
    # the environment, what is given, and what comes of it
    "nothing": ({}, {}, None),
    "no model": ({"OPENAI_API_KEY": THEIRS, "NARRATOR_API_KEY": OURS, "NARRATOR_BASE_URL": LOCAL}, {}, None),
    "a model": (M, {}, Settings("m", OPENAI, "")),
    "the deck": ({"NARRATOR_MODEL": "deck", "OPENAI_API_KEY": THEIRS}, {}, None),
    "an empty model": ({"NARRATOR_MODEL": ""}, {}, None),
    "a blank model": ({"NARRATOR_MODEL": "  "}, {}, None),
    "blanks around": ({"NARRATOR_MODEL": " m ", "NARRATOR_BASE_URL": f" {LOCAL}\n"}, {}, Settings("m", LOCAL, "")),
    "an empty address": (M | {"NARRATOR_BASE_URL": ""}, {}, Settings("m", OPENAI, "")),
    "the SDK's address": (M | {"OPENAI_BASE_URL": OTHER}, {}, Settings("m", OPENAI, "")),
    "a given model first": (M, {"model": "n"}, Settings("n", OPENAI, "")),
    "a given deck first": (M, {"model": "deck"}, None),
    "a given model alone": ({}, {"model": "n"}, Settings("n", OPENAI, "")),
    "a given address first": (M | {"NARRATOR_BASE_URL": OTHER}, {"base_url": LOCAL}, Settings("m", LOCAL, "")),
    "OpenAI's key for OpenAI": (M | {"OPENAI_API_KEY": THEIRS}, {}, Settings("m", OPENAI, THEIRS)),
    "OpenAI's key for OpenAI by its address": (
        M | {"OPENAI_API_KEY": THEIRS, "NARRATOR_BASE_URL": f"{OPENAI}/"},
        {},
        Settings("m", f"{OPENAI}/", THEIRS),
    ),
    "OpenAI's key not for a given address": (
        M | {"OPENAI_API_KEY": THEIRS},
        {"base_url": LOCAL},
        Settings("m", LOCAL, ""),
    ),
    "our key first": (M | {"OPENAI_API_KEY": THEIRS, "NARRATOR_API_KEY": OURS}, {}, Settings("m", OPENAI, OURS)),
    "a blank key of ours": (M | {"OPENAI_API_KEY": THEIRS, "NARRATOR_API_KEY": " "}, {}, Settings("m", OPENAI, THEIRS)),
    "our key for the server beside it": (
        M | {"NARRATOR_API_KEY": OURS, "NARRATOR_BASE_URL": OTHER},
        {},
        Settings("m", OTHER, OURS),
    ),
    "our key for a server that is given": (
        M | {"NARRATOR_API_KEY": OURS},
        {"base_url": LOCAL},
        Settings("m", LOCAL, OURS),
    ),
    "our key not for another than the one beside it": (
        M | {"NARRATOR_API_KEY": OURS, "NARRATOR_BASE_URL": OTHER},
        {"base_url": LOCAL},
        Settings("m", LOCAL, ""),
    ),
}


@pytest.mark.parametrize(("environment", "given", "expected"), READ.values(), ids=READ)
def test_reads_the_environment(
    environment: dict[str, str], given: dict[str, str], expected: Settings | None, tmp_path: Path
) -> None:
    """What is given goes before the environment, an empty variable is none, and each key goes where it was meant to."""
    assert expected == settings(environment, tmp_path, **given)


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    """The config file is read last, field by field, and holds the name of the key's variable, not the key."""
    lines = ['model = "filed"', f'base_url = "{LOCAL}"', 'api_key_env = "MY_KEY"']
    (tmp_path / "config.toml").write_text("\n".join(lines), "utf-8")
    assert Settings("filed", LOCAL, "k") == settings({"MY_KEY": "k"}, tmp_path)
    assert Settings("m", LOCAL, "k") == settings({"MY_KEY": "k", "NARRATOR_MODEL": "m"}, tmp_path)
    assert Settings("filed", OTHER, "") == settings({"MY_KEY": "k", "NARRATOR_BASE_URL": OTHER}, tmp_path)
    assert settings({"NARRATOR_MODEL": "deck"}, tmp_path) is None


def test_the_manner(tmp_path: Path) -> None:
    """What is given goes before the environment, and that before the file; where nobody says, it is all together."""
    environment = {"NARRATOR_MODEL": "m"}
    assert Settings("m").manner == "together"
    (tmp_path / "config.toml").write_text('manner = "one_by_one"', "utf-8")
    assert settings(environment, tmp_path) == Settings("m", manner="one_by_one")
    environment["NARRATOR_MANNER"] = "together"
    assert settings(environment, tmp_path) == Settings("m", manner="together")
    assert settings(environment, tmp_path, manner="one_by_one") == Settings("m", manner="one_by_one")


def test_a_manner_that_there_is_not(tmp_path: Path) -> None:
    """It is refused with those that there are, and not repeated: it may be a key."""
    found = mistake(settings, M | {"NARRATOR_MANNER": "s3cret"}, tmp_path)
    assert (found.field, found.allowed) == ("manner", MANNERS)


FILES: dict[str, tuple[str | bytes, int, str]] = {
    # what stands in the file, the line that the error names, and what it says
    "no value": ('model = "m"\nbase_url =\n', 2, "this is not TOML"),
    "no end of a text": ('model = "m"\n\nbase_url = "s3cret', 3, "this is not TOML"),
    "another encoding": (b'model = "m"\nbase_url = "\xff"', 2, "this is not UTF-8"),
    "a misspelt field": ('model = "m"\nbase_ulr = "s3cret"', 2, "base_ulr: no such field; did you mean base_url"),
    "a field like no other": ('api_key = "s3cret"\nmodel = "m"', 1, "api_key: no such field"),
    "a number": ('model = "m"\napi_key_env = 53372837', 2, "api_key_env: this must be text"),
    "nothing": ('model = ""', 1, "model: this must not be empty"),
    "a key for a field": ('model = "m"\nsk-s3cret = "m"', 2, "no such field"),
    "a key for a field, in quotes": ('model = "m"\n"sk: s3cret" = "m"', 2, "no such field"),
    "a key for a table": ('model = "m"\n[sk-s3cret]', 2, "no such field"),
    "a key for a list of tables": ('model = "m"\n[[sk-s3cret]]', 2, "no such field"),
    "a key alone": ('model = "m"\nsk-s3cret', 2, "this is not TOML"),
}


@pytest.mark.parametrize(("written", "line", "message"), FILES.values(), ids=FILES)
def test_a_broken_file_is_told_with_its_line(written: str | bytes, line: int, message: str, tmp_path: Path) -> None:
    """The file and the line are named and what is wrong there, but nothing that stands in it: it may be a key."""
    (tmp_path / "config.toml").write_bytes(written if isinstance(written, bytes) else written.encode())
    found = mistake(settings, {}, tmp_path)
    assert (found.field, found.message) == (f"{tmp_path / 'config.toml'}:{line}", message)
    assert "53372837" not in str(found)
    assert ("manner" in (found.allowed or ())) == ("no such field" in message)


def test_a_file_of_settings_has_no_thousands_of_lines(tmp_path: Path) -> None:
    """One of more bytes than any has is refused by its name, before anybody reads its lines; the deck needs none."""
    (tmp_path / "config.toml").write_text("# ours\n" * 8_000 + 'model = "m"', "utf-8")
    assert settings({}, tmp_path) == Settings("m")
    (tmp_path / "config.toml").write_text("".join(f"key{n} = 1\n" for n in range(40_000)), "utf-8")
    found = mistake(settings, {}, tmp_path)
    assert found.field == str(tmp_path / "config.toml")
    assert "at most 64000 bytes" in found.message
    assert settings({"NARRATOR_MODEL": "deck"}, tmp_path) is None


@pytest.mark.parametrize("field", ["model", "base_url"])
def test_a_key_in_the_wrong_place_is_not_repeated(field: str, tmp_path: Path) -> None:
    """In the place of the model or of the address it is refused, wherever that was named, and not sent on as one."""
    lines = {"model": 'model = "m"'} | {field: f'{field} = "sk-s3cret"'}
    (tmp_path / "config.toml").write_text("\n".join(lines.values()), "utf-8")
    for environment, given in (
        ({}, {}),
        (M | {f"NARRATOR_{field.upper()}": "sk-s3cret"}, {}),
        (M, {field: "sk-s3cret"}),
    ):
        assert mistake(settings, environment, tmp_path, **given).field == field


@pytest.mark.parametrize(
    "address",
    [
        *(OTHER, "http://api.openai.com/v1", "https://api.openai.com.example/v1", "https://example/api.openai.com/v1"),
        *("https://notapi.openai.com/v1", "https://openai.com/v1", "https://127.0.0.1/v1"),
    ],
)
def test_what_only_looks_like_openai_gets_no_key(address: str, tmp_path: Path) -> None:
    """The user's OpenAI key goes to OpenAI's own host, encrypted, and to nothing that resembles it."""
    environment = M | {"OPENAI_API_KEY": THEIRS, "NARRATOR_BASE_URL": address}
    assert Settings("m", address, "") == settings(environment, tmp_path)


@pytest.mark.parametrize(
    "address", ["https://api.openai.com/v1", "HTTPS://API.OpenAI.com/v1", "https://api.openai.com:443"]
)
def test_openai_however_it_is_spelt(address: str) -> None:
    """Capitals and the usual port change nothing: it is OpenAI, and has to prove it."""
    asked = Settings("m", address)
    assert (asked.is_openai, asked.is_encrypted, asked.is_loopback) == (True, True, False)


HOSTILE = [
    *("", " ", "api.openai.com", "127.0.0.1:11434/v1", "http://models.example/" + 3_000 * "v"),
    *("ftp://models.example/v1", "file:///etc/passwd", "javascript:alert(1)"),
    *("http://", "http:///v1", "https://:443/v1", "http://192.168.001.007/v1", "http://999.1.1.1/v1"),
    *("http://[::1/v1", "http://[zzz]/v1", "http://[v1.x]/v1", "http://[127.0.0.1]/v1"),
    *("http://[::1]models.example/v1", "http://models[::1]/v1", "http://models.example\\.example/v1"),
    *(f"http://models.example:{port}/v1" for port in ("port", "99999", "-1", "0")),
    *("http://mod els.example/v1", "http://models.example/v1\nX-Key: 1", "http://models\t.example/v1"),
    *(" https://models.example/v1", "http://models.example\x00/v1"),
    *("http://mödels.example/v1", "http://models.example\u2044v1"),
    *("https://api.openai.com@models.example/v1", "https://user:secret-77aa@models.example/v1"),
    *("https://models.example\\@api.openai.com/v1", "https://models.example/v1?key=secret-77aa"),
    "https://api.openai.com#@models.example/v1",
]


@pytest.mark.parametrize("address", HOSTILE, ids=[f"{number}" for number in range(len(HOSTILE))])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    """It is the user's error, told in one line without steering signs and without what may be a key."""
    found = mistake(Settings, "m", address, unsaid="77aa")
    assert found.field == "base_url"
    assert str(found).isprintable()


def test_an_address_that_is_none_is_refused_by_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the environment names it, the call is refused, and raises nothing else."""
    monkeypatch.setenv("NARRATOR_MODEL", "m")
    monkeypatch.setenv("NARRATOR_BASE_URL", "https://u:p77aa@models.example")
    assert "base_url" in mistake(narrator.suggest, CYNERE, unsaid="77aa").field


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel", "\u202esk", "sk\x00"])
def test_a_key_that_is_none_is_refused(key: str) -> None:
    """A key that cannot stand in a header is the user's error, and is not repeated."""
    assert mistake(Settings, "m", LOCAL, key, unsaid=key).field == "api_key"


HERE = [
    *("http://127.0.0.1:11434/v1", "http://127.9.9.9/v1", "http://[::1]:8080/v1"),
    *("http://localhost:1/v1", "http://LOCALHOST/v1"),
]
ELSEWHERE = [
    *("http://127.0.0.1.example/v1", "http://127.example/v1", "http://localhost.example/v1"),
    *("http://192.168.0.7/v1", OPENAI),
]


@pytest.mark.parametrize("address", [*HERE, *ELSEWHERE])
def test_tells_this_machine(address: str) -> None:
    """This machine is told from hosts that only begin like it."""
    assert Settings("m", address).is_loopback == (address in HERE)


SECRET = "sk-proj-Zq81xkPw77Tt3mVb9LaYuE2d"

TELLING = {
    "plain": SECRET,
    "in other cases": SECRET.upper(),
    "spaced": " ".join(SECRET),
    "a letter a line": "\n".join(SECRET),
    "tabbed": "\t".join(SECRET),
    "with steering signs": "\0".join(SECRET),
    "with signs of no width": "\u200b".join(SECRET),
    "with accents": "\u0301".join(SECRET),
    "in wide letters": "".join(chr(ord(sign) + 0xFEE0) for sign in SECRET),
    "escaped": '{"name": "' + "".join(f"\\u{ord(sign):04x}" for sign in SECRET) + '"',
    "a third": SECRET[10:20],
    "in lines": "\n".join((SECRET[:10], SECRET[10:20], SECRET[20:])),
}


@pytest.mark.parametrize("words", TELLING.values(), ids=TELLING)
def test_a_key_is_known_however_it_is_told(words: str) -> None:
    """In a text, and in JSON with that text in it."""
    asked = Settings("m", LOCAL, SECRET)
    assert asked.is_given_away(words)
    assert asked.is_given_away(json.dumps({"name": words, "detail": None}))


def test_a_key_is_known_in_pieces() -> None:
    """Split over the fields of a suggestion, or used as the name of one."""
    asked = Settings("m", LOCAL, SECRET)
    thirds = {"to": SECRET[:10], "name": SECRET[10:20], "detail": SECRET[20:]}
    assert asked.is_given_away(json.dumps(thirds))
    assert asked.is_given_away(json.dumps({SECRET: 1}))
    assert asked.is_given_away(json.dumps(list(SECRET)))


HONEST = {
    "lm-studio": "The old film studio burns.",
    "not-needed": "You are not needed here.",
    "anything": "She will do anything for it.",
    "changeme": "It will change me, he says.",
    "sk-no-key-required": "A simple task: no key required.",
    "--------": "Hello.",
    "sk-raven-castle-torch-123456": "The raven flies from the castle, and the torch goes out at 123.",
    "sk-1234": "1234",
}


@pytest.mark.parametrize(("key", "words"), HONEST.items(), ids=HONEST)
def test_words_that_a_key_is_made_of_are_words(key: str, words: str) -> None:
    """What stands for a key where none is needed may be said, and so may the words of one that is a secret."""
    assert not Settings("m", LOCAL, key).is_given_away(words)


def test_repr_hides_the_key() -> None:
    """Settings can be logged."""
    asked = Settings("m", LOCAL, OURS)
    assert OURS not in repr(asked)
    assert OURS not in str(asked)
    assert asked.host == "127.0.0.1:11434"


def test_a_server_far_away_is_tried_and_nothing_else(outside: list[str]) -> None:
    """Where the network is cut the deck answers; the host that was named, and no other, was looked for."""
    answer = narrator.suggest(CYNERE, source=opened("openai", Settings("m", OTHER, OURS)))
    assert {"models.example"} == set(outside)
    assert [each.source for each in answer.suggestions] == ["deck"] * 3
    assert "openai:m: nobody answers at models.example." in answer.notices
    assert OURS not in str(answer.as_json())


def test_an_address_at_which_nobody_is_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The notice names host and port, by which a user sees what was mistyped, and nothing else of the address."""
    monkeypatch.setenv("NARRATOR_MODEL", "m")
    monkeypatch.setenv("NARRATOR_API_KEY", OURS)
    monkeypatch.setenv("NARRATOR_BASE_URL", "http://127.0.0.1:9/secret-77aa/v1")
    answer = narrator.suggest(CYNERE)
    assert "openai:m: nobody answers at 127.0.0.1:9." in answer.notices
    assert "77aa" not in str(answer.as_json())
    assert OURS not in str(answer.as_json())


def test_an_address_that_does_not_answer_in_time_is_named() -> None:
    """So is that of a server which takes the call and says nothing; what a server says itself names no host."""

    def late(wire: Wire) -> None:
        leap()
        wire.hang()

    with ScriptedServer(late, error(401)) as server:
        source = opened("openai", Settings("m", server.base_url, OURS))
        told = [narrator.suggest(CYNERE, source=source, timeout=DEADLINE).notices[0] for _ in range(2)]
    assert told == [
        f"openai:m: no complete answer from {server.address} within {DEADLINE:g} seconds.",
        "openai:m: the key is missing or was not accepted (HTTP 401).",
    ]
