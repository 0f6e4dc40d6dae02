"""What comes back: the answer, and the events it is told in as it comes about."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from narrator.rules.action import Version
from narrator.rules.choice import Suggestion
from narrator.rules.model import Model
from narrator.rules.resolution import Resolution
from narrator.validation.checking import Rejection


class Usage(Model):
    """
    What the model cost: calls, tokens, and the seconds spent waiting for it.
    """

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


class Answer(Model):
    """
    A resolution, the words for it, what was refused and why, and what there is to say of it.
    """

    version: Version = "narrator/v1"
    resolution: Resolution
    suggestions: tuple[Suggestion, ...]
    rejected: tuple[Rejection, ...]
    usage: Usage
    notices: tuple[str, ...]


class ResolutionEvent(Model):
    """
    What the rules found: the first event.
    """

    event: Literal["resolution"]
    resolution: Resolution


class AcceptedEvent(Model):
    """
    A suggestion that passed the check.
    """

    event: Literal["accepted"]
    accepted: Suggestion


class RejectedEvent(Model):
    """
    A candidate that did not pass, and why.
    """

    event: Literal["rejected"]
    rejected: Rejection


class NoticeEvent(Model):
    """
    Something that the table should know.
    """

    event: Literal["notice"]
    notice: str


class UsageEvent(Model):
    """
    What all calls together have cost: the last event but one.
    """

    event: Literal["usage"]
    usage: Usage


class DoneEvent(Model):
    """
    The whole answer: the last event.
    """

    event: Literal["done"]
    done: Answer


Event: TypeAlias = Annotated[
    ResolutionEvent | AcceptedEvent | RejectedEvent | NoticeEvent | UsageEvent | DoneEvent,
    Field(discriminator="event"),
]
"""One thing as it becomes known; the field that bears the event's name holds it."""
