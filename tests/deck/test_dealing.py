"""How the deck deals: what is named deals the same, what follows deals others, and nothing twice in an evening."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest

import narrator
from narrator.deck import dealing
from narrator.deck.cards import packaged
from narrator.deck.reading import Reading
from narrator.rules.card import ACTIVITIES
from tests.deck.decks import forms

Json = dict[str, Any]

pytestmark = pytest.mark.usefixtures("small")

DEALS = 15

INTENTS = {
    "climb": "climb the north wall", "swim": "swim to the far bank", "leap": "leap across the gap",
    "run": "outrun the pursuers", "lift": "lift the beam off the others", "break": "smash through the door",
    "ride": "ride down the courier", "drive": "drive the truck through the gap", "sail": "sail her through the reef",
    "endure": "endure the heat until dusk", "escape": "wriggle free of the ropes", "sneak": "sneak past the sentries",
    "hide": "hide in the rafters", "steal": "steal the seal from the desk", "unlock": "pick the lock of the strongroom",
    "disguise": "pass for one of the servants", "search": "search the study for a hidden drawer",
    "read": "decipher the old inscription", "track": "follow the trail through the marsh",
    "make": "repair the pump before dark", "hack": "hack the terminal", "heal": "stitch the wound",
    "insight": "size up the stranger", "persuade": "persuade the council to open the gates",
    "lie": "bluff a way past the clerk", "threaten": "intimidate the informer", "bargain": "bribe the clerk",
    "perform": "sing for the whole room", "lead": "rally the crew", "gamble": "play cards for the deed",
    "ask": "ask around about the missing crate", "strike": "stab at the champion", "shoot": "shoot the lamp down",
    "dodge": "dodge the swinging boom", "grapple": "wrestle the thief down", "cast": "cast a ward over the door",
    "resist": "resist the whispering", "tame": "calm the horse down",
}  # fmt: skip
"""An intent for each activity."""

SCENE: Json = {"summary": "Evening in a crowded town.", "tone": "sword and sorcery"}


def request(intent: str, outcome: str = "fail", scene: Json | None = None, **more: Any) -> Json:
    action = {"type": "overcome", "actor": "Cynere", "intent": intent, "outcome": outcome}
    return {"ruleset": "small", "scene": SCENE if scene is None else scene, "action": action, **more}


def words(told: Json) -> list[str]:
    """What the deck says."""
    return [each.detail for each in narrator.suggest(told, source="deck").suggestions]


def cards(told: Json) -> list[str | None]:
    """Which cards the deck deals."""
    return [each.card for each in narrator.suggest(told, source="deck").suggestions]


def test_every_activity_has_its_intent() -> None:
    """The list here is whole."""
    assert set(INTENTS) == set(ACTIVITIES)


@pytest.mark.full
@pytest.mark.parametrize(
    ("intent", "outcome"),
    list(zip(INTENTS.values(), cycle(["fail", "tie", "succeed_with_style"]), strict=False)),
    ids=INTENTS,
)
def test_fifteen_deals_of_one_roll(intent: str, outcome: str, often: Callable[[int], int]) -> None:
    """Fifteen deals of three show at least 38 different cards of 45, whatever is done."""
    found = [card for deal in range(often(DEALS)) for card in cards(request(intent, outcome, deal=deal))]
    assert len(found) == 3 * often(DEALS)
    assert len(set(found)) >= len(found) * 38 // 45


def test_no_card_twice_in_an_evening(often: Callable[[int], int]) -> None:
    """Forty rolls of every kind, what was dealt handed on by each, show no card twice."""
    scene, seen = SCENE, Counter[str]()
    intents = [*INTENTS.values(), "bribe the clerk", "sneak past the sentries"]
    rolls = often(len(intents))
    for turn, intent in enumerate(intents[:rolls]):
        told = request(intent, ("fail", "tie", "succeed_with_style")[turn % 3], scene, deal=turn % 4)
        answer = narrator.suggest(told, source="deck")
        seen.update(each.card for each in answer.suggestions if each.card)
        settled = narrator.settle(
            told,
            {
                "branch": answer.resolution.branches[-1].id,
                "suggestions": [answer.suggestions[0].as_json()],
                "dealt": list(answer.dealt or ()),
            },
        )
        scene = settled.scene.as_json()
    assert sum(seen.values()) == 3 * rolls
    assert [card for card, number in seen.items() if number > 1] == []
    assert set(scene["dealt"]) == set(seen)


TONES = ["sword and sorcery", "space opera", "noir", "western", "horror"]


@pytest.mark.parametrize("intent", INTENTS.values(), ids=INTENTS)
def test_another_kind_of_story_is_told_otherwise(intent: str) -> None:
    """The same roll in five kinds of story: any two share at most one suggestion of three."""
    told = [words(request(intent, scene={"tone": tone}, deal=0)) for tone in TONES]
    shared = [len(set(one) & set(other)) for place, one in enumerate(told) for other in told[place + 1 :]]
    assert max(shared) <= 1


def bytes_of(told: Json) -> bytes:
    """The deck's answer as it goes over a wire."""
    return json.dumps(narrator.suggest(told, source="deck").as_json()).encode()


@pytest.mark.parametrize("more", [{"deal": 0}, {"deal": 7}, {"seed": 7}, {"seed": 10**12}, {"seed": -7, "deal": 1}])
def test_a_deal_that_is_named_is_the_same_again(more: Json) -> None:
    """The same request with the same deal gives the same answer, byte for byte."""
    assert bytes_of(request("bribe the clerk", **more)) == bytes_of(request("bribe the clerk", **more))


def test_the_answer_names_its_deal() -> None:
    """Where none is told it is the seed, else drawn; told again, it gives the same words."""
    assert narrator.suggest(request("bribe the clerk", deal=5), source="deck").deal == 5
    assert narrator.suggest(request("bribe the clerk", seed=12), source="deck").deal == 12
    drawn = narrator.suggest(request("bribe the clerk", seed=-1), source="deck")
    assert [each.detail for each in drawn.suggestions] == words(request("bribe the clerk", deal=drawn.deal))


def test_nobody_told_it_draws() -> None:
    """The same request without a deal is not always told the same."""
    assert len({tuple(words(request("bribe the clerk"))) for _ in range(8)}) > 1


def test_what_was_said_and_dealt_leaves_the_order_as_it_is() -> None:
    """A card that was dealt gives its place to another; the rest of the deal stays."""
    first = cards(request("bribe the clerk", deal=3))
    again = cards(request("bribe the clerk", scene={**SCENE, "dealt": [first[1]], "revision": 4}, deal=3))
    assert first[1] not in again
    assert [each for each in again if each in first] == [first[0], first[2]]


def test_when_all_was_dealt_it_deals_again() -> None:
    """A scene that has had every card still gets its words: what fits comes again before a card for another deed."""
    fitting = {card.id for form in forms() for card in packaged(form).cards if {"bargain", "talk"} & {*card.activities}}
    fitting |= {card.id for form in forms() for card in packaged(form).cards if not card.activities}
    seen: list[str] = []
    while True:
        answer = narrator.suggest(
            request("bribe the clerk", scene={**SCENE, "dealt": seen[-500:]}, deal=0), source="deck"
        )
        assert len(answer.suggestions) == 3
        new = [each.card for each in answer.suggestions if each.card]
        if set(new) & set(seen):
            break
        seen += new
    assert len(seen) > 45
    assert {*seen, *new} <= fitting


def test_only_the_last_five_hundred_are_kept() -> None:
    """What was dealt long ago is forgotten."""
    before = [f"boost-{number}" for number in range(500)]
    dealt = narrator.suggest(request("bribe the clerk", scene={**SCENE, "dealt": before}), source="deck").dealt
    assert dealt is not None
    assert (len(dealt), dealt[0], dealt[-4]) == (500, "boost-3", "boost-499")


def test_ids_of_an_older_version_are_carried_on() -> None:
    """What a scene kept of them matches no card and is no error."""
    old = ["close_call-076ee907", "own-boost-46da021e"]
    asked = request("bribe the clerk", scene={**SCENE, "dealt": old}, deal=0)
    answer = narrator.suggest(asked, source="deck")
    assert cards(asked) == cards(request("bribe the clerk", deal=0))
    assert answer.dealt == (*old, *cards(asked))
    assert narrator.apply(asked, {"branch": "fail", "dealt": answer.dealt}).dealt == answer.dealt


def test_nothing_is_dealt_where_no_words_are_wanted() -> None:
    """No slot: no deal, no card."""
    answer = narrator.suggest(request("bribe the clerk", "succeed"), source="deck")
    assert (answer.deal, answer.dealt) == (None, None)


def test_a_request_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many slots are dealt for: to read a large scene takes longer than to deal."""
    read = Counter[str]()

    class Counted(Reading):
        def __init__(self, *given: Any) -> None:
            read["requests"] += 1
            super().__init__(*given)

    monkeypatch.setattr(dealing, "Reading", Counted)
    roll = {"type": "discover", "variant": "aspect", "actor": "Ann", "outcome": "fail"}
    answer = narrator.suggest({"action": roll}, source="deck")
    assert len({each.slot for each in answer.suggestions}) == 2
    assert read["requests"] == 1
