"""The command `vtt`, as the help has it; as macros call it, it is answered before (`cli`)."""

import typer

from narrator.interfaces.cli import answered
from narrator.interfaces.options import File


def command(file: File = "-") -> None:
    """Answer a macro."""
    raise typer.Exit(answered(file))
