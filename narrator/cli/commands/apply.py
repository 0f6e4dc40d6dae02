"""The command `apply`: enter a choice, and write the scene."""

from narrator.cli.option_groups import TypedChoice
from narrator.cli.options import File, Format, Letters, RulesetName, SeedOption
from narrator.cli.output import refusals, write
from narrator.cli.typed_campaign import table_and_choice
from narrator.cli.typed_choice import entered


def command(
    typed: TypedChoice,
    how: Format,
    file: File = "",
    letters: Letters = None,
    seed: SeedOption = None,
    ruleset: RulesetName = None,
) -> None:
    with refusals(how):
        table, file, letters = table_and_choice(typed.campaign, file, letters)
        asked, scene = entered("apply", file, letters, typed, ruleset=ruleset, seed=seed, campaign=table)
        write(scene, asked, how)
