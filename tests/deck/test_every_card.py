"""The deck, card by card: each passes the check that models are judged by, wherever it can be dealt."""

from zlib import crc32

import pytest

from narrator.validation.checking import check
from tests.deck.decks import PEOPLE, dealt, every_card, places

__all__ = ["every_card"]


def refused(people: str, *, share: int) -> list[tuple[str, ...]]:
    """The cards that the check refuses with these people, of every so many."""
    wrong: list[tuple[str, ...]] = []
    seen = set()
    for place in (each for each in places() if each.people == people):
        for card in dealt(place):
            goals = [branch.goal for branch in place.standard.resolution.branches]
            key = (card.id, str(card.candidate["detail"]), str(card.candidate["name"]), *goals)
            if key in seen or crc32(card.id.encode()) % share != list(PEOPLE).index(people) % share:
                continue
            seen.add(key)
            verdict = check(card.candidate, place.standard)
            if verdict.rejected is not None:
                wrong.append((card.id, verdict.rejected.code, verdict.rejected.message, card.candidate["detail"]))
    return wrong


@pytest.mark.usefixtures("every_card")
@pytest.mark.parametrize("people", list(PEOPLE)[::2])
def test_cards_pass_the_check(people: str) -> None:
    """In every form, for either side, whatever became of the goal: one card in twenty, with some of the people."""
    assert refused(people, share=10 * len(PEOPLE)) == []


@pytest.mark.full
@pytest.mark.usefixtures("every_card")
@pytest.mark.parametrize("people", PEOPLE)
def test_every_card_passes_the_check(people: str) -> None:
    """The same for all cards, each with one pair of the people."""
    assert refused(people, share=len(PEOPLE)) == []
