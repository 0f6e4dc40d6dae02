"""The calls that write a choice into the scene: `settle`, and `apply`, which returns only the scene."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal, Unpack

from narrator.api.call import RequestCall
from narrator.api.options import Options
from narrator.api.requests import RequestLike, ruled, within
from narrator.errors import RequestError, visible
from narrator.render import change_phrases
from narrator.rules.model import LARGEST, Count, data_of
from narrator.rules.request.action import Request
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.ruling import Ruling
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.settle import settlement
from narrator.rules.settle.changes import Change, Settled
from narrator.rules.settle.choice import Choice, branch_of
from narrator.rules.settle.ledger import Ledger
from narrator.rules.settle.suggestion import Suggestion
from narrator.validation import checker
from narrator.validation.judge import Judge
from narrator.validation.verdict import Chosen


def apply(request: RequestLike, choice: Mapping[str, Any] | Choice, *, rulesets: Iterable[Ruleset] = ()) -> Scene:
    """Return the scene that a choice leads to, as `settle` does, without the changes.

    Raises:
        NarratorError: As `settle`.
    """
    return settle(request, choice, rulesets=rulesets).scene


def settle(
    request: RequestLike,
    choice: Mapping[str, Any] | Choice,
    expect_revision: int | None = None,
    *,
    rulesets: Iterable[Ruleset] = (),
) -> Settled:
    """Write a choice into the scene. Returns the next scene and what changed. Its suggestions are checked again.

    Args:
        expect_revision: The revision that the scene must have, for tables where several people settle.

    Raises:
        NarratorError: As `check`. `bad_choice` if the choice does not fit, `stale_scene` if the scene has another
            revision. Then nothing changes.
    """
    chosen = Choice.read(choice, "choice")
    asked = Request.read(request, "request")
    # If somebody else settled meanwhile, report that first, rather than what no longer fits because of it.
    check_revision(asked.scene.revision or 0, expect_revision)
    ruling = ruled(asked, rulesets)
    with within("choice"):
        # First the errors that can be found without judging words.
        branch = branch_of(ruling.resolution, chosen)
        book = settlement.settle(ruling, branch, chosen, _accepted(ruling, chosen))
        return told(book)


def told(book: Ledger) -> Settled:
    """Return the scene that was written and what changed."""
    periods, why = book.ruleset.recovery.periods, {"fate_points": book.why}
    lines = (
        (each, change_phrases.change(each, book.scene, periods) + why.get(each.type, "")) for each in book.changes()
    )
    return Settled(scene=book.scene, changes=tuple(Change(**dict(each), text=visible(line)) for each, line in lines))


def _accepted(ruling: Ruling, chosen: Choice) -> tuple[Suggestion, ...]:
    """Judge all words of a choice, and return its complete suggestions."""
    # As in `suggest`: words for a slot of several branches can be settled in each of them.
    judge = Judge(replace(ruling, request=ruling.request.model_copy(update={"branch": None})))
    accepted: tuple[Suggestion, ...] = ()
    for place, candidate in enumerate(chosen.suggestions):
        verdict = checker.check(data_of(candidate), judge, accepted=accepted, shape=Chosen)
        if verdict.rejected is not None:
            message = f"{verdict.rejected.code}: {verdict.rejected.message}"
            raise RequestError("bad_choice", f"suggestions.{place}.{verdict.rejected.field}".rstrip("."), message)
        assert verdict.accepted is not None, "a verdict accepts or rejects"
        accepted = (*accepted, verdict.accepted)
    worded: list[str] = []
    for place, taken in enumerate(chosen.absorb.consequences if chosen.absorb else ()):
        if taken.name is None:
            continue
        found = checker.wording(taken.name, judge, accepted=accepted, said=worded)
        worded.append(taken.name)
        if found is not None:
            raise RequestError("bad_choice", f"absorb.consequences.{place}.name", f"{found.code}: {found.message}")
    return accepted


def check_revision(revision: int, expected: int | None) -> None:
    """Raise `stale_scene` if the scene does not have the expected revision."""
    if expected is None:
        return
    if not isinstance(expected, int) or isinstance(expected, bool) or not 0 <= expected <= LARGEST:
        raise RequestError("bad_request", "expect_revision", f"this must be a whole number from 0 to {LARGEST:,}")
    if expected != revision:
        message = f"the scene has revision {revision}, not {expected}: somebody changed it meanwhile"
        raise RequestError("stale_scene", "request.scene.revision", message)


class ChoiceCall(RequestCall):
    """A call that writes a choice into the scene."""

    request: Request
    """The request that was resolved, with its dice or its seed."""
    choice: Choice
    """The choice."""


class ApplyCall(ChoiceCall):
    """A call that writes a choice into the scene and returns the next scene."""

    gives: ClassVar = Scene

    call: Literal["apply"]

    def make(self, **options: Unpack[Options]) -> Scene:
        return apply(self.request, self.choice, rulesets=options.get("rulesets", ()))


class SettleCall(ChoiceCall):
    """A call that writes a choice into the scene and returns the next scene and what changed."""

    gives: ClassVar = Settled

    call: Literal["settle"]
    expect_revision: Count | None = None
    """The revision that the scene must have, for tables where several people settle. If omitted, any."""

    def make(self, **options: Unpack[Options]) -> Settled:
        return settle(self.request, self.choice, self.expect_revision, rulesets=options.get("rulesets", ()))
