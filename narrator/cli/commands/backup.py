"""The command `backup`: copy a campaign into a new file."""

from typing import Annotated

from typer import Argument

from narrator.campaign.campaign_views import heading
from narrator.cli.long_run import free
from narrator.cli.options import Format
from narrator.cli.output import refusals, write_told
from narrator.cli.typed_campaign import CampaignName, needed
from narrator.render.view import line


def command(
    how: Format,
    file: Annotated[str, Argument(help="The new file, such as harbour-may.narrator.")],
    campaign: CampaignName = None,
) -> None:
    with refusals(how):
        path, found = free(file, "FILE"), needed(campaign)
        found.backup(path)
        write_told({"file": file}, [heading(found), line(f"  copied to {file}")], how)
