"""What players see: every field of what a campaign shows is in one of two lists."""

import json
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.campaign.players import SEEN
from narrator.campaign.records import Page
from narrator.rules.model import Model
from narrator.rules.request.action import Request
from narrator.rules.request.scene import Character, Scene
from narrator.suggestions.pipeline.answer import Answer

HIDDEN: dict[type[Model], set[str]] = {
    Scene: {"facts", "recent", "dealt", "struck", "away", "gm_fate_points", "gm_carried", "stage"},
    Character: {"importance", "skills", "aspects", "fate_points", "refresh", "fate_points_owed", "weight", "bad_at"}
    | {"roar", "legend_points", "lethal_next_attack", "forfeits_next_contest_roll", "disarmed"},
    Request: {"scene", "deal", "seed"},
    Answer: {"rejected", "deal", "dealt"},
    Page: {"over"},
}
"""What players do not see; of characters, of those who are not players'."""


@pytest.mark.parametrize("model", SEEN, ids=lambda model: model.__name__)
def test_of_every_field_it_is_said_whether_players_see_it(model: type[Model]) -> None:
    """A field that is new is in neither list, until somebody has thought of who may see it."""
    seen, hidden = set(SEEN[model]), HIDDEN[model]

    assert not seen & hidden
    assert seen | hidden == set(model.model_fields), (
        "put it into SEEN in narrator/campaign/players.py, or in HIDDEN here"
    )


def test_players_read_nothing_of_who_is_away_nor_of_a_secret_clock(tmp_path: Path) -> None:
    """Whatever is changed of them, done or taken back: neither in entries, nor in what they say."""
    spy = {"name": "Joost the Traitor", "side": "court", "importance": "named", "stress": {}}
    ann = {"name": "Ann", "side": "pc", "importance": "pc"}
    clock = {"name": "The Vault Floods", "boxes": 4, "secret": True}
    campaign = narrator.open_campaign(tmp_path / "table.narrator", scene={"characters": [ann], "away": [spy]})
    moves: list[dict[str, Any]] = [
        {"type": "change", "set": {"clocks": [clock]}},
        {"type": "change", "who": "Joost the Traitor", "set": {"name": "Joost the King"}},
        {"type": "change", "who": "Joost the King", "set": {"called": "Joost", "skills": {"Will": 5}}},
        {"type": "milestone", "level": "minor", "who": ["Ann", "Joost the King"]},
        {"type": "end_scene"},
    ]
    for move in moves:
        campaign.move(move)
        campaign.undo()
        campaign.redo()

    told = json.dumps([campaign.seen_by("players"), campaign.seen_entries("players")])
    assert not [each for each in ("Joost", "Vault") if each in told]
    assert "Joost" in json.dumps(campaign.seen_by("gm"))
