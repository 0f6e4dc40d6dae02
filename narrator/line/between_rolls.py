"""Lines between rolls: moves, and choices from an open page by letter."""

import re

from narrator.line.line import Line
from narrator.line.names import Found, find, near_names
from narrator.line.reading import AskedError
from narrator.line.words import ARTICLES, LEADS, THANKS
from narrator.rules.json_text import Json
from narrator.rules.resolve.invocations import aspects_in_play

BEGINNINGS = ("next", "turn", "end scene", "end conflict", "end session", "drop", "tick", "compel")
"""How moves begin, except those in which somebody comes or goes."""

_GOES = {"concede": "concedes", "concedes": "concedes", "leave": "leaves", "leaves": "leaves"}
_COMES = {"enter", "enters", "back", "returns"}
_ANSWERS = {
    **dict.fromkeys(("accepted", "accepts", "accept"), True),
    **dict.fromkeys(("refused", "refuses", "refuse"), False),
}
_ENDS = {"scene": "end_scene", "conflict": "end_conflict", "session": "end_session"}
_LETTERS = re.compile(r"[A-Za-z](?:[ ,+]*\d{1,3})*")


def is_letters(text: str) -> bool:
    """Whether a line looks like a choice by letter."""
    return _LETTERS.fullmatch(text.strip()) is not None


def read_move(line: Line) -> Json | None:
    """Read a line as a move. Returns None if it is not one."""
    words = line.words
    at = 1 if line.word(0) in LEADS and len(words) > 1 else 0
    end = len(words)
    while end > at + 1 and line.word(end - 1) in THANKS:
        end -= 1
    first = line.word(at)
    if first == "next" and end - at <= 2 and line.word(at + 1) in ("", "turn", *THANKS):
        return _made(line, at, end, {"type": "turn"}, "the next turn")
    if first == "end":
        place = at + 2 if line.word(at + 1) in ARTICLES else at + 1
        kind = _ENDS.get(line.word(place))
        if kind is None or place + 1 != end:
            raise AskedError("what ends?", *(f"end {each}" for each in _ENDS))
        return _made(line, at, end, {"type": kind}, f"end of the {line.word(place)}")
    if first == "turn":
        name, behind = line.one_person(at + 1)
        _whole(line, behind, end)
        return _made(line, at, end, {"type": "turn", "who": name}, f"turn of {name}")
    if first == "drop":
        names = [each.name for each in line.scene.aspects]
        name = _named(line, at + 1, end, names, "which aspect is")
        return _made(line, at, end, {"type": "drop", "name": name}, f"{name} is gone")
    if first == "tick":
        return _tick(line, at, end)
    if first in ("compel", "compels"):
        return _compel(line, at, end)
    return _comes_and_goes(line, at, end)


def _tick(line: Line, at: int, end: int) -> Json:
    number = line.words[end - 1].number if end - 1 > at + 1 else None
    name = _named(line, at + 1, end - (number is not None), [each.name for each in line.scene.clocks], "which clock is")
    ticks = 1 if number is None else number
    return _made(line, at, end, {"type": "clock", "name": name, "tick": ticks}, f"clock {name}, {ticks} more")


def _compel(line: Line, at: int, end: int) -> Json:
    who, behind = line.one_person(at + 1)
    is_accepted = _ANSWERS.get(line.word(end - 1))
    told = end - (is_accepted is not None)
    own = [name for name, on in aspects_in_play(line.scene) if on in (None, who)]
    if behind >= told:
        lines = (line.swap(behind, behind, name) for name in own)
        raise AskedError(f"which aspect of {who} is compelled?", *lines)
    aspect = _named(line, behind, told, own, "which aspect is")
    if is_accepted is None:
        lines = (line.swap(told, told, word) for word in ("accepted", "refused"))
        raise AskedError(f"does {who} accept the compel, or refuse it?", *lines)
    move = {"type": "compel", "who": who, "aspect": aspect, "accepted": is_accepted}
    answer = "accepted" if is_accepted else "refused"
    return _made(line, at, end, move, f"compel of {who} by {aspect}, {answer}")


def _comes_and_goes(line: Line, at: int, end: int) -> Json | None:
    verb = line.word(end - 1)
    if verb in _GOES:
        found = line.person_at(at)
        if found is not None and found.end == end - 1:
            name = line.only(found, at, "who is meant by")
            move = "concede" if _GOES[verb] == "concedes" else "leave"
            return _made(line, at, end, {"type": move, "who": name}, f"{name} {_GOES[verb]}")
    if verb in _COMES:
        away = [each.name for each in line.scene.away]
        found = find(line.words, at, away)
        between = [line.word(place) for place in range(found.end if found else 0, end - 1)]
        if found is not None and set(between) <= {"is", "comes", "back", "and"}:
            name = line.only(found, at, "who is meant by")
            return _made(line, at, end, {"type": "enter", "who": name}, f"{name} is back")
        if verb in ("enter", "enters") or line.word(end - 2) in ("is", "comes"):
            lines = (f"{name} enters" for name in away)
            raise AskedError(f"who comes back: {line.quoted(at, end)}? Nobody of this name is away", *lines)
    return None


def _named(line: Line, at: int, end: int, names: list[str], question: str) -> str:
    """The one name that begins with all these words. Asks if there is none, or several."""
    found: Found | None = find(line.words[:end], at, names)
    if found is None or found.end != end:
        near = [name for name in names if any(near_names(line.word(each), [name]) for each in range(at, end))]
        lines = (line.swap(at, end, name) for name in near or names)
        raise AskedError(f"{question} {line.quoted(at, end)}? The scene has {', '.join(names) or 'none'}", *lines)
    return line.only(found, at, question)


def _whole(line: Line, behind: int, end: int) -> None:
    if behind != end:
        raise AskedError(f"what is meant by {line.quoted(behind, end)}?", line.slice(0, behind))


def _made(line: Line, at: int, end: int, move: Json, told: str) -> Json:
    line.note(at, end, told)
    return move
