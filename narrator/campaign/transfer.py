"""Takes campaigns elsewhere: as lines of JSON and back, and as a copy of the file."""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, LargeBinary, Table, func, select

from narrator.campaign import store
from narrator.campaign.database import Database
from narrator.campaign.tables import CAMPAIGN, ENTRIES, METADATA, PAGES, UnreadableError, packed, unpacked, version
from narrator.errors import RequestError
from narrator.files import atomic
from narrator.rules.json_text import Json

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection

_TABLES = {table.name: table for table in (CAMPAIGN, ENTRIES, PAGES)}


def exported(database: Database) -> Iterator[str]:
    """Give a campaign as lines, each the JSON of a row."""
    with database.reading() as db:
        tables = _TABLES.values()
        rows = [(table, row) for table in tables for row in db.execute(select(table).order_by(*table.primary_key))]
    for table, row in rows:
        told = {name: unpacked(value) if isinstance(value, bytes) else value for name, value in row._mapping.items()}
        yield json.dumps({"table": table.name, **told}, ensure_ascii=False)


def imported(lines: Iterable[str], database: Database, name: str | None) -> None:
    """Write exported lines into a new file, whole or not at all.

    Raises:
        NarratorError: `bad_campaign` with the line, for what was not exported by this version.
    """
    with atomic.refusing(database.path):
        if os.path.lexists(database.path):
            raise FileExistsError
    with database.writing(creating=True) as db:
        METADATA.create_all(db)
        number = 0
        for number, line in enumerate(lines, 1):
            table, row = _row(line, number)
            db.execute(table.insert().values(row if name is None or table is not CAMPAIGN else {**row, "name": name}))
        try:
            _check(db)
        except UnreadableError as error:
            raise RequestError("bad_campaign", "", f"{error}: this is no export, or not all of one") from None


def backup(database: Database, path: Path) -> None:
    """Copy a campaign into a new file, as it stands at one moment."""
    with atomic.fresh(path) as beside:
        database.copy(beside)


def _row(line: str, number: int) -> tuple[Table, Json]:
    """Read a line: a row of one of the tables, each column there and of its kind."""
    field = f"line {number}"
    try:
        told = json.loads(line)
        table = _TABLES[told.pop("table")]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        table, told = CAMPAIGN, {}
    if told.keys() != set(table.c.keys()):
        raise RequestError("bad_campaign", field, "this is no row of an export")
    if table is CAMPAIGN and told["version"] != version():
        message = f"this export is not of version {version()}: open the campaign with this narrator, and export it anew"
        raise RequestError("bad_campaign", field, message)
    for name, column in table.c.items():
        if isinstance(column.type, LargeBinary) and told[name] is not None:
            told[name] = packed(told[name])
        if not _fits(told[name], column):
            raise RequestError("bad_campaign", field, f"{name} is not what it has to be")
    return table, told


def _fits(value: Any, column: "Column[Any]") -> bool:
    if value is None:
        return bool(column.nullable)
    kind = bytes if isinstance(column.type, LargeBinary) else int if isinstance(column.type, Integer) else str
    return isinstance(value, kind) and not isinstance(value, bool)


def _check(db: "Connection") -> None:
    """Read all that was written, as it will be read; `UnreadableError` for what does not hang together."""
    at, scenes, number = store.state(db), set[int](), 0
    for number, row in enumerate(db.execute(select(ENTRIES).order_by(ENTRIES.c.seq)), 1):
        store.entry_of(row)
        if row.scene is not None:
            store.scene_of(row)
            scenes.add(row.seq)
        is_next = row.seq == number and row.revision == at.revision - at.seq + number
        if not (is_next and row.head in scenes and (row.before is None or row.before in scenes)):
            raise UnreadableError(f"this campaign is damaged: entry {row.seq} does not follow")
    pages = [each.id for each in store.all_pages(db)]
    counted = db.execute(select(func.count()).select_from(PAGES)).scalar()
    if number != at.seq or pages != [store.page_id(each) for each in range(1, at.page + 1)] or counted != at.page:
        raise UnreadableError("this campaign is damaged: entries or pages are missing")
