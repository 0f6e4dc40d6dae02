"""What players see: every field of what a campaign shows is in one of two lists."""

import pytest

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
