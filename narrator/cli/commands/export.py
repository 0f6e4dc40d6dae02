"""The command `export`: write a whole campaign as lines of JSON, for `import` on another machine."""

from typing import Annotated

from typer import Argument

from narrator.campaign.campaign_views import heading
from narrator.cli.long_run import free
from narrator.cli.options import Format
from narrator.cli.output import refusals, write_told
from narrator.cli.typed_campaign import CampaignName, needed
from narrator.files import atomic
from narrator.render.view import line


def command(how: Format, file: Annotated[str, Argument(help="The new file.")], campaign: CampaignName = None) -> None:
    with refusals(how):
        path, found = free(file, "FILE"), needed(campaign)
        lines = [*found.export()]
        atomic.create(path, "".join(f"{each}\n" for each in lines).encode())
        write_told({"file": file, "lines": len(lines)}, [heading(found), line(f"  exported to {file}")], how)
