"""The command `turn-order`: put what was typed over what the file says; of a file with a request, its scene counts."""

from narrator.cli.inputs import json_of
from narrator.cli.option_groups import TypedTurnOrder, call_options, object_in
from narrator.cli.options import File, Format
from narrator.cli.output import refusals, write_answer
from narrator.cli.save_file import payload_in
from narrator.cli.typed_call import TypedCall
from narrator.cli.typed_campaign import in_use


def command(typed: TypedTurnOrder, how: Format, file: File = "") -> None:
    with refusals(how):
        table = in_use(typed.campaign, file)
        read = json_of(file or "-") if table is None else {"scene": table.scene.as_json()}
        payload, _ = payload_in(read, file, call="turn_order")
        request = object_in(payload, "request")
        if request and not {"scene", "action", "approach"} & request.keys():
            request = {"scene": request}
        taken = ("scene",) if "action" in request else [name for name in request if name != "ruleset"]
        around = {name: request[name] for name in taken if name in request}
        write_answer(TypedCall({**payload, "request": call_options(typed, around)}, typed=typed, campaign=table), how)
