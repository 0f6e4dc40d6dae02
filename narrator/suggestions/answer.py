"""What comes back: the answer, and the events it is told in as it comes about."""

from typing import Literal

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


class Event(Model):
    """
    One thing as it becomes known; the field that bears the event's name holds it.
    """

    event: Literal["resolution", "accepted", "rejected", "notice", "usage", "done"]
    resolution: Resolution | None = None
    accepted: Suggestion | None = None
    rejected: Rejection | None = None
    notice: str | None = None
    usage: Usage | None = None
    done: Answer | None = None
