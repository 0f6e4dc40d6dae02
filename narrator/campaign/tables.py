"""The tables of a campaign, what is packed in their fields, and how an older file becomes one of this version."""

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
"""One row: `head` is the entry whose scene stands, `page` the number of the newest page. `told` has name and ruleset,
and the cards that were dealt and struck: what a table has seen is not unseen when something is taken back."""

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
"""`told` is the entry. `head` is the entry whose scene stood then: its own, where it has a scene; `before` is the one
whose scene stood before it. `undone` is one of the three below."""

STANDS, TAKEN_BACK, GONE = 0, 1, 2
"""Of an entry: whether it stands, was taken back and can be done again, or was taken back for good."""

PAGES = Table(
    "pages",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("revision", Integer, nullable=False),
    Column("state", String(10), nullable=False, index=True),
    Column("told", LargeBinary, nullable=False),
)
"""`told` is the page without its scene, which is that of `revision`."""

STAGES = Table(
    "stages",
    METADATA,
    Column("id", String(100), primary_key=True),
    Column("told", LargeBinary, nullable=False),
)
"""The cards that were written for a scene, by the id that the scene has for them: no entry, and no revision."""


def _with_stages(db: Connection) -> None:
    STAGES.create(db)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_with_stages,)
"""What makes of a file of version 1 one of version 2, and so on; the newest last."""

MOST_BYTES = 8_000_000
"""Of what is packed in one field, unpacked: a file may come from anywhere."""


class UnreadableError(Exception):
    """What stands in a database is nothing that this narrator wrote there; its text is for people."""


def damaged(how: str) -> UnreadableError:
    """Say that something is not as narrator writes it."""
    return UnreadableError(f"this campaign is damaged: {how}")


def version() -> int:
    """The version of the files that are written here."""
    return 1 + len(MIGRATIONS)


def found_version(db: Connection) -> int | None:
    """The version of the campaign in a database, None where there is nothing at all; what is something else, or of a
    later version, is refused, and so is what would run a program of somebody's.
    """
    there = db.exec_driver_sql("SELECT type, name FROM sqlite_master").all()
    if not there:
        return None
    if ("table", "campaign") not in there or any(kind not in ("table", "index") for kind, _ in there):
        raise UnreadableError("this is a database, but no campaign of narrator's")
    found = db.execute(select(CAMPAIGN.c.version)).scalar()
    if not isinstance(found, int) or found < 1:
        raise damaged("it has no version")
    if found > version():
        known = f"this narrator knows versions up to {version()}"
        raise UnreadableError(f"this campaign is of version {found}, and {known}: a newer one reads it")
    return found


def migrate(db: Connection) -> None:
    """Make a campaign of an older version one of this."""
    for step in MIGRATIONS[(found_version(db) or 1) - 1 :]:
        step(db)
    db.execute(update(CAMPAIGN).values(version=version()))


def packed(value: Any) -> bytes:
    """Pack JSON for a field."""
    return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def text_in(data: Any) -> str:
    """Unpack the JSON that a field holds; refused for what nobody packed, or what comes to too much."""
    reader = zlib.decompressobj()
    try:
        text = reader.decompress(data, MOST_BYTES).decode()
    except (zlib.error, TypeError, ValueError) as error:
        raise damaged(f"a field cannot be read, {error}") from None
    if not reader.eof:
        raise damaged("a field is cut off, or too large")
    return text


def unpacked(data: Any) -> Any:
    """The same, read."""
    try:
        return json.loads(text_in(data))
    except (ValueError, RecursionError) as error:
        raise damaged(f"a field cannot be read, {error}") from None
