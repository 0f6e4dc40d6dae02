"""Finds keys of too many parts in TOML before it is parsed: the parser takes memory by the square of their number."""

import re
from typing import Final

MOST_PARTS: Final = 8
"""Twice as many as any file of ours has use for."""

_PART: Final = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]++|\\.?)*+"?+|'[^'\n]*+'?+)"""
_DOT: Final = r"[ \t]*+\.[ \t]*+"
_SHALLOW: Final = re.compile(
    rf"""(?:
      \#[^\n]*+
    | \"\"\"(?:[^"\\]++|\\.?|"{{1,2}}+(?!"))*+"{{0,5}}+
    | '''(?:[^']++|'{{1,2}}+(?!'))*+'{{0,5}}+
    | {_PART}(?:{_DOT}{_PART}){{0,{MOST_PARTS - 1}}}+(?!{_DOT}{_PART})
    | [^A-Za-z0-9_\-"'\#]++
    )*+""",
    re.DOTALL | re.VERBOSE,
)
"""Comments, texts, keys and values up to the first key of too many parts. A text that never ends goes to the end of
its line or of the file: the parser goes no further either."""


def deep_line(text: str) -> int | None:
    """Give the line, from 1, of the first key that has too many parts; None where there is none.

    >>> deep_line("a.b.c = 1.5"), deep_line("# ours\\n[" + "a." * 99 + "b]")
    (None, 2)
    """
    found = _SHALLOW.match(text)
    assert found is not None, "no text is a beginning too"
    return None if found.end() == len(text) else text.count("\n", 0, found.end()) + 1
