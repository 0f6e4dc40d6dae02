"""The command `note`: write down what the table wants to know later."""

from typing import Annotated

from typer import Argument

from narrator.cli.options import Format
from narrator.cli.output import write_into
from narrator.cli.typed_campaign import CampaignName


def command(how: Format, text: Annotated[list[str], Argument(help="The note.")], campaign: CampaignName = None) -> None:
    write_into(campaign, how, lambda found: found.note(" ".join(text)))
