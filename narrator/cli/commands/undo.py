"""The command `undo`: take back what was written last."""

from narrator.cli.options import Format
from narrator.cli.output import write_into
from narrator.cli.typed_campaign import CampaignName, RevisionOption


def command(how: Format, campaign: CampaignName = None, expect_revision: RevisionOption = None) -> None:
    write_into(campaign, how, lambda found: found.undo(expect_revision=expect_revision))
