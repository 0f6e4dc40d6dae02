"""The calls that judge words: those of a suggestion, those of what was chosen, and what a scene's lines will catch."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from narrator.api.reading import RequestLike, read
from narrator.errors import NarratorError
from narrator.render import words
from narrator.render.plain import visible
from narrator.rules import aftermath, resolving
from narrator.rules.bookkeeping import Book
from narrator.rules.changes import Change, Settled
from narrator.rules.choice import Choice, Suggestion
from narrator.rules.chosen import branch_of
from narrator.rules.model import LARGEST, data_of
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Scene
from narrator.validation import barring, checking
from narrator.validation.barring import BarredLines
from narrator.validation.judge import Judge
from narrator.validation.verdict import Chosen, Verdict, Violation


def check(request: RequestLike, candidate: object, *, rulesets: Iterable[Ruleset] = ()) -> Verdict:
    """Judge a suggestion from anywhere against the row that the request resolves to.

    Raises:
        NarratorError: As `resolve`, and `bad_dice` for a request without dice and seed: they decide the row.
    """
    asked, ruleset = read(request, rulesets)
    return checking.check(data_of(candidate), Judge(resolving.rule(asked, ruleset)))


def violations(request: RequestLike, candidate: object, *, rulesets: Iterable[Ruleset] = ()) -> tuple[Violation, ...]:
    """Find all that is wrong with a suggestion, for those who write prompts and decks.

    Raises:
        NarratorError: As `check`.
    """
    asked, ruleset = read(request, rulesets)
    return tuple(checking.violations(data_of(candidate), Judge(resolving.rule(asked, ruleset))))


def lines(scene: Mapping[str, Any] | Scene) -> BarredLines:
    """Say what each line and veil of a scene will catch, with sentences that would be refused for it.

    Raises:
        NarratorError: `bad_request`.
    """
    return barring.lines_of(Scene.read(scene, "scene"))


def apply(request: RequestLike, choice: Mapping[str, Any] | Choice, *, rulesets: Iterable[Ruleset] = ()) -> Scene:
    """Give the scene that a choice leads to: the `scene` of `settle`.

    Raises:
        NarratorError: As `settle`.
    """
    return _settled(request, choice, None, rulesets).scene


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
    book = _settled(request, choice, expect_revision, rulesets)
    changes = tuple(Change(**dict(each), text=visible(words.change(each))) for each in book.changes())
    return Settled(scene=book.scene, changes=changes)


def _settled(
    request: RequestLike,
    choice: Mapping[str, Any] | Choice,
    expect_revision: int | None,
    rulesets: Iterable[Ruleset],
) -> Book:
    """Check a choice, first what can be told without reading words, and write it into the book of the scene."""
    asked, ruleset = read(request, rulesets)
    chosen = Choice.read(choice)
    _check_revision(asked.scene.revision or 0, expect_revision)
    ruling = resolving.rule(asked, ruleset)
    branch = branch_of(ruling.resolution, chosen)
    # As `suggest` judged them: what it offered for a slot of several branches can be settled in each.
    judge = Judge(replace(ruling, request=ruling.request.model_copy(update={"branch": None})))
    accepted: tuple[Suggestion, ...] = ()
    for place, candidate in enumerate(chosen.suggestions):
        verdict = checking.check(data_of(candidate), judge, accepted=accepted, shape=Chosen)
        if verdict.rejected is not None:
            message = f"{verdict.rejected.code}: {verdict.rejected.message}"
            raise NarratorError("bad_choice", f"suggestions.{place}.{verdict.rejected.field}".rstrip("."), message)
        assert verdict.accepted is not None, "a verdict accepts or rejects"
        accepted = (*accepted, verdict.accepted)
    worded: list[str] = []
    for place, taken in enumerate(chosen.absorb.consequences if chosen.absorb else ()):
        if taken.name is None:
            continue
        found = checking.wording(taken.name, judge, accepted=accepted, said=worded)
        worded.append(taken.name)
        if found is not None:
            field = f"absorb.consequences.{place}.name"
            raise NarratorError("bad_choice", field, f"{found.code}: {found.message}")
    return aftermath.settle(ruling, branch, chosen, accepted)


def _check_revision(revision: int, expected: int | None) -> None:
    if expected is None:
        return
    if not isinstance(expected, int) or isinstance(expected, bool) or not 0 <= expected <= LARGEST:
        raise NarratorError("bad_request", "expect_revision", f"this must be a whole number from 0 to {LARGEST:,}")
    if expected != revision:
        message = f"the scene is of revision {revision}, not {expected}: somebody settled something meanwhile"
        raise NarratorError("stale_scene", "scene.revision", message, [str(revision)])
