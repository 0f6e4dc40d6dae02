"""Writes files whole or not at all, even if the writer is stopped; and locks files."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES
from hashlib import sha256
from pathlib import Path

from narrator.errors import NarratorError, RequestError, visible

PATIENCE = 10.0
"""Seconds to wait for a lock. Its holder only writes one file."""


def replace(path: Path, data: bytes, mode: int | None = None) -> None:
    """Replace a file's contents and keep its mode. If it is a link, write its target. A pipe, or the file of standard
    output, is written directly.

    Args:
        mode: The mode of a new file. Omitted: the usual one.

    Raises:
        NarratorError: `bad_request`, with the path, if it can't be written. Then it is unchanged.
    """
    with refusing(path):
        there = os.stat(path) if path.exists() else None
        if there is not None and _is_output(there):
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
        elif there is not None and not stat.S_ISREG(there.st_mode):
            with open(path, "wb", opener=at_once) as file:
                file.write(data)
        elif there is not None and not os.access(path, os.W_OK):
            raise PermissionError(EACCES, "it is read-only")
        else:
            _put(Path(os.path.realpath(path)), data, os.replace, stat.S_IMODE(there.st_mode) if there else mode)


@contextmanager
def fresh(path: Path) -> Iterator[Path]:
    """Give the caller a path beside a file that doesn't exist yet. Move what they wrote there when they are done."""
    with refusing(path):
        if os.path.lexists(path):
            raise FileExistsError
        beside = path.with_name(f".narrator-{os.urandom(8).hex()}")
        try:
            yield beside
            with open(beside, "rb+") as file:
                os.fsync(file.fileno())
            _move(beside, path)
        finally:
            beside.unlink(missing_ok=True)
        _sync(path.parent)


def create(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a new file. Refuse it if it exists by now."""
    with refusing(path):
        _put(path, data, _move, mode)


@contextmanager
def locked(*paths: str | Path, patience: float = PATIENCE) -> Iterator[None]:
    """Lock files, each with a hidden lock file beside it. A pipe has no lock.

    Wait for other holders for `patience` seconds, then refuse.
    """
    from filelock import FileLock, Timeout

    with ExitStack() as held:
        # Everybody locks in the same order, so that no two wait for each other.
        for path in sorted({Path(os.path.realpath(each)) for each in paths if _may_be_file(each)}):
            with refusing(path):
                path.parent.stat()
                lock = path.with_name(f".narrator-{sha256(path.name.encode(errors='replace')).hexdigest()[:16]}.lock")
                try:
                    held.enter_context(FileLock(lock, timeout=patience))
                except Timeout:
                    message = "somebody else is writing this file; try again when they are done"
                    raise RequestError("bad_request", visible(str(path)), message) from None
                # It is deleted while it is held. Whoever waits for it creates it again.
                held.callback(_unlink, lock)
        yield


def at_once(path: str, flags: int) -> int:
    """Open a file. Don't wait for the other end of a pipe. For `open`."""
    without_waiting = getattr(os, "O_NONBLOCK", 0)
    opened = os.open(path, flags | without_waiting, 0o666)
    if without_waiting:
        os.set_blocking(opened, True)
    return opened


def _unlink(lock: Path) -> None:
    with suppress(OSError):  # Windows keeps a file that somebody waits for
        lock.unlink()


def _put(path: Path, data: bytes, move: Callable[[Path, Path], None], mode: int | None = None) -> None:
    """Write a file beside it with a random name, and move it there."""
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
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Flush a folder to the disk, if the system can. The file itself is already there."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _move(beside: Path, path: Path) -> None:
    """Move a file to a free path, or fail. Somebody may have written there meanwhile."""
    try:
        os.link(beside, path)
    except FileExistsError:
        raise
    except OSError:
        # Some file systems have no links.
        path.touch(exist_ok=False)
        os.replace(beside, path)


def _is_output(there: os.stat_result) -> bool:
    """Whether standard output goes to this file."""
    try:
        return os.path.samestat(there, os.fstat(sys.stdout.fileno()))
    except (OSError, ValueError, AttributeError):
        return False  # standard output is closed, or goes to no file


def _may_be_file(path: str | Path) -> bool:
    return "\0" not in str(path) and (os.path.isfile(path) or not os.path.exists(path))


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Turn errors of the system into `bad_request` with the path."""
    try:
        yield
    except FileExistsError:
        raise RequestError("bad_request", visible(str(path)), "a file exists there now") from None
    except NarratorError:
        raise
    except (OSError, ValueError) as error:
        why = str(error.strerror) if isinstance(error, OSError) else "this is not the path of a file"
        raise RequestError("bad_request", visible(str(path)), why) from None
