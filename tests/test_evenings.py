"""Evenings of random turns: in none is anything lost, and the accountant who says so would notice."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import narrator
from tests.documents import DEEDS
from tests.evenings import evening
from tests.rules.accounting import Turn, wrong
from tests.rules.build import Json, ask, resolved
from tests.rules.test_apply_properties import Chosen

ROOT = Path(__file__).parent.parent


def played(seed: int, turns: int, ruleset: str) -> Iterator[Turn]:
    """The turns of an evening whose request was valid."""
    return (turn for turn in evening(seed, turns, ruleset) if turn.settled is not None)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("ruleset", DEEDS)
def test_nothing_is_lost_and_nothing_comes_from_nowhere(ruleset: str, seed: int) -> None:
    """What a scene holds after a turn is what it held before, less what was spent, and what was granted."""
    turns = [*played(seed, 10, ruleset)]

    assert len(turns) > 8, "nearly all that is tried is valid"
    assert [trouble for trouble in map(wrong, turns) if trouble] == []


def test_an_evening_is_played_again_by_its_seed() -> None:
    """To the last word, in another process: what is found wrong can be looked at."""
    program = "from tests.evenings import evening; print([turn.request for turn in evening(1, 12)])"

    def requests(hash_seed: str) -> str:
        hashed = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", program]
        return subprocess.run(command, env=hashed, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout

    assert requests("1") == requests("2")


ANN: Json = {
    "name": "Ann",
    "side": "pc",
    "importance": "pc",
    "fate_points": 2,
    "stress": {"physical": {"boxes": [1, 2]}},
}
SCENE: Json = {
    "aspects": [
        {"name": "Rusty Rope", "boost": False, "free_invocations": {"Ann": 2}},
        {"name": "Wide Open", "boost": True, "free_invocations": {"Ann": 1}},
    ],
    "characters": [ANN | {"consequences": [{"severity": "mild", "name": "Torn Belt"}]}],
}


def take_an_invocation(scene: Json) -> None:
    """As if it were used once more."""
    scene["aspects"][0]["free_invocations"]["Ann"] -= 1


def take_a_boost(scene: Json) -> None:
    """As if it were used."""
    del scene["aspects"][1]


def heal(scene: Json) -> None:
    """As if there were no consequence any more."""
    del scene["characters"][0]["consequences"][0]["name"]


def give_a_fate_point(scene: Json) -> None:
    """As if somebody were compelled."""
    scene["characters"][0]["fate_points"] += 1


def mark(scene: Json) -> None:
    """As if somebody were hit."""
    scene["characters"][0]["stress"]["physical"]["marked"].append(1)


@pytest.mark.parametrize(
    ("spoil", "trouble"),
    [
        (take_an_invocation, {"lost": [("free invocations", "Rusty Rope", "Ann")], "changes": "aspects"}),
        (take_a_boost, {"lost": [("boosts", "Wide Open", "Ann")], "changes": "aspects"}),
        (heal, {"lost": [("consequences", "Ann", "mild", "Torn Belt")], "changes": "characters"}),
        (give_a_fate_point, {"from nowhere": [("fate points", "Ann")], "changes": "characters"}),
        (mark, {"from nowhere": [("stress boxes", "Ann", "physical", "1")], "changes": "characters"}),
        (lambda _: None, {}),
    ],
)
def test_the_accountant_notices_what_was_done_by_hand(spoil: Callable[[Json], None], trouble: Json) -> None:
    """A scene that somebody changed is not what the turn led to, and its changes do not tell it."""
    paying = [{"aspect": "Rusty Rope", "pay": "free"}]
    request = ask(SCENE, request={"ruleset": "fate-core"}, roll={"total": -1}, target=None, invocations=paying)
    [branch] = resolved(request)["branches"]
    settled = narrator.settle(request, {"branch": branch["id"]}).as_json()
    spoil(settled["scene"])

    assert wrong(Turn(request, Chosen(branch, [], {"branch": branch["id"], "suggestions": []}), settled)) == trouble
