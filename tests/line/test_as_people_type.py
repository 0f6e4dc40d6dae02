"""Lines as people type them, labelled with what they meant: each is read as it was meant, or asked back."""

from statistics import median

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.line.saying import CORPUS, SCENES, judged, labelled

FILES = [name for name in ("say.jsonl", "say-dev.jsonl") if (CORPUS / name).exists()]
LEAST_READ = 0.7
"""Of the lines that were not meant to be asked about."""


@pytest.mark.parametrize("name", FILES)
def test_no_line_is_read_otherwise_than_it_was_meant(name: str) -> None:
    """Nor is one read that has two readings. Most of the others are read, and not asked about."""
    lines = labelled(CORPUS / name)
    found = [(line, *judged(line)) for line in lines]
    wrong = [f"{line['scene']}: {line['text']}: {why}" for line, how, why in found if how == "wrong"]
    clear = [how for line, how, _ in found if not line["meant"].get("ask")]

    assert wrong == []
    assert clear.count("meant") >= LEAST_READ * len(clear), _asked(found)


def _asked(found: list[tuple[Json, str, str]]) -> str:
    return "\n".join(f"{line['text']}: {why}" for line, how, why in found if how == "asked")


MOST_KEYS = 35
"""The median of a roll, where the command line of options takes 132."""


def test_a_roll_of_an_evening_is_typed_in_few_keys() -> None:
    """Forty rolls, typed as shortly as somebody with practice does, are those that were said at length."""
    rolls = labelled(CORPUS / "say-evening.jsonl")
    for each in rolls:
        assert _action(each["typed"], each["scene"]) == _action(each["spoken"], each["scene"]), each

    assert len(rolls) == 40
    assert median(len(each["typed"]) for each in rolls) <= MOST_KEYS


def _action(text: str, scene: str) -> Json:
    """What was read, but for what the actor is after."""
    found = narrator.say(text, SCENES[scene]["scene"], ruleset=SCENES[scene]["ruleset"])
    assert found.request is not None, (text, found.ask)
    return {name: value for name, value in found.request.action.as_json().items() if name != "intent"}
