"""Reads JSON text that a user wrote, and says in plain words where it is none."""

from typing import Any

from pydantic_core import from_json

from narrator.errors import NarratorError

LARGEST_EXACT = 10**15
"""Up to which a decimal is sure to be the number that was written."""


def parsed(text: str | bytes | bytearray, field: str = "") -> Any:
    """
    Parse JSON, in which a whole number may also be written `3.0`: some macro languages write all numbers so.

    Raises:
        NarratorError: `bad_request` for what is none, with line and column.
    """
    try:
        return _with_whole_numbers(from_json(text))
    except TypeError:
        raise NarratorError("bad_request", field, "this must be Unicode text") from None
    except ValueError as error:
        raise NarratorError("bad_request", field, f"this is not JSON: {_in_json(str(error), text)}") from None


def _with_whole_numbers(value: Any) -> Any:
    top = [value]
    places: list[Any] = [top]
    while places:
        place = places.pop()
        for key, each in place.items() if isinstance(place, dict) else enumerate(place):
            if isinstance(each, dict | list):
                places.append(each)
            elif isinstance(each, float) and each.is_integer() and abs(each) <= LARGEST_EXACT:
                place[key] = int(each)
    return top[0]
