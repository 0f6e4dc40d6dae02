"""A view: what people see, as lines of spans. Each span has text and a role; surfaces decide how a role looks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from narrator.errors import visible

if TYPE_CHECKING:
    # Help lists every surface without loading models.
    from narrator.rules.model import Model

Role = Literal["", "strong", "dim", "key", "label", "note", "good", "tie", "bad"]
"""What a span is: emphasised or dimmed, a key to choose by, a label, a remark, or how something came out."""


@dataclass(frozen=True)
class Span:
    """Some text and its role. The text is untrusted: a surface escapes all that could be markup."""

    text: str
    role: Role = ""


@dataclass(frozen=True)
class Line:
    """A line and its indent in columns. Without spans it is blank."""

    spans: tuple[Span, ...] = ()
    indent: int = 0


View = tuple[Line, ...]

BLANK = Line()


@dataclass(frozen=True)
class Answered:
    """The answer of a call: the object for programs, and its view for people, made only on demand."""

    result: "Model"
    view: Callable[[], View]


def line(*spans: str | tuple[str, Role], indent: int = 0) -> Line:
    """Make one line of untrusted text. Nothing in it can break the line, control a terminal or hide."""
    told = (Span(each) if isinstance(each, str) else Span(*each) for each in spans)
    return Line(tuple(Span(visible(span.text), span.role) for span in told if span.text), indent)
