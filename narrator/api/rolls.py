"""The calls that rules alone answer: what a roll comes to, its chances, and what invocations would make of it."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal, Unpack

from pydantic import Field

from narrator.api import random_draws
from narrator.api.call import RequestCall
from narrator.api.options import Options
from narrator.api.requests import RequestLike, read_request, ruled, within
from narrator.errors import RequestError
from narrator.rules.chances import chances
from narrator.rules.chances.chances import Odds, Reach, Reaches
from narrator.rules.model import Name
from narrator.rules.resolve.resolution import Resolution
from narrator.rules.resolve.resolver import rule
from narrator.rules.ruleset.ruleset import Ruleset


def resolve(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> Resolution:
    """Find the outcome of an action and what its table row gives. What was not rolled is rolled, from a seed that
    the resolution names.

    Args:
        rulesets: House rulesets, as `load_ruleset` gives them, that the request may name.

    Raises:
        NarratorError: For a request that cannot be resolved, with the field and what would have been right.
    """
    asked, ruleset = read_request(request, rulesets)
    with within("request"):
        return rule(random_draws.with_seed(asked), ruleset).resolution


def odds(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> Odds:
    """Count the chance of each outcome before the roll, exactly, and with each invocation on offer.

    Raises:
        NarratorError: As `resolve`.
    """
    asked, ruleset = read_request(request, rulesets)
    with within("request"):
        return chances.odds(asked, ruleset)


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
        raise RequestError("bad_request", "by", "this must be text")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 0):
        raise RequestError("bad_request", "limit", "this must be a whole number from 0")
    ruling = ruled(request, rulesets)
    with within("request", beside="by"):
        return chances.reach(ruling, by, limit)


class ResolveCall(RequestCall):
    """A call that resolves an action."""

    gives: ClassVar = Resolution

    call: Literal["resolve"]

    def make(self, **options: Unpack[Options]) -> Resolution:
        return resolve(self.request, rulesets=options.get("rulesets", ()))


class OddsCall(RequestCall):
    """A call that counts the chances of an action."""

    gives: ClassVar = Odds

    call: Literal["odds"]

    def make(self, **options: Unpack[Options]) -> Odds:
        return odds(self.request, rulesets=options.get("rulesets", ()))


class ReachCall(RequestCall):
    """A call that wants to know what invocations would make of a roll."""

    gives: ClassVar = Reaches

    call: Literal["reach"]
    by: Name | None = None
    """Whose invocations alone: what they could use, be passed, or pass on; left out: everybody's."""
    limit: Annotated[int, Field(ge=0)] | None = None
    """How many entries at the most, the first; left out: all."""

    def make(self, **options: Unpack[Options]) -> Reaches:
        return Reaches(reach=reach(self.request, self.by, self.limit, rulesets=options.get("rulesets", ())))
