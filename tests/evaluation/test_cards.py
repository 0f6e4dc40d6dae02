"""Cards side by side: the deck's own, those of a campaign, those of a scene, and words without a roll."""

import json
from pathlib import Path

from narrator import Scene
from narrator.deck.deck_file import OwnCard
from narrator.deck_maker.maker import card_line
from tests.interfaces.running import ROOT, run
from tests.staging.writer import SCENE, SNEAK

CARD = {
    "form": "new_opposition",
    "name": "Clerk With the Gate Book",
    "detail": "A clerk opens the gate book, and waits.",
}


def test_cards_are_held_beside_each_other(tmp_path: Path) -> None:
    """In one run: of each only its own count, and what the deck put in for it is the deck's."""
    stage = Scene.read(SCENE).stage_id("five-actions")
    request = {"scene": SCENE | {"stage": stage}, "action": SNEAK, "deal": 0, "seed": 1}
    word = {"scene": SCENE, "kind": "trouble", "deal": 1}
    (tmp_path / "rolls.jsonl").write_text(f"{json.dumps(request)}\n{json.dumps(word)}\n")
    ours = CARD | {"name": "A Word from Home"}
    (tmp_path / "ours.toml").write_text(f"cards = [{card_line(OwnCard.model_validate(ours))}]")
    (tmp_path / "stages.jsonl").write_text(json.dumps({"id": stage, "cards": [CARD]}) + "\n")
    names = ("deck", f"deck:{tmp_path}/ours.toml", f"stage:{tmp_path}/stages.jsonl")
    models = [part for name in names for part in ("--model", name)]
    ended = run("eval", str(tmp_path / "rolls.jsonl"), *models, "--out", str(tmp_path / "j.jsonl"), "--json")
    assert ended.code == 0, ended.err
    found = {each["source"]: each for each in ended.json["columns"]}
    assert [found[name]["wanted"] for name in names] == [6, 6, 6]
    assert [(found[name]["at_first"], found[name]["from_deck"]) for name in names] == [(0, 6), (1, 5), (1, 5)]


def test_what_is_no_stage_is_told_by_its_line(tmp_path: Path) -> None:
    """With the file and the line, and what is missing there."""
    (tmp_path / "stages.jsonl").write_text('{"cards": []}\n')
    asked = ("eval", str(ROOT / "examples" / "cynere.json"), "--model", f"stage:{tmp_path}/stages.jsonl")
    ended = run(*asked, "--out", str(tmp_path / "j.jsonl"))
    assert ended.code == 1
    assert "stages.jsonl:1: id: this is required" in ended.err
