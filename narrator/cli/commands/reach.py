"""The command `reach`: say what invocations would make of a roll."""

from dataclasses import replace
from typing import Annotated

from narrator.cli.option_groups import TypedAction
from narrator.cli.options import Format, RulesetName, SeedOption, What, switch
from narrator.cli.output import refusals, write_answer
from narrator.cli.typed_campaign import CampaignName, PageOption, file_in, in_use, typed_roll


def command(
    typed: TypedAction,
    how: Format,
    what: What = "",
    everything: Annotated[bool, switch("--all", "List too what others bear, for a fate point.")] = False,
    seed: SeedOption = None,
    ruleset: RulesetName = None,
    campaign: CampaignName = None,
    page: PageOption = None,
) -> None:
    with refusals(how):
        table = in_use(campaign, typed.scene, file_in(what))
        asked = typed_roll("reach", what, typed, table, page, ruleset=ruleset, seed=seed)
        write_answer(replace(asked, everything=everything), how)
