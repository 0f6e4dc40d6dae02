"""What the deck gives for each row of each table, two players and three foes at the table: made once."""

from functools import cache

import narrator
from tests.rows import COMPANIES, Asking

CAST = COMPANIES["many on both sides"]


@cache
def answers(row: Asking) -> tuple[narrator.Answer, ...]:
    """An answer for each way to come to a row that leaves another choice, with three words a slot."""
    ways = {
        narrator.resolve(each).model_dump_json(include={"branches"}): each
        for each in row.requests(CAST, per_slot=3, seed=1)
    }
    return tuple(narrator.suggest(each, source="deck") for each in ways.values())
