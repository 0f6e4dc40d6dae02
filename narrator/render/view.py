"""A view: what people are shown, as lines of spans, each some text and its role; surfaces decide how a role looks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from narrator.errors import visible

if TYPE_CHECKING:
    # The help names every surface, and loads no models for that.
    from narrator.rules.model import Model

Role = Literal["", "strong", "dim", "key", "label", "note", "good", "tie", "bad"]
"""What a span is: told above the rest, or below it; what one chooses by, what kind of thing it is, a remark; or how
something came out."""


@dataclass(frozen=True)
class Span:
    """Some text, and its role. The text may be anybody's: a surface escapes whatever it would take for markup."""

    text: str
    role: Role = ""


@dataclass(frozen=True)
class Line:
    """A line, and how many columns in from the left it stands; without spans it is a blank one."""

    spans: tuple[Span, ...] = ()
    indent: int = 0


View = tuple[Line, ...]

BLANK = Line()


@dataclass(frozen=True)
class Answered:
    """What a call gave: the object, for programs, and its view, for people, made only where it is asked for."""

    result: "Model"
    view: Callable[[], View]


def line(*spans: str | tuple[str, Role], indent: int = 0) -> Line:
    """Make one line of untrusted text: nothing in it breaks the line, steers a terminal or hides."""
    told = (Span(each) if isinstance(each, str) else Span(*each) for each in spans)
    return Line(tuple(Span(visible(span.text), span.role) for span in told if span.text), indent)
