"""The command `resolve`: resolve an action, and word nothing."""

from narrator.cli.option_groups import TypedAction
from narrator.cli.options import Format, RulesetName, SeedOption, What
from narrator.cli.output import refusals, write_answer
from narrator.cli.typed_campaign import CampaignName, file_in, in_use, typed_roll


def command(
    typed: TypedAction,
    how: Format,
    what: What = "",
    seed: SeedOption = None,
    ruleset: RulesetName = None,
    campaign: CampaignName = None,
) -> None:
    with refusals(how):
        table = in_use(campaign, typed.scene, file_in(what))
        write_answer(typed_roll("resolve", what, typed, table, ruleset=ruleset, seed=seed), how)
