"""A real engine writes cards, held to the schema by its grammar: nonsense, and an orderly end."""

from pathlib import Path

import pytest

import narrator
from narrator import Scene
from tests.deck_making.writer import NOTES
from tests.engine.running import MODEL
from tests.interfaces.running import run
from tests.staging.writer import SCENE, SNEAK

pytestmark = pytest.mark.engine


def test_nonsense_breaks_nothing(engine: str, tmp_path: Path) -> None:
    """A deck that `deck check` finds nothing wrong with, or none and the reason; no journal is left."""
    deck = tmp_path / "deck.toml"
    asked = ("--model", MODEL, "--base-url", engine, "--yes", "--cards", "4", "--out", str(deck))
    ended = run("deck", "make", str(NOTES), *asked)
    assert ended.code in (0, 1)
    assert ("no card was accepted" in ended.err) == (ended.code == 1)
    assert [each.name for each in tmp_path.iterdir()] == (["deck.toml"] if ended.code == 0 else [])
    assert ended.code == 1 or run("deck", "check", str(deck)).code == 0


def test_a_scene_is_staged_or_is_not(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards that are dealt in it, or none and the reason; and a roll has its words either way."""
    scene = SCENE | {"stage": Scene.read(SCENE).stage_id("five-actions")}
    monkeypatch.setenv("NARRATOR_MODEL", MODEL)
    monkeypatch.setenv("NARRATOR_BASE_URL", engine)
    told = narrator.vtt.run({"call": "stage", "request": {"scene": SCENE, "cards": 3}, "timeout": 60})
    assert told.get("id") == scene["stage"] or told["error"]["code"] == "no_words"
    staged = None if "error" in told else told
    answer = narrator.suggest({"scene": scene, "action": SNEAK}, staged=staged, source="deck")
    assert len(answer.suggestions) == 3
