"""The command `lines`."""

from narrator.interfaces.answering import answer, refusals
from narrator.interfaces.asked import Asked
from narrator.interfaces.kept import scene_of
from narrator.interfaces.options import File, Format


def command(how: Format, file: File = "-") -> None:
    """Look at the lines and veils of the scene in a file."""
    with refusals(how):
        answer(Asked({"call": "lines", "request": {"scene": scene_of(file)[0]["scene"]}}), how)
