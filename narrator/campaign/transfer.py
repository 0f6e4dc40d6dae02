"""Exports campaigns as lines of JSON, imports them again, and copies their files."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Integer, Table, select

from narrator.campaign import store
from narrator.campaign.database import Database
from narrator.campaign.tables import (
    CAMPAIGN,
    ENTRIES,
    METADATA,
    PAGES,
    STAGES,
    UnreadableError,
    damaged,
    packed,
    unpacked,
    version,
)
from narrator.errors import RequestError, visible
from narrator.files import atomic
from narrator.rules.json_text import Json
from narrator.rules.model import LARGEST
from narrator.rules.request.scene import Scene

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection

_PACKED = ("told", "scene")
"""The columns that are packed."""

_TABLES = {table.name: table for table in (CAMPAIGN, ENTRIES, PAGES, STAGES)}


def exported(database: Database) -> Iterator[str]:
    """Return a campaign as lines, each the JSON of a row."""
    lines: list[str] = []
    # Read everything first, so that a caller who pauses does not block writers.
    with database.reading() as db:
        for table in _TABLES.values():
            for row in db.execute(select(table).order_by(*table.primary_key)):
                told = {
                    name: unpacked(each) if name in _PACKED and each else each for name, each in row._mapping.items()
                }
                if any(isinstance(each, bytes) for each in told.values()):
                    raise damaged("a field has the wrong type")
                lines.append(json.dumps({"table": table.name, **told}, ensure_ascii=False))
    yield from lines


def imported(lines: Iterable[str], name: str | None) -> list[tuple[Table, Json]]:
    """Read exported lines as rows of the tables. `bad_campaign` if this version did not export them."""
    return [_row(line, f"lines.{number}", name) for number, line in enumerate(lines)]


def write(rows: Iterable[tuple[Table, Json]], database: Database) -> None:
    """Write rows into a new file, completely or not at all."""
    if not database.is_empty():
        raise RequestError(
            "bad_request", visible(str(database.path)), "this campaign already exists: name another file"
        )
    with database.beginning() as db:
        METADATA.create_all(db)
        for table, row in rows:
            db.execute(table.insert().values(row))
        _check(db)


def backup(database: Database, path: Path) -> None:
    """Copy a consistent view of a campaign into a new file."""
    with atomic.fresh(path) as beside:
        database.copy(beside, path)


def _row(line: str, field: str, name: str | None) -> tuple[Table, Json]:
    """Read a line as a row of one of the tables. Each column must be present and of the right type."""
    try:
        told = json.loads(line)
        table = _TABLES[told.pop("table")]
        is_row = told.keys() == set(table.c.keys()) and all(_fits(told[each], of) for each, of in table.c.items())
        if table is CAMPAIGN:
            # The path of the ruleset's file is from another machine.
            told["told"].pop("ruleset_file", None)
            told["told"] |= {} if name is None else {"name": name}
        row = {each: packed(value) if each in _PACKED and value is not None else value for each, value in told.items()}
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        is_row = False
    if not is_row:
        raise RequestError("bad_campaign", field, "this is not a line of an export")
    if table is CAMPAIGN and told["version"] != version():
        message = f"this export is not of version {version()}: open the campaign with this narrator and export it again"
        raise RequestError("bad_campaign", field, message)
    return table, row


def _fits(value: Any, column: "Column[Any]") -> bool:
    if value is None:
        return bool(column.nullable)
    if isinstance(column.type, Integer):
        return isinstance(value, int) and abs(value) <= LARGEST
    return isinstance(value, dict if column.name in _PACKED else str)


def _check(db: "Connection") -> None:
    """Read back everything that was written. `UnreadableError` if it is inconsistent."""
    at, scenes, number = store.state(db), set[int](), 0
    for number, row in enumerate(db.execute(select(ENTRIES).order_by(ENTRIES.c.seq)), 1):
        entry = store.entry_of(row)
        if row.scene is not None:
            store.read(lambda each: Scene.read(unpacked(each.scene)), row)
            scenes.add(row.seq)
        is_next = row.seq == number and row.revision == at.revision - at.seq + number
        is_same = all(getattr(row, each) == getattr(entry, each) for each in ("seq", "revision", "kind", "page"))
        if not (is_next and is_same and row.head in scenes and (row.before is None or row.before in scenes)):
            raise UnreadableError(f"entry {row.seq} does not fit the one before it")
    pages = [each.id for each in store.pages(db, LARGEST)]
    if number != at.seq or len(pages) != at.page or pages != [f"p{each}" for each in range(1, len(pages) + 1)]:
        raise UnreadableError("entries or pages are missing")
