"""The calls that enter what was chosen: `settle`, and `apply`, which gives the scene alone."""

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
    """Give the scene that a choice leads to: the `scene` of `settle`.

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
    """Enter a choice: the scene that it leads to, and what is different in it. Its suggestions are checked again.

    Args:
        expect_revision: The revision that the scene has to be of, for tables where more than one settles.

    Raises:
        NarratorError: As `check`; `bad_choice` for what does not fit, and `stale_scene` for a scene of another
            revision: then nothing is entered.
    """
    chosen = Choice.read(choice, "choice")
    asked = Request.read(request, "request")
    # Who settled a page that somebody settled meanwhile is told so, and not what is wrong with it by now.
    check_revision(asked.scene.revision or 0, expect_revision)
    ruling = ruled(asked, rulesets)
    with within("choice"):
        # First what can be told without reading words.
        branch = branch_of(ruling.resolution, chosen)
        book = settlement.settle(ruling, branch, chosen, _accepted(ruling, chosen))
        return told(book)


def told(book: Ledger) -> Settled:
    """Give the scene that was written, and say what changed."""
    periods, why = book.ruleset.recovery.periods, {"fate_points": book.why}
    lines = (
        (each, change_phrases.change(each, book.scene, periods) + why.get(each.type, "")) for each in book.changes()
    )
    return Settled(scene=book.scene, changes=tuple(Change(**dict(each), text=visible(line)) for each, line in lines))


def _accepted(ruling: Ruling, chosen: Choice) -> tuple[Suggestion, ...]:
    """Judge all words of a choice, and give its suggestions whole."""
    # As `suggest` judged them: what it offered for a slot of several branches can be settled in each.
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
    """Raise `stale_scene` where a scene is of another revision than was expected."""
    if expected is None:
        return
    if not isinstance(expected, int) or isinstance(expected, bool) or not 0 <= expected <= LARGEST:
        raise RequestError("bad_request", "expect_revision", f"this must be a whole number from 0 to {LARGEST:,}")
    if expected != revision:
        message = f"the scene is of revision {revision}, not {expected}: somebody settled something meanwhile"
        raise RequestError("stale_scene", "request.scene.revision", message)


class ChoiceCall(RequestCall):
    """A call that enters a choice."""

    request: Request
    """What was resolved, with its dice or its seed."""
    choice: Choice
    """What was chosen of it."""


class ApplyCall(ChoiceCall):
    """A call that enters a choice and gives the next scene."""

    gives: ClassVar = Scene

    call: Literal["apply"]

    def make(self, **options: Unpack[Options]) -> Scene:
        return apply(self.request, self.choice, rulesets=options.get("rulesets", ()))


class SettleCall(ChoiceCall):
    """A call that enters a choice, gives the next scene and says what changed."""

    gives: ClassVar = Settled

    call: Literal["settle"]
    expect_revision: Count | None = None
    """The revision that the scene has to be of, for tables where more than one settles; left out: any."""

    def make(self, **options: Unpack[Options]) -> Settled:
        return settle(self.request, self.choice, self.expect_revision, rulesets=options.get("rulesets", ()))
