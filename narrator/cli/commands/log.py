"""The command `log`: tell what was written."""

from typing import Annotated

from typer import Option

from narrator.campaign import campaign_views
from narrator.cli.options import Format, switch
from narrator.cli.output import refusals, write_told
from narrator.cli.typed_campaign import CampaignName, needed
from narrator.rules.model import LARGEST


def command(
    how: Format,
    campaign: CampaignName = None,
    everything: Annotated[bool, switch("--all", "Show undone entries as well.")] = False,
    last: Annotated[int | None, Option(min=1, help="Show only this many of the last entries.")] = None,
) -> None:
    with refusals(how):
        found = needed(campaign)
        entries = found.entries(0 if last is None else max(0, found.last - last), LARGEST)
        write_told([each.as_json() for each in entries], campaign_views.log(entries, is_whole=everything), how)
