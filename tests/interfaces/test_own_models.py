"""What a call gave, model or JSON, may stand wherever a mapping says the same: in Python and in a payload."""

from typing import Any

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.asking import CYNERE
from tests.rules.build import ANN, DEFEND, XAN, ask

REQUEST = {**CYNERE, "ruleset": "five-actions"}
STRIKE = ask(
    {"characters": [ANN, XAN | {"importance": "named"}]},
    request={"ruleset": "fate-condensed"},
    type="attack",
    target="Xan",
    roll={"total": 4},
    opposition=DEFEND.at(0),
)
WAYS = narrator.resolve(STRIKE).branches[0].grants[0].absorb or ()
LIMP = {"slot": "consequence", "form": "inflicted_consequence", "name": "Bad Limp", "detail": "The knee gives way."}


def named(way: narrator.Absorption) -> narrator.AbsorbChoice:
    """A way with its consequences worded, as a model."""
    told = tuple(narrator.NamedConsequence(severity=level, name="Bad Limp") for level in way.consequences)
    return narrator.AbsorbChoice(stress=way.stress, boxes=way.boxes, consequences=told)


@pytest.mark.parametrize("way", [way for way in WAYS if len(way.consequences) == 1], ids=lambda way: way.text)
def test_a_way_to_absorb_is_taken_as_the_library_gave_it(way: narrator.Absorption) -> None:
    """Out of the grant, or as the model of a choice, alone or in a mapping: it does what its JSON does."""
    words = [{**LIMP, "severity": way.consequences[0]}]
    told = named(way)
    worded: list[Any] = [
        {"branch": "hit", "absorb": way.as_json(), "suggestions": words},
        {"branch": "hit", "absorb": way, "suggestions": words},
    ]
    by_name: list[Any] = [
        {"branch": "hit", "absorb": told.as_json()},
        {"branch": "hit", "absorb": told},
        {"branch": "hit", "absorb": {**way.as_json(), "consequences": told.consequences}},
        narrator.Choice(branch="hit", absorb=told),
    ]
    for alike in (worded, by_name):
        settled = [narrator.settle(STRIKE, each).as_json() for each in alike]
        request = narrator.Request.read(STRIKE)
        payloads = [{"call": "settle", "request": request, "choice": each} for each in alike]

        assert "Bad Limp" in str(settled[0]["scene"]["characters"][1]["consequences"])
        assert settled == [settled[0]] * len(alike)
        assert [narrator.vtt.run(each) for each in payloads] == settled


def test_a_request_may_be_made_of_models_and_mappings() -> None:
    """Scene, people, action and opposition: each as it was read."""
    read = narrator.Request.read(REQUEST)
    mixed: list[Any] = [
        read,
        {**REQUEST, "scene": read.scene},
        {**REQUEST, "scene": {**REQUEST["scene"], "characters": read.scene.characters}},
        {**REQUEST, "action": read.action},
        {**REQUEST, "action": {**REQUEST["action"], "opposition": read.action.opposition}},
    ]

    assert [narrator.resolve(each) for each in mixed] == [narrator.resolve(REQUEST)] * len(mixed)
    payloads = [{"call": "resolve", "request": each} for each in mixed]
    assert [narrator.vtt.run(each) for each in payloads] == [narrator.resolve(REQUEST).as_json()] * len(mixed)


def test_words_that_were_prepared_may_be_models() -> None:
    """Whole, row by row, or suggestion by suggestion: each is taken again."""
    prepared = narrator.prepare(REQUEST, source="deck")
    rows = {name: {"suggestions": row.suggestions} for name, row in prepared.rows.items()}
    told = {"for": prepared.made_for}
    forms: list[Any] = [prepared, prepared.as_json(), {**told, "rows": prepared.rows}, {**told, "rows": rows}]
    answers = [narrator.suggest({**REQUEST, "deal": 99}, prepared=each, source="deck") for each in forms]
    payload: Json = {"call": "suggest", "request": {**REQUEST, "deal": 99}, "prepared": prepared}

    ours = {each.detail for row in prepared.rows.values() for each in row.suggestions}
    assert [each.rejected for each in answers] == [()] * len(answers)
    assert all({each.detail for each in answer.suggestions} <= ours for answer in answers)
    assert narrator.vtt.run(payload)["suggestions"] == answers[0].as_json()["suggestions"]
