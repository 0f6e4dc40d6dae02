"""Text alone: no colour, no wrapping.

The program that shows it wraps the lines, and must not read them as markup. For a chat that does, use `markdown`.
"""

from typing import TextIO

from narrator.render.view import Answered


def write(answered: Answered, out: TextIO) -> None:
    """Write each line of the page as one line, indented by spaces, without trailing ones."""
    for line in answered.view():
        text = "".join(span.text for span in line.spans)
        print(f"{' ' * line.indent}{text}".rstrip(), file=out)
