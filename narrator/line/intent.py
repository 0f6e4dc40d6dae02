"""Checks a roll once it is read: is anything missing, or could its words mean something else?"""

from typing import TYPE_CHECKING

from narrator.errors import quoted
from narrator.line.line import Line
from narrator.line.reading import AskedError
from narrator.line.words import (
    ACTIONS,
    APPROACHES,
    ARTICLES,
    DENIALS,
    FIGHTING,
    HITS,
    INVOKING,
    JOINS,
    NO_NAMES,
    PRONOUNS,
    SELVES,
    TOLD,
    UNREAD,
    VIOLENT,
)

if TYPE_CHECKING:
    from narrator.line.roll import RollLine

_SPOKEN = frozenset(each for name in ("attack", "defend", "overcome", "discover") for each in ACTIONS[name][1:]) | {
    "caa"
}


def check_intent(roll: "RollLine") -> None:
    """Ask about what is missing or unclear."""
    for piece in roll.intent:
        _check_piece(roll, piece)
    if roll.deed is None:
        _check_deed(roll)
    _check_whole(roll)


def _check_piece(roll: "RollLine", piece: list[int]) -> None:
    """Ask about words that may begin another part, or that may be an outcome or action in the wrong place."""
    line, first = roll.line, piece[0]
    word = line.word(first)
    told = next((at for at in piece if line.word(at) in TOLD and line.word(at) not in HITS), None)
    told = first if told is None and word in HITS and line.person_at(first + 1) is not None else told
    if told is not None:
        raise AskedError(f"is {quoted(line.word(told))} the outcome? Then put it right after the actor or their skill")
    invoke = next((at for at in piece if line.word(at) in INVOKING), None)
    if invoke is not None:
        question = f"which aspect does {line.quoted(invoke, invoke + 2)} invoke? Put a + before its name"
        raise AskedError(
            question, *(line.swap(invoke, invoke + 2, f"+{name}") for name in line.aspects_begun(invoke + 1))
        )
    if word in JOINS and first > 0 and not line.words[first - 1].pause and roll.outcome is None:
        raise AskedError(f"what is meant by {line.quoted(first - 1, first + 2)}?", line.swap(first, first + 1, ","))
    unread = next((at for at in piece if _is_unread(line, at)), None)
    is_said = "'" in word and line.words[first - 1].pause  # as in ", don't get seen"
    if (word in DENIALS and not is_said) or all(line.word(at) in NO_NAMES for at in piece) or unread is not None:
        at = first if unread is None else unread
        raise AskedError(f"what is meant by {line.quoted(at, at + 2)}?")
    spoken = next((at for at in piece if line.word(at) in _SPOKEN), None)
    spoken = first if spoken is None and word in ACTIONS["attack"] else spoken
    if spoken is not None and (spoken == first or line.word(spoken) == "caa" or _person(line, spoken + 1)):
        raise AskedError(
            f"is {quoted(line.word(spoken))} the action? Then put it right after the actor",
            *_deeds(roll, "attacks" if line.word(spoken) == "attacks" else line.word(spoken)),
        )
    if roll.deed == "create_advantage" and roll.target is None:
        themselves = PRONOUNS | SELVES
        ons = (at for at in piece if line.word(at) == "on")
        on = next((at for at in ons if line.word(at + 1) in themselves or _person(line, at + 1)), None)
        if on is not None:
            named, head = line.person_at(on + 1), line.slice(0, roll.head)
            rest = line.swap(on, on + 1 if named is None else named.end, ",")[line.words[roll.head - 1].end :]
            raise AskedError(
                f"is {line.quoted(on, on + 2)} the target of the advantage?",
                *(f"{head} on {each}{rest}" for each in (named.names if named else ())),
                line.swap(on, on + 1, "about"),
            )
    first += line.word(first) == "at"
    skill = line.skill_at(first, roll.actor)
    if roll.outcome is not None and skill is not None and skill.is_whole and _is_head(roll, piece[0]):
        raise AskedError(
            f"is {line.quoted(first, skill.end)} the skill, or part of the intent?",
            line.swap(piece[0], skill.end, f"with {skill.names[0]},"),
        )
    if roll.deed == "defend" and _is_head(roll, piece[0]) and roll.skill is None:
        raise AskedError(f"what does {line.quoted(piece[0] - 1, piece[0] + 1)} mean?", *_skills(roll))


def _is_unread(line: Line, at: int) -> bool:
    """Whether a word gives a number in a way that narrator cannot read, such as 2x."""
    word = line.word(at)
    return word in UNREAD or (any(sign.isdecimal() for sign in word) and line.words[at].number is None)


def _is_head(roll: "RollLine", at: int) -> bool:
    """Whether these words come right after the actor, action, target or outcome."""
    return bool(roll.intent) and roll.intent[0][0] == at and not roll.line.words[at - 1].pause


def _check_deed(roll: "RollLine") -> None:
    """Ask if a roll without an action may be an attack."""
    line, foe = roll.line, roll.against.by if roll.against is not None else None
    for number, piece in enumerate(roll.intent):
        person = _person(line, piece[0])
        if person is not None and person in line.opponents(roll.actor) and (number == 0 or roll.against is None):
            _ask_deed(roll, person)
        for at in piece:
            if line.word(at) in VIOLENT:
                whom = _person(line, at + 1)
                is_at = whom is not None or line.word(at + 1) in PRONOUNS - {"i", "you", "we"}
                if is_at or (at == piece[0] and foe is not None):
                    _ask_deed(roll, whom or foe)
    is_fight = (roll.skill or "").casefold() in FIGHTING
    whom = next((who for piece in roll.intent for at in piece if (who := _person(line, at))), None)
    if is_fight and whom in line.opponents(roll.actor):
        _ask_deed(roll, whom)
    struggles = is_fight or ((roll.skill or "").casefold() in APPROACHES and line.scene.frame == "conflict")
    if struggles and foe is not None:
        _ask_deed(roll, foe)


def _ask_deed(roll: "RollLine", whom: str | None) -> None:
    line, behind = roll.line, roll.head
    lines = [line.swap(behind, behind, f"attacks {whom}")] if whom else []
    raise AskedError(
        f"does {roll.actor} attack {whom or 'somebody'}, or overcome something?",
        *lines,
        line.swap(behind, behind, "overcomes"),
    )


def _person(line: Line, at: int) -> str | None:
    """Who is named there in a sentence. A common word never begins a name."""
    found = line.person_at(at)
    if found is None or at >= len(line.words):
        return None
    start = at + 1 if line.word(at) in ARTICLES else at
    is_short = len(line.word(start)) < 3 and not found.is_whole
    return None if is_short or line.word(start) in NO_NAMES else found.names[0]


def _check_whole(roll: "RollLine") -> None:
    """Ask for what is missing."""
    line = roll.line
    end = len(line.words)
    spec = line.ruleset.actions.get(roll.deed or "overcome")
    if spec is None:
        raise AskedError(f"which action is it? The ruleset has {', '.join(line.ruleset.actions)}")
    if roll.outcome is not None:
        hits = spec.is_attack and roll.outcome not in ("fail", "tie") and roll.shifts is None
        if hits:
            raise AskedError(f"by how many shifts is {roll.target} hit?", line.swap(end, end, "by 2"))
        return
    if roll.against is None:
        lines = [] if spec.is_attack else [line.swap(end, end, "vs 2")]
        for who in [roll.target] if roll.target else line.opponents(roll.actor):
            sheet = line.character(who)
            lines += [line.swap(end, end, f"vs {who} {name}") for name in [*(sheet.skills if sheet else ())][:2]]
        raise AskedError("what opposes it?", *lines)
    foe = roll.against
    sheet = None if foe.by is None else line.character(foe.by)
    if sheet is not None and sheet.skills and foe.skill is None and "total" not in foe.roll:
        behind = next(at for at, word in enumerate(line.words) if line.slice(0, at + 1).endswith(foe.text)) + 1
        raise AskedError(
            f"with which skill does {foe.by} oppose it?",
            *(line.swap(behind, behind, f"{name},") for name in sheet.skills),
        )
    if roll.skill is None and "total" not in roll.roll:
        raise AskedError(f"which skill does {roll.actor} use?", *_skills(roll))


def _skills(roll: "RollLine") -> list[str]:
    sheet = roll.line.character(roll.actor)
    known = [*sheet.skills] if sheet is not None and sheet.skills else [*roll.line.ruleset.skills]
    return [roll.line.swap(roll.head, roll.head, f"with {name}") for name in known]


def _deeds(roll: "RollLine", spoken: str) -> list[str]:
    return [roll.line.swap(roll.head, roll.head, each) for each in (spoken, "overcomes")]
