"""Evenings of random turns: in none is anything lost, and the accountant who says so would notice."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.documents import DEEDS
from tests.rolls_of_an_evening import evening
from tests.rules.accounting import Turn, wrong
from tests.rules.build import ask, resolved
from tests.rules.test_apply_properties import Chosen
from tests.strategies import Path as Place, changed


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(3, 10))])
@pytest.mark.parametrize("ruleset", DEEDS)
def test_nothing_is_lost_and_nothing_comes_from_nowhere(ruleset: str, seed: int) -> None:
    """What a scene holds after a turn is what it held before, less what was spent, and what was granted."""
    turns = [turn for turn in evening(seed, 10 if seed < 3 else 30, ruleset) if turn.settled is not None]

    assert len(turns) > 8, "nearly all that is tried is valid"
    for turn in turns:
        trouble = wrong(turn)
        assert not trouble, (
            f"{trouble} by {json.dumps(turn.request)} and {json.dumps(turn.chosen and turn.chosen.choice)}"
        )


def test_an_evening_is_played_again_by_its_seed() -> None:
    """To the last word, in another process: what is found wrong can be looked at."""
    played = "print([turn.request for turn in evening(1, 12, 'coppermane')])"
    program = f"from tests.rolls_of_an_evening import evening; {played}"

    def requests(hash_seed: str) -> str:
        hashed, root = {**os.environ, "PYTHONHASHSEED": hash_seed}, Path(__file__).parent.parent
        command = [sys.executable, "-c", program]
        return subprocess.run(command, env=hashed, cwd=root, capture_output=True, encoding="utf-8", check=True).stdout

    assert requests("1") == requests("2")


ANN: Json = {"name": "Ann", "side": "pc", "importance": "pc", "fate_points": 2}
ANN |= {"stress": {"physical": {"boxes": [1, 2]}}, "consequences": [{"severity": "mild", "name": "Torn Belt"}]}
SCENE: Json = {
    "aspects": [
        {"name": "Rusty Rope", "boost": False, "free_invocations": {"Ann": 2}},
        {"name": "Wide Open", "boost": True, "free_invocations": {"Ann": 1}},
    ],
    "characters": [ANN],
}


@pytest.mark.parametrize(
    ("place", "value", "trouble"),
    [
        (
            ("aspects", 0, "free_invocations", "Ann"),
            0,
            {"lost": [("free invocations", "Rusty Rope", "Ann")], "changes": "aspects"},
        ),
        (("aspects", 1), None, {"lost": [("boosts", "Wide Open", "Ann")], "changes": "aspects"}),
        (
            ("characters", 0, "consequences", 0, "name"),
            None,
            {"lost": [("consequences", "Ann", "mild", "Torn Belt")], "changes": "characters"},
        ),
        (("characters", 0, "fate_points"), 3, {"from nowhere": [("fate points", "Ann")], "changes": "characters"}),
        (
            ("characters", 0, "stress", "physical", "marked"),
            [1],
            {"from nowhere": [("stress boxes", "Ann", "physical", "1")], "changes": "characters"},
        ),
        (("characters", 0, "fate_points"), 2, {}),
    ],
    ids=["an invocation used", "a boost used", "healed", "compelled", "hit", "nothing"],
)
def test_the_accountant_notices_what_was_done_by_hand(place: Place, value: object, trouble: Json) -> None:
    """A scene that somebody changed is not what the turn led to, and its changes do not tell it."""

    def change(holder: Any, key: str | int) -> None:
        if value is None:
            del holder[key]
        else:
            holder[key] = value

    paying = [{"aspect": "Rusty Rope", "pay": "free"}]
    request = ask(SCENE, request={"ruleset": "fate-core"}, roll={"total": -1}, target=None, invocations=paying)
    [branch] = resolved(request)["branches"]
    settled = narrator.settle(request, {"branch": branch["id"]}).as_json()
    chosen = Chosen(branch, [], {"branch": branch["id"], "suggestions": []})

    assert wrong(Turn(request, chosen, settled | {"scene": changed(settled["scene"], place, change)})) == trouble
