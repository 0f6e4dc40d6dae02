"""A journal: a file that gets a line for each result of a long run. The run can continue from it."""

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
    """A file with a head in its first line, and a line for each entry.

    A run may be stopped at any moment and can continue from its journal. Half a line at the end is ignored.
    """

    head: Head
    """What the journal is about, once it is begun."""
    first: bytes
    """The first line, exactly as in the file."""

    def __init__(
        self, path: Path, head: type[Head], entry: type[Entry], broken: str, *, may_be_new: bool = True
    ) -> None:
        """Read the file. `broken` is the message for a line that doesn't belong in such a journal."""
        self.path = path
        self.entries: list[Entry] = []
        self._broken = broken
        is_empty = not os.path.exists(path) or (os.path.isfile(path) and not os.path.getsize(path))
        self.is_begun = not (may_be_new and is_empty)
        if not self.is_begun:
            return
        if not is_empty and not os.path.isfile(path):
            # Reading a pipe could wait forever.
            raise RequestError("bad_request", visible(str(path)), "this is not a file")
        with refusing(path):
            data = path.read_bytes()
        self._end = data.rfind(b"\n") + 1
        self.first, *others = data[: self._end].splitlines() or [b""]
        self.head = self._read(head, self.first, 1)
        self.entries += (self._read(entry, line, number) for number, line in enumerate(others, 2))

    def begin(self, head: Head) -> None:
        """Write the first line."""
        # Leave out unset fields, so that a new field doesn't change this line.
        self.head, self.first = head, head.model_dump_json(exclude_unset=True).encode()
        replace(self.path, self.first + b"\n")
        self.is_begun, self._end = True, len(self.first) + 1

    def add(self, entry: Entry) -> None:
        """Write an entry. It is on the disk when this returns."""
        # Null is written too, because a refused candidate may have been null.
        left = line = entry.model_dump_json().encode() + b"\n"
        with refusing(self.path), self.path.open("rb+", buffering=0) as file:
            file.truncate(self._end)
            file.seek(self._end)
            try:
                while left:  # a nearly full disk may accept only a part
                    left = left[file.write(left) :]
                os.fsync(file.fileno())
            except OSError:
                file.truncate(self._end)
                raise
        self._end += len(line)
        self.entries.append(entry)

    def broken(self, line: int) -> NarratorError:
        """Return the error for a line, counted from 1, that doesn't belong in the journal."""
        return RequestError("bad_request", f"{visible(str(self.path))}:{line}", self._broken)

    def _read(self, kind: type[LineModel], line: bytes, number: int) -> LineModel:
        try:
            return kind.model_validate_json(line)
        except ValidationError:
            raise self.broken(number) from None
