"""Staged cards in a campaign: kept beside the scene, through kills, undo and strikes, and dealt first there."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator import Campaign, open_campaign
from narrator.rules.ruleset.card import Card
from tests.campaigns.test_versions import FIRST
from tests.interfaces.running import run
from tests.leaping import DEADLINE
from tests.scripted_server import ScriptedServer, Step
from tests.staging.writer import SCENE, SNEAK, slowly, writes

ELSEWHERE = {"type": "scene", "summary": "The salt caravan's yard, an hour later."}


@pytest.fixture
def table(tmp_path: Path) -> Campaign:
    """A campaign at the gate."""
    return open_campaign(tmp_path / "gate.narrator", scene=SCENE)


def stage(campaign: Campaign, *steps: Step, cards: int = 30) -> narrator.Staged:
    """Have cards written for its scene."""
    with ScriptedServer(*(steps or (writes,))) as server:
        return campaign.stage(cards, source=narrator.openai_model("tiny", base_url=server.base_url))


def test_staging_is_no_entry_and_no_revision(table: Campaign) -> None:
    """The scene is what it was, but for the id of its cards."""
    before = table.scene, table.last, table.revision
    made = stage(table)
    assert (table.scene.model_copy(update={"stage": None}), table.last, table.revision) == before
    assert table.scene.stage == made.id
    assert "stage" not in table.seen_by("players")["scene"]


def test_its_rolls_have_them_first_and_none_twice(table: Campaign) -> None:
    """Nothing need be handed on, whoever opens it; what was on a page is not dealt again."""
    stage(table)
    seen: list[str | None] = []
    for _ in range(3):
        page = open_campaign(table._database.path).suggest(SNEAK, source="deck")
        assert {each.source for each in page.answer.suggestions} == {"stage"}
        seen += [each.card for each in page.answer.suggestions]
    assert len(set(seen)) == 9


def test_another_scene_has_its_own_and_undo_brings_them_back(table: Campaign) -> None:
    """After `scene` there are none; taken back, and in the same place again, those of before are there."""
    made = stage(table)
    table.move(ELSEWHERE)
    assert (table.scene.stage, table.staged) == (None, None)
    assert "stage" not in {each.source for each in table.suggest(SNEAK, source="deck").answer.suggestions}
    other = stage(table, cards=3)
    assert other.id != made.id
    table.undo()
    assert table.scene.stage == made.id
    table.redo()
    assert table.scene.stage == other.id


def test_a_page_is_settled_though_cards_came_meanwhile(table: Campaign) -> None:
    """Cards change nothing of a roll that was made before them."""
    page = table.suggest(SNEAK, source="deck")
    stage(table, cards=3)
    assert table.settle(page.id, {"branch": "fail"}).revision == 1


def test_struck_words_are_in_no_card_any_more(table: Campaign) -> None:
    """A card that was on a struck page is gone from the file, and so is one with a struck name in it."""
    stage(table)
    page = table.suggest(SNEAK, source="deck")
    cards = {each.card for each in page.answer.suggestions}
    table.strike(page.id)
    assert table.staged is not None
    assert not cards & {f"s-{Card.read(each).id}" for each in table.staged["cards"]}
    assert len(table.staged["cards"]) == 27
    told = json.dumps(list(table.export()), ensure_ascii=False)
    for each in page.answer.suggestions:
        assert each.detail not in told


def test_an_export_takes_them_along(table: Campaign, tmp_path: Path) -> None:
    """Made of its lines anew, the campaign has the same cards."""
    stage(table)
    again = narrator.import_campaign(list(table.export()), tmp_path / "again.narrator")
    assert (again.staged, again.scene.stage) == (table.staged, table.scene.stage)


def test_an_older_campaign_has_room_for_them(tmp_path: Path) -> None:
    """A file of the first version is staged like any other."""
    old = open_campaign(shutil.copy(FIRST, tmp_path / "first.narrator"))
    assert stage(old, cards=3).id == old.scene.stage


@pytest.mark.parametrize("where", ["a campaign", "a file"])
def test_killed_half_way_it_goes_on_and_pays_nothing_twice(where: str, tmp_path: Path) -> None:
    """What was there when the process was killed is there after it, and only the rest is asked for."""
    place = tmp_path / "gate.narrator"
    open_campaign(place, scene=SCENE)
    scene = tmp_path / "gate.json"
    scene.write_text(json.dumps(SCENE))
    what = str(place if where == "a campaign" else scene)

    def there() -> list[Any]:
        if where == "a campaign":
            return list((open_campaign(place).staged or {"cards": []})["cards"])
        out = tmp_path / "gate.staged.json"
        return list(json.loads(out.read_text())["cards"]) if out.exists() else []

    with ScriptedServer(slowly(0.15), writes) as server:
        words = ("stage", what, "--model", "tiny", "--base-url", server.base_url)
        process = subprocess.Popen([sys.executable, "-m", "narrator", *words], stderr=subprocess.DEVNULL)
        until = time.monotonic() + DEADLINE
        while len(there()) < 3 and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept = there()
        assert 3 <= len(kept) < 30
        ended = run(*words)
        assert (ended.code, ended.err) == (0, ended.err)
        wanted = json.loads(server.requests[-1].body["messages"][-1]["content"])["wanted"]
    assert sum(each["how_many"] for each in wanted) == 30 - len(kept)
    assert there()[: len(kept)] == kept


def test_a_scene_that_begins_is_staged_where_that_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `--stage`, or `stage = true` in config.toml; else nobody is asked."""
    monkeypatch.setenv("NARRATOR_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("NARRATOR_CONFIG", str(tmp_path))
    (tmp_path / "scene.json").write_text(json.dumps(SCENE))
    with ScriptedServer(writes, writes, writes) as server:
        monkeypatch.setenv("NARRATOR_MODEL", "tiny")
        monkeypatch.setenv("NARRATOR_BASE_URL", server.base_url)
        assert run("use", "gate", "--scene", str(tmp_path / "scene.json")).code == 0
        assert server.requests == []
        assert run("use", "other", "--scene", str(tmp_path / "scene.json"), "--stage").code == 0
        assert len(server.requests) == 1
        assert "30 cards for this scene" in run("move", "scene", "--summary", "The yard.", "--stage").err
        (tmp_path / "config.toml").write_text("stage = true\n")
        assert "THIRTY" not in run("move", "scene", "--summary", "The hall.").out
        assert len(server.requests) == 3
        assert run("move", "pay", "--who", "Cynere", "--points", "1").code == 0
        assert len(server.requests) == 3
