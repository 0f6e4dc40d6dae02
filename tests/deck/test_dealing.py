"""How the deck deals: what is named deals the same, what follows deals others, and nothing twice in an evening."""

import json
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import narrator
from narrator.rules.json_text import Json
from tests.deck.decks import INTENTS, all_cards

pytestmark = pytest.mark.usefixtures("small")

SCENE: Json = {"summary": "Evening in a crowded town.", "tone": "sword and sorcery"}


def request(intent: str = "bribe the clerk", outcome: str = "fail", **more: Any) -> Json:
    action = {"type": "overcome", "actor": "Cynere", "intent": intent, "outcome": outcome}
    return {"ruleset": "small", "scene": SCENE, "action": action, **more}


def cards(told: Json) -> list[str | None]:
    """Which cards the deck deals."""
    return [each.card for each in narrator.suggest(told, source="deck").suggestions]


def test_no_card_twice_in_an_evening(often: Callable[[int], int]) -> None:
    """Forty rolls of every kind, what was dealt handed on by each, show no card twice."""
    scene, seen = SCENE, Counter[str]()
    intents = [*INTENTS.values(), "bribe the clerk", "sneak past the sentries"]
    rolls = often(len(intents))
    for turn, intent in enumerate(intents[:rolls]):
        told = request(intent, ("fail", "tie", "succeed_with_style")[turn % 3], scene=scene, deal=turn % 4)
        answer = narrator.suggest(told, source="deck")
        seen.update(each.card for each in answer.suggestions if each.card)
        choice = {"branch": answer.resolution.branches[-1].id, "suggestions": [answer.suggestions[0].as_json()]}
        scene = narrator.settle(told, {**choice, "dealt": list(answer.dealt or ())}).scene.as_json()
    assert sum(seen.values()) == 3 * rolls
    assert [card for card, number in seen.items() if number > 1] == []
    assert set(scene["dealt"]) == set(seen)


@pytest.mark.parametrize("more", [{"deal": 0}, {"deal": 7}, {"seed": 7}, {"seed": 10**12}, {"seed": -7, "deal": 1}])
def test_a_deal_that_is_named_is_the_same_again(more: Json) -> None:
    """The same request with the same deal gives the same answer, byte for byte."""
    told = (json.dumps(narrator.suggest(request(**more), source="deck").as_json()) for _ in range(2))
    assert len(set(told)) == 1


def test_the_answer_names_its_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where none is told it is the seed, else drawn, not always the same; told again, it gives the same words."""
    monkeypatch.setattr("secrets.randbelow", Random(1).randrange)
    assert narrator.suggest(request(deal=5), source="deck").deal == 5
    assert narrator.suggest(request(seed=12), source="deck").deal == 12
    drawn = [narrator.suggest(request(), source="deck") for _ in range(8)]
    assert [cards(request(deal=each.deal)) for each in drawn] == [list(each.dealt or ()) for each in drawn]
    assert len({each.dealt for each in drawn}) > 1


def test_what_was_said_and_dealt_leaves_the_order_as_it_is() -> None:
    """A card that was dealt gives its place to another; the rest of the deal stays."""
    first = cards(request(deal=3))
    again = cards(request(scene={**SCENE, "dealt": [first[1]], "revision": 4}, deal=3))
    assert first[1] not in again
    assert [each for each in again if each in first] == [first[0], first[2]]


def test_when_all_was_dealt_it_deals_again() -> None:
    """Seven rolls for the same thing have words of their own; then what fits comes again, nothing else."""
    talk = {"bargain", "talk"}
    fitting = {card.id for card in all_cards() if not card.activities or talk & {*card.activities}}
    seen: list[str] = []
    while True:
        answer = narrator.suggest(request(scene={**SCENE, "dealt": seen[-500:]}, deal=0), source="deck")
        assert len(answer.suggestions) == 3
        new = [each.card for each in answer.suggestions if each.card]
        if set(new) & set(seen):
            break
        seen += new
    assert len(seen) > 12
    assert {*seen, *new} <= fitting


def test_only_the_last_five_hundred_are_kept() -> None:
    """What was dealt long ago is forgotten."""
    before = [f"boost-{number}" for number in range(500)]
    dealt = narrator.suggest(request(scene={**SCENE, "dealt": before}, deal=0), source="deck").dealt
    assert dealt is not None
    assert (len(dealt), dealt[0], dealt[-4]) == (500, "boost-3", "boost-499")


def test_ids_of_an_older_version_are_carried_on() -> None:
    """What a scene kept of them matches no card and is no error."""
    old = ["close_call-076ee907", "own-boost-46da021e"]
    asked = request(scene={**SCENE, "dealt": old}, deal=0)
    answer = narrator.suggest(asked, source="deck")
    assert cards(asked) == cards(request(deal=0))
    assert answer.dealt == (*old, *cards(asked))
    assert narrator.apply(asked, {"branch": "fail", "dealt": answer.dealt}).dealt == answer.dealt


def test_nothing_is_dealt_where_no_words_are_wanted() -> None:
    """No slot: no deal, no card."""
    answer = narrator.suggest(request(outcome="succeed"), source="deck")
    assert (answer.deal, answer.dealt) == (None, None)
