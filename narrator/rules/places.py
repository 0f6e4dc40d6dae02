"""Finds the line of a TOML file that a message is about: the parser tells of syntax alone."""

import re
from collections.abc import Sequence

_HEADER = re.compile(r"^\s*\[{1,2}([^\[\]]+)\]{1,2}\s*(?:#.*)?$")


def line_of(text: str, path: Sequence[str | int]) -> int:
    """Find the line, from 1, where what is at a path begins.

    A path goes by tables, numbers of repeated tables and keys: `("rows", 3, "branches")`; a last word that is
    no key may be one that stands in the table. What cannot be found exactly is found as nearly as can be.
    """
    lines = text.splitlines()
    start, end, depth = _table(lines, path)
    rest = path[depth:]
    for part in reversed(rest):
        if not isinstance(part, str):
            continue
        word = re.escape(part)
        # As a key it stands there itself; in quotes it is at least mentioned.
        as_key, in_quotes = rf'^\s*"?{word}"?\s*=|[{{,]\s*{word}\s*=', rf'["\']{word}["\']'
        of_key = [number for number in range(start, end) if re.search(as_key, lines[number])]
        found = of_key or [number for number in range(start, end) if re.search(in_quotes, lines[number])]
        if found:
            # In a list of tables, the one of this number most likely has the key for that time.
            number = max((part for part in rest if isinstance(part, int)), default=0)
            return found[min(number, len(found) - 1)] + 1
    return start + 1


def _table(lines: Sequence[str], path: Sequence[str | int]) -> tuple[int, int, int]:
    """The lines of the table that a path leads into, and how many parts of the path that takes."""
    headers = [(number, _HEADER.match(line)) for number, line in enumerate(lines)]
    tables = [(number, _name(found[1])) for number, found in headers if found]
    best = (0, tables[0][0] if tables else len(lines), 0)
    counts: dict[str, int] = {}
    for place, (number, name) in enumerate(tables):
        counts[name] = counts.get(name, -1) + 1
        end = tables[place + 1][0] if place + 1 < len(tables) else len(lines)
        for depth in range(len(path), 0, -1):
            words = [str(part) for part in path[:depth]]
            is_this = ".".join(words) == name or (words[-1] == str(counts[name]) and ".".join(words[:-1]) == name)
            if is_this and depth > best[2]:
                best = (number, end, depth)
    return best


def _name(header: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in header.split("."))
