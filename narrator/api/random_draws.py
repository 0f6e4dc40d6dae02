"""Draws what a request leaves to chance: the seed of the dice and the deal of the deck."""

import secrets

from narrator.rules.request.action import Request
from narrator.rules.resolve.roll import needs_seed

SEEDS = 1_000_000
"""How many seeds to draw from."""

DEALS = 10
"""How many deals to draw from. The first ones have the cards that fit best."""


def with_seed(request: Request) -> Request:
    """Draw a seed if narrator has to roll and the request has no seed."""
    if request.seed is None and needs_seed(request):
        return request.model_copy(update={"seed": secrets.randbelow(SEEDS)})
    return request


def with_deal(request: Request) -> Request:
    """Choose the deal: the one in the request, else the one of the seed, else a random one."""
    if request.deal is not None:
        return request
    seed = request.seed
    return request.model_copy(update={"deal": seed if seed is not None and seed >= 0 else secrets.randbelow(DEALS)})
