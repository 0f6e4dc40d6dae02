"""A file that grows line by line; a line is there whole or not at all, whenever its writer is ended."""

import os
from collections.abc import Callable
from pathlib import Path

from narrator.errors import NarratorError
from narrator.render.plain import visible


def is_begun(path: Path) -> bool:
    """
    Whether there is anything in a file, or something that is no file.
    """
    try:
        return path.exists() and not (path.is_file() and path.stat().st_size == 0)
    except OSError:
        return True


def begin(path: Path, line: bytes) -> None:
    """
    Begin a file with its first line.

    Raises:
        NarratorError: `bad_request`, with the path, where it cannot be written.
    """

    def write() -> None:
        # Written beside it and moved there: without its whole first line the file would be of no use.
        made = path.with_name(f"{path.name}.new")
        made.unlink(missing_ok=True)
        _append(made, line)
        made.replace(path)

    _writing(path, write)


def append(path: Path, line: bytes) -> None:
    """
    Write one more line, all at once; it is on the disk when this returns.

    Raises:
        NarratorError: As `begin`.
    """
    _writing(path, lambda: _append(path, line))


def whole_lines(path: Path) -> list[bytes]:
    """
    Read the lines, without half a one at the end that somebody was ended at.

    Raises:
        NarratorError: `bad_request`, with the path, where it cannot be read.
    """
    if path.exists() and not path.is_file():
        # A pipe may have nobody at its other end, and would be waited for.
        raise NarratorError("bad_request", visible(str(path)), "this is no file")
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None
    return data[: data.rfind(b"\n") + 1].splitlines()


def drop_half_a_line(path: Path) -> None:
    """
    Take half a line off the end, so that the next begins a line of its own.

    Raises:
        NarratorError: As `begin`.
    """

    def drop() -> None:
        with path.open("rb+") as file:
            file.truncate(file.read().rfind(b"\n") + 1)

    _writing(path, drop)


def _append(path: Path, line: bytes) -> None:
    with path.open("ab", buffering=0) as file:
        file.write(line + b"\n")
        os.fsync(file.fileno())


def _writing(path: Path, write: Callable[[], None]) -> None:
    try:
        write()
    except (OSError, ValueError) as error:
        raise _refusal(path, error) from None


def _refusal(path: Path, error: OSError | ValueError) -> NarratorError:
    why = str(error.strerror) if isinstance(error, OSError) else "this is no path of a file"
    return NarratorError("bad_request", visible(str(path)), why)
