"""Makes a request of typed options, or lays them over a request from a file."""

import re

from narrator.cli.option_groups import TypedAction, call_options, given_options, object_in
from narrator.cli.typed_names import NEW, as_known, known, newcomers, person_named
from narrator.errors import RequestError, quoted
from narrator.line.against import rolled_kind
from narrator.line.figures import faces_of, rating_of
from narrator.line.invoking import is_free
from narrator.rules.json_text import Json
from narrator.rules.request.action import Action, Request, Untold, spelt_out
from narrator.rules.request.overlay import with_ratings
from narrator.rules.request.scene import GM, Scene
from narrator.rules.resolve import ladder
from narrator.rules.resolve.opposition import opposed_by
from narrator.rules.ruleset.row import FAIL
from narrator.rules.ruleset.ruleset import Ruleset

SOMEBODY = "Somebody"

_SKILL = re.compile(r"(.*?)(?:\s*[=:]\s*(.*)|(?:\s+|(?=[+(])|^)\(?([+−–-]?\d+)\)?)?", re.DOTALL)
_HOW = {"free": {"pay": "free"}, "fate_point": {"pay": "fate_point"}, "reroll": {"use": "reroll"}}

ROLLS = ("dice", "sum", "total", "outcome", "fail", "tie", "succeed", "style")
"""The options for the result of a roll."""


def typed_over(base: Json, typed: TypedAction, ruleset: Ruleset) -> tuple[Json, tuple[str, ...]]:
    """Return a request with the typed options in it, and notes about what was not typed.

    Args:
        base: A request, at least with its `action.type`. The options don't remove anything from its scene.

    Raises:
        NarratorError: `bad_request` or `bad_dice` for a wrong rating, faces or skill, for options that do not go
            together, and for a wrong scene or action.
    """
    read = Scene.read({} if base.get("scene") is None else base["scene"], "request.scene")
    Action.read({"type": SOMEBODY, "actor": SOMEBODY, **object_in(base, "action")}, "request.action")
    spec = ruleset.actions.get(spelt_out(str(object_in(base, "action").get("type"))))
    typed = as_known(typed, known(read, ruleset, spec))
    action = _action(base, typed, [each.name for each in read.characters if not each.is_out])
    request = call_options(typed, {**base, "scene": object_in(base, "scene"), "action": action})
    scene, action = request["scene"], request["action"]
    for option, name in (("--target", typed.target), ("--by", typed.by)):
        if name == action["actor"]:
            raise RequestError("bad_request", option, "this is the actor: name somebody else")
    if spec is not None and typed.path and action.get("variant") is None:
        action["variant"] = next((each.name for each in spec.variants if "path" in each.needs), None)
    # If there is a roll already, faces typed with a reroll belong to the reroll.
    rerolls = [text for text in typed.invoke or () if text.rpartition("=")[2].strip() == "reroll"]
    is_again = bool(rerolls) and typed.dice is not None and (base.get("seed") or base["action"].get("roll")) is not None
    if is_again:
        action["roll"] = base["action"].get("roll")
    elif typed.dice is not None:
        action["roll"] = {"dice": faces_of(typed.dice)}
    if typed.shifts is not None:
        action["shifts"] = -abs(typed.shifts) if action.get("outcome") == FAIL else typed.shifts
    opposition, notes = _oppose(typed, action, ruleset)
    if opposition is not None:
        action["opposition"] = opposition
    people, said = _people(scene, action, typed)
    notes += said
    against = action.get("opposition") or {}
    by = against.get("by") or action.get("target") or GM
    for side, who, text, option in (
        (action, action["actor"], typed.skill, "--skill"),
        (against, by, typed.with_, "--with"),
    ):
        said = () if text is None else _rate(people, side, who, text, option, ruleset)
        notes += () if "outcome" in action else said
    if people:
        scene["characters"] = people
    if typed.invoke_against and not against:
        raise RequestError("bad_request", "--invoke-against", "say who opposes (--by), or how hard it is (--against)")
    in_play = [*(typed.hindering or ())]
    for side, who, texts in ((action, action["actor"], typed.invoke), (against, by, typed.invoke_against)):
        in_play += [_invoke(text, side, who, request, ruleset) for text in texts or ()]
    if is_again:
        again = next(each for each in reversed(action["invocations"]) if each.get("use") == "reroll")
        again["dice"] = faces_of(typed.dice or "")
    if typed.aspect is not None and spec is not None and "aspect" in spec.variant(action.get("variant")).needs:
        in_play.append(typed.aspect)
    if not base.get("scene") and in_play:
        # An aspect that is typed without a scene is in play.
        scene["aspects"] = [{"name": name} for name in dict.fromkeys(in_play)]
    return request, notes


def _action(base: Json, typed: TypedAction, people: list[str]) -> Json:
    """Return the action, without its roll if another was typed."""
    action = object_in(base, "action")
    if people and typed.actor is None and "actor" not in action:
        raise RequestError("bad_request", "--actor", "say who acts", people)
    given = [f"--{name}" for name in ROLLS if name in given_options(typed)]
    if len(given) > 1:
        raise RequestError("bad_dice", given[-1], f"{' and '.join(given)} give the same roll: use one of them")
    is_rolled = not given or given[0] in ("--dice", "--sum", "--total")
    if typed.shifts is not None and is_rolled and "outcome" not in action:
        raise RequestError("bad_request", "--shifts", "this needs an outcome: --fail, --tie, --succeed or --style")
    taken = ("roll", "outcome", "shifts") if given else ()
    return {"actor": SOMEBODY, **{name: value for name, value in action.items() if name not in taken}}


def _people(scene: Json, action: Json, typed: TypedAction) -> tuple[list[Json], tuple[str, ...]]:
    """List the people of the scene and newcomers, with a note for each newcomer. If the scene lists nobody and options
    about people were typed, list the people of the action.
    """
    listed = [dict(each) for each in scene.get("characters") or []]
    if listed:
        new = newcomers(listed, action, typed, [each["name"] for each in scene.get("away") or []])
        listed += [{"name": who, "side": side, "importance": "unknown"} for who, side in new.items()]
        return listed, tuple(NEW.format(who=who, side=side) for who, side in new.items())
    of_people = (typed.actor, typed.skill, typed.target, typed.by, typed.with_)
    if action["actor"] != SOMEBODY and all(each is None for each in of_people):
        return [], ()
    against = object_in(action, "opposition")
    ours = [name for name in (action["actor"], *(action.get("helpers") or [])) if name != GM]
    invokers = [each.get("by") for side in (action, against) for each in side.get("invocations") or []]
    on_them = [action.get("target"), against.get("by") if against.get("kind") == "defend" else None]
    others = [*on_them, against.get("by"), *(against.get("helpers") or []), *invokers]
    theirs = [name for name in dict.fromkeys(others) if name not in (None, GM, *ours)]
    players = [{"name": name, "side": "pc", "importance": "pc"} for name in dict.fromkeys(ours)]
    importance = {True: "unknown", False: "nameless"}
    opponents = [{"name": name, "side": "opposition", "importance": importance[name in on_them]} for name in theirs]
    return [*players, *opponents], ()


def _rate(people: list[Json], side: Json, who: str, text: str, option: str, ruleset: Ruleset) -> tuple[str, ...]:
    """Put a typed skill into a side of a roll, and its rating on the roller's sheet. Without a sheet, the rating is a
    bonus, and a note says so.
    """
    found = _SKILL.fullmatch(text.strip())
    name = found[1].strip() if found else ""
    if found is None or not name:
        raise RequestError("bad_request", option, f"{quoted(text)} names no skill; write it like Resources=1")
    name = next((each for each in ruleset.skills if each.casefold() == name.casefold()), name)
    side["skill"] = name
    typed = found[2] or found[3]
    if not typed:
        return ()
    rating = rating_of(typed, option, "such as Resources=1", f"{name}=")
    sheet = next((each for each in people if each["name"] == who), None)
    if sheet is not None:
        sheet["skills"] = with_ratings(sheet.get("skills") or {}, {name: rating})
    elif "total" not in (side.get("roll") or {}):
        side |= {"skill": None, "bonus": (side.get("bonus") or 0) + rating}
        return (f"{who} has no sheet: {name} {rating:+d} counts as a bonus.",)
    return ()


def _oppose(typed: TypedAction, action: Json, ruleset: Ruleset) -> tuple[Json | None, tuple[str, ...]]:
    """Return the opposition if it was typed or is unknown. None: the request has it already."""
    read = Action.read(action, "request.action")
    told = action.get("opposition") or {}
    by = typed.by or told.get("by")
    against = Untold.read({"by": by}, "action.opposition")
    kinds = opposed_by(Request.model_construct(action=read.model_copy(update={"opposition": against})), ruleset)
    is_rolled = typed.by is not None or typed.with_ is not None
    if is_rolled and typed.hindering:
        raise RequestError("bad_request", "--hindering", "either somebody opposes this, or aspects hinder it, not both")
    rating = None if typed.against is None else rating_of(typed.against, "--against", "such as 2 or Fair")
    if is_rolled:
        roll = None if rating is None else {"total": rating}
        return {"kind": rolled_kind(kinds, read.target), "by": by, "skill": None, "roll": roll}, ()
    if (told or "outcome" in action) and rating is None and not typed.hindering:
        return None, ()
    unrolled = [each for each in kinds if each not in ("active", "defend")]
    if kinds and not unrolled:
        message = "somebody rolls against this: use --with SKILL or --by NAME; --against is their total"
        raise RequestError("bad_opposition", "--by" if rating is None else "--against", message)
    kind = "aspects" if typed.hindering and "aspects" in kinds else "passive" if not unrolled else unrolled[0]
    if kind not in ("passive", "roar"):
        if rating is not None:
            message = "aspects hinder this: name them with --hindering, without a rating"
            raise RequestError("bad_request", "--against", message)
        return {"kind": kind, "hindering": typed.hindering or []}, ()
    if typed.hindering:
        raise RequestError("bad_request", "--hindering", "aspects don't hinder this: give a rating with --against")
    if rating is None and kind == "passive":
        return _unsaid(read, ruleset)
    return {"kind": kind, "rating": rating}, ()


def _unsaid(action: Action, ruleset: Ruleset) -> tuple[Json, tuple[str, ...]]:
    """Return the default opposition: the maneuver's rating, or else Average with a note."""
    maneuver = ruleset.maneuvers.get(action.maneuver or "")
    if maneuver is not None and maneuver.rating is not None:
        return {"kind": "passive", "rating": maneuver.rating}, ()
    average = f"{ladder.name(ladder.AVERAGE)} (+{ladder.AVERAGE})"
    if action.target is not None:
        note = f"You didn't say how {action.target} defends: {average}. --with SKILL rolls for them."
    else:
        note = f"You didn't say what opposes this: {average}. --against changes that."
    return {"kind": "passive", "rating": ladder.AVERAGE}, (note,)


def _invoke(text: str, side: Json, invoker: str, request: Json, ruleset: Ruleset) -> str:
    """Add an invocation to a side of a roll, and return its aspect. A person named in it passes on a free one."""
    people = [each["name"] for each in request["scene"].get("characters") or []]
    aspect, _, how = text.rpartition("=")
    words = [person_named(word.strip(), people) for word in how.split(",")]
    if not aspect or not all(word in _HOW or word in people for word in words):
        aspect, words = text, []
    told: Json = {"aspect": aspect.strip()}
    for word in words:
        told |= _HOW.get(word) or {"pay": "free", "by": word}
    told.setdefault("pay", "free" if is_free(told["aspect"], invoker, request, ruleset) else "fate_point")
    side["invocations"] = [*(side.get("invocations") or []), told]
    return str(told["aspect"])
