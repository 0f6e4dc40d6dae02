"""What comes back: the answer, and the events it is told in as it comes about."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from narrator.rules.action import Version
from narrator.rules.choice import Suggestion
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.validation.verdict import Rejection


class Usage(Model):
    """
    What the model cost: calls, tokens, and the seconds spent waiting for it.
    """

    calls: int = 0
    """How often the model was asked; 0 for the deck."""
    input_tokens: int = 0
    """What it was sent, as far as it says."""
    cached_tokens: int = 0
    """How much of that it had kept from before."""
    output_tokens: int = 0
    """What it wrote."""
    seconds: float = 0.0
    """How long was waited for it."""
    prompts: tuple[str, ...] = ()
    """The pages that it was asked with, each with its version, such as `system/2`; none for the deck."""


class Answer(Model):
    """
    A resolution, the words for it, what was refused and why, and what there is to say of it.
    """

    version: Version = "narrator/v1"
    """The contract that this is written to."""
    resolution: Resolution
    """What the rules found."""
    suggestions: tuple[Suggestion, ...]
    """The words that passed the check, in the order of the slots."""
    rejected: tuple[Rejection, ...]
    """What a model wrote and did not pass, and why."""
    deal: int | None = None
    """Which deal the deck's cards were of, as a request may name it; left out: no words were wanted."""
    dealt: tuple[str, ...] | None = None
    """The scene's cards that were dealt, and those of this answer: hand it on as a choice's `dealt`. Left out: none."""
    usage: Usage
    """What the model cost."""
    notices: tuple[str, ...]
    """What to tell the table, such as that a model did not answer; those of the rules stand in the resolution."""


class ResolutionEvent(Model):
    """
    What the rules found: the first event.
    """

    event: Literal["resolution"]
    """Its name."""
    resolution: Resolution
    """What the rules found."""


class AcceptedEvent(Model):
    """
    A suggestion that passed the check.
    """

    event: Literal["accepted"]
    """Its name."""
    accepted: Suggestion
    """The suggestion, whole."""


class RejectedEvent(Model):
    """
    A candidate that did not pass, and why.
    """

    event: Literal["rejected"]
    """Its name."""
    rejected: Rejection
    """The candidate, and why."""


class NoticeEvent(Model):
    """
    Something that the table should know.
    """

    event: Literal["notice"]
    """Its name."""
    notice: str
    """What to tell the table."""


class UsageEvent(Model):
    """
    What all calls together have cost: the last event but one.
    """

    event: Literal["usage"]
    """Its name."""
    usage: Usage
    """What it cost."""


class DoneEvent(Model):
    """
    The whole answer: the last event.
    """

    event: Literal["done"]
    """Its name."""
    done: Answer
    """The answer, whole."""


Event: TypeAlias = Annotated[
    ResolutionEvent | AcceptedEvent | RejectedEvent | NoticeEvent | UsageEvent | DoneEvent,
    Field(discriminator="event"),
]
"""One thing as it becomes known; the field that bears the event's name holds it."""
