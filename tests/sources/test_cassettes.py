"""Plays what real servers have answered: the local engine, and the scripted one for what the engine cannot do."""

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from vcr.errors import CannotOverwriteExistingCassetteException  # type: ignore[import-untyped]

import narrator
from narrator.sources.kinds.openai import OpenAICompatible
from narrator.sources.settings import Settings
from tests.asking import CYNERE
from tests.cassettes import FOLDER, NOBODY, cassette, is_recording
from tests.engine.running import MODEL, SMALL_MODEL
from tests.leaping import DEADLINE
from tests.scripted_server import PROSE, Reply, ScriptedServer, Step, answer, fenced, refuses, thinking, unauthorized
from tests.sources.asking import MISSHAPEN, TEXT, Ask, ask, both_ways, by

KEY = "sk-recorded-with"
ENGINE: dict[str, dict[str, Any]] = {
    "engine-serious-cost": {},
    "engine-one-each": {"per_slot": 1},
    "engine-aspect": {
        "action": {
            "type": "create_advantage",
            "actor": "Cynere",
            "intent": "find out who commands the gate",
            "roll": {"total": 4},
            "opposition": {"kind": "passive", "rating": 2},
        }
    },
}


@dataclass(frozen=True)
class Scripted:
    """What the scripted server is to answer, and what must come of it."""

    script: tuple[Step, ...]
    kept: int
    notice: str = ""
    options: dict[str, Any] = field(default_factory=lambda: {"repairs": 0})


SCRIPTED = {
    "scripted-plain": Scripted((Reply(TEXT),), 3),
    "scripted-fence": Scripted((Reply(fenced(TEXT)),), 3),
    "scripted-thinking": Scripted((Reply(thinking(TEXT)),), 3),
    "scripted-not-streamed": Scripted((Reply(TEXT, stream=False),), 3),
    "scripted-no-schema": Scripted((refuses("response_format", Reply(TEXT)),) * 3, 3),
    "scripted-repair": Scripted((Reply(PROSE), Reply(TEXT)), 3, options={}),
    "scripted-cut-off": Scripted((Reply(TEXT[:300], finish_reason="length"), Reply(TEXT)), 3, "cut off", {}),
    "scripted-refusal": Scripted((Reply(refusal="I can't help with that."),), 0, "refused to answer"),
    "scripted-filter": Scripted((Reply(finish_reason="content_filter"),), 0, "content filter"),
    "scripted-key-refused": Scripted((unauthorized,), 0, r"HTTP 401"),
    "scripted-busy-then-well": Scripted((answer("<html>Busy</html>", 503, "text/html"), Reply(TEXT)), 3),
}


SMALL: dict[str, dict[str, Any]] = {
    "small-serious-cost": {"deal": 1},
    "small-aspect": {**ENGINE["engine-aspect"], "deal": 1},
}


@contextmanager
def _scripted(script: tuple[Step, ...]) -> Iterator[OpenAICompatible]:
    """The scripted server where this records, nobody where it plays."""
    if not is_recording():
        source = OpenAICompatible(Settings("tiny", NOBODY))
        yield source
        source.close()
        return
    with ScriptedServer(*script) as server:
        source = OpenAICompatible(Settings("tiny", server.base_url, KEY))
        yield source
        source.close()


@both_ways
@pytest.mark.parametrize("name", SCRIPTED)
def test_scripted(name: str, asking: Ask) -> None:
    """What the scripted server answered comes to what it came to."""
    scene = SCRIPTED[name]
    with _scripted(scene.script) as source, cassette(name):
        found = asking(source, **scene.options)
    assert (by(found, source), len(found.suggestions)) == (scene.kept, 3)
    assert re.search(scene.notice, " ".join(found.notices))


@pytest.mark.parametrize("name", ENGINE)
def test_engine(name: str, request: pytest.FixtureRequest) -> None:
    """What the engine answered is judged, and the rest comes from the deck."""
    base_url = request.getfixturevalue("engine") if is_recording() else NOBODY
    source = OpenAICompatible(Settings(MODEL, base_url))
    asked = {**CYNERE, **ENGINE[name]}
    with cassette(name):
        found = narrator.suggest(asked, source=source)
    source.close()
    assert len(found.suggestions) == sum(asked.get("per_slot", 3) for slot in found.resolution.slots() if slot.forms)
    assert found.usage.output_tokens > 0
    assert found.usage.calls == len(yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))) or is_recording()


@pytest.mark.parametrize("name", SMALL)
def test_small_model(name: str, request: pytest.FixtureRequest) -> None:
    """What a small model answered, one by one, has the slots, forms and recipients that it was asked for."""
    base_url = request.getfixturevalue("small_engine") if is_recording() else NOBODY
    source = OpenAICompatible(Settings(SMALL_MODEL, base_url, manner="one_by_one"))
    with cassette(name):
        found = narrator.suggest({**CYNERE, **SMALL[name]}, source=source, repairs=0, timeout=DEADLINE)
    source.close()
    assert (len(found.suggestions), found.usage.calls) == (3, 3)
    assert by(found, source) + len(found.rejected) == 3
    assert not {each.code for each in found.rejected} & MISSHAPEN


def test_an_unmatched_request_fails() -> None:
    """A request that was not recorded, such as one too many, has no answer, and the notice says by what it failed."""
    if is_recording():
        pytest.skip("nothing is played while this records")
    source = OpenAICompatible(Settings("tiny", NOBODY))
    with cassette("scripted-plain"):
        ask(source, repairs=0)
        found = ask(source, repairs=0)
    source.close()
    assert by(found, source) == 0
    assert f"openai:tiny: the source failed ({CannotOverwriteExistingCassetteException.__name__})." in found.notices


def test_an_unplayed_cassette_fails() -> None:
    """A recorded answer that nobody asks for is an error."""
    if is_recording():
        pytest.skip("nothing is played while this records")
    with pytest.raises(AssertionError, match="not all"), cassette("scripted-plain"):
        pass


def test_every_cassette_has_its_test() -> None:
    """No cassette lies about that nothing plays, and the page beside them names each."""
    names = {path.stem for path in FOLDER.glob("*.yaml")}
    assert names == {*SCRIPTED, *ENGINE, *SMALL}
    page = (FOLDER / "README.md").read_text("utf-8")
    assert all(f"`{name}`" in page for name in names)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_no_secrets(path: Path) -> None:
    """No key, no cookie, no header but the type, and no name of a machine, host or folder is in a cassette."""
    text = path.read_text("utf-8")
    hidden = (KEY, "Bearer", "cookie", "127.0.0.1", "localhost", "http://", "https://", socket.gethostname(), "/tmp/")
    assert not [word for word in (*hidden, os.path.expanduser("~")) if len(word) > 3 and word in text]
    assert all(set(each) <= {"asked", "status", "type", "events", "text"} for each in yaml.safe_load(text))
