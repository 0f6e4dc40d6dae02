"""What the deck gives for each row of each table, two players and three foes at the table: made once."""

from functools import cache

import narrator
from tests.rows import CASTS, Row

CAST = CASTS["many on both sides"]


@cache
def answers(row: Row) -> tuple[narrator.Answer, ...]:
    """An answer for each way to come to a row, with three words a slot."""
    return tuple(narrator.suggest(each, source="deck") for each in row.requests(CAST, per_slot=3, seed=1))
