"""Every file that narrator writes: what is written is there whole or not at all, whenever its writer is ended."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES
from hashlib import sha256
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ValidationError

from narrator.errors import NarratorError, RequestError
from narrator.render.plain import visible
from narrator.rules.model import Model

Head = TypeVar("Head", bound=Model)
Entry = TypeVar("Entry", bound=Model)
Line = TypeVar("Line", bound=Model)

PATIENCE = 10.0
"""Seconds for which a lock is waited for: whoever has it writes one file."""


def replace(path: Path, data: bytes) -> None:
    """Write a file anew. Its mode is kept, and of a link the target is written; a pipe, and what standard output goes
    to, are written as they come.

    Raises:
        NarratorError: `bad_request`, with the path, where it cannot be written; then it is as it was.
    """
    with _refusing(path):
        there = os.stat(path) if path.exists() else None
        if there is not None and _is_output(there):
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
        elif there is not None and not stat.S_ISREG(there.st_mode):
            with open(path, "wb", opener=at_once) as file:
                file.write(data)
        elif there is not None and not os.access(path, os.W_OK):
            raise PermissionError(EACCES, "it may only be read")
        else:
            _put(Path(os.path.realpath(path)), data, os.replace, there and stat.S_IMODE(there.st_mode))


def create(path: Path, data: bytes) -> None:
    """Write a file where there is none; one that is there by now is refused."""
    with _refusing(path):
        _put(path, data, _move)


class Journal(Generic[Head, Entry]):
    """A file that says in its first line what it is about, and then has a line for each entry.

    A line is written whole and at once, so that a run that was ended at any moment leaves a journal to go on from: half
    a line at its end counts for nothing.
    """

    head: Head
    """What it is about, once it is begun."""
    first: bytes
    """The first line, as it stands in the file."""

    def __init__(
        self, path: Path, head: type[Head], entry: type[Entry], broken: str, *, may_be_new: bool = True
    ) -> None:
        """Read what is there, if anything has to be; `broken` is what is said of a line that is none of its own."""
        self.path = path
        self.entries: list[Entry] = []
        self._broken = broken
        is_empty = not os.path.exists(path) or (os.path.isfile(path) and not os.path.getsize(path))
        self.is_begun = not (may_be_new and is_empty)
        if not self.is_begun:
            return
        if not is_empty and not os.path.isfile(path):
            # A pipe may have nobody at its other end, and would be waited for.
            raise RequestError("bad_request", visible(str(path)), "this is no file")
        with _refusing(path):
            data = path.read_bytes()
        self._end = data.rfind(b"\n") + 1
        self.first, *others = data[: self._end].splitlines() or [b""]
        self.head = self._read(head, self.first, 1)
        self.entries += (self._read(entry, line, number) for number, line in enumerate(others, 2))

    def begin(self, head: Head) -> None:
        """Write the first line."""
        # As it was written, so that one more field that might be in it makes no other line.
        self.head, self.first = head, head.model_dump_json(exclude_unset=True).encode()
        replace(self.path, self.first + b"\n")
        self.is_begun, self._end = True, len(self.first) + 1

    def add(self, entry: Entry) -> None:
        """Keep an entry: it is on the disk when this returns."""
        # Null is written too: that a refused candidate was null is told so.
        left = line = entry.model_dump_json().encode() + b"\n"
        with _refusing(self.path), self.path.open("rb+", buffering=0) as file:
            file.truncate(self._end)
            file.seek(self._end)
            try:
                while left:  # a disk that is nearly full takes a part
                    left = left[file.write(left) :]
                os.fsync(file.fileno())
            except OSError:
                file.truncate(self._end)
                raise
        self._end += len(line)
        self.entries.append(entry)

    def broken(self, line: int) -> NarratorError:
        """Return what is raised for a line, counted from 1, that such a journal cannot have."""
        return RequestError("bad_request", f"{visible(str(self.path))}:{line}", self._broken)

    def _read(self, kind: type[Line], line: bytes, number: int) -> Line:
        try:
            return kind.model_validate_json(line)
        except ValidationError:
            raise self.broken(number) from None


@contextmanager
def locked(*paths: str | Path, patience: float = PATIENCE) -> Iterator[None]:
    """Keep others who ask for it from these files, by a lock on a hidden one beside each; of a pipe there is none.
    Others are waited for as many seconds as `patience` says; where it takes them longer, this is refused.
    """
    from filelock import FileLock, Timeout

    with ExitStack() as held:
        # All take them in one order, so that no two wait for each other.
        for path in sorted({Path(os.path.realpath(each)) for each in paths if _may_be_file(each)}):
            with _refusing(path):
                path.parent.stat()
                lock = path.with_name(f".narrator-{sha256(path.name.encode(errors='replace')).hexdigest()[:16]}.lock")
                try:
                    held.enter_context(FileLock(lock, timeout=patience))
                except Timeout:
                    message = "somebody else is writing this; try again when they are done"
                    raise RequestError("bad_request", visible(str(path)), message) from None
                # It goes while it is held: whoever waits for one that is gone makes it anew.
                held.callback(_unlink, lock)
        yield


def at_once(path: str, flags: int) -> int:
    """Open a file; of a pipe, without waiting for somebody at its other end. For `open`."""
    without_waiting = getattr(os, "O_NONBLOCK", 0)
    opened = os.open(path, flags | without_waiting, 0o666)
    if without_waiting:
        os.set_blocking(opened, True)
    return opened


def _unlink(lock: Path) -> None:
    with suppress(OSError):  # Windows keeps what somebody waits for
        lock.unlink()


def _put(path: Path, data: bytes, move: Callable[[Path, Path], None], mode: int | None = None) -> None:
    """Write a file beside it, under a name that nobody can foresee, and move it there."""
    beside = path.with_name(f".narrator-{os.urandom(8).hex()}")
    try:
        with open(beside, "xb") as file:
            if mode is not None:
                os.chmod(beside, mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        move(beside, path)
    finally:
        beside.unlink(missing_ok=True)
    # The file is there by now; not every system can sync a folder.
    with suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _move(beside: Path, path: Path) -> None:
    """Move a file to where none is, or fail: somebody may have written there since it was looked."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:
        # There are file systems without links.
        path.touch(exist_ok=False)
        os.replace(beside, path)


def _is_output(there: os.stat_result) -> bool:
    """Whether a file is what standard output goes to."""
    try:
        return os.path.samestat(there, os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError, AttributeError):
        return False  # it is closed, or goes to no file


def _may_be_file(path: str | Path) -> bool:
    return "\0" not in str(path) and (os.path.isfile(path) or not os.path.exists(path))


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    try:
        yield
    except FileExistsError:
        raise RequestError("bad_request", visible(str(path)), "a file is there by now") from None
    except NarratorError:
        raise
    except (OSError, ValueError) as error:
        why = str(error.strerror) if isinstance(error, OSError) else "this is no path of a file"
        raise RequestError("bad_request", visible(str(path)), why) from None
