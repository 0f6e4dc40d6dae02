"""The command `settle`: enter a choice, write what changed, and keep the scene."""

from contextlib import nullcontext
from typing import Annotated

from typer import Option

from narrator.cli.option_groups import TypedChoice
from narrator.cli.options import File, Format, Letters, RulesetName
from narrator.cli.output import refusals, write
from narrator.cli.typed_campaign import RevisionOption, table_and_choice
from narrator.cli.typed_choice import entered
from narrator.files.atomic import locked


def command(
    typed: TypedChoice,
    how: Format,
    file: File = "",
    letters: Letters = None,
    ruleset: RulesetName = None,
    save: Annotated[str | None, Option(metavar="FILE", help="Save the next scene here, for --scene.")] = None,
    expect_revision: RevisionOption = None,
) -> None:
    with refusals(how):
        table, file, letters = table_and_choice(typed.campaign, file, letters, save)
        with nullcontext() if save is None else locked(save, *(() if file == "-" else (file,))):
            asked, settled = entered(
                *("settle", file, letters, typed),
                ruleset=ruleset,
                save=save,
                expect_revision=expect_revision,
                campaign=table,
            )
        write(settled, asked, how)
