"""Writes files: what is written is there whole or not at all, whenever its writer is ended; and locks them."""

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
"""Seconds for which a lock is waited for: whoever has it writes one file."""


def replace(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write a file anew. Its mode is kept, and of a link the target is written; a pipe, and what standard output goes
    to, are written as they come.

    Args:
        mode: That of a new file; left out: the usual one.

    Raises:
        NarratorError: `bad_request`, with the path, where it cannot be written; then it is as it was.
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
            raise PermissionError(EACCES, "it may only be read")
        else:
            _put(Path(os.path.realpath(path)), data, os.replace, stat.S_IMODE(there.st_mode) if there else mode)


@contextmanager
def fresh(path: Path) -> Iterator[Path]:
    """Have somebody else write a file beside one that is not there yet, and move it there once they are done."""
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
    """Write a file where there is none, of some mode; one that is there by now is refused."""
    with refusing(path):
        _put(path, data, _move, mode)


@contextmanager
def locked(*paths: str | Path, patience: float = PATIENCE) -> Iterator[None]:
    """Keep others who ask for it from these files, by a lock on a hidden one beside each; of a pipe there is none.
    Others are waited for as many seconds as `patience` says; where it takes them longer, this is refused.
    """
    from filelock import FileLock, Timeout

    with ExitStack() as held:
        # All take them in one order, so that no two wait for each other.
        for path in sorted({Path(os.path.realpath(each)) for each in paths if _may_be_file(each)}):
            with refusing(path):
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
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Have a folder on the disk; the file is there by now, and not every system can do that."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


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
def refusing(path: Path) -> Iterator[None]:
    """Refuse, with `bad_request` and the path, what the system does not do with a file."""
    try:
        yield
    except FileExistsError:
        raise RequestError("bad_request", visible(str(path)), "a file is there by now") from None
    except NarratorError:
        raise
    except (OSError, ValueError) as error:
        why = str(error.strerror) if isinstance(error, OSError) else "this is no path of a file"
        raise RequestError("bad_request", visible(str(path)), why) from None
