"""Puts what was typed into a request: one out of nothing but options, or one from a file that they override."""

import re
from collections.abc import Iterable
from typing import Any

from narrator.errors import NarratorError, quoted
from narrator.interfaces.line import Line
from narrator.rules import ladder
from narrator.rules.action import Request, spelt_out
from narrator.rules.declared import FAIL
from narrator.rules.resolving import opposed_by
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import ANYONE, GM

Json = dict[str, Any]

Rated = tuple[str | None, int | None]
"""A skill and its rating, as far as they were typed."""

SOMEBODY = "Somebody"

_FACES = {"+": 1, "0": 0, "-": -1, "1": 1, "+1": 1, "-1": -1}
_FACE = re.compile(r"[+-]?1|[+0-]")
_SKILL = re.compile(r"(.*?)(?:\s*=\s*(.*)|\s+([+-]?\d+))?", re.DOTALL)
_HOW = {"free": {"pay": "free"}, "fate_point": {"pay": "fate_point"}, "reroll": {"use": "reroll"}}
_OUTCOMES = {"fail": FAIL, "tie": "tie", "succeed": "succeed", "style": "succeed_with_style"}


def typed_over(base: Json, line: Line, ruleset: Ruleset) -> tuple[Json, tuple[str, ...]]:
    """
    Return a request with what was typed in it, and what there is to say of what was not.

    Args:
        base: A request, with its `action.type` at least; what its scene tells stays.

        ruleset: The tables that it names.

    Raises:
        NarratorError: `bad_request` or `bad_dice` for an option that is no rating, faces or skill, for options that
            do not go together, and for a request that is none.
    """
    action = {"actor": SOMEBODY, **_object(base, "action")}
    Request.read({**base, "action": {"type": SOMEBODY, **action}})
    scene = _object(base, "scene")
    is_bare = not scene
    plain = {
        name: getattr(line, name) for name in ("actor", "intent", "variant", "maneuver", "path", "target", "aspect")
    }
    action |= {name: value for name, value in plain.items() if value is not None}
    spec = ruleset.actions.get(spelt_out(str(action.get("type"))))
    if line.variant is not None and spec is not None:
        action["variant"] = _named_so(line.variant, (*spec.variants, *spec.special_variants))
    elif line.path and spec is not None and action.get("variant") is None:
        action["variant"] = next((name for name, needs in spec.needs.items() if "path" in needs), None)
    if line.maneuver is not None:
        action["maneuver"] = _named_so(line.maneuver, ruleset.maneuvers)
    people = [each["name"] for each in scene.get("characters") or []]
    if people and line.actor is None and "actor" not in _object(base, "action"):
        raise NarratorError("bad_request", "--actor", "say who acts", people)
    for option, name in (("--target", line.target), ("--by", line.by)):
        if name == action["actor"]:
            raise NarratorError("bad_request", option, "this is who acts")
    _roll(line, action, ruleset)
    skill, rating = _skill(line.skill, "--skill", ruleset.skills)
    theirs, their_rating = _skill(line.with_, "--with", ruleset.skills)
    if skill is not None:
        action["skill"] = skill
    if line.track is not None:
        action["attack"] = {**(action.get("attack") or {}), "track": line.track}
    if line.bonus is not None:
        action["bonus"] = line.bonus
    if line.helper:
        action["helpers"] = list(line.helper)
    opposition, notes = _oppose(line, {**base, "scene": scene, "action": action}, theirs, ruleset)
    if opposition is not None:
        action["opposition"] = opposition
    if line.tone is not None:
        scene["tone"] = line.tone
    _people(scene, action, (skill, rating), (theirs, their_rating), is_told=_types_anything_of_people(line, action))
    is_existing = action.get("variant") == "existing_aspect"
    in_play = [*([line.aspect] if line.aspect and is_existing else []), *(line.hindering or ())]
    in_play += _invoke(line.invoke, action, scene, action["actor"])
    against = action.get("opposition")
    if line.invoke_against and against is None:
        raise NarratorError("bad_request", "--invoke-against", "say who opposes, or how hard it is")
    if against is not None:
        in_play += _invoke(line.invoke_against, against, scene, against.get("by") or action.get("target") or GM)
    if is_bare and in_play:
        # Whoever types an aspect and no scene says that it is in play.
        scene["aspects"] = [{"name": name} for name in dict.fromkeys(in_play)]
    return {**base, "scene": scene, "action": action}, notes


def _object(base: Json, name: str) -> Json:
    found = base.get(name) or {}
    return dict(found) if isinstance(found, dict) else {}


def _types_anything_of_people(line: Line, action: Json) -> bool:
    typed = (line.actor, line.skill, line.target, line.by, line.with_)
    return action["actor"] == SOMEBODY or any(each is not None for each in typed)


def _named_so(typed: str, known: Iterable[str]) -> str:
    """
    Return the name of the rules' own that was typed as a page prints it; what is none of them as it was typed.
    """
    same = (each for each in known if _folded(each) == _folded(typed))
    return next(same, typed)


def _folded(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name.strip()).casefold()


def _people(scene: Json, action: Json, ours: Rated, theirs: Rated, *, is_told: bool) -> None:
    """
    Put the ratings that were typed onto sheets; where the scene lists nobody, list those who were typed.
    """
    against = action.get("opposition") or {}
    opponent = against.get("by") or action.get("target")
    listed = scene.get("characters") or []
    if not listed and is_told:
        listed = _named(action, against)
    for name, (skill, rating) in ((action["actor"], ours), (opponent, theirs)):
        if skill is not None and rating is not None:
            listed = [_rated(each, skill, rating) if _is_named(each, name) else each for each in listed]
    if listed:
        scene["characters"] = listed


def _named(action: Json, against: Json) -> list[Json]:
    """
    List everyone whom an action names, as the rules take those whom no scene lists.
    """
    ours = [action["actor"], *(action.get("helpers") or [])]
    invokers = [each.get("by") for side in (action, against) for each in side.get("invocations") or []]
    on_them = [action.get("target"), against.get("by") if against.get("kind") == "defend" else None]
    others = [*on_them, against.get("by"), *(against.get("helpers") or []), *invokers]
    theirs = [name for name in dict.fromkeys(others) if name not in (None, GM, *ours)]
    return [
        *({"name": name, "side": "pc", "importance": "pc"} for name in dict.fromkeys(ours)),
        *(
            {"name": name, "side": "opposition", "importance": "unknown" if name in on_them else "nameless"}
            for name in theirs
        ),
    ]


def _is_named(character: Any, name: object) -> bool:
    return isinstance(character, dict) and character.get("name") == name


def _rated(character: Json, skill: str, rating: int) -> Json:
    skills = character.get("skills") or {}
    others = {name: each for name, each in skills.items() if name.casefold() != skill.casefold()}
    return {**character, "skills": {**others, skill: rating}}


def _oppose(line: Line, base: Json, skill: str | None, ruleset: Ruleset) -> tuple[Json | None, tuple[str, ...]]:
    """
    Say what opposes the action, where that was typed or nothing is known of it; None: what is told already does.
    """
    action = base["action"]
    told = action.get("opposition") or {}
    by = line.by or told.get("by")
    request = Request.read({**base, "action": {**action, "opposition": {"by": by}}})
    kinds = opposed_by(request, ruleset)
    is_rolled = line.by is not None or line.with_ is not None
    if is_rolled and line.hindering:
        raise NarratorError("bad_request", "--hindering", "either somebody opposes it, or aspects hinder")
    rating = None if line.against is None else _rating(line.against, "--against", "such as 2 or Fair")
    if is_rolled:
        kind = "defend" if "defend" in kinds and (request.action.target or "active" not in kinds) else "active"
        roll = None if rating is None else {"total": rating}
        return {"kind": kind, "by": by, "skill": skill, "roll": roll}, ()
    if (told or "outcome" in action) and rating is None and not line.hindering:
        return None, ()
    unrolled = [each for each in kinds if each not in ("active", "defend")]
    kind = "aspects" if line.hindering and "aspects" in kinds else "passive" if not unrolled else unrolled[0]
    if kind not in ("passive", "roar"):
        if rating is not None:
            message = "what hinders is told by --hindering here, not by a rating"
            raise NarratorError("bad_request", "--against", message)
        return {"kind": kind, "hindering": line.hindering or []}, ()
    if line.hindering:
        raise NarratorError("bad_request", "--hindering", "this is rated by --against, not by aspects that hinder")
    if rating is None and kind == "passive":
        return _unsaid(request, ruleset)
    return {"kind": kind, "rating": rating}, ()


def _unsaid(request: Request, ruleset: Ruleset) -> tuple[Json, tuple[str, ...]]:
    """
    What opposes where nobody says: the maneuver's own rating, else Average, which the page then says.
    """
    action = request.action
    maneuver = ruleset.maneuvers.get(action.maneuver or "")
    if maneuver is not None and maneuver.rating is not None:
        return {"kind": "passive", "rating": maneuver.rating}, ()
    average = f"{ladder.name(ladder.AVERAGE)} (+{ladder.AVERAGE})"
    if action.target is not None:
        note = f"Nobody said how {action.target} defends: {average} here; --with NAME rolls their skill."
    else:
        note = f"Nobody said what opposes this: {average}, as where nothing stands out; --against says else."
    return {"kind": "passive", "rating": ladder.AVERAGE}, (note,)


def _invoke(typed: Iterable[str] | None, side: Json, scene: Json, by: str) -> list[str]:
    """
    Put invocations into one side of a roll, and name the aspects.
    """
    for text in typed or ():
        made = list(side.get("invocations") or [])
        side["invocations"] = [*made, _invocation(text, scene, by, made)]
    return [each["aspect"] for each in side.get("invocations") or []] if typed else []


def _invocation(text: str, scene: Json, by: str, made: list[Json]) -> Json:
    """
    Read an invocation: free where there is a free invocation for it that those made before leave, else for a fate
    point.
    """
    name, _, how = text.rpartition("=")
    words = [word.strip() for word in how.split(",")]
    if not name or not all(word in _HOW for word in words):
        name, words = text, []
    told: Json = {"aspect": name.strip()}
    for word in words:
        told |= _HOW[word]
    used = sum(each["aspect"] == told["aspect"] and each.get("pay", "free") == "free" for each in made)
    return {"pay": "free" if _free_for(by, told["aspect"], scene) > used else "fate_point", **told}


def _free_for(by: str, aspect: str, scene: Json) -> int:
    """
    Count the free invocations of an aspect that somebody can use: their own, anyone's, and the GM's where no player's
    character is on their side.
    """
    people = scene.get("characters") or []
    of_players = {each["side"] for each in people if each.get("importance") == "pc"}
    is_of_gm = any(each["name"] == by and each["side"] not in of_players for each in people)
    usable = (by, ANYONE, *([GM] if is_of_gm else []))
    same = [each for each in scene.get("aspects") or [] if each["name"] == aspect]
    held = [(each.get("free_invocations") or {}).get(holder, 0) for each in same for holder in usable]
    open_boosts = [each for each in same if each.get("boost") and not each.get("free_invocations")]
    return sum(map(int, held)) + len(open_boosts)


def _skill(text: str | None, option: str, listed: tuple[str, ...]) -> Rated:
    if text is None:
        return None, None
    found = _SKILL.fullmatch(text.strip())
    name = found[1].strip() if found else ""
    if found is None or not name:
        raise NarratorError("bad_request", option, f"{quoted(text)} names no skill; such as Resources=1")
    rating = found[2] or found[3]
    name = next((each for each in listed if each.casefold() == name.casefold()), name)
    return name, _rating(rating, option, "such as Resources=1") if rating else None


def _rating(text: str, option: str, wanted: str) -> int:
    by_name = {name.casefold(): rating for rating, name in enumerate(ladder.NAMES, ladder.LOWEST)}
    if text.strip().casefold() in by_name:
        return by_name[text.strip().casefold()]
    try:
        return int(text)
    except ValueError:
        raise NarratorError("bad_request", option, f"{quoted(text)} is no rating; {wanted}", ladder.NAMES) from None


def _roll(line: Line, action: Json, ruleset: Ruleset) -> None:
    """
    Put in what was rolled, or the outcome; either takes the place of whatever a file says.
    """
    told: dict[str, Any] = {"--dice": line.dice, "--total": line.total, "--outcome": line.outcome}
    told |= {f"--{name}": getattr(line, name) or None for name in _OUTCOMES}
    given = [option for option, value in told.items() if value is not None]
    if len(given) > 1:
        raise NarratorError("bad_dice", given[-1], "give what was rolled or what came of it, and that once", given)
    if line.shifts is not None and not (given and given[0] not in ("--dice", "--total")) and "outcome" not in action:
        raise NarratorError("bad_request", "--shifts", "shifts go with an outcome", [f"--{name}" for name in _OUTCOMES])
    if given:
        for name in ("roll", "outcome", "shifts"):
            action.pop(name, None)
    if line.dice is not None:
        action["roll"] = {"dice": _faces(line.dice)}
    elif line.total is not None:
        action["roll"] = {"total": line.total}
    elif given:
        known = (FAIL, *ruleset.outcomes)
        action["outcome"] = _named_so(line.outcome or _OUTCOMES[given[0].removeprefix("--")], known)
    if line.shifts is not None:
        action["shifts"] = -abs(line.shifts) if action.get("outcome") == FAIL else line.shifts


def _faces(text: str) -> list[int]:
    faces = _FACE.findall(text)
    if len(faces) != 4 or _FACE.sub("", text).strip(" ,"):
        message = f'{quoted(text)} are no four Fate dice; such as "+ 0 0 -"'
        raise NarratorError("bad_dice", "--dice", message, ["+", "0", "-"])
    return [_FACES[face] for face in faces]
