"""A real small model writes, one suggestion a call: poor words, and of the right shape."""

from typing import Any

import pytest

import narrator
from narrator.sources.settings import Settings
from tests.asking import CYNERE
from tests.engine.running import SMALL_MODEL
from tests.sources.asking import MISSHAPEN, Overheard, opened

pytestmark = pytest.mark.engine

PATIENCE = 120.0
"""Seconds for a call: one of these takes some, and the machine may have much else to do."""

REQUESTS: dict[str, dict[str, Any]] = {
    "three costs": {"deal": 0},
    "an aspect": {"action": CYNERE["action"] | {"type": "create_advantage", "roll": {"total": 9}}, "per_slot": 2},
    "in German": {"scene": CYNERE["scene"] | {"language": "de"}, "per_slot": 1, "deal": 2},
    "in a script without patterns": {"scene": CYNERE["scene"] | {"language": "ru"}, "per_slot": 1, "deal": 1},
}


@pytest.fixture
def source(small_engine: str) -> Overheard:
    """The small model."""
    return Overheard(opened("openai", Settings(SMALL_MODEL, small_engine, manner="one_by_one")))


@pytest.mark.parametrize("name", REQUESTS)
def test_full_answers_of_the_right_shape(name: str, source: Overheard) -> None:
    """Each call has one candidate of the slot, form and recipient it was asked for, and the answer is full."""
    request = CYNERE | REQUESTS[name]
    answer = narrator.suggest(request, source=source, repairs=0, timeout=PATIENCE)
    wanted = request.get("per_slot", 3)
    assert (len(answer.suggestions), len(source.briefs)) == (wanted, wanted)
    # More, where the engine closed a kept connection while the machine was busy: that call is made again.
    assert wanted <= answer.usage.calls <= 2 * wanted
    asked = [(slot.id, slot.forms[0].form) for brief in source.briefs for slot, _ in brief.wanted]
    written = [(each.slot, each.form) for each in answer.suggestions if each.source == source.label]
    refused = [(each.candidate["slot"], each.candidate["form"]) for each in answer.rejected]
    assert sorted([*written, *refused]) == sorted(asked)
    assert not {each.code for each in answer.rejected} & MISSHAPEN
    assert 0 < answer.usage.output_tokens < 200 * wanted
