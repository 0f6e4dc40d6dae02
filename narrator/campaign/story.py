"""What an entry says in a line: what was settled, moved or taken back, without what is secret."""

from collections.abc import Iterable, Mapping
from typing import Any

from narrator.campaign.records import Entry, Said
from narrator.errors import visible
from narrator.render import phrases
from narrator.rules.model import Name, data_of
from narrator.rules.request.action import Action
from narrator.rules.resolve.resolution import Branch, Resolution
from narrator.rules.ruleset.row import FormSpec
from narrator.rules.settle.changes import Change

_SUBJECTS = ("who", "name", "character", "aspect", "summary", "kind", "level", "then")
"""Fields of a move that say what it is about, the first of them that is told."""

_AGAIN = {"entered": "left", "left": "entered"}
"""What a change is called the other way round, where that has a name of its own."""


def said(suggestions: Iterable[object], forms: Mapping[Name, FormSpec]) -> tuple[Said, ...]:
    """The words of a choice that was entered."""
    given = [data_of(each) for each in suggestions]
    return tuple(
        Said(
            form=each["form"],
            name=each.get("name"),
            detail=each.get("detail") or None,
            secret=forms[each["form"]].secret or None,
        )
        for each in given
    )


def settled(action: Action, resolution: Resolution, branch: Branch, words: Iterable[Said]) -> str:
    """Say what was tried, what came of it, what was chosen, and the words that may be heard."""
    came = phrases.outcome(resolution.outcome, resolution.shifts)
    chose = "" if branch.label.casefold() == phrases.plain(resolution.outcome) else f" {branch.label}."
    told = f"{action.actor}, {action.intent or phrases.plain(action.type)}: {came}.{chose}"
    return visible(" ".join((told, *map(_words, words))))


def _words(given: Said) -> str:
    if given.secret:
        return f"({phrases.GM_ALONE})"
    return ": ".join(text for text in (given.name, given.detail) if text)


def moved(move: Mapping[str, Any], changes: Iterable[Change]) -> str:
    """Say what kind of move was made, and what about, unless that is a secret."""
    about = next((move[field] for field in _SUBJECTS if move.get(field)), "")
    if isinstance(about, Mapping):
        about = about.get("name", "")
    if isinstance(about, list | tuple):
        about = phrases.either(map(str, about), "and")
    kind = phrases.plain(str(move["type"])).capitalize()
    if any(each.secret for each in changes):
        about = f"({phrases.GM_ALONE})"
    return visible(f"{kind}: {about}" if about else kind)


def again(entry: Entry) -> str:
    """Say what is taken back or done again; what was noted may be the GM's own."""
    return "a note" if entry.kind == "noted" else entry.text


def taken_back(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The same changes the other way round: what stood before is there again."""
    return tuple(
        change.model_copy(
            update={
                "type": _AGAIN.get(change.type, change.type),
                "before": change.after,
                "after": change.before,
                "text": f"Taken back: {change.text}",
            }
        )
        for change in reversed([*changes])
    )
