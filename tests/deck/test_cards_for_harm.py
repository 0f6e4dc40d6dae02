"""Cards for what a hit inflicts: each level in turn, of the attack's track, on whoever is hit, by whoever struck."""

from collections.abc import Callable
from typing import Any

import pytest

import narrator
from narrator.deck.deck_file import packaged_cards
from narrator.rules.json_text import Json
from narrator.rules.ruleset.loader import packaged as rulesets, packaged_ruleset
from tests.documents import STRESS
from tests.rules.build import LEVELS, ask

ATTACKED = [name for name in rulesets() if "attack" in packaged_ruleset(name).actions]
CARDS = {card.id: card for card in packaged_cards("inflicted_consequence")}
MADE_FOR = {track for card in CARDS.values() for track in card.tracks}
"""Those that cards tell of: an attack on another track, such as a hull, wants words of the table's own."""


def struck(
    *suggested: str, deal: int = 0, scene: Json | None = None, ask_for: Json | None = None, **action: Any
) -> Json:
    """Ann strikes Xan, whose free levels these are, by four shifts."""
    free = [{"severity": each} for each in suggested or LEVELS]
    xan = {"name": "Xan", "side": "foes", "importance": "named", "consequences": free}
    people = [{"name": "Ann", "side": "pc", "importance": "pc"}, xan]
    blow = {"type": "attack", "target": "Xan", "roll": {"total": 2}} | action
    blow = {"opposition": {"kind": "defend", "roll": {"total": 0}}} | blow
    return ask({"characters": people, **(scene or {})}, request={"deal": deal, **(ask_for or {})}, **blow)


def harm(request: Json, **how: Any) -> list[narrator.Suggestion]:
    """What the deck says of the consequence."""
    answer = narrator.suggest(request, source="deck", **how)
    return [each for each in answer.suggestions if each.kind == "consequence"]


def levels(found: list[narrator.Suggestion]) -> list[str | None]:
    """Their levels, as they come."""
    return [each.severity for each in found]


@pytest.mark.parametrize("ruleset", [each for each in ATTACKED if MADE_FOR & STRESS[each].keys()])
def test_three_are_of_three_levels(ruleset: str, often: Callable[[int], int]) -> None:
    """The mildest first, deal after deal, and each by a card that is made for its level."""
    for deal in range(often(20)):
        found = harm(struck(deal=deal, ask_for={"ruleset": ruleset}))

        assert levels(found) == [*LEVELS]
        assert [each.severity in CARDS[each.card or ""].severities for each in found] == [True] * 3


@pytest.mark.parametrize("free", [[*LEVELS], [*LEVELS][1:], ["severe"]], ids=lambda free: free[0])
def test_each_level_comes_before_any_comes_again(free: list[str]) -> None:
    """However many are wanted, of those that may absorb the hit and no others; the mildest first."""
    for number in range(1, 11):
        found = levels(harm(struck(*free, ask_for={"per_slot": number})))
        times = [found.count(level) for level in free]

        assert (sum(times), max(times) - min(times) <= 1) == (number, True)
        assert found == sorted(found, key=lambda level: free.index(str(level)))


def test_a_card_that_was_dealt_makes_way_for_one_of_its_level() -> None:
    """What is said already is replaced, and no level loses its turn by it."""
    told: list[str | None] = []
    for _ in range(6):
        found = harm(struck(scene={"dealt": [each for each in told if each]}))
        assert levels(found) == [*LEVELS]
        assert not {each.card for each in found} & {*told}
        told += [each.card for each in found]


TRACKS: dict[str, tuple[str, Json, str]] = {
    "the first": ("five-actions", {"intent": "cut him down"}, "physical"),
    "one that is told": ("five-actions", {"attack": {"track": "mental"}}, "mental"),
    "a lethal one": ("five-actions", {"attack": {"track": "mental", "lethal": True}}, "mental"),
    "the only one, by force": ("fate-accelerated", {"intent": "cut him down with the sword"}, "physical"),
    "the only one, by words": ("fate-accelerated", {"intent": "threaten him until his nerve breaks"}, "mental"),
}


@pytest.mark.parametrize(("ruleset", "action", "track"), TRACKS.values(), ids=TRACKS)
def test_words_are_of_the_track(ruleset: str, action: Json, track: str) -> None:
    """A blow leaves no fear of heights, and an insult no broken arm."""
    for deal in range(10):
        for each in harm(struck(deal=deal, ask_for={"ruleset": ruleset}, **action)):
            assert track in CARDS[each.card or ""].tracks


OWN = {"form": "inflicted_consequence", "name": "Mark of {foe}", "detail": "{to} bears what {foe} gave, by {actor}."}


def test_it_is_on_whoever_is_hit_by_whoever_struck() -> None:
    """Also where friends come to blows, and others stand there."""
    deck = narrator.DeckFile.model_validate({"cards": [OWN]})
    fight = struck()
    for side in ("foes", "pc"):
        fight["scene"]["characters"][1]["side"] = side
        fight["scene"]["characters"][2:] = [{"name": "Yve", "side": "foes"}]
        deals = [harm(fight | {"per_slot": 10, "deal": deal}, decks=[deck]) for deal in range(6)]
        said = {(each.to, each.name, each.detail) for found in deals for each in found}
        assert ("Xan", "Mark of Ann", "Xan bears what Ann gave, by Ann.") in said


def test_a_card_for_any_level_is_said_once() -> None:
    """At one of them, others have words of their own; and never where it is for a level that no hit has."""
    for more, times in (({}, {0, 1}), ({"severities": ["grave"]}, {0})):
        deck = narrator.DeckFile.model_validate({"cards": [OWN | more]})
        deals = [harm(struck(deal=deal, ask_for={"per_slot": 9}), decks=[deck]) for deal in range(6)]

        assert {[each.name for each in found].count("Mark of Ann") for found in deals} == times
        assert [len({each.card for each in found}) for found in deals] == [9] * 6
