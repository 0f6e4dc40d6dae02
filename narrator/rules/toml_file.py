"""Reads a TOML file into a model, with errors that name the line."""

import re
import tomllib
from collections.abc import Callable, Sequence
from importlib.resources.abc import Traversable
from typing import Final, TypeVar

from pydantic import ValidationError

from narrator.errors import ErrorCode, RequestError
from narrator.rules.model import Model, is_hidden, refusal

FileModel = TypeVar("FileModel", bound=Model)

MOST_PARTS: Final = 8
"""The limit for the parts of a key: twice what our files need. The parser's memory use grows with their square."""

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
"""Matches comments, texts, keys and values up to the first key with too many parts. Unclosed text extends to the end
of its line or file, where the parser stops as well."""

_HEADER = re.compile(r"^\s*\[{1,2}([^\[\]]+)\]{1,2}\s*(?:#.*)?$")


def read_toml(model: type[FileModel], text: str, place: str, code: ErrorCode) -> FileModel:
    """Read the text of a file. `place` is its name in messages. If the model hides its input, messages repeat only the
    names of fields.
    """
    if (deep := deep_line(text)) is not None:
        raise RequestError(code, f"{place}:{deep}", f"a key here has more than {MOST_PARTS} parts")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = "this is not TOML" if is_hidden(model) else str(error)
        if (twice := re.match(r"Cannot declare \((.+)\) twice", message)) is not None:
            path = [part.strip("' ") for part in twice[1].split(",")]
            message = f"{message}, first at {place}:{line_of(text, path)}"
        raise RequestError(code, f"{place}:{_line(error, text)}", message) from None
    except (ValueError, RecursionError):
        raise RequestError(code, f"{place}:1", "a number is too long or the nesting is too deep") from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        found = refusal(error, model)
        line = line_of(text, [int(part) if part.isdigit() else part for part in found.field.split(".")])
        raise RequestError(code, f"{place}:{line}", f"{found.field}: {found.message}", found.allowed) from None


def read_packaged(model: type[FileModel], file: Traversable, wants: Callable[[str], bool] | None = None) -> FileModel:
    """Read a file that comes with narrator. A mistake in it is an `internal_error`.

    Args:
        wants: Which lines of a long file to read. The others count as blank. None means all.
    """
    text = file.read_text("utf-8")
    if wants is not None:
        text = "\n".join(line if wants(line) else "" for line in text.split("\n"))
    return read_toml(model, text, file.name, "internal_error")


def deep_line(text: str) -> int | None:
    """Return the line, from 1, of the first key with too many parts, or None.

    >>> deep_line("a.b.c = 1.5"), deep_line("# ours\\n[" + "a." * 99 + "b]")
    (None, 2)
    """
    found = _SHALLOW.match(text)
    assert found is not None, "an empty match is always possible"
    return None if found.end() == len(text) else text.count("\n", 0, found.end()) + 1


def line_of(text: str, path: Sequence[str | int]) -> int:
    """Find the line, from 1, where the value at a path begins, or the closest line that can be found.

    A path consists of tables, numbers of repeated tables, and keys: `("rows", 3, "branches")`. The last word may be a
    value in the table instead of a key.
    """
    lines = text.splitlines()
    start, end, depth = _table(lines, path)
    rest = path[depth:]
    for part in reversed(rest):
        if not isinstance(part, str):
            continue
        word = re.escape(part)
        # A key is the best match. A quoted value is the next best.
        as_key, in_quotes = rf'^\s*"?{word}"?\s*=|[{{,]\s*{word}\s*=', rf'["\']{word}["\']'
        of_key = [number for number in range(start, end) if re.search(as_key, lines[number])]
        found = of_key or [number for number in range(start, end) if re.search(in_quotes, lines[number])]
        if found:
            # In a list of tables, the table with this number probably has this occurrence of the key.
            number = max((part for part in rest if isinstance(part, int)), default=0)
            return found[min(number, len(found) - 1)] + 1
    return start + 1


def _line(error: tomllib.TOMLDecodeError, text: str) -> int:
    """Return the parser's line, from 1. Python 3.14 has a field for it, earlier versions only the message."""
    # If something is not closed, the error is in the last line.
    found = re.search(r"at line (\d+)", str(error))
    last = max(1, len(text.splitlines()))
    return min(getattr(error, "lineno", int(found[1]) if found else last), last)


def _table(lines: Sequence[str], path: Sequence[str | int]) -> tuple[int, int, int]:
    """Return the lines of the table on a path, and how many parts of the path it uses."""
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
