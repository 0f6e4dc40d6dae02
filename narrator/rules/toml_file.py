"""Reads a TOML file into a model, so that a message names the line that is wrong."""

import re
import tomllib
from collections.abc import Callable
from importlib.resources.abc import Traversable
from typing import TypeVar

from pydantic import ValidationError

from narrator.errors import Code, NarratorError
from narrator.rules import places
from narrator.rules.model import Model, is_hidden, refusal
from narrator.rules.toml_depth import MOST_PARTS, deep_line

Read = TypeVar("Read", bound=Model)


def read_toml(model: type[Read], text: str, place: str, code: Code) -> Read:
    """Read the text of a file; `place` names it in messages. Where the model's input is hidden, what stands in the
    file is never repeated but for the names of fields.

    Raises:
        NarratorError: This code, with the file and the line.
    """
    if (deep := deep_line(text)) is not None:
        raise NarratorError(code, f"{place}:{deep}", f"a key here has more than {MOST_PARTS} parts")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = "this is not TOML" if is_hidden(model) else str(error)
        raise NarratorError(code, f"{place}:{_line(error, text)}", message) from None
    except (ValueError, RecursionError):
        raise NarratorError(code, f"{place}:1", "a number or a nesting in it has no end") from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        found = refusal(error, model)
        line = places.line_of(text, [int(part) if part.isdigit() else part for part in found.field.split(".")])
        message = f"{found.field}: {found.message}"
        raise NarratorError(code, f"{place}:{line}", message, found.allowed) from None


def read_packaged(model: type[Read], file: Traversable, wants: Callable[[str], bool] | None = None) -> Read:
    """Read a file that comes with narrator: what is wrong in it is nobody's fault but ours.

    Args:
        wants: Which lines of a long file are read; the others are taken for blank. None: all.

    Raises:
        NarratorError: `internal_error`, with the file and the line.
    """
    text = file.read_text("utf-8")
    if wants is not None:
        text = "\n".join(line if wants(line) else "" for line in text.split("\n"))
    return read_toml(model, text, file.name, "internal_error")


def _line(error: tomllib.TOMLDecodeError, text: str) -> int:
    """The line, from 1, that the parser names: in a field from Python 3.14 on, before that in its message alone. What
    lacks its end is missed in the last line.
    """
    found = re.search(r"at line (\d+)", str(error))
    last = max(1, len(text.splitlines()))
    return min(getattr(error, "lineno", int(found[1]) if found else last), last)
