"""The command `odds`: count what may come of an action."""

from narrator.cli.option_groups import TypedAction
from narrator.cli.options import Format, RulesetName, What
from narrator.cli.output import refusals, write_answer
from narrator.cli.typed_call import typed_call


def command(typed: TypedAction, how: Format, what: What = "", ruleset: RulesetName = None) -> None:
    with refusals(how):
        write_answer(typed_call("odds", what, typed, ruleset=ruleset), how)
