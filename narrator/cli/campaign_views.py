"""Views of a campaign: what was before, and its log."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from narrator.render import phrases, roll_view
from narrator.render.view import Line, line
from narrator.rules.request.scene import Character

if TYPE_CHECKING:
    from narrator.campaign.campaign import Campaign
    from narrator.campaign.records import Entry

_LATELY = 500
"""How many entries back a session is looked for."""

_LINES = 12
"""How many of them are told again."""


def heading(campaign: "Campaign", page: str | None = None) -> Line:
    """The first line of a page: which campaign it is about, and where in it."""
    return line(("in ", "dim"), (campaign.name, "label"), (f", page {page}" if page else "", "dim"))


def previously(campaign: "Campaign") -> Iterator[Line]:
    """Say how a campaign stands: the last session, who is hurt, what counts down, what is owed, who is away."""
    scene = campaign.scene
    known = campaign.entries(max(0, campaign.last - _LATELY), _LATELY)
    yield line((campaign.name, "strong"), (f"   {campaign.ruleset}", "dim"))
    told = _last_session(known)
    nothing = "Nothing has happened yet: what you type now is about this campaign."
    yield line(("previously:", "label") if told else nothing)
    yield from (line(each.text, indent=2) for each in told[-_LINES:])
    if scene.summary:
        yield line(("now: ", "label"), scene.summary)
    for each in filter(_is_hurt, scene.characters):
        yield line((each.name, "strong"), f"   {phrases.state(each)}", indent=2)
    secret = [f"{each.name} {each.ticked} of {each.boxes}" for each in scene.clocks if each.secret]
    if secret:
        yield line((f"clocks, {phrases.GM_ALONE}: {'; '.join(secret)}", "dim"))
    yield from roll_view.standing(scene)
    if scene.away:
        yield line((f"away: {phrases.either((each.name for each in scene.away), 'and')}", "dim"))
    for page in campaign.pages[-3:]:
        action = page.request.action
        yield line((f"open: {page.id}, {action.actor}, {action.intent or phrases.plain(action.type)}", "note"))


def _is_hurt(somebody: Character) -> bool:
    has_marks = any(each.marked for each in (somebody.stress or {}).values())
    return has_marks or somebody.is_out or any(each.name for each in somebody.consequences or ())


def _last_session(entries: Iterable["Entry"]) -> list["Entry"]:
    """Those that stand since the last session ended, or of that one where nothing came after it."""
    sessions: list[list[Entry]] = [[]]
    for each in entries:
        if each.kind in ("settled", "moved", "noted") and not each.undone:
            sessions[-1].append(each)
            if any(change.on == "ended" and change.after in ("session", "scenario") for change in each.changes):
                sessions.append([])
    return sessions[-1] or sessions[-2 if len(sessions) > 1 else -1]


def entry(told: "Entry", indent: int = 2) -> Iterator[Line]:
    """Say what was written, and what changed that this does not say already."""
    yield line((told.text, "dim" if told.undone else ""), indent=indent)
    for each in told.changes:
        if each.text not in told.text and not (each.type == "fact" and (each.after or each.before) in told.text):
            yield line((each.text, "dim"), indent=indent + 2)


def log(entries: Iterable["Entry"]) -> Iterator[Line]:
    """Tell the entries as a story, each with its number and time beside it, and the roll that it came of."""
    for each in entries:
        back = ", taken back" if each.undone else ""
        first, *more = entry(each, 0)
        yield first
        yield line((f"{each.seq}, {each.at[:16].replace('T', ' ')}{back}", "dim"), indent=4)
        yield from (replace(told, indent=4) for told in more if each.kind in ("settled", "moved"))
