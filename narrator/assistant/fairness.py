"""Rules for a chat as GM: a roll stands, and its cost is chosen before that side rolls again."""

import json
from collections.abc import Iterator, Set
from typing import Any
from unicodedata import normalize

from narrator.api import rolls
from narrator.api.judgement import spoken
from narrator.campaign.campaign import Campaign
from narrator.campaign.records import Page
from narrator.errors import RequestError
from narrator.render import phrases
from narrator.rules.json_text import Json
from narrator.rules.request.action import Action
from narrator.rules.request.scene import ANYONE, GM, Character, Scene
from narrator.rules.resolve.resolution import Resolution
from narrator.rules.settle.changes import Change, Settled

_LATELY = 200
"""The same roll is searched in this many last pages."""
_MOST_OPEN = 20
"""Limit for open pages."""
_OF_PEOPLE = ("skills", "aspects", "zone", "taken_out", "conceded")
"""A character may try the same again if one of these fields, or a consequence, has changed."""
_COSTS = ("serious_cost", "minor_cost")
_HARM = ("hit", "stress")
_STUNT = 2
"""The bonus of a stunt (Fate Core SRD, "Adding a Bonus to an Action")."""
_SHEET = ("skills", "aspects", "refresh", "consequences", "importance", "taken_out", "conceded", "fate_points")
"""The fields of a character that belong to the player."""
_SAFETY, _OF_TABLE = ("lines", "veils"), ("language", "gm_fate_points")
"""Fields of the scene that no move may change without asking, and fields that only moves by the book may change."""
_BY_THE_BOOK = ("compel", "conflict", "turn", "exchange", "end_conflict", "end_scene", "scene")
"""Moves whose effects on a player's character the rules define."""
_NAMED = ("sides", "skills", "stress", "free_invocations")
"""Fields whose keys are words of the table."""


def standing(campaign: Campaign, found: Resolution, intent: str, scene: Scene) -> Page | None:
    """Find an earlier page of the same actor, action, skill and target that still stands: it is open, or nothing that
    affects it has changed. If its goal was attained, another intent makes it another roll.
    """
    for page in reversed(campaign.lately(_LATELY)):
        if not _is_same(page, found, scene):
            continue
        if page.state == "struck":
            return None
        is_other = _plain(page.request.action.intent) != _plain(intent)
        was_attained = all(each.goal == "attained" for each in page.answer.resolution.branches)
        if page.state == "open" or not (_differs(page.request.scene, scene) or (is_other and was_attained)):
            return page
    return None


def check_paid(campaign: Campaign, actor: str, scene: Scene, but: str | None = None) -> None:
    """Raise `unsettled` if this side has not chosen a cost or harm of an earlier roll, or if too many rolls are open.
    The page `but` does not count.
    """
    pages = [page for page in campaign.pages if page.id != but]
    if len(pages) >= _MOST_OPEN:
        raise RequestError(
            "unsettled", "action", f"{len(pages)} rolls are open: settle some first, such as {pages[0].id}"
        )
    for page in pages:
        found = page.answer.resolution
        if any(_sides(actor, page, scene) & _sides(name, page, scene) for name in _owing(found)):
            came = f"{found.action.actor}, {phrases.outcome(found.outcome, found.shifts)}"
            branches = ", ".join(each.id for each in found.branches)
            only = "only the person may let it have no effect (none)"
            message = f"settle {page.id} first ({came}), by one of {branches}; {only}"
            raise RequestError("unsettled", "action.actor", message)


def check_unmoved(campaign: Campaign, page: Page) -> None:
    """Raise `stale_scene` if the changed scene alone would give an open roll another result."""
    request = campaign.request(page.request.action, seed=page.request.seed, over=page.over)
    was, now = page.answer.resolution, rolls.resolve(request, rulesets=campaign.rulesets)
    if (was.outcome, was.shifts) != (now.outcome, now.shifts):
        message = f"the scene has changed, and {page.id} would now end differently: undo the change, or roll again"
        raise RequestError("stale_scene", "page", message)


def bonus_of(action: Action) -> str | None:
    """Write the question about bonuses larger than a stunt's, or None if there are none."""
    added = {action.actor: action.bonus, "the opposition": getattr(action.opposition, "bonus", 0)}
    told = ", ".join(f"{each:+} for {whom}" for whom, each in added.items() if abs(each) > _STUNT)
    return f"{action.actor}, {action.type}: a bonus of {told}?" if told else None


def asks_the_person(kind: object, before: Scene, made: Settled) -> str | None:
    """Write the question about a move that changes something of a player or the table. None if it does not."""
    now, by_the_book = made.scene, kind in _BY_THE_BOOK
    were, are = ({each.name: each for each in (*scene.characters, *scene.away)} for scene in (before, now))
    players = [each for each in are.values() if each.importance == "pc"]
    is_theirs = any(each.name not in were or _sheet(were[each.name]) != _sheet(each) for each in players)
    fields = _SAFETY if by_the_book else (*_SAFETY, *_OF_TABLE)
    of_table = any(getattr(before, name) != getattr(now, name) for name in fields)
    if not of_table and not (is_theirs and not by_the_book) and _free(now) <= _free(before):
        return None
    told = "; ".join(map(_in_full, made.changes))
    return f"Allow the move {phrases.plain(str(kind))}? {told}"


def check_words(told: Any, field: str, campaign: Campaign) -> None:
    """Raise `bad_request` if words in a move or choice fail the check. Words of a roll (`action`) are the player's and
    may state a mechanic.
    """
    scene = campaign.scene
    listed = scene.model_dump(mode="json", exclude={"lines", "veils", "struck", "recent"})
    known = {ANYONE, *(text for _, text in _texts(listed, "scene"))}
    for place, text in _texts(told, field):
        # Names of moves are written with underscores.
        found = None if text in known else spoken(text.replace("_", " "), scene, campaign.played)
        if found is not None and (field, found.code) != ("action", "mechanics_in_text"):
            raise RequestError("bad_request", place, f"{found.code}: {found.message}")


def _in_full(change: Change) -> str:
    """The text of a change. For a new field or a new character, also its whole content."""
    if change.type not in ("field", "entered"):
        return change.text
    told = change.after
    told = {name: part for name, part in told.items() if part} if isinstance(told, dict) else told
    return f"{change.text} ({json.dumps(told, ensure_ascii=False)})"


def _owing(found: Resolution) -> Iterator[str]:
    """The names of those who have a cost or harm to take."""
    if any(slot.kind in _COSTS for slot in found.slots()):
        yield found.action.actor
    yield from (name for each in found.branches for grant in each.grants if grant.type in _HARM for name in grant.to)


def _sides(name: str, page: Page, scene: Scene) -> Set[str]:
    """The sides that somebody is on, or was on when a page was made. The GM is on every side without players."""
    people = (*page.request.scene.characters, *scene.characters, *scene.away)
    players = {each.side for each in people if each.importance == "pc"}
    if name == GM:
        return {each.side for each in people} - players | {GM}
    return {each.side for each in people if _plain(each.name) == _plain(name)} or {_plain(name)}


def _is_same(page: Page, now: Resolution, scene: Scene) -> bool:
    """Whether two rolls try the same thing. If one of them names no target, the targets count as equal."""
    was = page.answer.resolution
    whom = [each.action.target or each.opposition.by for each in (was, now)]
    return _key(was, page.request.scene) == _key(now, scene) and (None in whom or whom[0] == whom[1])


def _key(found: Resolution, scene: Scene) -> tuple[str, str, Set[str]]:
    """The actor, the action, and those of skill and attribute that the actor has a rating in."""
    action = found.action
    sheet = [each.skills for each in scene.characters if each.name == action.actor]
    rated = {_plain(name) for skills in sheet for name, rating in skills.items() if rating}
    used = {_plain(name) for name in (action.skill, action.attribute) if name}
    return _plain(action.actor), action.type, used & rated if sheet else used


def _plain(text: str) -> str:
    """A name or intent without case, spaces and punctuation."""
    return "".join(sign for sign in normalize("NFKC", text).casefold() if sign.isalnum())


def _differs(before: Scene, now: Scene) -> bool:
    """Whether something that affects a roll has changed. Clocks, fate points and used boosts do not count."""
    were, are = ({(_plain(each.name), each.on) for each in scene.aspects} for scene in (before, now))
    lasting = {(_plain(each.name), each.on) for each in before.aspects if not each.boost}
    return bool(are - were or lasting - are) or _bearing(before) != _bearing(now)


def _bearing(scene: Scene) -> Json:
    """The parts of a scene that affect a roll, except its aspects, by name, because the order does not matter."""
    told = scene.model_dump(include={"frame", "contest", "challenge", "conflict", "ended"})
    told["zones"] = {each.name: {*each.aspects} for each in scene.zones}
    told["people"] = {each.name: each.model_dump(include={*_OF_PEOPLE}) for each in scene.characters}
    wounds = {each.name: [level.name for level in each.consequences or () if level.name] for each in scene.characters}
    return {**told, "wounds": wounds}


def _sheet(character: Character) -> Json:
    """The fields that belong to a character's player. Free consequence levels do not count."""
    told: Json = character.model_dump(include={*_SHEET})
    return {**told, "consequences": [each for each in told["consequences"] or () if each["name"]]}


def _free(scene: Scene) -> int:
    """The number of free invocations."""
    return sum(sum(each.free_invocations.values()) for each in scene.aspects)


def _texts(value: Any, field: str) -> list[tuple[str, str]]:
    """All texts in a value, and all names that are keys in it, with their fields."""
    if isinstance(value, str):
        return [(field, value)]
    several = isinstance(value, list | tuple)
    parts = [*value.items()] if isinstance(value, dict) else [*enumerate(value)] if several else []
    keys = [(field, name) for name, _ in parts if isinstance(name, str) and field.rpartition(".")[2] in _NAMED]
    return [*keys, *(each for name, part in parts for each in _texts(part, f"{field}.{name}"))]
