"""Keeps what a run has made beside the deck to be, a line for each call, so that it goes on where it was stopped."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import StringConstraints, ValidationError

from narrator.deck.cards import OwnCard
from narrator.errors import NarratorError, quoted
from narrator.files import append, drop_half_a_line, is_begun, replace, whole_lines
from narrator.rules.model import LIST, Count, Model, refusal
from narrator.suggestions.source import MOST_TOKENS, Tokens

Json = dict[str, Any]


class Made(Model):
    """A card, and the piece of the notes that it was made of."""

    of: Count
    """The number of the piece, from 0."""
    title: str
    """What the piece is called."""
    card: OwnCard


class Refused(Model):
    """A card that was refused, by the code, and what was told of it."""

    code: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")]
    message: str


class Entry(Model):
    """A call that was finished."""

    call: Count
    """Its number, from 0."""
    made: Annotated[tuple[Made, ...], LIST] = ()
    refused: Annotated[tuple[Refused, ...], LIST] = ()
    input_tokens: Count = 0
    output_tokens: Count = 0


class Journal:
    """The file. Its first line says what was asked for; a last line that was not written to its end is no line."""

    def __init__(self, path: Path, asked: Mapping[str, str | int]) -> None:
        """Read what is there.

        Raises:
            NarratorError: `bad_request` for a journal of something else, with the option that differs; or one that
                cannot be read or written.
        """
        self.path = path
        self.entries: list[Entry] = []
        self._asked = dict(asked)
        self._has_begun = is_begun(path)
        if not self._has_begun:
            return
        lines = whole_lines(path)
        if not lines:
            raise self._broken(1, "this is no journal of a deck")
        for number, line in enumerate(lines):
            if number:
                self.entries.append(self._entry(line, number - 1))
            else:
                self._check(line)
        drop_half_a_line(path)

    @property
    def tokens(self) -> Tokens:
        """What the calls have used, as the source told, else as it was estimated."""
        sent, written = (
            sum(getattr(each, name) for each in self.entries) for name in ("input_tokens", "output_tokens")
        )
        return Tokens(min(sent, MOST_TOKENS), 0, min(written, MOST_TOKENS))

    def keep(self, entry: Entry) -> None:
        """Write down a call, so that it is there whatever happens next.

        Raises:
            NarratorError: `bad_request` where the file cannot be written.
        """
        if not self._has_begun:
            replace(self.path, json.dumps(self._asked).encode() + b"\n")
        self._has_begun = True
        append(self.path, json.dumps(entry.as_json()).encode())
        self.entries.append(entry)

    def remove(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)

    def _check(self, line: bytes) -> None:
        begun = self._json(line, 1)
        for name, value in self._asked.items():
            if begun.get(name) != value:
                there = "others" if name == "notes" else f"{name} {quoted(str(begun.get(name)))}"
                message = f"{self.path} was begun with {there}: go on with that, or delete it to begin anew"
                raise NarratorError("bad_request", name, message)

    def _entry(self, line: bytes, number: int) -> Entry:
        try:
            entry = Entry.model_validate(self._json(line, number + 2))
        except ValidationError as error:
            found = refusal(error, Entry)
            raise self._broken(number + 2, f"{found.field}: {found.message}") from None
        if entry.call != number:
            raise self._broken(number + 2, f"this is call {entry.call}, and call {number} was due")
        return entry

    def _json(self, line: bytes, number: int) -> Json:
        try:
            read = json.loads(line)
        except (ValueError, RecursionError):
            read = None
        if not isinstance(read, dict):
            raise self._broken(number, "this is no JSON object")
        return read

    def _broken(self, number: int, message: str) -> NarratorError:
        return NarratorError("bad_request", f"{self.path}:{number}", f"{message}; delete the file to begin anew")
