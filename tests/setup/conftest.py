"""A machine on which nobody serves a model but whom a test starts, with folders and perhaps a key of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from narrator.setup import loopback
from tests.leaping import DEADLINE
from tests.setup.asking import KEY
from tests.sources.asking import close_all
from tests.sources.conftest import engine as engine


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of config and campaigns. No usual port is looked at: somebody may have it."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    monkeypatch.setenv("NARRATOR_DATA", str(tmp_path))
    for name in ("HTTP_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setattr(loopback, "USUAL", tuple(each._replace(port=9) for each in loopback.USUAL))
    monkeypatch.setattr(loopback, "SECONDS", DEADLINE / 2)
    return tmp_path


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> str:
    """A key for OpenAI, which is for nobody here."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return KEY


@pytest.fixture(autouse=True)
def _at_200_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")


@pytest.fixture(autouse=True)
def _sources_are_closed() -> Iterator[None]:
    yield
    close_all()
