"""Reads a TOML file into a model, so that a message names the line that is wrong."""

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
"""Of a key: twice as many as any file of ours has use for. The parser takes memory by the square of their number."""

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

_HEADER = re.compile(r"^\s*\[{1,2}([^\[\]]+)\]{1,2}\s*(?:#.*)?$")


def read_toml(model: type[FileModel], text: str, place: str, code: ErrorCode) -> FileModel:
    """Read the text of a file; `place` names it in messages. Where the model's input is hidden, what stands in the
    file is never repeated but for the names of fields.
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
        raise RequestError(code, f"{place}:1", "a number or a nesting in it has no end") from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        found = refusal(error, model)
        line = line_of(text, [int(part) if part.isdigit() else part for part in found.field.split(".")])
        raise RequestError(code, f"{place}:{line}", f"{found.field}: {found.message}", found.allowed) from None


def read_packaged(model: type[FileModel], file: Traversable, wants: Callable[[str], bool] | None = None) -> FileModel:
    """Read a file that comes with narrator: what is wrong in it is nobody's fault but ours, an `internal_error`.

    Args:
        wants: Which lines of a long file are read; the others are taken for blank. None: all.
    """
    text = file.read_text("utf-8")
    if wants is not None:
        text = "\n".join(line if wants(line) else "" for line in text.split("\n"))
    return read_toml(model, text, file.name, "internal_error")


def deep_line(text: str) -> int | None:
    """Give the line, from 1, of the first key that has too many parts; None where there is none.

    >>> deep_line("a.b.c = 1.5"), deep_line("# ours\\n[" + "a." * 99 + "b]")
    (None, 2)
    """
    found = _SHALLOW.match(text)
    assert found is not None, "no text is a beginning too"
    return None if found.end() == len(text) else text.count("\n", 0, found.end()) + 1


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


def _line(error: tomllib.TOMLDecodeError, text: str) -> int:
    """The line, from 1, that the parser names: in a field from Python 3.14 on, before that in its message alone."""
    # What lacks its end is missed in the last line.
    found = re.search(r"at line (\d+)", str(error))
    last = max(1, len(text.splitlines()))
    return min(getattr(error, "lineno", int(found[1]) if found else last), last)


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
