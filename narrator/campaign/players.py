"""The fields of a campaign that players see. A test lists the hidden ones and finds fields that are in neither list."""

from collections.abc import Collection, Iterable
from typing import Any, Literal

from narrator.campaign.records import Entry, Page
from narrator.errors import RequestError
from narrator.render.phrases import GM_ALONE
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.rules.request.action import Request
from narrator.rules.request.scene import ANYONE, GM, Character, Consequence, Scene
from narrator.rules.settle.changes import Change
from narrator.suggestions.pipeline.answer import Answer

Role = Literal["gm", "players"]

SEEN: dict[type[Model], tuple[str, ...]] = {
    Scene: (
        *("summary", "frame", "aspects", "characters", "zones", "tone", "language", "lines", "veils", "revision"),
        *("ended", "contest", "challenge", "conflict", "clocks", "id"),
    ),
    Character: (
        *("name", "side", "called", "pronouns", "group", "zone", "stress", "consequences", "taken_out", "conceded"),
        "id",
    ),
    Request: ("version", "ruleset", "action", "branch", "per_slot"),
    Answer: ("version", "resolution", "suggestions", "drafts", "usage", "notices"),
    Page: ("id", "request", "answer", "revision", "dice", "state"),
}
"""The fields that players see. The list for characters is about the GM's; players' characters are seen whole. Models
that are not listed are seen whole, except parts marked as secret."""

_OF_OTHERS = ("fate_points", "owed", "legend_points", "roar", "mark", "recovering")
"""Changes of the GM's characters that players do not see."""


def seen_by(role: Role, scene: Scene, pages: Iterable[Page], entries: Iterable[Entry]) -> Json:
    """Return what a role may see, as JSON. `bad_request` if there is no such role."""
    if role not in ("gm", "players"):
        raise RequestError("bad_request", "role", "this must be gm or players", ("gm", "players"))
    found = {"pages": (*pages,), "entries": (*entries,)}
    if role == "gm":
        return {"scene": scene.as_json(), **{name: [each.as_json() for each in told] for name, told in found.items()}}
    players = {each.name for each in (*scene.characters, *scene.away) if each.importance == "pc"}
    present = {each.name for each in scene.characters}
    seen = {None, GM, ANYONE, *players, *present, *(each.name for each in scene.zones)}
    found["entries"] = tuple(
        _entry(each, players, present, seen) for each in found["entries"] if isinstance(each, Entry)
    )
    told: Json = _seen({"scene": scene, **found})
    return told


def _seen(told: Any) -> Any:
    """Return the visible part of models, and of containers of models, as JSON."""
    if isinstance(told, tuple):
        return [_seen(each) for each in told if not _is_secret(each)]
    if isinstance(told, dict):
        return {name: _seen(each) for name, each in told.items() if each is not None}
    if isinstance(told, Model) and not (isinstance(told, Character) and told.importance == "pc"):
        return _seen({name: getattr(told, name) for name in SEEN.get(type(told), type(told).model_fields)})
    return told.as_json() if isinstance(told, Model) else told


def _is_secret(told: object) -> bool:
    is_free = isinstance(told, Consequence) and told.name is None
    return bool(getattr(told, "secret", None)) or is_free


def _entry(entry: Entry, players: Collection[str], present: Collection[str], seen: Collection[str | None]) -> Entry:
    text = f"({GM_ALONE})" if entry.kind == "noted" else entry.text
    changes = (
        _change(each) for each in entry.changes if not _is_unseen(each, seen) and not _is_hidden(each, players, present)
    )
    return entry.model_copy(update={"text": text, "changes": tuple(changes)})


def _change(change: Change) -> Change:
    """A change as players see it: a character who comes or goes has only the visible fields."""
    if change.type not in ("entered", "left"):
        return change
    people = {part: getattr(change, part) for part in ("before", "after")}
    seen = {part: each and _seen(Character.model_validate(each, strict=False)) for part, each in people.items()}
    return change.model_copy(update=seen)


def _is_unseen(change: Change, seen: Collection[str | None]) -> bool:
    """Whether a change is about an absent character or contains a secret clock."""
    clocks = [*(change.before or ()), *(change.after or ())] if change.on == "clocks" else []
    is_of_absent = change.who not in seen and change.type not in ("entered", "left")
    return is_of_absent or any(isinstance(each, dict) and each.get("secret") for each in clocks)


def _is_hidden(change: Change, players: Collection[str], present: Collection[str]) -> bool:
    """Whether a change is about a field that players do not see."""
    of = SEEN[Scene if change.who is None else Character]
    is_field = change.type == "field" and (change.on not in of or change.who not in (None, *present))
    return change.type == "fact" or (change.who not in players and (is_field or change.type in _OF_OTHERS))
