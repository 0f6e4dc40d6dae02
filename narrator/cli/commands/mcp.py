"""The command `mcp`: a fair table for a chat, over standard input and output, until its program closes it."""

from functools import partial
from importlib.util import find_spec
from typing import Annotated

import anyio
from typer import Argument

import narrator
from narrator.cli.options import Format
from narrator.cli.output import refusals
from narrator.cli.typed_campaign import in_use, opened, ready
from narrator.cli.usage import UsageError


def command(
    how: Format,
    name: Annotated[
        str | None, Argument(metavar="CAMPAIGN", help="The campaign, by default the one in use, or a ready scene.")
    ] = None,
) -> None:
    if find_spec("mcp") is None:
        raise UsageError(
            'the tools for a chat are not installed. In narrator\'s folder, type: pipx install --force ".[serve,mcp]"'
        )
    from narrator.assistant import server

    with refusals(how):
        campaign = (in_use(None) or ready()) if name is None else opened(name, "CAMPAIGN")
        try:
            anyio.run(partial(server.serve, campaign, narrator.__version__))
        except* (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # nobody reads any more
