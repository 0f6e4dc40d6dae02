"""What a call wants words for: the row of a roll, the rows that a roll may lead to, or a scene without a roll."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from pydantic import ConfigDict

from narrator import draws
from narrator.api.reading import RequestLike, find_ruleset, read
from narrator.errors import NarratorError
from narrator.rules import resolving
from narrator.rules.action import Deal
from narrator.rules.chances import Fraction
from narrator.rules.model import LIST, NAME_LENGTH, TABLE, Given, Name, data_of
from narrator.rules.near import meant
from narrator.rules.preparing import likely
from narrator.rules.ruleset import Ruleset
from narrator.rules.ruling import Ruling
from narrator.rules.scene import Scene
from narrator.rules.without_roll import WORD_KINDS, WordKind, request_for, without_roll as laid_out
from narrator.suggestions.answer import Prepared
from narrator.suggestions.brief import Purpose
from narrator.suggestions.rows import Rows

PreparedLike: TypeAlias = Prepared | Mapping[str, Any] | str | bytes
"""What `prepare` gave, however it comes back: the model, a mapping, or JSON text."""

SceneLike: TypeAlias = Mapping[str, Any] | Scene | str | bytes
"""A scene, however it comes."""


_SAID = ("slot", "form", "to", "name", "detail", "severity", "source", "card")
"""What counts of a suggestion that was prepared: what its form gives is the row's that fell, at its own shifts."""


class _GivenRow(Given):
    model_config = ConfigDict(extra="ignore")

    suggestions: Annotated[tuple[Any, ...], LIST] = ()


class _GivenPrepared(Given):
    model_config = ConfigDict(extra="ignore")

    rows: Annotated[dict[Name, _GivenRow], TABLE]
    deal: Deal | None = None


@dataclass(frozen=True)
class Material:
    """Rows that want words, what the words are for, and those that were found before, to be judged first."""

    rows: Rows
    purpose: Purpose = "roll"
    given: tuple[Any, ...] = ()


def of_roll(request: RequestLike, rulesets: Iterable[Ruleset], prepared: PreparedLike | None = None) -> Material:
    """Resolve a request. Of what was prepared, what is for the row that fell is taken up.

    Raises:
        NarratorError: As `resolve`, and `bad_request` for what `prepare` never gave.
    """
    asked, ruleset = read(request, rulesets)
    had = None if prepared is None else _read(prepared)
    if had is not None and asked.deal is None:
        asked = asked.model_copy(update={"deal": had.deal})
    asked = draws.dealt(draws.rolled(asked))
    ruling = resolving.rule(asked, ruleset)
    return Material(Rows([ruling]), given=() if had is None else _for(ruling, had))


def before_roll(
    request: RequestLike, threshold: float, rulesets: Iterable[Ruleset]
) -> tuple[Material, tuple[tuple[Ruling, Fraction], ...]]:
    """Resolve each outcome that a roll may have with at least this chance.

    Raises:
        NarratorError: As `odds`, and `bad_request` for a threshold that is none.
    """
    if isinstance(threshold, bool) or not isinstance(threshold, int | float) or not 0 <= threshold <= 1:
        raise NarratorError("bad_request", "threshold", "this must be a number from 0 to 1: the least chance of a row")
    asked, ruleset = read(request, rulesets)
    rows = likely(draws.dealt(asked), ruleset, threshold)
    if not rows:
        message = f"no outcome has a chance of {threshold:g} or more"
        raise NarratorError("bad_request", "threshold", message)
    return Material(Rows([ruling for ruling, _ in rows]), "prepare"), rows


def without_roll(
    scene: SceneLike,
    kind: WordKind,
    about: str | None,
    *,
    per_slot: int,
    deal: int | None,
    ruleset: str,
    rulesets: Iterable[Ruleset],
) -> Material:
    """Lay out what was asked of a scene.

    Raises:
        NarratorError: For a kind, a scene or a name that is none, with what would have been right.
    """
    if kind not in WORD_KINDS:
        message = f"there are no words of this kind{meant(kind, WORD_KINDS) if isinstance(kind, str) else ''}"
        raise NarratorError("bad_request", "kind", message, list(WORD_KINDS))
    if about is not None and not (isinstance(about, str) and 0 < len(about) <= NAME_LENGTH):
        raise NarratorError("bad_request", "about", f"this must be text of 1 to {NAME_LENGTH} characters")
    read_of, tables = Scene.read(scene, "scene"), find_ruleset(ruleset, rulesets)
    asked = request_for(read_of, kind, about, ruleset=tables.name, per_slot=per_slot, deal=deal)
    return Material(Rows([laid_out(draws.dealt(asked), tables)]), "word")


def _read(prepared: PreparedLike) -> _GivenPrepared:
    return _GivenPrepared.read(data_of(prepared), "prepared")


def _for(ruling: Ruling, prepared: _GivenPrepared) -> tuple[Any, ...]:
    """The suggestions that were prepared for a row: those for another branch than was asked for are passed over."""
    found = prepared.rows.get(ruling.resolution.outcome)
    wanted = [slot.id for slot in ruling.slots]
    return tuple(
        {name: each[name] for name in _SAID if name in each} if isinstance(each, Mapping) else each
        for each in map(data_of, found.suggestions if found is not None else ())
        if not isinstance(each, Mapping) or not isinstance(each.get("slot"), str) or each["slot"] in wanted
    )
