"""All database queries of a campaign: they read rows as records and write records as rows."""

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from pydantic import Field, ValidationError
from sqlalchemy import Connection, Row, Select, delete, join, select, update

from narrator.campaign.records import Entry, EntryKind, Page, PageState
from narrator.campaign.tables import (
    CAMPAIGN,
    ENTRIES,
    GONE,
    METADATA,
    PAGES,
    STAGES,
    STANDS,
    TAKEN_BACK,
    UnreadableError,
    damaged,
    packed,
    unpacked,
    version,
)
from narrator.errors import NarratorError, RequestError, TryAgainError, quoted, visible
from narrator.rules.json_text import Json
from narrator.rules.model import LIST, Count, Given, Model, Name, Whole
from narrator.rules.request.action import Request
from narrator.rules.request.overlay import Overlay, laid
from narrator.rules.request.scene import MOST_STRUCK, Scene
from narrator.rules.settle.ledger import CARDS
from narrator.suggestions.pipeline.answer import Answer

T = TypeVar("T")

BESIDE = {"dealt", "struck", "revision", "stage"}
"""Fields of a scene that are stored elsewhere: once for the campaign, or for as long as the scene lasts."""


class Told(Given):
    """The campaign's name and ruleset, and the cards that its table has seen."""

    name: Name
    ruleset: Name
    ruleset_file: Name | None = None
    dealt: Annotated[tuple[Name, ...], LIST] = ()
    struck: Annotated[tuple[Name, ...], Field(strict=False, max_length=MOST_STRUCK)] = ()


class State(Model):
    """The current state of a campaign."""

    revision: Annotated[Whole, Field(ge=-1)]
    seq: Count
    head: Count
    page: Count
    told: Told
    scene: Scene

    def entry(self, kind: EntryKind, text: str, **more: Any) -> Entry:
        """Make the next entry, with the current time."""
        told = {"seq": self.seq + 1, "at": now(), "kind": kind, "text": visible(text), "revision": self.revision + 1}
        return Entry.model_validate({**told, **more}, strict=False)


def now() -> str:
    """The current time in UTC, in the format of entries."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def begin(db: Connection, told: Told, scene: Scene) -> None:
    """Make the tables and write the first entry, with the revision of the given scene."""
    METADATA.create_all(db)
    at = State(revision=(scene.revision or 0) - 1, seq=0, head=0, page=0, told=told, scene=scene)
    row = {"revision": at.revision, "seq": 0, "head": 0, "page": 0, "told": packed(told.as_json())}
    db.execute(CAMPAIGN.insert().values(id=1, version=version(), **row))
    write(db, at, at.entry("begun", f"{told.name} begins"), scene)


def state(db: Connection) -> State:
    """Read the current state of a campaign from one row."""
    joined = join(CAMPAIGN, ENTRIES, CAMPAIGN.c.head == ENTRIES.c.seq)
    row: Row[Any] | None = db.execute(
        select(CAMPAIGN, ENTRIES.c.scene).select_from(joined).where(CAMPAIGN.c.id == 1)
    ).first()
    if row is None:
        raise damaged("it has no scene")
    if row.version != version():
        raise UnreadableError(f"this campaign now has version {row.version}: open it again")
    at = read(_state, row)
    id_ = at.scene.stage_id(at.told.ruleset)
    if stage(db, id_) is None:
        return at
    return at.model_copy(update={"scene": at.scene.model_copy(update={"stage": id_})})


def _state(row: Row[Any]) -> State:
    told = Told.read(unpacked(row.told))
    beside = {"dealt": told.dealt, "struck": told.struck, "revision": row.revision}
    numbers = {name: getattr(row, name) for name in ("revision", "seq", "head", "page")}
    return State(told=told, scene=Scene.read({**unpacked(row.scene), **beside}), **numbers)


def scene_json(db: Connection, seq: int) -> Json:
    """The JSON of the scene that is kept with an entry."""
    found: Json = unpacked(db.execute(select(ENTRIES.c.scene).where(ENTRIES.c.seq == seq)).scalar())
    return found


def entries(db: Connection, *of: Any, limit: int = 100) -> tuple[Entry, ...]:
    """Read at most `limit` of the entries that match, oldest first."""
    return tuple(map(entry_of, db.execute(select(ENTRIES).where(*of).order_by(ENTRIES.c.seq).limit(limit))))


def entry_of(row: Row[Any]) -> Entry:
    """Read the entry of a row."""
    told = read(lambda each: Entry.model_validate_json(json.dumps(unpacked(each.told))), row)
    return told.model_copy(update={"undone": row.undone != STANDS, "text": visible(told.text)})


def entry_row(db: Connection, *of: Any) -> Row[Any] | None:
    """Find the row of the first entry that matches."""
    return db.execute(select(ENTRIES).where(*of).order_by(ENTRIES.c.seq).limit(1)).first()


def write(
    db: Connection, at: State, entry: Entry, stands: Scene | int, key: str | None = None, body: str | None = None
) -> Entry:
    """Write an entry. `stale_scene` if somebody else wrote since the state was read.

    Args:
        stands: The new current scene, or the number of the entry that has it.
    """
    is_new = isinstance(stands, Scene)
    moved_on = {"revision": entry.revision, "seq": entry.seq, "head": entry.seq if is_new else stands}
    same = CAMPAIGN.c.id == 1, CAMPAIGN.c.revision == at.revision
    if db.execute(update(CAMPAIGN).where(*same).values(moved_on)).rowcount != 1:
        raise TryAgainError("stale_scene", "expect_revision", "somebody else wrote at the same moment")
    if entry.kind not in ("undone", "redone"):
        end_redo(db)
    row = {name: getattr(entry, name) for name in ("seq", "revision", "kind", "page")}
    row |= {"key": key, "body": body, "undone": STANDS, "head": moved_on["head"], "told": packed(entry.as_json())}
    if isinstance(stands, Scene):
        row |= {"before": at.head or None, "scene": packed(_plain(stands, BESIDE))}
    db.execute(ENTRIES.insert().values(row))
    return entry


def stage(db: Connection, id_: str) -> Json | None:
    """The cards that were written for a scene, as `stage` returned them, or None."""
    told = db.execute(select(STAGES.c.told).where(STAGES.c.id == id_)).scalar()
    found: Json | None = None if told is None else unpacked(told)
    return found


def keep_stage(db: Connection, id_: str, more: Json) -> None:
    """Add new cards to those of a scene."""
    there = stage(db, id_) or {"id": id_, "cards": []}
    cards = [*there["cards"], *(each for each in more.get("cards", ()) if each not in there["cards"])]
    db.execute(delete(STAGES).where(STAGES.c.id == id_))
    db.execute(STAGES.insert().values(id=id_, told=packed({**there, **more, "cards": cards})))


def end_redo(db: Connection) -> None:
    """End redo for all entries that were taken back."""
    db.execute(update(ENTRIES).where(ENTRIES.c.undone == TAKEN_BACK).values(undone=GONE))


def _plain(model: Scene | Page, without: Any) -> Json:
    """The JSON to store of a model, without defaults and without fields that are stored elsewhere."""
    return model.model_dump(mode="json", exclude_defaults=True, exclude=without)


def mark(db: Connection, row: Row[Any], undone: int, page: PageState) -> None:
    """Store whether an entry stands, and the state of its page if it has one."""
    db.execute(update(ENTRIES).where(ENTRIES.c.seq == row.seq).values(undone=undone))
    if row.page is not None:
        set_page(db, row.page, page)


def number_of(page: str) -> int:
    """The number of a page. `unknown_page` if this is not the id of a page."""
    number = page[1:] if isinstance(page, str) and page[:1] == "p" else ""
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise RequestError(
            "unknown_page", "page", f"{quoted(str(page))} is not a page; pages are named p1, p2 and so on"
        )
    return int(number)


def page(db: Connection, name: str) -> Page:
    """Find a page. `unknown_page` if there is none with this id."""
    row = db.execute(_pages().where(PAGES.c.number == number_of(name))).first()
    if row is None:
        known = [each.id for each in pages(db, state="open")]
        raise RequestError("unknown_page", "page", f"there is no page {quoted(name)}", known)
    return read(_page, row)


def open_page(db: Connection, name: str) -> Page:
    """The same for an open page. `page_closed` if it is not open."""
    found = page(db, name)
    if found.state != "open":
        raise RequestError("page_closed", "page", f"the page {name} is {found.state}")
    return found


def pages(db: Connection, limit: int = 100, **of: Any) -> tuple[Page, ...]:
    """Read the last pages, for example those of one `state`, the newest last."""
    found = db.execute(_pages().filter_by(**of).order_by(PAGES.c.number.desc()).limit(limit))
    return tuple(read(_page, row) for row in found)[::-1]


def _pages() -> "Select[Any]":
    """Select pages, each with the scene that it was made from."""
    then = ENTRIES.alias("then")
    of = join(PAGES, then, PAGES.c.revision == then.c.revision).join(ENTRIES, ENTRIES.c.seq == then.c.head)
    return select(PAGES, ENTRIES.c.scene).select_from(of)


def _page(row: Row[Any]) -> Page:
    told = unpacked(row.told)
    scene = {**laid(Overlay.read(told.get("over") or {}), unpacked(row.scene))[0], "revision": row.revision}
    whole = {**told, "state": row.state, "request": {**told["request"], "scene": scene}}
    return Page.model_validate_json(json.dumps(whole))


def keep_page(db: Connection, request: Request, over: Overlay | None, answer: Answer, place: str | None) -> Page:
    """Keep a page, or replace another. Its scene may be older than the current one."""
    at, revision = state(db), request.scene.revision or 0
    if revision > at.revision:
        raise RequestError("bad_request", "request.scene.revision", "the campaign has no scene with this revision yet")
    number, old = at.page + 1, None if place is None else open_page(db, place)
    # An invocation rolls only its own dice again.
    is_same = old is not None and old.request.seed == request.seed
    is_told = old.dice == "told" if old is not None and is_same else request.seed is not None
    if old is not None:
        number = number_of(old.id)
        end_redo(db)
    seed = request.seed if answer.resolution.seed is None else answer.resolution.seed
    new = Page(
        id=f"p{number}",
        request=request.model_copy(update={"seed": seed, "deal": answer.deal}),
        over=over,
        # Refused words may have been struck out, and the dealt cards are stored with the campaign.
        answer=answer.model_copy(update={"rejected": (), "dealt": None}),
        revision=revision,
        dice="told" if is_told or request.action.tells_dice else "thrown",
        state="open",
    )
    db.execute(delete(PAGES).where(PAGES.c.number == number))
    told = packed(_plain(new, {"request": {"scene"}}))
    db.execute(PAGES.insert().values(number=number, revision=revision, state="open", told=told))
    db.execute(update(CAMPAIGN).values(page=max(number, at.page)))
    keep(db, at, dealt=(each.card for each in answer.suggestions if each.card))
    return new


def set_page(db: Connection, name: str, to: PageState) -> None:
    """Store the state of a page. A struck page stays struck."""
    page = PAGES.c.number == number_of(name), PAGES.c.state != "struck"
    db.execute(update(PAGES).where(*page).values(state=to))


def keep(db: Connection, at: State, dealt: Iterable[str] = (), struck: Iterable[str] = ()) -> None:
    """Store the cards that were seen, the newest last, and the struck ones, which never come again."""
    told = at.told.as_json()
    for name, new, most in (("dealt", dict.fromkeys(dealt), CARDS), ("struck", dict.fromkeys(struck), MOST_STRUCK)):
        told[name] = [*(each for each in told[name] if each not in new), *new][-most:]
    db.execute(update(CAMPAIGN).values(told=packed(told)))


def read(how: Callable[[Row[Any]], T], row: Row[Any]) -> T:
    """Read a row, which may be damaged or forged."""
    try:
        return how(row)
    except (ValidationError, NarratorError, AttributeError, TypeError, KeyError) as error:
        raise damaged(f"{type(error).__name__} in a row") from None
