"""Writes data as JSON in which no mark of a model's stands, and leaves out what there is no room for."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, Final, TypeVar

Item = TypeVar("Item")

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"')
_MARKS: Final = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>|[]"}
"""What chat templates of models write their own marks with, such as `<|im_start|>` and `[INST]`."""
_ENDS: Final = (re.compile(r"(?<=[.!?…。])\s"), re.compile(r"\s"), re.compile(""))
"""Where a text may be cut: best behind a sentence, else behind a word, else anywhere."""


def written(data: object) -> str:
    """Write data as one line of JSON."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _STRING.sub(lambda string: string[0].translate(_MARKS), text)


def present(fields: dict[str, Any]) -> dict[str, Any]:
    """Leave out the fields in which nothing is told."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], ())}


def fitting(items: Iterable[Item], most: int) -> list[Item]:
    """Keep those items, in their order, that together are written in so many characters: one that is too long leaves
    its room to those behind it.
    """
    kept: list[Item] = []
    for item in items:
        size = len(written(item)) + 1
        if size <= most:
            kept.append(item)
            most -= size
    return kept


def clipped(text: str, most: int) -> str:
    """Keep as many sentences of a text as are written in so many characters; where the first is longer, its words."""
    if len(written(text)) <= most:
        return text
    for end in _ENDS:
        places = [found.start() for found in end.finditer(text)]
        fit = bisect_right(places, most, key=lambda place: len(written(text[:place])))
        if fit and places[fit - 1]:
            return text[: places[fit - 1]]
    return ""
