"""Moves that are made at once: one entry, which is taken back at once."""

from pathlib import Path

import pytest

import narrator
from narrator.campaign.campaign import Campaign

TORCH = {"type": "aspect", "name": "Torchlit Gate"}
CLOCK = {"type": "clock", "name": "The Relief Arrives", "boxes": 4}


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    return narrator.open_campaign(tmp_path / "harbour.narrator")


def test_several_moves_are_one_entry(campaign: Campaign) -> None:
    """Undo takes all of them back; each is told."""
    entry = campaign.move([TORCH, CLOCK, {"type": "clock", "name": "The Relief Arrives"}])

    assert entry.text == "Aspect: Torchlit Gate. Clock: The Relief Arrives. Clock: The Relief Arrives"
    assert [each.type for each in entry.changes] == ["aspect", "clock", "clock"]
    assert (campaign.revision, campaign.scene.clocks[0].ticked) == (entry.revision, 1) == (1, 1)

    campaign.undo()
    assert (campaign.scene.aspects, campaign.scene.clocks) == ((), ())


def test_where_one_cannot_be_made_none_is(campaign: Campaign) -> None:
    """The scene stays as it was."""
    with pytest.raises(narrator.NarratorError, match="Nobody"):
        campaign.move([TORCH, {"type": "leave", "who": "Nobody"}])
    with pytest.raises(narrator.NarratorError, match="at least one move"):
        campaign.move([])

    assert (campaign.scene.aspects, campaign.revision) == ((), 0)


def test_a_secret_among_them_is_told_to_the_gm_alone(campaign: Campaign) -> None:
    """As it is where it is made alone."""
    entry = campaign.move([TORCH, {**CLOCK, "secret": True}])

    assert "Relief" not in entry.text
