"""The command `note`: write down what the table wants to know later."""

from typing import Annotated

from typer import Argument

from narrator.cli.options import Format
from narrator.cli.typed_campaign import CampaignName, entered


def command(
    how: Format, text: Annotated[list[str], Argument(help="What to know later.")], campaign: CampaignName = None
) -> None:
    entered(how, campaign, lambda found: found.note(" ".join(text)))
