"""Draws what a request leaves to chance: the seed of dice that nobody told, and the deal of the deck."""

import secrets

from narrator.rules.request.action import Request
from narrator.rules.resolve.roll import needs_seed

SEEDS = 1_000_000
"""How many there are to draw from."""

DEALS = 10
"""The same of deals: the first ones are made of what fits best."""


def with_seed(request: Request) -> Request:
    """Draw a seed for a request that leaves a throw to us and has none."""
    if request.seed is None and needs_seed(request):
        return request.model_copy(update={"seed": secrets.randbelow(SEEDS)})
    return request


def with_deal(request: Request) -> Request:
    """Say which deal is meant: the one named, else that of the seed, else one that is drawn."""
    if request.deal is not None:
        return request
    seed = request.seed
    return request.model_copy(update={"deal": seed if seed is not None and seed >= 0 else secrets.randbelow(DEALS)})
