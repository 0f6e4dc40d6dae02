"""Access: programs use a token. Browsers exchange a code for a session. Each has the role of GM or players."""

import json
import os
import secrets
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from time import monotonic, time
from typing import Literal, NamedTuple

from narrator.campaign.players import Role
from narrator.errors import RequestError
from narrator.files import atomic

Proof = Literal["token", "session"]
"""How a client proves who it is. A browser also sends its session for foreign pages, but never a token."""

OWNERS_ALONE = 0o600
SESSION_SECONDS = 30 * 24 * 3600
MOST_SESSIONS = 100
"""Of each role."""
MOST_TRIES, TRYING_SECONDS = 20, 60.0
"""After this many codes from one address in this time, right or wrong, its codes are refused. So nobody can guess a
code of 8 letters or lock others out."""
MOST_REMEMBERED = 2_000
"""Remembered codes from all addresses."""

_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits that are easy to tell apart when read aloud."""


def token_in(folder: Path) -> tuple[str, bool]:
    """Read the token for programs, or make one.

    Returns:
        The token, and whether it is new. It is shown only once.
    """
    path, new = folder / "token", secrets.token_urlsafe(32)
    with atomic.refusing(path):
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            atomic.create(path, new.encode(), OWNERS_ALONE)
            return new, True
        os.chmod(path, OWNERS_ALONE)
        token = path.read_text("ascii").strip()
    if len(token) < 32:
        raise RequestError("bad_request", str(path), "this is not a token: delete the file to get a new one")
    return token, False


def new_code() -> str:
    """Draw a code that is easy to read aloud."""
    return "".join(secrets.choice(_LETTERS) for _ in range(8))


class _Session(NamedTuple):
    role: Role
    end: float
    table: str | None
    address: str


class TooManyTriesError(Exception):
    """Too many codes came from one address, so its codes are refused for a while."""


class Access:
    """The token, codes and sessions. Sessions outlast the server, in a file with their digests.

    Args:
        file: The file of the sessions.
        token: The token for programs.
        pairing: The players' code while the server runs. None: players can't enter.
        table: The campaign that players see. A player's session is for this campaign only.
        on_used: Called with the GM's next code when one is used.
    """

    def __init__(
        self, file: Path, token: str, pairing: str | None, table: str | None, on_used: Callable[[str], None]
    ) -> None:
        self._file, self._token, self._pairing, self._table, self._on_used = file, token, pairing, table, on_used
        self._sessions: dict[str, _Session] = {}
        # Clients without a readable session enter by a code again.
        with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError, OverflowError):
            told = json.loads(file.read_text("utf-8")).items()
            self._sessions = {each: _Session(*fields) for each, fields in told if fields[1] > 0}
        self._tried: deque[tuple[float, str]] = deque(maxlen=MOST_REMEMBERED)
        self.code = new_code()
        """The GM's code, valid once."""

    def by_token(self, given: str) -> Role | None:
        """The role of a token."""
        return "gm" if compare_digest(given.encode(), self._token.encode()) else None

    def by_session(self, given: str) -> Role | None:
        """The role of a session, or None if there is no valid session with this id."""
        found = self._sessions.get(_digest(given))
        if found is None or not found.end > time() or (found.role != "gm" and found.table != self._table):
            return None
        return found.role

    def enter(self, code: str, address: str) -> tuple[str, Role] | None:
        """Exchange a code for the id of a new session, or None if the code is wrong.

        Raises:
            TooManyTriesError: If too many codes came from this address recently.
        """
        late = monotonic() - TRYING_SECONDS
        if sum(each == address and at > late for at, each in self._tried) >= MOST_TRIES:
            raise TooManyTriesError
        self._tried.append((monotonic(), address))
        is_gm = compare_digest(code.encode(), self.code.encode())
        if not is_gm and (self._pairing is None or not compare_digest(code.encode(), self._pairing.encode())):
            return None
        role: Role = "gm" if is_gm else "players"
        session = secrets.token_urlsafe(32)
        self._sessions[_digest(session)] = _Session(role, time() + SESSION_SECONDS, self._table, address)
        self._keep()
        if is_gm:
            self.code = new_code()
            self._on_used(self.code)
        return session, role

    def leave(self, session: str) -> None:
        """End a session."""
        if self._sessions.pop(_digest(session), None) is not None:
            self._keep()

    def _keep(self) -> None:
        for role in ("gm", "players"):
            of_role = {each: told.address for each, told in self._sessions.items() if told.role == role}
            if len(of_role) > MOST_SESSIONS:
                # Ends the oldest session of the address with the most, so that nobody can push others out.
                [(most, _)] = Counter(of_role.values()).most_common(1)
                del self._sessions[next(each for each, address in of_role.items() if address == most)]
        self._sessions = {each: told for each, told in self._sessions.items() if told.end > time()}
        atomic.replace(self._file, json.dumps(self._sessions).encode(), OWNERS_ALONE)


def _digest(session: str) -> str:
    return sha256(session.encode()).hexdigest()
