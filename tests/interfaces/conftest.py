"""What holds for every test of the surfaces."""

from pathlib import Path

import pytest

from tests.interfaces.running import ROOT


@pytest.fixture(autouse=True)
def _at_80_columns(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this machine counts: an empty config folder, 80 columns, and the repository for relative paths."""
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(ROOT)
