"""The documents of the page: fills the template of each address and escapes the text."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from io import StringIO
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from narrator.campaign import campaign_views
from narrator.campaign.campaign import Campaign
from narrator.campaign.records import Entry
from narrator.errors import NarratorError, RequestError
from narrator.line.reading import ReadLine
from narrator.page.draft import Draft
from narrator.page.ending import sheet
from narrator.page.form import Form
from narrator.page.offers import offers, used
from narrator.page.outcome import Outcome, mark_of
from narrator.page.rolling import SUMS, Rolling
from narrator.page.table import Table
from narrator.render import phrases, surfaces
from narrator.render.view import Answered, Line
from narrator.rules.model import Model
from narrator.rules.request.scene import Character, Scene
from narrator.rules.ruleset.row import FAIL
from narrator.rules.settle.suggestion import Suggestion

_OUTCOMES = {"succeed": "Success", "succeed_with_style": "With style"}

_WRITTEN = ("settled", "again", "moved", "noted", "redone")

NOTHING = Form({})


def _as_json(told: Any) -> str:
    return json.dumps(told, default=Model.as_json)


def _lines(lines: Iterable[Line]) -> Markup:
    out = StringIO()
    surfaces.write("html", Answered(Model(), lambda: tuple(lines)), out)
    return Markup(out.getvalue())  # noqa: S704


_FILTERS: dict[str, Callable[..., object]] = {
    "json": _as_json,
    "mark": mark_of,
    "plain": phrases.plain,
    "short": lambda chance: chance.replace(" or better", "").replace("make it ", ""),
    "deed": phrases.deed,
    "either": phrases.either,
    "outcome": lambda name: _OUTCOMES.get(name, phrases.plain(name).capitalize()),
    "signed": lambda number: f"{number:+d}".replace("-", "−") if number else "0",
    "plain_sign": lambda number: str(number).replace("-", "−"),
    "shifts": lambda number: phrases.count(number, "shift"),
    "points": lambda number: phrases.count(number, "point"),
    "free": lambda number: phrases.count(number, "free invocation"),
    "victories": lambda number: f"{number} {'victory' if number == 1 else 'victories'}",
}


@cache
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("narrator.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= _FILTERS
    found.globals["sums"] = SUMS
    return found


def written(template: str, path: str, said: str = "", **more: Any) -> str:
    """Fill a template, such as `enter` or `nothing`."""
    told = {"path": path, "view": template, "said": said, "campaign": None, "seq": 0, "struck": 0, **more}
    return _templates().get_template(f"{template}.html").render(**told)


def document(
    campaign: Campaign,
    path: str,
    form: Form = NOTHING,
    said: str = "",
    *,
    line: ReadLine | None = None,
    why: str = "",
    waits: bool = False,
    has_model: bool = False,
) -> str:
    """Write a page for the GM.

    Args:
        path: Its address: `/`, `/table`, `/end`, or that of a roll, such as `/p12`.
        form: The choices on it so far.
        said: What has just happened, for screen readers.
        line: The question about a typed line.
        why: Why a roll is not the expected one.
        waits: Whether the words of a roll are still to come.
        has_model: Whether cards can be written.

    Raises:
        NarratorError: `unknown_page`, also if the page was settled or struck out.
    """
    table = Table(campaign)
    common: dict[str, Any] = {"table": table, "now": _now(table), "said": said, "seq": table.last, **_last(table, path)}
    common |= {"campaign": campaign.file.stem, "struck": len(table.scene.struck)}
    if path == "/table":
        previously = _lines(campaign_views.previously(campaign))
        outcomes = (FAIL, *table.played.outcomes)
        told: dict[str, Any] = {"previously": previously, "has_model": has_model, "outcomes": outcomes}
        return written("table", path, **common, **told, heading="Table")
    if path == "/end":
        return written("end", path, **common, heading="End scene", sheet={} if table.scene.ended else sheet(table))
    if path.startswith("/p"):
        outcome = Outcome(table, campaign.page(path[1:]), form)
        if outcome.page.state != "open":
            raise RequestError("unknown_page", "page", f"this roll is {outcome.page.state}")
        invoking: dict[str, Any] = {"offers": [], "used": used(outcome.page), "stale": None, "why": why}
        try:
            invoking["offers"] = offers(table, outcome.page)
        except NarratorError as error:  # something that the roll needs is gone
            invoking["stale"] = error.message
        return written("outcome", path, **common, **invoking, heading=outcome.headline, outcome=outcome, waits=waits)
    rolling = Rolling(table, Draft.of(form)) if table.present else None
    more: dict[str, Any] = {
        "rolling": rolling,
        "line": line,
        "typed_line": form.one("text"),
        "open_pages": campaign.pages[-3:],
    }
    typed = "" if rolling is None else _typed(rolling)
    return written("roll", path, **common, **more, heading="Roll", typed=typed)


def players(campaign: Campaign) -> str:
    """Write the page for players."""
    seen = campaign.seen_by("players")
    scene = Scene.read(seen["scene"])
    entries = [Entry.model_validate(each, strict=False) for each in seen["entries"]]
    told = [each for each in entries if each.kind in ("settled", "again", "moved") and not each.undone]
    conflict, news = scene.conflict, _news(told[-1]) if told else []
    return written(
        "players",
        "/players",
        ". ".join(text for *texts, _ in news for text in texts if text),
        name=campaign.name,
        scene=scene,
        now=f"Exchange {conflict.exchange}" if conflict else "",
        news=news,
        people=sorted(scene.characters, key=lambda each: _turn(each, scene)),
        turn=conflict.turn if conflict else None,
        acted=conflict.acted if conflict else (),
        campaign=campaign.file.stem,
        seq=entries[-1].seq if entries else 0,
    )


def card_html(outcome: Outcome, given: Suggestion) -> str | None:
    """Write the card of new words, or None if the page does not show their slot."""
    words = (each for branch in outcome.resolution.branches for each in outcome.words(branch))
    shown = next((each for each in words if each.slot.id == given.slot), None)
    card = None if shown is None else outcome.card(shown.slot, given)
    macros: Any = _templates().get_template("cards.html").module
    return None if card is None else str(macros.card(shown, card))


def _now(table: Table) -> str:
    conflict = table.scene.conflict
    up = f"{table.up} is up" if table.up else ""
    return f"Exchange {conflict.exchange}, {up}" if conflict else up


def _last(table: Table, path: str) -> dict[str, str]:
    """What undo takes back, and what the X-card strikes: the roll that is shown, else the last standing entry."""
    standing = (each for each in reversed(table.lately_written) if each.kind in _WRITTEN and not each.undone)
    last = next(standing, None)
    page = path[1:] if path.startswith("/p") else ""
    return {"undoes": last.text if last else "nothing yet", "strikes": page or (str(last.seq) if last else "")}


def _typed(rolling: Rolling) -> str:
    """The current roll as a typed line."""
    draft = rolling.draft
    against = draft.foe or draft.against.partition(":")[2]
    deed = "" if draft.does == "overcome" else f"{rolling.deed} "
    return f"{draft.who.split()[0].lower()} {deed}{draft.skill.lower()} vs {against} {draft.intent}".strip()


def _turn(told: Character, scene: Scene) -> int:
    """The place of a character in the order of turns. Without an order, everybody keeps their place."""
    order = scene.conflict.order if scene.conflict is not None else None
    return order.index(told.name) if order is not None and told.name in order else 0


def _news(entry: Entry) -> list[tuple[str, str, bool]]:
    """What players read about an entry, as name, detail and whether it is said aloud: its words, else the new summary,
    else its changes.
    """
    place = next((each.after for each in entry.changes if each.on == "summary"), None)
    if entry.said or place:
        return [(each.name or "", each.detail or "", True) for each in entry.said] or [("", place or "", True)]
    return [("", "; ".join(each.text for each in entry.changes[:3]) or entry.text, False)]
