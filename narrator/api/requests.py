"""The first step of every call: reading the request and finding its ruleset."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from narrator.errors import NarratorError, RequestError, quoted
from narrator.rules.request.action import Request
from narrator.rules.resolve.resolver import rule
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset import loader
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.typo import meant

T = TypeVar("T")

RequestLike = Mapping[str, Any] | str | bytes | Request
"""A request as a mapping, JSON text or the model."""


def read_request(request: RequestLike, given: Iterable[Ruleset]) -> tuple[Request, Ruleset]:
    """Read a request and find its ruleset."""
    asked, handed = Request.read(request, "request"), all_of("rulesets", given, Ruleset)
    with within("request"):
        return asked, find_ruleset(asked.ruleset, handed)


def ruled(request: RequestLike, given: Iterable[Ruleset]) -> Ruling:
    """Read a request and resolve it."""
    asked, ruleset = read_request(request, given)
    with within("request"):
        return rule(asked, ruleset)


@contextmanager
def within(part: str, *, beside: str | None = None) -> Iterator[None]:
    """Put a part of the payload in front of the `field` of errors raised here, except those in a user's file.

    Args:
        beside: Another part of the payload; errors with exactly this `field` stay as they are.
    """
    try:
        yield
    except NarratorError as error:
        if error.code in ("bad_ruleset", "bad_deck") or error.field == beside:
            raise
        raise error.within(part) from None


def rulesets() -> tuple[str, ...]:
    """List the known rulesets: those that come with narrator, and those in your config folder."""
    from narrator import config

    return tuple(sorted({*loader.packaged(), *config.named(os.environ)}))


def all_of(name: str, given: Iterable[T], kind: type[T]) -> tuple[T, ...]:
    """Return the given rulesets or decks. `bad_request` if one of them is of another type."""
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    for each in found:
        if not isinstance(each, kind):
            message = f"this must be a list of results of `narrator.load_{name.removesuffix('s')}`"
            raise RequestError("bad_request", name, f"{message}, not {type(each).__name__}")
    return found


def find_ruleset(name: str, given: Iterable[Ruleset] = ()) -> Ruleset:
    """Find a ruleset among those given, those that come with narrator, and those in the user's config folder.

    Raises:
        NarratorError: `unknown_ruleset`, `bad_request` if this is not a name, or `bad_ruleset` if a user's file has an
            error.
    """
    if not isinstance(name, str):
        raise RequestError("bad_request", "ruleset", "this must be text")
    handed = {ruleset.name: ruleset for ruleset in all_of("rulesets", given, Ruleset)}
    if name in handed:
        return handed[name]
    if loader.is_packaged(name):
        return loader.packaged_ruleset(name)
    from narrator import config

    found = config.find(name, os.environ)
    if found is None:
        known = sorted({*handed, *rulesets()})
        message = f"there is no ruleset {quoted(name)}{meant(name, known)}; for a ruleset in a file, give its path"
        raise RequestError("unknown_ruleset", "ruleset", message, known)
    return found


def known_rulesets() -> tuple[list[Ruleset], list[NarratorError]]:
    """Return the rulesets that can be read, and the errors of the others."""
    found: list[Ruleset] = []
    broken: list[NarratorError] = []
    for name in rulesets():
        try:
            found.append(find_ruleset(name))
        except NarratorError as error:
            broken.append(error)
    return found, broken
