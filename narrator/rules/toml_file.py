"""Reads a TOML file of the user's into a model, so that a message names the line that is wrong."""

import tomllib
from typing import TypeVar

from pydantic import ValidationError

from narrator.errors import Code, NarratorError
from narrator.rules import places
from narrator.rules.model import Model, refusal

Read = TypeVar("Read", bound=Model)


def read_toml(model: type[Read], text: str, place: str, code: Code) -> Read:
    """
    Read the text of a file; `place` names it in messages.

    Raises:
        NarratorError: This code, with the file and the line.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NarratorError(code, f"{place}:{places.line_in(str(error))}", str(error)) from None
    except (ValueError, RecursionError):
        raise NarratorError(code, f"{place}:1", "a number or a nesting in it has no end") from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        found = refusal(error, model)
        line = places.line_of(text, [int(part) if part.isdigit() else part for part in found.field.split(".")])
        message = f"{found.field}: {found.message}"
        raise NarratorError(code, f"{place}:{line}", message, found.allowed) from None
