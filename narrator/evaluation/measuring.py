"""What is measured of one answer: who wrote each suggestion at which asking, what was refused, and how long it took."""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from time import monotonic
from typing import Literal

from narrator.api.suggesting import astream
from narrator.rules.action import Request
from narrator.rules.choice import Suggestion
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.rules.ruleset import Ruleset
from narrator.sources.wrapped import Wrapped
from narrator.suggestions.answer import Answer, Usage
from narrator.suggestions.brief import Brief
from narrator.suggestions.pieces import pieces_of
from narrator.suggestions.source import DECK, Piece, Source
from narrator.validation.verdict import Rejection

Asking = Literal["first", "repair", "deck"]
"""Where words are from: what a source said when it was first asked for them, or asked again, or the deck's cards."""


class Said(Model):
    """A suggestion that was accepted."""

    asking: Asking
    """Where it is from."""
    suggestion: Suggestion
    """The suggestion."""


class Refused(Model):
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
    said: tuple[Said, ...]
    """What was accepted, in the order in which it came."""
    refused: tuple[Refused, ...]
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


class _Watched(Wrapped):
    """A source of which one sees whether it is being asked for something first, or again."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.wanted = Counter[str]()
        """How many suggestions there are to be for each slot."""
        self.asking: Asking = "first"
        self._asked = Counter[str]()

    async def astream(self, brief: Brief, seconds: float) -> AsyncGenerator[Piece, None]:
        """Ask the source."""
        self._asked.update({each.slot.id: each.how_many for each in brief.wanted})
        # An answer without suggestions leaves nothing refused; what is asked for once more than wanted is asked again.
        is_again = brief.refused or any(self._asked[slot] > many for slot, many in self.wanted.items())
        self.asking = "repair" if is_again else "first"
        async with aclosing(pieces_of(self._source, brief, seconds)) as pieces:
            async for piece in pieces:
                yield piece


def wanted(request: Request, resolution: Resolution) -> Counter[str]:
    """Count the suggestions that a request wants, for each slot."""
    return Counter({slot.id: request.per_slot for slot in resolution.slots(request.branch) if slot.forms})


async def measured(
    case: int, name: str, request: Request, source: Source | None, rulesets: tuple[Ruleset, ...] = ()
) -> Measured:
    """Put a request to a source, and measure what comes.

    Args:
        name: What the source is called.
        source: Who is asked; None: the deck alone.

    Raises:
        NarratorError: As `narrator.suggest`.
    """
    watched = None if source is None else _Watched(source)
    said: list[Said] = []
    refused: list[Refused] = []
    first: float | None = None
    answer: Answer | None = None
    started = monotonic()
    async with aclosing(astream(request, source="deck" if watched is None else watched, rulesets=rulesets)) as events:
        async for event in events:
            match event.event:
                case "resolution" if watched is not None:
                    watched.wanted = wanted(request, event.resolution)
                case "accepted":
                    asking = "deck" if watched is None or event.accepted.source == DECK else watched.asking
                    said.append(Said(asking=asking, suggestion=event.accepted))
                    if first is None and watched is not None:
                        first = round(monotonic() - started, 3)
                case "rejected" if watched is not None:
                    refused.append(Refused(asking=watched.asking, rejection=event.rejected))
                case "done":
                    answer = event.done
    assert answer is not None, "the last event is done"
    of_source = f"{source.label}: " if source is not None else None
    failures = (each.removeprefix(of_source) for each in answer.notices if of_source and each.startswith(of_source))
    return Measured(
        case=case,
        source=name,
        said=tuple(said),
        refused=tuple(refused),
        seconds_to_first=first,
        usage=answer.usage,
        failures=tuple(failures),
    )
