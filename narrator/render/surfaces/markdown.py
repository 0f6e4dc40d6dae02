"""Bold and lists, for chats and wikis. No word of a scene becomes markup, a mention or a link."""

import re
from itertools import groupby
from typing import TextIO

from narrator.render.view import Answered, Line, Role

BOLD: frozenset[Role] = frozenset({"strong", "key", "good", "tie", "bad"})

_SIGN = re.compile(r"[\\`*_\[\]<>{}#|~&$=^%]|[:.](?=\S)")
"""Characters that may be markup anywhere; colon and dot only if they would make an emoji or address."""
_STARTING = re.compile(r"^(\d*)([-+.)])")
_MENTIONING = "@\N{ZERO WIDTH SPACE}"
"""No chat takes this for a mention. A backslash does not prevent one in every chat."""


def write(answered: Answered, out: TextIO) -> None:
    """Write lines without indent as paragraphs, and indented ones as nested lists."""
    before: int | None = None
    around: list[int] = []
    for line in answered.view():
        text = _text(line)
        if not text:
            continue
        if before is not None and 0 in (before, line.indent):
            print(file=out)
        around = [indent for indent in around if indent < line.indent]
        print(f"{'  ' * len(around)}- {text}" if line.indent else text, file=out)
        around += [line.indent] if line.indent else []
        before = line.indent


def _text(line: Line) -> str:
    parts = []
    for is_bold, spans in groupby(line.spans, key=lambda span: span.role in BOLD):
        text = escaped("".join(span.text for span in spans))
        core = text.strip()
        parts.append(text.replace(core, f"**{core}**", 1) if is_bold and core else text)
    return _STARTING.sub(r"\1\\\2", " ".join("".join(parts).split()))


def escaped(text: str) -> str:
    """Escape untrusted text for a line of Markdown, so that it is shown unchanged."""
    return _SIGN.sub(r"\\\g<0>", text).replace("@", _MENTIONING)
