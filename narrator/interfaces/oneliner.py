"""A request out of a line of options, for those who have no file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from narrator.errors import NarratorError, quoted
from narrator.rules import ladder

_FACES = {"+": 1, "0": 0, "-": -1, "1": 1, "+1": 1, "-1": -1}
_FACE = re.compile(r"[+-]?1|[+0-]")


@dataclass(frozen=True)
class Line:
    """
    What was typed, each option as text.
    """

    actor: str | None = None
    skill: str | None = None
    against: str | None = None
    intent: str | None = None
    dice: str | None = None
    total: int | None = None
    variant: str | None = None
    target: str | None = None
    aspect: str | None = None
    hindering: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """
        Whether no option was typed.
        """
        return self == Line()


def request_of(action: str, line: Line, opposed_by: Sequence[str]) -> dict[str, Any]:
    """
    Write a request: one actor with one skill, against a rating or the aspects that hinder.

    Args:
        opposed_by: What may oppose the action; empty where it is always on somebody.

    Raises:
        NarratorError: `bad_request` or `bad_dice` for an option that is no rating, faces or skill.
    """
    actor = line.actor or "Somebody"
    if line.target == actor:
        raise NarratorError("bad_request", "--target", "this is who acts")
    skill, rating = _skill(line.skill)
    told: dict[str, Any] = {
        "type": action,
        "actor": actor,
        "skill": skill,
        "intent": line.intent,
        "variant": line.variant,
        "target": line.target,
        "aspect": line.aspect,
        "roll": _roll(line),
        "opposition": _opposition(line, opposed_by),
    }
    characters: list[dict[str, Any]] = [
        {"name": actor, "side": "pc", "importance": "pc", "skills": {skill: rating} if skill else {}}
    ]
    if line.target:
        characters.append({"name": line.target, "side": "opposition"})
    aspects = [line.aspect] if line.aspect and line.variant == "existing_aspect" else []
    in_play = [{"name": name} for name in dict.fromkeys((*aspects, *line.hindering))]
    return {"scene": {"characters": characters, "aspects": in_play}, "action": told}


def _opposition(line: Line, opposed_by: Sequence[str]) -> dict[str, Any]:
    """
    A rating where the action takes one, else, or where they are named, the aspects that hinder.
    """
    takes_rating = not opposed_by or "passive" in opposed_by
    if line.hindering or (not takes_rating and "aspects" in opposed_by):
        if line.against is not None:
            raise NarratorError("bad_request", "--against", "what hinders is told by --hindering here, not by a rating")
        return {"kind": "aspects", "hindering": list(line.hindering)}
    return {"kind": "passive", "rating": _against(line.against)}


def _skill(text: str | None) -> tuple[str | None, int]:
    if text is None:
        return None, 0
    name, _, rating = text.partition("=")
    if not name.strip():
        raise NarratorError("bad_request", "--skill", f"{quoted(text)} names no skill; such as Resources=1")
    return name.strip(), _rating(rating, "--skill", "such as Resources=1") if rating else 0


def _against(text: str | None) -> int:
    if text is None:
        return 1
    return _rating(text, "--against", "a rating such as 2 or Fair")


def _rating(text: str, option: str, wanted: str) -> int:
    by_name = {name.casefold(): rating for rating, name in enumerate(ladder.NAMES, ladder.LOWEST)}
    if text.strip().casefold() in by_name:
        return by_name[text.strip().casefold()]
    try:
        return int(text)
    except ValueError:
        raise NarratorError("bad_request", option, f"{quoted(text)} is no rating; {wanted}", ladder.NAMES) from None


def _roll(line: Line) -> dict[str, Any] | None:
    if line.dice is None and line.total is None:
        return None
    if line.dice is not None and line.total is not None:
        raise NarratorError("bad_dice", "--dice", "give four dice or a total, not both")
    roll: dict[str, Any] = {"total": line.total}
    if line.dice is not None:
        faces = _FACE.findall(line.dice)
        if len(faces) != 4 or _FACE.sub("", line.dice).strip(" ,"):
            message = f'{quoted(line.dice)} are no four Fate dice; such as "+ 0 0 -"'
            raise NarratorError("bad_dice", "--dice", message, ["+", "0", "-"])
        roll["dice"] = [_FACES[face] for face in faces]
    return roll
