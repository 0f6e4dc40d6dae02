"""The X-card: words go wherever they stand, and nothing else does."""

import json
import re
from pathlib import Path

import pytest

from narrator import Campaign, import_campaign, open_campaign
from narrator.rules.json_text import Json
from tests.campaigns.playing import BLOW, BRIBE, SCENE


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """A campaign with a small scene."""
    return open_campaign(tmp_path / "ours.narrator", scene=SCENE | {"lines": ["spiders"], "veils": ["Spiders in beds"]})


def is_whole(campaign: Campaign, folder: Path) -> None:
    """See that all of it can be read, taken back and done again, settled and taken elsewhere."""
    assert campaign.entries(limit=1_000)
    for page in campaign.pages:
        campaign.settle(page.id, {"branch": "fail"})
    campaign.undo()
    campaign.redo()
    other = folder / "other.narrator"
    assert [*import_campaign(campaign.export(), other).export()] == [*campaign.export()]
    other.unlink()


def words_of_the_json(campaign: Campaign) -> list[str]:
    """Every field and every plain value that stands in what a campaign keeps."""
    lines = "".join(campaign.export())
    return sorted(
        {*re.findall(r'"(\w+)"', lines)} | {"GM", "*", "p1", "true", "5", "Fight", "Will", "mild", "physical"}
    )


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.full) for part in range(1, 8))])
def test_a_word_of_the_rules_may_be_struck_and_stays(campaign: Campaign, tmp_path: Path, part: int) -> None:
    """An aspect or a note that is called as a field is, or as somebody is, breaks nothing that is kept."""
    campaign.suggest(BRIBE, source="deck", seed=1)
    campaign.move({"type": "hit", "who": "Zird", "shifts": 2, "absorb": {"stress": 2}})
    people = [each.skills for each in campaign.scene.characters]
    for word in words_of_the_json(campaign)[part::8]:
        noted = campaign.note(word)
        aspect = campaign.move({"type": "aspect", "name": word, "free_invocations": {"Zird": 1}})
        campaign.strike(noted.seq)
        campaign.strike(aspect.seq)
        assert campaign.scene.characters, word
        assert [each.skills for each in campaign.scene.characters] == people, word
        assert campaign.pages, word
    is_whole(campaign, tmp_path)


def test_lines_and_veils_stay(campaign: Campaign) -> None:
    """The table's own rule of safety is no word that is struck."""
    campaign.note("spiders")
    campaign.strike()

    assert (campaign.scene.lines, campaign.scene.veils) == (("spiders",), ("Spiders in beds",))


SAID = ["The spider, with *eight* legs", "the SPIDER\nwith eight legs.", "The spider\u00a0with “eight” legs!"]


@pytest.mark.parametrize("said", SAID)
def test_words_go_however_they_are_put(campaign: Campaign, said: str) -> None:
    """Case, blanks, line breaks and signs between the words make no other words of them."""
    campaign.move({"type": "change", "set": {"summary": f"We saw it: {said}"}})
    campaign.note("The spider with eight legs")
    campaign.strike()

    assert "eight" not in json.dumps([*campaign.export()])


def test_somebody_who_is_struck_goes_by_another_name(campaign: Campaign, tmp_path: Path) -> None:
    """In all that speaks of them, by whatever part of the name; who they fought still fought somebody."""
    entered = campaign.move({"type": "enter", "character": {"name": "Captain Ilse Spider", "side": "watch"}})
    campaign.move({"type": "aspect", "name": "Net", "free_invocations": {"Captain Ilse Spider": 1}})
    campaign.suggest(BLOW | {"target": "Captain Ilse Spider", "opposition": {"by": "Captain Ilse Spider"}} | HIT)
    campaign.strike(entered.seq)

    assert "Spider" not in json.dumps([*campaign.export()]).replace("Spiders in beds", "")
    assert campaign.scene.characters[-1].name == f"Struck {entered.seq}"
    assert dict(campaign.scene.aspects[-1].free_invocations) == {f"Struck {entered.seq}": 1}
    assert campaign.pages[0].request.action.target == f"Struck {entered.seq}"


HIT: Json = {"outcome": "succeed", "shifts": 2, "roll": None}


def test_what_is_struck_is_not_said_again(campaign: Campaign) -> None:
    """Its cards are not dealt, its words are refused from anybody, and no message repeats them."""
    page = campaign.suggest(BRIBE, source="deck", deal=1)
    cost = next(each for each in page.answer.suggestions if each.name)
    campaign.strike()
    for deal in range(6):
        campaign.suggest(BRIBE, source="deck", deal=deal)
    said = json.dumps([*campaign.export()])
    again = campaign.suggest(BRIBE, source="deck", deal=1)
    own = {"slot": cost.slot, "form": cost.form, "to": cost.to, "name": cost.name, "detail": "Something else happens."}

    assert not {each.card for each in page.answer.suggestions} & {each.card for each in again.answer.suggestions}
    assert str(cost.name) not in said
    with pytest.raises(ValueError, match="struck out at this table") as refused:
        campaign.settle(again.id, {"branch": "serious_cost", "suggestions": [own]})
    assert str(cost.name) not in str(refused.value)


def test_one_after_another_what_was_last_is_struck(campaign: Campaign) -> None:
    """First the pages that are open, the newest first; then what was written; then there is nothing more."""
    campaign.note("Rain.")
    campaign.suggest(BRIBE, source="deck")
    campaign.suggest(BRIBE, source="deck")

    assert [campaign.strike().page for _ in range(3)] == ["p2", "p1", None]
    assert "Rain" not in json.dumps([*campaign.export()])
    with pytest.raises(ValueError, match="nothing to strike out yet"):
        campaign.strike()


def test_what_was_said_last_is_struck_though_it_was_taken_back(campaign: Campaign) -> None:
    """The X-card reaches for what somebody just heard, and not for what was before."""
    campaign.note("It was a fine day.")
    campaign.note("Spiders everywhere.")
    campaign.undo()
    struck = campaign.strike()

    assert struck.of == 3
    assert "Spiders everywhere" not in json.dumps([*campaign.export()])
    assert "It was a fine day." in json.dumps([*campaign.export()])


def test_what_is_struck_is_undone_on_sheets_too(campaign: Campaign) -> None:
    """The numbers and boxes that an entry changed are told the other way round, without its words."""
    absorb = {"stress": 2, "consequences": [{"severity": "mild", "name": "Spider Bite"}]}
    campaign.move({"type": "hit", "who": "Cynere", "shifts": 4, "absorb": absorb})
    struck = campaign.strike()
    stress = next(each for each in struck.changes if each.type in ("stress", "cleared"))

    assert (stress.who, stress.before["marked"], stress.after["marked"]) == ("Cynere", [2], [])
    assert "Spider Bite" not in struck.model_dump_json()


def test_a_page_is_made_again_in_the_scene_of_now(campaign: Campaign) -> None:
    """What has become stale keeps its id and its dice, and can be settled."""
    page = campaign.suggest(BLOW, source="deck")
    campaign.move({"type": "hit", "who": "Cynere", "shifts": 2, "absorb": {"stress": 2}})
    way = {"branch": "hit", "absorb": {"consequences": [{"severity": "mild", "name": "Split Lip"}]}}
    with pytest.raises(ValueError, match="stale_scene"):
        campaign.settle(page.id, way)
    again = campaign.again(page.id, source="deck")

    assert again.id == page.id
    assert again.answer.resolution.roll == page.answer.resolution.roll
    assert campaign.settle(page.id, way).page == page.id


def test_a_page_in_the_place_of_another_ends_redo(campaign: Campaign) -> None:
    """What is done again is what its page shows."""
    page = campaign.suggest(BRIBE, source="deck")
    campaign.settle(page.id, {"branch": "fail"})
    campaign.undo()
    campaign.suggest(BRIBE | {"outcome": "succeed"}, source="deck", page=page.id)

    with pytest.raises(ValueError, match="nothing_to_undo"):
        campaign.redo()


def test_an_export_that_is_half_read_holds_nobody_up(campaign: Campaign) -> None:
    """Whoever takes a campaign elsewhere line by line keeps no lock on it."""
    lines = campaign.export()
    next(lines)

    assert campaign.note("Meanwhile.").seq == 2
    assert len([*lines]) == 1
