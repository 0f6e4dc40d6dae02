"""What holds for every test of the surfaces."""

import pytest

from tests.interfaces.running import ROOT


@pytest.fixture(autouse=True)
def _at_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """80 columns, and the repository for relative paths."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(ROOT)
