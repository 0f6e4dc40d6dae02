"""Text alone: no colour, no wrapping.

Whoever shows it wraps it as wide as it is there, and takes none of it for markup: a chat that would wants `markdown`.
"""

from typing import TextIO

from narrator.render.view import Answered


def write(answered: Answered, out: TextIO) -> None:
    """Write each line of the page as one line, indented by blanks, without any at its end."""
    for line in answered.view():
        text = "".join(span.text for span in line.spans)
        print(f"{' ' * line.indent}{text}".rstrip(), file=out)
