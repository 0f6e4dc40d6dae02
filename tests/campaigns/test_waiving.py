"""What the GM lets go, a page of which nothing is taken or a roll thrown a second time; and whose dice they were."""

from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import Campaign, NarratorError
from narrator.rules.json_text import Json
from tests.interfaces.running import made, page as shown

ROLL: Json = {"type": "overcome", "actor": "Cynere", "opposition": {"kind": "passive", "rating": 20}}
FAILED = {"branch": "fail"}


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """A campaign with nobody in it."""
    return narrator.open_campaign(tmp_path / "gate.narrator")


def rolled(campaign: Campaign, action: Json = ROLL, **options: Any) -> str:
    """The id of a page."""
    return campaign.suggest(action, source="deck", **options).id


def test_a_page_that_is_waived_is_closed_and_changes_nothing(campaign: Campaign) -> None:
    """The log says that it was the GM's word; undone, it is open again, and done again it is not."""
    before, page = campaign.scene, rolled(campaign)

    entry = campaign.waive(page)

    assert (entry.kind, entry.page, entry.changes) == ("settled", page, ())
    assert entry.text.endswith("Nothing is taken of it: the GM says so.")
    assert not campaign.pages
    assert campaign.scene.model_copy(update={"revision": 0, "dealt": before.dealt}) == before
    campaign.undo()
    assert [each.id for each in campaign.pages] == [page]
    campaign.redo()
    assert not campaign.pages
    with pytest.raises(NarratorError, match="page_closed"):
        campaign.waive(page)


def test_a_second_throw_is_written_down(campaign: Campaign) -> None:
    """Of a page that is open or settled, and of none that was struck out."""
    page = rolled(campaign)
    campaign.allow_again(page)
    campaign.settle(page, FAILED)

    entry = campaign.allow_again(page)

    assert (entry.kind, entry.page) == ("again", None)
    assert entry.text.endswith("It is thrown again: the GM says so.")
    assert campaign.page(page).state == "settled"
    campaign.undo()
    assert campaign.page(page).state == "settled", "what is taken back is the word alone"
    other = rolled(campaign)
    campaign.strike(other)
    with pytest.raises(NarratorError, match="page_closed"):
        campaign.allow_again(other)
    with pytest.raises(NarratorError, match="unknown_page"):
        campaign.allow_again("p99")


@pytest.mark.parametrize(
    ("more", "dice"),
    [
        ({}, "thrown"),
        ({"roll": {"dice": [0, 0, 0, 0]}}, "told"),
        ({"outcome": "fail"}, "told"),
        ({"opposition": {"kind": "active", "by": "A Guard", "roll": {"sum": 4}}}, "told"),
        ({"opposition": {"kind": "active", "by": "A Guard"}}, "thrown"),
    ],
)
def test_page_and_entry_say_whose_dice_they_were(campaign: Campaign, more: Json, dice: str) -> None:
    """Told are those of either side, and the outcome itself."""
    page = rolled(campaign, {**ROLL, **more})
    assert campaign.page(page).dice == dice
    assert campaign.waive(page).dice == dice
    assert campaign.entries()[-1].dice == dice


def test_none_is_typed_in_place_of_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`narrator settle none`."""
    monkeypatch.setenv("NARRATOR_DATA", str(tmp_path))
    made("use", "gate", "--new")
    rolled(narrator.open_campaign(name="gate"))

    assert "Nothing is taken of it" in shown("settle", "none")
    assert not narrator.open_campaign(name="gate").pages
