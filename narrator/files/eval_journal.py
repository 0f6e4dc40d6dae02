"""The journal of an evaluation: a line with its sources and requests, and a line for each answer."""

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
"""Where words come from: a source's first answer, its answer when asked again, or the deck."""

ID = 10
"""Hexadecimal digits of a suggestion's id on a sheet."""


class Case(Model):
    """A request for every source, with one seed and one deal for all."""

    name: str
    """The name of the request."""
    request: Request
    outcome: str
    """The outcome that the rules found."""
    wanted: int
    """How many suggestions it needs."""
    deed: Certainty | None = None
    """How well the deck knows the deed in it. Omitted in older journals."""


class Terms(Given):
    """How every source is asked. The deck stays in, because a run counts the cards that it adds."""

    timeout: Annotated[float, Field(ge=0, le=LONGEST_TIMEOUT)] = TIMEOUT
    """Seconds for a whole request."""
    repairs: Annotated[int, Field(ge=0, le=MOST_REPAIRS)] = REPAIRS
    """How often a source is asked again for missing suggestions."""


USUAL = Terms()


class EvalHead(Model):
    """The first line of a journal: the sources and requests of its run."""

    journal: Literal["narrator-eval/1"]
    """The kind of file."""
    sources: tuple[str, ...]
    """The names of the sources."""
    cases: tuple[Case, ...]
    """The requests."""
    terms: Terms = USUAL
    """How the sources are asked. Omitted: the usual terms."""


class Accepted(Model):
    """A suggestion that was accepted."""

    asking: Asking
    """Where it comes from."""
    suggestion: Suggestion


class Rejected(Model):
    """Words of a source that were not accepted."""

    asking: Asking
    """Where they come from."""
    rejection: Rejection
    """The words, and why they were refused."""


class Measured(Model):
    """The result of one source for one request."""

    case: int
    """The number of the request, from 0."""
    source: str
    """The source, by its name in the journal."""
    said: tuple[Accepted, ...]
    """The accepted suggestions, in the order of their arrival."""
    refused: tuple[Rejected, ...]
    """The refused ones."""
    seconds_to_first: float | None = None
    """Seconds until the first suggestion, from any source. None: no suggestion, or no waiting."""
    usage: Usage
    """The cost."""
    failures: tuple[str, ...]
    """Failures of the source, such as no answer in time."""

    @property
    def own(self) -> tuple[Suggestion, ...]:
        """The source's own suggestions. Cards count only if the source is the deck."""
        return tuple(each.suggestion for each in self.said if self.source == DECK or each.asking != "deck")


class EvalJournal(Journal[EvalHead, Measured]):
    """The journal of an evaluation. If two answers are to the same request, the first counts."""

    def __init__(self, path: Path, *, may_be_new: bool = False) -> None:
        """Read a journal. A wrong line is refused by its number."""
        super().__init__(
            path, EvalHead, Measured, "this line is not from a journal of narrator eval", may_be_new=may_be_new
        )
        for number, each in enumerate(self.entries, 2):
            if each.source not in self.head.sources or not 0 <= each.case < len(self.head.cases):
                raise self.broken(number)

    @property
    def answers(self) -> tuple[Measured, ...]:
        """The answers so far, by request, in the order of the sources."""
        has = {(each.case, each.source): each for each in reversed(self.entries)}
        return tuple(has[pair] for pair in self._pairs if pair in has)

    @property
    def left(self) -> tuple[tuple[int, str], ...]:
        """The questions still to ask: number of the request, and source."""
        has = {(each.case, each.source) for each in self.entries}
        return tuple(pair for pair in self._pairs if pair not in has)

    def id_of(self, case: int, suggestion: Suggestion) -> str:
        """Return a suggestion's id on a sheet. The same words have the same id, whichever source wrote them."""
        said = (suggestion.slot, suggestion.form, suggestion.to, suggestion.name, suggestion.detail)
        return sha256(json.dumps([sha256(self.first).hexdigest(), case, said]).encode()).hexdigest()[:ID]

    @cached_property
    def _pairs(self) -> tuple[tuple[int, str], ...]:
        return tuple((case, source) for case in range(len(self.head.cases)) for source in self.head.sources)
