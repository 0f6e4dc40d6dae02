"""Reads JSON text that a user wrote, and says in plain words where it is none."""

import re
from typing import Any

from narrator.errors import RequestError

Json = dict[str, Any]
"""A JSON object."""

LARGEST_EXACT = 2**53 - 1
"""Up to which a whole number is the one that was written to every reader of JSON: many keep all numbers as floats."""


def parsed(text: str | bytes | bytearray, field: str = "") -> Any:
    """Parse JSON, in which a whole number may also be written `3.0`: some macro languages write all numbers so."""
    from pydantic_core import from_json  # Json alone is had without it

    text = text.removeprefix("\ufeff") if isinstance(text, str) else bytes(text).removeprefix(b"\xef\xbb\xbf")
    try:
        return _with_whole_numbers(from_json(text))
    except TypeError:
        raise RequestError("bad_request", field, "this must be Unicode text") from None
    except ValueError as error:
        raise RequestError("bad_request", field, f"this is not JSON: {_in_json(str(error), text)}") from None


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


JSON_PLAINLY = {
    "EOF while parsing": "it ends before it is complete",
    "control character": "text in quotes must not go on in another line, or hold a control character",
    "expected ident": "a value is expected: text in double quotes, a number, true, false or null",
    "expected value": "a value is expected: text in double quotes, a number, true, false or null",
    "hex escape": "half a character is escaped",
    "invalid escape": "a backslash stands before a letter that takes none",
    "invalid unicode": "this is not UTF-8",
    "invalid number": "no number is written so",
    "key must be a string": "the name of a field is expected, in double quotes",
    "number out of range": "a number has too many digits",
    "recursion limit": "it is nested too deep",
    "surrogate": "half a character is escaped",
    "trailing characters": "there is more after its end",
    "trailing comma": "there is nothing after a comma",
}
"""What the parser's messages hold, and plain words for it."""


def _in_json(problem: str, text: str | bytes | bytearray) -> str:
    """Put the parser's message in plain words. It counts columns in bytes; users count letters."""
    found = re.fullmatch(r"(.*) at line (\d+) column (\d+)", problem)
    if found is None:
        return problem
    lines = (text.encode() if isinstance(text, str) else bytes(text)).split(b"\n")
    before = lines[int(found[2]) - 1][: max(0, int(found[3]) - 1)]
    column = len(before.decode("utf-8", "ignore")) + 1
    told = next((plain for words, plain in JSON_PLAINLY.items() if words in found[1]), found[1].replace("`", ""))
    return f"line {found[2]}, column {column}: {told}"
