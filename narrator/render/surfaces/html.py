"""HTML for your own page: every span is escaped and has its role as a class."""

from html import escape
from typing import TextIO

from narrator.render.view import Answered, Line


def write(answered: Answered, out: TextIO) -> None:
    """Write each line as a paragraph, with its indent as a class. Blank lines are skipped."""
    for line in answered.view():
        if line.spans:
            print(paragraph(line), file=out)


def paragraph(line: Line) -> str:
    """Return one line as a paragraph."""
    spans = (
        f'<span class="{each.role}">{escape(each.text)}</span>' if each.role else escape(each.text)
        for each in line.spans
    )
    return f'<p class="in-{line.indent}">{"".join(spans)}</p>' if line.indent else f"<p>{''.join(spans)}</p>"
