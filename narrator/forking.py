"""What a child of `fork` has to be rid of: locks held in its parent by threads that it does not have."""

import os
import sys
from functools import cached_property
from threading import RLock
from typing import Any


def _unlock() -> None:
    """Give our cached properties new locks. Up to Python 3.11 each has one, for all objects of its class."""
    for name, module in list(sys.modules.items()):
        if name.startswith("narrator."):
            for cached in _cached_of(module):
                cached.lock = RLock()


def _cached_of(module: object) -> list[Any]:
    classes = [each for each in vars(module).values() if isinstance(each, type)]
    return [each for one in classes for each in vars(one).values() if isinstance(each, cached_property)]


if hasattr(os, "register_at_fork") and hasattr(cached_property(str), "lock"):
    os.register_at_fork(after_in_child=_unlock)
