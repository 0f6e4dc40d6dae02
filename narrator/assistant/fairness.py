"""What keeps a table fair whose GM is a chat: a roll stands, and its cost is chosen before that side rolls again."""

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
"""Pages that are looked through for the same roll."""
_MOST_OPEN = 20
"""Pages that wait for a choice at once."""
_OF_PEOPLE = ("skills", "aspects", "zone", "taken_out", "conceded")
"""What has to change of somebody so that they may try the same once more, beside what they have suffered."""
_COSTS = ("serious_cost", "minor_cost")
_HARM = ("hit", "stress")
_STUNT = 2
"""What a stunt adds (Fate Core SRD, "Adding a Bonus to an Action")."""
_SHEET = ("skills", "aspects", "refresh", "consequences", "importance", "taken_out", "conceded", "fate_points")
"""What is a player's own."""
_SAFETY, _OF_TABLE = ("lines", "veils"), ("language", "gm_fate_points")
"""What of the scene no move changes unasked, and what none does but those by the book."""
_BY_THE_BOOK = ("compel", "conflict", "turn", "exchange", "end_conflict", "end_scene", "scene")
"""Moves of which the rules say what they give and cost a player's character."""
_NAMED = ("sides", "skills", "stress", "free_invocations")
"""Fields whose keys are words of the table's."""


def standing(campaign: Campaign, found: Resolution, intent: str, scene: Scene) -> Page | None:
    """Find the page that a roll is, where it was made before: by the same actor, action, skill and target, and it is
    open, or what bears on it is as it was. Another intent is another roll once the first was attained.
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
    """Raise `unsettled` where a roll before leaves a cost or harm of this side unchosen, or too many are open; `but` is
    a page that counts as none.
    """
    pages = [page for page in campaign.pages if page.id != but]
    if len(pages) >= _MOST_OPEN:
        raise RequestError("unsettled", "action", f"{len(pages)} rolls are open: settle some, {pages[0].id} first")
    for page in pages:
        found = page.answer.resolution
        if any(_sides(actor, page, scene) & _sides(name, page, scene) for name in _owing(found)):
            came = f"{found.action.actor}, {phrases.outcome(found.outcome, found.shifts)}"
            branches = ", ".join(each.id for each in found.branches)
            message = f"{page.id} comes first ({came}): settle it ({branches}); none is the person's to say"
            raise RequestError("unsettled", "action.actor", message)


def check_unmoved(campaign: Campaign, page: Page) -> None:
    """Raise `stale_scene` where an open roll would come to something else by now without any aspect invoked."""
    request = campaign.request(page.request.action, seed=page.request.seed, over=page.over)
    was, now = page.answer.resolution, rolls.resolve(request, rulesets=campaign.rulesets)
    if (was.outcome, was.shifts) != (now.outcome, now.shifts):
        message = f"the scene is another by now, and {page.id} would be too: take that back, or have it thrown again"
        raise RequestError("stale_scene", "page", message)


def bonus_of(action: Action) -> str | None:
    """Say what is added to a side beyond what a stunt gives, which the person at the table is asked; None: no more."""
    added = {action.actor: action.bonus, "the opposition": getattr(action.opposition, "bonus", 0)}
    told = ", ".join(f"{each:+} for {whom}" for whom, each in added.items() if abs(each) > _STUNT)
    return f"{action.actor}, {action.type}: a bonus of {told}?" if told else None


def asks_the_person(kind: object, before: Scene, made: Settled) -> str | None:
    """Say what a move would change that is a player's or the table's own, as a question; None: nothing of theirs."""
    now, by_the_book = made.scene, kind in _BY_THE_BOOK
    were, are = ({each.name: each for each in (*scene.characters, *scene.away)} for scene in (before, now))
    players = [each for each in are.values() if each.importance == "pc"]
    is_theirs = any(each.name not in were or _sheet(were[each.name]) != _sheet(each) for each in players)
    fields = _SAFETY if by_the_book else (*_SAFETY, *_OF_TABLE)
    of_table = any(getattr(before, name) != getattr(now, name) for name in fields)
    if not of_table and not (is_theirs and not by_the_book) and _free(now) <= _free(before):
        return None
    told = "; ".join(map(_in_full, made.changes))
    return f"{phrases.plain(str(kind)).capitalize()}: allow it? It changes: {told}"


def check_words(told: Any, field: str, campaign: Campaign) -> None:
    """Raise `bad_request` for words in a move or choice that the table does not want, or that are none to say aloud;
    those of a roll (`action`) are the player's, and may state a mechanic.
    """
    scene = campaign.scene
    listed = scene.model_dump(mode="json", exclude={"lines", "veils", "struck", "recent"})
    known = {ANYONE, *(text for _, text in _texts(listed, "scene"))}
    for place, text in _texts(told, field):
        # A move's own names are written so.
        found = None if text in known else spoken(text.replace("_", " "), scene, campaign.played)
        if found is not None and (field, found.code) != ("action", "mechanics_in_text"):
            raise RequestError("bad_request", place, f"{found.code}: {found.message}")


def _in_full(change: Change) -> str:
    """What a change says; of a field that is written anew, and of somebody new, all that stands there then."""
    if change.type not in ("field", "entered"):
        return change.text
    told = change.after
    told = {name: part for name, part in told.items() if part} if isinstance(told, dict) else told
    return f"{change.text} ({json.dumps(told, ensure_ascii=False)})"


def _owing(found: Resolution) -> Iterator[str]:
    """Who has a cost or harm to take."""
    if any(slot.kind in _COSTS for slot in found.slots()):
        yield found.action.actor
    yield from (name for each in found.branches for grant in each.grants if grant.type in _HARM for name in grant.to)


def _sides(name: str, page: Page, scene: Scene) -> Set[str]:
    """The sides that somebody is on, or was on when a page was made; the GM is on every side without a player's."""
    people = (*page.request.scene.characters, *scene.characters, *scene.away)
    players = {each.side for each in people if each.importance == "pc"}
    if name == GM:
        return {each.side for each in people} - players | {GM}
    return {each.side for each in people if _plain(each.name) == _plain(name)} or {_plain(name)}


def _is_same(page: Page, now: Resolution, scene: Scene) -> bool:
    """Whether it is the same that is tried; who leaves out on whom it is tries no other thing."""
    was = page.answer.resolution
    whom = [each.action.target or each.opposition.by for each in (was, now)]
    return _key(was, page.request.scene) == _key(now, scene) and (None in whom or whom[0] == whom[1])


def _key(found: Resolution, scene: Scene) -> tuple[str, str, Set[str]]:
    """Actor, action, and what of skill and attribute counts for them."""
    action = found.action
    sheet = [each.skills for each in scene.characters if each.name == action.actor]
    rated = {_plain(name) for skills in sheet for name, rating in skills.items() if rating}
    used = {_plain(name) for name in (action.skill, action.attribute) if name}
    return _plain(action.actor), action.type, used & rated if sheet else used


def _plain(text: str) -> str:
    """A name or intent without what looks alike: case, blanks, and signs that are no letters or digits."""
    return "".join(sign for sign in normalize("NFKC", text).casefold() if sign.isalnum())


def _differs(before: Scene, now: Scene) -> bool:
    """Whether a scene has changed in what bears on a roll: not in a clock, a purse or a boost that was used up."""
    were, are = ({(_plain(each.name), each.on) for each in scene.aspects} for scene in (before, now))
    lasting = {(_plain(each.name), each.on) for each in before.aspects if not each.boost}
    return bool(are - were or lasting - are) or _bearing(before) != _bearing(now)


def _bearing(scene: Scene) -> Json:
    """What of a scene bears on a roll, beside its aspects: by name, for the order of people is nothing."""
    told = scene.model_dump(include={"frame", "contest", "challenge", "conflict", "ended"})
    told["zones"] = {each.name: {*each.aspects} for each in scene.zones}
    told["people"] = {each.name: each.model_dump(include={*_OF_PEOPLE}) for each in scene.characters}
    wounds = {each.name: [level.name for level in each.consequences or () if level.name] for each in scene.characters}
    return {**told, "wounds": wounds}


def _sheet(character: Character) -> Json:
    """What of somebody is theirs: levels that are free, and those that nobody wrote down yet, are alike."""
    told: Json = character.model_dump(include={*_SHEET})
    return {**told, "consequences": [each for each in told["consequences"] or () if each["name"]]}


def _free(scene: Scene) -> int:
    """How many free invocations there are."""
    return sum(sum(each.free_invocations.values()) for each in scene.aspects)


def _texts(value: Any, field: str) -> list[tuple[str, str]]:
    """Every text in a value, and every name that is a key there, each with its field."""
    if isinstance(value, str):
        return [(field, value)]
    several = isinstance(value, list | tuple)
    parts = [*value.items()] if isinstance(value, dict) else [*enumerate(value)] if several else []
    keys = [(field, name) for name, _ in parts if isinstance(name, str) and field.rpartition(".")[2] in _NAMED]
    return [*keys, *(each for name, part in parts for each in _texts(part, f"{field}.{name}"))]
