"""Plays what real servers have answered."""

import os
import re
import socket
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from vcr.errors import CannotOverwriteExistingCassetteException  # type: ignore[import-untyped]

import narrator
from narrator.sources.settings import Settings
from tests.asking import CYNERE
from tests.cassettes import FOLDER, NOBODY, cassette, is_recording
from tests.engine.running import MODEL, SMALL_MODEL
from tests.leaping import DEADLINE
from tests.sources.asking import MISSHAPEN, by, opened

ASPECT: dict[str, Any] = {"type": "create_advantage", "actor": "Cynere", "roll": {"total": 4}}
ASPECT |= {"intent": "find out who commands the gate", "opposition": {"kind": "passive", "rating": 2}}
ENGINE: dict[str, dict[str, Any]] = {
    "engine-serious-cost": {},
    "engine-one-each": {"per_slot": 1},
    "engine-aspect": {"action": ASPECT},
}
SMALL: dict[str, dict[str, Any]] = {"small-serious-cost": {"deal": 1}, "small-aspect": {"action": ASPECT, "deal": 1}}


@pytest.mark.parametrize("name", ENGINE)
def test_engine(name: str, request: pytest.FixtureRequest) -> None:
    """What the engine answered is judged, and the rest comes from the deck."""
    base_url = request.getfixturevalue("engine") if is_recording() else NOBODY
    source = opened("openai", Settings(MODEL, base_url))
    asked = {**CYNERE, **ENGINE[name]}
    with cassette(name):
        found = narrator.suggest(asked, source=source)
    assert len(found.suggestions) == sum(asked.get("per_slot", 3) for slot in found.resolution.slots() if slot.forms)
    assert found.usage.output_tokens > 0
    assert found.usage.calls == len(yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))) or is_recording()


@pytest.mark.parametrize("name", SMALL)
def test_small_model(name: str, request: pytest.FixtureRequest) -> None:
    """What a small model answered, one by one, has the slots, forms and recipients that it was asked for."""
    base_url = request.getfixturevalue("small_engine") if is_recording() else NOBODY
    source = opened("openai", Settings(SMALL_MODEL, base_url, manner="one_by_one"))
    with cassette(name):
        found = narrator.suggest({**CYNERE, **SMALL[name]}, source=source, repairs=0, timeout=DEADLINE)
    assert (len(found.suggestions), found.usage.calls) == (3, 3)
    assert by(found, source) + len(found.rejected) == 3
    assert not {each.code for each in found.rejected} & MISSHAPEN


@pytest.mark.skipif(is_recording(), reason="nothing is played while this records")
def test_an_unmatched_request_fails() -> None:
    """A request that was not recorded, such as one too many, has no answer, and the notice says by what it failed."""
    source = opened("openai", Settings(MODEL, NOBODY))
    with cassette("engine-one-each"):
        _, found = (narrator.suggest(CYNERE | ENGINE["engine-one-each"], source=source) for _ in range(2))
    assert by(found, source) == 0
    notice = f"{source.label}: the source failed ({CannotOverwriteExistingCassetteException.__name__})."
    assert notice in found.notices


@pytest.mark.skipif(is_recording(), reason="nothing is played while this records")
def test_an_unplayed_cassette_fails() -> None:
    """A recorded answer that nobody asks for is an error."""
    with pytest.raises(AssertionError, match="not all"), cassette("engine-one-each"):
        pass


def test_every_cassette_has_its_test() -> None:
    """No cassette lies about that nothing plays, and the page beside them names each."""
    names = {path.stem for path in FOLDER.glob("*.yaml")}
    untold = names - set(re.findall(r"`([\w-]+)`", (FOLDER / "README.md").read_text("utf-8")))
    assert names == {*ENGINE, *SMALL}, "record what is missing by `make record`; delete what no test here plays"
    assert not untold, f"say in cassettes/README.md who answered {untold}"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_no_secrets(path: Path) -> None:
    """No key, no cookie, no header but the type, and no name of a machine, host or folder is in a cassette."""
    text = path.read_text("utf-8")
    hidden = ("sk-", "Bearer", "cookie", "127.0.0.1", "localhost", "http://", "https://", socket.gethostname(), "/tmp/")
    assert not [word for word in (*hidden, os.path.expanduser("~")) if len(word) > 3 and word in text]
    assert all(set(each) <= {"asked", "status", "type", "events", "text"} for each in yaml.safe_load(text))
