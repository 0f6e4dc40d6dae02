"""In colour on a terminal, wrapped to its width or 100 columns."""

from typing import TextIO

from rich.console import Console
from rich.text import Text

from narrator.render.view import Answered, Role

WIDEST = 100
"""The most columns of a page. Longer lines are hard to read."""

NARROWEST = 20
"""The fewest columns of a page. Less is unreadable."""

STYLES: dict[Role, str] = {
    "": "",
    "strong": "bold",
    "dim": "dim",
    "key": "bold cyan",
    "label": "cyan",
    "note": "yellow",
    "good": "bold green",
    "tie": "bold yellow",
    "bad": "bold red",
}


def write(answered: Answered, out: TextIO) -> None:
    """Write the page, without blanks at the ends of its lines."""
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    console.width = max(NARROWEST, min(console.width, WIDEST))
    for line in answered.view():
        text = Text.assemble(*((span.text, STYLES[span.role]) for span in line.spans))
        for wrapped in text.wrap(console, console.width - line.indent):
            wrapped.rstrip()
            console.print(Text(" " * line.indent) + wrapped, soft_wrap=True)
