"""What every call begins with: it reads the request, and finds its ruleset."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from narrator import forking as forking  # for what a child of fork inherits
from narrator.errors import NarratorError, quoted
from narrator.rules import loading, resolving
from narrator.rules.action import Request
from narrator.rules.near import meant
from narrator.rules.ruleset import Ruleset

T = TypeVar("T")

RequestLike = Mapping[str, Any] | str | bytes | Request
"""A request, however it comes: a mapping, JSON text, or the model."""


def read(request: RequestLike, given: Iterable[Ruleset]) -> tuple[Request, Ruleset]:
    """Read a request, and find its ruleset.

    Raises:
        NarratorError: For a request that is none, and as `find_ruleset`.
    """
    asked = Request.read(request)
    ruleset = find_ruleset(asked.ruleset, given)
    return resolving.completed(asked, ruleset), ruleset


def rulesets() -> tuple[str, ...]:
    """Name the rulesets that are known: those that come with narrator, and those in the user's config folder."""
    from narrator import house

    return tuple(sorted({*loading.packaged(), *house.named(os.environ)}))


def all_of(name: str, given: Iterable[T], kind: type[T]) -> tuple[T, ...]:
    """Return what was given as rulesets or decks, where all of it is of that kind.

    Raises:
        NarratorError: `bad_request`.
    """
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    for each in found:
        if not isinstance(each, kind):
            message = f"this wants a list of what `narrator.load_{name.removesuffix('s')}` gives"
            raise NarratorError("bad_request", name, f"{message}, not {type(each).__name__}")
    return found


def find_ruleset(name: str, given: Iterable[Ruleset] = ()) -> Ruleset:
    """Find a ruleset: among those given, those that come with narrator, those in the user's config folder.

    Raises:
        NarratorError: `unknown_ruleset`, `bad_request` for what is no name, or `bad_ruleset` for a file of the
            user's that is wrong.
    """
    if not isinstance(name, str):
        raise NarratorError("bad_request", "ruleset", "this must be text")
    handed = {ruleset.name: ruleset for ruleset in all_of("rulesets", given, Ruleset)}
    if name in handed:
        return handed[name]
    if loading.is_packaged(name):
        return loading.packaged_ruleset(name)
    from narrator import house

    found = house.find(name, os.environ)
    if found is None:
        known = sorted({*handed, *rulesets()})
        message = f"there is no ruleset {quoted(name)}{meant(name, known)}; one in a file is handed over with its path"
        raise NarratorError("unknown_ruleset", "ruleset", message, known)
    return found
