"""The database of a campaign: a file of SQLite's, opened for each transaction; what it refuses is said in one line."""

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
"""Seconds for which others who write are waited for; each of them takes some hundredths of one."""

_LOOK = 0.25
"""Seconds between two looks at whether somebody wrote."""

_PRAGMAS = (
    # One file: a campaign is copied, mailed and put on a stick.
    "journal_mode = DELETE",
    # FULL, and the folder too, once the journal is gone: else what was acknowledged could be lost with the power.
    "synchronous = EXTRA",
    # What is struck out is written over with zeros.
    "secure_delete = ON",
    # A file may come from anywhere.
    "trusted_schema = OFF",
    "cell_size_check = ON",
)

_WHY = {
    "SQLITE_BUSY": "somebody else is writing in this campaign; try again when they are done",
    "SQLITE_FULL": "there is no room left on the disk, and nothing was written",
    "SQLITE_IOERR": "the disk cannot be read or written here, and nothing was written",
    "SQLITE_READONLY": "the file or its folder may only be read, and nothing was written",
    "SQLITE_CANTOPEN": "it cannot be opened: there is no such folder, or it may not be written",
    "SQLITE_NOTADB": "this is no campaign of narrator's",
    "SQLITE_CORRUPT": "this campaign is damaged: go on from a backup",
}
"""By the beginning of SQLite's name of an error: what is said. The first three may pass."""


class Database:
    """The database of one campaign. Nothing of it is open between transactions: the file may be copied then."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = _engine(path, "rw")

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read what stands at one moment."""
        with _refusing(self.path), self._engine.begin() as db:
            yield db

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write all or nothing, while nobody else does; on disk once this is left without an error."""
        with _refusing(self.path), self._engine.execution_options(begin="BEGIN IMMEDIATE").begin() as db:
            yield db

    def examine(self, patience: float) -> None:
        """Refuse one that is damaged, or may not be written, also because somebody else has it for so many seconds."""
        engine = _engine(self.path, "rw", patience).execution_options(begin="BEGIN IMMEDIATE")
        with _refusing(self.path), engine.begin() as db:
            if (found := db.exec_driver_sql("PRAGMA quick_check(1)").scalar()) != "ok":
                raise UnreadableError(f"{_WHY['SQLITE_CORRUPT']} ({found})")

    def changes(self) -> Iterator[bool]:
        """Look four times a second, without end, and say whether somebody wrote since the look before.

        Whoever reads after the first look misses nothing: what was written by then is read, and the rest is looked for.
        """
        last, file = None, self._file()
        with _refusing(self.path), self._engine.execution_options(begin="").connect() as db:
            while True:
                now = db.exec_driver_sql("PRAGMA data_version").scalar()
                db.rollback()
                yield last not in (None, now)
                if self._file() != file:
                    raise RequestError("bad_campaign", visible(str(self.path)), "there is another file by now")
                last = now
                sleep(_LOOK)

    def _file(self) -> tuple[int, int] | None:
        """Which file of the system it is; None: there is none by now."""
        try:
            there = self.path.stat()
        except OSError:
            return None
        return there.st_dev, there.st_ino

    def is_empty(self) -> bool:
        """Whether there is no campaign yet, but a place for one; `bad_campaign` for a file of something else."""
        try:
            if not self.path.exists():
                return True
            if self.path.is_file():
                with self.reading() as db:
                    if found_version(db) is not None:
                        return False
                # SQLite takes the shortest files for new ones.
                with self.path.open("rb") as file:
                    if file.read(16) in (b"", b"SQLite format 3\0"):
                        return True
        except OSError as error:
            raise RequestError("bad_campaign", visible(str(self.path)), str(error.strerror)) from None
        raise RequestError("bad_campaign", visible(str(self.path)), _WHY["SQLITE_NOTADB"])

    @contextmanager
    def beginning(self) -> Iterator[Connection]:
        """The same, where there may be no file yet; where nothing can be written, an empty one may be left."""
        with _refusing(self.path), _engine(self.path, "rwc").execution_options(begin="BEGIN IMMEDIATE").begin() as db:
            yield db

    def copy(self, to: Path, named: Path) -> None:
        """Write all that stands at one moment into a new file, without what was struck or is no longer used."""
        # It is no part of a transaction.
        with _refusing(named), self._engine.execution_options(begin="").begin() as db:
            db.exec_driver_sql("VACUUM INTO ?", (str(to),))


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Say what the database refuses, and what is damaged in it, with the path."""
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
        # We begin transactions ourselves: the driver would only do so before it writes.
        connection.isolation_level = None
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()

    def begun(db: Connection) -> None:
        if statement := db.get_execution_options().get("begin", "BEGIN"):
            db.exec_driver_sql(statement)

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)
    return engine
