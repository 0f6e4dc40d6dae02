"""A real engine writes cards, held to the schema by its grammar: nonsense, and an orderly end."""

from pathlib import Path

import pytest

from tests.deck_making.writer import NOTES
from tests.engine.running import MODEL
from tests.interfaces.running import run

pytestmark = pytest.mark.engine


def test_nonsense_breaks_nothing(engine: str, tmp_path: Path) -> None:
    """A deck that `deck check` finds nothing wrong with, or none and the reason; no journal is left."""
    deck = tmp_path / "deck.toml"
    asked = ("--model", MODEL, "--base-url", engine, "--yes", "--cards", "4", "--out", str(deck))
    ended = run("deck", "make", str(NOTES), *asked)
    assert ended.code in (0, 1)
    assert ("no card came of it" in ended.err) == (ended.code == 1)
    assert [each.name for each in tmp_path.iterdir()] == (["deck.toml"] if ended.code == 0 else [])
    assert ended.code == 1 or run("deck", "check", str(deck)).code == 0
