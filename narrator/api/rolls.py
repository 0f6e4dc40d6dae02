"""The calls that need only the rules: the outcome of a roll, its chances, and what invocations would change."""

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
    """Find the outcome of an action and its table row. If dice are missing, narrator rolls them from a seed that the
    resolution names.

    Args:
        rulesets: House rulesets from `load_ruleset` that the request may name.

    Raises:
        NarratorError: If the request can't be resolved, with the field and what would be right.
    """
    asked, ruleset = read_request(request, rulesets)
    with within("request"):
        return rule(random_draws.with_seed(asked), ruleset).resolution


def odds(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> Odds:
    """Compute the exact chance of each outcome before the roll, also with each available invocation.

    Raises:
        NarratorError: As `resolve`.
    """
    asked, ruleset = read_request(request, rulesets)
    with within("request"):
        return chances.odds(asked, ruleset)


def reach(
    request: RequestLike, by: str | None = None, limit: int | None = None, *, rulesets: Iterable[Ruleset] = ()
) -> tuple[Reach, ...]:
    """Show, after the roll, what each available invocation would change, including those that allies could pass on.

    Args:
        by: One character: show only what they could use, receive or pass on.
        limit: The largest number of entries. The actor's side comes first. On each side, invocations that cost a fate
            point on somebody else's aspect come last.

    Raises:
        NarratorError: As `resolve`. `bad_dice` if there are neither dice nor a seed; `unknown_character`.
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
    """A call that computes the chances of an action."""

    gives: ClassVar = Odds

    call: Literal["odds"]

    def make(self, **options: Unpack[Options]) -> Odds:
        return odds(self.request, rulesets=options.get("rulesets", ()))


class ReachCall(RequestCall):
    """A call that shows what invocations would change about a roll."""

    gives: ClassVar = Reaches

    call: Literal["reach"]
    by: Name | None = None
    """One character: show only what they could use, receive or pass on. If omitted, everybody's invocations."""
    limit: Annotated[int, Field(ge=0)] | None = None
    """The largest number of entries. If omitted, all."""

    def make(self, **options: Unpack[Options]) -> Reaches:
        return Reaches(reach=reach(self.request, self.by, self.limit, rulesets=options.get("rulesets", ())))
