"""What was asked on the command line: out of a file, standard input or options, into a call."""

import os
import sys
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from pydantic import AfterValidator

from narrator import calls, house
from narrator.api import reading
from narrator.errors import Code, NarratorError
from narrator.files import at_once
from narrator.interfaces.blame import by_option
from narrator.interfaces.naming import NEW, as_named
from narrator.interfaces.oneliner import typed_over
from narrator.interfaces.overlay import Overlay, laid, overlay
from narrator.interfaces.typed import TypedAction, TypedTurns, told
from narrator.render.plain import visible
from narrator.rules.action import USUAL_RULESET
from narrator.rules.json_text import parsed
from narrator.rules.model import LIST, MOST_BYTES, Given, Name, complaint
from narrator.rules.near import meant
from narrator.rules.ruleset import Ruleset

Json = dict[str, Any]


def _path(text: str) -> str:
    if "\0" in text:
        raise complaint("bad_request", "this must be the path of a file")
    return text


Place = Annotated[str, AfterValidator(_path)]
"""The path of a file."""


class Kept(Given):
    """What a file that narrator kept has beside its request or its scene: it is this machine's, and no part of
    either.
    """

    answer: Any = None
    """Of a page: what `suggest` answered."""
    ruleset_file: Place | None = None
    """The file of its ruleset, where it is from one."""
    scene_file: Place | None = None
    """Of a page: the file of its scene, where it is from one."""
    typed: Overlay = Overlay()
    """Of a page: what was typed over its scene."""
    page: Name | None = None
    """Of a page: what it goes by."""
    settled: Place | None = None
    """Of a page: where it was settled."""
    pages: Annotated[tuple[Name, ...], LIST] = ()
    """Of a scene: the last pages that were settled in it."""


@dataclass(frozen=True)
class Asked:
    """What was asked on the command line: the call, the rulesets it is about, and what there is to say of it."""

    call: calls.Call
    rulesets: tuple[Ruleset, ...] = ()
    notes: tuple[str, ...] = ()
    typed: TypedAction = field(default_factory=TypedAction)
    """What was typed of the action."""
    is_whole: bool = False
    """Whether that alone tells it, with no file beneath."""
    kept: Kept = field(default_factory=Kept)
    """What the file has beside the request; the files of ruleset and scene, and what was typed, are those of now."""
    everything: bool = False
    """Whether the page lists what it would else only count."""


def asked_for(
    call: str,
    what: str,
    typed: TypedAction | None = None,
    *,
    ruleset: str | None = None,
    seed: int | None = None,
    deal: int | None = None,
    scene: str | None = None,
) -> Asked:
    """Read what was asked: a file or standard input, and the options over it; or an action and the options that tell
    it. Of a page that was kept, the scene is the one that its file has by now.

    Args:
        typed: What was typed of the action; None: what is asked is a file.
        scene: The file of the scene, where it is another than was typed or the page has.

    Raises:
        NarratorError: For a payload or a ruleset that is wrong.
        typer.BadParameter: For a file that is not there.
    """
    is_whole = typed is not None and what != "-" and not os.path.exists(what)
    takes_action, typed = typed is not None, typed or TypedAction()
    try:
        read, beside = (calls.Call(call=call), Kept()) if is_whole else payload_of(what, call=call)
    except typer.BadParameter as error:
        hint = f"; or type an action first, such as: narrator {call} overcome" if takes_action else ""
        raise typer.BadParameter(f"{error.message}{hint}") from None
    if takes_action and not is_whole and "scene" in read.request and "action" not in read.request:
        message = f"this is required; to use the scene alone: narrator {call} overcome --scene {place_of(what)}"
        raise NarratorError("bad_request", "action", message)
    around, of_scene, notes = _around(typed.scene, scene or beside.scene_file)
    request = {**read.request, **around}
    under = request.get("scene") or {}
    if around:
        request["scene"], new = laid(beside.typed, under)
        notes = (*notes, *(NEW.format(who=each.name, side=each.side) for each in new))
    found, file = _played_by(ruleset, request, (of_scene if "ruleset" in around else beside).ruleset_file)
    over = {"ruleset": ruleset and found.name, "seed": seed, "deal": deal}
    request |= {name: value for name, value in over.items() if value is not None}
    update: dict[str, Any] = {"ruleset_file": file}
    if typed.scene not in (None, "-"):
        update["scene_file"] = os.path.abspath(typed.scene)
    if is_whole:
        request["action"] = {"type": _action(what, found)}
    if is_whole or told(typed):
        try:
            request, said = typed_over(request, typed, found)
        except NarratorError as error:
            raise by_option(error, typed, is_whole=is_whole) from None
        notes = (*notes, *said)
        if is_whole or around:
            update["typed"] = Overlay.read(overlay(under, request["scene"]))
    call_asked, kept = read.model_copy(update={"request": request}), beside.model_copy(update=update)
    return Asked(call_asked, (found,), notes, typed, is_whole, kept)


def _around(typed: str | None, kept: str | None) -> tuple[Json, Kept, tuple[str, ...]]:
    """Read the scene around an action, out of the file that was typed, with its ruleset, else out of the one that is
    kept.
    """
    if typed is not None:
        return *_scene_of(typed), ()
    if kept is None:
        return {}, Kept(), ()
    if not os.path.exists(kept):
        return {}, Kept(), (f"{visible(kept)} is not there any more: the scene is as the page has it.",)
    return {"scene": _scene_of(kept)[0]["scene"]}, Kept(), ()


def _played_by(named: str | None, request: Json, kept: str | None) -> tuple[Ruleset, str | None]:
    """Find the ruleset that is typed, else that of the request, and the file that it is from, if from one.

    Args:
        kept: The file that stands beside the request.
    """
    if named is not None:
        return ruleset_of(named), os.path.abspath(named) if _is_file(named) else None
    loaded = () if kept is None else (house.load_ruleset(kept),)
    return reading.find_ruleset(request.get("ruleset") or USUAL_RULESET, loaded), kept


def _action(what: str, ruleset: Ruleset) -> str:
    named = as_named(what, ruleset.actions)
    if named not in ruleset.actions:
        hint, known = meant(named, ruleset.actions), ", ".join(sorted(ruleset.actions))
        raise typer.BadParameter(f"{visible(what)}: no such file, and no such action{hint}; there is {known}")
    return named


def _scene_of(file: str) -> tuple[Json, Kept]:
    read = json_of(file)
    found = scene_in(read)
    if not isinstance(found.get("scene"), dict):
        wrong = "there is no scene in it" if found.get("scene") is None else "its scene must be an object"
        raise NarratorError("bad_request", place_of(file), wrong)
    return found, kept_in(read)[0]


def kept_in(read: Json) -> tuple[Kept, Json]:
    """Part what a file has beside a request or a scene from these.

    Raises:
        NarratorError: `bad_request`.
    """
    beside = {name for name in Kept.model_fields if name != "answer" or "request" in read}
    kept = Kept.read({name: value for name, value in read.items() if name in beside})
    return kept, {name: value for name, value in read.items() if name not in beside}


def table_asked_for(action: str, variant: str | None, ruleset: str | None) -> Asked:
    """Read which table was asked for: action and variant are typed as one says them.

    Raises:
        NarratorError: For a ruleset that is wrong, or has no such action.
    """
    found = ruleset_of(ruleset or USUAL_RULESET)
    named = as_named(action, found.actions)
    if variant is not None:
        variant = as_named(variant, (each.name for each in found.action(named, "action").variants))
    request = {"ruleset": found.name, "action": named, "variant": variant}
    return Asked(calls.Call(call="table", request=request), (found,))


def words_asked_for(
    kind: str,
    scene: str | None,
    about: str | None,
    tone: str | None,
    *,
    per_slot: int,
    deal: int | None,
    ruleset: str | None,
) -> Asked:
    """Read which words were asked for without a roll.

    Args:
        scene: The file that has it; None: nothing is told of it.

    Raises:
        NarratorError: For a scene or a ruleset that is wrong.
    """
    around, beside = ({}, Kept()) if scene is None else _scene_of(scene)
    found, file = _played_by(ruleset, around, beside.ruleset_file)
    told = {**(around.get("scene") or {}), **({"tone": tone} if tone is not None else {})}
    request = {"scene": told, "kind": kind, "about": about, "per_slot": per_slot, "deal": deal, "ruleset": found.name}
    return Asked(calls.Call(call="word", request=request), (found,), kept=Kept(ruleset_file=file))


def payload_of(file: str, *, call: str) -> tuple[calls.Call, Kept]:
    """Read a payload, a bare request, or what `--save` kept, out of a file: the call, and what stands beside it.

    Raises:
        NarratorError: `bad_request`, with the file where it is none at all.
    """
    return payload_in(json_of(file), file, call=call)


def payload_in(payload: Json, file: str, *, call: str) -> tuple[calls.Call, Kept]:
    """The same for an object that a file holds.

    Raises:
        NarratorError: `bad_request`.
    """
    if {"resolution", "suggestions"} <= payload.keys():
        message = "this is an answer without its request; suggest --save keeps both"
        raise NarratorError("bad_request", visible(file), message)
    kept, alone = kept_in(payload)
    return calls.read(alone, call=call), kept


def json_of(file: str) -> Json:
    """Read the JSON object in a file.

    Raises:
        NarratorError: `bad_request`, with the file and the line.
    """
    read = any_json_of(file)
    if not isinstance(read, dict):
        raise NarratorError("bad_request", "" if file == "-" else visible(file), "this must be an object")
    return read


def any_json_of(file: str, most: int = MOST_BYTES) -> Any:
    """Read whatever JSON a file holds, of at most so many bytes.

    Raises:
        NarratorError: As `json_of`.
    """
    text = read_text(file, most)
    try:
        return parsed(text)
    except NarratorError as error:
        raise NarratorError(error.code, place_of(file), error.message, error.allowed) from None


def scene_in(read: Json) -> Json:
    """Take the scene, and the ruleset beside it, out of what a file holds: a scene, a request, or what was kept of
    one.
    """
    request = read.get("request")
    around = request if isinstance(request, dict) else read
    if not {"scene", "action", "call"} & around.keys():
        return {"scene": around}
    return {name: around[name] for name in ("scene", "ruleset") if name in around}


def turns_asked_for(file: str, typed: TypedTurns) -> Asked:
    """Put what was typed of a turn order over what the file says; of a file with a request, its scene counts.

    Raises:
        NarratorError: For a payload that is wrong.
    """
    call, _ = payload_of(file, call="turn_order")
    request = call.request
    taken = ("scene",) if "action" in request else [name for name in request if name != "ruleset"]
    around = {name: request[name] for name in taken if name in request}
    return Asked(call.model_copy(update={"request": {**around, **told(typed)}}))


def lines_asked_for(file: str) -> Asked:
    """Read of which scene the lines are asked for.

    Raises:
        NarratorError: For a file without a scene.
    """
    return Asked(calls.Call(call="lines", request={"scene": _scene_of(file)[0]["scene"]}))


def ruleset_of(name: str) -> Ruleset:
    """The ruleset that `--ruleset` names, in a file or by its name."""
    return house.load_ruleset(name) if _is_file(name) else reading.find_ruleset(as_named(name, reading.rulesets()))


def _is_file(ruleset: str) -> bool:
    return ruleset.endswith(".toml")


def known_rulesets() -> tuple[list[Ruleset], list[NarratorError]]:
    """The rulesets that can be read, and what is wrong with the others."""
    found: list[Ruleset] = []
    broken: list[NarratorError] = []
    for name in reading.rulesets():
        try:
            found.append(reading.find_ruleset(name))
        except NarratorError as error:
            broken.append(error)
    return found, broken


def place_of(file: str) -> str:
    """What a file is called in errors."""
    return "standard input" if file == "-" else visible(file)


def read_text(file: str, most: int = MOST_BYTES, code: Code = "bad_request") -> bytes:
    """Read a file, or standard input for "-", of at most so many bytes.

    Raises:
        NarratorError: With this code, for what is larger.
        typer.BadParameter: For a file that cannot be read, and for nothing on standard input.
    """
    read = _read(file, most + 1)
    if len(read) > most:
        raise NarratorError(code, place_of(file), f"this is larger than {most} bytes")
    return read


def _read(file: str, most: int) -> bytes:
    try:
        if file == "-":
            if sys.stdin is None or sys.stdin.isatty():
                raise typer.BadParameter("give a FILE, or - and a request on standard input")
            read = sys.stdin.buffer.read(most)
            if not read.strip():
                raise typer.BadParameter("there is nothing on standard input: give a FILE, or a request there")
            return read
        with open(file, "rb", opener=at_once) as opened:
            return opened.read(most)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "this is no path of a file"
        raise typer.BadParameter(f"{visible(file)}: {why}") from None
