"""The command `import`: make a campaign of what `export` wrote, and use it."""

import os
from typing import Annotated

from typer import Argument

from narrator.campaign import campaign_views, folder
from narrator.cli.inputs import read_text
from narrator.cli.options import File, Format
from narrator.cli.output import refusals, write_told

_MOST = 1_000_000_000


def command(how: Format, file: File, name: Annotated[str, Argument(help="The name for the campaign here.")]) -> None:
    from narrator.campaign.opening import import_campaign

    with refusals(how):
        lines = read_text(file, _MOST, "bad_campaign").decode("utf-8", "replace").removesuffix("\n").split("\n")
        found = import_campaign(lines, name=name)
        folder.choose(name, os.environ)
        write_told({"use": found.name}, campaign_views.previously(found), how)
