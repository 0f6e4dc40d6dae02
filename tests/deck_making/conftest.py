"""What holds for every test of decks that are made."""

from pathlib import Path

import pytest

from tests.deck_making.writer import NOTES


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The example's notes, in a folder of their own."""
    file = tmp_path / "notes.md"
    file.write_text(NOTES.read_text("utf-8"), "utf-8")
    return file
