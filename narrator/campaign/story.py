"""Writes the one-line text of an entry: what was settled, moved or taken back, without secrets."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from narrator.campaign.records import Entry, Said
from narrator.render import phrases
from narrator.rules.model import Name, data_of
from narrator.rules.request.action import Action
from narrator.rules.resolve.resolution import Branch, Resolution
from narrator.rules.ruleset.row import FormSpec
from narrator.rules.settle.changes import Change

_SUBJECTS = ("who", "name", "character", "aspect", "summary", "kind", "level", "then")
"""Fields of a move that may name its subject. The first one that is present counts."""

_AGAIN = {"entered": "left", "left": "entered"}
"""Types of changes whose reverse has another type."""


def said(suggestions: Iterable[object], forms: Mapping[Name, FormSpec]) -> tuple[Said, ...]:
    """The words of a settled choice."""
    told = (data_of(each) for each in suggestions)
    secret = {name: form.secret or None for name, form in forms.items()}
    return tuple(
        Said(form=each["form"], name=each.get("name"), detail=each.get("detail") or None, secret=secret[each["form"]])
        for each in told
    )


def settled(action: Action, resolution: Resolution, branch: Branch, words: Iterable[Said]) -> str:
    """Describe the action, its outcome, the chosen branch, and the words without secrets."""
    chose = "" if branch.label.casefold() == phrases.plain(resolution.outcome) else f" {branch.label}."
    heard = (
        f"({phrases.GM_ALONE})" if each.secret else ": ".join(filter(None, (each.name, each.detail))) for each in words
    )
    return " ".join((f"{tried(action, resolution)}{chose}", *heard))


def tried(action: Action, resolution: Resolution) -> str:
    """Describe the action and its outcome."""
    came = phrases.outcome(resolution.outcome, resolution.shifts)
    ours, theirs = resolution.roll, resolution.opposition.total
    rolled = "" if ours is None else f" ({' '.join(filter(None, (action.skill, str(ours.total))))} against {theirs})"
    return f"{action.actor}, {action.intent or phrases.plain(action.type)}{rolled}: {came}."


def moved(move: Mapping[str, Any], secrets: Collection[str]) -> str:
    """Name the move and its subject, unless that is a secret."""
    about = next((move[field] for field in _SUBJECTS if move.get(field)), None)
    about = about.get("name") if isinstance(about, Mapping) else about
    several = about if isinstance(about, list | tuple) else () if about is None else (about,)
    heard = dict.fromkeys(f"({phrases.GM_ALONE})" if each in secrets else str(each) for each in several)
    about = phrases.either(heard, "and") if heard else None
    return ": ".join(filter(None, (phrases.plain(move["type"]).capitalize(), about)))


def again(entry: Entry) -> str:
    """Describe an entry that is taken back or redone. The text of a note stays hidden, because it may be secret."""
    return "a note" if entry.kind == "noted" else entry.text


def taken_back(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The reverse of these changes."""
    back = ({**dict(each), "before": each.after, "after": each.before} for each in reversed([*changes]))
    return tuple(
        Change(**{**each, "type": _AGAIN.get(each["type"], each["type"]), "text": f"Taken back: {each['text']}"})
        for each in back
    )
