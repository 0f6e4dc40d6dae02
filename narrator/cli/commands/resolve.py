"""The command `resolve`: resolve an action, and word nothing."""

from narrator.cli.option_groups import TypedAction
from narrator.cli.options import Format, RulesetName, SeedOption, What
from narrator.cli.output import refusals, write_answer
from narrator.cli.typed_call import typed_call


def command(
    typed: TypedAction, how: Format, what: What = "", seed: SeedOption = None, ruleset: RulesetName = None
) -> None:
    with refusals(how):
        write_answer(typed_call("resolve", what, typed, ruleset=ruleset, seed=seed), how)
