"""The command `check`: judge a suggestion: the first thing that is wrong with it, or all."""

from typing import Annotated

from narrator.cli.options import File, Format, RulesetName, SeedOption, switch
from narrator.cli.output import refusals, write_answer
from narrator.cli.typed_call import typed_call
from narrator.cli.typed_campaign import CampaignName, in_use


def command(
    how: Format,
    file: File = "-",
    everything: Annotated[bool, switch("--all", "Show everything that is wrong, not only the first.")] = False,
    seed: SeedOption = None,
    ruleset: RulesetName = None,
    campaign: CampaignName = None,
) -> None:
    with refusals(how):
        asked = typed_call("check", file, ruleset=ruleset, seed=seed, campaign=in_use(campaign, file))
        if everything:
            asked = asked.but(call="violations")
        write_answer(asked, how)
