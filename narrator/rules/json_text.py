"""Reads JSON text that a user wrote, and explains syntax errors in plain words."""

import re
from typing import Any

from narrator.errors import RequestError

Json = dict[str, Any]
"""A JSON object."""

LARGEST_EXACT = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly, because many store all numbers as floats."""


def parsed(text: str | bytes | bytearray, field: str = "") -> Any:
    """Parse JSON. Whole numbers may be written as `3.0`, because some macro languages write all numbers this way."""
    from pydantic_core import from_json  # Json can be imported without it

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
    "control character": "quoted text must not contain a line break or another control character",
    "expected ident": "expected a value: text in double quotes, a number, true, false or null",
    "expected value": "expected a value: text in double quotes, a number, true, false or null",
    "hex escape": "an escape sequence is only half a character",
    "invalid escape": "a backslash before a character that can't be escaped",
    "invalid unicode": "this is not UTF-8",
    "invalid number": "this is not a valid number",
    "key must be a string": "expected the name of a field in double quotes",
    "number out of range": "a number has too many digits",
    "recursion limit": "it is nested too deeply",
    "surrogate": "an escape sequence is only half a character",
    "trailing characters": "there is more text after its end",
    "trailing comma": "a comma has nothing after it",
}
"""Parts of the parser's messages, and plain words for them."""


def _in_json(problem: str, text: str | bytes | bytearray) -> str:
    """Put the parser's message in plain words. The parser counts columns in bytes, but users count letters."""
    found = re.fullmatch(r"(.*) at line (\d+) column (\d+)", problem)
    if found is None:
        return problem
    lines = (text.encode() if isinstance(text, str) else bytes(text)).split(b"\n")
    before = lines[int(found[2]) - 1][: max(0, int(found[3]) - 1)]
    column = len(before.decode("utf-8", "ignore")) + 1
    told = next((plain for words, plain in JSON_PLAINLY.items() if words in found[1]), found[1].replace("`", ""))
    return f"line {found[2]}, column {column}: {told}"
