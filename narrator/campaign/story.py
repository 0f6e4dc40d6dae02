"""What an entry says in a line: what was settled, moved or taken back, without what is secret."""

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
"""Fields of a move that say what it is about, the first of them that is told."""

_AGAIN = {"entered": "left", "left": "entered"}
"""What a change is called the other way round, where that has a name of its own."""


def said(suggestions: Iterable[object], forms: Mapping[Name, FormSpec]) -> tuple[Said, ...]:
    """The words of a choice that was entered."""
    told = (data_of(each) for each in suggestions)
    secret = {name: form.secret or None for name, form in forms.items()}
    return tuple(
        Said(form=each["form"], name=each.get("name"), detail=each.get("detail") or None, secret=secret[each["form"]])
        for each in told
    )


def settled(action: Action, resolution: Resolution, branch: Branch, words: Iterable[Said]) -> str:
    """Say what was tried, what came of it, what was chosen, and the words that may be heard."""
    chose = "" if branch.label.casefold() == phrases.plain(resolution.outcome) else f" {branch.label}."
    heard = (
        f"({phrases.GM_ALONE})" if each.secret else ": ".join(filter(None, (each.name, each.detail))) for each in words
    )
    return " ".join((f"{tried(action, resolution)}{chose}", *heard))


def tried(action: Action, resolution: Resolution) -> str:
    """Say what was tried, and what came of it."""
    came = phrases.outcome(resolution.outcome, resolution.shifts)
    ours, theirs = resolution.roll, resolution.opposition.total
    rolled = "" if ours is None else f" ({' '.join(filter(None, (action.skill, str(ours.total))))} against {theirs})"
    return f"{action.actor}, {action.intent or phrases.plain(action.type)}{rolled}: {came}."


def moved(move: Mapping[str, Any], secrets: Collection[str]) -> str:
    """Say what kind of move was made, and what about, unless that is a secret."""
    about = next((move[field] for field in _SUBJECTS if move.get(field)), None)
    about = about.get("name") if isinstance(about, Mapping) else about
    several = about if isinstance(about, list | tuple) else () if about is None else (about,)
    heard = dict.fromkeys(f"({phrases.GM_ALONE})" if each in secrets else str(each) for each in several)
    about = phrases.either(heard, "and") if heard else None
    return ": ".join(filter(None, (phrases.plain(move["type"]).capitalize(), about)))


def again(entry: Entry) -> str:
    """Say what is taken back or done again; what was noted may be the GM's own."""
    return "a note" if entry.kind == "noted" else entry.text


def taken_back(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The same changes the other way round: what stood before is there again."""
    back = ({**dict(each), "before": each.after, "after": each.before} for each in reversed([*changes]))
    return tuple(
        Change(**{**each, "type": _AGAIN.get(each["type"], each["type"]), "text": f"Taken back: {each['text']}"})
        for each in back
    )
