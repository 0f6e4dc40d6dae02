"""What is read of a line: a request, a move or a choice, part by part, or the question that has to be asked back."""

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
    """The part as it was typed; empty for what was not typed, such as the usual deed."""
    as_: str = Field(alias="as")
    """What it was read as, for people."""
    from_: From = Field(alias="from")
    """Where that is known from."""


class LineReading(Model):
    """A line that is read without a question."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    text: str
    """The whole line, to be typed or tapped."""
    as_: str = Field(alias="as")
    """What it would be read as, for people."""


class ReadLine(Model):
    """What a line is: a request, a move or a choice; or what has to be asked back, with lines that would do."""

    request: Request | None = None
    """The request of a roll, for calls such as `suggest`."""
    move: Json | None = None
    """The move, for the call `move`."""
    choice: Json | None = None
    """What was chosen of the page, for the call `settle`."""
    read: tuple[ReadPart, ...] = ()
    """Every part of the line, and what it was read as."""
    notices: tuple[str, ...] = ()
    """What else there is to say of it."""
    ask: str | None = None
    """What has to be asked back; then nothing else was read."""
    readings: tuple[LineReading, ...] | None = None
    """With a question: lines that are read without one."""

    @property
    def is_of_page(self) -> bool:
        """Whether it is about a page that is open: one more aspect, or what is chosen of it."""
        return any(each.from_ == "page" for each in self.read)


class AskedError(Exception):
    """A line that has two readings, or lacks something: the question, and lines that may be meant."""

    def __init__(self, question: str, *lines: str) -> None:
        super().__init__(question)
        self.question = question
        self.lines = lines


def part(text: str, told: str, known: From = "line") -> ReadPart:
    """Say of one part what it was read as."""
    return ReadPart(text=text, as_=told, from_=known)
