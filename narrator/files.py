"""Every file that narrator writes: what is written is there whole or not at all, whenever its writer is ended."""

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES
from hashlib import sha256
from pathlib import Path

from narrator.errors import NarratorError
from narrator.render.plain import visible

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
            with open(path, "wb", buffering=0, opener=at_once) as file:
                _write(file.write, data)
        elif there is not None and not os.access(path, os.W_OK):
            raise PermissionError(EACCES, "it may only be read")
        else:
            _put(Path(os.path.realpath(path)), data, os.replace, there and stat.S_IMODE(there.st_mode))


def create(path: Path, data: bytes) -> None:
    """Write a file where there is none.

    Raises:
        NarratorError: As `replace`, and where a file is there by now.
    """
    with _refusing(path):
        _put(path, data, _move)


def is_begun(path: Path) -> bool:
    """Whether there is anything in a file, or something that is no file."""
    try:
        return path.exists() and not (path.is_file() and path.stat().st_size == 0)
    except OSError:
        return True


def append(path: Path, line: bytes) -> None:
    """Write one more line; it is on the disk when this returns.

    Raises:
        NarratorError: As `replace`.
    """
    with _refusing(path), path.open("ab", buffering=0) as file:
        before = file.seek(0, os.SEEK_END)
        try:
            _write(file.write, line + b"\n")
            os.fsync(file.fileno())
        except OSError:
            file.truncate(before)
            raise


def whole_lines(path: Path) -> list[bytes]:
    """Read the lines, without half a one at the end that somebody was ended at.

    Raises:
        NarratorError: `bad_request`, with the path, where it cannot be read.
    """
    if path.exists() and not path.is_file():
        # A pipe may have nobody at its other end, and would be waited for.
        raise NarratorError("bad_request", visible(str(path)), "this is no file")
    with _refusing(path):
        data = path.read_bytes()
    return data[: data.rfind(b"\n") + 1].splitlines()


def drop_half_a_line(path: Path) -> None:
    """Take half a line off the end, so that the next begins a line of its own.

    Raises:
        NarratorError: As `replace`.
    """
    with _refusing(path), path.open("rb+") as file:
        file.truncate(file.read().rfind(b"\n") + 1)


@contextmanager
def locked(*paths: str | Path, patience: float = PATIENCE) -> Iterator[None]:
    """Keep others who ask for it from these files, by a lock on a hidden one beside each; of a pipe there is none.

    Args:
        patience: Seconds to wait for others.

    Raises:
        NarratorError: `bad_request`, with the path, where somebody else is at it for longer, or there can be no lock.
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
                    raise NarratorError("bad_request", visible(str(path)), message) from None
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


def _write(write: Callable[[bytes], int | None], data: bytes) -> None:
    """Write all: a disk that is nearly full takes a part."""
    while data:
        data = data[write(data) or 0 :]


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
        raise NarratorError("bad_request", visible(str(path)), "a file is there by now") from None
    except NarratorError:
        raise
    except (OSError, ValueError) as error:
        why = str(error.strerror) if isinstance(error, OSError) else "this is no path of a file"
        raise NarratorError("bad_request", visible(str(path)), why) from None
