"""The journal of a deck in the making: a file beside it with a line for each call."""

from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints

from narrator.deck.deck_file import OwnCard
from narrator.errors import RequestError, quoted
from narrator.files.journal import Journal
from narrator.rules.model import LIST, Count, Model
from narrator.suggestions.source.protocol import MOST_TOKENS, Tokens


class DeckOrder(Model):
    """The first line of a journal: the options of its run, with a digest of the notes."""

    notes: str
    cards: int
    language: str
    model: str


class RefusedCard(Model):
    """A refused card: the code, and the message."""

    code: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")]
    message: str


class DeckCall(Model):
    """A finished call."""

    made: Annotated[tuple[OwnCard, ...], LIST]
    refused: Annotated[tuple[RefusedCard, ...], LIST]
    input_tokens: Count
    output_tokens: Count


class DeckJournal(Journal[DeckOrder, DeckCall]):
    """The results of a run so far."""

    def __init__(self, path: Path, asked: DeckOrder) -> None:
        """Read the file. If it belongs to another run, refuse it and name the option that differs."""
        super().__init__(
            path, DeckOrder, DeckCall, "this line is not from the journal of a deck; delete the file to start again"
        )
        self._asked = asked
        there = self.head.as_json() if self.is_begun else {}
        for name, value in there.items():
            if value != getattr(asked, name):
                others = "other notes" if name == "notes" else f"{name} {quoted(str(value))}"
                message = f"{path} was begun with {others}: use that again, or delete the file to start again"
                raise RequestError("bad_request", name, message)

    @property
    def tokens(self) -> Tokens:
        """The tokens of all calls, as the source counted or narrator estimated them."""
        sent = sum(each.input_tokens for each in self.entries)
        written = sum(each.output_tokens for each in self.entries)
        return Tokens(min(sent, MOST_TOKENS), 0, min(written, MOST_TOKENS))

    def add(self, entry: DeckCall) -> None:
        """Write a call to the disk. The first call creates the file."""
        if not self.is_begun:
            self.begin(self._asked)
        super().add(entry)
