"""Files of other versions: a file of the first is read by every later one, and a later one is left alone."""

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Connection

from narrator import open_campaign
from narrator.campaign import tables

FIRST = Path(__file__).with_name("first.narrator")
"""A campaign as the first version wrote it: a choice, a move that was taken back, a note, a page that is open."""


def test_a_campaign_of_the_first_version_is_read(tmp_path: Path) -> None:
    """Its scene, entries and pages are there, and it goes on."""
    campaign = open_campaign(shutil.copy(FIRST, tmp_path / "first.narrator"))

    assert [each.kind for each in campaign.entries()] == ["begun", "settled", "moved", "undone", "noted"]
    assert campaign.scene.summary == "Night at the south gate."
    assert [each.id for each in campaign.pages] == ["p2"]
    assert campaign.settle("p2", {"branch": "fail"}).seq == 6
    assert campaign.undo().revision == 6


def test_an_older_campaign_becomes_one_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step is taken once, in order, when it is opened; with a step that fails it stays as it was."""
    file = Path(shutil.copy(FIRST, tmp_path / "first.narrator"))
    taken: list[str] = []

    def broken(_: Connection) -> None:
        raise OSError("no room")

    def step(name: str) -> None:
        taken.append(name)

    before = file.read_bytes()
    ours = tables.MIGRATIONS
    monkeypatch.setattr(tables, "MIGRATIONS", (*ours, lambda _: step("second"), broken))
    with pytest.raises(OSError, match="no room"):
        open_campaign(file)
    assert file.read_bytes() == before

    monkeypatch.setattr(tables, "MIGRATIONS", (*ours, lambda _: step("second"), lambda _: step("third")))
    assert open_campaign(file).note("It goes on.").seq == 6
    assert open_campaign(file).last == 6
    assert taken == ["second", "second", "third"]
