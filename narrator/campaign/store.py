"""Rows of a campaign's tables, read as records, and records written as rows: all its questions to the database."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from pydantic import ValidationError
from sqlalchemy import Connection, Row, Select, func, join, select, update

from narrator.campaign.records import Dice, Entry, EntryKind, Page, PageState, Said
from narrator.campaign.tables import (
    CAMPAIGN,
    ENTRIES,
    GONE,
    METADATA,
    PAGES,
    STANDS,
    TAKEN_BACK,
    UnreadableError,
    packed,
    unpacked,
    version,
)
from narrator.errors import NarratorError, RequestError, TryAgainError, quoted, visible
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.rules.request.overlay import Overlay, laid
from narrator.rules.request.scene import MOST_STRUCK, Scene
from narrator.rules.settle.changes import Change
from narrator.rules.settle.ledger import CARDS
from narrator.suggestions.pipeline.answer import Answer

T = TypeVar("T")

BESIDE = {"dealt", "struck", "revision"}
"""What of a scene is kept beside it: once for the campaign."""

SCENES: tuple[EntryKind, ...] = ("settled", "moved", "noted")
"""What can be taken back: each has a scene of its own."""


@dataclass(frozen=True)
class State:
    """How a campaign stands."""

    name: str
    ruleset: str
    ruleset_file: str | None
    revision: int
    seq: int
    head: int
    page: int
    dealt: tuple[str, ...]
    struck: tuple[str, ...]
    scene: Scene


@dataclass(frozen=True)
class Written:
    """What is to be written as an entry: with a `scene`, or with the entry whose scene stands from now on."""

    kind: EntryKind
    text: str
    scene: Scene | None = None
    head: int | None = None
    page: str | None = None
    said: tuple[Said, ...] = ()
    changes: tuple[Change, ...] = ()
    of: int | None = None
    """The entry that is taken back, or done again."""


def begin(db: Connection, name: str, ruleset: str, ruleset_file: str | None, scene: Scene) -> None:
    """Make the tables, and write the first entry: its revision is the one that the scene has already."""
    METADATA.create_all(db)
    at = State(name, ruleset, ruleset_file, (scene.revision or 0) - 1, 0, 0, 0, scene.dealt, scene.struck, scene)
    row = {each: getattr(at, each) for each in ("name", "ruleset", "ruleset_file", "revision", "seq", "head", "page")}
    blobs = {"dealt": packed(at.dealt), "struck": packed(at.struck)}
    db.execute(CAMPAIGN.insert().values(id=1, version=version(), **row, **blobs))
    write(db, at, Written("begun", f"{visible(name)} begins", scene))


def state(db: Connection) -> State:
    """Read how a campaign stands: one row, and nothing is played again."""
    joined = join(CAMPAIGN, ENTRIES, CAMPAIGN.c.head == ENTRIES.c.seq)
    row = db.execute(select(CAMPAIGN, ENTRIES.c.scene).select_from(joined)).first()
    if row is None:
        raise UnreadableError("this campaign is damaged: it has no scene")
    if row.version != version():
        raise UnreadableError(f"this campaign is of version {row.version} by now: open it anew")
    return _read(_state, row)


def _state(row: Row[Any]) -> State:
    dealt, struck = tuple(unpacked(row.dealt)), tuple(unpacked(row.struck))
    scene = {**unpacked(row.scene), "dealt": dealt, "struck": struck, "revision": row.revision}
    return State(
        *(row.name, row.ruleset, row.ruleset_file, row.revision, row.seq, row.head, row.page, dealt, struck),
        Scene.read(scene),
    )


def entries(db: Connection, after: int, limit: int) -> tuple[Entry, ...]:
    """Read so many entries at the most, the first of those behind a number."""
    found = db.execute(select(ENTRIES).where(ENTRIES.c.seq > after).order_by(ENTRIES.c.seq).limit(limit))
    return tuple(_read(_entry, row) for row in found)


def missed(db: Connection, revision: int, limit: int = 100) -> tuple[Json, ...]:
    """The JSON of the entries that were written since a revision."""
    found = db.execute(select(ENTRIES).where(ENTRIES.c.revision > revision).order_by(ENTRIES.c.seq).limit(limit))
    return tuple(_read(_entry, row).as_json() for row in found)


def _entry(row: Row[Any]) -> Entry:
    told = {**unpacked(row.told), "seq": row.seq, "at": row.at, "kind": row.kind, "revision": row.revision}
    told |= {"page": None if row.page is None else page_id(row.page), "undone": row.undone != STANDS}
    told.pop("of", None)
    return Entry.model_validate_json(json.dumps(told))


def entry_row(db: Connection, seq: int) -> Row[Any]:
    """Find the row of an entry; `bad_request` where there is none of that number."""
    row = db.execute(select(ENTRIES).where(ENTRIES.c.seq == seq)).first()
    if row is None:
        raise RequestError("bad_request", "entry", f"there is no entry {seq}")
    return row


def scene_of(row: Row[Any]) -> Scene:
    """Read the scene that is kept with an entry."""
    return _read(lambda each: Scene.read(unpacked(each.scene)), row)


def entry_of(row: Row[Any]) -> Entry:
    """Read the entry of a row."""
    return _read(_entry, row)


def by_key(db: Connection, key: str) -> Row[Any] | None:
    """Find the row of the entry that was written with a key."""
    return db.execute(select(ENTRIES).where(ENTRIES.c.key == key)).first()


def to_redo(db: Connection) -> Row[Any] | None:
    """Find the row of the entry that would be done again: the one that was taken back last."""
    found = select(ENTRIES).where(ENTRIES.c.undone == TAKEN_BACK).order_by(ENTRIES.c.seq).limit(1)
    return db.execute(found).first()


def write(db: Connection, at: State, new: Written, key: str | None = None, body: str | None = None) -> Entry:
    """Write an entry on a campaign that stands as it was read; `stale_scene` where somebody else wrote since."""
    seq, revision = at.seq + 1, at.revision + 1
    head = seq if new.scene is not None else new.head
    same = CAMPAIGN.c.revision == at.revision
    done = db.execute(update(CAMPAIGN).where(same).values(revision=revision, seq=seq, head=head))
    if done.rowcount != 1:
        raise TryAgainError("stale_scene", "expect_revision", "somebody else wrote at the same moment")
    if new.kind not in ("undone", "redone"):
        db.execute(update(ENTRIES).where(ENTRIES.c.undone == TAKEN_BACK).values(undone=GONE))
    told: Json = {
        "text": new.text,
        "of": new.of,
        "said": [each.as_json() for each in new.said],
        "changes": [each.as_json() for each in new.changes],
    }
    row = {
        "seq": seq,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "kind": new.kind,
        "revision": revision,
        "page": None if new.page is None else page_number(new.page),
        "key": key,
        "body": body,
        "undone": STANDS,
        "before": at.head if new.scene is not None and at.head else None,
        "head": head,
        "told": packed({name: each for name, each in told.items() if each}),
        "scene": None if new.scene is None else packed(scene_json(new.scene)),
    }
    db.execute(ENTRIES.insert().values(row))
    return entry_of(entry_row(db, seq))


def scene_json(scene: Scene) -> Json:
    """What is kept of a scene with an entry: neither what stands beside it, nor what is as if it were left out."""
    return scene.model_dump(mode="json", exclude_defaults=True, exclude=BESIDE)


def mark(db: Connection, seq: int, undone: int) -> None:
    """Write of an entry whether it stands."""
    db.execute(update(ENTRIES).where(ENTRIES.c.seq == seq).values(undone=undone))


def page_id(number: int) -> str:
    """What a page goes by."""
    return f"p{number}"


def page_number(page: str) -> int:
    """The number of a page; `unknown_page` for what goes by no such name."""
    number = page[1:] if isinstance(page, str) and page[:1] == "p" else ""
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        raise RequestError("unknown_page", "page", f"{quoted(str(page))} is no page; they go by p1, p2 and so on")
    return int(number)


def page(db: Connection, name: str) -> Page:
    """Find a page; `unknown_page` where there is none of that name."""
    row = db.execute(_pages().where(PAGES.c.number == page_number(name))).first()
    if row is None:
        known = [each.id for each in open_pages(db)]
        raise RequestError("unknown_page", "page", f"there is no page {quoted(name)}", known)
    return _read(_page, row)


def open_pages(db: Connection, limit: int = 100) -> tuple[Page, ...]:
    """Read the pages that wait for a choice, the last ones, the newest last."""
    found = db.execute(_pages().where(PAGES.c.state == "open").order_by(PAGES.c.number.desc()).limit(limit))
    return tuple(_read(_page, row) for row in found)[::-1]


def all_pages(db: Connection) -> Iterable[Page]:
    """Read every page."""
    return (_read(_page, row) for row in db.execute(_pages().order_by(PAGES.c.number)))


def _pages() -> "Select[Any]":
    """Pages, each with the scene that it was made from."""
    then = ENTRIES.alias("then")
    of = join(PAGES, then, PAGES.c.revision == then.c.revision).join(ENTRIES, ENTRIES.c.seq == then.c.head)
    return select(PAGES, ENTRIES.c.scene).select_from(of)


def _page(row: Row[Any]) -> Page:
    over = Overlay.read(unpacked(row.over))
    scene = {**laid(over, unpacked(row.scene))[0], "revision": row.revision}
    given = {name: getattr(row, name) for name in ("revision", "dice", "state")}
    request = Request.read({**unpacked(row.request), "scene": scene})
    answer = Answer.model_validate_json(json.dumps(unpacked(row.answer)))
    return Page(id=page_id(row.number), request=request, over=over, answer=answer, **given)


def add_page(db: Connection, request: Request, over: Overlay, answer: Answer, dice: Dice) -> str:
    """Keep a page; return what it goes by. What it was made from may be an older scene than there is by now."""
    number = state(db).page + 1
    seed = request.seed if answer.resolution.seed is None else answer.resolution.seed
    kept = request.model_copy(update={"seed": seed, "deal": answer.deal})
    db.execute(update(CAMPAIGN).values(page=number))
    deal_out(db, [each.card for each in answer.suggestions if each.card])
    db.execute(
        PAGES.insert().values(
            number=number,
            revision=request.scene.revision or 0,
            dice=dice,
            state="open",
            request=packed(kept.model_dump(mode="json", exclude_defaults=True, exclude={"scene"})),
            over=packed(over.model_dump(mode="json", exclude_defaults=True)),
            # What was refused may be what was struck, and what was dealt before stands with the campaign.
            answer=packed(answer.model_copy(update={"rejected": (), "dealt": None}).as_json()),
        )
    )
    return page_id(number)


def deal_out(db: Connection, cards: Iterable[str]) -> None:
    """Keep which cards were seen, those of last time last."""
    new = dict.fromkeys(cards)
    dealt = [*(card for card in state(db).dealt if card not in new), *new][-CARDS:]
    db.execute(update(CAMPAIGN).values(dealt=packed(dealt)))


def strike_out(db: Connection, at: State, marks: Iterable[str]) -> None:
    """Keep digests of texts and ids of cards, so that none comes again."""
    struck = [*dict.fromkeys((*at.struck, *marks))][-MOST_STRUCK:]
    db.execute(update(CAMPAIGN).values(struck=packed(struck)))


def set_page(db: Connection, name: str, to: PageState) -> None:
    """Write of a page whether it is open."""
    db.execute(update(PAGES).where(PAGES.c.number == page_number(name)).values(state=to))


def newest_page(db: Connection) -> str | None:
    """Name the newest page that is open."""
    number = db.execute(select(func.max(PAGES.c.number)).where(PAGES.c.state == "open")).scalar()
    return None if number is None else page_id(number)


def _read(read: Callable[[Row[Any]], T], row: Row[Any]) -> T:
    """Read a row that may be anybody's work."""
    try:
        return read(row)
    except (ValidationError, NarratorError, AttributeError, TypeError, KeyError) as error:
        raise UnreadableError(f"this campaign is damaged: {type(error).__name__} in what it keeps") from None
