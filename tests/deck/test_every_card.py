"""The deck, card by card: each passes the check that models are judged by, wherever it can be dealt."""

from collections.abc import Callable
from zlib import crc32

import pytest

from narrator.validation.checking import check
from tests.deck.decks import PEOPLE, deal_everything, dealt, places


def refused(people: str, patch: pytest.MonkeyPatch, *, percent: int) -> list[tuple[str, ...]]:
    """The cards that the check refuses with these people, of so many percent of those that are tried with them."""
    first = 100 * list(PEOPLE).index(people)
    tried = range(first, first + percent)
    deal_everything(patch, lambda card: crc32(card.id.encode()) % (100 * len(PEOPLE)) in tried)
    wrong: list[tuple[str, ...]] = []
    seen = set()
    for place in places(people):
        for card in dealt(place):
            goals = [branch.goal for branch in place.standard.resolution.branches]
            key = (card.id, str(card.candidate["detail"]), str(card.candidate["name"]), *goals)
            if key not in seen:
                seen.add(key)
                verdict = check(card.candidate, place.standard)
                if verdict.rejected is not None:
                    wrong.append((card.id, verdict.rejected.code, verdict.rejected.message, card.candidate["detail"]))
    return wrong


@pytest.mark.parametrize("people", list(PEOPLE)[::2])
def test_cards_pass_the_check(people: str, monkeypatch: pytest.MonkeyPatch, often: Callable[[int], int]) -> None:
    """In every form, for either side, whatever became of the goal: one card in twenty, with some of the people."""
    assert refused(people, monkeypatch, percent=often(10)) == []


@pytest.mark.full
@pytest.mark.parametrize("people", PEOPLE)
def test_every_card_passes_the_check(people: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for all cards, each with one pair of the people."""
    assert refused(people, monkeypatch, percent=100) == []
