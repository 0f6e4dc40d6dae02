"""The taps: each writes into the campaign or only chooses, and returns the next address."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from narrator.campaign.campaign import Campaign
from narrator.campaign.records import Page
from narrator.errors import NarratorError, RequestError
from narrator.line.reading import ReadLine
from narrator.page.chosen import choice_of
from narrator.page.document import document
from narrator.page.draft import Draft, form_of
from narrator.page.ending import ending
from narrator.page.form import Form
from narrator.page.offers import offers
from narrator.page.outcome import Outcome
from narrator.page.rolling import Rolling
from narrator.page.table import Table, filled
from narrator.rules.json_text import Json
from narrator.suggestions.source.protocol import DECK

_FOR_HITS = 9
"""Suggestions from the deck for a hit, three for each level."""
_SUM = re.compile(r"-?\d", re.ASCII)
_SKILL = re.compile(r"(?P<name>\D*[^\s\d+-])\s*(?P<rating>[+-]?\d{1,2})", re.ASCII)
_ROLL = re.compile(r"/p\d{1,9}")


@dataclass(frozen=True)
class Tapped:
    """The GM's address after a tap, and what is shown there."""

    path: str
    form: Form
    said: str = ""
    line: ReadLine | None = None
    why: str = ""
    """Why the page is not the expected one."""
    is_rolled: bool = False
    """Whether it is a new roll, whose words a model may still write."""


Tap: TypeAlias = Callable[[Campaign, Form], Tapped]


def look(_: Campaign, form: Form) -> Tapped:
    """Choose without writing anything."""
    return Tapped(_place(form), form)


def roll(campaign: Campaign, form: Form) -> Tapped:
    """Make a roll from a told outcome or a sum of dice, or let narrator roll."""
    table = Table(campaign)
    draft = Rolling(table, Draft.of(form)).draft
    if outcome := form.one("outcome"):
        return _rolled(campaign, draft.action(table, outcome=outcome, **_shifts(table, draft, outcome)))
    if form.one("throw"):
        return _rolled(campaign, draft.action(table))
    last = _sum(form.one("sum"))
    if draft.foe is None:
        return _rolled(campaign, draft.action(table, {"sum": last}))
    return _rolled(campaign, draft.action(table, {"sum": _sum(draft.ours)}, {"sum": last}))


def told(campaign: Campaign, form: Form) -> Tapped:
    """Set the shifts of a hit that was told."""
    page = campaign.page(form.one("page"))
    action = {**page.request.action.as_json(), "shifts": _sum(form.one("shifts"))}
    return _rolled(campaign, action, page)


def invoke(campaign: Campaign, form: Form) -> Tapped:
    """Invoke one more aspect on a roll, or take an invocation back. Nothing is paid before the roll is settled."""
    page = campaign.page(form.one("page"))
    action = page.request.action.as_json()
    opposition = action.get("opposition", {})
    if back := form.one("back"):
        side, _, place = back.partition(".")
        of = action if side == "actor" else opposition
        of["invocations"] = [each for at, each in enumerate(of.get("invocations", [])) if str(at) != place]
        return _rolled(campaign, action, page)
    sum_, _, told = form.one("again").partition(" ")
    told = told or form.one("invoke")
    on_offer = (each for _, some in offers(Table(campaign), page) for each in some)
    offer = next((each for each in on_offer if told in (each.value, each.again)), None)
    if offer is None:
        raise RequestError("bad_invocation", "invoke", "this invocation is no longer possible")
    invocation = {**json.loads(told), **({"dice": _faces(_sum(sum_))} if sum_ else {})}
    of = action if offer.side == "actor" else opposition
    of["invocations"] = [*of.get("invocations", []), invocation]
    return _rolled(campaign, action, page)


def others(campaign: Campaign, form: Form) -> Tapped:
    """Find other words for a roll."""
    page = campaign.page(form.one("page"))
    return _rolled(campaign, page.request.action.as_json(), page)


def settle(campaign: Campaign, form: Form) -> Tapped:
    """Settle a roll. If the changed scene gives it another result, show that instead."""
    page = campaign.page(form.one("page"))
    outcome = Outcome(Table(campaign), page, form)
    try:
        entry = campaign.settle(page.id, choice_of(form, outcome))
    except NarratorError as error:
        if error.code != "stale_scene":
            raise
        why = "The scene has changed, and this roll now has another result. Nothing was written yet."
        return replace(_rolled(campaign, page.request.action.as_json(), page), why=why)
    return Tapped("/", Form({}), entry.text)


def move(campaign: Campaign, form: Form) -> Tapped:
    """Make the move of a button."""
    told = filled(form.json("move"), {name: form.one(name) for name in ("text", "who")})
    if told.get("type") == "enter" and told.get("name") in [each.name for each in campaign.scene.away]:
        told = {"type": "enter", "who": told["name"]}  # absent people already have a sheet
    entry = campaign.move(told)
    return _at(form, entry.text)


def end(campaign: Campaign, form: Form) -> Tapped:
    """End the scene according to the sheet, and begin the next one."""
    table = Table(campaign)
    if table.scene.ended:
        moves: Sequence[Json] = [{"type": "scene", "summary": form.one("summary")}]
    else:
        moves = ending(table, form)
    entry = campaign.move(moves)
    return Tapped("/table" if campaign.scene.ended is None else "/end", Form({}), entry.text)


def skills(campaign: Campaign, form: Form) -> Tapped:
    """Write down skills that were typed as `Fight 3, Notice 2`. Other skills stay; a rating of 0 removes a skill."""
    somebody = next((each for each in campaign.scene.characters if each.name == form.one("who")), None)
    told = [_SKILL.fullmatch(each.strip()) for each in form.one("text").split(",") if each.strip()]
    if somebody is None or not told or None in told:
        raise RequestError("bad_request", "text", "write skills with their ratings, such as: Fight 3, Notice 2")
    rated = {**somebody.skills, **{each["name"]: int(each["rating"]) for each in told if each is not None}}
    change = {"skills": {name: rating for name, rating in rated.items() if rating}}
    entry = campaign.move({"type": "change", "who": somebody.name, "set": change})
    return _at(form, entry.text)


def note(campaign: Campaign, form: Form) -> Tapped:
    """Write a note down."""
    entry = campaign.note(form.one("text"))
    return _at(form, entry.text)


def undo(campaign: Campaign, form: Form) -> Tapped:
    """Take back the last entry that was shown."""
    entry = campaign.undo(expect_revision=_count(form.one("revision")))
    return _at(form, entry.text, page=entry.page)


def strike(campaign: Campaign, form: Form) -> Tapped:
    """Strike out the roll that is shown, else the last entry."""
    what = form.one("what")
    campaign.strike(_count(what) if what.isdecimal() else what or None)
    return _at(form, "Struck out.")


def say(campaign: Campaign, form: Form) -> Tapped:
    """Read one line and do what it says. A question about it is shown next to it."""
    read = campaign.say(form.one("reading") or form.one("text"))
    newest = next((each.id for each in campaign.pages[-1:]), None)
    if read.ask is not None:
        return Tapped("/", form, read.ask, line=read)
    if read.move is not None:
        return Tapped("/", Form({}), campaign.move(read.move).text)
    if read.choice is not None and newest is not None:
        return Tapped("/", Form({}), campaign.settle(newest, read.choice).text)
    assert read.request is not None, "a line is a roll, a move, a choice, or is asked"
    action = read.request.action
    if read.is_of_page and newest is not None:
        return _rolled(campaign, action.as_json(), campaign.page(newest))
    if action.roll is None and action.outcome is None:
        return Tapped("/", form_of(action), "Say how it went.")
    return _rolled(campaign, action.as_json())


TAPS: dict[str, Tap] = {
    each.__name__: each
    for each in (look, roll, told, invoke, others, settle, move, skills, end, note, undo, strike, say)
}
"""The taps by name."""


def tapped(campaign: Campaign, tap: str, form: Form, *, has_model: bool) -> str:
    """Do a tap and write the next page. If a model writes, the words of a roll come later."""
    done = TAPS[tap](campaign, form)
    waits = has_model and done.is_rolled
    return document(
        campaign, done.path, done.form, done.said, line=done.line, why=done.why, waits=waits, has_model=has_model
    )


def _rolled(campaign: Campaign, action: Json, page: Page | None = None) -> Tapped:
    """Make a page, or replace one, with words from the deck, which need no waiting."""
    options: Any = {"source": DECK}
    if page is not None:
        options |= {"page": page.id, "seed": page.request.seed, "over": page.over, "per_slot": page.request.per_slot}
    elif action["type"] == "attack":
        options["per_slot"] = _FOR_HITS
    made = campaign.suggest(action, **options)
    headline = Outcome(Table(campaign), made, Form({})).headline
    return Tapped(f"/{made.id}", Form({}), headline, is_rolled=True)


def _at(form: Form, said: str, page: str | None = None) -> Tapped:
    """Stay at the same address, or go to the page that an undo opened again."""
    at = _place(form)
    return Tapped(f"/{page}" if page is not None and at == "/" else "/" if at.startswith("/p") else at, Form({}), said)


def _place(form: Form) -> str:
    """The address where the tap was made. If it is not valid, the roll's."""
    at = form.one("at")
    return at if at in ("/table", "/end") or _ROLL.fullmatch(at) else "/"


def _shifts(table: Table, draft: Draft, outcome: str) -> Json:
    """The shifts of a hit that was told: the fewest possible, until the user chooses more."""
    if not table.played.actions[draft.does].is_attack or outcome not in table.played.outcomes:
        return {}
    return {"shifts": table.played.least(outcome)}


def _sum(text: str) -> int:
    if not _SUM.fullmatch(text):
        raise RequestError("bad_dice", "sum", "give the sum of the four dice, from -4 to 4")
    return int(text)


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _faces(sum_: int) -> list[int]:
    """Four faces with this sum. For the rules it does not matter which."""
    face = 1 if sum_ > 0 else -1
    return [face if place < abs(sum_) else 0 for place in range(4)]
