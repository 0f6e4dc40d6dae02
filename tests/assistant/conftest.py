"""A campaign at the south gate, new for each test."""

from pathlib import Path

import pytest

import narrator
from narrator import Campaign
from tests.assistant.chatting import SCENE


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """The campaign."""
    return narrator.open_campaign(tmp_path / "gate.narrator", scene={**SCENE, "lines": ["spiders"]})
