"""Bold and lists, for chats and wikis, where nobody's words become markup, a mention or a link."""

import re
from itertools import groupby
from typing import TextIO

from narrator.render.view import Answered, Line, Role

BOLD: frozenset[Role] = frozenset({"strong", "key", "good", "tie", "bad"})

_SIGN = re.compile(r"[\\`*_\[\]<>{}#|~&$=^%]|[:.](?=\S)")
"""What may be markup wherever it stands; colon and dot where they would make an emoji or an address."""
_STARTING = re.compile(r"^(\d*)([-+.)])")
_MENTIONING = "@\N{ZERO WIDTH SPACE}"
"""No chat takes this for a mention; a backslash does not keep every one of them from it."""


def write(answered: Answered, out: TextIO) -> None:
    """Write what stands at the left as paragraphs, and what is indented as a list, one in another."""
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
    """Return untrusted text as it may stand within a line of Markdown, so that it is shown as it is."""
    return _SIGN.sub(r"\\\g<0>", text).replace("@", _MENTIONING)
