"""What was asked on the command line: out of a file, standard input or options, into a call."""

import os
import sys
from dataclasses import dataclass
from typing import Any

import typer

from narrator import api, house, vtt
from narrator.interfaces.oneliner import Line, request_of
from narrator.render.plain import visible
from narrator.rules.action import spelt_out
from narrator.rules.ruleset import Ruleset


@dataclass(frozen=True)
class Asked:
    """
    What was asked on the command line: the call, and the house rulesets it may name.
    """

    call: vtt.Call
    rulesets: tuple[Ruleset, ...]


def asked_for(call: str, what: str, seed: int | None, ruleset: str | None, line: Line | None = None) -> Asked:
    """
    Read what was asked: a file, standard input, or an action and the options that tell it.

    Raises:
        NarratorError: For a payload or a ruleset that is wrong.
        typer.BadParameter: For a file that is not there, and options that do not go together.
    """
    names, given = ruleset_of(ruleset)
    is_file = line is None or what == "-" or os.path.isfile(what)
    line = line or Line()
    action = as_named(what)
    if is_file and not line.is_empty:
        raise typer.BadParameter("the options that tell an action go with an ACTION, not with a file")
    known = api.find_ruleset(names.get("ruleset", "five-actions"), given).actions
    if is_file:
        read = vtt.read(read_text(what), call=call)
    elif action in known:
        read = vtt.Call(call=call, request=request_of(action, line, known[action].opposition or ()))
    else:
        raise typer.BadParameter(
            f"{visible(what)}: no such file, and no such action; there is {', '.join(sorted(known))}"
        )
    if isinstance(read.request, dict):
        changes: dict[str, Any] = {**names, **({"seed": seed} if seed is not None else {})}
        read = read.model_copy(update={"request": {**read.request, **changes}})
    return Asked(read, given)


def as_named(action: str) -> str:
    """
    An action as rulesets name it, however it was typed.
    """
    return spelt_out(action.strip().lower().replace("-", "_").replace(" ", "_"))


def ruleset_of(name: str | None) -> tuple[dict[str, str], tuple[Ruleset, ...]]:
    """
    What `--ruleset` puts into the request, and the ruleset of the file that it names.
    """
    if name is None:
        return {}, ()
    if not name.endswith(".toml"):
        return {"ruleset": name}, ()
    loaded = house.load_ruleset(name)
    return {"ruleset": loaded.name}, (loaded,)


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
            read = sys.stdin.buffer.read(vtt.LARGEST + 1)
            if not read.strip():
                raise typer.BadParameter("there is nothing on standard input: give a FILE, or a request there")
            return read
        with open(file, "rb") as opened:
            return opened.read(vtt.LARGEST + 1)
    except OSError as error:
        raise typer.BadParameter(f"{visible(file)}: {error.strerror}") from None
