"""The command `redo`: do again what was taken back last."""

from narrator.cli.options import Format
from narrator.cli.typed_campaign import CampaignName, RevisionOption, entered


def command(how: Format, campaign: CampaignName = None, expect_revision: RevisionOption = None) -> None:
    entered(how, campaign, lambda found: found.redo(expect_revision=expect_revision))
