"""The calls about the check: `check` and `violations` judge a suggestion, `lines` explains lines and veils."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal, Unpack

from narrator.api.call import Call, RequestCall
from narrator.api.options import Options
from narrator.api.requests import RequestLike, ruled
from narrator.rules.model import Given, data_of
from narrator.rules.request.action import Request
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.without_roll import request_for, without_roll
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.validation import checker, line_coverage
from narrator.validation.judge import Judge
from narrator.validation.line_coverage import BarredLines
from narrator.validation.verdict import Verdict, Violation, Violations


def check(request: RequestLike, candidate: object, *, rulesets: Iterable[Ruleset] = ()) -> Verdict:
    """Judge a suggestion of any origin against the row that the request resolves to.

    Raises:
        NarratorError: As `resolve`. Also `bad_dice` if the request has neither dice nor seed, which decide the row.
    """
    return checker.check(data_of(candidate), Judge(ruled(request, rulesets)))


def violations(request: RequestLike, candidate: object, *, rulesets: Iterable[Ruleset] = ()) -> tuple[Violation, ...]:
    """List everything that is wrong with a suggestion. This helps when you write prompts and decks.

    Raises:
        NarratorError: As `check`.
    """
    return tuple(checker.violations(data_of(candidate), Judge(ruled(request, rulesets))))


def spoken(text: str, scene: Scene, ruleset: Ruleset) -> Violation | None:
    """Find what is wrong with words without a roll and without a form, such as those of a move."""
    request = request_for(scene, "beat", None, ruleset=ruleset.name, per_slot=1, deal=0)
    return checker.spoken(text, Judge(without_roll(request, ruleset)))


def lines(scene: Mapping[str, Any] | Scene) -> BarredLines:
    """Show what each line and veil of a scene catches, with examples of sentences that it refuses.

    Raises:
        NarratorError: `bad_request`.
    """
    return line_coverage.coverage_of(Scene.read(scene, "request.scene"))


class LinesRequest(Given):
    """A scene whose lines and veils you want to examine."""

    scene: Scene
    """The scene. Its language decides how the lines are read."""


class LinesCall(Call):
    """A call that shows what each line and veil of a scene catches."""

    gives: ClassVar = BarredLines
    is_quick: ClassVar = False

    call: Literal["lines"]
    request: LinesRequest
    """The scene."""

    def make(self, **options: Unpack[Options]) -> BarredLines:
        return lines(self.request.scene)


class CandidateCall(RequestCall):
    """A call that judges a suggestion."""

    request: Request
    """The request that the suggestion is for. It needs dice or a seed, which decide the row."""
    candidate: Any
    """The suggestion to judge."""


class CheckCall(CandidateCall):
    """A call that judges a suggestion and returns the first thing that is wrong."""

    gives: ClassVar = Verdict

    call: Literal["check"]

    def make(self, **options: Unpack[Options]) -> Verdict:
        return check(self.request, self.candidate, rulesets=options.get("rulesets", ()))


class ViolationsCall(CandidateCall):
    """A call that judges a suggestion and returns everything that is wrong."""

    gives: ClassVar = Violations

    call: Literal["violations"]

    def make(self, **options: Unpack[Options]) -> Violations:
        found = violations(self.request, self.candidate, rulesets=options.get("rulesets", ()))
        return Violations(violations=found)
