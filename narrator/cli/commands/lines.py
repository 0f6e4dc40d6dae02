"""The command `lines`: look at the lines and veils of the scene in a file."""

from narrator.cli.options import File, Format
from narrator.cli.output import refusals, write_answer
from narrator.cli.save_file import scene_of
from narrator.cli.typed_call import TypedCall


def command(how: Format, file: File = "-") -> None:
    with refusals(how):
        write_answer(TypedCall({"call": "lines", "request": {"scene": scene_of(file)[0]["scene"]}}), how)
