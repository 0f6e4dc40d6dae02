"""The calls that rules alone answer."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from narrator import draws
from narrator.api.reading import RequestLike, find_ruleset, read
from narrator.errors import NarratorError
from narrator.rules import chances, resolving, table as tables
from narrator.rules.action import spelt_out
from narrator.rules.chances import Odds, Reach
from narrator.rules.conflict import turns
from narrator.rules.resolution import Resolution
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Scene
from narrator.rules.table import Table


def resolve(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> Resolution:
    """Find the outcome of an action and what its table row gives. What was not rolled is rolled, from a seed that
    the resolution names.

    Args:
        rulesets: House rulesets, as `load_ruleset` gives them, that the request may name.

    Raises:
        NarratorError: For a request that cannot be resolved, with the field and what would have been right.
    """
    asked, ruleset = read(request, rulesets)
    return resolving.rule(draws.rolled(asked), ruleset).resolution


def odds(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> Odds:
    """Count the chance of each outcome before the roll, exactly, and with each invocation on offer.

    Raises:
        NarratorError: As `resolve`.
    """
    return chances.odds(*read(request, rulesets))


def reach(
    request: RequestLike, by: str | None = None, limit: int | None = None, *, rulesets: Iterable[Ruleset] = ()
) -> tuple[Reach, ...]:
    """Say, after the roll, what each invocation still on offer would make of it, and what allies could pass on.

    Args:
        by: Whose invocations alone: what they could use, be passed, or pass on.
        limit: How many at the most. The actor's come first, and of either side's those last that cost a fate point
            and that somebody else bears.

    Raises:
        NarratorError: As `resolve`; `bad_dice` where nothing was rolled and there is no seed; `unknown_character`.
    """
    if not isinstance(by, str | None):
        raise NarratorError("bad_request", "by", "this must be text")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 0):
        raise NarratorError("bad_request", "limit", "this must be a whole number from 0")
    return chances.reach(*read(request, rulesets), by, limit)


def turn_order(
    scene: Mapping[str, Any] | Scene,
    approach: str,
    *,
    ties: Sequence[str] = (),
    together: Sequence[str] = (),
    first: Sequence[str] = (),
) -> tuple[str, ...]:
    """Order everyone in the scene for an exchange, the highest rating in an approach first.

    Args:
        approach: Quick in a physical conflict, Careful in a mental one.
        ties: Further approaches that break ties, in order; then the order of the scene counts.
        together: Sides that act together, on the turn of their best.
        first: Names that lead whatever their rating, as in an ambush.

    Raises:
        NarratorError: `bad_request` or `unknown_character`.
    """
    if not isinstance(approach, str):
        raise NarratorError("bad_request", "approach", "this must be text")
    for field, names in (("ties", ties), ("together", together), ("first", first)):
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise NarratorError("bad_request", field, "this must be a list of names")
    return turns.turn_order(Scene.read(scene, "scene"), approach, ties=ties, together=together, first=first)


def table(
    ruleset: str | Ruleset, action: str, variant: str | None = None, *, rulesets: Iterable[Ruleset] = ()
) -> Table:
    """Show what the book's page would: the rows of an action, of one variant or of all.

    Args:
        ruleset: One that was loaded, or the name of one.
        rulesets: House rulesets, as `load_ruleset` gives them, that the name may be of.

    Raises:
        NarratorError: `unknown_ruleset`, `unsupported_action` or `unknown_variant`.
    """
    found = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(ruleset, rulesets)
    for field, name in (("action", action), ("variant", "" if variant is None else variant)):
        if not isinstance(name, str):
            raise NarratorError("bad_request", field, "this must be text")
    return tables.table(found, spelt_out(action), variant)
