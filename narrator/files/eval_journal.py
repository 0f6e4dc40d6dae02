"""The journal of an evaluation: a line that says what is put to whom, and one for each answer."""

import json
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from narrator.deck.deeds import Certainty
from narrator.files.journal import Journal
from narrator.rules.model import Given, Model
from narrator.rules.request.action import Request
from narrator.rules.settle.suggestion import Suggestion
from narrator.suggestions.pipeline.answer import Usage
from narrator.suggestions.source.protocol import DECK
from narrator.suggestions.time.clock import LONGEST_TIMEOUT, MOST_REPAIRS, REPAIRS, TIMEOUT
from narrator.validation.verdict import Rejection

Asking = Literal["first", "repair", "deck"]
"""Where words are from: what a source said when it was first asked for them, or asked again, or the deck's cards."""

ID = 10
"""Hexadecimal digits of what a suggestion goes by on a sheet."""


class Case(Model):
    """A request as it is put to every source: with its seed and its deal, drawn once."""

    name: str
    """What it is called."""
    request: Request
    outcome: str
    """What the rules found."""
    wanted: int
    """How many suggestions it wants."""
    deed: Certainty | None = None
    """How well the deck knows what is done in it; left out: the journal is an older one."""


class Terms(Given):
    """How every source is asked. The deck is not kept out: what it has to put in is what a run counts."""

    timeout: Annotated[float, Field(ge=0, le=LONGEST_TIMEOUT)] = TIMEOUT
    """Seconds for the whole of a request."""
    repairs: Annotated[int, Field(ge=0, le=MOST_REPAIRS)] = REPAIRS
    """How often a source is asked again for what is missing."""


USUAL = Terms()


class EvalHead(Model):
    """What a run is about: the first line of its journal."""

    journal: Literal["narrator-eval/1"]
    """What kind of file this is."""
    sources: tuple[str, ...]
    """Who is asked, by name."""
    cases: tuple[Case, ...]
    """What they are asked."""
    terms: Terms = USUAL
    """How; left out: as usual."""


class Accepted(Model):
    """A suggestion that was accepted."""

    asking: Asking
    """Where it is from."""
    suggestion: Suggestion


class Rejected(Model):
    """What a source said that was not accepted."""

    asking: Asking
    """When it said so."""
    rejection: Rejection
    """What, and why."""


class Measured(Model):
    """What one source made of one request."""

    case: int
    """Which request, counted from 0."""
    source: str
    """Who was asked, by the name that the journal has for it."""
    said: tuple[Accepted, ...]
    """What was accepted, in the order in which it came."""
    refused: tuple[Rejected, ...]
    """What was not."""
    seconds_to_first: float | None = None
    """How long it took until there was a suggestion, whoever had it; None: nobody was waited for, or there was none."""
    usage: Usage
    """What it cost."""
    failures: tuple[str, ...]
    """What went wrong with asking, such as that nobody answered in time."""

    @property
    def own(self) -> tuple[Suggestion, ...]:
        """What the source had itself: of the deck all, of any other what the deck did not put in for it."""
        return tuple(each.suggestion for each in self.said if self.source == DECK or each.asking != "deck")


class EvalJournal(Journal[EvalHead, Measured]):
    """A journal: what it is about, and the answers it has; of two to the same the first counts."""

    def __init__(self, path: Path, *, may_be_new: bool = False) -> None:
        """Read the journal in a file; what is none is refused with the line."""
        super().__init__(
            path, EvalHead, Measured, "this is no line of a journal of narrator eval", may_be_new=may_be_new
        )
        for number, each in enumerate(self.entries, 2):
            if each.source not in self.head.sources or not 0 <= each.case < len(self.head.cases):
                raise self.broken(number)

    @property
    def answers(self) -> tuple[Measured, ...]:
        """The answers there are, request by request, in the order of the sources."""
        has = {(each.case, each.source): each for each in reversed(self.entries)}
        return tuple(has[pair] for pair in self._pairs if pair in has)

    @property
    def left(self) -> tuple[tuple[int, str], ...]:
        """What is still to be asked: the number of the request, and whom."""
        has = {(each.case, each.source) for each in self.entries}
        return tuple(pair for pair in self._pairs if pair not in has)

    def id_of(self, case: int, suggestion: Suggestion) -> str:
        """Give what a suggestion goes by on a sheet: the same words have the same one, whoever wrote them."""
        said = (suggestion.slot, suggestion.form, suggestion.to, suggestion.name, suggestion.detail)
        return sha256(json.dumps([sha256(self.first).hexdigest(), case, said]).encode()).hexdigest()[:ID]

    @cached_property
    def _pairs(self) -> tuple[tuple[int, str], ...]:
        return tuple((case, source) for case in range(len(self.head.cases)) for source in self.head.sources)
