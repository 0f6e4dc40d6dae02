"""What was read from a line: a request, a move or a choice, part by part, or a question."""

from typing import Literal

from pydantic import ConfigDict, Field

from narrator.rules.json_text import Json
from narrator.rules.model import Model
from narrator.rules.request.action import Request

From = Literal["line", "scene", "ruleset", "page", "usual"]


class ReadPart(Model):
    """One part of a line, and what it was read as."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    text: str
    """The part as it was typed. Empty for a default, such as the usual action."""
    as_: str = Field(alias="as")
    """What it was read as, for people."""
    from_: From = Field(alias="from")
    """Where this comes from."""


class LineReading(Model):
    """A line that narrator reads without a question."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    text: str
    """The whole line, to type or tap."""
    as_: str = Field(alias="as")
    """What it would be read as, for people."""


class ReadLine(Model):
    """What a line means: a request, a move or a choice. If it is not clear: a question, with clearer lines."""

    request: Request | None = None
    """The request of a roll, for calls such as `suggest`."""
    move: Json | None = None
    """The move, for the call `move`."""
    choice: Json | None = None
    """The choice from the page, for the call `settle`."""
    read: tuple[ReadPart, ...] = ()
    """Every part of the line, and what it was read as."""
    notices: tuple[str, ...] = ()
    """Other remarks on the line."""
    ask: str | None = None
    """The question, if the line is not clear. Then nothing else was read."""
    readings: tuple[LineReading, ...] | None = None
    """With a question: lines that narrator reads without one."""

    @property
    def is_of_page(self) -> bool:
        """Whether it is about the open page: an invoked aspect or a choice."""
        return any(each.from_ == "page" for each in self.read)


class AskedError(Exception):
    """A line is ambiguous or lacks something. Contains the question, and lines that may be meant."""

    def __init__(self, question: str, *lines: str) -> None:
        super().__init__(question)
        self.question = question
        self.lines = lines


def part(text: str, told: str, known: From = "line") -> ReadPart:
    """Make one part of what was read."""
    return ReadPart(text=text, as_=told, from_=known)
