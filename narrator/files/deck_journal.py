"""The journal of a deck that is being made, beside it: a line for each call."""

from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints

from narrator.deck.deck_file import OwnCard
from narrator.errors import RequestError, quoted
from narrator.files.journal import Journal
from narrator.rules.model import LIST, Count, Model
from narrator.suggestions.source.protocol import MOST_TOKENS, Tokens


class DeckOrder(Model):
    """What a run was asked for, its notes by their digest: the first line of its journal."""

    notes: str
    cards: int
    language: str
    model: str


class RefusedCard(Model):
    """A card that was refused, by the code, and what was told of it."""

    code: Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}$")]
    message: str


class DeckCall(Model):
    """A call that was finished."""

    made: Annotated[tuple[OwnCard, ...], LIST]
    refused: Annotated[tuple[RefusedCard, ...], LIST]
    input_tokens: Count
    output_tokens: Count


class DeckJournal(Journal[DeckOrder, DeckCall]):
    """What a run has so far."""

    def __init__(self, path: Path, asked: DeckOrder) -> None:
        """Read what is there; what is the journal of something else is refused with the option that differs."""
        super().__init__(
            path, DeckOrder, DeckCall, "this is no line of the journal of a deck; delete the file to begin anew"
        )
        self._asked = asked
        there = self.head.as_json() if self.is_begun else {}
        for name, value in there.items():
            if value != getattr(asked, name):
                others = "others" if name == "notes" else f"{name} {quoted(str(value))}"
                message = f"{path} was begun with {others}: go on with that, or delete it to begin anew"
                raise RequestError("bad_request", name, message)

    @property
    def tokens(self) -> Tokens:
        """What the calls have used, as the source told, else as it was estimated."""
        sent = sum(each.input_tokens for each in self.entries)
        written = sum(each.output_tokens for each in self.entries)
        return Tokens(min(sent, MOST_TOKENS), 0, min(written, MOST_TOKENS))

    def add(self, entry: DeckCall) -> None:
        """Keep a call, so that it is there whatever happens next. Before the first there is no file."""
        if not self.is_begun:
            self.begin(self._asked)
        super().add(entry)
