"""What opposes a roll: a rating, a word of the ladder, or somebody with their skill, dice or total."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from narrator.errors import quoted
from narrator.line.figures import LADDER, faces_of
from narrator.line.line import Line
from narrator.line.names import Found
from narrator.line.reading import AskedError
from narrator.line.words import AFTER_WILL, ARTICLES, BEGUN, JOINS, PRONOUNS, WITH
from narrator.rules.json_text import Json
from narrator.rules.request.action import Action, Request, Untold
from narrator.rules.resolve.opposition import opposed_by
from narrator.rules.ruleset.declarations import OpposedBy
from narrator.rules.ruleset.ruleset import Ruleset


@dataclass
class Against:
    """What was typed about the opposition."""

    by: str | None = None
    skill: str | None = None
    roll: Json = field(default_factory=dict)
    rating: int | None = None
    text: str = ""


def kinds_against(action: Json, by: str | None, ruleset: Ruleset) -> tuple[OpposedBy, ...]:
    """The kinds of opposition that an action allows."""
    read = Action.read(action, "request.action")
    against = Untold.read({"by": by}, "action.opposition")
    return opposed_by(Request.model_construct(action=read.model_copy(update={"opposition": against})), ruleset)


def rolled_kind(kinds: Sequence[OpposedBy], target: str | None) -> Literal["defend", "active"]:
    """The kind of opposition when somebody rolls: `defend` if there is a target or `active` is not allowed."""
    return "defend" if "defend" in kinds and (target or "active" not in kinds) else "active"


def read_against(
    line: Line, at: int, target: str | None, own: str | None, *, is_rolled: bool, is_on: bool
) -> tuple[Against, int] | None:
    """Read what follows `vs`. Returns None if nothing there can oppose.

    Args:
        target: The target of the action.
        own: The actor's own skill.
        is_rolled: Whether the actor's dice came before. Then dice here belong to the opposition.
        is_on: Whether a number is the target's total.
    """
    start = at
    while line.word(at) in ARTICLES:
        at += 1
    if line.word(at) in PRONOUNS:
        raise AskedError(f"who is meant by {line.quoted(at, at + 2)}?", *_by_people(line, at, at + 1))
    number = line.number(at)
    if number is None and (word := line.word(at)) in LADDER:
        if is_on:
            raise AskedError(f"is {quoted(word)} the total of {target}?", line.swap(at, at + 1, str(LADDER[word])))
        number = LADDER[word]
    if number is not None:
        found = Against(rating=number)
        end = at + 1
        if is_on:
            found = Against(by=target, roll={"total": number})
    elif (person := line.person_at(at)) is not None and not _is_skill_of(line, at, person, target):
        by = line.only(person, at, "who is meant by")
        if target is not None and by != target:
            raise AskedError(f"the target is {target}, but {by} opposes it: who rolls?", line.swap(at, person.end, ""))
        found, end = _rolled_by(line, Against(by=by), person.end, is_rolled=is_rolled)
    elif line.word(at) == "total" and target is not None and line.number(at + 1) is not None:
        found, end = _rolled_by(line, Against(by=target), at, is_rolled=is_rolled)
    elif (skill := line.skill_at(at, target)) is not None:
        name = line.only(skill, at, "which skill is")
        if target is None:
            raise AskedError(f"whose {name} opposes it?", *_by_people(line, at, at))
        found, end = _rolled_by(line, Against(by=target), at, is_rolled=is_rolled)
    else:
        return None
    found.text = line.slice(start - 1, end)
    _check_end(line, start, end, found, own)
    return found, end


def _is_skill_of(line: Line, at: int, person: Found, target: str | None) -> bool:
    """Whether a possible name is a skill of the target. Asks if there is no target."""
    skill = line.skill_at(at, target)
    if skill is None or skill.end != person.end or not skill.is_whole or person.is_whole:
        return False
    if target is None and line.skill_at(person.end, person.name) is None and person.name is not None:
        lines = (
            line.swap(at, person.end, each) for each in (person.name, *(f"{who} {skill.name}" for who in line.people))
        )
        raise AskedError(f"is {line.quoted(at, person.end)} {person.name}, or the skill {skill.name}?", *lines)
    return target is not None and target in person.names


def _rolled_by(line: Line, found: Against, at: int, *, is_rolled: bool) -> tuple[Against, int]:
    """Read the skill, and the dice or total, of somebody who opposes."""
    marked = at + 1 if line.word(at) in WITH and is_rolled else at
    skill = line.skill_at(marked, found.by)
    if skill is not None and marked == at and line.words[at - 1].pause:
        # After a pause, dice or another pause must follow a skill. Otherwise it is part of the intent.
        is_apart = skill.end >= len(line.words) or is_sign(line, skill.end) or line.words[skill.end - 1].pause
        skill = skill if is_apart else None
    if skill is not None and not (marked == at and line.word(at) in ARTICLES):
        found.skill = line.only(skill, marked, "which skill is")
        _check_skill(line, found, marked, skill.end)
        at = skill.end
    elif line.word(at) in WITH and line.skill_at(at + 1, found.by) is not None:
        lines = [line.swap(at, at + 1, ""), line.swap(at, at + 1, ", with")]
        raise AskedError(f"is {line.quoted(at + 1, at + 2)} the actor's skill, or that of {found.by}?", *lines)
    if at < len(line.words) and (faces := line.words[at].faces):
        if not is_rolled:
            raise AskedError(f"are {quoted(faces)} the actor's dice, or those of {found.by}?", *dice_first(line, at))
        found.roll, at = {"dice": faces_of(faces)}, at + 1
    elif line.word(at) in ("total", "sum") and (number := line.number(at + 1)) is not None:
        if line.word(at) == "sum" and not is_rolled:
            raise AskedError(f"is this sum the actor's, or that of {found.by}?", *dice_first(line, at, at + 2))
        found.roll, at = {line.word(at): number}, at + 2
    return found, at


def _check_skill(line: Line, found: Against, at: int, end: int) -> None:
    """Ask if a possible skill may be part of the intent."""
    word, then = line.word(end - 1), line.word(end)
    is_ended = line.words[end - 1].pause or end >= len(line.words) or is_sign(line, end)
    sheet = line.character(found.by or "")
    is_own = sheet is None or not sheet.skills or found.skill in sheet.skills
    is_word = (word in BEGUN and word != (found.skill or "").casefold()) or (word == "will" and then in AFTER_WILL)
    if not is_ended and (is_word or not is_own):
        skill = found.skill or ""
        raise AskedError(
            f"is {line.quoted(at, end)} the skill of {found.by}, or part of the intent?",
            line.swap(at, end, f"{skill},"),
            line.swap(at, at, "total 2,"),
        )


def _check_end(line: Line, start: int, end: int, found: Against, own: str | None) -> None:
    """Ask if the next words may belong to the opposition."""
    if end >= len(line.words):
        return
    following, is_apart = line.words[end], line.words[end - 1].pause
    if following.plain in JOINS:
        raise AskedError(f"what opposes it: {line.quoted(start, end + 2)}? Only one can")
    if following.number is not None:
        who = f"vs {found.by} {found.skill or ''}".strip() if found.by else f"vs {found.rating}"
        lines = [line.swap(start - 1, end + 1, f"{who} total {following.number}")] if found.by else []
        lines.append(line.swap(start - 1, end + 1, f"vs {following.number if found.by else found.rating}"))
        raise AskedError(f"what is {quoted(following.text)}: a rating, or somebody's total?", *lines)
    if found.rating is not None and following.plain in LADDER:
        rating = LADDER[following.plain]
        lines = [line.swap(start - 1, end + 1, f"vs {each}") for each in dict.fromkeys((found.rating, rating))]
        raise AskedError(f"which rating counts in {line.quoted(start, end + 1)}?", *lines)
    if found.rating is None or is_apart:
        return
    if (person := line.person_at(end)) is not None:
        who = person.names[0]
        lines = [line.swap(start - 1, person.end, f"vs {found.rating},"), line.swap(start - 1, person.end, f"vs {who}")]
        raise AskedError(f"does {line.quoted(start, person.end)} mean a rating, or a person?", *lines)
    if line.word(start - 1) == "against" and line.word(start) in LADDER and not is_sign(line, end):
        raise AskedError(
            f"is {line.quoted(start, start + 1)} what opposes it, or part of the intent?",
            line.swap(start - 1, end, f"vs {line.word(start)}"),
        )
    skill = line.skill_at(end, None)
    if skill is not None and skill.is_whole and skill.name != own and not line.words[skill.end - 1].pause:
        raise AskedError(f"is {line.quoted(end, skill.end)} a skill, or part of the intent?", line.swap(end, end, ","))


def is_sign(line: Line, at: int) -> bool:
    """Whether another part of the line begins there, or the line ends."""
    if at >= len(line.words):
        return True
    word = line.words[at]
    is_sum = word.plain in ("sum", "total") and line.number(at + 1) is not None
    return word.faces is not None or word.is_aspect or word.plain in ("vs", "versus", "v", "against") or is_sum


def _by_people(line: Line, start: int, end: int) -> list[str]:
    return [line.swap(start, end, name) for name in line.people]


def dice_first(line: Line, at: int, end: int | None = None) -> list[str]:
    """The line with these dice as the actor's, and as the opposition's."""
    end = at + 1 if end is None else end
    versus = max((place for place in range(at) if line.word(place) in ("vs", "versus", "v", "against")), default=0)
    typed = line.slice(at, end)
    before, between = line.slice(0, versus), line.slice(versus, at)
    after = line.slice(end, len(line.words))
    return [f"{before} {typed} {between} {after}".strip(), f"{before} 0000 {between} {typed} {after}".strip()]
