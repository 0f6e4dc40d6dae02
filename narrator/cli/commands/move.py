"""The command `move`: make a move, write what changed, and keep the scene."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Annotated, Any

import typer
from typer import Option

from narrator.api.moves import MoveCall
from narrator.cli import typed_move
from narrator.cli.options import Format, RulesetName, switch
from narrator.cli.output import refusals, write
from narrator.cli.staging import stage_if_wanted
from narrator.cli.typed_campaign import CampaignName, RevisionOption, is_no_file, table_and_choice
from narrator.files.atomic import locked
from narrator.rules.moves.all_moves import MOVES
from narrator.rules.moves.ends import SceneMove


def command(
    how: Format,
    file: Annotated[
        str,
        typer.Argument(
            metavar="[FILE|-]", help="Without a campaign: a file with the scene or a page, or - for standard input."
        ),
    ] = "",
    move: Annotated[
        str | None,
        typer.Argument(
            metavar="[TYPE]",
            help="The kind of move, such as compel.",
            autocompletion=lambda incomplete: [name for name in MOVES if name.startswith(incomplete)],
        ),
    ] = None,
    ruleset: RulesetName = None,
    save: Annotated[str | None, Option(metavar="FILE", help="Save the next scene here.")] = None,
    expect_revision: RevisionOption = None,
    campaign: CampaignName = None,
    page: Annotated[str | None, Option(metavar="ID", help="The page of --suggestion, by default the newest.")] = None,
    stage: Annotated[bool, switch("--stage", "With `scene` in a campaign: let a model write cards for it.")] = False,
    **fields: Any,
) -> None:
    with refusals(how):
        table, file, move = table_and_choice(campaign, file, move, save)
        with nullcontext() if save is None else locked(save):
            asked, settled = typed_move.made(
                *(file, move, fields),
                ruleset=ruleset,
                save=save,
                expect_revision=expect_revision,
                campaign=table,
                page=page,
            )
        write(settled, asked, how)
        if table is not None and isinstance(asked.call, MoveCall) and isinstance(asked.call.request.move, SceneMove):
            stage_if_wanted(table, how, is_typed=stage)


def by_words(words: Sequence[str]) -> tuple[str | None, str | None, dict[str, Any]]:
    """Say the help, what stands below it, and the options of the move that is typed; of none, which there are."""
    typed = [
        word
        for before, word in zip(("", *words), words, strict=False)
        if not word.startswith("--") and (not before.startswith("--") or "=" in before or before == "--json")
    ]
    if typed and is_no_file(typed[0]):
        typed = ["-", *typed]
    kind = typed_move.spelt(typed[1]) if len(typed) > 1 else None
    if kind is None:
        return None, f"\b\n{typed_move.listed()}", {}
    if kind not in MOVES:
        raise typer.BadParameter(typed_move.unknown(kind), param_hint="TYPE")
    return MOVES[kind].__doc__, None, typed_move.options(MOVES[kind])
