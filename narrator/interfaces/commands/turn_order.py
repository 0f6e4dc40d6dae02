"""The command `turn-order`."""

from narrator.interfaces.answering import answer, refusals
from narrator.interfaces.asked import Asked
from narrator.interfaces.inputs import json_of
from narrator.interfaces.kept import payload_in
from narrator.interfaces.options import File, Format
from narrator.interfaces.typed import TypedTurns, object_in, written


def command(typed: TypedTurns, how: Format, file: File = "-") -> None:
    """Put what was typed over what the file says; of a file with a request, its scene counts."""
    with refusals(how):
        payload, _ = payload_in(json_of(file), file, call="turn_order")
        request = object_in(payload, "request")
        if request and not {"scene", "action", "approach"} & request.keys():
            request = {"scene": request}
        taken = ("scene",) if "action" in request else [name for name in request if name != "ruleset"]
        around = {name: request[name] for name in taken if name in request}
        answer(Asked({**payload, "request": written(typed, around)}, typed=typed), how)
