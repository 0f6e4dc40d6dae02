"""The command `undo`: take back what was written last."""

from narrator.cli.options import Format
from narrator.cli.typed_campaign import CampaignName, RevisionOption, entered


def command(how: Format, campaign: CampaignName = None, expect_revision: RevisionOption = None) -> None:
    entered(how, campaign, lambda found: found.undo(expect_revision=expect_revision))
