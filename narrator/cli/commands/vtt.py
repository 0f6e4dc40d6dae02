"""The command `vtt`, as the help has it; as macros call it, it is answered before (`cli`)."""

import typer

from narrator.cli.main import answer_macro
from narrator.cli.options import File


def command(file: File = "-") -> None:
    """Answer a macro."""
    raise typer.Exit(answer_macro(file))
