"""What players see of a campaign, field by field: what stands in neither list here fails a test."""

from collections.abc import Collection, Iterable
from typing import Literal

from narrator.campaign.records import Entry, Page
from narrator.errors import RequestError
from narrator.render.phrases import GM_ALONE
from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.rules.request.action import Request
from narrator.rules.request.scene import Character, Scene
from narrator.rules.request.trackers import Clock
from narrator.rules.settle.changes import Change
from narrator.suggestions.pipeline.answer import Answer

Role = Literal["gm", "players"]

SEEN: dict[type[Model], frozenset[str]] = {
    Scene: frozenset(
        ("summary", "frame", "aspects", "characters", "zones", "tone", "language", "lines", "veils", "revision")
    )
    | {"ended", "contest", "challenge", "conflict", "clocks", "id"},
    Character: frozenset(("name", "side", "called", "pronouns", "group", "zone", "stress", "consequences"))
    | {"taken_out", "conceded", "id"},
    Clock: frozenset(("name", "boxes", "ticked", "secret")),
    Request: frozenset(("version", "ruleset", "action", "branch", "per_slot")),
    Answer: frozenset(("version", "resolution", "suggestions", "drafts", "usage", "notices")),
    Page: frozenset(("id", "request", "answer", "revision", "dice", "state")),
    Entry: frozenset(("seq", "at", "kind", "page", "text", "said", "changes", "revision", "undone")),
}
"""The fields that players see; of characters, of those who are not players'. A player's character is seen whole."""

HIDDEN: dict[type[Model], frozenset[str]] = {
    Scene: frozenset(("facts", "recent", "dealt", "struck", "away", "gm_fate_points", "gm_carried", "stage")),
    Character: frozenset(("importance", "skills", "aspects", "fate_points", "refresh", "fate_points_owed", "weight"))
    | {"bad_at", "roar", "legend_points", "lethal_next_attack", "forfeits_next_contest_roll", "disarmed"},
    Clock: frozenset(),
    Request: frozenset(("scene", "deal", "seed")),
    Answer: frozenset(("rejected", "deal", "dealt")),
    Page: frozenset(),
    Entry: frozenset(),
}
"""The fields that they do not."""


_OF_OTHERS = frozenset(("fate_points", "owed", "legend_points", "roar", "mark", "recovering"))
"""Changes that tell of what players do not see of others."""


def seen_by(role: Role, scene: Scene, pages: Iterable[Page], entries: Iterable[Entry]) -> Json:
    """What somebody in a role may see.

    Raises:
        NarratorError: `bad_request` for a role that there is not.
    """
    if role not in ("gm", "players"):
        raise RequestError("bad_request", "role", "somebody is the GM, or one of the players", ("gm", "players"))
    if role == "gm":
        told = {"pages": [each.as_json() for each in pages], "entries": [each.as_json() for each in entries]}
        return {"scene": scene.as_json(), **told}
    players = {each.name for each in (*scene.characters, *scene.away) if each.importance == "pc"}
    seen = [*map(_page, pages)], [_entry(each, players) for each in entries]
    return {"scene": _scene(scene), "pages": seen[0], "entries": seen[1]}


def _part(model: Model) -> Json:
    return {name: value for name, value in model.as_json().items() if name in SEEN[type(model)]}


def _scene(scene: Scene) -> Json:
    return {
        **_part(scene),
        "characters": [_character(each) for each in scene.characters],
        "clocks": [_part(each) for each in scene.clocks if not each.secret],
    }


def _character(somebody: Character) -> Json:
    if somebody.importance == "pc":
        return somebody.as_json()
    told = _part(somebody)
    if somebody.consequences is not None:
        told["consequences"] = [each.as_json() for each in somebody.consequences if each.name is not None]
    return told


def _page(page: Page) -> Json:
    """A page without secret suggestions, and without the forms that they have."""
    answer = _part(page.answer)
    for part in ("suggestions", "drafts"):
        if part in answer:
            answer[part] = [each for each in answer[part] if not each.get("secret")]
    for branch in answer["resolution"]["branches"]:
        for slot in branch["slots"]:
            slot["forms"] = [form for form in slot["forms"] if not form.get("secret")]
    return {**_part(page), "request": _part(page.request), "answer": answer}


def _entry(entry: Entry, players: Collection[str]) -> Json:
    told = _part(entry)
    if entry.kind == "noted":
        told["text"] = f"({GM_ALONE})"
    told["said"] = [each.as_json() for each in entry.said if not each.secret]
    told["changes"] = [_change(each) for each in entry.changes if not _is_hidden(each, players)]
    return told


def _change(change: Change) -> Json:
    """A change, with somebody who comes or goes as players see them."""
    told = change.as_json()
    if change.type in ("entered", "left"):
        for part in ("before", "after"):
            if part in told:
                told[part] = _character(Character.model_validate(told[part], strict=False))
    return told


def _is_hidden(change: Change, players: Collection[str]) -> bool:
    """Whether a change tells of what players do not see."""
    if change.secret or change.type == "fact":
        return True
    if change.type == "field":
        of = SEEN[Scene if change.who is None else Character]
        return change.who not in players and change.on not in of
    return change.type in _OF_OTHERS and change.who not in players
