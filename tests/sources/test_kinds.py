"""Every kind of source there is: what it declares, and what no server can bring it to do, whichever that asks.

A new file in `narrator/sources/kinds/` is tried here without an edit. What servers say is in the words of OpenAI's own,
and at any place; to a kind that speaks otherwise it is one fault more.
"""

import json
import logging
import sys
from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest

import narrator
from narrator.sources import kinds
from narrator.sources.settings import Settings
from narrator.suggestions.source.adapter import Adapted
from narrator.suggestions.source.protocol import Source
from tests.asking import Told, answer_of
from tests.leaping import DEADLINE, leap
from tests.scripted_server import Reply, ScriptedServer, Step, Wire, answer, faults
from tests.sources.asking import SERVED, TEXT, opened

KEY = "sk-narrators-own-5f1c"
EVERY_DAY = {"401", "429", "reset mid-stream", "hang mid-stream", "prose", "deep nesting", "flood in one line"}
"""What is not left to `make test-all`."""

FOREIGN = {
    "OPENAI_API_KEY": "sk-of-the-user-77aa",
    "OPENAI_ADMIN_KEY": "sk-admin-77aa",
    "OPENAI_ORG_ID": "org-77aa",
    "OPENAI_PROJECT_ID": "proj-77aa",
    "OPENAI_WEBHOOK_SECRET": "whsec-77aa",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    "OPENAI_CUSTOM_HEADERS": "X-Team: team-77aa\nAuthorization: Bearer sk-custom-77aa",
    "ANTHROPIC_API_KEY": "sk-ant-77aa",
    "NARRATOR_API_KEY": "sk-ours-77aa",
}

every_kind = pytest.mark.parametrize("kind", kinds.kinds())
every_served_kind = pytest.mark.parametrize("kind", SERVED)
every_fault = pytest.mark.parametrize(
    "fault", [pytest.param(name, marks=() if name in EVERY_DAY else pytest.mark.full) for name in faults(TEXT)]
)


def made(kind: str, server: ScriptedServer, host: str = "127.0.0.1") -> Source:
    """A source of that kind, for this server."""
    return opened(kind, Settings("tiny", server.base_url.replace("127.0.0.1", host), KEY))


@every_kind
def test_what_a_kind_declares(kind: str) -> None:
    """A line that says what it is, a function that makes a source of settings, and an address that is one."""
    source = Adapted(kinds.make(kind, Settings("tiny", kinds.address(kind), KEY)))
    assert kinds.about(kind).endswith(".")
    assert [*signature(sys.modules[f"narrator.sources.kinds.{kind}"].source).parameters] == ["settings"]
    assert KEY not in repr(source) + source.label + str(vars(source))


@every_fault
@every_served_kind
def test_a_fault_of_a_server_ends_in_an_answer(
    told: Told, kind: str, fault: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a server does, the answer is full, words that are not the source's are accounted for, and no key is
    told.
    """
    caplog.set_level(logging.DEBUG)
    hang = Wire.hang

    def hang_when_the_time_is_up(wire: Wire) -> None:
        leap()
        hang(wire)

    monkeypatch.setattr(Wire, "hang", hang_when_the_time_is_up)
    with ScriptedServer(*[faults(TEXT)[fault]] * 4, anywhere=True) as server:
        source = made(kind, server)
        found = answer_of(told(source, repairs=0, timeout=DEADLINE))
    assert server.requests
    assert len(found.suggestions) == 3
    assert found.notices or {each.source for each in found.suggestions} == {source.label}
    told_of_it = [json.dumps(found.as_json()), repr(source), str(vars(source)), caplog.text]
    assert [text for text in told_of_it if KEY in text] == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@every_served_kind
def test_redirects_are_not_followed(told: Told, kind: str, status: int) -> None:
    """A server that points elsewhere gets no prompt and no key sent there; the deck answers, and a notice says why."""
    with ScriptedServer(Reply(TEXT), anywhere=True) as other:
        location = f"{other.base_url}/chat/completions"
        with ScriptedServer(*[answer("", status, Location=location)] * 2, anywhere=True) as server:
            source = made(kind, server)
            found = answer_of(told(source, repairs=0))
    assert (other.requests, bool(server.requests)) == ([], True)
    assert {each.source for each in found.suggestions} == {"deck"}
    assert any(source.label in notice for notice in found.notices)


@every_served_kind
def test_compressed_answers_are_not_unpacked(told: Told, kind: str) -> None:
    """None was asked for, and a few bytes can unpack to gigabytes."""
    packed = answer("\x1f\x8b", 200, "text/event-stream", **{"Content-Encoding": "gzip"})
    with ScriptedServer(packed, anywhere=True) as server:
        found = answer_of(told(made(kind, server), repairs=0))
    assert server.requests[0].headers["accept-encoding"] == "identity"
    assert {each.source for each in found.suggestions} == {"deck"}
    assert found.notices


@every_served_kind
def test_no_place_for_a_proxy_or_what_is_meant_for_others(
    told: Told, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server on this machine, by whatever name, is asked directly, with the key that is its own and no other."""
    for name, value in FOREIGN.items():
        monkeypatch.setenv(name, value)
    with (
        ScriptedServer(answer("", 502), anywhere=True) as proxy,
        ScriptedServer(*[Reply(TEXT)] * 2, anywhere=True) as server,
    ):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://{proxy.address}")
        for host in ("127.0.0.1", "localhost"):
            told(made(kind, server, host), repairs=0)
    assert proxy.requests == []
    assert len(server.requests) >= 2
    sent = json.dumps([[each.headers, each.body] for each in server.requests])
    assert KEY in sent
    assert "77aa" not in sent


@every_served_kind
def test_what_a_server_says_of_the_key_is_not_repeated(told: Told, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    """Neither in a suggestion, nor in a header that is logged, nor in the reason of a refusal."""
    caplog.set_level(logging.DEBUG)

    def repeats(wire: Wire) -> None:
        answer(KEY, 401, "text/plain", **{"X-Key": KEY})(wire)

    echoing: Step = Reply(TEXT.replace("Ink", KEY))
    with ScriptedServer(repeats, echoing, anywhere=True) as server:
        source = made(kind, server)
        found = [answer_of(told(source, repairs=0)).as_json() for _ in range(2)]
    assert KEY not in json.dumps(found) + caplog.text


MIMIC = '''"""Says what the settings name as a model, for every slot."""

import json


class Mimic:
    is_local = is_deterministic = True

    def __init__(self, settings):
        self.label, self._said = f"mimic:{settings.model}", settings.model

    async def astream(self, brief, seconds):
        for slot, many in brief.wanted:
            for offer in slot.forms[:many]:
                to = (offer.to or (None,))[0]
                words = {"name": f"{self._said} of {offer.form}", "detail": f"{self._said} answers from {offer.form}."}
                yield json.dumps({"slot": slot.id, "form": offer.form, "to": to, **words})


def source(settings):
    return Mimic(settings)
'''


@pytest.fixture
def mimic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file more among the kinds, and a name for it."""
    (tmp_path / "kinds").mkdir()
    (tmp_path / "kinds" / "mimic.py").write_text(MIMIC, "utf-8")
    (tmp_path / "config.toml").write_text('[sources.parrot]\nkind = "mimic"\nmodel = "Voice"\n', "utf-8")
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(tmp_path / "kinds")])
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    yield
    sys.modules.pop("narrator.sources.kinds.mimic", None)


@pytest.mark.usefixtures("mimic")
def test_a_kind_is_one_file() -> None:
    """Whoever adds a file has a kind of that name, told by its first line, and may name sources of it."""
    request = {"action": {"type": "overcome", "actor": "Cynere", "outcome": "fail"}}
    found = narrator.suggest(request, source="parrot")
    assert "mimic" in kinds.kinds()
    assert kinds.about("mimic") == "Says what the settings name as a model, for every slot."
    assert "mimic:Voice" in {each.source for each in found.suggestions}
