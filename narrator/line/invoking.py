"""Invoked aspects: which, by whom, and how they are paid for."""

from narrator.errors import NarratorError, quoted
from narrator.line.line import Line
from narrator.line.names import find, near_names
from narrator.line.reading import AskedError
from narrator.line.words import THANKS, plains
from narrator.rules.json_text import Json
from narrator.rules.request.action import Action, Request
from narrator.rules.request.scene import GM, Scene
from narrator.rules.resolve.cast import cast_of
from narrator.rules.resolve.invocations import aspects_in_play
from narrator.rules.resolve.opposition import completed, spend
from narrator.rules.ruleset.ruleset import Ruleset

_HOW = {"free": {"pay": "free"}, "fp": {"pay": "fate_point"}, "reroll": {"use": "reroll"}}


def is_free(aspect: str, by: str, told: Json, ruleset: Ruleset) -> bool:
    """Whether somebody has a free invocation of an aspect left after those in the request."""
    try:
        scene, action = Scene.read(told["scene"], "request.scene"), Action.read(told["action"], "request.action")
        request = completed(Request.model_construct(scene=scene, action=action), ruleset)
        purse = spend(request, ruleset, cast_of(request, ruleset.sheet))
        return purse.can_pay(purse.find(aspect, None, ""), "free", by, "")
    except NarratorError:
        # Errors are reported once the whole line is read, with their place.
        return False


def read_aspect(line: Line, at: int) -> tuple[Json, int]:
    """Read one aspect after its +, and how it is invoked."""
    start, names = at, [name for name, _ in aspects_in_play(line.scene)]
    found = find(line.words, at, names, first="+")
    if found is None:
        typed = line.slice(at, at + 1)
        others = near_names(line.word(at).removeprefix("+"), names) or [*dict.fromkeys(names)]
        lines = (line.swap(at, at + 1, f"+{name}") for name in others)
        raise AskedError(f"which aspect is {quoted(typed)}? None in play begins like this", *lines)
    name = found.name
    if name is None or names.count(name) > 1:
        lines = (line.swap(at, found.end, f"+{each}") for each in found.names)
        raise AskedError(f"which aspect is {line.quoted(at, found.end)}: {', '.join(found.names)}?", *lines)
    told: Json = {"aspect": name}
    at = found.end
    is_apart = at == len(line.words) or line.words[at - 1].pause or line.words[at].is_aspect
    if not is_apart and line.word(at) != "by" and near_names(line.word(at), plains(name)):
        raise AskedError(f"does {line.quoted(start, at + 1)} mean {name}?", line.swap(start, at + 1, f"+{name}"))
    while at < len(line.words):
        at = at + 1 if line.word(at) in ("for", "with") and line.word(at + 1) in (*_HOW, "fate") else at
        word = line.word(at)
        if word in ("fate", "fatepoint") and (word == "fatepoint" or line.word(at + 1) == "point"):
            how, end = _HOW["fp"], at + (1 if word == "fatepoint" else 2)
        elif word in _HOW:
            how, end = _HOW[word], at + 1
        elif word == "by" and (line.person_at(at + 1) is not None or line.word(at + 1) == "gm"):
            by, end = line.one_person(at + 1)
            how = {"by": by}
        else:
            break
        if how.keys() & told.keys():
            raise AskedError(f"{line.quoted(start, end)} says two things about {name}: which one counts?")
        told |= how
        at = end
    if at == len(line.words) - 1 and not line.words[at - 1].pause and _is_stray(line, at):
        raise AskedError(f"does {line.quoted(at, at + 1)} belong to the aspect?", line.swap(start, at + 1, f"+{name}"))
    line.note(start, at, f"aspect {name}")
    return told, at


def _is_stray(line: Line, at: int) -> bool:
    return not line.words[at].is_aspect and line.word(at) not in THANKS and line.words[at].faces is None


def invoked(line: Line, request: Json, told: list[tuple[Json, bool]]) -> None:
    """Put invocations into a request, each on its side. Choose how to pay if the line does not say.

    Args:
        told: Each invocation, and whether it stands right after the opposition.
    """
    action = request["action"]
    against = action.get("opposition") or {}
    actor, foe = action["actor"], against.get("by") or action.get("target")
    own = line.character(actor)
    for each, is_behind in told:
        by = each.get("by", actor)
        sheet = line.character(by)
        theirs = by == GM if sheet is None or own is None else sheet.side != own.side
        free = is_free(each["aspect"], by, request, line.ruleset)
        if "by" not in each and not free and each.get("pay") != "fate_point":
            others = [name for name in (*line.opponents(actor), GM) if name != actor]
            holder = next((name for name in others if is_free(each["aspect"], name, request, line.ruleset)), None)
            bearer = next((on for name, on in aspects_in_play(line.scene) if name == each["aspect"]), None)
            if holder is not None or (is_behind and bearer is not None and bearer == foe):
                who = holder or foe or GM
                whole = f"+{each['aspect']}"
                raise AskedError(
                    f"who invokes {each['aspect']}: {actor} or {who}?",
                    *(_with_aspect(line, each["aspect"], f"{whole} {how}") for how in (f"by {actor} fp", f"by {who}")),
                )
        side = action.setdefault("opposition", {}) if theirs else action
        made = {"pay": "free" if free else "fate_point", **each}
        if not theirs and by == actor:
            made.pop("by", None)
        side["invocations"] = [*(side.get("invocations") or []), made]


def _with_aspect(line: Line, aspect: str, new: str) -> str:
    """The line with one aspect replaced."""
    for at, word in enumerate(line.words):
        if word.is_aspect:
            found = find(line.words, at, [aspect], first="+")
            if found is not None:
                return line.swap(at, found.end, new)
    return line.text
