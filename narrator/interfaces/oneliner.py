"""Puts what was typed into a request: one out of nothing but options, or one from a file that they override."""

import re
from typing import Any

from narrator.errors import NarratorError, quoted
from narrator.interfaces.naming import NEW, as_named, newcomers, person_named, spelt
from narrator.interfaces.overlay import with_ratings
from narrator.interfaces.typed import MINUS, TypedAction
from narrator.rules import ladder
from narrator.rules.action import Request, spelt_out
from narrator.rules.cast import cast_of
from narrator.rules.opposition import spend
from narrator.rules.resolving import completed, opposed_by
from narrator.rules.row import FAIL
from narrator.rules.ruleset import Ruleset
from narrator.rules.scene import GM

Json = dict[str, Any]

Rated = tuple[str | None, int | None]
"""A skill and its rating, as far as they were typed."""

SOMEBODY = "Somebody"

_FACES = {"+": 1, "0": 0, "-": -1, "1": 1, "+1": 1, "-1": -1}
_FACE = re.compile(r"[+-]?1|[+0-]")
_SKILL = re.compile(r"(.*?)(?:\s*[=:]\s*(.*)|(?:\s+|(?=[+(])|^)\(?([+−–-]?\d+)\)?)?", re.DOTALL)
_HOW = {"free": {"pay": "free"}, "fate_point": {"pay": "fate_point"}, "reroll": {"use": "reroll"}}
_OUTCOMES = {"fail": FAIL, "tie": "tie", "succeed": "succeed", "style": "succeed_with_style"}


def typed_over(base: Json, typed: TypedAction, ruleset: Ruleset) -> tuple[Json, tuple[str, ...]]:
    """Return a request with what was typed in it, and what there is to say of what was not.

    Args:
        base: A request, with its `action.type` at least; what its scene tells stays.
        ruleset: The tables that it names.

    Raises:
        NarratorError: `bad_request` or `bad_dice` for an option that is no rating, faces or skill, for options that
            do not go together, and for a request that is none.
    """
    read = Request.read({**base, "action": {"type": SOMEBODY, "actor": SOMEBODY, **_object(base, "action")}})
    scene, is_bare = _object(base, "scene"), not base.get("scene")
    typed = spelt(typed, read.scene, ruleset)
    action = _action(base, typed, ruleset, [each.name for each in read.scene.characters])
    theirs = _skill(typed.with_, "--with", ruleset.skills)
    opposition, notes = _oppose(typed, {**base, "action": action}, theirs[0], ruleset)
    if opposition is not None:
        action["opposition"] = opposition
    if typed.tone is not None:
        scene["tone"] = typed.tone
    people, new = _people(scene, action, typed), newcomers(scene.get("characters") or [], action, typed)
    people = [*people, *({"name": who, "side": side, "importance": "unknown"} for who, side in new.items())]
    notes += tuple(NEW.format(who=who, side=side) for who, side in new.items())
    ours, against = _skill(typed.skill, "--skill", ruleset.skills), opposition or {}
    people, ours_said = _rated(people, action, action["actor"], ours)
    people, theirs_said = _rated(people, against, against.get("by") or action.get("target"), theirs)
    notes += (*ours_said, *theirs_said) if "outcome" not in action else ()
    if people:
        scene["characters"] = people
    in_play = [*(typed.hindering or ()), *_invoked(typed, {**base, "scene": scene, "action": action}, ruleset)]
    if typed.aspect is not None and "aspect" in _needs(action, ruleset):
        in_play.append(typed.aspect)
    if is_bare and in_play:
        # Whoever types an aspect and no scene says that it is in play.
        scene["aspects"] = [{"name": name} for name in dict.fromkeys(in_play)]
    return {**base, "scene": scene, "action": action}, notes


def _action(base: Json, typed: TypedAction, ruleset: Ruleset, people: list[str]) -> Json:
    """Put into the action what was typed of it, but for what opposes it."""
    action = _object(base, "action")
    if people and typed.actor is None and "actor" not in action:
        raise NarratorError("bad_request", "--actor", "say who acts", people)
    plain = ("actor", "intent", "bonus", "path", "target", "aspect")
    action = {"actor": SOMEBODY, **action}
    action |= {name: getattr(typed, name) for name in plain if getattr(typed, name) is not None}
    for option, name in (("--target", typed.target), ("--by", typed.by)):
        if name == action["actor"]:
            raise NarratorError("bad_request", option, "this is who acts")
    spec = ruleset.actions.get(spelt_out(str(action.get("type"))))
    if spec is not None and typed.variant is not None:
        action["variant"] = as_named(typed.variant, (each.name for each in spec.variants))
    elif spec is not None and typed.path and action.get("variant") is None:
        action["variant"] = next((each.name for each in spec.variants if "path" in each.needs), None)
    if typed.maneuver is not None:
        action["maneuver"] = as_named(typed.maneuver, ruleset.maneuvers)
    if typed.skill is not None:
        action["skill"] = _skill(typed.skill, "--skill", ruleset.skills)[0]
    if typed.track is not None:
        action["attack"] = {**_object(action, "attack"), "track": typed.track}
    if typed.helper:
        action["helpers"] = typed.helper
    _roll(typed, action, ruleset)
    return action


def _needs(action: Json, ruleset: Ruleset) -> tuple[str, ...]:
    spec = ruleset.actions.get(spelt_out(str(action.get("type"))))
    return spec.variant(action.get("variant")).needs if spec is not None else ()


def _object(base: Json, name: str) -> Json:
    found = base.get(name) or {}
    return dict(found) if isinstance(found, dict) else {}


def _people(scene: Json, action: Json, typed: TypedAction) -> list[Json]:
    """List whom the scene lists; where that is nobody and anything of people was typed, those whom the action names."""
    of_people = (typed.actor, typed.skill, typed.target, typed.by, typed.with_)
    listed = [*(scene.get("characters") or [])]
    if listed or (action["actor"] != SOMEBODY and all(each is None for each in of_people)):
        return listed
    against = _object(action, "opposition")
    ours = [name for name in (action["actor"], *(action.get("helpers") or [])) if name != GM]
    invokers = [each.get("by") for side in (action, against) for each in side.get("invocations") or []]
    on_them = [action.get("target"), against.get("by") if against.get("kind") == "defend" else None]
    others = [*on_them, against.get("by"), *(against.get("helpers") or []), *invokers]
    theirs = [name for name in dict.fromkeys(others) if name not in (None, GM, *ours)]
    players = [{"name": name, "side": "pc", "importance": "pc"} for name in dict.fromkeys(ours)]
    importance = {True: "unknown", False: "nameless"}
    opponents = [{"name": name, "side": "opposition", "importance": importance[name in on_them]} for name in theirs]
    return [*players, *opponents]


def _rated(people: list[Json], side: Json, name: str | None, rated: Rated) -> tuple[list[Json], tuple[str, ...]]:
    """Put the rating that was typed onto somebody's sheet; of whoever has none, among the bonuses of their side."""
    skill, rating = rated
    if skill is None or rating is None:
        return people, ()
    if all(each["name"] != name for each in people) and "total" not in (side.get("roll") or {}):
        side |= {"skill": None, "bonus": (side.get("bonus") or 0) + rating}
        return people, (f"{name or GM} has no sheet: {skill} {rating:+d} counts as a bonus.",)

    def with_it(character: Json) -> Json:
        return {**character, "skills": with_ratings(character.get("skills") or {}, {skill: rating})}

    return [with_it(each) if each["name"] == name else each for each in people], ()


def _oppose(typed: TypedAction, base: Json, skill: str | None, ruleset: Ruleset) -> tuple[Json | None, tuple[str, ...]]:
    """Say what opposes the action, where that was typed or nothing is known of it; None: what is told already does."""
    action = base["action"]
    told = action.get("opposition") or {}
    by = typed.by or told.get("by")
    request = Request.read({**base, "action": {**action, "opposition": {"by": by}}})
    kinds = opposed_by(request, ruleset)
    is_rolled = typed.by is not None or typed.with_ is not None
    if is_rolled and typed.hindering:
        raise NarratorError("bad_request", "--hindering", "either somebody opposes it, or aspects hinder")
    rating = None if typed.against is None else rating_of(typed.against, "--against", "such as 2 or Fair")
    if is_rolled:
        kind = "defend" if "defend" in kinds and (request.action.target or "active" not in kinds) else "active"
        roll = None if rating is None else {"total": rating}
        return {"kind": kind, "by": by, "skill": skill, "roll": roll}, ()
    if (told or "outcome" in action) and rating is None and not typed.hindering:
        return None, ()
    unrolled = [each for each in kinds if each not in ("active", "defend")]
    if kinds and not unrolled:
        message = "somebody rolls against this: say --with SKILL or --by NAME; --against is what they rolled in all"
        raise NarratorError("bad_opposition", "--by" if rating is None else "--against", message, kinds)
    kind = "aspects" if typed.hindering and "aspects" in kinds else "passive" if not unrolled else unrolled[0]
    if kind not in ("passive", "roar"):
        if rating is not None:
            message = "what hinders is told by --hindering here, not by a rating"
            raise NarratorError("bad_request", "--against", message)
        return {"kind": kind, "hindering": typed.hindering or []}, ()
    if typed.hindering:
        raise NarratorError("bad_request", "--hindering", "this is rated by --against, not by aspects that hinder")
    if rating is None and kind == "passive":
        return _unsaid(request, ruleset)
    return {"kind": kind, "rating": rating}, ()


def _unsaid(request: Request, ruleset: Ruleset) -> tuple[Json, tuple[str, ...]]:
    """What opposes where nobody says: the maneuver's own rating, else Average, which the page then says."""
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


def _invoked(typed: TypedAction, base: Json, ruleset: Ruleset) -> list[str]:
    """Put invocations into both sides of a roll, and name their aspects."""
    action = base["action"]
    against = action.get("opposition")
    if typed.invoke_against and against is None:
        raise NarratorError("bad_request", "--invoke-against", "say who opposes, or how hard it is")
    by = (against or {}).get("by") or action.get("target") or GM
    people, aspects = [each["name"] for each in base["scene"].get("characters") or []], []
    for side, invoker, texts in ((action, action["actor"], typed.invoke), (against or {}, by, typed.invoke_against)):
        for text in texts or ():
            told = _invocation(text, people)
            told.setdefault("pay", "free" if _is_free(told["aspect"], invoker, base, ruleset) else "fate_point")
            side["invocations"] = [*(side.get("invocations") or []), told]
            aspects.append(told["aspect"])
    return aspects


def _invocation(text: str, people: list[str]) -> Json:
    """Read an aspect, and how it is invoked; who is named there passes their free invocation on."""
    name, _, how = text.rpartition("=")
    words = [person_named(word.strip(), people) for word in how.split(",")]
    if not name or not all(word in _HOW or word in people for word in words):
        name, words = text, []
    told: Json = {"aspect": name.strip()}
    for word in words:
        told |= _HOW.get(word) or {"pay": "free", "by": word}
    return told


def _is_free(aspect: str, by: str, base: Json, ruleset: Ruleset) -> bool:
    """Whether somebody has a free invocation of an aspect left, after those that the request makes already."""
    request = completed(Request.read(base), ruleset)
    try:
        purse = spend(request, ruleset, cast_of(request, ruleset.sheet))
        return purse.can_pay(purse.find(aspect, None, ""), "free", by, "")
    except NarratorError:
        # What is wrong with them is refused once all is typed, and by its option.
        return False


def _skill(text: str | None, option: str, listed: tuple[str, ...]) -> Rated:
    if text is None:
        return None, None
    found = _SKILL.fullmatch(text.strip())
    name = found[1].strip() if found else ""
    if found is None or not name:
        raise NarratorError("bad_request", option, f"{quoted(text)} names no skill; such as Resources=1")
    rating = found[2] or found[3]
    name = next((each for each in listed if each.casefold() == name.casefold()), name)
    return name, rating_of(rating, option, "such as Resources=1") if rating else None


def rating_of(text: str, option: str, wanted: str) -> int:
    """Read a rating as one types it: a number, or its name on the ladder.

    Raises:
        NarratorError: `bad_request`, at this option.
    """
    by_name = {name.casefold(): rating for rating, name in enumerate(ladder.NAMES, ladder.LOWEST)}
    if text.strip().casefold() in by_name:
        return by_name[text.strip().casefold()]
    try:
        return int(text.translate(MINUS))
    except ValueError:
        raise NarratorError("bad_request", option, f"{quoted(text)} is no rating; {wanted}", ladder.NAMES) from None


def _roll(typed: TypedAction, action: Json, ruleset: Ruleset) -> None:
    """Put in what was rolled, or the outcome; either takes the place of whatever a file says."""
    told: dict[str, Any] = {"--dice": typed.dice, "--total": typed.total, "--outcome": typed.outcome}
    told |= {f"--{name}": getattr(typed, name) or None for name in _OUTCOMES}
    given = [option for option, value in told.items() if value is not None]
    if len(given) > 1:
        raise NarratorError("bad_dice", given[-1], f"{' and '.join(given)} tell one roll: type one of them", given)
    if typed.shifts is not None and not (given and given[0] not in ("--dice", "--total")) and "outcome" not in action:
        raise NarratorError("bad_request", "--shifts", "shifts go with an outcome", [f"--{name}" for name in _OUTCOMES])
    if given:
        for name in ("roll", "outcome", "shifts"):
            action.pop(name, None)
    if typed.dice is not None:
        action["roll"] = {"dice": faces_of(typed.dice)}
    elif typed.total is not None:
        action["roll"] = {"total": typed.total}
    elif given:
        known = (FAIL, *ruleset.outcomes)
        action["outcome"] = as_named(typed.outcome or _OUTCOMES[given[0].removeprefix("--")], known)
    if typed.shifts is not None:
        action["shifts"] = -abs(typed.shifts) if action.get("outcome") == FAIL else typed.shifts


def faces_of(text: str) -> list[int]:
    """Read four faces as one types them.

    Raises:
        NarratorError: `bad_dice`.
    """
    plain = text.translate(MINUS)
    faces = _FACE.findall(plain)
    if len(faces) != 4 or _FACE.sub("", plain).strip(" ,"):
        message = f'{quoted(text)} are no four Fate dice; such as "+ 0 0 -"'
        raise NarratorError("bad_dice", "--dice", message, ["+", "0", "-"])
    return [_FACES[face] for face in faces]
