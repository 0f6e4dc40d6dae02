"""What every call begins with: it reads the request, and finds its ruleset."""

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
"""A request, however it comes: a mapping, JSON text, or the model."""


def read_request(request: RequestLike, given: Iterable[Ruleset]) -> tuple[Request, Ruleset]:
    """Read a request, and find its ruleset."""
    asked, handed = Request.read(request, "request"), all_of("rulesets", given, Ruleset)
    with within("request"):
        return asked, find_ruleset(asked.ruleset, handed)


def ruled(request: RequestLike, given: Iterable[Ruleset]) -> Ruling:
    """Read a request, and resolve it."""
    asked, ruleset = read_request(request, given)
    with within("request"):
        return rule(asked, ruleset)


@contextmanager
def within(part: str, *, beside: str | None = None) -> Iterator[None]:
    """Say of errors that come up here in which part of a payload they are; a file of the user's is in none.

    Args:
        beside: A part of its own that may be wrong here, too.
    """
    try:
        yield
    except NarratorError as error:
        if error.code in ("bad_ruleset", "bad_deck") or error.field == beside:
            raise
        raise error.within(part) from None


def rulesets() -> tuple[str, ...]:
    """Name the rulesets that are known: those that come with narrator, and those in the user's config folder."""
    from narrator import config

    return tuple(sorted({*loader.packaged(), *config.named(os.environ)}))


def all_of(name: str, given: Iterable[T], kind: type[T]) -> tuple[T, ...]:
    """Return what was given as rulesets or decks; `bad_request` where any of it is not of that kind."""
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    for each in found:
        if not isinstance(each, kind):
            message = f"this wants a list of what `narrator.load_{name.removesuffix('s')}` gives"
            raise RequestError("bad_request", name, f"{message}, not {type(each).__name__}")
    return found


def find_ruleset(name: str, given: Iterable[Ruleset] = ()) -> Ruleset:
    """Find a ruleset: among those given, those that come with narrator, those in the user's config folder.

    Raises:
        NarratorError: `unknown_ruleset`, `bad_request` for what is no name, or `bad_ruleset` for a file of the
            user's that is wrong.
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
        message = f"there is no ruleset {quoted(name)}{meant(name, known)}; one in a file is handed over with its path"
        raise RequestError("unknown_ruleset", "ruleset", message, known)
    return found


def known_rulesets() -> tuple[list[Ruleset], list[NarratorError]]:
    """The rulesets that can be read, and what is wrong with the others."""
    found: list[Ruleset] = []
    broken: list[NarratorError] = []
    for name in rulesets():
        try:
            found.append(find_ruleset(name))
        except NarratorError as error:
            broken.append(error)
    return found, broken
