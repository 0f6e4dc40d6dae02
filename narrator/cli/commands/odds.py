"""The command `odds`: count what may come of an action."""

from narrator.cli.option_groups import TypedAction
from narrator.cli.options import Format, RulesetName, What
from narrator.cli.output import refusals, write_answer
from narrator.cli.typed_campaign import CampaignName, file_in, in_use, typed_roll


def command(
    typed: TypedAction,
    how: Format,
    what: What = "",
    ruleset: RulesetName = None,
    campaign: CampaignName = None,
) -> None:
    with refusals(how):
        table = in_use(campaign, typed.scene, file_in(what))
        write_answer(typed_roll("odds", what, typed, table, ruleset=ruleset), how)
