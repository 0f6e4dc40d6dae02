"""Views of a campaign: what was before, and its log."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from narrator.render import other_views, phrases, roll_view
from narrator.render.view import Line, line

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
    """Say how a campaign stands: the last session, the scene, what counts down and is owed, who is away, open pages."""
    scene = campaign.scene
    yield line((campaign.name, "strong"), (f"   {campaign.ruleset}, revision {scene.revision}", "dim"))
    told = _last_session(campaign.entries(max(0, campaign.last - _LATELY), _LATELY))
    nothing = "Nothing has happened yet: what you type now is about this campaign."
    yield line(("previously:", "label") if told else nothing)
    for each in told[-_LINES:]:
        facts = "; ".join(change.text for change in each.changes if not change.secret)
        yield line(facts if each.kind == "moved" and facts else each.text, indent=2)
    yield line(("now: ", "label"), scene.summary or "a scene without a summary", " (it is over)" if scene.ended else "")
    yield from (replace(each, indent=2) for each in other_views.scene(scene))
    secret = [f"{each.name} {each.ticked} of {each.boxes}" for each in scene.clocks if each.secret]
    if secret:
        yield line((f"clocks, {phrases.GM_ALONE}: {'; '.join(secret)}", "dim"))
    yield from roll_view.standing(scene)
    if scene.away:
        yield line((f"away: {phrases.either((each.name for each in scene.away), 'and')}", "dim"))
    for page in campaign.pages:
        action = page.request.action
        yield line((f"open: {page.id}, {action.actor}, {action.intent or phrases.plain(action.type)}", "note"))


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


def log(entries: Iterable["Entry"], *, is_whole: bool) -> Iterator[Line]:
    """Tell the entries as a story, each with its number, kind and time beside it; or all, what was taken back too."""
    for each in entries:
        if is_whole or not (each.undone or each.kind in ("undone", "redone")):
            back = ", taken back" if each.undone else ""
            first, *more = entry(each, 0)
            yield first
            yield line((f"{each.seq}, {each.kind}{back}, {each.at[:16].replace('T', ' ')}", "dim"), indent=4)
            yield from (replace(told, indent=4) for told in more if each.kind in ("settled", "moved"))
