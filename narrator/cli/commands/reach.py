"""The command `reach`: say what invocations would make of a roll."""

from dataclasses import replace
from typing import Annotated

from narrator.cli.option_groups import TypedAction
from narrator.cli.options import Format, RulesetName, SeedOption, What, switch
from narrator.cli.output import refusals, write_answer
from narrator.cli.typed_call import typed_call


def command(
    typed: TypedAction,
    how: Format,
    what: What = "",
    everything: Annotated[
        bool, switch("--all", "Also list aspects of other characters, which cost a fate point.")
    ] = False,
    seed: SeedOption = None,
    ruleset: RulesetName = None,
) -> None:
    with refusals(how):
        asked = typed_call("reach", what, typed, ruleset=ruleset, seed=seed)
        write_answer(replace(asked, everything=everything), how)
