"""The database of a campaign: a file of SQLite's, opened for each transaction; what it refuses is said in one line."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from narrator.campaign.tables import UnreadableError
from narrator.errors import RequestError, TryAgainError, visible

PATIENCE = 30.0
"""Seconds for which others who write are waited for; each of them takes some hundredths of one."""

_PRAGMAS = (
    # One file: a campaign is copied, mailed and put on a stick.
    "journal_mode = DELETE",
    # More than FULL: the folder is synced too, once the journal is gone, or the last entry could come back undone after
    # a power cut, though it was acknowledged.
    "synchronous = EXTRA",
    # What is struck out is written over with zeros.
    "secure_delete = ON",
    # A file may come from anywhere.
    "trusted_schema = OFF",
    "cell_size_check = ON",
)

_WHY = {
    "SQLITE_BUSY": (TryAgainError, "somebody else is writing in this campaign; try again when they are done"),
    "SQLITE_LOCKED": (TryAgainError, "somebody else is writing in this campaign; try again when they are done"),
    "SQLITE_FULL": (TryAgainError, "there is no room left on the disk: nothing was written"),
    "SQLITE_READONLY": (RequestError, "the file or its folder may only be read: nothing was written"),
    "SQLITE_CANTOPEN": (RequestError, "it cannot be opened: there is no such folder, or it may not be written"),
    "SQLITE_PERM": (RequestError, "it may not be opened"),
    "SQLITE_AUTH": (RequestError, "it may not be opened"),
    "SQLITE_NOTADB": (RequestError, "this is no campaign"),
    "SQLITE_CORRUPT": (RequestError, "this campaign is damaged: go on from a backup"),
    "SQLITE_IOERR": (TryAgainError, "the disk cannot be read or written here: nothing was written"),
}
"""By the beginning of SQLite's name of an error: what is raised, and what is said."""


class Database:
    """The database of one campaign. Nothing of it is open between transactions: the file may be copied then."""

    def __init__(self, path: Path) -> None:
        self.path = path
        url = URL.create("sqlite", database=f"file:{quote(str(path))}", query={"uri": "true", "mode": "rw"})
        self._engine = _engine(url)
        self._creating = _engine(url.update_query_dict({"mode": "rwc"}))

    @property
    def place(self) -> str:
        """The path, as errors name it."""
        return visible(str(self.path))

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read what stands at one moment."""
        with self._refusing(), self._engine.begin() as db:
            yield db

    @contextmanager
    def writing(self, *, creating: bool = False) -> Iterator[Connection]:
        """Write all or nothing, while nobody else does; on disk once this is left without an error.

        Args:
            creating: Whether the file is made where there is none.
        """
        engine = self._creating if creating else self._engine
        with self._refusing(), engine.execution_options(begin="BEGIN IMMEDIATE").begin() as db:
            yield db

    def copy(self, to: Path) -> None:
        """Write all that stands at one moment into a new file, without what was struck or is no longer used."""
        # It is no part of a transaction.
        with self._refusing(), self._engine.connect().execution_options(begin="") as db:
            db.exec_driver_sql("VACUUM INTO ?", (str(to),))

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Say what the database refuses, and what is damaged in it, with the path."""
        try:
            yield
        except UnreadableError as error:
            raise RequestError("bad_campaign", self.place, visible(str(error))) from None
        except SQLAlchemyError as error:
            cause = error.orig if isinstance(error, DBAPIError) else error
            name = getattr(cause, "sqlite_errorname", "")
            kind, why = next((told for start, told in _WHY.items() if name.startswith(start)), (None, ""))
            if kind is None:
                if not isinstance(cause, sqlite3.DatabaseError):
                    raise
                kind, why = RequestError, f"this campaign is damaged: {visible(str(cause))}"
            raise kind("bad_campaign", self.place, why) from None


def _engine(url: URL) -> Engine:
    engine = create_engine(url, poolclass=NullPool, connect_args={"timeout": PATIENCE})

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
