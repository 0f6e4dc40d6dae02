"""A journal: a file that grows by a line for each thing that a run has done, and from which it goes on."""

import os
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ValidationError

from narrator.errors import NarratorError, RequestError, visible
from narrator.files.atomic import refusing, replace
from narrator.rules.model import Model

Head = TypeVar("Head", bound=Model)
Entry = TypeVar("Entry", bound=Model)
LineModel = TypeVar("LineModel", bound=Model)


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
        with refusing(path):
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
        with refusing(self.path), self.path.open("rb+", buffering=0) as file:
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

    def _read(self, kind: type[LineModel], line: bytes, number: int) -> LineModel:
        try:
            return kind.model_validate_json(line)
        except ValidationError:
            raise self.broken(number) from None
