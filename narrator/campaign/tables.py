"""The tables of a campaign, the packing of their fields, and the migration of older files."""

import json
import zlib
from collections.abc import Callable
from typing import Any

from sqlalchemy import Column, Connection, Integer, LargeBinary, MetaData, String, Table, select, update

METADATA = MetaData()

CAMPAIGN = Table(
    "campaign",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("head", Integer, nullable=False),
    Column("page", Integer, nullable=False),
    Column("told", LargeBinary, nullable=False),
)
"""One row. `head` is the entry with the current scene, `page` the number of the newest page. `told` has the name, the
ruleset, and the dealt and struck cards, which an undo does not change."""

ENTRIES = Table(
    "entries",
    METADATA,
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("revision", Integer, nullable=False, unique=True),
    Column("kind", String(20), nullable=False),
    Column("page", String(20)),
    Column("key", String(200), unique=True),
    Column("body", String(64)),
    Column("undone", Integer, nullable=False, index=True),
    Column("before", Integer),
    Column("head", Integer, nullable=False),
    Column("told", LargeBinary, nullable=False),
    Column("scene", LargeBinary),
)
"""`told` is the entry. `head` is the entry with the scene after it: itself, if it has a scene. `before` is the one with
the scene before it. `undone` is one of the three values below."""

STANDS, TAKEN_BACK, GONE = 0, 1, 2
"""Whether an entry stands, was taken back and can be redone, or was taken back for good."""

PAGES = Table(
    "pages",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("revision", Integer, nullable=False),
    Column("state", String(10), nullable=False, index=True),
    Column("told", LargeBinary, nullable=False),
)
"""`told` is the page without its scene, which is the scene of `revision`."""

STAGES = Table(
    "stages",
    METADATA,
    Column("id", String(100), primary_key=True),
    Column("told", LargeBinary, nullable=False),
)
"""The cards that were written for a scene, by its `stage`. They have no entry and no revision."""


def _with_stages(db: Connection) -> None:
    STAGES.create(db)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_with_stages,)
"""The steps from version 1 to 2 and so on, the newest last."""

MOST_BYTES = 8_000_000
"""Limit for one unpacked field, because a file may come from anywhere."""


class UnreadableError(Exception):
    """The database is not one that this narrator wrote. The error's text is for people."""


def damaged(how: str) -> UnreadableError:
    """Make the error for a damaged campaign."""
    return UnreadableError(f"this campaign is damaged: {how}")


def version() -> int:
    """The version of the files that this narrator writes."""
    return 1 + len(MIGRATIONS)


def found_version(db: Connection) -> int | None:
    """The version of the campaign in a database, None if it is empty. Refuses other databases, later versions, and
    anything that could run code, such as triggers.
    """
    there = db.exec_driver_sql("SELECT type, name FROM sqlite_master").all()
    if not there:
        return None
    if ("table", "campaign") not in there or any(kind not in ("table", "index") for kind, _ in there):
        raise UnreadableError("this is a database, but not a campaign of narrator")
    found = db.execute(select(CAMPAIGN.c.version)).scalar()
    if not isinstance(found, int) or found < 1:
        raise damaged("it has no version")
    if found > version():
        known = f"newer than version {version()} that this narrator knows"
        raise UnreadableError(f"this campaign has version {found}, {known}: update narrator to open it")
    return found


def migrate(db: Connection) -> None:
    """Update a campaign to the current version."""
    for step in MIGRATIONS[(found_version(db) or 1) - 1 :]:
        step(db)
    db.execute(update(CAMPAIGN).values(version=version()))


def packed(value: Any) -> bytes:
    """Pack JSON for a field."""
    return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def text_in(data: Any) -> str:
    """Unpack the JSON text of a field. Refuses fields that are broken or too large."""
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(data, MOST_BYTES).decode()
    except (zlib.error, TypeError, ValueError) as error:
        raise damaged(f"a field cannot be read: {error}") from None
    if not reader.eof:
        raise damaged("a field is cut off, or too large")
    return text


def unpacked(data: Any) -> Any:
    """Unpack and parse the JSON of a field."""
    try:
        return json.loads(text_in(data))
    except (ValueError, RecursionError) as error:
        raise damaged(f"a field cannot be read: {error}") from None
