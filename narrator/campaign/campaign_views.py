"""Views of a campaign: its recent events, and its log."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from narrator.render import other_views, phrases, roll_view
from narrator.render.view import Line, line

if TYPE_CHECKING:
    from narrator.campaign.campaign import Campaign
    from narrator.campaign.records import Entry

_LATELY = 500
"""The beginning of the session is searched in this many last entries."""

_LINES = 12
"""How many of them are shown."""


def heading(campaign: "Campaign", page: str | None = None) -> Line:
    """The first line of a page: its campaign and its place there."""
    return line(("in ", "dim"), (campaign.name, "label"), (f", page {page}" if page else "", "dim"))


def previously(campaign: "Campaign") -> Iterator[Line]:
    """Summarize a campaign: the last session, the scene, secret clocks, open duties, absent people, open pages."""
    scene = campaign.scene
    yield line((campaign.name, "strong"), (f"   {campaign.ruleset}, revision {scene.revision}", "dim"))
    told = _last_session(campaign.entries(max(0, campaign.last - _LATELY), _LATELY))
    nothing = "Nothing has happened yet. Your next commands are about this campaign."
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
    """The standing entries since the last session ended, or those of that session if there are none since."""
    sessions: list[list[Entry]] = [[]]
    for each in entries:
        if each.kind in ("settled", "moved", "noted") and not each.undone:
            sessions[-1].append(each)
            if any(change.on == "ended" and change.after in ("session", "scenario") for change in each.changes):
                sessions.append([])
    return sessions[-1] or sessions[-2 if len(sessions) > 1 else -1]


def entry(told: "Entry", indent: int = 2) -> Iterator[Line]:
    """Show the text of an entry, and those of its changes that the text does not mention."""
    yield line((told.text, "dim" if told.undone else ""), indent=indent)
    for each in told.changes:
        if each.text not in told.text and not (each.type == "fact" and (each.after or each.before) in told.text):
            yield line((each.text, "dim"), indent=indent + 2)


def log(entries: Iterable["Entry"], *, is_whole: bool) -> Iterator[Line]:
    """List the entries with number, kind and time; if `is_whole`, also those that were taken back."""
    for each in entries:
        if is_whole or not (each.undone or each.kind in ("undone", "redone")):
            back = ", dice told" if each.dice == "told" else ""
            back += ", taken back" if each.undone else ""
            first, *more = entry(each, 0)
            yield first
            yield line((f"{each.seq}, {each.kind}{back}, {each.at[:16].replace('T', ' ')}", "dim"), indent=4)
            yield from (replace(told, indent=4) for told in more if each.kind in ("settled", "moved"))
