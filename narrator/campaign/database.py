"""The database of a campaign: an SQLite file that is opened for each transaction. Its errors become one line."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import SQLAlchemyError

from narrator.campaign.tables import UnreadableError, found_version
from narrator.errors import RequestError, TryAgainError, visible

PATIENCE = 30.0
"""Seconds to wait for other writers. Each of them takes some hundredths of a second."""

_LOOK = 0.25
"""Seconds between two checks for writes by others."""

_PRAGMAS = (
    # A single file, because people copy campaigns, mail them and put them on a stick.
    "journal_mode = DELETE",
    # Like FULL, and also syncs the folder. Otherwise a power failure could undo a finished write.
    "synchronous = EXTRA",
    # Overwrites struck words with zeros.
    "secure_delete = ON",
    # A file may come from anywhere.
    "trusted_schema = OFF",
    "cell_size_check = ON",
)

_WHY = {
    "SQLITE_BUSY": "somebody else is writing in this campaign; try again when they are done",
    "SQLITE_FULL": "the disk is full, and nothing was written",
    "SQLITE_IOERR": "the disk cannot be read or written here, and nothing was written",
    "SQLITE_READONLY": "the file or its folder is read-only, and nothing was written",
    "SQLITE_CANTOPEN": "the file cannot be opened: its folder is missing, or not writable",
    "SQLITE_NOTADB": "this is not a campaign of narrator",
    "SQLITE_CORRUPT": "this campaign is damaged: go back to a backup",
}
"""Messages by the beginning of SQLite's name of an error. The first three errors may pass by themselves."""


class Database:
    """The database of one campaign. Between transactions the file is closed and may be copied."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = _engine(path, "rw")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a consistent view for reading."""
        with _refusing(self.path), self._engine.begin() as db:
            yield db

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write all or nothing, while nobody else writes. After leaving this without an error, it is on disk."""
        with _refusing(self.path), self._engine.execution_options(begin="BEGIN IMMEDIATE").begin() as db:
            yield db

    def examine(self, patience: float) -> None:
        """Refuse a damaged or unwritable database, or one that is locked for longer than `patience` seconds."""
        engine = _engine(self.path, "rw", patience).execution_options(begin="BEGIN IMMEDIATE")
        with _refusing(self.path), engine.begin() as db:
            if (found := db.exec_driver_sql("PRAGMA quick_check(1)").scalar()) != "ok":
                raise UnreadableError(f"{_WHY['SQLITE_CORRUPT']} ({found})")

    def changes(self) -> Iterator[bool]:
        """Check four times a second, without end, whether somebody wrote since the last check.

        If you read after the first check, you miss nothing.
        """
        last, file = None, self._file()
        with _refusing(self.path), self._engine.execution_options(begin="").connect() as db:
            while True:
                now = db.exec_driver_sql("PRAGMA data_version").scalar()
                db.rollback()
                yield last not in (None, now)
                if self._file() != file:
                    raise RequestError("bad_campaign", visible(str(self.path)), "the file was replaced: open it again")
                last = now
                sleep(_LOOK)

    def _file(self) -> tuple[int, int] | None:
        """Return the system's identity of the file, None if it is gone."""
        try:
            there = self.path.stat()
        except OSError:
            return None
        return there.st_dev, there.st_ino

    def is_empty(self) -> bool:
        """Whether there is no campaign yet, but a place for one. `bad_campaign` if the file contains something else."""
        try:
            if not self.path.exists():
                return True
            if self.path.is_file():
                with self.reading() as db:
                    if found_version(db) is not None:
                        return False
                # SQLite treats very short files as new ones.
                with self.path.open("rb") as file:
                    if file.read(16) in (b"", b"SQLite format 3\0"):
                        return True
        except OSError as error:
            raise RequestError("bad_campaign", visible(str(self.path)), str(error.strerror)) from None
        raise RequestError("bad_campaign", visible(str(self.path)), _WHY["SQLITE_NOTADB"])

    @contextmanager
    def beginning(self) -> Iterator[Connection]:
        """The same, for a file that may not exist yet. If writing fails, an empty file may remain."""
        with _refusing(self.path), _engine(self.path, "rwc").execution_options(begin="BEGIN IMMEDIATE").begin() as db:
            yield db

    def copy(self, to: Path, named: Path) -> None:
        """Copy a consistent view into a new file, without struck or unused data."""
        # This cannot run inside a transaction.
        with _refusing(named), self._engine.execution_options(begin="").begin() as db:
            db.exec_driver_sql("VACUUM INTO ?", (str(to),))


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Turn errors and damage of the database into errors of narrator, with the path."""
    try:
        yield
    except UnreadableError as error:
        raise RequestError("bad_campaign", visible(str(path)), visible(str(error))) from None
    except SQLAlchemyError as error:
        cause = getattr(error, "orig", None)
        name = getattr(cause, "sqlite_errorname", "")
        found = next((start for start in _WHY if name.startswith(start)), "")
        if not found and not isinstance(cause, sqlite3.DatabaseError):
            raise
        why = _WHY.get(found) or f"this campaign is damaged: {visible(str(cause))}"
        kind = TryAgainError if found in list(_WHY)[:3] else RequestError
        raise kind("bad_campaign", visible(str(path)), why) from None


def _engine(path: Path, mode: str, patience: float | None = None) -> Engine:
    url = URL.create("sqlite", database=f"file:{quote(str(path))}", query={"uri": "true", "mode": mode})
    engine = create_engine(
        url, poolclass=NullPool, connect_args={"timeout": PATIENCE if patience is None else patience}
    )

    def connected(connection: Any, _: object) -> None:
        # We begin transactions ourselves, because the driver would begin them only before a write.
        connection.isolation_level = None
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()

    def begun(db: Connection) -> None:
        if statement := db.get_execution_options().get("begin", "BEGIN"):
            db.exec_driver_sql(statement)

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine
