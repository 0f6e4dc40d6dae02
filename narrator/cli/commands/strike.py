"""The command `strike`: the X-card: what was said last, or an entry or a page that is named, never was."""

from typing import Annotated

from typer import Argument

from narrator.cli.options import Format
from narrator.cli.output import write_into
from narrator.cli.typed_campaign import CampaignName


def command(
    how: Format,
    what: Annotated[
        str | None, Argument(help="The number of an entry, or a page such as p7. By default the last.")
    ] = None,
    campaign: CampaignName = None,
) -> None:
    write_into(campaign, how, lambda found: found.strike(int(what) if what and what.isdecimal() else what))
