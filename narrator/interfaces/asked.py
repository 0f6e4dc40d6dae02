"""What was asked on the command line: out of a file, standard input or options, into a call."""

import os
import sys
from dataclasses import dataclass, field
from typing import Any

import typer

from narrator import api, calls, house
from narrator.errors import NarratorError
from narrator.interfaces.blame import by_option
from narrator.interfaces.oneliner import as_named, typed_over
from narrator.interfaces.typed import TypedAction, TypedTurns, told
from narrator.render.plain import visible
from narrator.rules.action import USUAL_RULESET
from narrator.rules.json_text import parsed
from narrator.rules.model import MOST_BYTES
from narrator.rules.near import meant
from narrator.rules.ruleset import Ruleset

Json = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """
    What was asked on the command line: the call, the rulesets it is about, and what there is to say of it.
    """

    call: calls.Call
    rulesets: tuple[Ruleset, ...] = ()
    notes: tuple[str, ...] = ()
    typed: TypedAction = field(default_factory=TypedAction)
    """What was typed of the action."""
    is_whole: bool = False
    """Whether that alone tells it, with no file beneath."""
    answer: object = None
    """What `suggest --save` kept of the answer, where the file has it."""


def asked_for(
    call: str,
    what: str,
    typed: TypedAction | None = None,
    *,
    ruleset: str | None = None,
    seed: int | None = None,
    deal: int | None = None,
) -> Asked:
    """
    Read what was asked: a file or standard input, and the options over it; or an action and the options that tell it.

    Args:
        typed: What was typed of the action; None: what is asked is a file.

    Raises:
        NarratorError: For a payload or a ruleset that is wrong.
        typer.BadParameter: For a file that is not there.
    """
    given = None if ruleset is None else ruleset_of(ruleset)
    is_whole = typed is not None and what != "-" and not os.path.exists(what)
    typed = typed or TypedAction()
    over = {"ruleset": given and given.name, "seed": seed, "deal": deal}
    changes = {name: value for name, value in over.items() if value is not None}
    scene = {} if typed.scene is None else _scene_of(typed.scene)
    if is_whole:
        read, answer = calls.Call(call=call), None
    else:
        read, answer = payload_of(what, call=call)
    request = {**read.request, **scene, **changes}
    notes: tuple[str, ...] = ()
    found = given or api.find_ruleset(request.get("ruleset") or USUAL_RULESET)
    if is_whole:
        request["action"] = {"type": _action(what, found)}
    if is_whole or told(typed):
        try:
            request, notes = typed_over(request, typed, found)
        except NarratorError as error:
            raise by_option(error, typed, is_whole=is_whole) from None
    return Asked(read.model_copy(update={"request": request}), (found,), notes, typed, is_whole, answer)


def _action(what: str, ruleset: Ruleset) -> str:
    named = as_named(what, ruleset.actions)
    if named not in ruleset.actions:
        hint, known = meant(named, ruleset.actions), ", ".join(sorted(ruleset.actions))
        raise typer.BadParameter(f"{visible(what)}: no such file, and no such action{hint}; there is {known}")
    return named


def _scene_of(file: str) -> Json:
    found = scene_in(json_of(file))
    if found.get("scene") is None:
        raise NarratorError("bad_request", visible(file), "there is no scene in it")
    return found


def table_asked_for(action: str, variant: str | None, ruleset: str | None) -> Asked:
    """
    Read which table was asked for: action and variant are typed as one says them.

    Raises:
        NarratorError: For a ruleset that is wrong, or has no such action.
    """
    found = ruleset_of(ruleset or USUAL_RULESET)
    named = as_named(action, found.actions)
    if variant is not None:
        variant = as_named(variant, (each.name for each in found.action(named, "action").variants))
    request = {"ruleset": found.name, "action": named, "variant": variant}
    return Asked(calls.Call(call="table", request=request), (found,))


def payload_of(file: str, *, call: str) -> tuple[calls.Call, object]:
    """
    Read a payload, a bare request, or what `--save` kept, out of a file: the call, and the answer kept beside it.

    Raises:
        NarratorError: `bad_request`, with the file where it is none at all.
    """
    payload = json_of(file)
    if {"resolution", "suggestions"} <= payload.keys():
        message = "this is an answer without its request; suggest --save keeps both"
        raise NarratorError("bad_request", visible(file), message)
    answer = payload.get("answer") if "request" in payload else None
    if answer is not None:
        payload = {name: value for name, value in payload.items() if name != "answer"}
    return calls.read(payload, call=call), answer


def json_of(file: str) -> Json:
    """
    Read the JSON object in a file.

    Raises:
        NarratorError: `bad_request`, with the file and the line.
    """
    try:
        read = parsed(read_text(file))
    except NarratorError as error:
        place = "standard input" if file == "-" else visible(file)
        raise NarratorError(error.code, place, error.message, error.allowed) from None
    if not isinstance(read, dict):
        raise NarratorError("bad_request", "" if file == "-" else visible(file), "this must be an object")
    return read


def scene_in(read: Json) -> Json:
    """
    Take the scene, and the ruleset beside it, out of what a file holds: a scene, a request, or what was kept of one.
    """
    request = read.get("request")
    around = request if isinstance(request, dict) else read
    if not {"scene", "action", "call"} & around.keys():
        return {"scene": around}
    return {name: around[name] for name in ("scene", "ruleset") if name in around}


def turns_asked_for(file: str, typed: TypedTurns) -> Asked:
    """
    Put what was typed of a turn order over what the file says; of a file with a request, its scene counts.

    Raises:
        NarratorError: For a payload that is wrong.
    """
    call, _ = payload_of(file, call="turn_order")
    request = call.request
    taken = ("scene",) if "action" in request else [name for name in request if name != "ruleset"]
    around = {name: request[name] for name in taken if name in request}
    return Asked(call.model_copy(update={"request": {**around, **told(typed)}}))


def ruleset_of(name: str) -> Ruleset:
    """
    The ruleset that `--ruleset` names, in a file or by its name.
    """
    return house.load_ruleset(name) if name.endswith(".toml") else api.find_ruleset(name)


def known_rulesets() -> tuple[list[Ruleset], list[NarratorError]]:
    """
    The rulesets that can be read, and what is wrong with the others.
    """
    found: list[Ruleset] = []
    broken: list[NarratorError] = []
    for name in api.rulesets():
        try:
            found.append(api.find_ruleset(name))
        except NarratorError as error:
            broken.append(error)
    return found, broken


def read_text(file: str) -> bytes:
    """
    Read a file, or standard input for "-", as far as a payload may go.

    Raises:
        typer.BadParameter: For a file that cannot be read, and for nothing on standard input.
    """
    try:
        if file == "-":
            if sys.stdin is None or sys.stdin.isatty():
                raise typer.BadParameter("give a FILE, or - and a request on standard input")
            read = sys.stdin.buffer.read(MOST_BYTES + 1)
            if not read.strip():
                raise typer.BadParameter("there is nothing on standard input: give a FILE, or a request there")
            return read
        with open(file, "rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise typer.BadParameter(f"{visible(file)}: {error.strerror}") from None
