"""The public calls: each reads a request, finds its ruleset, and hands on to rules, check or pipeline."""

import os
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from narrator import draws, house
from narrator.deck.cards import DeckFile
from narrator.deck.dealing import Deck
from narrator.errors import NarratorError, quoted
from narrator.render import words
from narrator.render.plain import visible
from narrator.rules import aftermath, chances, loading, resolving, table as tables
from narrator.rules.action import Request, spelt_out
from narrator.rules.chances import Odds, Reach
from narrator.rules.changes import Change, Settled
from narrator.rules.choice import Choice, Suggestion
from narrator.rules.conflict import turns
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import Scene
from narrator.rules.table import Table
from narrator.sources.settings import Settings, from_environment
from narrator.suggestions.answer import Answer, Event
from narrator.suggestions.driving import adrive, drive
from narrator.suggestions.pipeline import DECK, Pipeline
from narrator.suggestions.source import Brief, Source
from narrator.validation import checking
from narrator.validation.standard import Standard
from narrator.validation.verdict import Verdict, Violation

if TYPE_CHECKING:
    from narrator.sources.openai_compatible import OpenAICompatible

RequestLike = Mapping[str, Any] | str | bytes | Request
"""A request, however it comes: a mapping, JSON text, or the model."""

Chosen = Source | Literal["deck"] | None
"""Who writes: a source, the deck, or None for the model that the environment names, else the deck."""

TIMEOUT = 20.0
"""Seconds for a whole call."""

LONGEST_TIMEOUT = 3_600

MOST_REPAIRS = 10

REPAIRS = 1
"""How often a model is asked again for what is missing."""


def resolve(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> Resolution:
    """
    Find the outcome of an action and what its table row gives. What was not rolled is rolled, from a seed that
    the resolution names.

    Args:
        rulesets: House rulesets, as `load_ruleset` gives them, that the request may name.

    Raises:
        NarratorError: For a request that cannot be resolved, with the field and what would have been right.
    """
    asked, ruleset = _read(request, rulesets)
    return resolving.resolve(draws.rolled(asked), ruleset)


def odds(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> Odds:
    """
    Count the chance of each outcome before the roll, exactly, and with each invocation on offer.

    Raises:
        NarratorError: As `resolve`.
    """
    return chances.odds(*_read(request, rulesets))


def reach(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> tuple[Reach, ...]:
    """
    Say, after the roll, what each invocation still on offer would make of it.

    Raises:
        NarratorError: As `resolve`, and `bad_dice` where nothing was rolled and there is no seed.
    """
    return chances.reach(*_read(request, rulesets))


def check(request: RequestLike, candidate: object, *, rulesets: Iterable[Ruleset] = ()) -> Verdict:
    """
    Judge a suggestion from anywhere against the row that the request resolves to.

    Raises:
        NarratorError: As `resolve`, and `bad_dice` for a request without dice and seed: they decide the row.
    """
    asked, ruleset = _read(request, rulesets)
    resolution = resolving.resolve(asked, ruleset)
    return checking.check(_data(candidate), Standard(asked, resolution, ruleset))


def violations(request: RequestLike, candidate: object, *, rulesets: Iterable[Ruleset] = ()) -> tuple[Violation, ...]:
    """
    Find all that is wrong with a suggestion, for those who write prompts and decks.

    Raises:
        NarratorError: As `check`.
    """
    asked, ruleset = _read(request, rulesets)
    return tuple(checking.violations(_data(candidate), Standard(asked, resolving.resolve(asked, ruleset), ruleset)))


def apply(request: RequestLike, choice: Mapping[str, Any] | Choice, *, rulesets: Iterable[Ruleset] = ()) -> Scene:
    """
    Give the scene that a choice leads to: the `scene` of `settle`.

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
    """
    Enter a choice: the scene that it leads to, and what is different in it. Its suggestions are checked again.

    Args:
        expect_revision: The revision that the scene has to be of, for tables where more than one settles.

    Raises:
        NarratorError: As `check`; `bad_choice` for what does not fit, and `stale_scene` for a scene of another
            revision: then nothing is entered.
    """
    asked, ruleset = _read(request, rulesets)
    chosen = Choice.read(choice)
    _check_revision(asked.scene.revision or 0, expect_revision)
    resolution = resolving.resolve(asked, ruleset)
    aftermath.branch_of(resolution, chosen)
    of_branch = asked.model_copy(update={"branch": chosen.branch})
    standard = Standard(of_branch, resolution, ruleset)
    accepted: tuple[Suggestion, ...] = ()
    for place, candidate in enumerate(chosen.suggestions):
        verdict = checking.check(_data(candidate), standard, accepted=accepted)
        if verdict.rejected is not None:
            message = f"{verdict.rejected.code}: {verdict.rejected.message}"
            raise NarratorError("bad_choice", f"suggestions.{place}.{verdict.rejected.field}".rstrip("."), message)
        assert verdict.accepted is not None, "a verdict accepts or rejects"
        accepted = (*accepted, verdict.accepted)
    for place, taken in enumerate(chosen.absorb.consequences if chosen.absorb else ()):
        if taken.name is not None and (found := checking.wording(taken.name, standard, accepted=accepted)) is not None:
            field = f"absorb.consequences.{place}.name"
            raise NarratorError("bad_choice", field, f"{found.code}: {found.message}")
    scene, different = aftermath.settle(asked, ruleset, resolution, chosen, accepted)
    changes = tuple(Change(**dict(each), text=visible(words.change(each))) for each in different)
    return Settled(scene=scene, changes=changes)


def turn_order(
    scene: Mapping[str, Any] | Scene,
    approach: str,
    *,
    ties: Sequence[str] = (),
    together: Sequence[str] = (),
    first: Sequence[str] = (),
) -> tuple[str, ...]:
    """
    Order everyone in the scene for an exchange, the highest rating in an approach first.

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


def suggest(
    request: RequestLike,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> Answer:
    """
    Resolve an action and find words for every slot that wants them.

    Args:
        source: Who writes; None takes the model that the environment names, or the deck where it names none.

        repairs: How often the source is asked again for what is missing. What then is missing, the deck has.

        timeout: Seconds for the whole call.

        decks: Cards of the table's own, as `load_deck` gives them, beside those of the config folder.

    Raises:
        NarratorError: As `resolve`. A source that raises `SourceError` is no error but a notice.
    """
    *_, last = stream(request, source=source, repairs=repairs, timeout=timeout, rulesets=rulesets, decks=decks)
    assert last.event == "done", "the last event is done"
    return last.done


def stream(
    request: RequestLike,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> Iterator[Event]:
    """
    The same as events, each the moment it is known.
    """
    _check_timeout(timeout)
    with _source(source) as chosen:
        yield from drive(_pipeline(request, chosen, repairs, rulesets, decks), chosen, timeout)


async def astream(
    request: RequestLike,
    *,
    source: Chosen = None,
    repairs: int = REPAIRS,
    timeout: float = TIMEOUT,
    rulesets: Iterable[Ruleset] = (),
    decks: Iterable[DeckFile] = (),
) -> AsyncIterator[Event]:
    """
    The same as events, without blocking.
    """
    _check_timeout(timeout)
    with _source(source) as chosen:
        async for event in adrive(_pipeline(request, chosen, repairs, rulesets, decks), chosen, timeout):
            yield event


def brief(request: RequestLike, *, rulesets: Iterable[Ruleset] = ()) -> Brief | None:
    """
    Write what a model would be asked, and send nothing. None: no words are wanted.

    Raises:
        NarratorError: As `resolve`.
    """
    return _prepared(request, rulesets, (), label=DECK, calls=1).next_brief()


def rulesets() -> tuple[str, ...]:
    """
    Name the rulesets that are known: those that come with narrator, and those in the user's config folder.
    """
    return tuple(sorted({*loading.packaged(), *house.named(os.environ)}))


def table(
    ruleset: str | Ruleset, action: str, variant: str | None = None, *, rulesets: Iterable[Ruleset] = ()
) -> Table:
    """
    Show what the book's page would: the rows of an action, of one variant or of all.

    Args:
        ruleset: One that was loaded, or the name of one.

        rulesets: House rulesets, as `load_ruleset` gives them, that the name may be of.

    Raises:
        NarratorError: `unknown_ruleset`, `unsupported_action` or `unknown_variant`.
    """
    found = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(ruleset, rulesets)
    if not isinstance(action, str):
        raise NarratorError("bad_request", "action", "this must be text")
    return tables.table(found, spelt_out(action), variant)


def find_ruleset(name: str, given: Iterable[Ruleset] = ()) -> Ruleset:
    """
    Find a ruleset: among those given, those that come with narrator, those in the user's config folder.

    Raises:
        NarratorError: `unknown_ruleset`, `bad_request` for what is no name, or `bad_ruleset` for a file of the
            user's that is wrong.
    """
    if not isinstance(name, str):
        raise NarratorError("bad_request", "ruleset", "this must be text")
    handed = {ruleset.name: ruleset for ruleset in given}
    if name in handed:
        return handed[name]
    if name in loading.packaged():
        return loading.packaged_ruleset(name)
    found = house.find(name, os.environ)
    if found is None:
        known = sorted({*handed, *rulesets()})
        message = f"there is no ruleset {quoted(name)}; one in a file is handed over with its path"
        raise NarratorError("unknown_ruleset", "ruleset", message, known)
    return found


def source_of(settings: Settings | None) -> "OpenAICompatible | None":
    """
    Make the source that settings name; None, the deck, for none.
    """
    if settings is None:
        return None
    from narrator.sources.openai_compatible import OpenAICompatible

    return OpenAICompatible(settings)


def _check_timeout(timeout: float) -> None:
    if not isinstance(timeout, int | float) or not 0 <= timeout <= LONGEST_TIMEOUT:
        raise NarratorError("bad_request", "timeout", f"this must be from 0 to {LONGEST_TIMEOUT} seconds")


@contextmanager
def _source(given: Chosen) -> Iterator[Source | None]:
    if isinstance(given, str):
        if given != DECK:
            raise NarratorError("bad_request", "source", f"there is no source {quoted(given)}", [DECK])
        yield None
        return
    if given is not None:
        yield given
        return
    ours = source_of(from_environment(os.environ))
    try:
        yield ours
    finally:
        if ours is not None:
            ours.close()


def _pipeline(
    request: RequestLike, source: Source | None, repairs: int, given: Iterable[Ruleset], decks: Iterable[DeckFile]
) -> Pipeline:
    if not isinstance(repairs, int) or not 0 <= repairs <= MOST_REPAIRS:
        raise NarratorError("bad_request", "repairs", f"this must be a whole number from 0 to {MOST_REPAIRS}")
    label, calls = (source.label, 1 + repairs) if source is not None else (DECK, 0)
    return _prepared(request, given, decks, label=label, calls=calls)


def _prepared(
    request: RequestLike, given: Iterable[Ruleset], decks: Iterable[DeckFile], *, label: str, calls: int
) -> Pipeline:
    asked, ruleset = _read(request, given)
    asked = draws.dealt(draws.rolled(asked))
    resolution = resolving.resolve(asked, ruleset)
    deck = Deck([DeckFile(cards=ruleset.cards), *house.decks(os.environ), *decks])
    return Pipeline(asked, resolution, ruleset, deck, label=label, calls=calls)


def _read(request: RequestLike, given: Iterable[Ruleset]) -> tuple[Request, Ruleset]:
    """
    Read a request, and find its ruleset.
    """
    asked = Request.read(request)
    ruleset = find_ruleset(asked.ruleset, given)
    return resolving.completed(asked, ruleset), ruleset


def _data(candidate: object) -> object:
    return candidate.as_json() if isinstance(candidate, Model) else candidate


def _check_revision(revision: int, expected: int | None) -> None:
    if expected is None:
        return
    if not isinstance(expected, int) or isinstance(expected, bool) or expected < 0:
        raise NarratorError("bad_request", "expect_revision", "this must be a whole number from 0")
    if expected != revision:
        message = f"the scene is of revision {revision}, not {expected}: somebody settled something meanwhile"
        raise NarratorError("stale_scene", "scene.revision", message, [str(revision)])
