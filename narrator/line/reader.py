"""Reads a line as a choice, an aspect for the open page, a move or a roll; or asks, with clearer lines."""

from typing import Any

from narrator.errors import NarratorError
from narrator.line.between_rolls import is_letters, read_move
from narrator.line.invoking import invoked, read_aspect
from narrator.line.line import Line
from narrator.line.reading import AskedError, LineReading, ReadLine, part
from narrator.line.roll import RollLine
from narrator.line.words import INVOKING, LEADS, THANKS
from narrator.render.labels import Labels, labels, pick
from narrator.rules.json_text import Json
from narrator.rules.request.action import Request
from narrator.rules.request.scene import Scene
from narrator.rules.resolve.resolution import Resolution
from narrator.rules.ruleset.ruleset import Ruleset
from narrator.rules.settle.suggestion import Suggestion

LONGEST = 500
"""The most characters a line may have."""
MOST_READINGS = 6


class OpenPage:
    """An open page: its request and what it offers."""

    def __init__(
        self, request: Request, resolution: Resolution | None, suggestions: list[Suggestion], dealt: Any
    ) -> None:
        self.request = request
        self.labels = None if resolution is None else labels(resolution, suggestions)
        self.dealt = dealt


def read_line(text: str, scene: Scene, ruleset: Ruleset, page: OpenPage | None = None) -> ReadLine:
    """Read a line, or ask about it."""
    try:
        return _read(text, scene, ruleset, page)
    except AskedError as asked:
        readings: dict[str, str] = {}
        for typed in asked.lines:
            line = " ".join(typed.split()).replace(" ,", ",").rstrip(" ,")
            if len(readings) < MOST_READINGS and line not in readings and len(line) <= LONGEST:
                try:
                    meant = _read(line, scene, ruleset, page)
                except (AskedError, NarratorError):
                    continue
                readings[line] = "; ".join(each.as_ for each in meant.read)
        made = tuple(LineReading(text=line, as_=told) for line, told in readings.items())
        return ReadLine(ask=f"{asked.question[:1].upper()}{asked.question[1:]}".rstrip("."), readings=made)


def _read(text: str, scene: Scene, ruleset: Ruleset, page: OpenPage | None) -> ReadLine:
    if is_letters(text):
        return _choice(text, page)
    line = Line(text, scene, ruleset)
    if not line.words:
        raise AskedError("what happens?")
    if _is_aspects(line):
        return _more_aspects(line, page)
    move = read_move(line)
    if move is not None:
        return ReadLine(move=move, read=tuple(line.read))
    request = RollLine(line).request()
    return ReadLine(request=Request.read(request, "request"), read=tuple(line.read))


def _choice(text: str, page: OpenPage | None) -> ReadLine:
    if page is None or page.labels is None:
        raise AskedError("which page is this choice for? No page is open")
    try:
        branch, chosen, _ = pick(text, page.labels)
    except NarratorError as error:
        raise AskedError(error.message, *_letters(page.labels)) from None
    choice: Json = {"branch": branch.id, "suggestions": [each.as_json() for each in chosen]}
    ways = [way for grant in branch.grants for way in grant.absorb or ()]
    if ways:
        level = next((each.severity for each in chosen if each.severity), None)
        alone = [way for way in ways if level is not None and way.consequences == (level,)]
        if len(alone) != 1:
            said = ", ".join(way.text for way in ways)
            raise AskedError(
                f"how is the hit absorbed: {said}? Letters can only choose a single consequence", *_letters(page.labels)
            )
        choice["absorb"] = {"stress": alone[0].stress, "consequences": [{"severity": level}]}
    if page.dealt:
        choice["dealt"] = page.dealt
    names = [each.name or each.detail for each in chosen]
    told = ": ".join(filter(None, (branch.label, ", ".join(filter(None, names)))))
    return ReadLine(choice=choice, read=(part(text.strip(), f"choice {told}", "page"),))


def _letters(offered: Labels) -> list[str]:
    """Choices that a page offers: one for each branch, and one for each consequence."""
    found = []
    for letter, branch in offered.branches.items():
        needed = [slot for slot in branch.slots if slot.forms and not slot.may_stay_empty]
        numbers = [next(iter(offered.of_slot(slot.id)), None) for slot in needed]
        found.append(letter + ",".join(str(each) for each in numbers if each is not None))
        others = (slot for slot in branch.slots if slot.forms and slot.may_stay_empty)
        found += [f"{letter}{number}" for slot in others for number in offered.of_slot(slot.id)]
    return found


def _is_aspects(line: Line) -> bool:
    """Whether the line only invokes aspects."""
    return line.words[_first_aspect(line)].is_aspect if _first_aspect(line) < len(line.words) else False


def _first_aspect(line: Line) -> int:
    at = 0
    while line.word(at) in {*LEADS, *INVOKING}:
        at += 1
    return at


def _more_aspects(line: Line, page: OpenPage | None) -> ReadLine:
    if page is None:
        raise AskedError("which roll is this for? No page is open. The line of a roll begins with the actor")
    at, told = _first_aspect(line), []
    while at < len(line.words):
        if line.word(at) in {*THANKS, "and"}:
            at += 1
        elif line.words[at].is_aspect:
            one, at = read_aspect(line, at)
            told.append((one, False))
        else:
            raise AskedError(f"what is meant by {line.slice(at, at + 1)!r}?", line.slice(0, at))
    request: Json = {**page.request.as_json(), "scene": line.scene}
    request["action"] = dict(request["action"])
    if "opposition" in request["action"]:
        request["action"]["opposition"] = dict(request["action"]["opposition"])
    invoked(line, request, told)
    roll = part("", f"the open roll of {page.request.action.actor}", "page")
    return ReadLine(request=Request.read(request, "request"), read=(roll, *line.read))
